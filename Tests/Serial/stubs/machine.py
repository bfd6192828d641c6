"""MicroPython's module for a sketch that runs here: pins are set by lines `PIN LEVEL` of STEPPERD_PINS, and what a sketch sets is
written to STEPPERD_LIGHTS."""

import os
import threading
import time

LEVELS, READS = {}, {}
#: Told of each read of a pin.
READ = threading.Condition()


def _read():
    with open(os.environ["STEPPERD_PINS"], encoding="ascii") as file:
        for line in file:
            number, level = line.split()
            # The sketch has seen each level before there is another one.
            with READ:
                LEVELS[int(number)], seen = int(level), READS.get(int(number), 0) + 2
                READ.wait_for(lambda pin=int(number), count=seen: READS.get(pin, 0) >= count)


class Pin:
    """A pin, which is high until it is set."""

    IN, PULL_UP = 0, 1

    def __init__(self, number, *_):
        self.number = number

    def value(self):
        """Its level."""
        with READ:
            READS[self.number] = READS.get(self.number, 0) + 1
            READ.notify()
            return LEVELS.get(self.number, 1)


class PWM:
    """A light at a pin."""

    def __init__(self, pin):
        self.pin = pin

    def freq(self, _hertz):
        """It has none here."""

    def duty_u16(self, duty):
        """How bright it is."""
        with open(os.environ["STEPPERD_LIGHTS"], "a", encoding="ascii") as file:
            file.write(f"{self.pin.number} {duty / 65535:.2f}\n")


time.ticks_ms = lambda: time.monotonic_ns() // 1_000_000
time.ticks_diff = lambda end, start: end - start
threading.Thread(target=_read, daemon=True).start()
