#!/usr/bin/python3
"""The guides, followed word by word on a real kernel."""

import os

import gpio
import guide
import harness
import uinput
from gpio import Lines
from harness import test
from private_daemon import PrivateDaemon
from stepperd import PROGRAM, PROGRAMS

GUEST = {"udev": True, "device_tree": "steppers.dts"}

GUIDES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Documentation/guides")
AMIXER = """#!/bin/sh
# The mixer of a machine without sound: it remembers what it was told.
case $1 in
--quiet) echo "$4" >"$HOME/mixer" ;;
get) echo "  Mono: Playback [$(cat "$HOME/mixer")] [on]" ;;
esac
"""


def install_amixer(home):
    """Puts a mixer where the commands of hooks find it."""
    os.makedirs(f"{home}/bin", exist_ok=True)
    with open(f"{home}/bin/amixer", "w", encoding="utf-8") as file:
        file.write(AMIXER)
    os.chmod(f"{home}/bin/amixer", 0o755)


class Home(PrivateDaemon):
    """A user's daemon without a configuration file; its home has one later."""

    def __init__(self):
        super().__init__(None, parent="/run")
        self.home = f"{self.folder}/home"
        install_amixer(self.home)
        self.start(PROGRAM, "--user", environment={
            "XDG_CONFIG_HOME": f"{self.home}/.config", "PATH": f"{self.home}/bin:{os.environ['PATH']}"})
        self.client = self.connect()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        self.client.close()
        print(f"daemon's log:\n{self.text()}")

    def value(self, control="volume"):
        """The present value of a control."""
        return self.client.call("org.stepperd.control.Get", control=control)["state"]["value"]


def follow(stack, name):
    """Reads one guide."""
    lines = stack.enter_context(Lines())
    daemon = stack.enter_context(Home())
    environment = {**os.environ, "HOME": daemon.home, "XDG_RUNTIME_DIR": daemon.runtime,
                   "PATH": f"{PROGRAMS}:{daemon.home}/bin:{os.environ['PATH']}"}
    # The links of a session are for Tests/System, which has one.
    names = {**vars(uinput), "uinput": uinput, "gpio": gpio, "lines": lines, "value": daemon.value, "both_ways": lambda knob: None}
    commands = guide.Reader(f"{daemon.home}/.config/stepperd/stepperd.toml", names, {"/home/you": daemon.home},
                            {"cwd": daemon.home, "env": environment}).follow(f"{GUIDES}/{name}.md")
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
