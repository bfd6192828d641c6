"""A stepperd with an input device, which Tests/Support/mockbed.py pretends to be."""

import os
import select
import shlex
import signal
import subprocess

from instruments import Instrument
from private_daemon import PrivateDaemon

MOCKBED = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Support", "mockbed.py")
#: Seconds that the bed may take for an answer.
PATIENCE = 20


class BedDaemon(PrivateDaemon):
    """The daemon on a bed of input devices: `process` is the bed, whose child it is."""

    def __init__(self, *devices):
        super().__init__("")
        self.devices = devices
        self.number = None

    @property
    def pid(self):
        return self.number

    def start(self, program, *options, under=(), environment=None, **process):
        replies, ours = os.pipe()
        self.replies = open(replies, encoding="utf-8", buffering=1)
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(["umockdev-wrapper", "/usr/bin/python3", MOCKBED, "--replies", str(ours)],
                                            stdin=subprocess.PIPE, stdout=log, stderr=log, pass_fds=[ours], text=True, **process)
        os.close(ours)
        for device in self.devices:
            self.order(f"add {device}")
        libraries = f"{environment['LD_PRELOAD']}:{Instrument.libraries}/direct-read.so:libumockdev-preload.so.0"
        variables = [f"{name}={value}" for name, value in {**environment, "LD_PRELOAD": libraries}.items()]
        words = ["/usr/bin/env", *variables, *under, program, *self.arguments, *options]
        self.number = int(self.order(f"start {shlex.join(words)}"))

    def order(self, command):
        """Gives the bed a command; returns its answer."""
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()
        if not select.select([self.replies], [], [], PATIENCE)[0]:
            raise TimeoutError(f"the bed did not answer within {PATIENCE} s: {command}")
        answer = self.replies.readline().rstrip("\n")
        if not answer.startswith("ok"):
            raise AssertionError(f"{command}: {answer}; it printed: {self.text()}")
        return answer.removeprefix("ok").strip()

    def is_alive(self):
        return os.path.exists(f"/proc/{self.number}")

    def stop(self, number=signal.SIGTERM, timeout=10.0):
        """The bed ends the daemon, removes what it made, and ends."""
        self.process.stdin.close()
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    def end(self):
        if self.process is not None and self.process.poll() is None:
            self.stop()

    def remove(self):
        super().remove()
        if self.number is not None:
            self.replies.close()
