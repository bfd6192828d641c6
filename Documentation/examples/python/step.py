"""Read and move a control with the varlink package: pip install varlink==31.0.0"""

import os
import socket
import sys

import varlink


def address():
    """STEPPERD_ADDRESS, else the socket of the user's daemon, if it listens, else that of the system's."""
    if named := os.environ.get("STEPPERD_ADDRESS"):
        return named.removeprefix("unix:").partition(";")[0]
    own = os.environ.get("XDG_RUNTIME_DIR", "") + "/stepperd/org.stepperd"
    with socket.socket(socket.AF_UNIX) as probe:
        return "/run/stepperd/org.stepperd" if probe.connect_ex(own) else own


control = sys.argv[1] if len(sys.argv) > 1 else "volume"
with varlink.Client.new_with_address("unix:" + address()) as client:
    with client.open("org.stepperd.control") as controls:
        # A control without a value has no "text".
        print(controls.Get(control)["state"].get("text", "unset"))
        try:
            print(controls.Step(control, 3, None)["state"].get("text", "unset"))
        except varlink.VarlinkError as error:
            print(error.error(), error.parameters())
