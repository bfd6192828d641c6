#!/usr/bin/python3
"""stepperctl watch --bars at a terminal.

    test_bars.py STEPPERD STEPPERCTL [TEST...]
"""

import os
import signal
import sys
import termios
import unittest

from terminal import Terminal, eventually

from private_daemon import PrivateDaemon

CONFIGURATION = """
[device.panel]
virtual = true
[control.volume]
title = "Volume"
unit = "%"
increment = "panel:plus"
decrement = "panel:minus"
rotate = "panel:dial"
[control.mode]
choices = ["fm", "am", "dab"]
initial = "am"
[control.mute]
kind = "toggle"
push = "panel:push"
[control.wide]
title = "音量 é"
minimum = -6
maximum = 6
step = 0.5
initial = 0
[control.fixed]
writable-by = "nobody"
"""

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
PAGE_UP, END = "\x1b[5~", "\x1b[F"


class BarsTests(unittest.TestCase):
    """Each test has a daemon and a terminal of its own."""

    programs = ()

    def start(self, configuration=CONFIGURATION, columns=80, rows=10, arguments=(), **environment):
        self.daemon = PrivateDaemon(configuration)
        self.addCleanup(self.daemon.remove)
        self.daemon.start(self.programs[0])
        self.connection = self.daemon.connect()
        self.addCleanup(lambda: self.connection.close())
        self.terminal = self.open(columns, rows, arguments, **environment)
        return self.terminal

    def open(self, columns=80, rows=10, arguments=(), under=(), **environment):
        inherited = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        environment = {"STEPPERD_ADDRESS": self.daemon.socket, "TERM": "xterm", "LANG": "C.UTF-8", **inherited, **environment}
        command = [*under, self.programs[1], "watch", "--bars", *arguments]
        terminal = Terminal(command, environment, columns, rows)
        self.addCleanup(terminal.close)
        return terminal

    def state(self, control):
        return self.connection.call("org.stepperd.control.Get", control=control)["state"]

    def expect_text(self, control, text):
        eventually(lambda: self.state(control)["text"] == text, lambda: f"{text}: {self.state(control)}")

    def assert_restored(self, terminal, before):
        terminal.read()
        self.assertFalse(terminal.screen.is_other)
        self.assertFalse(terminal.screen.cursor.hidden)
        self.assertEqual(terminal.mode()[:4], before[:4])

    def test_lines_stay_in_place_and_follow_changes(self):
        terminal = self.start()
        lines = terminal.expect(lambda lines: lines[0].startswith("> Volume") and "read-only" in lines[4])
        self.assertIn("0 %  0…100", lines[0])
        self.assertIn("fm [am] dab", lines[1])
        self.assertIn("[off] on", lines[2])
        self.assertTrue(lines[3].startswith("  音量"), lines)
        self.assertIn("read-only", lines[4])
        self.connection.call("org.stepperd.device.Turn", device="panel", input="dial", detents=50)
        lines = terminal.expect(lambda lines: "50 %" in lines[0] and "panel" in lines[0])
        self.assertIn("█", lines[0])
        terminal.expect(lambda lines: "moving" not in lines[0])
        self.connection.call("org.stepperd.device.Press", device="panel", input="plus")
        terminal.expect(lambda lines: "moving, panel" in lines[0] and lines[0].startswith(">*"))
        self.connection.call("org.stepperd.device.Release", device="panel", input="plus")
        terminal.expect(lambda lines: "moving" not in lines[0])
        self.assertEqual(lines[1:5], terminal.lines()[1:5])

    def test_keys_change_the_marked_control(self):
        terminal = self.start()
        terminal.expect("Volume")
        terminal.type(RIGHT * 3)
        self.expect_text("volume", "3")
        terminal.type("-")
        self.expect_text("volume", "2")
        terminal.type(PAGE_UP)
        self.expect_text("volume", "12")
        terminal.type(END)
        self.expect_text("volume", "100")
        terminal.expect(lambda lines: "client, at maximum" in lines[0])
        terminal.type("42\r")
        self.expect_text("volume", "42")
        terminal.type("r")
        self.expect_text("volume", "0")
        terminal.type(DOWN + "dab\r")
        self.expect_text("mode", "dab")
        terminal.type("j ")
        self.expect_text("mute", "on")
        terminal.type("j=-2.5\r")
        self.expect_text("wide", "-2.5")
        terminal.type("j5")
        terminal.expect("fixed is read-only")

    def test_an_entry_can_be_left_and_errors_are_shown(self):
        terminal = self.start()
        terminal.expect("Volume")
        terminal.type("300")
        terminal.expect("volume: 300_")
        terminal.type("\x1b")
        terminal.expect(lambda lines: "volume 0 %" in lines[-1])
        terminal.type("300\r")
        terminal.expect("volume cannot be 300: it goes from 0 to 100")
        self.assertEqual(self.state("volume")["text"], "0")

    def test_help(self):
        terminal = self.start(rows=12)
        terminal.expect("Volume")
        terminal.type("?")
        terminal.expect("a page up or down")
        terminal.type("x")
        terminal.expect("Volume")

    def test_sizes(self):
        terminal = self.start()
        terminal.expect("Volume")
        for columns, rows in ((20, 3), (200, 50), (1, 1), (40, 2), (3, 2), (80, 24)):
            terminal.resize(columns, rows)
            terminal.type(DOWN)
            terminal.expect(lambda lines, rows=rows: lines[-1].strip() if rows > 1 else lines[0].strip())
            terminal.type(UP)
            if columns >= 20 and rows > 1:
                terminal.expect(lambda lines: lines[0].startswith("> Volu"))
        terminal.expect(lambda lines: "volume 0 %, 0…100" in lines[-1])

    def test_a_small_terminal_scrolls(self):
        terminal = self.start(columns=20, rows=3)
        terminal.expect(lambda lines: lines[0].startswith("> Volu") and "1/5" in lines[2])
        terminal.type(DOWN * 3)
        terminal.expect(lambda lines: lines[1].startswith("> 音") and "4/5" in lines[2])
        terminal.type(UP * 9)
        terminal.expect(lambda lines: lines[0].startswith("> Volu"))

    def test_q_gives_the_terminal_back(self):
        terminal = self.start()
        before = terminal.mode()
        terminal.expect("Volume")
        self.assertTrue(terminal.screen.is_other)
        terminal.type("q")
        self.assertEqual(terminal.wait(), 0)
        self.assert_restored(terminal, before)

    def test_signals_give_the_terminal_back(self):
        terminal = self.start()
        before = terminal.mode()
        terminal.close()
        for number, send in ((2, lambda t: t.type("\x03")), (15, lambda t: t.kill(signal.SIGTERM)),
                             (3, lambda t: t.type("\x1c")), (1, lambda t: t.kill(signal.SIGHUP))):
            terminal = self.open()
            terminal.expect("Volume")
            terminal.type("12")  # also while something is typed
            send(terminal)
            self.assertEqual(terminal.wait(), 128 + number)
            self.assert_restored(terminal, before)

    def test_a_lost_connection_is_shown_and_comes_back(self):
        terminal = self.start()
        terminal.expect("Volume")
        self.daemon.stop()
        terminal.expect("connection lost, trying again")
        terminal.type(RIGHT)
        self.connection.close()
        self.daemon.start(self.programs[0])
        self.connection = self.daemon.connect()
        terminal.expect(lambda lines: "volume 0 %" in lines[-1] or "volume 1 %" in lines[-1], 20)
        terminal.type("7\r")
        terminal.expect(lambda lines: "7 %" in lines[0])

    def test_a_daemon_that_does_not_answer_keeps_nobody_from_ending(self):
        terminal = self.start()
        terminal.expect("Volume")
        os.kill(self.daemon.pid, signal.SIGSTOP)
        try:
            terminal.type("5\r" * 30)
            terminal.expect("the daemon does not answer")
            terminal.type("q")
            self.assertEqual(terminal.wait(3), 0)
        finally:
            os.kill(self.daemon.pid, signal.SIGCONT)

    def test_no_daemon_and_no_control(self):
        terminal = self.start()
        before = terminal.mode()
        terminal.close()
        terminal = self.open(STEPPERD_ADDRESS="/nonexistent")
        self.assertEqual(terminal.wait(), 3)
        self.assert_restored(terminal, before)
        self.assertNotIn(b"\x1b[?1049h", terminal.written)

    def test_ctrl_z_and_fg(self):
        self.start().close()
        command = " ".join([self.programs[1], "watch", "--bars"])
        inherited = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        terminal = Terminal(["/bin/bash", "--norc", "--noprofile", "-i"], {
            "STEPPERD_ADDRESS": self.daemon.socket, "TERM": "xterm", "LANG": "C.UTF-8", "PS1": "ready> ", **inherited}, 80, 10)
        self.addCleanup(terminal.close)
        terminal.expect("ready>")
        terminal.type(command + "\n")
        terminal.expect("0…100")
        terminal.type("\x1a")
        terminal.expect("Stopped")
        self.assertFalse(terminal.screen.is_other)
        self.assertFalse(terminal.screen.cursor.hidden)
        self.assertTrue(terminal.mode()[3] & termios.ISIG)
        self.connection.call("org.stepperd.control.Set", control="volume", value=77.0)
        terminal.type("fg\n")
        terminal.expect(lambda lines: "77 %" in lines[0])
        self.assertTrue(terminal.screen.is_other)
        terminal.type(RIGHT)
        terminal.expect(lambda lines: "78 %" in lines[0])
        terminal.type("q")
        terminal.expect(lambda lines: not terminal.screen.is_other)
        terminal.type("stty -a; echo status $?\n")
        terminal.expect(lambda lines: any(" icanon" in line for line in lines) and "status 0" in "\n".join(lines))

    def test_a_terminal_that_takes_no_output_does_not_hold_it(self):
        terminal = self.start()
        terminal.expect("Volume")
        # Nothing is read from here on, so that the buffer of the terminal fills.
        for index in range(300):
            self.connection.call("org.stepperd.control.Set", control="volume", value=float(index % 2 * 100))
            terminal.resize_silently(80 + index % 2, 10)
        terminal.kill(signal.SIGTERM)
        self.assertEqual(terminal.wait(reads=False), 128 + 15)

    def test_without_colours_and_without_unicode(self):
        terminal = self.start(LANG="C", NO_COLOR="1")
        terminal.expect("0..100")
        terminal.type("50\r")
        terminal.expect("####")
        self.assertTrue(terminal.written.isascii())
        self.assertNotRegex(terminal.written, rb"\x1b\[3[0-9]m")
        terminal.expect("???? ?")

    def test_a_terminal_without_cursor_movement_gets_lines(self):
        for name in ("dumb", ""):
            terminal = self.start(TERM=name)
            terminal.expect("volume")
            terminal.expect("fixed")
            self.assertNotIn(b"\x1b[H", terminal.written)
            terminal.type("\x03")
            self.assertEqual(terminal.wait(), 130)

    def test_256_controls_and_a_storm_of_changes(self):
        configuration = "[device.panel]\nvirtual = true\n" + "".join(
            f'[control.c{number:03}]\nrotate = "panel:dial"\nmaximum = 100000\n' for number in range(256))
        terminal = self.start(configuration, columns=100, rows=40)
        terminal.expect("1/256")
        before = len(terminal.written)
        started = os.times()
        turns = 100
        for _ in range(turns):
            self.connection.call("org.stepperd.device.Turn", device="panel", input="dial", detents=1)
        terminal.expect(lambda lines: all(f" {turns}  0…100000" in line for line in lines[:39]), 20)
        seconds = max(os.times().elapsed - started.elapsed, 0.1)
        pictures = terminal.written[before:].count(b"\x1b[1;1H")
        print(f"{turns * 256} changes in {seconds:.1f} s: {pictures} pictures, {len(terminal.written) - before} bytes",
              file=sys.stderr)
        self.assertLessEqual(pictures, 31 * seconds + 2)
        terminal.type(DOWN * 255)
        terminal.expect("256/256")
        terminal.expect(lambda lines: lines[38].startswith("> c255"))

    def test_a_reload_changes_the_list(self):
        terminal = self.start()
        terminal.expect("Volume")
        self.daemon.configure(CONFIGURATION.replace('title = "Volume"', 'title = "Loudness"').replace("[control.fixed]", "[control.other]"))
        self.connection.call("org.stepperd.manager.Reload")
        terminal.expect(lambda lines: "Loudness" in lines[0] and any("other" in line for line in lines))
        self.assertNotIn("fixed", terminal.text())


if __name__ == "__main__":
    BarsTests.programs = tuple(os.path.abspath(path) for path in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
