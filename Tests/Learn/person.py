"""A person at a terminal with a knob in the hand: the programs are real, the devices are umockdev's."""

import ctypes
import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, f"{ROOT}/Tests/Support")

from connection import Connection  # noqa: E402
from private_daemon import PrivateDaemon  # noqa: E402
from waiting import eventually, pace  # noqa: E402

BUILD = os.environ.get("STEPPERD_BUILD", f"{ROOT}/.build/debug")
#: Seconds for one answer of a program, on a machine that builds meanwhile.
DEADLINE = 30
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2


class Bed:
    """Mock devices with a daemon on them; see mockbed.py for the commands."""

    def __init__(self, configuration):
        self.daemon = PrivateDaemon(configuration)
        answers, replies = os.pipe()
        folder = self.daemon.folder
        environment = {
            **os.environ, "HOME": f"{folder}/home", "XDG_RUNTIME_DIR": self.daemon.runtime,
            "XDG_STATE_HOME": f"{folder}/state", "XDG_CONFIG_HOME": f"{folder}/config"}
        self.environment = environment
        self.log = open(self.daemon.log, "wb")
        self.process = subprocess.Popen(
            ["/usr/bin/umockdev-wrapper", "/usr/bin/python3", f"{ROOT}/Tests/Support/mockbed.py", "--replies", str(replies)],
            stdin=subprocess.PIPE, stdout=self.log, stderr=self.log, pass_fds=[replies], env=environment)
        os.close(replies)
        self.answers = os.fdopen(answers, encoding="utf-8")

    def __call__(self, command):
        self.process.stdin.write(f"{command}\n".encode())
        self.process.stdin.flush()
        while True:
            answer = self.answers.readline().strip()
            if answer.startswith("exited"):
                continue
            if not answer.startswith("ok"):
                raise AssertionError(f"{command}: {answer}")
            return answer[3:]

    def start(self):
        """Starts the daemon and waits until it takes a connection."""
        self(" ".join(["start", f"{BUILD}/stepperd", *self.daemon.arguments]))

        def connect():
            try:
                return Connection(self.daemon.socket, DEADLINE)
            except (FileNotFoundError, ConnectionRefusedError):
                return None
        eventually(connect, lambda: open(self.daemon.log, encoding="utf-8").read(), DEADLINE).close()

    def call(self, *arguments):
        """What stepperctl prints."""
        return subprocess.run([f"{BUILD}/stepperctl", *arguments], env=self.environment, timeout=DEADLINE,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stdout

    # The hand

    def turn(self, node, code, clicks, counts=(1,)):
        """Turns a knob: each click has `counts`, one frame each."""
        for _ in range(clicks):
            for count in counts:
                self(f"emit {node} {code}={count}")
            pace(0.06)

    def press(self, node, code, seconds=0.06):
        self(f"emit {node} {code}=1")
        pace(seconds)
        self(f"emit {node} {code}=0")

    def slide(self, node, code, *stops):
        """Moves a fader through positions."""
        for start, end in zip(stops, stops[1:]):
            for step in range(1, 21):
                self(f"emit {node} {code}={start + (end - start) * step // 20}")

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.answers.close()
        self.log.close()
        self.daemon.remove()


class Person:
    """`stepperctl learn` on a pseudoterminal: reads what it says, and types."""

    def __init__(self, bed, *arguments, output=None, folder=None):
        self.bed = bed
        self.terminal, end = pty.openpty()
        self.modes = termios.tcgetattr(self.terminal)

        def become_foreground():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            # Modes of files hold for root as well.
            for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
                ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
        self.process = subprocess.Popen(
            [f"{BUILD}/stepperctl", "learn", "--timeout", f"{DEADLINE}s", *arguments], stdin=end,
            stdout=output or end, stderr=end, env=bed.environment, cwd=folder, preexec_fn=become_foreground)
        os.close(end)
        self.text = ""
        self.seen = 0

    def read(self, seconds):
        """Whether something came."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.terminal, 65536)
        except OSError:  # the program has ended
            return False
        self.text += re.sub(r"\x1b\[K", "", data.decode(errors="replace")).replace("\r\n", "\n")
        return bool(data)

    def sees(self, pattern):
        """Waits for text that comes after what was seen last."""
        deadline = time.monotonic() + DEADLINE
        while True:
            match = re.search(pattern, self.text[self.seen:])
            if match:
                self.seen += match.end()
                print(f"  sees {pattern}", flush=True)  # a test that waits for output goes on
                return match
            if time.monotonic() > deadline or (not self.read(0.2) and self.process.poll() is not None and not self.read(0)):
                raise AssertionError(f"no {pattern!r} in:\n{self.text[self.seen:]}\n--- before:\n{self.text[:self.seen]}")

    def types(self, line=""):
        # What is typed right after a key of a device moved would count as typed by it.
        pace(0.25)
        self.types_at_once(line)

    def types_at_once(self, line):
        os.write(self.terminal, f"{line}\n".encode())

    def interrupts(self):
        os.write(self.terminal, b"\x03")

    def ends(self):
        """The exit status; minus a number for a signal."""
        while self.process.poll() is None:
            if not self.read(0.2):
                try:
                    self.process.wait(0.2)
                except subprocess.TimeoutExpired:
                    continue
        while self.read(0):
            pass
        return self.process.returncode

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        os.close(self.terminal)
