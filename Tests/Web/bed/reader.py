"""Orca, on a screen that nobody sees, and what it says: its own record of it, as its voice is that of a dummy."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from waiting import eventually

from . import browser

#: What is needed, and the packages that Scripts/setup --reader installs.
NEEDED = ["Xvfb", "xdotool", "dbus-daemon", "orca", "speech-dispatcher", "/usr/libexec/at-spi-bus-launcher"]
#: Seconds without a word after which nothing more is said; and within which the first one comes, if any does.
QUIET, FIRST = 1.5, 6
#: Which keys are pressed is not said; and a page is not read as a whole when it is loaded, which moves the focus.
CHANGED = {"enableKeyEcho": False, "sayAllOnLoad": False, "pageSummaryOnLoad": False, "profile": ["Default", "default"]}
SETTINGS = {"general": {**CHANGED, "startingProfile": ["Default", "default"]}, "pronunciations": {}, "keybindings": {},
            "profiles": {"default": {**CHANGED, "pronunciations": {}, "keybindings": {}}}}
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
        # Orca writes its record line by line into a terminal, and by thousands of bytes into a file.
        self.record, (self.terminal, record) = b"", os.openpty()
        threading.Thread(target=self._listen, daemon=True).start()
        for place in ("home/.config/speech-dispatcher", "home/.local/share/orca", "run"):
            os.makedirs(f"{self.folder}/{place}", mode=0o700)
        with open(f"{self.folder}/home/.local/share/orca/user-settings.conf", "w", encoding="utf-8") as file:
            json.dump(SETTINGS, file)
        with open(f"{self.folder}/home/.config/speech-dispatcher/speechd.conf", "w", encoding="utf-8") as file:
            file.write(SPEECH)
        self.environment = {**os.environ, "HOME": f"{self.folder}/home", "XDG_RUNTIME_DIR": f"{self.folder}/run", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        self.environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
        try:
            self._begin(record)
        except BaseException:
            self._end()
            raise

    def _begin(self, record):
        self.environment["DISPLAY"] = ":" + self._told("Xvfb", "-screen", "0", "1200x900x24", "-nolisten", "tcp", "-displayfd")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self._told("dbus-daemon", "--session", "--nofork", "--print-address")
        self._start("/usr/libexec/at-spi-bus-launcher", "--launch-immediately", "--a11y=1", "--screen-reader=1")
        self._start("speech-dispatcher", "--run-single", "--timeout", "0")
        self._start("orca", f"--debug-file={os.ttyname(record)}")
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

    def key(self, name):
        """Presses and releases a key of the keyboard, by its name in X."""
        subprocess.run(["xdotool", "key", name], env=self.environment, check=True)

    def look_at(self, title):
        """Gives the keyboard to the window with this title."""
        subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--name", title, "windowfocus", "--sync"], env=self.environment, check=True,
                       stdout=subprocess.DEVNULL)

    def _listen(self):
        try:
            while data := os.read(self.terminal, 65536):
                self.record += data
        except OSError:
            pass

    def said(self):
        """Everything so far."""
        return re.findall(r"SPEECH OUTPUT: '(.*?)'(?:\{|\r?$)", self.record.decode(errors="replace"), re.MULTILINE)

    def after(self, act, words=None):
        """What is said when `act` is done, and until nothing more is; with `words`, not before these were."""
        before, begun = len(self.said()), time.monotonic()
        act()
        size, since = -1, begun

        def is_quiet():
            nonlocal size, since
            now, time_now = len(self.record), time.monotonic()
            if now != size:
                size, since = now, time_now
            said = self.said()[before:]
            has_begun = any(words in text for text in said) if words else said or time_now - begun > FIRST
            return has_begun and time_now - since > QUIET
        eventually(is_quiet, lambda: f"Orca says {words or 'everything'}: {self.said()[before:]}", 60)
        return self.said()[before:]

    def close(self):
        """Ends all of it."""
        self.chromium.close()
        self._end()

    def _end(self):
        for process in reversed(self.running):
            with contextlib.suppress(ProcessLookupError):  # it has ended by itself
                os.killpg(process.pid, signal.SIGTERM)
        for process in reversed(self.running):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        os.close(self.terminal)
        shutil.rmtree(self.folder, ignore_errors=True)
