#!/usr/bin/python3
"""From the box to a bound control: `stepperctl learn` on drivers of the kernel, with a person at a terminal."""

import os
import sys
import time

import harness
from gpio import Button, Encoder, Lines
from harness import equal, test
from private_daemon import PrivateDaemon
from stepperd import PROGRAM, PROGRAMS
from uinput import ABS_X, EV_ABS, Device
from waiting import eventually, pace

os.environ["STEPPERD_BUILD"] = PROGRAMS
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Learn"))

from person import Person  # noqa: E402

GUEST = {"udev": True, "device_tree": "steppers.dts"}
#: Seconds for all that a person does and reads.
MINUTE = 60

CONFIGURATION = """\
# The radio in the kitchen.

[control.volume]
maximum = 60   # not more

# The end.
"""


class Home(PrivateDaemon):
    """A user's daemon, and the environment of its user's terminal."""

    def __init__(self, configuration=CONFIGURATION):
        super().__init__(configuration, parent="/run")
        self.start(PROGRAM, "--user")
        self.client = self.connect()
        self.environment = {**os.environ, "HOME": f"{self.folder}/home", "XDG_RUNTIME_DIR": self.runtime,
                            "XDG_CONFIG_HOME": f"{self.folder}/config", "TERM": "linux"}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        self.client.close()
        print(f"daemon's log:\n{self.text()}")

    def value(self, control="volume"):
        """The present value of a control."""
        return self.client.call("org.stepperd.control.Get", control=control)["state"]["value"]

    def written(self):
        """The configuration file."""
        with open(self.configuration, encoding="utf-8") as file:
            return file.read()


def click(button):
    """A press as of a finger. The driver of the kernel waits 5 ms after each edge."""
    button.press(bounce=3)
    pace(0.06)
    button.release(bounce=3)
    pace(0.06)


def learn(stack, daemon, *arguments):
    """The program at a terminal."""
    person = Person(daemon, *arguments)
    stack.callback(person.close)
    return person


def agree(person, daemon, began, what):
    """Agrees to what is proposed; fails if comments are lost or it all took too long."""
    person.types()
    person.sees("Written to")
    person.types()
    equal(person.ends(), 0, "exit status")
    print(person.text)
    took = time.monotonic() - began
    print(f"{what}: {took:.1f} s")
    if took > MINUTE:
        raise AssertionError(f"it took {took:.1f} s")
    for comment in ("# The radio in the kitchen.", "maximum = 60   # not more", "# The end."):
        if comment not in daemon.written():
            raise AssertionError(f"{comment!r} is lost:\n{daemon.written()}")


@test
def an_encoder_on_pins(stack):
    """A rotary encoder that no table names drives the volume in less than a minute, and comments are kept."""
    lines, daemon = stack.enter_context(Lines()), stack.enter_context(Home())
    encoder, began = Encoder(lines, 0, 1), time.monotonic()
    person = learn(stack, daemon, "volume")
    person.sees("ten clicks")
    encoder.turn(10)
    person.types()
    person.sees('It is REL_DIAL of "dial"')
    person.sees("Push the knob")
    push = Button(lines, 2)
    click(push)
    person.sees('It is KEY_MUTE of "gpio-keys"')
    person.sees("What does a short push do")
    person.types("r")
    person.sees("Move it to see how volume follows")
    encoder.turn(5)
    person.sees(r"volume \[#+.*\] 5\b")
    equal(daemon.written(), CONFIGURATION, "the file before it is agreed to")
    agree(person, daemon, began, "knob")
    encoder.turn(7)
    eventually(lambda: daemon.value() == 7, "seven clicks are seven steps")
    click(push)
    eventually(lambda: daemon.value() == 0, "a push resets")


@test
def two_buttons_on_pins(stack):
    """Two gpio-keys that no table names step the volume up and down."""
    lines, daemon = stack.enter_context(Lines()), stack.enter_context(Home())
    began = time.monotonic()
    person = learn(stack, daemon, "volume")
    more, less = Button(lines, 3), Button(lines, 4)
    person.sees("press the button for more")
    click(more)
    person.sees('It is KEY_VOLUMEUP of "gpio-keys"')
    person.sees("less")
    click(less)
    person.sees('It is KEY_VOLUMEDOWN of "gpio-keys"')
    person.sees("Move it to see how volume follows")
    agree(person, daemon, began, "buttons")
    for button, value in ((more, 1), (more, 2), (less, 1)):
        click(button)
        eventually(lambda: daemon.value() == value, f"the volume is {value}")


@test
def a_fader(stack):
    """A fader with noise that does not reach the ends of its axis moves the volume through its whole range."""
    daemon = stack.enter_context(Home())
    fader = stack.enter_context(Device("Board of faders", {EV_ABS: {ABS_X: (0, 1023)}}))

    def slide(*stops):
        for start, end in zip(stops, stops[1:]):
            for step in range(1, 33):
                fader.emit((EV_ABS, ABS_X, start + (end - start) * step // 32))
                pace(0.01)

    began = time.monotonic()
    person = learn(stack, daemon, "volume")
    person.sees("end to end, twice")
    slide(500, 12, 1010, 12, 1010, 400)
    for noise in (401, 399, 400, 402, 400) * 4:
        fader.emit((EV_ABS, ABS_X, noise))
        pace(0.01)
    person.types()
    person.sees('It is ABS_X of "Board of faders"')
    person.sees("is highest")
    slide(400, 1010)
    person.types()
    person.sees("audio fader")
    person.types()
    person.sees("Move it to see how volume follows")
    agree(person, daemon, began, "fader")
    slide(1010, 12)
    eventually(lambda: daemon.value() == 0, "the lower end is the minimum")
    slide(12, 1010)
    eventually(lambda: daemon.value() == 60, "the upper end is the maximum")


if __name__ == "__main__":
    harness.main()
