"""A stepperd that has a folder of its own, for all tests and scripts in Python."""

import os
import shutil
import signal
import subprocess
import tempfile

from connection import Connection
from waiting import eventually


class PrivateDaemon:
    """The daemon with its own folder for configuration, values, socket and log.

    It runs from `start` on and can be started again in the same folder. A `configuration` of None is the one built in.
    `parent` is where the folder is made, `runtime` another daemon's directory for its socket.
    """

    PLACES = ("runtime", "state", "config", "home")

    def __init__(self, configuration, parent=None, runtime=None):
        self.folder = tempfile.mkdtemp(prefix="stepperd.", dir=parent)
        os.chmod(self.folder, 0o755)
        for place in self.PLACES:
            os.mkdir(f"{self.folder}/{place}", 0o700)
        self.runtime = runtime or f"{self.folder}/runtime"
        self.socket = f"{self.runtime}/stepperd/org.stepperd"
        self.log = f"{self.folder}/log"
        self.arguments = []
        self.process = None
        self.configuration = f"{self.folder}/stepperd.toml"
        if configuration is not None:
            self.configure(configuration)
            self.arguments = ["--config", self.configuration]

    def configure(self, text):
        """Writes the configuration file."""
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(text)

    def start(self, program, *options, under=(), environment=None, **process):
        """Starts it, `under` a program that becomes it, with more for its environment and for subprocess.Popen."""
        places = {"HOME": "home", "XDG_RUNTIME_DIR": "runtime", "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "config"}
        paths = {variable: f"{self.folder}/{place}" for variable, place in places.items()}
        environment = {**os.environ, **paths, "XDG_RUNTIME_DIR": self.runtime, **(environment or {})}
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([*under, os.path.abspath(program), *self.arguments, *options],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd="/", **process)

    def connect(self, timeout=None):
        """A connection, as soon as it takes one."""
        def attempt():
            if not self.is_alive():
                raise AssertionError(f"the daemon ended with {self.process.returncode}: {self.text()}")
            try:
                return Connection(self.socket, timeout)
            except (FileNotFoundError, ConnectionRefusedError):
                return None

        return eventually(attempt, lambda: f"the daemon's socket; it printed: {self.text()}", 20)

    @property
    def pid(self):
        """The number of its process."""
        return self.process.pid

    def is_alive(self):
        """Whether it has not ended."""
        return self.process.poll() is None

    def text(self):
        """What it printed since it was started last."""
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read().strip()

    def status_field(self, key):
        """A line of /proc/PID/status."""
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as file:
            return next(line.partition(":")[2].strip() for line in file if line.startswith(f"{key}:"))

    def memory(self, field="VmRSS"):
        """Its memory in MiB, by a field of its status."""
        return int(self.status_field(field).split()[0]) / 1024

    def descriptors(self):
        """How many files it has open."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def threads(self):
        """How many threads it has."""
        return len(os.listdir(f"/proc/{self.pid}/task"))

    def stop(self, number=signal.SIGTERM, timeout=10.0):
        """Ends it in good order; returns its exit status, None if it had to be killed."""
        self.process.send_signal(number)
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.end()
            return None

    def end(self):
        """Kills it if it runs."""
        if self.process is not None and self.is_alive():
            self.process.kill()
            self.process.wait()

    def remove(self):
        """Ends it and removes its folder."""
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)
