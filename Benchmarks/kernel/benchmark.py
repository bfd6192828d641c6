#!/usr/bin/python3
"""Measures stepperd, a plain program in C, inputlirc and triggerhappy on input devices of a real kernel, in a guest.

    benchmark.py --kernel FILE --programs DIR --tools DIR --peers DIR --output FILE --rounds N --scale N

Prints a table and writes the results as JSON. A figure is the median over the rounds of a percentile, which is taken from
all times of the round, not from a histogram.
"""

import argparse
import json
import os
import signal
import statistics
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [f"{ROOT}/Tests/Kernel", f"{ROOT}/Tests/Support", f"{ROOT}/Benchmarks"]
import run  # noqa: E402
from results import Results, most, print_table  # noqa: E402

#: Of the control that repeats, in nanoseconds; see guest.py and evdev-floor.c.
REPEAT_DELAY, REPEAT_INTERVAL = 100_000_000, 10_000_000


def percentile(times, percent):
    """The smallest of `times` that `percent` percent of them are not above."""
    ordered = sorted(times)
    return ordered[max(-(-len(ordered) * percent // 100) - 1, 0)]


def microseconds(rounds, percent):
    """The median over the rounds of a percentile."""
    return statistics.median(percentile(times, percent) for times in rounds) / 1000


def lateness(name, times):
    """How late the repeats of a hold are, at most an interval, by the times of its answers since the press.

    A repeat that is late by more than that is one with the next; the machine was busy then.
    """
    ages = [time - REPEAT_DELAY for time in times[1:]]
    left_out = ages[-1] // REPEAT_INTERVAL + 1 - len(ages)
    if left_out or ages[0] < 0:
        print(f"note: {name}: {left_out} of {len(ages)} repeats were left out; the first after {ages[0] / 1e6:.1f} ms", file=sys.stderr)
    return [age % REPEAT_INTERVAL for age in ages]


def fill(results, times, calls):
    """Adds all rows and curves."""
    def figures(kind, percent):
        return {name: microseconds(rounds, percent) for name, rounds in times[kind].items()}

    def row(name, title, kind, percent, goal):
        found = figures(kind, percent)
        stepperd, floor = found.pop("stepperd"), found.pop("floor")
        results.row(f"{name}-p{percent}", f"{title}, p{percent}", "µs", stepperd, floor=floor, peers=found or None, goal=goal)

    for kind in "key", "dial":
        for percent, limit in (50, 1.15), (99, 1.25):
            row(f"kernel-{kind}", f"uinput write → client, {kind}", kind, percent, most(limit, of="floor"))
    for kind in "key", "dial":
        for percent in 50, 99:
            found = figures(kind, percent)
            results.row(f"kernel-{kind}-inputlirc-p{percent}", f"{kind} against inputlirc's key, p{percent}", "µs",
                        found["stepperd"], peers={"inputlirc": found["inputlirc"]}, goal=most(1.0, of="inputlirc"))
    row("kernel-burst", "100 frames in one write, first answer", "burst:100", 50, most(1.5, of="floor"))
    times["hold"] = {name: [lateness(name, found) for found in rounds] for name, rounds in times["hold"].items()}
    for percent in 50, 99:
        row("kernel-repeat", "autorepeat of 10 ms, from when it is due to the client", "hold", percent, most(1.1, of="floor"))
    results.row("kernel-command-p50", "triggerhappy's way: key → output of a command, p50", "µs", figures("key", 50)["stepperd"],
                peers={"triggerhappy": figures("command", 50)["triggerhappy command"]})
    # An epoll_wait, a read, a send; and the time, which is a system call where there is no vDSO.
    results.row("kernel-calls", "system calls for a detent, without vDSO", "", calls["stepperd"], floor=calls["floor"], goal=most(4))
    bursts = [(int(kind.partition(":")[2]), found) for kind, found in times.items() if kind.startswith("burst:")]
    results.curve("kernel-burst", "First answer to frames in one write", "frames in one write", "µs",
                  {name: [[frames, microseconds(found[name], 50)] for frames, found in bursts] for name in times["burst:100"]})


def main():
    """The program."""
    parser = argparse.ArgumentParser(description="Measures on a real kernel's input devices, in a guest.")
    for option in "kernel", "programs", "tools", "peers", "output":
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--scale", type=int, required=True, help="key presses in a round; the others are in proportion")
    options = parser.parse_args()
    programs, tools, peers = (os.path.realpath(path) for path in (options.programs, options.tools, options.peers))
    # The guest ends with this program.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    guest = run.UserModeGuest(options.kernel, programs, f"{HERE}/guest.py", [tools, peers, str(options.rounds), str(options.scale)])
    if not guest.attempt():
        raise SystemExit(f"benchmark: the guest ended too early\n{guest.output}")
    found = json.loads(guest.output.strip().splitlines()[-1])
    results = Results("Scripts/measure/kernel-bench")
    results.content["machine"]["kernel"] = f"{found['kernel']}, User-Mode Linux"
    results.content["machine"]["processors"] = 1
    fill(results, found["times"], found["calls"])
    results.write(options.output)
    print_table(results.content["rows"])


if __name__ == "__main__":
    main()
