"""The part of the benchmark that runs in the emulated board; the last line of the output is a JSON object.

    guest.py PROGRAMS [--quick]

PROGRAMS has stepperd, the measuring program and the plain program in C, all of arm64.
"""

import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.append(f"{ROOT}/Benchmarks")
from suite import Suite  # noqa: E402

RESULTS = "/run/job/results"
#: In a round; an emulated processor is thirty times slower.
EVENTS = 1000


def main():
    """The program."""
    programs, *quick = sys.argv[1:]
    suite = Suite(programs, programs, bool(quick), "Benchmarks/board/guest.py")
    try:
        for part in (suite.start, suite.memory, suite.idle, suite.at_rate_of_a_hand):
            part()
        for scenario, title, clients in (("turn", "one subscriber", ":1"), ("get", "Get round trip", ""), ("set", "Set round trip", "")):
            found = suite.with_floor(scenario, EVENTS, clients)
            for figure in ("p50", "p99"):
                suite.row(f"{scenario}-{figure}", f"{title}, {figure}", figure, found)
    finally:
        suite.close()
    machine = suite.results.content["machine"]
    print(json.dumps({"rows": suite.results.content["rows"], "kernel": machine["kernel"], "processors": machine["processors"]}))
    with open(RESULTS, "w", encoding="utf-8") as results:
        results.write("done\n")


if __name__ == "__main__":
    main()
