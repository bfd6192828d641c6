#!/usr/bin/python3
"""The wall clock is set while a button is held and values are saved: nothing here goes by it."""

import os
import time

import harness
from harness import equal, test
from stepperd import Daemon, configuration
from uinput import KEY_VOLUMEUP, REL_DIAL, Reader, panel
from waiting import eventually

GUEST = {"udev": True}

CONFIGURATION = """
[daemon]
save-after = "200ms"
save-interval = "200ms"
""" + configuration("panel", volume="minimum = -100000\nmaximum = 100000\ninitial = 0")

#: Backwards before everything, forwards past 2038, a step as of a time server.
MOVES = [-20 * 365 * 86400, 20 * 365 * 86400, 5, -5]


def start(stack):
    """A panel, and a daemon that reads it."""
    device = stack.enter_context(panel())
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    daemon.wait_for_device("panel")
    return device, daemon


def saved(daemon):
    """What is on the disk; nothing before the first save."""
    path = f"{daemon.folder}/state/stepperd/values.json"
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def move_clock(stack, seconds):
    """Sets the wall clock; it is right again at the end of the test."""
    def put_back(boot=time.clock_gettime(time.CLOCK_MONOTONIC), wall=time.time()):
        time.clock_settime(time.CLOCK_REALTIME, wall + time.clock_gettime(time.CLOCK_MONOTONIC) - boot)
    stack.callback(put_back)
    time.clock_settime(time.CLOCK_REALTIME, max(time.time() + seconds, 86400))


@test
def a_hold_goes_on(stack):
    """A button that is held while the clock is set repeats as often as it was held, no more and no less."""
    device, daemon = start(stack)
    value = 0
    with Reader(device.node) as reader:
        for seconds in MOVES:
            device.key(KEY_VOLUMEUP, True)
            press = reader.collect(1)[0].time
            daemon.wait_until_stepped(value, 2)
            move_clock(stack, seconds)
            daemon.wait_until_stepped(value, 4)
            device.key(KEY_VOLUMEUP, False)
            release = reader.collect(1)[0].time
            value = daemon.wait_for_hold(value, press, release)
    # The machine may be busy, but not four times in a row.
    equal(daemon.status()["stalls"] < len(MOVES), True, "setting the clock is no stall")


@test
def values_are_saved(stack):
    """What is turned after the clock was set is saved in its time."""
    device, daemon = start(stack)
    for turned, seconds in enumerate(MOVES, start=1):
        move_clock(stack, seconds)
        device.turn(REL_DIAL, 1)
        daemon.wait_for_value(turned)
        eventually(lambda: f'"{turned}"' in saved(daemon), f"it is saved after {seconds} s")


if __name__ == "__main__":
    harness.main()
