#!/usr/bin/python3
"""A device that sends events without end: it is throttled, and nobody else notices."""

import contextlib
import os
import signal
import time

import harness
from connection import Connection
from harness import equal, test
from stepperd import Daemon
from uinput import EV_KEY, EV_REL, EV_SYN, EVENT, KEY_VOLUMEUP, REL_DIAL, SYN_REPORT, Device, knob
from waiting import eventually

GUEST = {"udev": True}

CONFIGURATION = """
[device.knob]
match = { name = "Test Knob" }

[device.storm]
match = { name = "Test Storm" }

[control.volume]
minimum = -1000000
maximum = 1000000
initial = 0
rotate = "knob:REL_DIAL"

[control.other]
minimum = -1000000000
maximum = 1000000000
initial = 0
rotate = "storm:REL_DIAL"

[control.held]
increment = "storm:KEY_VOLUMEUP"
"""


END = (EV_SYN, SYN_REPORT, 0)


@contextlib.contextmanager
def storm(device, *events):
    """Writes `events` again and again, by a process of its own with less right to the processor than the daemon."""
    block = b"".join(EVENT.pack(0, 0, *event) for event in events) * 32
    child = os.fork()
    if child == 0:
        try:
            os.nice(5)
            while True:
                os.write(device.fd, block)
        finally:
            os._exit(0)  # also when the device goes away: the rest of this program is not the child's
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def start(stack):
    """The knob, the device that storms, and the daemon, which has both open."""
    turned = stack.enter_context(knob())
    storming = stack.enter_context(Device("Test Storm", {EV_REL: [REL_DIAL], EV_KEY: [KEY_VOLUMEUP]}))
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    daemon.wait_for_device("knob")
    daemon.wait_for_device("storm")
    return turned, storming, daemon


def processor_seconds(daemon):
    """How long it has run."""
    with open(f"/proc/{daemon.pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@test
def nobody_else_notices(stack):
    """A knob loses no detent and clients are answered while another device storms; memory stays as it is."""
    turned, storming, daemon = start(stack)
    watch = stack.enter_context(daemon.subscribe("volume"))
    before = daemon.memory()
    waits, detents = [], 300
    with storm(storming, (EV_REL, REL_DIAL, 1), END):
        eventually(lambda: "sends more than 4000 frames a second" in (daemon.devices()["storm"].get("problem") or ""), "the storm is reported")
        client = stack.enter_context(Connection(daemon.socket))
        used, began = processor_seconds(daemon), time.monotonic()
        for _ in range(detents):
            turned.turn(REL_DIAL, 1, pause=0.01)
            asked = time.monotonic()
            client.call("org.stepperd.control.Get", control="volume")
            waits.append(time.monotonic() - asked)
        used, taken = processor_seconds(daemon) - used, time.monotonic() - began
    states = watch.states(until=lambda state: state["value"] == detents and state["turned"] == detents)
    equal(states[-1]["value"], detents, "the value of the knob")
    equal(daemon.devices()["knob"]["overruns"], 0, "overruns of the knob")
    waits.sort()
    print(f"Get in a storm: {waits[150] * 1e3:.2f} ms in the middle, {waits[297] * 1e3:.2f} ms for 99 of 100; "
          f"{100 * used / taken:.0f} % of the processor; {before:.1f} MiB before, {daemon.memory():.1f} MiB after")
    equal(waits[150] < 0.05, True, f"a client waits less than 50 ms: {waits[150]}")
    equal(daemon.memory() - before < 8, True, f"{before:.1f} MiB grew to {daemon.memory():.1f} MiB")


@test
def it_is_said_once_and_when_it_is_over(stack):
    """One line at its beginning and one at its end, whatever the storm was."""
    _, storming, daemon = start(stack)
    watch = stack.enter_context(daemon.subscribe("volume"))
    with storm(storming, (EV_REL, REL_DIAL, 1), END):
        eventually(lambda: daemon.devices()["storm"].get("problem"), "the storm is reported")
        equal(watch.quiet(2), True, "nothing is published of another device's control during the storm")
    eventually(lambda: not daemon.devices()["storm"].get("problem"), "the storm is over")
    equal(daemon.text().count("sends more than 4000 frames a second"), 1, "lines at the beginning")
    equal(daemon.text().count("the storm of events ended"), 1, "lines at the end")
    value = daemon.get("other")["value"]
    storming.turn(REL_DIAL, 3)
    daemon.wait_for_value(value + 3, "other")


@test
def what_is_released_in_a_storm_is_released(stack):
    """A button of the device that storms does not stay down after it."""
    _, storming, daemon = start(stack)
    storming.key(KEY_VOLUMEUP, True)
    eventually(lambda: daemon.get("held")["editing"], "the button is down")
    with storm(storming, (EV_REL, REL_DIAL, 1), END):
        eventually(lambda: daemon.devices()["storm"].get("problem"), "the storm is reported")
        storming.key(KEY_VOLUMEUP, False)
        eventually(lambda: not daemon.get("held")["editing"], "the button is up, while the storm goes on")


@test
def a_storm_without_frames_is_one(stack):
    """Events without an end of their frame, and a device that goes away in the midst of it."""
    turned, storming, daemon = start(stack)
    with storm(storming, (EV_REL, REL_DIAL, 1)):
        eventually(lambda: daemon.devices()["storm"].get("problem"), "the storm is reported")
        turned.turn(REL_DIAL, *[1] * 20)
        daemon.wait_for_value(20)
    eventually(lambda: not daemon.devices()["storm"].get("problem"), "the storm is over")
    with storm(storming, (EV_REL, REL_DIAL, 1), END):
        eventually(lambda: daemon.devices()["storm"].get("problem"), "the storm is reported")
        storming.unplug()
        eventually(lambda: daemon.devices()["storm"]["state"] == "absent", "the device is gone")
    turned.turn(REL_DIAL, 5)
    daemon.wait_for_value(25)


if __name__ == "__main__":
    harness.main()
