"""What the tests of the guide shadows.md share: a real board at a real mosquitto, and a program of the guide between it and a cloud."""

import json
import os
import re
import signal
import ssl
import subprocess
import sys
import threading
import time
import unittest

import paho.mqtt.client as mqtt

from bed import PROJECT, Bed  # it knows where the modules of all tests are
from connection import Connection
from waiting import PATIENCE, eventually

PROGRAMS = os.path.join(PROJECT, "Documentation/examples/mqtt")
GUIDE = os.path.join(PROJECT, "Documentation/guides/shadows.md")
P = "stepperd/kiosk-1"
#: Seconds between two looks of the program at what waits.
INTERVAL = 0.1
CONTROLS = """\
[device.panel]
virtual = true

[control.volume]
rotate = "panel:dial"
increment = "panel:plus"
maximum = 100
initial = 20

[control.mute]
kind = "toggle"

[control.source]
choices = ["radio", "usb", "line"]

[control.word]
choices = ["one", "two"]
unset = true
initial = "unset"

[control."left.gain"]
minimum = -10
maximum = 10
step = 0.5

[control.bell]
kind = "button"
push = "panel:push"
"""


def connected(folder, port, name, filters, receive):
    """A client of a broker that may do everything, as soon as it has subscribed. `folder` has its certificate."""
    ready = threading.Event()
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=name)
    client.username_pw_set("house", "secret of house")
    client.tls_set(f"{folder}/authority.crt", f"{folder}/client.crt", f"{folder}/client.key", tls_version=ssl.PROTOCOL_TLS_CLIENT)
    client.on_connect = lambda client, *_: client.subscribe([(entry, 1) for entry in filters])
    client.on_subscribe = lambda *_: ready.set()
    client.on_message = lambda _client, _data, message: receive(message.topic, message.payload)
    client.reconnect_delay_set(1, 1)
    client.connect("127.0.0.1", port)
    client.loop_start()
    assert ready.wait(20 * PATIENCE), f"{name} is not connected"
    return client


class CloudCase(unittest.TestCase):
    """A board, and a program of the guide, which has at the broker of the board what the guide gives it. `name` is that of the program
    and of its user."""

    name = None

    def make_board(self, access="", **more):
        """Starts all but the program. `access` is what the house may do besides, `more` is for the bed."""
        self.bed = Bed("targets = true\ndiscovery = false", CONTROLS, **more)
        self.addCleanup(self.bed.stop)
        with open(GUIDE, encoding="utf-8") as file:
            listed = re.search(rf"^```text\n(user {self.name}\n.*?)^```", file.read(), re.MULTILINE | re.DOTALL)[1].replace("/ID/", "/kiosk-1/")
        with open(f"{self.bed.folder}/access", "a", encoding="ascii") as file:
            file.write(f"{access}\n{listed}")
        command = ["mosquitto_passwd", "-b", f"{self.bed.folder}/passwords", self.name, f"secret of {self.name}"]
        subprocess.run(command, check=True, capture_output=True)
        self.bed.start()
        self.program = None
        self.addCleanup(self.kill_program)

    def run_program(self, settings):
        """With a configuration file as in the guide."""
        path = f"{self.bed.folder}/{self.name}"
        with open(f"{path}.toml", "w", encoding="utf-8") as file:
            file.write(settings)
        with open(f"{path}.log", "ab") as log:
            command = [sys.executable, f"{PROGRAMS}/{self.name}.py", f"{path}.toml"]
            self.program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def kill_program(self):
        """Without a chance."""
        if self.program and self.program.poll() is None:
            self.bed.kill(self.program)

    def desire(self, **wishes):
        """An operator asks the cloud for something. Returns when the cloud has it."""
        raise NotImplementedError

    def kill_before_the_result(self):
        """The program: when the board has done the target, the result waits at the broker, and a hand has turned the value since."""
        self.bed.bridge.send_signal(signal.SIGSTOP)
        self.desire(volume=80)
        self.bed.house.expect(f"{P}/volume/target", lambda text: text and '"value": 80' in text)
        self.kill_program()
        self.bed.bridge.send_signal(signal.SIGCONT)
        self.bed.house.expect(f"{P}/volume/result", lambda text: text and '"ok":true' in text)
        self.turn(-5)
        self.bed.house.expect(f"{P}/volume", "75")

    def log(self):
        """What the program has printed."""
        with open(f"{self.bed.folder}/{self.name}.log", encoding="utf-8") as file:
            return file.read()

    def turn(self, detents):
        """A hand turns the knob."""
        with Connection(self.bed.daemon.socket) as hand:
            hand.call("org.stepperd.device.Turn", device="panel", input="dial", detents=detents)

    def facts(self):
        """For failures."""
        return f"{self.log()}; {self.bed.bridge_log()}"

    def hold_button(self, then):
        """A hand holds a button, `then` is called while that moves the volume, and the hand lets go. Returns the value at rest."""
        house = self.bed.house
        before = len(house.payloads(f"{P}/volume/state"))
        with Connection(self.bed.daemon.socket) as hand:
            hand.call("org.stepperd.device.Press", device="panel", input="plus")
            eventually(lambda: len([text for text in house.payloads(f"{P}/volume/state")[before:] if '"editing":true' in text]) > 5,
                       lambda: f"{house.payloads(f'{P}/volume/state')[before:]}", 30)
            then()
            hand.call("org.stepperd.device.Release", device="panel", input="plus")
        eventually(lambda: '"editing":false' in house.text(f"{P}/volume/state"), "the hand has let go")
        return json.loads(house.text(f"{P}/volume/state"))["value"]

    def wait_for_rest(self, count):
        """Waits until nothing is published any more but the time of the board, and `count` returns the same."""
        def all_of_it():
            return count(), len([1 for topic, _, _ in self.bed.house.log if topic != f"{P}/last-seen"])

        last, since = all_of_it(), time.monotonic()

        def is_quiet():
            nonlocal last, since
            if last != all_of_it():
                last, since = all_of_it(), time.monotonic()
            return time.monotonic() - since > 20 * INTERVAL

        eventually(is_quiet, lambda: f"it has no rest: {self.facts()}", 30)
