#!/usr/bin/env python3
"""Knobs of radio networks behind a real broker: messages as Zigbee2MQTT publishes them move controls of a real stepperd.

Needs what test_bridge.py needs.
"""

import getpass
import json
import os
import signal
import subprocess
import unittest

from bed import BUILD, PROJECT, Bed  # it knows where the modules of all tests are
import guide
from connection import Connection
from private_daemon import PrivateDaemon
from test_bridge import P
from waiting import eventually, pace

KITCHEN, DESK, TABLE = "zigbee2mqtt/Kitchen knob", "zigbee2mqtt/desk", "zigbee2mqtt/table"
CONTROLS = """\
[device.kitchen]
match = { provider = "mqtt", name = "zigbee2mqtt/Kitchen knob" }

[device.desk]
match = { provider = "mqtt", phys = "desk" }

[device.table]
match = { provider = "mqtt", phys = "table" }

[control.volume]
maximum = 100000
increment = "kitchen:KEY_UP"
decrement = "kitchen:KEY_DOWN"

[control.light]
initial = 50
rotate = "desk:REL_DIAL"
push = "desk:BTN_0"

[control.station]
maximum = 1000
initial = 500
rotate = "table:REL_DIAL"

[control.scene]
kind = "button"
push = "table:BTN_2"
"""
REMOTES = f"""\
[mqtt.remote.kitchen]
topic = "{KITCHEN}"
kind = "ikea"
hold-limit = "2s"

[mqtt.remote.desk]
topic = "{DESK}"
kind = "tuya"

[mqtt.remote.table]
topic = "{TABLE}"
kind = "hue"
"""


class RemoteBed(Bed):
    """A bed whose bridge brings three knobs."""

    def publish(self, topic, action, retain=False, **more):
        """A message of a knob."""
        self.house.publish(topic, json.dumps({"action": action, "battery": 74, "linkquality": 108, **more}), retain)

    def devices(self):
        """The devices of programs that are matched, by what they call themselves."""
        with Connection(self.daemon.socket) as connection:
            devices = connection.call("org.stepperd.device.List")["devices"]
        return {device["name"] for device in devices if device.get("provider") == "mqtt" and device["state"] == "open"}

    def expect_devices(self, *names):
        """Waits until these are there."""
        eventually(lambda: set(names) <= self.devices(), lambda: f"{names}, not {self.devices()}: {self.bridge_log()}", 30)

    def number(self, control="volume"):
        """The daemon's own value."""
        return self.call("Get", control=control)["state"]["value"]

    def is_held(self, control="volume"):
        """Whether a gesture goes on."""
        return self.call("Get", control=control)["state"]["editing"]

    def expect_end(self, control="volume", within=20):
        """Waits until nothing is held and nothing moves for half a second; between two steps of a slow hold nothing is held."""
        def rests():
            before = self.number(control)
            pace(0.5)
            return self.number(control) == before and not self.is_held(control)

        eventually(rests, lambda: f"{control} moves on: {self.number(control)}", within)


class Remotes(unittest.TestCase):
    """Three knobs at one board."""

    def setUp(self):
        self.bed = RemoteBed(REMOTES, CONTROLS)
        self.addCleanup(self.bed.stop)
        self.bed.start()
        self.bed.expect_devices(KITCHEN, DESK, TABLE)

    def hold(self):
        """The ring is turned, and the volume follows."""
        self.bed.publish(KITCHEN, "brightness_move_up", action_rate=83)
        eventually(lambda: self.bed.number() > 1, "the hold repeats")

    def hold_for_a_minute(self):
        """From now on a hold has a limit that no test waits for."""
        self.bed.reload(self.bed.text(CONTROLS).replace('hold-limit = "2s"', 'hold-limit = "60s"'))
        eventually(lambda: self.bed.bridge_log().count("online at") == 2, lambda: f"it connects anew: {self.bed.bridge_log()}", 30)
        self.bed.expect_devices(KITCHEN)

    def test_detents(self):
        """Each message is what it says: by how far, once, and not when it is retained."""
        for action, more, value in (("rotate_right", {}, 51), ("brightness_step_up", {"action_step_size": 36}, 54), ("rotate_left", {}, 53)):
            self.bed.publish(DESK, action, **more)
            eventually(lambda wanted=value: self.bed.number("light") == wanted, lambda wanted=value: f"{wanted}, not {self.bed.number('light')}")
        for _ in range(2):
            self.bed.publish(DESK, "rotate_right", last_seen="2026-11-27T10:00:00.000Z")
        self.bed.publish(DESK, "rotate_right", retain=True)
        self.bed.publish(TABLE, "dial_rotate_left_fast", action_time=150, action_direction="left")
        self.bed.publish(TABLE, "brightness_step_down", action_step_size=80)
        eventually(lambda: self.bed.number("station") == 490, lambda: f"490, not {self.bed.number('station')}")
        self.assertEqual(self.bed.number("light"), 55, "one of the two with a time, and the other as it came: with its flag it was not passed on")
        self.bed.publish(TABLE, "button_3_press")
        self.bed.publish(TABLE, "button_3_press_release")
        eventually(lambda: self.bed.call("Get", control="scene")["state"]["presses"] == 1, "a press")

    def test_retained_of_before(self):
        """What a broker has kept of a knob is of the past."""
        self.bed.publish(DESK, "rotate_right", retain=True)
        eventually(lambda: self.bed.number("light") == 51, "the first is no retained one")
        self.bed.kill(self.bed.bridge)
        self.bed.house.expect(f"{P}/status", "offline")
        self.bed.start_bridge()
        self.bed.house.expect(f"{P}/status", "online")
        self.bed.expect_devices(DESK)
        self.bed.publish(DESK, "rotate_left", retain=True)
        eventually(lambda: self.bed.number("light") == 50, lambda: f"50, not {self.bed.number('light')}")

    def test_a_hold(self):
        """It ends with its stop, and with the other direction."""
        self.hold()
        self.bed.publish(KITCHEN, "brightness_stop")
        self.bed.expect_end()
        self.hold()
        self.bed.publish(KITCHEN, "brightness_move_down")
        before = self.bed.number()
        eventually(lambda: self.bed.number() < before, "it goes down")
        self.bed.publish(KITCHEN, "brightness_stop")
        self.bed.expect_end()

    def test_a_lost_stop(self):
        """It ends by itself."""
        self.hold()
        self.bed.expect_end()

    def test_the_broker_is_lost(self):
        """With a longer limit than that takes."""
        self.hold_for_a_minute()
        self.hold()
        self.bed.broker.kill()
        self.bed.expect_end()
        self.bed.broker.start()
        eventually(lambda: self.bed.house.client.is_connected(), "the other side is back", 30)
        self.bed.house.expect(f"{P}/status", "online", 60)
        self.hold()
        self.bed.publish(KITCHEN, "brightness_stop")
        self.bed.expect_end()

    def test_the_bridge_is_killed(self):
        """Its devices are gone at once; one that hangs loses its lease."""
        self.hold_for_a_minute()
        self.hold()
        self.bed.bridge.send_signal(signal.SIGSTOP)
        try:
            self.bed.expect_end()
        finally:
            self.bed.bridge.send_signal(signal.SIGCONT)
        self.bed.publish(KITCHEN, "brightness_stop")
        self.hold()
        self.bed.kill(self.bed.bridge)
        self.bed.expect_end(within=5)
        eventually(lambda: not self.bed.devices(), "they are gone")
        self.bed.start_bridge()
        self.bed.expect_devices(KITCHEN, DESK, TABLE)

    def test_the_daemon_is_killed(self):
        """The knobs are attached again, and nothing of the time between is done."""
        self.hold()
        self.bed.kill(self.bed.daemon.process)
        self.bed.house.expect(f"{P}/status", "offline")
        self.bed.publish(DESK, "rotate_right")
        self.bed.start_daemon()
        self.bed.house.expect(f"{P}/status", "online")
        self.bed.expect_devices(KITCHEN, DESK, TABLE)
        self.bed.expect_end()
        before = self.bed.number("light")
        self.bed.publish(DESK, "rotate_left")
        eventually(lambda: self.bed.number("light") == before - 1, lambda: f"{before - 1}, not {self.bed.number('light')}")

    def test_the_daemon_stands_still(self):
        """For longer than a call may take: nobody knows whether it was done, and the knob is attached anew."""
        self.bed.daemon.process.send_signal(signal.SIGSTOP)
        try:
            self.bed.publish(DESK, "rotate_right")
            self.bed.expect_log("stepperd is not there")
        finally:
            self.bed.daemon.process.send_signal(signal.SIGCONT)
        self.bed.house.expect(f"{P}/status", "online")
        before = self.bed.number("light")

        def is_moved():
            self.bed.publish(DESK, "rotate_right")
            return self.bed.number("light") > before

        eventually(is_moved, lambda: f"it moves nothing: {self.bed.bridge_log()}", 30)
        self.assertNotIn("does not take the device", self.bed.bridge_log())

    def test_an_unknown_word_is_logged(self):
        """Once, with its topic; what is no message of a knob is nothing."""
        for payload in (b"\xff\xfe", b"{", b"[]", b'{"action":7}', b"x" * 5_000, b'{"action":null}'):
            self.bed.house.publish(TABLE, payload)
        for _ in range(3):
            self.bed.publish(TABLE, "recall_1")
        self.bed.publish(TABLE, "dial_rotate_right_step", action_time=15)
        eventually(lambda: self.bed.number("station") == 501, "one that is known is done")
        self.assertEqual(self.bed.bridge_log().count("recall_1"), 1, self.bed.bridge_log())

    def test_two_boards(self):
        """Each has the knob as its own."""
        other = PrivateDaemon(self.bed.text(CONTROLS).replace('id = "kiosk-1"', 'id = "kiosk-2"'), parent=self.bed.folder)
        other.start(f"{BUILD}/stepperd", "--user")
        self.addCleanup(lambda: self.bed.kill(other.process))
        with open(f"{self.bed.folder}/access", "a", encoding="ascii") as file:
            file.write("\nuser kiosk\ntopic readwrite stepperd/kiosk-2/#\ntopic readwrite homeassistant/device/kiosk-2/config\n")
        self.bed.broker.process.send_signal(signal.SIGHUP)
        environment = {**self.bed.environment(), "HOME": f"{other.folder}/home", "XDG_STATE_HOME": f"{other.folder}/state",
                       "XDG_RUNTIME_DIR": other.runtime}
        with open(f"{self.bed.folder}/other.log", "ab") as log, other.connect() as connection:
            bridge = subprocess.Popen([f"{BUILD}/stepperd-mqtt", "run", "--address", other.socket, "--config", other.configuration],
                                      stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
            self.addCleanup(lambda: self.bed.kill(bridge))
            self.bed.house.expect("stepperd/kiosk-2/status", "online")
            eventually(lambda: sum(device["state"] == "open" and not device["virtual"] for device in connection.call("org.stepperd.device.List")["devices"]) == 3,
                       "the other board has the knobs", 30)
            self.bed.publish(DESK, "rotate_right")
            light = lambda: connection.call("org.stepperd.control.Get", control="light")["state"]["value"]  # pylint: disable=unnecessary-lambda-assignment
            eventually(lambda: (self.bed.number("light"), light()) == (51, 51), lambda: f"{(self.bed.number('light'), light())}")


class Guide(unittest.TestCase):
    """A board without a knob yet, whose reader follows the guide."""

    def setUp(self):
        self.bed = RemoteBed("", "")
        self.addCleanup(self.bed.stop)
        self.bed.start()

    def test_guide(self):
        """Documentation/guides/zigbee-knob.md, followed word by word."""
        bed = self.bed
        environment = {**bed.environment(), "PATH": f"{BUILD}:/usr/bin:/bin", "STEPPERD_ADDRESS": bed.daemon.socket}
        names = {"publish": bed.house.publish, "attached": lambda name: name in bed.devices(), "value": bed.number, "editing": bed.is_held,
                 "turn_the_knob": lambda: None}
        reader = guide.Reader(
            bed.daemon.configuration, names, {"user:stepperd-mqtt": f"user:{getpass.getuser()}"},
            {"env": environment}, appends=True)
        commands = reader.follow(os.path.join(PROJECT, "Documentation/guides/zigbee-knob.md"))
        self.assertEqual(commands, 3)


if __name__ == "__main__":
    unittest.main()
