"""The programs that are measured, and the one that measures."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

from results import ROOT

sys.path.append(f"{ROOT}/Tests/Support")
from connection import Connection, encoded  # noqa: E402
from private_daemon import PrivateDaemon  # noqa: E402

#: Where there are two processors, the measuring program has one and the measured ones share the other: otherwise the
#: scheduler's choice of places is what is measured.
MEASURING, MEASURED = {0}, {min(1, os.cpu_count() - 1)}
MESSAGES = ("change", "get", "set")


def build(programs=None):
    """Builds the tools, and without a folder of `programs` these too; returns both folders."""
    def output(*command):
        return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    package = ["swift", "build", "-c", "release", "--package-path", "Benchmarks"]
    subprocess.run(package, cwd=ROOT, check=True, stdout=sys.stderr)
    tools = output(*package, "--show-bin-path")
    # Not by the package, which would link Swift's libraries with it.
    output("cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", f"{tools}/floor", "Benchmarks/floor.c")
    return programs or output("Scripts/build/programs", "stepperd", "stepperctl", "stepperd-mqtt", "engine-benchmark"), tools


def on(processors):
    """What a child does before it becomes another program."""
    return lambda: os.sched_setaffinity(0, processors)


def configuration(more="", controls=1, devices=1):
    """A control `volume` of the device `panel`, and so many controls in all, the others of other devices."""
    others = max(1, devices - 1)
    lines = ['[daemon]\nsave-after = "1m"\n[device.panel]\nvirtual = true']
    lines += [f"[device.panel{number}]\nvirtual = true" for number in range(1, devices)]
    lines.append('[control.volume]\nminimum = "none"\nmaximum = "none"\ninitial = 50\nrestore = false\nrotate = "panel:dial"\n'
                 'increment = "panel:plus"\nrepeat = { delay = "10ms", interval = "10ms" }\n' + more)
    lines += [f'[control.other{number}]\nrotate = "panel{(number - 1) % others + 1}:dial"' for number in range(1, controls)]
    return "\n".join(lines)


class Programs:
    """Starts what is measured, on its processor, and ends it."""

    OPTIONS = ("--user", "--log-level", "error")

    def __init__(self, folder, tools):
        self.folder, self.tools = folder, tools
        self.files = tempfile.mkdtemp(prefix="bench.")
        with self.stepperd() as daemon:
            for name, message in zip(MESSAGES, messages(daemon.socket)):
                with open(f"{self.files}/{name}", "wb") as file:
                    file.write(message)
            #: How many connections a daemon takes from all users that can be had.
            self.capacity = int(self.measure("connections", daemon.socket))

    def close(self):
        """Removes the files."""
        shutil.rmtree(self.files)

    @contextlib.contextmanager
    def stepperd(self, more="", **sizes):
        """A daemon to which all users can connect; `more` options for its control."""
        daemon = PrivateDaemon(configuration(more, **sizes))
        try:
            daemon.start(f"{self.folder}/stepperd", *self.OPTIONS, preexec_fn=on(MEASURED))
            daemon.connect().close()
            for path, mode in [(daemon.runtime, 0o755), (os.path.dirname(daemon.socket), 0o755), (daemon.socket, 0o666)]:
                os.chmod(path, mode)
            yield daemon
        finally:
            daemon.remove()

    @contextlib.contextmanager
    def floor(self):
        """The plain C program; its socket and the number of its process."""
        path = f"{self.files}/floor"
        process = subprocess.Popen(self.floor_command(path), stdout=subprocess.PIPE, preexec_fn=on(MEASURED))
        try:
            if process.stdout.readline() != b"ready\n":
                raise RuntimeError("the floor did not start")
            os.chmod(path, 0o666)
            yield path, process.pid
        finally:
            process.terminate()
            process.communicate()
            os.unlink(path)

    def floor_command(self, path):
        """The command line of the plain C program."""
        return [f"{self.tools}/floor", path, *(f"{self.files}/{name}" for name in MESSAGES)]

    def measure(self, *arguments, environment=None):
        """The last line that the measuring program prints."""
        run = subprocess.run([f"{self.tools}/measure", *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True,
                             env=environment, preexec_fn=on(MEASURING))
        return run.stdout.splitlines()[-1]

    def compare(self, scenario, events, rounds, per_second, targets):
        """The medians of the rounds by target: p50, p99 and cpu in microseconds, rate in events a second."""
        names = [f"{name}={target}" for name, target in targets.items()]
        found = json.loads(self.measure(scenario, events, rounds, per_second, *names))
        for figures in found.values():
            for key in ("p50", "p99", "cpu"):
                figures[key] /= 1000
        return found

    def start_times(self, count):
        """How many milliseconds the floor and stepperd take from exec to the first answer, so many times."""
        daemon = PrivateDaemon(configuration())
        environment = {**os.environ, "XDG_RUNTIME_DIR": daemon.runtime, "XDG_STATE_HOME": f"{daemon.folder}/state"}
        os.mkdir(os.path.dirname(daemon.socket), 0o700)
        commands = {"floor": self.floor_command(daemon.socket),
                    "stepperd": [f"{self.folder}/stepperd", *daemon.arguments, *self.OPTIONS]}
        try:
            times = [{name: int(self.measure("start", daemon.socket, *command, environment=environment)) / 1e6
                      for name, command in commands.items()} for _ in range(count)]
        finally:
            daemon.remove()
        return {name: [sample[name] for sample in times] for name in commands}


    def broker_times(self, count):
        """How many milliseconds a plain client of a broker and stepperd-mqtt take for a set, so many times; None: there is no broker."""
        python = f"{ROOT}/.build/python/bin/python"
        if not (os.path.exists(f"{ROOT}/.build/python/paho-version") and os.path.exists("/usr/sbin/mosquitto")):
            return None
        run = subprocess.run([python, f"{ROOT}/Benchmarks/mqtt.py", os.path.abspath(self.folder), str(count)], check=True, stdout=subprocess.PIPE)
        return json.loads(run.stdout)


def messages(path):
    """What stepperd sends for a change, a Get and a Set, for the floor to send the same."""
    def message(connection):
        data = b""
        while not data.endswith(b"\0"):
            data += connection.socket.recv(65536)
        return data

    with Connection(path) as follower, Connection(path) as caller:
        follower.send("org.stepperd.control.Subscribe", more=True)
        message(follower)
        caller.write(encoded("org.stepperd.device.Turn", {"device": "panel", "input": "dial", "detents": 1}, oneway=True))
        change = message(follower)
        caller.send("org.stepperd.control.Get", control="volume")
        get = message(caller)
        caller.send("org.stepperd.control.Set", control="volume", value=50)
        return change, get, message(caller)


def status(process, field):
    """A number of /proc/PID/status."""
    with open(f"/proc/{process}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(f"{field}:"))
