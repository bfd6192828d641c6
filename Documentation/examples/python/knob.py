"""A knob of your own, with nothing but the standard library: lines of standard input turn it (+3, -1) and press it (down, up).

The configuration has a [device.knob] with match = { provider = "example" }. What its light and its motor are to do is printed.
After a restart of the daemon the knob is attached again. A button that is held then is up there, and what is turned meanwhile is lost.
"""

import json
import os
import select
import socket
import sys
import time

PROVIDER = "org.stepperd.provider."
KNOB = {
    "identity": {"provider": "example", "name": "Example knob", "path": "stdin"},
    "keys": ["BTN_0"],
    "relative": [{"code": "REL_DIAL"}],
    "outputs": [{"name": "ring", "kind": "light"}, {"name": "motor", "kind": "effect"}],
    "leaseMilliseconds": 2000,
}
lines = open(0, "rb", buffering=0)


def address():
    """STEPPERD_ADDRESS, else the socket of the user's daemon, if it listens, else that of the system's."""
    if named := os.environ.get("STEPPERD_ADDRESS"):
        return named.removeprefix("unix:").partition(";")[0]
    own = os.environ.get("XDG_RUNTIME_DIR", "") + "/stepperd/org.stepperd"
    with socket.socket(socket.AF_UNIX) as probe:
        return "/run/stepperd/org.stepperd" if probe.connect_ex(own) else own


def connect(path):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    return connection


def send(connection, method, parameters, **mode):
    connection.sendall(json.dumps({"method": PROVIDER + method, "parameters": parameters, **mode}).encode() + b"\0")


def receive(connection):
    """The parameters of the next reply."""
    message = b""
    while not message.endswith(b"\0"):
        if not (byte := connection.recv(1)):
            raise ConnectionError("the daemon has ended the connection")
        message += byte
    reply = json.loads(message[:-1])
    if reply.get("error") == PROVIDER + "Stopping":
        raise ConnectionError("the daemon is stopping")
    return sys.exit(message[:-1].decode()) if "error" in reply else reply["parameters"]


def event(line):
    """What a line says; None: nothing."""
    word = line.decode(errors="replace").strip()
    if word in ("down", "up"):
        return {"code": "BTN_0", "value": int(word == "down")}
    try:
        return {"code": "REL_DIAL", "value": max(-1000, min(int(word), 1000))} if word else None
    except ValueError:
        print(f"{word!r} is not down, up or a number of detents", file=sys.stderr)
        return None


def serve(path):
    knob, orders = connect(path), connect(path)
    send(knob, "Attach", KNOB)
    handle = receive(knob)["handle"]
    send(orders, "Subscribe", {"handles": [handle]}, more=True)
    isDown = False
    while True:
        # While the button is down, a report of nothing renews the lease.
        ready, _, _ = select.select([lines, orders, knob], [], [], 1 if isDown else None)
        if orders in ready:
            for order in receive(orders)["orders"]:
                print(json.dumps({kind: order[kind] for kind in order if kind != "handle"}), flush=True)
        if knob in ready:
            receive(knob)  # Reports have no replies: it is the end of the connection.
        frames = []
        if lines in ready:
            if not (line := lines.readline()):
                sys.exit()
            if done := event(line):
                isDown = done["value"] == 1 if done["code"] == "BTN_0" else isDown
                frames = [{"time": time.monotonic_ns() // 1000, "events": [done]}]
        if frames or isDown:
            send(knob, "Report", {"handle": handle, "frames": frames}, oneway=True)


said = None
while True:
    try:
        serve(path := address())
    except OSError as error:
        if said != str(error):
            said = str(error)
            print(f"no daemon at {path} now: {said}; trying again", file=sys.stderr)
        time.sleep(0.2)
