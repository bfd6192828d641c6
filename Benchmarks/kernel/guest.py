"""The part of the benchmark that runs in the guest: starts the programs, moves their devices and prints all times.

    guest.py TOOLS PEERS ROUNDS SCALE

TOOLS has the programs built from the sources beside this file, PEERS the unpacked Debian packages. SCALE is the number
of key presses in a round; the other measurements are in proportion. The last line of the output is a JSON object.
"""

import json
import os
import re
import socket
import subprocess
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))) + "/Tests/Kernel")
import uinput  # noqa: E402
from connection import encoded  # noqa: E402
from stepperd import Daemon  # noqa: E402
from waiting import eventually  # noqa: E402

RESULTS = "/run/job/results"
#: Frames in one write.
BURSTS = (1, 3, 10, 30, 100)
KEY, HELD = uinput.KEY_VOLUMEUP, 0x1A2  # KEY_ZOOMIN
#: The kernel has room for eight times as many events of a device as it has axes: 200 for the longest burst.
AXES = range(uinput.REL_X, uinput.REL_X + 13)
#: The changes that the tool makes before it measures.
WARM_UP = 20
CONFIGURATION = """
[daemon]
save-after = "1m"

[device.panel]
match = { name = "Benchmark stepperd" }

[control.volume]
rotate = "panel:REL_DIAL"
increment = "panel:KEY_VOLUMEUP"
minimum = -1000000
maximum = 1000000
restore = false

[control.zoom]
increment = "panel:KEY_ZOOMIN"
repeat = { delay = "100ms", interval = "10ms" }
maximum = 1000000
restore = false
"""


class Program:
    """A program with a device of its own. `answers` is the socket that it writes to."""

    def __init__(self, name, device=None, answers=None, reads_dials=True):
        self.name, self.answers, self.reads_dials, self.process = name, answers, reads_dials, None
        self.device = device or uinput.Device(f"Benchmark {name}", {uinput.EV_REL: AXES, uinput.EV_KEY: [KEY, HELD]})

    def start(self, *command, **options):
        """Starts it."""
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **options)
        return self

    def connect(self, path):
        """Waits for its socket, and connects."""
        def attempt():
            try:
                self.answers.connect(path)
            except (FileNotFoundError, ConnectionRefusedError):
                return False
            return True

        self.answers = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        eventually(attempt, f"the socket of {self.name}")
        return self

    def has_opened(self):
        """Whether it has opened its device."""
        folder = f"/proc/{self.process.pid}/fd"
        return self.device.node in [os.readlink(f"{folder}/{number}") for number in os.listdir(folder)]

    def pair(self):
        """As the tool takes it."""
        return f"{self.device.fd},{self.answers.fileno()}" + ("" if self.reads_dials else ",key")


class Tools:
    """The programs to measure, and the one that measures."""

    def __init__(self, tools, peers):
        self.tools, self.peers = tools, peers
        self.log = open("/run/peers.log", "ab")

    def floor(self, message):
        """The C program, with the bytes that stepperd sends."""
        program = Program("floor")
        with open("/run/message", "wb") as file:
            file.write(message)
        program.start(f"{self.tools}/evdev-floor", program.device.node, "/run/floor", "/run/message")
        return program.connect("/run/floor")

    def inputlirc(self):
        """It writes a line for the press of each key from KEY_F12 on to its socket."""
        program = Program("inputlirc", reads_dials=False)
        program.start(f"{self.peers}/usr/sbin/inputlircd", "-f", "-d", "/run/inputlirc/socket", program.device.node, stderr=self.log)
        return program.connect("/run/inputlirc/socket")

    def triggerhappy(self, command=None):
        """It prints two lines for each event, or runs a command at a press; either goes to one socket."""
        program = Program("triggerhappy" + (" command" if command else ""))
        program.answers, other = socket.socketpair()
        options = ["--dump"]
        if command:
            with open("/run/triggers", "w", encoding="utf-8") as file:
                file.write(f"KEY_VOLUMEUP 1 {command}\n")
            options = ["--triggers", "/run/triggers"]
        program.start(f"{self.peers}/usr/sbin/thd", *options, program.device.node, stdout=other, stderr=self.log)
        eventually(program.has_opened, "triggerhappy reads the device")
        return program

    def measure(self, kind, count, programs):
        """{name: times in nanoseconds}."""
        descriptors = [descriptor for program in programs for descriptor in (program.device.fd, program.answers.fileno())]
        done = subprocess.run([f"{self.tools}/input-latency", kind, str(count), *(program.pair() for program in programs)],
                              pass_fds=descriptors, stdout=subprocess.PIPE, check=True, text=True)
        lines = done.stdout.splitlines()
        return {program.name: [int(word) for word in line.split()] for program, line in zip(programs, lines, strict=True)}

    def system_calls(self, count, program):
        """How many system calls it makes for each of `count` detents."""
        with subprocess.Popen(["strace", "-f", "-o", "/run/calls", "-p", str(program.process.pid)],
                              stderr=subprocess.PIPE, text=True) as tracer:
            tracer.stderr.readline()  # that it has attached
            self.measure("dial", count, [program])
            tracer.terminate()
        with open("/run/calls", encoding="utf-8") as file:
            return len(re.findall(r"^\d+ +\w+\(", file.read(), re.MULTILINE)) / (count + WARM_UP)


def subscribed(path, control):
    """A socket with a subscription of one control, the snapshot read already."""
    answers = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    answers.connect(path)
    answers.sendall(encoded("org.stepperd.control.Subscribe", {"match": [control]}, more=True))
    answers.recv(65536)
    return answers


def rotated(programs, by):
    """The same programs, another one first."""
    by %= len(programs)
    return programs[by:] + programs[:by]


def run(tools, rounds, scale):
    """Measures; returns what is printed."""
    stepperd = Program("stepperd")
    with Daemon(CONFIGURATION) as daemon:
        daemon.wait_for_device("panel")
        stepperd.process, stepperd.answers = daemon.process, subscribed(daemon.socket, "volume")
        stepperd.device.emit((uinput.EV_REL, uinput.REL_DIAL, 1))
        floor = tools.floor(stepperd.answers.recv(65536))
        inputlirc, triggerhappy = tools.inputlirc(), tools.triggerhappy()
        command = tools.triggerhappy("echo")
        # The floor answers for all keys on one socket, stepperd on that of the control.
        held = Program("stepperd", stepperd.device, subscribed(daemon.socket, "zoom"))
        measurements = [(kind, scale, [floor, stepperd, inputlirc, triggerhappy]) for kind in ("key", "dial")]
        measurements += [(f"burst:{frames}", max(scale // 20, 10), [floor, stepperd, triggerhappy]) for frames in BURSTS]
        measurements += [("command", max(scale // 20, 10), [command]), ("hold", max(scale // 5, 20), [floor, held])]
        times = {kind: {} for kind, *_ in measurements}
        for number in range(rounds):
            for kind, count, programs in measurements:
                tool = "key" if kind == "command" else kind
                for name, found in tools.measure(tool, count, rotated(programs, number)).items():
                    times[kind].setdefault(name, []).append(found)
        overruns = daemon.devices()["panel"]["overruns"]
        if overruns:
            raise AssertionError(f"stepperd lost events {overruns} times, so that the bursts were shorter than they should be")
        calls = {program.name: tools.system_calls(scale // 5, program) for program in (floor, stepperd)}
        for program in (floor, inputlirc, triggerhappy, command):
            program.process.kill()
    return {"times": times, "calls": calls, "kernel": os.uname().release}


def main():
    """The program."""
    tools, peers, rounds, scale = sys.argv[1:]
    content = run(Tools(tools, peers), int(rounds), int(scale))
    print(json.dumps(content))
    with open(RESULTS, "w", encoding="utf-8") as results:
        results.write("done\n")


if __name__ == "__main__":
    main()
