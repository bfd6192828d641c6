#!/usr/bin/python3
"""Devices for the daemon alone, and devices that another program has for itself."""

import harness
from harness import equal, test
from stepperd import Daemon, configuration
from uinput import EV_KEY, KEY_VOLUMEUP, REL_DIAL, Reader, buttons, knob
from waiting import eventually

GUEST = {"udev": True}

CONFIGURATION = configuration("knob", "front", each="grab = true", volume="initial = 0")


@test
def grab_isolates(stack):
    """With `grab = true` nobody else sees an event or can take the device."""
    device = stack.enter_context(knob())
    reader = stack.enter_context(Reader(device.node))
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    daemon.wait_for_device("knob", "grabbed")
    equal(reader.grab(), False, "another program's grab works")
    device.turn(REL_DIAL, 1, 2, 3)
    daemon.wait_for_value(6)
    equal(reader.read(), [], "events that another program sees")


@test
def without_grab_everybody_reads(stack):
    """Without `grab` the device stays everybody's."""
    device = stack.enter_context(knob())
    reader = stack.enter_context(Reader(device.node))
    daemon = stack.enter_context(Daemon(CONFIGURATION.replace("grab = true", "")))
    daemon.wait_for_device("knob", "open")
    device.turn(REL_DIAL, 1, 2)
    daemon.wait_for_value(3)
    equal(len(reader.collect(2)), 2, "events that another program sees")
    equal(reader.grab(), True, "another program's grab works")


@test
def grabbed_by_another_program(stack):
    """Such a device is busy, says so, costs nothing, and is taken when it is free."""
    device = stack.enter_context(knob())
    other = stack.enter_context(Reader(device.node))
    equal(other.grab(), True, "the other program's grab")
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    found = daemon.wait_for_device("knob", "busy")
    equal(bool(found.get("problem")), True, "a problem is given")
    equal("program" in found["problem"], True, f"the problem speaks of another program: {found['problem']!r}")
    watch = stack.enter_context(daemon.subscribe("volume"))
    before = daemon.wakeups()
    equal(watch.quiet(1), True, "nothing is published while it waits")
    equal(daemon.wakeups() - before < 30, True, f"{daemon.wakeups() - before} wakeups in a second of waiting")
    said = [line for line in daemon.text().splitlines() if line.startswith("device:") and found["problem"] in line]
    equal(len(said), 1, "how often it is said in the log")
    device.turn(REL_DIAL, 5)
    other.collect(1)
    other.grab(False)
    daemon.wait_for_device("knob", "grabbed", timeout=15)
    equal(other.grab(), False, "the other program's second grab works")
    value = daemon.get()["value"]
    device.turn(REL_DIAL, 2)
    daemon.wait_for_value(value + 2)


@test
def grab_waits_for_the_release(stack):
    """A device is not grabbed while a key is down, so that others see its release."""
    device = stack.enter_context(buttons())
    other = stack.enter_context(Reader(device.node))
    device.key(KEY_VOLUMEUP, True)
    other.collect(1)
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    eventually(lambda: daemon.devices()["front"]["state"] != "absent", "the device is seen")
    device.key(KEY_VOLUMEUP, False)
    equal([event[1:] for event in other.collect(1)], [(EV_KEY, KEY_VOLUMEUP, 0)], "the release")
    daemon.wait_for_device("front", "grabbed", timeout=15)
    device.key(KEY_VOLUMEUP, True)
    device.key(KEY_VOLUMEUP, False)
    eventually(lambda: daemon.get()["value"] >= 1, "the daemon has it now")
    equal(other.read(), [], "events that another program sees")


@test
def grab_goes_with_the_daemon(stack):
    """When the daemon ends, the device is free."""
    device = stack.enter_context(knob())
    reader = stack.enter_context(Reader(device.node))
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    daemon.wait_for_device("knob", "grabbed")
    equal(daemon.stop(), 0, "exit status")
    equal(reader.grab(), True, "the device is free")


if __name__ == "__main__":
    harness.main()
