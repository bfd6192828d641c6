"""Moves the input devices of a guest in QEMU from outside: the guest asks through a serial port, and the host passes that on
to QEMU (QMP, https://www.qemu.org/docs/master/interop/qemu-qmp-ref.html).

The guest writes a QMP command as a line of JSON and reads the reply as a line.
"""

import json
import os
import socket
import threading

import waiting

#: The name of the serial port.
PORT = "hand"


def arguments(job, devices):
    """QEMU's arguments for the devices and the port, whose sockets are in `job`; starts what passes commands on."""
    threading.Thread(target=_pass_on, args=(job,), daemon=True).start()
    return [*(word for device in devices for word in ("-device", device)),
            "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=port,path={job}/port,server=on,wait=off",
            "-device", f"virtserialport,chardev=port,name={PORT}",
            "-qmp", f"unix:{job}/qmp,server=on,wait=off"]


def _connect(path):
    def attempt():
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(path)
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
            return None
        return connection.makefile("rwb", buffering=0)

    return waiting.eventually(attempt, f"QEMU listens at {path}", 30)


def _pass_on(job):
    monitor, port = _connect(f"{job}/qmp"), _connect(f"{job}/port")
    monitor.readline()  # QEMU's greeting
    _call(monitor, b'{"execute": "qmp_capabilities"}\n')
    for command in port:
        port.write(_call(monitor, command))


def _call(monitor, command):
    """The reply to a command; events that come before it are left out."""
    monitor.write(command)
    while True:
        line = monitor.readline()
        if not line or b'"event"' not in line:
            return line


class Hand:
    """In the guest: what moves its devices."""

    def __init__(self):
        for name in os.listdir("/sys/class/virtio-ports"):
            with open(f"/sys/class/virtio-ports/{name}/name", encoding="utf-8") as file:
                if file.read().strip() == PORT:
                    self._port = open(f"/dev/{name}", "r+b", buffering=0)  # pylint: disable=consider-using-with
                    return
        raise AssertionError(f"this machine has no serial port {PORT!r}")

    def call(self, command, **parameters):
        """A command of QMP; returns what it returns."""
        self._port.write(json.dumps({"execute": command, "arguments": parameters}).encode() + b"\n")
        reply = json.loads(self._port.readline())
        if "error" in reply:
            raise AssertionError(f"{command}: {reply['error']}")
        return reply["return"]

    def send(self, *events):
        """Events of one frame, each (type, data) as in QMP's InputEvent."""
        self.call("input-send-event", events=[{"type": kind, "data": data} for kind, data in events])

    def key(self, code, down):
        """Presses or releases a key, by QEMU's name of it."""
        self.send(("key", {"down": down, "key": {"type": "qcode", "data": code}}))

    def wheel(self, direction):
        """Turns the wheel of the mouse by a detent: "wheel-up" or "wheel-down"."""
        self.send(("btn", {"button": direction, "down": True}))
        self.send(("btn", {"button": direction, "down": False}))

    def touch(self, axis, value):
        """Moves the tablet on an axis, "x" or "y", to 0…32767."""
        self.send(("abs", {"axis": axis, "value": value}))
