#!/usr/bin/python3
"""Devices that come and go."""

import harness
from harness import equal, test
from connection import Subscription
from stepperd import Daemon, configuration
from uinput import BTN_0, KEY_VOLUMEUP, REL_DIAL, Reader, buttons, knob
from waiting import eventually

GUEST = {"udev": True}

CONFIGURATION = configuration("knob", "front", volume="initial = 0\nmaximum = 1000")


@test
def plugged_in_before_the_daemon(stack):
    """A device which is there when the daemon starts is taken."""
    device = stack.enter_context(knob())
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    found = daemon.wait_for_device("knob")
    equal((found["name"], found["vendor"], found["product"], found["node"], found["connects"], found["virtual"]),
          ("Test Knob", "1209", "2303", device.node, 1, False), "device")
    device.turn(REL_DIAL, 1)
    daemon.wait_for_value(1)


@test
def plugged_in_while_the_daemon_runs(stack):
    """The daemon starts with no device, waits, and takes one when it comes; subscribers hear of both."""
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    equal((daemon.devices()["knob"]["state"], daemon.get()["live"]), ("absent", False), "at start")
    watch = stack.enter_context(Subscription(daemon.socket, "org.stepperd.device.Subscribe"))
    equal(watch.first["snapshot"], True, "snapshot")
    volume = stack.enter_context(daemon.subscribe("volume"))
    device = stack.enter_context(knob())
    states = []
    while not states or states[-1] != "open":
        states += [found["state"] for found in watch.next()["devices"] if found["device"] == "knob"]
    volume.states(until=lambda state: state["live"])
    device.turn(REL_DIAL, 3)
    volume.states(until=lambda state: state["value"] == 3)
    device.unplug()
    while states[-1] != "absent":
        states += [found["state"] for found in watch.next()["devices"] if found["device"] == "knob"]
    volume.states(until=lambda state: not state["live"] and state["value"] == 3)


@test
def unplugged_while_held(stack):
    """A button that is unplugged while it is held is released."""
    device = stack.enter_context(buttons())
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    daemon.wait_for_device("front")
    watch = stack.enter_context(daemon.subscribe("volume"))
    device.key(KEY_VOLUMEUP, True)
    watch.states(until=lambda state: state["value"] >= 2)
    device.unplug()
    last = watch.states(until=lambda state: not state["live"])[-1]
    equal(watch.quiet(1.2), True, "nothing moves after the device went")
    equal(daemon.get()["value"], last["value"], "value")
    again = stack.enter_context(buttons())
    watch.states(until=lambda state: state["live"])
    equal(watch.quiet(0.7), True, "nothing moves when it comes back")
    again.key(KEY_VOLUMEUP, True)
    again.key(KEY_VOLUMEUP, False)
    watch.states(until=lambda state: state["value"] == last["value"] + 1)


@test
def plugged_in_again_at_once(stack):
    """Unplugged and plugged in again within a second, many times, and nothing is lost or left behind."""
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    with knob():  # whatever is opened once and for all is open after the first one
        daemon.wait_for_device("knob")
    daemon.wait_for_device("knob", "absent")
    descriptors = daemon.descriptors()
    for round_ in range(1, 11):
        with knob() as device:
            eventually(lambda: daemon.devices()["knob"]["connects"] == round_ + 1
                       and daemon.devices()["knob"]["state"] == "open", f"connected {round_} times")
            device.turn(REL_DIAL, 2)
            daemon.wait_for_value(2 * round_)
    daemon.wait_for_device("knob", "absent")
    equal(daemon.get()["turned"], 20, "turned")
    eventually(lambda: daemon.descriptors() == descriptors,
               f"as many open files as before: {daemon.descriptors()} instead of {descriptors}")


@test
def replaced_without_a_pause(stack):
    """The new device is there before the old one's departure is noticed."""
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    first = stack.enter_context(knob())
    daemon.wait_for_device("knob")
    daemon.pause()
    first.unplug()
    second = stack.enter_context(knob())
    equal(second.node, first.node, "node, which the kernel uses again")
    daemon.resume()
    eventually(lambda: daemon.devices()["knob"]["connects"] == 2, "the second one is taken")
    daemon.wait_for_device("knob")
    second.turn(REL_DIAL, 4)
    daemon.wait_for_value(4)


@test
def two_of_one_name(stack):
    """Two devices of the same name both drive the control, and each may go."""
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    first, second = stack.enter_context(knob()), stack.enter_context(knob())
    found = [daemon.wait_for_device("knob"), daemon.wait_for_device("knob:2")]
    equal({device["node"] for device in found}, {first.node, second.node}, "nodes")
    first.turn(REL_DIAL, 1, 1)
    second.turn(REL_DIAL, 5)
    daemon.wait_for_value(7)
    first.unplug()
    eventually(lambda: sum(name.startswith("knob") and device["state"] == "open"
                           for name, device in daemon.devices().items()) == 1, "one is left")
    equal(daemon.get()["live"], True, "live")
    second.turn(REL_DIAL, 3)
    daemon.wait_for_value(10)
    second.unplug()
    eventually(lambda: not daemon.get()["live"], "no longer live")


@test
def the_other_ones_release_ends_no_hold(stack):
    """Of two devices of one name, one's hold goes on when the other one is unplugged."""
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    first, second = stack.enter_context(buttons()), stack.enter_context(buttons())
    daemon.wait_for_device("front")
    daemon.wait_for_device("front:2")
    watch = stack.enter_context(daemon.subscribe("volume"))
    with Reader(first.node) as reader:
        first.key(KEY_VOLUMEUP, True)
        press = reader.collect(1)[0].time
        watch.states(until=lambda state: state["value"] >= 1)
        second.unplug()
        watch.states(until=lambda state: state["value"] >= 4)
        first.key(KEY_VOLUMEUP, False)
        release = reader.collect(1)[0].time
    daemon.wait_for_hold(0, press, release)


@test
def held_when_it_came(stack):
    """A button that is down already when the device is opened is no press."""
    device = stack.enter_context(buttons())
    device.key(KEY_VOLUMEUP, True)
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    daemon.wait_for_device("front")
    watch = stack.enter_context(daemon.subscribe("volume"))
    equal((watch.first["states"][0]["value"], watch.quiet(1.2)), (0, True), "value, and nothing moves")
    device.key(KEY_VOLUMEUP, False)
    device.key(KEY_VOLUMEUP, True)
    device.key(KEY_VOLUMEUP, False)
    daemon.wait_for_value(1)


@test
def idle_daemon_sleeps(stack):
    """With devices but without events the daemon does not wake up over and over."""
    device = stack.enter_context(knob())
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    daemon.wait_for_device("knob")
    watch = stack.enter_context(daemon.subscribe("volume"))
    device.turn(REL_DIAL, 1)
    device.key(BTN_0, True)
    device.key(BTN_0, False)
    watch.states(until=lambda state: state["value"] == 1 and not state["editing"])
    before = daemon.wakeups()
    equal(watch.quiet(1), True, "nothing is published")
    equal(daemon.wakeups() - before < 20, True, f"{daemon.wakeups() - before} wakeups in a second")


if __name__ == "__main__":
    harness.main()
