"""Follow controls over restarts of the daemon, with nothing but the standard library.

Each new connection names the last reply that was received (`instance`, `sinceSequence`): the daemon sends what changed since
then, or a snapshot if it does not know that point.
"""

import json
import os
import socket
import sys
import time


def address():
    """STEPPERD_ADDRESS, else the socket of the user's daemon, if it listens, else that of the system's."""
    if named := os.environ.get("STEPPERD_ADDRESS"):
        return named.removeprefix("unix:").partition(";")[0]
    own = os.environ.get("XDG_RUNTIME_DIR", "") + "/stepperd/org.stepperd"
    with socket.socket(socket.AF_UNIX) as probe:
        return "/run/stepperd/org.stepperd" if probe.connect_ex(own) else own


def replies(parameters):
    """The parameters of each reply until the connection is lost or the daemon stops."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address())
        call = {"method": "org.stepperd.control.Subscribe", "parameters": parameters, "more": True}
        connection.sendall(json.dumps(call).encode() + b"\0")
        buffer = b""
        while chunk := connection.recv(65536):
            *complete, buffer = (buffer + chunk).split(b"\0")
            for reply in map(json.loads, complete):
                if reply.get("error") == "org.stepperd.control.Stopping":
                    return
                if "error" in reply:
                    sys.exit(reply["error"])
                yield reply["parameters"]


parameters = {"match": sys.argv[1:] or ["volume"]}
pause = 0.1
while True:
    try:
        for reply in replies(parameters):
            if "instance" not in parameters and not reply["states"]:
                print("no control is called", *parameters["match"], "yet; waiting for one", file=sys.stderr)
            parameters.update(instance=reply["instance"], sinceSequence=reply["sequence"])
            pause = 0.1
            for state in reply["states"]:
                print(state["control"], state.get("text", "unset"), flush=True)
    except OSError:
        pass  # no daemon now
    time.sleep(pause)
    pause = min(pause * 2, 5)
