#!/usr/bin/python3
"""SYN_DROPPED: the daemon stands still while more events come than the kernel keeps for it."""

import harness
from harness import equal, test
from stepperd import Daemon, configuration
from uinput import ABS_VOLUME, EV_ABS, KEY_VOLUMEDOWN, KEY_VOLUMEUP, REL_DIAL, panel
from waiting import eventually

GUEST = {"udev": True}

CONFIGURATION = configuration("panel", volume="minimum = -100000\nmaximum = 100000\ninitial = 0") + """
[control.level]
initial = 0
absolute = "panel:ABS_VOLUME"
"""


def overflow(device):
    """More frames than the kernel keeps for one reader."""
    device.turn(REL_DIAL, *[1] * 2000, pause=0)


def start(stack):
    """The device and the daemon, which has it open."""
    device = stack.enter_context(panel())
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    daemon.wait_for_device("panel")
    return device, daemon


def overran(daemon):
    """Waits for the daemon to have seen the loss."""
    eventually(lambda: daemon.devices()["panel"]["overruns"] >= 1, "the loss is counted")
    equal(daemon.status()["overruns"] >= 1, True, "the loss is in the manager's numbers")


@test
def a_lost_turn_is_counted(stack):
    """The loss is counted, and the knob goes on afterwards from where it was."""
    device, daemon = start(stack)
    device.turn(REL_DIAL, 5)
    daemon.wait_for_value(5)
    daemon.pause()
    overflow(device)
    daemon.resume()
    overran(daemon)
    device.turn(REL_DIAL, 1)
    eventually(lambda: daemon.get()["value"] > 5, "it counts again")
    value = daemon.get()["value"]
    device.turn(REL_DIAL, 3)
    eventually(lambda: daemon.get()["value"] in (value + 3, value + 4), "three more")


@test
def a_lost_release_sticks_nothing(stack):
    """A button whose release was lost is not held for ever."""
    device, daemon = start(stack)
    watch = stack.enter_context(daemon.subscribe("volume"))
    device.key(KEY_VOLUMEUP, True)
    watch.states(until=lambda state: state["value"] == 2)
    daemon.pause()
    device.key(KEY_VOLUMEUP, False)
    overflow(device)
    daemon.resume()
    overran(daemon)
    daemon.rests_and_steps(device, KEY_VOLUMEUP, watch, by=1)


@test
def a_lost_press_is_no_stuck_button(stack):
    """A button that was pressed and released while nobody listened is up."""
    device, daemon = start(stack)
    watch = stack.enter_context(daemon.subscribe("volume"))
    daemon.pause()
    device.key(KEY_VOLUMEDOWN, True)
    overflow(device)
    device.key(KEY_VOLUMEDOWN, False)
    daemon.resume()
    overran(daemon)
    daemon.rests_and_steps(device, KEY_VOLUMEDOWN, watch, by=-1)


@test
def a_hold_through_the_loss_ends_with_its_release(stack):
    """A button that is really still down after the loss ends when it is released, whatever it did meanwhile."""
    device, daemon = start(stack)
    watch = stack.enter_context(daemon.subscribe("volume"))
    device.key(KEY_VOLUMEUP, True)
    watch.states(until=lambda state: state["value"] == 1)
    daemon.pause()
    overflow(device)
    daemon.resume()
    overran(daemon)
    watch.quiet(0.6)  # a repeat may come or not
    device.key(KEY_VOLUMEUP, False)
    daemon.rests_and_steps(device, KEY_VOLUMEUP, watch, by=1)


@test
def a_fader_is_read_again(stack):
    """An absolute axis that moved during the loss is where it really is."""
    device, daemon = start(stack)
    device.emit((EV_ABS, ABS_VOLUME, 10))
    daemon.wait_for_value(10, "level")
    daemon.pause()
    device.emit((EV_ABS, ABS_VOLUME, 80))
    overflow(device)
    daemon.resume()
    overran(daemon)
    daemon.wait_for_value(80, "level")


@test
def a_stall_slams_nothing(stack):
    """A daemon that stood still while a button was held does not catch up with all the repeats at once."""
    device, daemon = start(stack)
    watch = stack.enter_context(daemon.subscribe("volume"))
    device.key(KEY_VOLUMEUP, True)
    value = watch.states(until=lambda state: state["value"] >= 5)[-1]["value"]  # from here on every 100 ms
    daemon.pause()
    while not watch.quiet(0.01):  # what it sent before it was stopped
        value = watch.unexpected["states"][-1]["value"]
    equal(watch.quiet(3), True, "the stopped daemon sends nothing: this is the stall")
    daemon.resume()
    first = watch.next()["states"][0]["value"]
    equal(first <= value + 2, True, f"first value after the stall at {value}, {first}, is one of the next")
    device.key(KEY_VOLUMEUP, False)
    eventually(lambda: daemon.status()["stalls"] >= 1, "the stall is counted")


@test
def a_press_in_a_stall_slams_nothing(stack):
    """A button that goes down while the daemon stands still is held from the end of the stall on, whatever the time of its event."""
    device, daemon = start(stack)
    watch = stack.enter_context(daemon.subscribe("volume"))
    daemon.pause()
    device.key(KEY_VOLUMEUP, True)
    equal(watch.quiet(3), True, "the stopped daemon sends nothing: this is the stall")
    daemon.resume()
    first = watch.next()["states"][0]["value"]
    equal(1 <= first <= 3, True, f"first value after the stall at 0, {first}, is one of the next")
    device.key(KEY_VOLUMEUP, False)
    eventually(lambda: daemon.status()["stalls"] >= 1, "the stall is counted")


if __name__ == "__main__":
    harness.main()
