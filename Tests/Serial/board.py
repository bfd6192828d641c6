"""A microcontroller on a serial line: the other end of a pseudoterminal."""

import os
import select
import termios
import threading
import tty

DESK = ("hello desk A1", "knob dial", "knob wheel 4", "button push", "fader level 0 1023", "light ring", "motor level", "effects buzz")


class Board:
    """A board whose port is at `path`, a link that is there while it is plugged in.

    It answers "hello" with what it has, and remembers every other line that it is told.
    """

    def __init__(self, path, declared=DESK):
        self.path, self.declared = path, declared
        self.told, self.lock = [], threading.Lock()
        self.descriptor, self.thread, self.pending = None, None, b""

    def plug_in(self):
        """It is there, as a device that has just been powered."""
        self.descriptor, other = os.openpty()
        tty.setraw(other, termios.TCSANOW)
        name = os.ttyname(other)
        # Where nobody has the other end open, the kernel takes the line for hung up.
        self.kept = other
        os.symlink(name, f"{self.path}.new")
        os.rename(f"{self.path}.new", self.path)
        self.thread = threading.Thread(target=self.read, args=(self.descriptor,))
        self.thread.start()

    def pull(self):
        """It is unplugged."""
        os.unlink(self.path)
        descriptor, self.descriptor = self.descriptor, None
        self.thread.join()
        os.close(self.kept)
        os.close(descriptor)

    def read(self, descriptor):
        """Reads until it is unplugged."""
        self.pending = b""
        while self.descriptor == descriptor:
            if not select.select([descriptor], [], [], 0.02)[0]:
                continue
            try:
                data = os.read(descriptor, 4096)
            except OSError:
                continue
            self.take(data)

    def take(self, data):
        """Bytes of the host."""
        *lines, self.pending = (self.pending + data).split(b"\n")
        for line in lines:
            if line == b"hello":
                self.say(*self.declared)
            else:
                with self.lock:
                    self.told.append(line.decode())

    def say(self, *lines, end="\n"):
        """Lines of the board."""
        self.send("".join(line + end for line in lines).encode())

    def send(self, content):
        """Bytes of the board; they wait for the reader."""
        while content:
            content = content[os.write(self.descriptor, content[:256]):]

    def last(self, word):
        """The last line that it was told that begins so; None: there was none."""
        with self.lock:
            return next((line for line in reversed(self.told) if line.startswith(word)), None)
