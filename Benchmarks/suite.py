"""What is measured of stepperd, and its goals."""

import contextlib
import os
import re
import statistics
import subprocess
import sys

from programs import MEASURED, Programs, on, status
from results import ROOT, Results, least, most

sys.path.append(f"{ROOT}/Tests/Support")
from connection import Connection  # noqa: E402
from waiting import pace  # noqa: E402

#: The parts that can be measured, in the order of the table: methods of Suite by their names.
PARTS = {}


def part(method):
    """Adds a method to PARTS."""
    PARTS[method.__name__] = method
    return method


class Suite:
    """Measures parts, and keeps their results."""

    def __init__(self, programs, tools, quick, command):
        self.programs = Programs(programs, tools)
        self.quick = quick
        self.results = Results(command)

    def close(self):
        """Removes its files."""
        self.programs.close()

    def some(self, values, few):
        """All values, or few of them."""
        return few if self.quick else values

    def compare(self, scenario, events, per_second=1, rounds=7, **targets):
        """The medians of the rounds by target."""
        events = max(events // 10, 64) if self.quick else events
        return self.programs.compare(scenario, events, self.some(rounds, 3), per_second, targets)

    def with_floor(self, scenario, events, clients="", per_second=1, rounds=7, **sizes):
        """The medians of the floor and of a daemon of such sizes, both with such clients."""
        with self.programs.stepperd(**sizes) as daemon, self.programs.floor() as (floor, _):
            return self.compare(scenario, events, per_second, rounds, floor=floor + clients, stepperd=daemon.socket + clients)

    def row(self, name, title, key, found, goal=None, unit="µs", floor_is=None):
        """A row of one figure of both."""
        self.results.row(name, title, unit, found["stepperd"][key], found["floor"][key], floor_is=floor_is, goal=goal)

    def curve(self, name, title, x, found, key="cpu"):
        """A curve of one figure of both; `found` is by x. Few points are no curve."""
        if self.quick:
            return
        series = {program: [[value, round(found[value][program][key], 2)] for value in found] for program in ("floor", "stepperd")}
        self.results.curve(name, title, x, {"cpu": "µs of CPU per event", "p50": "µs"}[key], series)

    def beside(self, name, title, clients, more="", p50=True, cpu=False, floor_is="without", **sizes):
        """What an event costs beside something that it does not concern, compared with a daemon without it."""
        with self.programs.stepperd() as alone, self.programs.stepperd(more, **sizes) as daemon:
            found = self.compare("turn", 2000, floor=f"{alone.socket}:1", stepperd=daemon.socket + clients)
        if p50:
            self.row(name, f"{title}, p50", "p50", found, most(1.1, of="floor"), floor_is=floor_is)
        if cpu:
            self.row(f"{name}-cpu", f"{title}, CPU per event", "cpu", found, most(1.1, of="floor"), floor_is=floor_is)

    # Parts

    @part
    def subscribers(self):
        """The time until the last subscriber has a change, and the processor time of it."""
        largest = self.programs.capacity - 1
        counts = [count for count in self.some([1, 2, 5, 10, 20, 50, 100], [1, 20, 100]) if count < largest] + [largest]
        found = {count: self.with_floor("turn", 3000 if count < 10 else 20_000 // count, f":{count}") for count in counts}
        self.row("latency-1", "one subscriber, p50", "p50", found[1], most(1.15, of="floor"))
        self.row("latency-1-p99", "one subscriber, p99", "p99", found[1])
        for count in counts:
            if count in (20, 100, largest):
                self.row(f"latency-{count}", f"last of {count} subscribers, p50", "p50", found[count], most(1.15, of="floor"))
        for count in (1, 20):
            self.row(f"cpu-{count}", f"CPU per event, subscribers: {count}", "cpu", found[count], most(1.2, of="floor"))
        self.curve("subscribers-latency", "Time until the last subscriber has the change, p50", "subscribers", found, "p50")
        self.curve("subscribers-cpu", "CPU per event by subscribers", "subscribers", found)

    @part
    def controls(self):
        """The processor time of an event beside controls that it does not move."""
        found = {}
        for count in self.some([1, 4, 16, 32, 64, 100, 160, 256], [1, 32, 256]):
            with (self.programs.stepperd() as alone, self.programs.stepperd(controls=count, devices=2) as daemon,
                  self.programs.floor() as (floor, _)):
                found[count] = self.compare("turn", 2000, floor=f"{floor}:1", alone=f"{alone.socket}:1",
                                            stepperd=f"{daemon.socket}:1")
        self.row("cpu-controls-1", "CPU per event, controls: 1", "cpu", found[1], most(1.2, of="floor"))
        for count in (32, 100, 256):
            if count in found:
                pair = {"floor": found[count]["alone"], "stepperd": found[count]["stepperd"]}
                self.row(f"cpu-controls-{count}", f"CPU per event, controls: {count}", "cpu", pair, most(1.1, of="floor"),
                         floor_is="1 control")
        self.curve("controls-cpu", "CPU per event by controls", "controls", found)

    @part
    def crowd(self):
        """All that an event does not concern, at once."""
        others = min(100, self.programs.capacity - 2)
        self.beside("crowd", f"256 controls, 64 devices, {others} subscribers of others", f":1:0:{others}", cpu=True,
                    floor_is="1 of each", controls=256, devices=64)

    @part
    def stalled(self):
        """A healthy reader beside as many as the daemon takes that do not read."""
        count = self.programs.capacity - 2
        self.beside("stalled", f"healthy reader beside {count} stalled ones", f":1:{count}")

    @part
    def feedback(self):
        """What is done after the clients have the change: effects, and a command that takes a second."""
        options = ('feedback = { increment = "heavy", decrement = "heavy" }\n'
                   'on-change = ["/bin/sleep", "1"]\non-end = ["/bin/sleep", "1"]')
        self.beside("feedback", "one subscriber beside feedback and a slow hook", ":1", options)

    @part
    def calls(self):
        """Round trips, and calls that are sent without waiting for replies."""
        for method, title in [("get", "Get"), ("set", "Set")]:
            found = self.with_floor(method, 5000)
            self.row(method, f"{title} round trip, p50", "p50", found, most(1.3, of="floor"))
            self.row(f"{method}-p99", f"{title} round trip, p99", "p99", found)
        for method, title in [("get", "Get"), ("set", "Set")]:
            found = self.with_floor(f"pipelined-{method}", 64 * 600)
            self.row(f"pipelined-{method}", f"pipelined {title}", "rate", found, least(0.5, of="floor"), unit="1/s")

    @part
    def hold(self):
        """How late the repeats of a held button arrive."""
        found = self.with_floor("hold", 200, ":1", rounds=5)
        for key in ("p50", "p99"):
            self.row(f"hold-{key}", f"autorepeat of 10 ms, lateness, {key}", key, found, most(1.1, of="floor"))

    @part
    def broker(self):
        """From a set at an MQTT broker until its value and its state are published."""
        times = self.programs.broker_times(self.some(400, 40))
        if times is None:
            print("bench: broker: skipped: needs mosquitto and paho-mqtt: run Scripts/setup --test", file=sys.stderr)
            return
        percentiles = {name: statistics.quantiles(found, n=100, method="inclusive") for name, found in times.items()}
        for key, place, goal in [("p50", 49, 5), ("p99", 98, 12)]:
            self.results.row(f"broker-{key}", f"set at a broker → value and state, {key}", "ms", percentiles["stepperd"][place],
                             percentiles["floor"][place], goal=most(goal))

    @part
    def start(self):
        """From exec to the first answer."""
        times = self.programs.start_times(self.some(31, 5))
        floor, stepperd = (statistics.median(times[name]) for name in ("floor", "stepperd"))
        self.results.row("start", "start: exec to first answer", "ms", stepperd, floor, goal=most(5))

    @part
    def memory(self):
        """Resident memory after the first answer."""
        with self.programs.stepperd() as daemon, self.programs.floor() as (_, process):
            for name, field, goal in [("rss", "VmRSS", 9), ("rss-anon", "RssAnon", 0.8)]:
                self.results.row(name, f"{field} when idle", "MiB", daemon.memory(field), status(process, field) / 1024,
                                 goal=most(goal))

    @part
    def size(self):
        """The programs as they are installed."""
        for program, goal in [("stepperd", 9), ("stepperctl", 11)]:
            stripped = f"{self.programs.files}/{program}"
            subprocess.run(["strip", "-o", stripped, f"{self.programs.folder}/{program}"], check=True)
            self.results.row(f"size-{program}", f"{program}, stripped", "MB", os.path.getsize(stripped) / 1e6, goal=most(goal))

    @part
    def idle(self):
        """How often a program wakes up while nothing happens."""
        def waits():
            return [status(pid, "voluntary_ctxt_switches") for pid in (daemon.pid, process)]

        seconds = self.some(15, 2)
        with (self.programs.stepperd(controls=32, devices=4) as daemon, self.programs.floor() as (_, process),
              contextlib.ExitStack() as clients):
            for _ in range(10):
                follower = clients.enter_context(Connection(daemon.socket))
                follower.send("org.stepperd.control.Subscribe", more=True)
                follower.receive()
            before = waits()
            pace(seconds)
            found = [(after - former) * 60 / seconds for after, former in zip(waits(), before)]
        self.results.row("idle", "idle wakeups: 32 controls, 4 devices, 10 subscribers", "1/min", *found, goal=most(0))

    @part
    def engine(self):
        """The engine alone."""
        command = [f"{self.programs.folder}/engine-benchmark", str(self.some(1_000_000, 20_000))]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, preexec_fn=on(MEASURED)).stdout
        for controls, frames in re.findall(r"(\d+) controls: (\d+) frames/s", output):
            self.results.row(f"engine-{controls}", f"engine alone, controls: {controls}", "frames/s", int(frames),
                             goal=least(5_000_000))

    @part
    def devices(self):
        """The processor time of an event beside other devices, each with a control."""
        found = {count: self.with_floor("turn", 2000, ":1", controls=count, devices=count)
                 for count in self.some([1, 4, 16, 32, 64], [1, 64])}
        self.curve("devices-cpu", "CPU per event by devices", "devices", found)

    @part
    def at_rate_of_a_hand(self):
        """The processor time of an event where each is a wakeup of its own."""
        found = self.with_floor("rate", 300, ":1", per_second=100, rounds=5)
        self.row("cpu-100-a-second", "CPU per event, 100 events a second", "cpu", found)

    @part
    def rate(self):
        """The processor time of an event by how many there are a second."""
        found = {rate: self.with_floor("rate", rate // 2, ":1", per_second=rate, rounds=3)
                 for rate in self.some([100, 1000, 3000, 10_000, 30_000, 100_000], [1000, 20_000])}
        self.curve("rate-cpu", "CPU per event by event rate", "events a second", found)
