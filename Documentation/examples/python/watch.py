"""Follow a control with nothing but the standard library."""

import json
import os
import socket
import sys


def messages(connection):
    """Every message on the connection: JSON objects, each ended by a NUL."""
    buffer = b""
    while chunk := connection.recv(65536):
        buffer += chunk
        *complete, buffer = buffer.split(b"\0")
        yield from map(json.loads, complete)


def call(connection, method, parameters=None, **flags):
    message = {"method": method, "parameters": parameters or {}, **flags}
    connection.sendall(json.dumps(message).encode() + b"\0")


def address():
    """STEPPERD_ADDRESS, else the socket of the user's daemon, if it listens, else that of the system's."""
    if named := os.environ.get("STEPPERD_ADDRESS"):
        return named.removeprefix("unix:").partition(";")[0]
    own = os.environ.get("XDG_RUNTIME_DIR", "") + "/stepperd/org.stepperd"
    with socket.socket(socket.AF_UNIX) as probe:
        return "/run/stepperd/org.stepperd" if probe.connect_ex(own) else own


with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(address())
    match = sys.argv[1:] or ["volume"]
    call(connection, "org.stepperd.control.Subscribe", {"match": match}, more=True)
    for count, reply in enumerate(messages(connection)):
        if "error" in reply:
            sys.exit(reply["error"])
        if count == 0 and not reply["parameters"]["states"]:
            print("no control is called", *match, "yet; waiting for one", file=sys.stderr)
        for state in reply["parameters"]["states"]:
            print(state["control"], state.get("text", "unset"), flush=True)
    sys.exit("the daemon has ended the connection")
