#!/usr/bin/env python3
"""The sketches of the guide at a real stepperd: that for MicroPython with a stub of its pins, that for Arduino compiled for this machine."""

import getpass
import os
import subprocess
import sys
import termios
import tty
import unittest

from test_serial import BUILD, Bed  # it knows where the modules of all tests are
import guide
from waiting import pace

PROJECT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
STUBS = os.path.join(PROJECT, "Tests/Serial/stubs")
EXAMPLES = os.path.join(PROJECT, "Documentation/examples/serial")
#: What the contacts of an encoder are in turn, clockwise.
TURN = ((0, 1), (0, 0), (1, 0), (1, 1))


class Sketch:
    """A program of a board whose standard input and output are its serial line."""

    def __init__(self, bed, command, pins):
        self.pins, self.lights = pins, f"{bed.daemon.folder}/lights"
        fifo = f"{bed.daemon.folder}/pins"
        os.mkfifo(fifo)
        self.line, other = os.openpty()
        tty.setraw(other, termios.TCSANOW)
        os.symlink(os.ttyname(other), bed.port)
        self.kept = other
        self.process = subprocess.Popen(command, stdin=self.line, stdout=self.line, cwd="/",
                                        env={**os.environ, "STEPPERD_PINS": fifo, "STEPPERD_LIGHTS": self.lights, "PYTHONPATH": STUBS,
                                             "PYTHONUNBUFFERED": "1"})
        self.file = open(fifo, "w", encoding="ascii", buffering=1)  # pylint: disable=consider-using-with

    def set(self, name, level):
        """A contact closes (0) or opens (1)."""
        self.file.write(f"{self.pins[name]} {level}\n")

    def turn(self, detents):
        """A hand turns the encoder."""
        for _ in range(abs(detents)):
            for a, b in TURN if detents > 0 else (*TURN[2::-1], TURN[3]):
                self.set("A", a)
                self.set("B", b)

    def press(self):
        """A hand presses the button for a moment, longer than its contacts bounce. On a busy machine it may become a long press, and the
        hand tries again."""
        self.set("push", 0)
        pace(0.1)
        self.set("push", 1)

    def light(self):
        """How bright the light is; None: it was not set."""
        if not os.path.exists(self.lights):
            return None
        with open(self.lights, encoding="ascii") as file:
            lines = file.read().splitlines()
        return float(lines[-1].split()[1]) if lines else None

    def stop(self):
        """Ends it."""
        self.process.kill()
        self.process.wait()
        self.file.close()
        os.close(self.line)
        os.close(self.kept)


class Sketches(unittest.TestCase):
    """The guide with each of them."""

    def follow(self, command, pins):
        """Somebody reads the guide, and has the board on the table."""
        bed = Bed()
        self.addCleanup(bed.stop)
        bed.daemon.configure("")
        bed.start_daemon()
        sketch = Sketch(bed, command, pins)
        self.addCleanup(sketch.stop)
        environment = {**os.environ, "HOME": f"{bed.daemon.folder}/home", "XDG_RUNTIME_DIR": bed.daemon.runtime,
                       "PATH": f"{BUILD}:/usr/bin:/bin", "STEPPERD_ADDRESS": bed.daemon.socket}
        names = {"start": bed.start_program, "is_there": lambda: bed.device() is not None and "1 of 1 boards" in bed.status(),
                 "turn": sketch.turn, "sketch": sketch, "state": bed.state}
        reader = guide.Reader(bed.daemon.configuration, names, {"/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_e6614c311b-if00": bed.port,
                                                                "user:stepperd-serial": f"user:{getpass.getuser()}"},
                              {"env": environment}, appends=True)
        self.assertEqual(reader.follow(os.path.join(PROJECT, "Documentation/guides/microcontroller.md")), 3)

    def test_micropython(self):
        """With MicroPython's words."""
        self.follow([sys.executable, f"{EXAMPLES}/knob.py"], {"A": 14, "B": 15, "push": 13})

    def test_arduino(self):
        """Compiled for this machine."""
        bed = Bed()
        program = f"{bed.daemon.folder}/knob"
        subprocess.run(["g++", "-std=c++17", "-Wall", "-Werror", "-Wno-unused-function", "-include", f"{STUBS}/Arduino.h", "-x", "c++",
                        f"{EXAMPLES}/knob/knob.ino", "-o", program, "-pthread"], check=True)
        self.follow([program], {"A": 2, "B": 3, "push": 4})


if __name__ == "__main__":
    unittest.main()
