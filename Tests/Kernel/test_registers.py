#!/usr/bin/python3
"""That the guest keeps the floating-point and vector registers of its programs. Needs no daemon."""

import os
import subprocess

import harness
from harness import equal, test

GUEST = {"user_mode": True}

SOURCES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "registers")
PROGRAM = "/run/registers"


@test
def registers_are_kept():
    """All of them, across preemption, calls, page faults and signals, in threads and processes."""
    subprocess.run(["gcc", "-std=gnu17", "-O2", "-pthread", "-o", PROGRAM, f"{SOURCES}/main.c", f"{SOURCES}/hold.S"],
                   check=True)
    equal(subprocess.run([PROGRAM], check=False).returncode, 0, "exit status")


if __name__ == "__main__":
    harness.main()
