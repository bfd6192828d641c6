"""Follows a page of Documentation/guides word by word.

Each block of ``toml`` is the configuration file from then on. Each line of a block of ``console`` that begins with ``$`` is run
in a shell, and what it prints is what stands below it, where ``…`` is anything and ``/home/you`` the home directory. A comment
``<!-- guest: … -->`` is what the hand does at this place: Python.
"""

import os
import re
import subprocess

import gpio
import uinput
from waiting import eventually, pace

BLOCK = re.compile(r"^```(?P<kind>toml|console)\n(?P<text>.*?)^```$|^<!-- guest: (?P<hand>.*?) -->$", re.DOTALL | re.MULTILINE)
AMIXER = """#!/bin/sh
# The mixer of a machine without sound: it remembers what it was told.
case $1 in
--quiet) echo "$4" >"$HOME/mixer" ;;
get) echo "  Mono: Playback $(cat "$HOME/mixer")" ;;
esac
"""


class Reader:
    """Somebody with a terminal and a hand, who reads a page."""

    def __init__(self, daemon, programs, lines):
        self.daemon = daemon
        self.home = f"{daemon.folder}/home"
        self.hand = ""
        self.environment = {**os.environ, "HOME": self.home, "XDG_RUNTIME_DIR": daemon.runtime,
                            "PATH": f"{programs}:{self.home}/bin:{os.environ['PATH']}"}
        self.names = {**vars(uinput), "uinput": uinput, "gpio": gpio, "lines": lines, "pace": pace,
                      "wait": self.wait, "value": self.value}

    def value(self, control="volume"):
        """The present value of a control."""
        return self.daemon.get(control)["value"]

    def wait(self, condition):
        """Waits until what the page says next is true."""
        eventually(condition, lambda: f"the hand's work is seen: {self.hand}; the controls are {self.daemon.values()}")

    def follow(self, path):
        """Reads the page from its beginning to its end; returns the number of commands."""
        with open(path, encoding="utf-8") as file:
            page = file.read()
        commands = 0
        for block in BLOCK.finditer(page):
            if block["hand"]:
                self.hand = block["hand"]
                exec(block["hand"], self.names)  # the repository's own text
            elif block["kind"] == "toml":
                os.makedirs(f"{self.home}/.config/stepperd", exist_ok=True)
                with open(f"{self.home}/.config/stepperd/stepperd.toml", "w", encoding="utf-8") as file:
                    file.write(block["text"])
            else:
                commands += self.type(block["text"])
        return commands

    def type(self, text):
        """Runs the commands of a block, and compares what they print."""
        parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)[1:]
        for command, expected in zip(parts[::2], parts[1::2]):
            done = subprocess.run(["/bin/sh", "-c", command], env=self.environment, cwd=self.home, timeout=30, check=False,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            pattern = re.escape(expected.replace("/home/you", self.home)).replace("…", ".*")
            if not re.fullmatch(pattern, done.stdout, re.DOTALL):
                raise AssertionError(f"$ {command}\nprinted {done.stdout!r}, and the guide has {expected!r}")
        return len(parts) // 2


def install_amixer(home):
    """Puts a mixer where the commands of hooks find it."""
    os.makedirs(f"{home}/bin", exist_ok=True)
    with open(f"{home}/bin/amixer", "w", encoding="utf-8") as file:
        file.write(AMIXER)
    os.chmod(f"{home}/bin/amixer", 0o755)
