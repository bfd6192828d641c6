"""The simulated GPIO lines of guest/steppers.dts, moved as hands and contacts would."""

import glob
import os

from waiting import pace

#: Edges arrive with the kernel's tick of one millisecond: closer than this they would be one.
EDGE = 0.002
CLOCKWISE = ((1, 0), (1, 1), (0, 1), (0, 0))


class Lines:
    """All lines of the bank; `set` pulls one up or down."""

    def __init__(self):
        chip = glob.glob("/sys/devices/platform/gpio-sim/gpiochip*")[0]
        self.files = [os.open(f"{chip}/sim_gpio{line}/pull", os.O_WRONLY | os.O_CLOEXEC) for line in range(8)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for file in self.files:
            os.close(file)

    def set(self, line, level):
        """Pulls `line` to `level`."""
        os.pwrite(self.files[line], b"pull-up" if level else b"pull-down", 0)


class Encoder:
    """A quadrature encoder on two lines."""

    def __init__(self, lines, first, second):
        self.lines, self.pins, self.levels = lines, (first, second), (0, 0)
        for pin in self.pins:
            lines.set(pin, 0)

    def turn(self, detents, bounce=0):
        """Turns by whole cycles, clockwise positive; each edge chatters `bounce` times."""
        cycle = CLOCKWISE if detents > 0 else CLOCKWISE[-2::-1] + CLOCKWISE[-1:]
        for _ in range(abs(detents)):
            for levels in cycle:
                for pin, level, before in zip(self.pins, levels, self.levels):
                    if level != before:
                        for _ in range(bounce):
                            self.lines.set(pin, level)
                            self.lines.set(pin, before)
                        self.lines.set(pin, level)
                self.levels = levels
                pace(EDGE)

    def jitter(self):
        """A quarter of a cycle forth and back, as when a hand touches the knob."""
        for level in (1, 0):
            self.lines.set(self.pins[0], level)
            pace(EDGE)


class Button:
    """A push button, whose contact is bridged when its line is high."""

    def __init__(self, lines, line):
        self.lines, self.line = lines, line

    def press(self, bounce=0):
        """Closes the contact, which chatters `bounce` times before."""
        self._move(1, bounce)

    def release(self, bounce=0):
        """Opens the contact, which chatters `bounce` times before."""
        self._move(0, bounce)

    def _move(self, level, bounce):
        for _ in range(bounce):
            self.lines.set(self.line, level)
            self.lines.set(self.line, 1 - level)
        self.lines.set(self.line, level)
