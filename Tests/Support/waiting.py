"""Waiting with a deadline: the only file of the tests and scripts that lets time pass by itself.

Where the kernel tells of an event, wait for that: read a socket or a pipe with a timeout, wait for a process.
"""

import os
import time

#: All deadlines are longer by this factor, for a slow machine.
PATIENCE = int(os.environ.get("STEPPERD_PATIENCE", "1"))
#: Seconds between two looks at a condition.
INTERVAL = 0.002


def eventually(probe, what, timeout=5.0):
    """Calls `probe` until it returns something true, and returns that. Fails after `timeout` seconds.

    For conditions of which the kernel gives no event. `what` is the text of the failure, or a function that
    returns it.
    """
    deadline = time.monotonic() + timeout * PATIENCE
    while True:
        result = probe()
        if result:
            return result
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {timeout * PATIENCE} s: {what() if callable(what) else what}")
        time.sleep(INTERVAL)


def pace(seconds):
    """Lets time pass that is part of the input: between two movements of a hand, two edges of a contact.

    Never to wait for something to happen.
    """
    time.sleep(seconds)
