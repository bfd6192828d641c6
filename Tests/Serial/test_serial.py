#!/usr/bin/env python3
"""Boards on pseudoterminals, a real stepperd and a real stepperd-serial."""

import fcntl
import os
import signal
import subprocess
import sys
import termios
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Support"))

from board import DESK, Board  # pylint: disable=wrong-import-position
from smartknob import SmartKnob  # pylint: disable=wrong-import-position
from connection import Connection  # pylint: disable=wrong-import-position
from private_daemon import PrivateDaemon  # pylint: disable=wrong-import-position
from waiting import PATIENCE, eventually, pace  # pylint: disable=wrong-import-position

BUILD = os.path.abspath(os.environ.get("STEPPERD_BUILD", ".build/debug"))
CONTROLS = """\
[device.desk]
match = { provider = "serial", name = "desk" }

[device.panel]
virtual = true

[control.volume]
maximum = 100000
initial = 500
rotate = "desk:REL_DIAL"
increment = "desk:BTN_0"
light = "desk:ring"
outputs = ["desk:provider"]

[control.wheel]
maximum = 1000
rotate = "desk:REL_MISC"

[control.level]
maximum = 100
absolute = "desk:ABS_X"
pickup = "jump"
increment = "panel:plus"
"""


class Bed:
    """A daemon, the program and one board."""

    def __init__(self, serial="", declared=DESK, controls=CONTROLS, knob=None):
        self.daemon = PrivateDaemon("")
        self.port = f"{self.daemon.folder}/board"
        self.board = knob(self.port) if knob else Board(self.port, declared)
        self.daemon.configure(f'{controls}\n[serial.desk]\nport = "{self.port}"\n{serial}\n')
        self.program = None

    def start(self, plugged_in=True):
        """Starts all."""
        self.start_daemon()
        if plugged_in:
            self.board.plug_in()
        self.start_program()
        return self

    def start_daemon(self):
        """Starts stepperd."""
        self.daemon.start(f"{BUILD}/stepperd", "--user")
        self.daemon.connect().close()

    def start_program(self):
        """Starts stepperd-serial."""
        environment = {**os.environ, "HOME": f"{self.daemon.folder}/home", "XDG_RUNTIME_DIR": self.daemon.runtime}
        with open(f"{self.daemon.folder}/serial.log", "ab") as log:
            self.program = subprocess.Popen(
                [f"{BUILD}/stepperd-serial", "--address", self.daemon.socket, "--config", self.daemon.configuration],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)

    def log(self):
        """What the program has logged."""
        with open(f"{self.daemon.folder}/serial.log", encoding="utf-8", errors="replace") as file:
            return file.read()

    def expect_log(self, text):
        """Waits until it has logged this."""
        eventually(lambda: text in self.log(), lambda: f"{text!r} was not logged: {self.log()}", 20)

    def call(self, method, **parameters):
        """Calls the daemon."""
        with Connection(self.daemon.socket) as connection:
            return connection.call(method, **parameters)

    def state(self, control="volume"):
        """The state of a control."""
        return self.call("org.stepperd.control.Get", control=control)["state"]

    def expect(self, value, control="volume"):
        """Waits until a control has this value."""
        eventually(lambda: self.state(control)["value"] == value, lambda: f"{control} is {self.state(control)['value']}, not {value}", 10)

    def device(self):
        """The board as a device; None: there is none."""
        devices = self.call("org.stepperd.device.List")["devices"]
        return next((device for device in devices if device.get("provider") == "serial" and device["state"] == "open"), None)

    def expect_device(self, is_there=True):
        """Waits until the board is a device, or is none."""
        eventually(lambda: (self.device() is not None) == is_there, lambda: f"the device is {self.device()}: {self.log()}", 20)

    def status(self):
        """What stepperctl says of the program."""
        environment = {**os.environ, "HOME": f"{self.daemon.folder}/home", "XDG_RUNTIME_DIR": self.daemon.runtime}
        output = subprocess.run([f"{BUILD}/stepperctl", "--address", self.daemon.socket, "status"], capture_output=True, text=True,
                                check=True, env=environment).stdout
        return next((line for line in output.splitlines() if line.startswith("serial")), "")

    def stop(self):
        """Ends everything."""
        for process in (self.program, self.daemon.process):
            if process and process.poll() is None:
                process.kill()
                process.wait()
        if self.board.descriptor is not None:
            self.board.pull()


class Case(unittest.TestCase):
    """A board that is a device."""

    def setUp(self):
        self.bed = Bed()
        self.addCleanup(self.bed.stop)
        self.bed.start()
        self.board = self.bed.board
        self.bed.expect_device()


class Plugged(Case):
    """What a board does, and what it is told."""

    def test_inputs(self):
        """A knob, one with four counts a detent, a button and a fader."""
        self.board.say("dial +3")
        self.bed.expect(503)
        self.board.say("dial -1", "dial 5", end="\r\n")
        self.bed.expect(507)
        self.board.say("wheel 8")
        self.bed.expect(2, "wheel")
        self.board.say("level 512")
        eventually(lambda: 49 <= self.bed.state("level")["value"] <= 51, lambda: self.bed.state("level"), 10)
        self.board.say("push down")
        eventually(lambda: self.bed.state()["value"] > 510, "the hold repeats")
        self.board.say("push up")
        eventually(lambda: not self.bed.state()["editing"], "the hold ends")
        self.assertEqual(self.bed.device()["name"], "desk")
        self.assertEqual(self.bed.device()["uniqueName"], "A1")
        self.assertIn("1 of 1 boards", self.bed.status())

    def test_orders(self):
        """The light follows the value, the motor what others set, and an effect is felt."""
        eventually(lambda: self.board.last("light ring"), "the light")
        self.bed.call("org.stepperd.control.Set", control="level", value=25)
        eventually(lambda: self.board.last("motor level") == "motor level 256", lambda: self.board.last("motor level"), 10)
        self.bed.call("org.stepperd.control.Set", control="volume", value=100000)
        eventually(lambda: self.board.last("light ring") == "light ring 1", lambda: self.board.last("light"), 10)
        self.board.say("dial +1")
        eventually(lambda: self.board.last("effect buzz"), lambda: self.board.told, 10)

    def test_a_board_that_drips(self):
        """Byte by byte, with a pause in the middle of a line."""
        for byte in b"dial +1\n":
            self.board.send(bytes([byte]))
            pace(0.02)
        self.bed.expect(501)

    def test_a_board_that_floods(self):
        """It is read at a bounded rate; others are served, and what it does at last is done."""
        stop = threading.Event()

        def flood():
            while not stop.is_set():
                self.board.say(*["dial +1"] * 50)

        thread = threading.Thread(target=flood)
        thread.start()
        try:
            used = self.times()
            begin, answers = time.monotonic(), 0
            while time.monotonic() - begin < 2:
                self.bed.state("wheel")
                answers += 1
            share = (self.times() - used) / (time.monotonic() - begin)
        finally:
            stop.set()
            thread.join()
        self.assertLess(share, 0.5, "of a processor")
        self.assertGreater(answers, 10, "others are served")
        self.board.say("level 1023")
        self.bed.expect(100, "level")

    def times(self):
        """Seconds of processor time that the program has used."""
        with open(f"/proc/{self.bed.program.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def test_lines_that_are_none(self):
        """They do nothing, and are logged once."""
        self.board.send(bytes(range(128, 256)) * 8 + b"\n" + b"x" * 5_000 + b"\n" + b"dial\ndial +1 2\ndial 99999999999\nnothing 1\npush on\nknob new\n# note\n\n")
        self.board.say("dial +1")
        self.bed.expect(501)
        self.assertEqual(self.bed.log().count("was not understood"), 1, self.bed.log())
        self.board.say("level 1024")
        self.board.say("dial +1")
        self.bed.expect(502)


class Lost(Case):
    """Everything ends and begins again."""

    def test_unplugged_while_it_is_held(self):
        """In the middle of a line; it comes back as the same device."""
        self.board.say("push down")
        eventually(lambda: self.bed.state()["editing"], "it is held")
        self.board.send(b"dia")
        self.board.pull()
        self.bed.expect_device(False)
        self.assertFalse(self.bed.state()["editing"])
        eventually(lambda: "is not plugged in" in self.bed.status(), self.bed.status)
        before = self.bed.state()["value"]
        self.board.plug_in()
        self.bed.expect_device()
        self.board.say("dial +1")
        self.bed.expect(before + 1)
        self.assertEqual(self.bed.device()["connects"], 2)

    def test_the_board_is_reset(self):
        """Its buttons are up; with other parts it is another device."""
        self.board.say("push down")
        eventually(lambda: self.bed.state()["editing"], "it is held")
        self.board.say(*DESK)
        eventually(lambda: not self.bed.state()["editing"], "it is released")
        self.board.declared = ("hello desk A1", "knob dial")
        self.board.say(*self.board.declared)
        eventually(lambda: len((self.bed.device() or {"capabilities": []})["capabilities"]) == 1, lambda: self.bed.device(), 10)
        before = self.bed.state()["value"]
        self.board.say("dial +2")
        self.bed.expect(before + 2)

    def test_the_daemon_is_killed(self):
        """The board is a device of the next one, and nothing is moved by that."""
        self.board.say("level 1023", "push down")
        self.bed.expect(100, "level")
        self.bed.daemon.process.kill()
        self.bed.daemon.process.wait()
        self.board.say("push up", "dial +9")
        self.bed.expect_log("stepperd is not there")
        self.bed.start_daemon()
        self.bed.expect_device()
        # What it does before the program knows that is not done later.
        eventually(lambda: "1 of 1 boards" in self.bed.status(), self.bed.status, 20)
        self.assertFalse(self.bed.state()["editing"])
        before = self.bed.state()["value"]
        self.board.say("dial +1")
        self.bed.expect(before + 1)
        self.bed.call("org.stepperd.control.Set", control="level", value=25)
        eventually(lambda: self.board.last("motor level") == "motor level 256", lambda: self.board.last("motor level"), 10)

    def test_a_button_is_down_and_a_fader_rests_when_the_daemon_comes_back(self):
        """As with a device of the kernel: neither the button is pressed by that, nor the control moved."""
        self.board.say("level 1023", "push down")
        self.bed.expect(100, "level")
        eventually(lambda: self.bed.state()["editing"], "it is held")
        self.bed.call("org.stepperd.control.Set", control="level", value=25)
        self.bed.daemon.process.terminate()
        self.bed.daemon.process.wait()
        self.bed.expect_log("stepperd is not there")
        self.bed.start_daemon()
        self.bed.expect_device()
        eventually(lambda: "1 of 1 boards" in self.bed.status(), self.bed.status, 20)
        before = self.bed.state()["value"]
        self.board.say("dial +1")
        eventually(lambda: not self.bed.state()["editing"], "it is held")
        self.bed.expect(before + 1)
        self.bed.expect(25, "level")
        self.board.say("push up", "push down", "level 900")
        eventually(lambda: self.bed.state()["editing"], "it is pressed")
        eventually(lambda: self.bed.state("level")["value"] > 80, lambda: self.bed.state("level"))

    def test_the_daemon_stands_still(self):
        """For longer than a call may take, with a report under way: the device is attached again, and what is held is released."""
        self.board.say("push down")
        eventually(lambda: self.bed.state()["editing"], "it is held")
        self.bed.daemon.process.send_signal(signal.SIGSTOP)
        try:
            self.board.say("dial +1")
            self.bed.expect_log("stepperd is not there")
            self.board.say("push up")
        finally:
            self.bed.daemon.process.send_signal(signal.SIGCONT)
        eventually(lambda: "1 of 1 boards" in self.bed.status(), self.bed.status, 20)
        self.bed.expect_device()
        eventually(lambda: not self.bed.state()["editing"], "it is released")
        before = self.bed.state()["value"]
        self.board.say("dial +1")
        self.bed.expect(before + 1)
        self.bed.call("org.stepperd.control.Set", control="level", value=25)
        eventually(lambda: self.board.last("motor level") == "motor level 256", lambda: self.board.last("motor level"), 10)

    def test_the_program_is_killed_or_hangs(self):
        """What is held is released, and the board is asked for what it has."""
        self.board.say("push down")
        eventually(lambda: self.bed.state()["editing"], "it is held")
        self.bed.program.send_signal(signal.SIGSTOP)
        eventually(lambda: not self.bed.state()["editing"], "the lease ends", 10)
        self.bed.program.send_signal(signal.SIGCONT)
        self.bed.program.kill()
        self.bed.program.wait()
        self.bed.expect_device(False)
        self.bed.start_program()
        self.bed.expect_device()

    def test_it_ends(self):
        """With status 0; a reload opens the port anew if its table is another one, and a wrong file changes nothing."""
        with open(self.bed.daemon.configuration, encoding="utf-8") as file:
            text = file.read()
        self.board.say("push down")
        eventually(lambda: self.bed.state()["editing"], "it is held")
        self.bed.daemon.configure(text + "baud = 7\n")
        self.bed.program.send_signal(signal.SIGHUP)
        self.bed.expect_log("the former configuration stays")
        self.bed.daemon.configure(text + "# the same\n")
        self.bed.program.send_signal(signal.SIGHUP)
        value = self.bed.state()["value"]
        self.board.say("dial 4")
        eventually(lambda: self.bed.state()["value"] != value, self.bed.log)
        self.assertTrue(self.bed.state()["editing"])
        self.assertEqual(self.bed.log().count("is open at 115200 baud"), 1)
        self.bed.daemon.configure(text + "baud = 9600\n")
        self.bed.program.send_signal(signal.SIGHUP)
        eventually(lambda: "is open at 9600 baud" in self.bed.log(), self.bed.log)
        self.bed.expect_device()
        self.bed.program.terminate()
        self.assertEqual(self.bed.program.wait(10 * PATIENCE), 0)


class Refused(unittest.TestCase):
    """Ports and boards that cannot be used are named."""

    def setUp(self):
        self.bed = Bed()
        self.addCleanup(self.bed.stop)

    def test_in_use(self):
        """By a program that locks it."""
        self.bed.board.plug_in()
        with open(self.bed.port, "rb", buffering=0) as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            self.bed.start(plugged_in=False)
            self.bed.expect_log("is in use by another program")
        self.bed.expect_device()

    def test_flow_control(self):
        """What another program has left on is turned off: the port would stand still."""
        self.bed.board.plug_in()
        settings = termios.tcgetattr(self.bed.board.kept)
        settings[0] |= termios.IXON | termios.IXOFF | termios.IXANY
        settings[2] |= termios.CRTSCTS | termios.CSTOPB
        termios.tcsetattr(self.bed.board.kept, termios.TCSANOW, settings)
        self.bed.start(plugged_in=False)
        self.bed.expect_device()
        settings = termios.tcgetattr(self.bed.board.kept)
        self.assertEqual(settings[0] & (termios.IXON | termios.IXOFF | termios.IXANY), 0)
        self.assertEqual(settings[2] & (termios.CRTSCTS | termios.CSTOPB), 0)

    def test_no_port(self):
        """A file, and one that is not there."""
        for path, text in (("/dev/null", "is no serial port"), ("/dev/none", "is not plugged in")):
            self.bed.daemon.configure(f'{CONTROLS}\n[serial.desk]\nport = "{path}"\n')
            self.bed.start(plugged_in=False)
            self.bed.expect_log(text)
            eventually(lambda wanted=text: wanted in self.bed.status(), self.bed.status)
            self.bed.stop()

    def test_a_board_that_says_nothing(self):
        """It is asked again and again."""
        self.bed.board.declared = ()
        self.bed.start()
        eventually(lambda: "nothing was heard from a board" in self.bed.status(), self.bed.status)
        self.bed.board.declared = DESK
        self.bed.expect_device()

    def test_codes_that_are_none(self):
        """What the daemon refuses is said."""
        self.bed.board.declared = ("hello desk", "button KEY_NONSENSE")
        self.bed.start()
        self.bed.expect_log("stepperd refuses it")
        self.assertIn("KEY_NONSENSE", self.bed.status())
        self.bed.board.say(*DESK)
        self.bed.expect_device()

    def test_a_wrong_file_at_a_reload(self):
        """It changes nothing, and the log says in a sentence what is wrong."""
        bed = Bed()
        self.addCleanup(bed.stop)
        bed.start()
        bed.expect_device()
        bed.daemon.configure("[serial.desk]\nport = 1\n")
        os.kill(bed.program.pid, signal.SIGHUP)
        bed.expect_log("cannot be used: " + bed.daemon.configuration + ":2:8: error: serial.desk.port: must be a text in quotes, found 1")
        bed.expect_device()

    def test_check(self):
        """The command line says what is wrong."""
        for text, status, words in (('[serial.a]\nport = "/dev/ttyACM0"\nbaud = 9600\n', 0, "a: /dev/ttyACM0 at 9600 baud"),
                                    ("[serial.a]\n", 78, "needs port"), ('[serial.a]\nport = "x"\nbaud = 1\n', 78, "must be one of"),
                                    ("", 0, "no serial line; 'stepperctl check' checks the other tables")):
            self.bed.daemon.configure(text)
            done = subprocess.run([f"{BUILD}/stepperd-serial", "--check", "--config", self.bed.daemon.configuration], capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.returncode, status, done)
            self.assertIn(words, done.stdout + done.stderr)


class Felt(unittest.TestCase):
    """Knobs that make their own detents."""

    CONTROLS = """\
[device.knob]
match = { provider = "serial" }

[control.volume]
title = "Volume"
unit = "dB"
maximum = 10
initial = 4
rotate = "knob:REL_DIAL"
push = { input = "knob:BTN_0", short = "reset" }
"""

    def start(self, **more):
        """A board of this sort."""
        bed = Bed(controls=self.CONTROLS, **more)
        self.addCleanup(bed.stop)
        bed.start()
        bed.expect_device()
        return bed, bed.board

    def test_lines(self):
        """A microcontroller is told of detents, title and value, and is told nothing that it has turned itself."""
        bed, board = self.start(declared=("hello desk", "knob dial", "button push", "detents dial", "display dial"))
        eventually(lambda: board.last("detents") == "detents dial 4 0 10", lambda: board.told, 10)
        eventually(lambda: board.last("value") == "value dial 4 dB", lambda: board.told, 10)
        self.assertEqual(board.last("title"), "title dial Volume")
        board.say("dial 2")
        eventually(lambda: board.last("value") == "value dial 6 dB", lambda: board.told, 10)
        bed.call("org.stepperd.control.Adjust", control="volume", maximum=20)
        eventually(lambda: board.last("detents") == "detents dial 6 0 20", lambda: board.told, 10)
        self.assertEqual(sum(line.startswith("detents") for line in board.told), 2)

    def test_smartknob(self):
        """A SmartKnob has the range of the control as detents and ends, shows it, and is turned and pushed."""
        bed, knob = self.start(serial='protocol = "smartknob"', knob=SmartKnob)
        self.assertEqual(bed.device()["name"], "SmartKnob")
        eventually(lambda: (knob.position, knob.configuration.get(4, 0), knob.configuration.get(5)) == (4, 0, 10),
                   lambda: knob.configuration, 10)
        eventually(lambda: knob.configuration.get(10) == b"Volume\n4 dB", lambda: knob.configuration, 10)
        knob.turn(3)
        bed.expect(7)
        knob.turn(100)
        bed.expect(10)
        bed.call("org.stepperd.control.Set", control="volume", value=1)
        eventually(lambda: knob.position == 1, lambda: knob.position, 10)
        bed.expect(1)
        knob.push()
        bed.expect(4)
        eventually(lambda: knob.position == 4, lambda: knob.position, 10)

    def test_smartknob_comes_back(self):
        """Unplugged and plugged in again, it begins in plain text, and has its detents again."""
        bed, knob = self.start(serial='protocol = "smartknob"', knob=SmartKnob)
        eventually(lambda: knob.configuration.get(5) == 10, lambda: knob.configuration, 10)
        knob.pull()
        bed.expect_device(False)
        knob.position, knob.configuration = 0, {}
        knob.plug_in()
        bed.expect_device()
        eventually(lambda: (knob.position, knob.configuration.get(5)) == (4, 10), lambda: (knob.position, knob.configuration), 10)
        knob.turn(-1)
        bed.expect(3)


if __name__ == "__main__":
    unittest.main()
