#!/usr/bin/env python3
"""Documentation/guides/fleet.md, followed word by word with a real mosquitto: what `run` starts."""

import os
import sys
import tempfile
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [f"{TESTS}/{name}" for name in ("MQTT", "Support")]

import network
from stranger import PROJECT, Stranger

PAGE = f"{PROJECT}/Documentation/guides/fleet.md"
CONTROLS = """\
[control.volume]
maximum = 100
"""


class TestFleet(unittest.TestCase):
    """One board, one operator, one page."""

    def test_word_by_word(self):
        """Everything that the page says to type, and what it says happens then."""
        place = tempfile.TemporaryDirectory(prefix="stepperd-guide.")
        self.addCleanup(place.cleanup)
        stranger = Stranger(place.name, CONTROLS, listeners="")
        self.addCleanup(stranger.stop)

        def nothing_is_left():
            status, output = stranger.shell("mosquitto_sub -W 2 -v -t 'stepperd/#' --retained-only")
            self.assertEqual((status, output.replace("Timed out\n", "")), (27, ""))

        commands = stranger.follow(PAGE, {"7. Take a board out": nothing_is_left})
        self.assertGreater(commands, 40)


if __name__ == "__main__":
    network.enter()
    unittest.main()
