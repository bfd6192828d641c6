#!/usr/bin/env python3
"""The broker's part of Documentation/guides/zigbee-knob.md, followed word by word with the broker of home-assistant.md: what `run` starts."""

import os
import sys
import tempfile
import threading
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [f"{TESTS}/{name}" for name in ("MQTT", "Support")]

import network
from stranger import PROJECT, Stranger

GUIDES = f"{PROJECT}/Documentation/guides"
CONTROLS = """\
[control.volume]
maximum = 100
"""
#: What Zigbee2MQTT publishes while somebody turns.
PUBLISH = "mosquitto_pub -h localhost -u zigbee2mqtt -P meshed -t 'zigbee2mqtt/Kitchen knob' -m '{\"action\":\"brightness_stop\"}'"


class TestKnob(unittest.TestCase):
    """One board, one broker, two pages. What the board does with the messages, Tests/MQTT/test_remotes.py has."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="stepperd-guide.")
        self.addCleanup(place.cleanup)
        self.stranger = Stranger(place.name, CONTROLS)
        self.addCleanup(self.stranger.stop)
        self.is_done = threading.Event()

    def turn_the_knob(self):
        """Goes on until the page has been read."""

        def turn():
            while not self.is_done.wait(0.2):
                self.stranger.shell(PUBLISH)

        thread = threading.Thread(target=turn, daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.is_done.set)

    def test_word_by_word(self):
        """The access list lets the board see the knob, which it does not without."""
        for section in ("1. Install the bridge", "2. Tell it where the broker is", "3. Let the broker allow it"):
            self.stranger.follow(f"{GUIDES}/home-assistant.md", only=section)
        status, output = self.stranger.shell("mosquitto_passwd -b /etc/mosquitto/passwords zigbee2mqtt meshed")
        self.assertEqual(status, 0, output)
        commands = self.stranger.follow(f"{GUIDES}/zigbee-knob.md", only="1. Where the messages are", turn_the_knob=self.turn_the_knob)
        self.assertEqual(commands, 4)


if __name__ == "__main__":
    network.enter()
    unittest.main()
