"""Runs the tests of one file inside the guest, and what they all use.

A test is a function with the decorator :func:`test`; its docstring's first line is what it checks. A test
file ends with ``harness.main()``. Waiting is always for the thing itself, with a deadline: see waiting.py.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
import traceback

import waiting

RESULTS = "/run/job/results"
#: A test that takes longer than this many seconds has failed.
LIMIT = 60

_tests = []


class Skipped(Exception):
    """The test makes no sense here; the text says why."""


class Overdue(BaseException):
    """The test took longer than LIMIT. Not an Exception, so that no test catches it."""


def test(function):
    """Marks a function as a test."""
    _tests.append(function)
    return function


def equal(found, expected, what):
    """Fails unless both are equal."""
    if found != expected:
        raise AssertionError(f"{what}: found {found!r}, expected {expected!r}")


def _overdue(_signal, _frame):
    raise Overdue(f"not done within {LIMIT * waiting.PATIENCE} s")


def _run(function):
    """Runs one test; returns (word, reason)."""
    with contextlib.ExitStack() as stack:
        signal.signal(signal.SIGALRM, _overdue)
        signal.alarm(LIMIT * waiting.PATIENCE)
        # Otherwise the device of the test before may be reported as removed while this test has one at the same node.
        if os.path.exists("/run/udev/control"):
            subprocess.run(["udevadm", "settle"], check=True)
        try:
            if function.__code__.co_argcount:
                function(stack)
            else:
                function()
        finally:
            signal.alarm(0)


def main(explain=None):
    """Runs the tests of the file that calls it, or those named on the command line.

    `explain` is called after each that failed, to print more about it.
    """
    names = sys.argv[1:]
    with open(RESULTS, "a", encoding="utf-8") as results:
        for function in _tests:
            name = function.__name__
            if names and name not in names:
                continue
            print(f"--- {name}")
            start, reason = time.monotonic(), ""
            try:
                _run(function)
                word = "pass"
            except Skipped as skipped:
                word, reason = "skip", str(skipped)
            except (Exception, Overdue) as error:  # pylint: disable=broad-except
                word, reason = "fail", f"{type(error).__name__}: {error}".replace("\n", " ")
                traceback.print_exc(file=sys.stdout)
                if explain:
                    explain()
            taken = time.monotonic() - start
            results.write(f"{word}\t{name}\t{taken:.2f}\t{reason}\n")
            results.flush()
        results.write("done\n")
        results.flush()
        os.fsync(results.fileno())
