#!/usr/bin/python3
"""Measures stepperd of arm64 and a plain program in C in an emulated board.

    benchmark.py --images DIR --programs DIR --output FILE [--quick]

Prints a table and writes the results as JSON.
"""

import argparse
import json
import os
import signal
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [f"{ROOT}/Tests/Kernel", f"{ROOT}/Tests/Support", f"{ROOT}/Benchmarks"]
import run  # noqa: E402
from results import Results, most, print_table  # noqa: E402

#: MiB that the daemon may have on a board; the other goals are those of real processors.
MEMORY = 12


class Board(run.Board):
    """The guest of the kernel tests, with more time."""

    limit = 3600


def main():
    """The program."""
    parser = argparse.ArgumentParser(description="Measures programs of arm64 in an emulated board.")
    for option in "images", "programs", "output":
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    programs = os.path.realpath(options.programs)
    # The guest ends with this program.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    guest = Board(options.images, programs, f"{HERE}/guest.py", [programs, *(["--quick"] if options.quick else [])])
    if not guest.attempt():
        raise SystemExit(f"board-bench: the guest ended too early\n{guest.output}")
    found = json.loads(guest.output.strip().splitlines()[-1])
    results = Results("Scripts/measure/board-bench")
    results.content["machine"] |= {"processor": f"arm64, emulated by QEMU on {results.content['machine']['processor']}",
                                   "processors": found["processors"], "kernel": found["kernel"]}
    for row in found["rows"]:
        row.pop("goal", None)
        if row["name"] == "rss":
            row["goal"] = most(MEMORY)
        results.content["rows"].append(row)
    results.write(options.output)
    print_table(results.content["rows"])


if __name__ == "__main__":
    main()
