#!/usr/bin/env python3
"""Attacks a real stepperd with clients of every kind, while one that behaves measures how long it waits.

What must hold: the daemon lives, every call has its answer in its order, every value is in its range, memory and
descriptors stay within their limits, no line of the log is anybody else's. See Documentation/fuzzing.md.
"""

import collections
import json
import multiprocessing
import os
import queue
import random
import sys
import threading
import time
import traceback

from daemon import ROOT, Daemon  # first: it knows where the modules of all tests are
from connection import Connection, Gone, VarlinkError
import healthy
import interfaces
from calls import Generator
from scenarios import Attacker, Violation
from waiting import eventually

sys.path.append(f"{ROOT}/Scripts/shared")
from arguments import Arguments  # noqa: E402

#: Threads of one attacker, each with a client; all together have fewer connections than one user may.
CLIENTS = 5


def arguments():
    parser = Arguments()
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32),
                        help="repeats what was sent; when it arrives is another matter")
    parser.add_argument("--program", default=None, help="the stepperd to attack; the release build if there is one")
    parser.add_argument("--attackers", type=int, default=2, help=f"processes of {CLIENTS} clients each")
    parser.add_argument("--limit", type=float, default=None, metavar="MS",
                        help="fail if the healthy client waits so much longer than the machine lets a relay wait")
    parser.add_argument("--memory", type=float, default=64, metavar="MIB")
    options = parser.parse_args()
    if options.program is None:
        programs = [f"{ROOT}/.build/{kind}/stepperd" for kind in ("release", "debug")]
        options.program = next((program for program in programs if os.path.exists(program)), None)
        if options.program is None:
            parser.error("there is no stepperd; build it with: swift build -c release --product stepperd")
    return options


def describe(path):
    """The interfaces of the daemon at `path`, and the names that it knows."""
    with Connection(path) as connection:
        info = connection.call("org.varlink.service.GetInfo")
        texts = [connection.call("org.varlink.service.GetInterfaceDescription", interface=name)["description"]
                 for name in info["interfaces"]]
        controls = connection.call("org.stepperd.control.List")["controls"]
        devices = connection.call("org.stepperd.device.List")["devices"]
    names = {
        "control": [control["description"]["control"] for control in controls
                    if control["description"]["control"] != healthy.CONTROL],
        "device": [device["device"] for device in devices],
        "input": ["plus", "minus", "dial", "push", "fader"],
        "light": ["LED_MUTE", "pulse-led"], "output": ["rumble", "click"],
        "interface": info["interfaces"], "language": ["de", "pt-BR", "x"],
    }
    return [interfaces.parse(text) for text in texts], names


def attack(number, options, path, known, configurations, stop, report):
    """The body of an attacking process."""
    described, names = known
    # The attackers have both processors; what is measured is not how they are shared out.
    os.nice(10)
    found, counts = [], collections.Counter()
    sent = collections.deque(maxlen=400)

    def client(index):
        generator = Generator(random.Random(f"{options.seed}.{number}.{index}"), described, names)
        attacker = Attacker(path, f"{number}-{index}", generator, configurations, lambda data: sent.append((index, data)))
        try:
            while not stop.is_set():
                attacker.act()
        except Violation as violation:
            found.append(f"client {number}.{index}: {violation}")
        except (OSError, EOFError) as error:
            found.append(f"client {number}.{index}: {type(error).__name__} {error}")
        except Exception:  # a mistake of this program's own
            found.append(traceback.format_exc())
        counts.update(attacker.counts)

    threads = [threading.Thread(target=client, args=(index,), daemon=True) for index in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report.put(("attacker", dict(counts), found, [(index, data.hex()) for index, data in sent] if found else []))


def check_ranges(path):
    """What is wrong with the values; everything is in one answer, so that it belongs together."""
    problems = []
    with Connection(path, 20) as connection:
        for control in connection.call("org.stepperd.control.List")["controls"]:
            description, state = control["description"], control["state"]
            value = state.get("value")
            if value is None or description["control"] == "loose":
                continue
            if not description.get("minimum", value) <= value <= description.get("maximum", value):
                problems.append(f"{description['control']} is {value} in {description.get('minimum')}…{description.get('maximum')}")
    return problems


class Watch:
    """Looks at the daemon from outside, again and again."""

    def __init__(self, daemon, memory):
        self.daemon, self.memory = daemon, memory
        self.most = 0.0
        self.problems = []

    def look(self):
        """Whether all is well, and was."""
        if self.problems:
            return False
        if not self.daemon.is_alive():
            status = self.daemon.process.returncode
            self.problems.append(f"the daemon ended with {status}:\n{self.daemon.last_words()}")
            return False
        self.most = max(self.most, self.daemon.memory())
        if self.most > self.memory:
            self.problems.append(f"the daemon has {self.most:.1f} MiB, more than {self.memory}")
            return False
        return True

    def look_at_values(self):
        """At the values, unless the storm leaves no place for one more client."""
        try:
            self.problems += check_ranges(self.daemon.socket)
        except Gone:
            pass
        except Exception as error:  # it is told as what it is
            if not (isinstance(error, VarlinkError) and error.error == "org.stepperd.manager.TooManyConnections"):
                self.problems.append(f"the values cannot be read: {type(error).__name__} {error}")


def rest(daemon):
    """Waits until the clients' connections are closed; what is left of them."""
    try:
        eventually(lambda: daemon.descriptors() <= daemon.descriptors_at_rest,
                   lambda: f"{daemon.descriptors()} descriptors are open, {daemon.descriptors_at_rest} were at the start", 10)
    except AssertionError as left:
        return [str(left)]
    return []


def main():
    options = arguments()
    print(f"socket-fuzz: {options.program}, {options.seconds:.0f} s, --seed {options.seed}", flush=True)
    daemon = Daemon(os.path.abspath(options.program))
    known = describe(daemon.socket)
    known[1]["documents"] = daemon.configurations.pieces
    stop, report = multiprocessing.Event(), multiprocessing.Queue()
    jobs = [(healthy.measure, (daemon.socket, daemon.process.pid, stop, report)), (healthy.compare, (stop, report))]
    jobs += [(attack, (number, options, daemon.socket, known, daemon.configurations, stop, report))
             for number in range(options.attackers)]
    processes = [multiprocessing.Process(target=function, args=job, daemon=True) for function, job in jobs]
    # A process cannot fork with threads of its own; those that measure begin first.
    for process in processes:
        process.start()
    watch = Watch(daemon, options.memory)
    reports, looks, end = [], 0, time.monotonic() + options.seconds
    while time.monotonic() < end and watch.look():
        looks += 1
        if looks % 10 == 0:
            watch.look_at_values()
        try:
            # A process that reports before its time has found something.
            reports.append(report.get(timeout=0.1))
            break
        except queue.Empty:
            pass
    stop.set()
    while len(reports) < len(processes):
        try:
            reports.append(report.get(timeout=60))
        except queue.Empty:
            watch.problems.append("a client does not come to its end")
            break
    status = conclude(options, daemon, watch, reports)
    for process in processes:
        process.join(5)
    return status


def check_waits(measured, limit):
    """What the healthy client had to wait for beyond what the relay had, each without what the machine took; of 99 in 100
    calls, since a machine may stand still for a moment without saying so."""
    machine = measured.get(("relay", "call"), {"own99": 0.0})["own99"]
    problems = []
    for (kind, what), values in measured.items():
        if kind == "healthy" and values["own99"] > machine + limit:
            problems.append(f"the healthy client waited {values['own99']:.1f} ms ({what}), a relay {machine:.1f} ms")
        if kind == "healthy" and values["count"] == 0:
            problems.append(f"the healthy client measured nothing ({what})")
    return problems


def conclude(options, daemon, watch, reports):
    """Says what was seen; the exit status."""
    problems = watch.problems
    if watch.look() and daemon.is_alive():
        watch.look_at_values()
        problems += rest(daemon)
        status = daemon.stop()
        if status != 0:
            problems.append(f"the daemon ended with {status} when it was told to stop")
    problems += daemon.strays()[:10]
    counts, transcript, measured = collections.Counter(), [], {}
    for kind, figures, found, *sent in reports:
        problems += found
        if kind == "attacker":
            counts.update(figures)
            transcript += sent[0]
            continue
        for what, waits in figures.items():
            values = measured[kind, what] = healthy.percentiles(waits)
            print(f"  {kind:8} {what:5} {values['count']:7} times: " + ", ".join(
                f"{key} {values[key]:.2f} ms" for key in ("p50", "p99", "p99.9", "max", "own99", "own")))
    if options.limit is not None:
        problems += check_waits(measured, options.limit)
    print("  " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    print(f"  most memory {watch.most:.1f} MiB, log {os.path.getsize(daemon.log) // 1024} KiB")
    if not problems:
        daemon.remove()
        print("socket-fuzz: nothing found")
        return 0
    for problem in problems:
        print(f"socket-fuzz: {problem}", file=sys.stderr)
    if transcript:
        with open(f"{daemon.folder}/sent.json", "w", encoding="utf-8") as file:
            json.dump(transcript, file)
    print(f"socket-fuzz: log and what was sent last are in {daemon.folder}; again with --seed {options.seed}",
          file=sys.stderr)
    daemon.process.kill()
    return 1


if __name__ == "__main__":
    sys.exit(main())
