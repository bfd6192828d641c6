#!/usr/bin/python3
"""From contacts on pins to a value: the kernel's rotary-encoder and gpio-keys drivers on simulated lines."""

import harness
from gpio import Button, Encoder, Lines
from harness import equal, test
from stepperd import Daemon
from udev import OUR_GROUP, owner, settle
from uinput import Reader, node_named
from waiting import eventually

GUEST = {"udev": True, "device_tree": "steppers.dts"}

CONFIGURATION = """
[device.knob]
match = { name = "dial" }

[device.plain]
match = { name = "rotary" }

[device.front]
match = { name = "gpio-keys" }

[control.volume]
initial = 50
rotate = "knob:REL_DIAL"
increment = "front:KEY_VOLUMEUP"
decrement = "front:KEY_VOLUMEDOWN"
push = { input = "front:KEY_MUTE", short = "reset" }

[control.page]
initial = 50
rotate = "plain:REL_X"
"""


def hold(button, node, until):
    """Holds a button until `until` returns; returns (press, release) as the kernel stamped them, after debouncing."""
    with Reader(node) as reader:
        button.press(bounce=5)
        press = reader.collect(1)[0].time
        until()
        button.release(bounce=5)
        return press, reader.collect(1)[0].time


def start(stack):
    """The lines and the daemon."""
    lines = stack.enter_context(Lines())
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    return lines, daemon


@test
def twenty_detents(stack):
    """A real rotary encoder turned by 20 detents moves the value by exactly 20, and back."""
    lines, daemon = start(stack)
    daemon.wait_for_device("knob")
    watch = stack.enter_context(daemon.subscribe("volume"))
    encoder = Encoder(lines, 0, 1)
    encoder.turn(20)
    states = watch.states(until=lambda state: state["turned"] == 20)
    equal(states[-1]["value"], 70, "value")
    encoder.turn(-20)
    states = watch.states(until=lambda state: state["turned"] == 0 and not state["editing"])
    equal(states[-1]["value"], 50, "value after turning back")
    equal(watch.quiet(0.3), True, "nothing moves afterwards")


@test
def bouncing_contacts(stack):
    """Contacts that chatter at each edge, and a hand that only touches the knob, change nothing."""
    lines, daemon = start(stack)
    daemon.wait_for_device("knob")
    encoder = Encoder(lines, 0, 1)
    encoder.jitter()
    encoder.turn(10, bounce=3)
    encoder.jitter()
    daemon.wait_for_value(60)
    encoder.turn(-15, bounce=3)
    daemon.wait_for_value(45)
    equal(daemon.get()["turned"], -5, "turned")


@test
def encoder_on_rel_x(stack):
    """An encoder whose description names no axis sends REL_X, and counts as well."""
    lines, daemon = start(stack)
    daemon.wait_for_device("plain")
    encoder = Encoder(lines, 5, 6)
    encoder.turn(12)
    daemon.wait_for_value(62, "page")
    encoder.turn(-24)
    daemon.wait_for_value(38, "page")
    equal(daemon.get()["value"], 50, "the other encoder's control")


@test
def held_key_repeats_exactly(stack):
    """A gpio-key held for about 3 s gives exactly the value its time allows, up and down."""
    lines, daemon = start(stack)
    daemon.wait_for_device("front")
    value, node = 50, node_named("gpio-keys")
    for line, direction in ((3, 1), (4, -1)):
        held = hold(Button(lines, line), node, lambda before=value: daemon.wait_until_stepped(before, 15))
        value = daemon.wait_for_hold(value, *held, direction)
    watch = stack.enter_context(daemon.subscribe("volume"))
    equal(watch.quiet(0.7), True, "nothing moves after the release")


@test
def push_resets(stack):
    """The encoder's push button is on another node than its axis, and resets the value."""
    lines, daemon = start(stack)
    daemon.wait_for_device("front")
    daemon.wait_for_device("knob")
    Encoder(lines, 0, 1).turn(3)
    daemon.wait_for_value(53)
    press, release = hold(Button(lines, 2), node_named("gpio-keys"),
                          lambda: eventually(lambda: daemon.get()["pressed"], "it is pressed"))
    print(f"pushed for {(release - press) / 1000} ms")
    daemon.wait_for_value(50)
    equal((daemon.get()["presses"], daemon.get()["pressed"]), (1, False), "presses and pressed")


@test
def rules_give_us_the_pins():
    """By our rules the encoders and the two buttons belong to our group."""
    for name in ("dial", "rotary", "gpio-keys"):
        equal((name, *owner(node_named(name))), (name, "0o660", "stepperd"), "name, mode and group")


@test
def built_in_configuration_takes_them(stack):
    """Without any configuration, and not as root, the encoders and the two buttons drive the volume."""
    lines = stack.enter_context(Lines())
    settle()
    daemon = stack.enter_context(Daemon(None, groups=[OUR_GROUP]))
    daemon.wait_for_device("knob")
    daemon.wait_for_device("knob:2")
    daemon.wait_for_device("buttons")
    Encoder(lines, 0, 1).turn(20)
    daemon.wait_for_value(20)
    Encoder(lines, 5, 6).turn(-5)
    daemon.wait_for_value(15)
    held = hold(Button(lines, 3), node_named("gpio-keys"), lambda: daemon.wait_until_stepped(15, 2))
    daemon.wait_for_hold(15, *held)


if __name__ == "__main__":
    harness.main()
