"""A broker, thousands of simulated boards in two processes, some real ones, and a dashboard."""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Support"))

import subprocess  # noqa: E402

from brokers import memory, processor_time  # noqa: E402
from connection import Connection  # noqa: E402
from invariant import differences, expected_count, read_topics, read_values  # noqa: E402
from private_daemon import PrivateDaemon  # noqa: E402
from programs import Dashboard, Load  # noqa: E402
from waiting import eventually  # noqa: E402


class RealBoard:
    """A real stepperd with a real stepperd-mqtt."""

    def __init__(self, build, folder, name, broker, certificates, qos):
        tls = ""
        if certificates:
            tls = "".join(f'{key} = "{path}"\n' for key, path in zip(("ca-file", "certificate-file", "key-file"), certificates))
        self.build, self.name = build, name
        self.daemon = PrivateDaemon(f"""\
[device.panel]
virtual = true

[control.volume]
increment = "panel:plus"
maximum = 100
initial = 50

[mqtt]
broker = "mqtt{"s" if tls else ""}://{broker}"
{tls}id = "{name}"
groups = ["all"]
subscription-qos = {qos}
""", parent=folder)
        self.bridge = None

    def start(self):
        """Both programs."""
        self.daemon.start(f"{self.build}/stepperd", "--user")
        self.daemon.connect().close()
        environment = {**os.environ, "HOME": f"{self.daemon.folder}/home", "XDG_RUNTIME_DIR": self.daemon.runtime,
                       "XDG_STATE_HOME": f"{self.daemon.folder}/state"}
        command = [f"{self.build}/stepperd-mqtt", "run", "--address", self.daemon.socket, "--config", self.daemon.configuration]
        with open(f"{self.daemon.folder}/bridge.log", "wb") as log:
            self.bridge = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)

    def values(self):
        """As read_values has them."""
        with Connection(self.daemon.socket) as connection:
            reply = connection.call("org.stepperd.control.List")
            controls = {state["control"]: (int(state["value"]), state["sequence"], state["text"]) for state in (control["state"] for control in reply["controls"])}
            return reply["instance"], "online", controls

    def turn(self, value):
        """Moves its control."""
        with Connection(self.daemon.socket) as connection:
            connection.call("org.stepperd.control.Set", control="volume", value=value)

    def stop(self):
        """Ends both."""
        for process in (self.bridge, self.daemon.process):
            if process and process.poll() is None:
                process.terminate()
                process.wait(30)


class Bed:
    """All of them, and what is measured."""

    def __init__(self, run, build, folder, broker):
        self.count, self.folder, self.broker = run.boards, folder, broker
        self.program = f"{build}/fleet"
        half = self.count // 2
        addresses = broker.addresses
        self.loads = [Load(self.program, 0, half, "127.0.0.2", broker, run.qos),
                      Load(self.program, half, self.count - half, "127.0.0.3", broker, run.qos)]
        self.dashboard = Dashboard(self.program, broker)
        self.real = [RealBoard(build, folder, f"real-{number}", addresses[number % len(addresses)], broker.certificates, run.qos)
                     for number in range(run.real)]
        self.rows, self.curves = [], {}
        #: The one that is gone through.
        self.scenario = ""
        #: Topics that a dashboard was not told of although it was subscribed.
        self.missed = 0
        self.patience = (60 + self.count / 40) * (1 if broker.is_strict else 3)

    def note(self, scenario, measure, value, unit):
        """A figure."""
        self.rows.append({"scenario": scenario, "measure": measure, "value": value, "unit": unit})
        shown = f"{value:,.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else value
        print(f"  {scenario}: {measure} {shown} {unit}", flush=True)

    def curve(self, name, samples):
        """At most 40 points of it."""
        step = max(1, len(samples) // 40)
        kept = samples[::step] + (samples[-1:] if samples and (len(samples) - 1) % step else [])
        self.curves[name] = [(round(x, 2), y) for x, y in kept]

    # MARK: What the processes use

    @property
    def broker_memory(self):
        """Of all its processes, in bytes."""
        return sum(memory(pid) for pid in self.broker.pids)

    @property
    def broker_time(self):
        """Processor time of all its processes, in seconds."""
        return sum(processor_time(pid) for pid in self.broker.pids)

    @property
    def loads_memory(self):
        """Of all simulated boards, in bytes."""
        return sum(load.memory() for load in self.loads)

    # MARK: The boards

    @property
    def online(self):
        """How many boards say of themselves that they are."""
        return sum(load.latest("online") for load in self.loads)

    def total(self, key):
        """Of all simulated boards."""
        return sum(load.latest(key) for load in self.loads)

    def wait_online(self, number=None):
        """Until all are, or as many as are said."""
        number = self.count if number is None else number
        eventually(lambda: self.online == number, lambda: f"{self.online} of {number} are online; {self.reasons()}", self.patience)

    def reasons(self):
        """Why boards lost the broker."""
        return "; ".join(load.ask("counters", "counters")["reasons"] for load in self.loads)

    def answers(self):
        """What the boards say of themselves."""
        return [load.ask("counters", "counters") for load in self.loads]

    def online_curve(self, since):
        """All boards that are online, over seconds since then."""
        parts = [load.samples("online", since) for load in self.loads]
        return added(parts)

    # MARK: The invariant

    def values(self, dead=()):
        """As all boards have them now."""
        boards = {}
        for load in self.loads:
            path = f"{self.folder}/values-{load.first}"
            if load.process.poll() is None:
                load.ask("values", "values", path)
            boards |= read_values(path)
        return boards | {board.name: board.values() for board in self.real if board.name not in dead}

    def differences(self, dead):
        """Between what the boards have and what the dashboard was told."""
        self.dashboard.ask("dumped", "dump", f"{self.folder}/topics")
        return differences(self.values(dead), read_topics(f"{self.folder}/topics"), dead)

    def check(self, dead=()):
        """At rest the dashboard has what the boards have, and so has a new one. Returns the seconds that the new one takes."""
        deadline = time.monotonic() + (self.patience if self.broker.is_strict else 5)
        while found := self.differences(dead):
            if time.monotonic() > deadline:
                assert not self.broker.is_strict, f"not at rest: {found[:10]}"
                self.missed += len(found)
                break
        deadline = time.monotonic() + self.patience
        while True:
            seconds, found = self.subscribe(dead)
            if not found:
                return seconds
            late = not self.broker.is_strict and time.monotonic() < deadline
            assert late, f"{len(found)} differences, the first are {found[:10]}"

    def subscribe(self, dead):
        """A new subscriber: the seconds until it has everything, and what differs then."""
        began = time.monotonic()
        expected = expected_count(self.values(dead))
        since = self.dashboard.subscribe(self.patience)
        try:
            seconds = self.dashboard.reach("topics", expected, since, self.patience if self.broker.is_strict else 30)["time"] - began
        except AssertionError:
            if self.broker.is_strict:
                raise
            seconds = 30
        return seconds, self.differences(dead)

    def stop(self):
        """Ends everything."""
        for board in self.real:
            board.stop()
        for program in [*self.loads, self.dashboard]:
            program.stop()


def added(parts):
    """The sum of step functions, each a list of (x, y) that begins at 0."""
    latest, result = {}, []
    for x, part, y in sorted((x, number, y) for number, part in enumerate(parts) for x, y in part):
        latest[part] = y
        if len(latest) == len(parts):
            result.append((x, sum(latest.values())))
    return result
