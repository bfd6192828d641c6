"""What a fleet goes through. After each the invariant is checked: see invariant.py."""

import time

from invariant import expected_count
from waiting import eventually, pace


def storm(bed, name, spread):
    """All boards begin within `spread` seconds."""
    bed.scenario = name
    before, began = bed.broker_time, time.monotonic()
    for load in bed.loads:
        load.ask("started", "start", int(spread * 1000), timeout=bed.patience)
    bed.wait_online()
    took = time.monotonic() - began
    answers = bed.answers()
    bed.curve(name, bed.online_curve(began))
    bed.note(name, "the boards begin within", float(spread), "s")
    bed.note(name, "all are online after", took, "s")
    bed.note(name, "a board, from its first attempt to online, median", max(answer["median"] for answer in answers), "s")
    bed.note(name, "p99", max(answer["p99"] for answer in answers), "s")
    bed.note(name, "attempts for each board", bed.total("attempts") / bed.count, "")
    bed.note(name, "processor time of the broker", bed.broker_time - before, "s")


def first_storm(bed, spread):
    """To an empty broker; then everybody is known to it."""
    empty = bed.broker_memory
    storm(bed, "storm", spread)
    for board in bed.real:
        board.start()
    bed.dashboard.subscribe(bed.patience)
    bed.check()
    bed.note("storm", "memory of a board: state machine, library and simulated daemon", bed.loads_memory / bed.count / 1024, "KiB")
    bed.note("storm", "memory of the broker for a board", (bed.broker_memory - empty) / bed.count / 1024, "KiB")


def dashboard(bed):
    """A client with a wildcard is given everything."""
    bed.scenario = "dashboard"
    took = bed.check()
    counters = bed.dashboard.ask("counters", "counters")
    bed.note("dashboard", "topics", int(counters["topics"]), "")
    bed.note("dashboard", "all are there after", took, "s")
    bed.note("dashboard", "memory of the dashboard for a board", bed.dashboard.memory() / bed.count / 1024, "KiB")


def small_queue(bed, _run):
    """A dashboard at a broker that drops what a slow subscriber has not taken."""
    storm(bed, "storm", 0)
    since = bed.dashboard.subscribe(bed.patience)
    # Nothing says that nothing more comes.
    eventually(lambda: time.monotonic() - bed.dashboard.events[-1]["time"] > 3, "the dashboard is quiet", bed.patience)
    received = max(entry.get("topics", 0) for entry in bed.dashboard.events[since:])
    bed.note("dashboard", "topics", int(received), "")
    bed.note("dashboard", "topics that it was never sent", int(expected_count(bed.values()) - received), "")


def turning(bed, seconds, rate):
    """`rate` gestures a second of nine detents each."""
    bed.scenario = "turning"
    published, memory, loads, began, used = bed.total("published"), bed.broker_memory, bed.loads_memory, time.monotonic(), bed.broker_time
    before = [len(load.events) for load in bed.loads]
    for load in bed.loads:
        load.tell("turn", rate / len(bed.loads), seconds)
    value = 0
    while time.monotonic() - began < seconds:
        for board in bed.real:
            board.turn(value % 100)
        value += 1
        pace(0.05)
    for load, since in zip(bed.loads, before):
        load.wait("turned", since, seconds + bed.patience)
    bed.check()
    bed.note("turning", "detents", int(bed.total("turned")), "")
    bed.note("turning", "messages a second", (bed.total("published") - published) / seconds, "1/s")
    bed.note("turning", "processor time of the broker a second", (bed.broker_time - used) / (time.monotonic() - began), "s")
    bed.note("turning", "growth of the broker", (bed.broker_memory - memory) / 1024 ** 2, "MiB")
    bed.note("turning", "growth of the boards", (bed.loads_memory - loads) / 1024 ** 2, "MiB")


def group_set(bed):
    """One message moves every board; the time to each board's result."""
    bed.scenario = "group set"
    members = bed.count + len(bed.real)
    for group, name, number in (("tenth", "a tenth of the boards", (bed.count + 9) // 10), ("all", "all boards", members)):
        answer = bed.dashboard.ask("group", "group", group, "volume", 42, number, int(bed.patience), timeout=bed.patience + 10)
        assert answer["count"] == number, f"{answer['count']} of {number} results of the group {group} came"
        for key in ("median", "p99", "maximum"):
            bed.note("group set", f"{name}, {key} time to the result", answer[key], "s")
    bed.check()


def birth(bed):
    """Home Assistant has started: every board announces itself again."""
    bed.scenario = "birth"
    since, before, began = len(bed.dashboard.events), bed.dashboard.latest("announced"), time.monotonic()
    bed.dashboard.tell("publish", "homeassistant/status", "online")
    bed.dashboard.reach("announced", before + bed.count + len(bed.real), since, bed.patience)
    bed.curve("birth", [(x, y - before) for x, y in bed.dashboard.samples("announced", began)])
    bed.note("birth", "all are announced after", time.monotonic() - began, "s")
    bed.check()


def broker_killed(bed):
    """As by a loss of power, while knobs are turned; it comes back with what it had written."""
    bed.scenario = "broker killed"
    before = [len(load.events) for load in bed.loads]
    for load in bed.loads:
        load.tell("turn", 50, 5)
    attempts = bed.total("attempts")
    bed.broker.nodes[0].kill()
    began = time.monotonic()
    eventually(lambda: bed.online == 0, "everybody knows it", bed.patience)
    bed.broker.nodes[0].start()
    returned = time.monotonic()
    for load, since in zip(bed.loads, before):
        load.wait("turned", since, bed.patience)
    bed.wait_online()
    bed.curve("broker killed", bed.online_curve(began))
    bed.note("broker killed", "all are online, after its return", time.monotonic() - returned, "s")
    bed.note("broker killed", "attempts for each board", (bed.total("attempts") - attempts) / bed.count, "")
    bed.dashboard.subscribe(bed.patience)
    bed.check()


def wills(bed):
    """Half of all boards lose their power at once, and come back after a while."""
    bed.scenario = "wills"
    half = bed.loads[1].count
    bed.values()
    since, before, began = len(bed.dashboard.events), bed.dashboard.latest("offline"), time.monotonic()
    bed.loads[1].kill()
    bed.dashboard.reach("offline", before + half, since, bed.patience)
    bed.curve("wills", [(x, y - before) for x, y in bed.dashboard.samples("offline", began)])
    bed.note("wills", "half of the boards are told after", time.monotonic() - began, "s")
    bed.check(dead={f"k{number}" for number in range(bed.loads[1].first, bed.count)})


def second_storm(bed, spread):
    """With jitter: everybody comes back, with other values, and nothing of before is left."""
    bed.loads[0].kill()
    bed.loads = [load.again() for load in bed.loads]
    storm(bed, "storm with jitter", spread)
    bed.check()


def node_killed(bed):
    """One of three nodes is killed while sets are sent to all boards, and comes back."""
    bed.scenario = "node killed"
    victim = bed.broker.nodes[2]
    before = bed.online
    sets = [("volume", value) for value in range(10, 20)]
    began = time.monotonic()
    for number, (control, value) in enumerate(sets):
        bed.dashboard.tell("publish", f"stepperd/$group/all/{control}/set", value)
        if number == len(sets) // 2:
            victim.kill()
    eventually(lambda: bed.online < before, "its boards know it", bed.patience)
    bed.wait_online()
    bed.note("node killed", "all are online again after", time.monotonic() - began, "s")
    bed.curve("node killed", bed.online_curve(began))
    bed.check()
    victim.start()
    bed.check()
