"""A knob of your own, with nothing but the standard library: lines of standard input turn it (+3, -1) and press it (down, up).

The configuration has a [device.knob] with match = { provider = "example" }. What its light and its motor are to do is printed.
After a restart of the daemon the knob is attached again.
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


def connect():
    connection = socket.socket(socket.AF_UNIX)
    if named := os.environ.get("STEPPERD_ADDRESS"):
        connection.connect(named.removeprefix("unix:").partition(";")[0])
    elif connection.connect_ex(os.environ.get("XDG_RUNTIME_DIR", "") + "/stepperd/org.stepperd"):
        connection.connect("/run/stepperd/org.stepperd")
    return connection


def send(connection, method, parameters, **mode):
    connection.sendall(json.dumps({"method": PROVIDER + method, "parameters": parameters, **mode}).encode() + b"\0")


def receive(connection):
    """The parameters of the next reply."""
    message = b""
    while not message.endswith(b"\0"):
        if not (byte := connection.recv(1)):
            raise ConnectionError
        message += byte
    reply = json.loads(message[:-1])
    if reply.get("error") == PROVIDER + "Stopping":
        raise ConnectionError
    return sys.exit(message[:-1].decode()) if "error" in reply else reply["parameters"]


def serve():
    knob, orders = connect(), connect()
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
            if not (word := lines.readline().decode().strip()):
                sys.exit()
            event = {"code": "BTN_0", "value": int(word == "down")}
            if word in ("down", "up"):
                isDown = word == "down"
            else:
                event = {"code": "REL_DIAL", "value": int(word)}
            frames = [{"time": time.monotonic_ns() // 1000, "events": [event]}]
        if frames or isDown:
            send(knob, "Report", {"handle": handle, "frames": frames}, oneway=True)


while True:
    try:
        serve()
    except OSError:
        time.sleep(0.2)  # no daemon now
