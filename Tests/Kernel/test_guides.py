#!/usr/bin/python3
"""The guides, followed word by word on a real kernel."""

import os

import harness
import guide
from gpio import Lines
from harness import test
from private_daemon import PrivateDaemon
from stepperd import PROGRAM, PROGRAMS

GUEST = {"udev": True, "device_tree": "steppers.dts"}

GUIDES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Documentation/guides")


class Home(PrivateDaemon):
    """A user's daemon without a configuration file; its home has one later."""

    def __init__(self):
        super().__init__(None, parent="/run")
        guide.install_amixer(f"{self.folder}/home")
        self.start(PROGRAM, "--user", environment={
            "XDG_CONFIG_HOME": f"{self.folder}/home/.config", "PATH": f"{self.folder}/home/bin:{os.environ['PATH']}"})
        self.client = self.connect()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        self.client.close()
        print(f"daemon's log:\n{self.text()}")

    def get(self, control):
        """A control's state."""
        return self.client.call("org.stepperd.control.Get", control=control)["state"]

    def values(self):
        """All values by control."""
        controls = self.client.call("org.stepperd.control.List")["controls"]
        return {each["state"]["control"]: each["state"].get("value") for each in controls}


def follow(stack, name):
    """Reads one guide."""
    lines = stack.enter_context(Lines())
    daemon = stack.enter_context(Home())
    commands = guide.Reader(daemon, PROGRAMS, lines).follow(f"{GUIDES}/{name}.md")
    if not commands:
        raise AssertionError(f"{name}.md has no commands")


@test
def volume_knob(stack):
    """A volume knob: bound, turned, and the mixer follows."""
    follow(stack, "volume-knob")


@test
def jog_wheel(stack):
    """A jog wheel: fine steps, and large ones with its button held."""
    follow(stack, "jog-wheel")


@test
def one_knob(stack):
    """One knob, many controls: a push goes from one to the next."""
    follow(stack, "one-knob")


@test
def gpio_buttons(stack):
    """Two buttons on GPIO: a press, a hold, and back."""
    follow(stack, "gpio-buttons")


if __name__ == "__main__":
    harness.main()
