"""A client that behaves, and measures how long it waits; and one of a relay that does nothing, for comparison."""

import json
import os
import socket
import time

from connection import Connection

#: Between one call and the next, in seconds.
PAUSE = 0.003
CONTROL = "healthy"


def queued(process):
    """Nanoseconds that the first thread of a process could have run and did not, since it began."""
    with open(f"/proc/{process}/task/{process}/schedstat", "rb") as file:
        return int(file.read().split()[1])


class Waits:
    """Pairs of microseconds: how long one waited, and how much of it neither side had a processor."""

    def __init__(self, other):
        #: The process that is waited for.
        self.other = other
        self.pairs = []

    def begin(self):
        """Begins to wait."""
        self._queued = self._machine()
        self._start = time.monotonic_ns()

    def end(self):
        """What was waited for is there."""
        wait = time.monotonic_ns() - self._start
        self.pairs.append((wait // 1_000, min(wait, self._machine() - self._queued) // 1_000))

    def _machine(self):
        return queued(self.other) + queued(os.getpid())


def measure(path, daemon, stop, report):
    """Gets, sets and steps its control until `stop` is set; reports {what: pairs} and what went wrong."""
    waits = {"call": Waits(daemon), "told": Waits(daemon)}
    problems = []
    try:
        with Connection(path, 30) as caller, Connection(path, 30) as follower:
            follower.send("org.stepperd.control.Subscribe", more=True, match=[CONTROL])
            told = follower.receive()["sequence"]
            turn = 0
            while not stop.wait(PAUSE):
                turn += 1
                told = _turn(turn, caller, follower, told, waits, problems)
    except Exception as error:  # whatever it is, it ends the measurement and is told
        problems.append(f"the healthy client: {type(error).__name__} {error}")
    report.put(("healthy", {what: wait.pairs for what, wait in waits.items()}, problems))


def _turn(turn, caller, follower, told, waits, problems):
    """One call, and what the follower is told of it; returns the sequence number it was told last."""
    wanted = turn % 97
    method, parameters = [
        ("Set", {"control": CONTROL, "value": wanted}), ("Get", {"control": CONTROL}),
        ("Step", {"control": CONTROL, "steps": 1}),
    ][turn % 3]
    waits["call"].begin()
    waits["told"].begin()
    reply = caller.ask(f"org.stepperd.control.{method}", **parameters)
    waits["call"].end()
    if "error" in reply:
        problems.append(f"{method} {parameters} was answered {reply}")
        return told
    state = reply["parameters"]["state"]
    if method == "Set" and state["value"] != wanted:
        problems.append(f"it set {wanted} and has {state['value']}")
    if method == "Get" or told >= state["sequence"]:
        return told
    # A reload tells everything again; what counts is when the new state is there.
    while told < state["sequence"]:
        news = follower.reply()
        if "error" in news:
            problems.append(f"the subscription ended: {news}")
            return state["sequence"]
        told = max([told] + [seen["sequence"] for seen in news["parameters"]["states"]])
    waits["told"].end()
    return told


def compare(stop, report):
    """The same with a process that only sends back what it is sent: what the machine itself costs."""
    here, there = socket.socketpair()
    child = os.fork()
    if child == 0:
        here.close()
        while data := there.recv(65_536):
            there.sendall(data)
        os._exit(0)
    there.close()
    waits = Waits(child)
    message = json.dumps({"method": "x" * 100}).encode()
    while not stop.wait(PAUSE):
        waits.begin()
        here.sendall(message)
        here.recv(65_536)
        waits.end()
    here.close()
    os.waitpid(child, 0)
    report.put(("relay", {"call": waits.pairs}, []))


def percentiles(pairs):
    """How long one waited, in milliseconds: count, median, 99, 99.9 % and the longest; and of the waits without what the
    machine took, `own99` of 99 % and `own` of all."""
    waits = sorted(wait for wait, _ in pairs)
    own = sorted(wait - machine for wait, machine in pairs)

    def at(ordered, part):
        return ordered[min(int(len(ordered) * part), len(ordered) - 1)] / 1_000 if ordered else 0.0

    return {"count": len(waits), "p50": at(waits, 0.5), "p99": at(waits, 0.99), "p99.9": at(waits, 0.999),
            "max": at(waits, 1), "own99": at(own, 0.99), "own": at(own, 1)}
