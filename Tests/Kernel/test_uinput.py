#!/usr/bin/python3
"""From a device to a value: knobs, wheels, buttons and faders made with uinput."""

import harness
from harness import equal, test
from stepperd import Daemon, configuration, steps_of_hold
from uinput import (ABS_VOLUME, BTN_0, EV_ABS, EV_KEY, EV_REL, KEY_VOLUMEDOWN, KEY_VOLUMEUP, REL_DIAL, REL_WHEEL,
                    REL_WHEEL_HI_RES, REL_X, Device, Reader, buttons, knob)
from waiting import eventually

GUEST = {"udev": True}

RANGE = "minimum = -1000\nmaximum = 1000\ninitial = 0\n"
KNOB = configuration("knob", volume=RANGE + 'push = { input = "knob:BTN_0", short = "reset" }')

BUTTONS = configuration("front", volume="initial = 50")


def hold(device, code, until):
    """Holds a button until `until` returns; returns (press, release) as the kernel stamped them."""
    with Reader(device.node) as reader:
        device.key(code, True)
        press = reader.collect(1)[0].time
        until()
        device.key(code, False)
        return press, reader.collect(1)[0].time


@test
def knob_counts_its_full_delta(stack):
    """±1 to ±7 in one frame are that many detents, and the sum is exact."""
    device = stack.enter_context(knob())
    daemon = stack.enter_context(Daemon(KNOB))
    daemon.wait_for_device("knob")
    watch = stack.enter_context(daemon.subscribe("volume"))
    deltas = [1, 2, 3, 4, 5, 6, 7, -1, -2, -3, 7, 7, 7, -7, 1, 1, -1]
    device.turn(REL_DIAL, *deltas)
    states = watch.states(until=lambda state: state["value"] == sum(deltas) and state["turned"] == sum(deltas))
    equal((states[-1]["origin"], states[-1]["live"]), ("device", True), "origin and live")
    equal(daemon.devices()["knob"]["overruns"], 0, "overruns")


@test
def short_push_resets(stack):
    """The knob's own button goes back to the initial value."""
    device = stack.enter_context(knob())
    daemon = stack.enter_context(Daemon(KNOB))
    daemon.wait_for_device("knob")
    device.turn(REL_DIAL, 5)
    daemon.wait_for_value(5)
    device.key(BTN_0, True)
    watch = stack.enter_context(daemon.subscribe("volume"))
    if not watch.first["states"][0]["pressed"]:
        watch.states(until=lambda state: state["pressed"])
    device.key(BTN_0, False)
    state = watch.states(until=lambda state: not state["pressed"])[-1]
    equal((state["value"], state["presses"]), (0, 1), "value and presses")


@test
def encoder_on_rel_x(stack):
    """A KY-040 as the kernel shows it: a node with REL_X and nothing else."""
    device = stack.enter_context(Device("Test KY-040", {EV_REL: [REL_X]}))
    daemon = stack.enter_context(Daemon(configuration("knob", match="Test KY*", volume=RANGE).replace("REL_DIAL", "REL_X")))
    daemon.wait_for_device("knob")
    device.turn(REL_X, *[1] * 20)
    daemon.wait_for_value(20)
    device.turn(REL_X, *[-1] * 25)
    daemon.wait_for_value(-5)
    equal(daemon.get()["turned"], -5, "turned")


@test
def held_button_repeats_exactly(stack):
    """A button held for about 3 s makes exactly the steps its time allows, up and down."""
    device = stack.enter_context(buttons())
    daemon = stack.enter_context(Daemon(BUTTONS))
    daemon.wait_for_device("front")
    value = 50
    for code, direction in ((KEY_VOLUMEUP, 1), (KEY_VOLUMEDOWN, -1)):
        held = hold(device, code, lambda before=value: daemon.wait_until_stepped(before, 15))
        value = daemon.wait_for_hold(value, *held, direction)
    watch = stack.enter_context(daemon.subscribe("volume"))
    equal(watch.quiet(0.7), True, "nothing moves after the release")


@test
def every_repeat_comes_at_its_time(stack):
    """Each change of a hold carries the time it was due at, counted from the kernel's time of the press."""
    device = stack.enter_context(buttons())
    daemon = stack.enter_context(Daemon(BUTTONS))
    daemon.wait_for_device("front")
    watch = stack.enter_context(daemon.subscribe("volume"))
    with Reader(device.node) as reader:
        device.key(KEY_VOLUMEUP, True)
        press = reader.collect(1)[0].time
        states = watch.states(until=lambda state: state["value"] >= 58, timeout=20)
        device.key(KEY_VOLUMEUP, False)
        release = reader.collect(1)[0].time
    found = [(state["value"] - 50, state["monotonicMicroseconds"] - press) for state in states]
    equal(found, sorted(set(found)), "(steps, microseconds after the press)")
    if not daemon.status()["stalls"]:  # those move what comes after them
        for steps, time_held in found:  # some may be missing: a busy daemon tells of two steps at once
            equal((steps_of_hold(0, time_held - 1), steps_of_hold(0, time_held)), (steps - 1, steps),
                  f"steps due before and at {time_held} microseconds after the press")
    daemon.wait_for_hold(50, press, release)


@test
def second_button_is_ignored(stack):
    """While one button is held the other one does nothing."""
    device = stack.enter_context(buttons())
    daemon = stack.enter_context(Daemon(BUTTONS))
    daemon.wait_for_device("front")
    with Reader(device.node) as reader:
        device.key(KEY_VOLUMEUP, True)
        press = reader.collect(1)[0].time
        device.key(KEY_VOLUMEDOWN, True)
        device.key(KEY_VOLUMEDOWN, False)
        reader.collect(2)
        daemon.wait_until_stepped(50, 2)
        device.key(KEY_VOLUMEUP, False)
        release = reader.collect(1)[0].time
    daemon.wait_for_hold(50, press, release)


@test
def kernel_autorepeat_steps_nothing(stack):
    """Events of value 2 mean "still held"."""
    device = stack.enter_context(buttons())
    daemon = stack.enter_context(Daemon(BUTTONS))
    daemon.wait_for_device("front")
    with Reader(device.node) as reader:
        device.key(KEY_VOLUMEUP, True)
        events = reader.collect(1)
        for _ in range(20):
            device.emit((EV_KEY, KEY_VOLUMEUP, 2))
            events += reader.collect(1)
        device.key(KEY_VOLUMEUP, False)
        events += reader.collect(1)
    equal([event.value for event in events], [1] + [2] * 20 + [0], "the kernel's events")
    value = daemon.wait_for_hold(50, events[0].time, events[-1].time)
    eventually(lambda: daemon.devices()["front"]["events"] >= 22, "all events are read")
    equal(daemon.get()["value"], value, "value")


@test
def hold_ends_at_the_limit(stack):
    """A held button stops at the maximum and does not wrap."""
    device = stack.enter_context(buttons())
    daemon = stack.enter_context(Daemon(BUTTONS.replace("initial = 50", "initial = 98")))
    daemon.wait_for_device("front")
    watch = stack.enter_context(daemon.subscribe("volume"))
    device.key(KEY_VOLUMEUP, True)
    state = watch.states(until=lambda state: state["limit"] == "maximum")[-1]
    equal(state["value"], 100, "value")
    equal(watch.quiet(1.2), True, "nothing moves at the limit")
    daemon.set(90)
    watch.states(until=lambda state: state["value"] == 90)
    equal(watch.quiet(1.2), True, "the hold has ended, so that a set value stays")
    device.key(KEY_VOLUMEUP, False)
    device.key(KEY_VOLUMEUP, True)
    device.key(KEY_VOLUMEUP, False)
    daemon.wait_for_value(91)


@test
def high_resolution_wheel(stack):
    """A wheel with both axes counts each notch once, and fractions add up to notches."""
    device = stack.enter_context(Device("Test Wheel", {EV_REL: [REL_WHEEL, REL_WHEEL_HI_RES]}))
    daemon = stack.enter_context(Daemon(
        configuration("knob", match="Test Wheel", volume=RANGE).replace("REL_DIAL", "REL_WHEEL")))
    daemon.wait_for_device("knob")
    for _ in range(5):  # whole notches: both axes in one frame
        device.emit((EV_REL, REL_WHEEL_HI_RES, 120), (EV_REL, REL_WHEEL, 1))
    daemon.wait_for_value(5)
    for part in range(1, 13):  # three notches in quarters; the low axis comes with each fourth
        events = [(EV_REL, REL_WHEEL_HI_RES, 30)]
        device.emit(*events, *([(EV_REL, REL_WHEEL, 1)] if part % 4 == 0 else []))
    daemon.wait_for_value(8)
    device.emit((EV_REL, REL_WHEEL_HI_RES, -240), (EV_REL, REL_WHEEL, -2))
    daemon.wait_for_value(6)
    equal(daemon.get()["turned"], 6, "turned")


@test
def absolute_fader(stack):
    """The fader's place in its range is the value's place in the control's."""
    device = stack.enter_context(Device("Test Fader", {EV_ABS: {ABS_VOLUME: (-512, 512)}}))
    daemon = stack.enter_context(Daemon("""
[device.fader]
match = { name = "Test Fader" }

[control.volume]
initial = 30
absolute = "fader:ABS_VOLUME"
"""))
    daemon.wait_for_device("fader")
    for position, value in ((512, 100), (-512, 0), (256, 75), (0, 50), (-256, 25), (512, 100)):
        device.emit((EV_ABS, ABS_VOLUME, position))
        daemon.wait_for_value(value)


@test
def fader_picks_the_value_up(stack):
    """With soft pickup a fader takes over when it reaches or passes the value, also in one jump, and from where it
    stood when it was connected."""
    device = stack.enter_context(Device("Test Fader", {EV_ABS: {ABS_VOLUME: (0, 1000)}}))
    device.emit((EV_ABS, ABS_VOLUME, 200))
    daemon = stack.enter_context(Daemon("""
[device.fader]
match = { name = "Test Fader" }
axis = { ABS_VOLUME = { minimum = 0, maximum = 1000, hysteresis = 4 } }

[control.volume]
initial = 50
pickup = "soft"
absolute = "fader:ABS_VOLUME"

[control.touched]
absolute = "fader:ABS_VOLUME"
"""))
    daemon.wait_for_device("fader")
    device.emit((EV_ABS, ABS_VOLUME, 300))  # below the value: it has not got hold of it
    daemon.wait_for_value(30, "touched")
    equal(daemon.get()["value"], 50, "value while the fader is below it")
    device.emit((EV_ABS, ABS_VOLUME, 900))  # jumps over it
    daemon.wait_for_value(90)
    daemon.set(20)
    device.emit((EV_ABS, ABS_VOLUME, 700))
    daemon.wait_for_value(70, "touched")
    equal(daemon.get()["value"], 20, "value that was set from elsewhere")
    device.emit((EV_ABS, ABS_VOLUME, 100))
    daemon.wait_for_value(10)
    device.emit((EV_ABS, ABS_VOLUME, 103))  # noise
    device.emit((EV_ABS, ABS_VOLUME, 120))
    daemon.wait_for_value(12)


@test
def press_and_turn_moves_a_second_control(stack):
    """While the knob is pressed a turn belongs to the other control, and the press is none."""
    device = stack.enter_context(knob())
    daemon = stack.enter_context(Daemon("""
[device.knob]
match = { name = "Test Knob" }

[control.volume]
initial = 50
rotate = "knob:REL_DIAL"
push = { input = "knob:BTN_0", short = "reset" }

[control.balance]
minimum = -50
maximum = 50
rotate = { input = "knob:REL_DIAL", while = "knob:BTN_0", multiplier = 5 }
"""))
    daemon.wait_for_device("knob")
    device.turn(REL_DIAL, 3)
    daemon.wait_for_value(53)
    device.key(BTN_0, True)
    device.turn(REL_DIAL, 1, 1)
    daemon.wait_for_value(10, "balance")
    device.key(BTN_0, False)
    device.turn(REL_DIAL, 1)
    daemon.wait_for_value(54)
    equal(daemon.get("balance")["value"], 10, "balance")


@test
def keyboard_as_gtk_has_it(stack):
    """The keys of a GtkSpinButton: small step, page, and to the limit."""
    device = stack.enter_context(Device("Test Keys", {EV_KEY: [103, 108, 104, 109, 107, 102]}))
    daemon = stack.enter_context(Daemon("""
[device.keys]
match = { name = "Test Keys" }

[control.volume]
profile = "gtk/keys"
initial = 50
increment = "keys:KEY_UP"
decrement = "keys:KEY_DOWN"
page-increment = "keys:KEY_PAGEUP"
page-decrement = "keys:KEY_PAGEDOWN"
to-maximum = "keys:KEY_END"
to-minimum = "keys:KEY_HOME"
"""))
    daemon.wait_for_device("keys")
    for code, value in ((103, 51), (104, 61), (109, 51), (108, 50), (107, 100), (108, 99), (102, 0)):
        device.key(code, True)
        device.key(code, False)
        daemon.wait_for_value(value)


@test
def unused_device_is_listed_and_left_alone(stack):
    """A device that no table matches is shown as unused, and not opened."""
    device = stack.enter_context(buttons("Test Other"))
    daemon = stack.enter_context(Daemon(KNOB))
    name = device.node.rpartition("/")[2]
    daemon.wait_for_device(name, "unused")
    equal(daemon.devices()[name]["name"], "Test Other", "name")
    equal(daemon.devices()["knob"]["state"], "absent", "state of the configured knob")
    equal(daemon.get()["live"], False, "live")


if __name__ == "__main__":
    harness.main()
