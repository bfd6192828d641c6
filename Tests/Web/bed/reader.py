"""Orca, on a screen that nobody sees, and what it says: its own record of it, as its voice is that of a dummy."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from waiting import eventually

from . import browser

#: What is needed, and the packages that Scripts/setup --reader installs.
NEEDED = ["Xvfb", "dbus-daemon", "orca", "speech-dispatcher", "/usr/libexec/at-spi-bus-launcher"]
#: Seconds without a word after which nothing more is said.
QUIET = 1.5
SPEECH = """AddModule "dummy" "sd_dummy" ""
DefaultModule dummy
"""


def missing():
    """What of it is not installed."""
    return [name for name in NEEDED if not shutil.which(name)]


class Reader:
    """A screen, a session bus, Orca, and a Chromium that is read by it, until `close`."""

    def __init__(self):
        self.folder, self.running = tempfile.mkdtemp(prefix="reader."), []
        self.record = f"{self.folder}/orca.debug"
        for place in ("home/.config/speech-dispatcher", "run"):
            os.makedirs(f"{self.folder}/{place}", mode=0o700)
        with open(f"{self.folder}/home/.config/speech-dispatcher/speechd.conf", "w", encoding="utf-8") as file:
            file.write(SPEECH)
        self.environment = {**os.environ, "HOME": f"{self.folder}/home", "XDG_RUNTIME_DIR": f"{self.folder}/run", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        self.environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
        self.environment["DISPLAY"] = ":" + self._told("Xvfb", "-screen", "0", "1200x900x24", "-nolisten", "tcp", "-displayfd")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self._told("dbus-daemon", "--session", "--nofork", "--print-address")
        self._start("/usr/libexec/at-spi-bus-launcher", "--launch-immediately", "--a11y=1", "--screen-reader=1")
        self._start("speech-dispatcher", "--run-single", "--timeout", "0")
        self._start("orca", f"--debug-file={self.record}")
        eventually(lambda: "Screen reader on." in self.said(), lambda: f"Orca is there; {self.said()}", 60)
        self.chromium = browser.launch("--force-renderer-accessibility", headless=False, env=self.environment)

    def _start(self, *command, **more):
        process = subprocess.Popen(command, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True, **more)
        self.running.append(process)
        return process

    def _told(self, *command):
        """Starts a program whose last option takes a descriptor, and returns the line that it writes there."""
        reading, writing = os.pipe()
        option = f"{command[-1]}={writing}" if command[-1].startswith("--") else command[-1]
        self._start(*command[:-1], option, *([] if "=" in option else [str(writing)]), pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as told:
            return told.readline().strip()

    def said(self):
        """Everything so far."""
        try:
            with open(self.record, encoding="utf-8", errors="replace") as file:
                return re.findall(r"SPEECH OUTPUT: '(.*?)'(?:\{|$)", file.read(), re.MULTILINE)
        except FileNotFoundError:
            return []

    def after(self, act):
        """What is said when `act` is done, and until nothing more is."""
        before = len(self.said())
        act()
        size, since = -1, time.monotonic()

        def is_quiet():
            nonlocal size, since
            now = os.path.getsize(self.record)
            if now != size:
                size, since = now, time.monotonic()
            return time.monotonic() - since > QUIET
        eventually(is_quiet, "Orca has said everything", 60)
        return self.said()[before:]

    def close(self):
        """Ends all of it."""
        self.chromium.close()
        for process in reversed(self.running):
            os.killpg(process.pid, signal.SIGTERM)
        for process in reversed(self.running):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
