"""A program at a terminal: a pty with the emulator pyte behind it (Debian: python3-pyte)."""

import errno
import fcntl
import os
import pty
import signal
import struct
import sys
import termios

import pyte

sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../Support")
from waiting import eventually  # noqa: E402 - needs the path above


class Screen(pyte.Screen):
    """pyte's screen, which also knows which screen is shown, whether the cursor is, and how much was drawn."""

    def __init__(self, columns, rows):
        super().__init__(columns, rows)
        self.is_other = False

    def set_mode(self, *modes, **how):
        if how.get("private") and 1049 in modes:
            self.is_other = True
        super().set_mode(*modes, **how)

    def reset_mode(self, *modes, **how):
        if how.get("private") and 1049 in modes:
            self.is_other = False
        super().reset_mode(*modes, **how)


class Terminal:
    """A terminal in which `command` runs as the leader of its session. `environment` is all that it gets."""

    def __init__(self, command, environment, columns=80, rows=24):
        self.screen = Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.status = None
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
                os.execve(command[0], command, environment)
            finally:
                os._exit(127)
        os.set_blocking(self.descriptor, False)

    def resize(self, columns, rows):
        """Changes the size of the window; the kernel tells the program."""
        self.read()
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize_silently(self, columns, rows):
        """Changes the size of the window, but reads nothing."""
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        """Sends keys."""
        os.write(self.descriptor, text.encode() if isinstance(text, str) else text)

    def read(self):
        """Shows what the program has written so far; False when it can write no more."""
        while True:
            try:
                data = os.read(self.descriptor, 65536)
            except BlockingIOError:
                return True
            except OSError as error:
                if error.errno == errno.EIO:
                    return False
                raise
            if not data:
                return False
            self.written += data
            self.stream.feed(data)

    def lines(self):
        """What is shown, without trailing space."""
        self.read()
        return [line.rstrip() for line in self.screen.display]

    def text(self):
        """What is shown, as one text."""
        return "\n".join(self.lines())

    def expect(self, condition, timeout=10):
        """Waits until `condition`, a text or a function of the lines, is on the screen; returns the lines."""
        holds = condition if callable(condition) else lambda lines: condition in "\n".join(lines)

        def probe():
            lines = self.lines()
            return lines if holds(lines) else None

        return eventually(probe, lambda: f"{condition}; the screen is:\n{self.text()}", timeout)

    def mode(self):
        """The mode of the terminal, as termios has it."""
        return termios.tcgetattr(self.descriptor)

    def kill(self, number):
        """Sends a signal to the program."""
        os.kill(self.pid, number)

    def wait(self, timeout=10, reads=True):
        """Waits for the program's end; returns its status as a shell has it."""
        def probe():
            if reads:
                self.read()
            if self.status is None:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    self.status = os.waitstatus_to_exitcode(status)
            return self.status is not None

        eventually(probe, lambda: f"the end of the program; the screen is:\n{self.text()}", timeout)
        return self.status if self.status >= 0 else 128 - self.status

    def close(self):
        """Ends the program if it runs."""
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.status = -signal.SIGKILL
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None
