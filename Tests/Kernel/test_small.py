#!/usr/bin/python3
"""A small board: memory, writes and wakeups of the installed programs, which have no debug symbols and are optimized."""

import os
import subprocess
import time

import harness
from harness import equal, test
from stepperd import Daemon, configuration
from uinput import REL_DIAL, knob

GUEST = {"udev": True, "board": True}

#: MiB of a daemon with a knob and a subscriber, and what a group of processes may have in all.
MEMORY, GROUP_MEMORY = 12, 32
#: Seconds between two saves, and bytes of one.
INTERVAL, BLOCK = 1, 4096
CONFIGURATION = f'[daemon]\nsave-after = "200ms"\nsave-interval = "{INTERVAL}s"\n' + configuration("knob")


def written(daemon):
    """How many bytes it has written to files, its log among them."""
    with open(f"/proc/{daemon.pid}/io", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("wchar:"))


def processor_seconds(daemon):
    """How much of a processor it has used."""
    with open(f"/proc/{daemon.pid}/schedstat", encoding="utf-8") as file:
        return int(file.read().split()[0]) / 1e9


def start(stack):
    """The knob, the daemon and a subscriber."""
    device = stack.enter_context(knob())
    began = time.monotonic()
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    daemon.get()
    print(f"first answer after {(time.monotonic() - began) * 1000:.0f} ms")
    daemon.wait_for_device("knob")
    return device, daemon, stack.enter_context(daemon.subscribe("volume"))


@test
def memory_is_small(stack):
    """It has at most 12 MiB, and works in a group of processes that may have 32."""
    os.makedirs("/run/groups", exist_ok=True)
    subprocess.run(["mount", "-t", "cgroup2", "none", "/run/groups"], check=True)
    with open("/run/groups/cgroup.subtree_control", "w", encoding="utf-8") as file:
        file.write("+memory")
    os.mkdir("/run/groups/small")
    with open("/run/groups/small/memory.max", "w", encoding="utf-8") as file:
        file.write(f"{GROUP_MEMORY}M")
    device, daemon, watch = start(stack)
    with open("/run/groups/small/cgroup.procs", "w", encoding="utf-8") as file:
        file.write(str(daemon.pid))
    device.turn(REL_DIAL, *[1] * 50)
    watch.states(until=lambda state: state["value"] == 50)
    print(f"pages of {os.sysconf('SC_PAGESIZE')} bytes: VmRSS {daemon.memory():.1f} MiB, of these anonymous {daemon.memory('RssAnon'):.1f}")
    equal(daemon.memory() <= MEMORY, True, f"{daemon.memory():.1f} MiB are at most {MEMORY}")


@test
def rest_is_rest(stack):
    """Nothing is written and nobody wakes up while nothing happens."""
    _, daemon, watch = start(stack)
    watch.quiet(1)  # what the start leaves to be done
    before = written(daemon), daemon.wakeups()
    equal(watch.quiet(3), True, "nothing is published")
    equal((written(daemon), daemon.wakeups()), before, "bytes written, wakeups")


@test
def turning_writes_little(stack):
    """A hundred detents a second lead to one write of a block for each interval of saves."""
    device, daemon, watch = start(stack)
    before, used, began = written(daemon), processor_seconds(daemon), time.monotonic()
    for turn in range(4):
        device.turn(REL_DIAL, *[1 if turn % 2 == 0 else -1] * 100, pause=0.01)
    seconds = time.monotonic() - began
    device.turn(REL_DIAL, *[1] * 7, pause=0.01)
    watch.states(until=lambda state: state["value"] == 7 and not state["editing"])
    print(f"{400 / seconds:.0f} detents a second: {100 * (processor_seconds(daemon) - used) / seconds:.1f} % of a processor")
    watch.quiet(2 * INTERVAL)  # the last save
    saves = seconds / INTERVAL + 2
    equal(written(daemon) - before <= saves * BLOCK, True, f"{written(daemon) - before} bytes in {saves:.0f} saves")


if __name__ == "__main__":
    harness.main()
