#!/usr/bin/python3
"""The project's own Swift tests, on this kernel: those that simulate no devices."""

import glob
import os
import re
import subprocess

import harness
from harness import Skipped, test
from stepperd import PROGRAMS

GUEST = {"udev": True, "long": True}
#: Seconds for all tests of a target: many more than they take, on a machine that does other things.
harness.LIMIT = 300


def run(target):
    """Runs the tests of one target; fails with what it printed last."""
    bundles = glob.glob(f"{PROGRAMS}/*PackageTests.xctest")
    if not bundles:
        raise Skipped("the Swift tests are not built")
    done = subprocess.run(
        [bundles[0], "--testing-library", "swift-testing", "--filter", rf"^{target}"], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", timeout=280, check=False, cwd="/tmp",
        env={**os.environ, "NO_COLOR": "1", "STEPPERD_REAL_KERNEL": "1"})
    print(done.stdout)
    if re.search(r"Test run with 0 tests", done.stdout):
        raise AssertionError(f"no tests of {target} in {bundles[0]}: built before they were written?")
    if done.returncode:
        failures = [line for line in done.stdout.splitlines() if "✘" in line]
        raise AssertionError(f"status {done.returncode}: {' | '.join(failures[:3]) or done.stdout[-300:]}")


@test
def linux():
    """Descriptors, loop, sockets, signals, files; names, identities and problems of devices, by this guest's libevdev."""
    run("StepperLinuxTests.")


@test
def daemon():
    """Holds and subscriptions with this kernel's clock and sockets."""
    run("StepperDaemonTests.(Hold|Subscription)Tests")


if __name__ == "__main__":
    harness.main()
