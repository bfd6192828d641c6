#!/usr/bin/python3
"""A USB-like knob through the kernel's HID drivers."""

import harness
from harness import equal, test
from stepperd import Daemon
from uhid import HIDKnob
from uinput import Reader
from waiting import eventually

GUEST = {"udev": True}

CONFIGURATION = """
[device.knob]
match = { name = "Test HID Dial*", has = ["REL_DIAL"] }

[device.keys]
match = { name = "Test HID Dial*", has = ["KEY_VOLUMEUP", "KEY_VOLUMEDOWN"] }

[control.volume]
initial = 50
rotate = "knob:REL_DIAL"
increment = "keys:KEY_VOLUMEUP"
decrement = "keys:KEY_VOLUMEDOWN"
"""


@test
def dial_and_keys(stack):
    """Reports of the dial and of the volume keys move the value."""
    device = stack.enter_context(HIDKnob())
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    found = daemon.wait_for_device("knob")
    equal((found["vendor"], found["product"], found.get("uniqueName")), ("1209", "2303", "serial-1"), "identity")
    daemon.wait_for_device("keys")
    device.turn(20)
    daemon.wait_for_value(70)
    device.turn(-7)
    daemon.wait_for_value(63)
    device.keys(volume_up=True)
    device.keys()
    daemon.wait_for_value(64)
    device.keys(volume_down=True)
    device.keys()
    daemon.wait_for_value(63)


@test
def held_volume_key(stack):
    """A volume key held for longer than the first delay makes exactly the steps its time allows."""
    device = stack.enter_context(HIDKnob())
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    found = daemon.wait_for_device("keys")
    with Reader(found["node"]) as reader:
        device.keys(volume_up=True)
        press = [event for event in reader.collect(2) if event.value == 1][0].time
        daemon.wait_until_stepped(50, 3)
        device.keys()
        release = [event for event in reader.collect(2) if event.code == 115][-1].time
    daemon.wait_for_hold(50, press, release)


@test
def pulled_out_while_held(stack):
    """Pulling it out while a key is down releases the key; plugged in again it works."""
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    with HIDKnob() as device:
        daemon.wait_for_device("keys")
        watch = stack.enter_context(daemon.subscribe("volume"))
        device.keys(volume_up=True)
        watch.states(until=lambda state: state["value"] == 52)
    last = watch.states(until=lambda state: not state["live"])[-1]
    equal(watch.quiet(1.2), True, "nothing moves after the device went")
    device = stack.enter_context(HIDKnob())
    eventually(lambda: daemon.devices()["knob"]["connects"] == 2, "it is taken again")
    daemon.wait_for_device("knob")
    device.turn(1)
    daemon.wait_for_value(last["value"] + 1)


if __name__ == "__main__":
    harness.main()
