#!/usr/bin/env python3
"""Takes a fleet of simulated boards through storms and losses at real brokers; Scripts/fleet starts it.

Exits 0 when the invariant held after every scenario, else 1.
"""

import argparse
import datetime
import json
import os
import platform
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "Support")]

import scenarios  # noqa: E402
from bed import Bed  # noqa: E402
from brokers import Mosquitto, Nats  # noqa: E402

#: A message of each topic waits for a dashboard that subscribes to everything: about ten a board.
QUEUED_PER_BOARD = 20


def go_through(bed, options):
    """All scenarios, in this order."""
    spread = max(2.0, bed.count / options.rate)
    scenarios.first_storm(bed)
    scenarios.dashboard(bed)
    scenarios.turning(bed, options.seconds, options.gestures)
    scenarios.group_set(bed)
    scenarios.birth(bed)
    if len(bed.broker.nodes) == 1:
        scenarios.broker_killed(bed)
    else:
        scenarios.node_killed(bed)
    scenarios.wills(bed)
    scenarios.second_storm(bed, spread)


def machine():
    """What it was measured on."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), platform.machine())
    return {"processor": model, "processors": os.cpu_count(), "kernel": platform.release()}


def main():
    """The program."""
    parser = argparse.ArgumentParser(description="Takes a fleet of simulated boards through storms and losses.")
    parser.add_argument("--build", required=True, help="where the programs are")
    parser.add_argument("--kiosks", type=int, default=10_000)
    parser.add_argument("--nats-kiosks", type=int, help="as many at NATS; by default the same")
    parser.add_argument("--real", type=int, default=3, help="real boards besides")
    parser.add_argument("--broker", choices=("mosquitto", "nats", "both"), default="both")
    parser.add_argument("--seconds", type=int, default=60, help="of turning")
    parser.add_argument("--gestures", type=float, default=100, help="a second")
    parser.add_argument("--rate", type=float, default=200, help="boards a second that begin in the storm with jitter")
    parser.add_argument("--qos", type=int, choices=(0, 1), default=1, help="quality of service of the boards' subscriptions")
    parser.add_argument("--results", metavar="FILE", help="write the figures there")
    options = parser.parse_args()
    makers = {"mosquitto": lambda folder: Mosquitto(folder, QUEUED_PER_BOARD * options.kiosks), "nats": Nats}
    names = list(makers) if options.broker == "both" else [options.broker]
    results = {"date": datetime.date.today().isoformat(), "machine": machine(), "brokers": {}}
    options.build = os.path.abspath(options.build)
    every = options.kiosks
    for name in names:
        with tempfile.TemporaryDirectory(prefix="stepperd-fleet.") as folder:
            options.kiosks = options.nats_kiosks if name == "nats" and options.nats_kiosks else every
            broker = makers[name](folder)
            print(f"{options.kiosks:,} boards at {broker.version()}", flush=True)
            broker.start()
            bed = Bed(options, folder, broker)
            try:
                go_through(bed, options)
            finally:
                bed.stop()
                broker.stop()
            results["brokers"][name] = {"version": broker.version(), "kiosks": options.kiosks, "rows": bed.rows, "curves": bed.curves}
    if options.results:
        with open(options.results, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
            file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
