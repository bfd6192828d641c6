#!/usr/bin/python3
"""That the devices which the other tests make are what the kernel says they are. Needs no daemon."""

import harness
from gpio import Button, Encoder, Lines
from harness import equal, test
from uhid import HIDKnob
from uinput import (ABS_VOLUME, EV_ABS, EV_KEY, EV_REL, EV_SYN, KEY_MUTE, KEY_VOLUMEUP, REL_DIAL, REL_X,
                    SYN_DROPPED, Device, Reader, buttons, knob, node_named)
from waiting import eventually

GUEST = {"device_tree": "steppers.dts"}


def meanings(events):
    """Events without their times."""
    return [tuple(event[1:]) for event in events]


@test
def uinput_is_read_back():
    """What is written to a device of ours can be read from its node."""
    with knob() as device, Reader(device.node) as reader:
        device.turn(REL_DIAL, 1, -7)
        equal(meanings(reader.collect(2)), [(EV_REL, REL_DIAL, 1), (EV_REL, REL_DIAL, -7)], "events")
    with Device("Test Fader", {EV_ABS: {ABS_VOLUME: (0, 1023)}}) as fader, Reader(fader.node) as reader:
        fader.emit((EV_ABS, ABS_VOLUME, 512))
        equal(meanings(reader.collect(1)), [(EV_ABS, ABS_VOLUME, 512)], "events")


@test
def node_goes_with_the_device():
    """Unplugging removes the node."""
    with knob("Test Gone") as device:
        equal(node_named("Test Gone"), device.node, "node")
    eventually(lambda: node_named("Test Gone") is None, "the node goes away")


@test
def grab_is_exclusive():
    """A second grab is refused, and the grabber alone reads."""
    with buttons() as device, Reader(device.node) as one, Reader(device.node) as other:
        equal((one.grab(), other.grab()), (True, False), "grabs")
        device.key(KEY_VOLUMEUP, True)
        equal(meanings(one.collect(1)), [(EV_KEY, KEY_VOLUMEUP, 1)], "the grabber's events")
        equal(other.read(), [], "the other's events")


@test
def unread_events_are_dropped():
    """More frames than the buffer holds give SYN_DROPPED."""
    with knob() as device, Reader(device.node) as reader:
        device.turn(REL_DIAL, *[1] * 3000, pause=0)
        equal(meanings(reader.read())[0], (EV_SYN, SYN_DROPPED, 0), "first event")


@test
def gpio_lines_drive_the_kernels_drivers():
    """rotary-encoder and gpio-keys read the simulated lines."""
    with Lines() as lines, Reader(node_named("dial")) as dial, Reader(node_named("rotary")) as rotary, \
            Reader(node_named("gpio-keys")) as keys:
        encoder, plain, push = Encoder(lines, 0, 1), Encoder(lines, 5, 6), Button(lines, 2)
        encoder.turn(5)
        encoder.turn(-3, bounce=3)
        found = meanings(dial.collect(8))
        sign = found[0][2]
        equal(found, [(EV_REL, REL_DIAL, sign)] * 5 + [(EV_REL, REL_DIAL, -sign)] * 3, "dial")
        plain.turn(2)
        equal([event[:2] for event in meanings(rotary.collect(2))], [(EV_REL, REL_X)] * 2, "rotary")
        push.press(bounce=5)
        keys.collect(1)
        push.release()
        equal(meanings(keys.collect(1)), [(EV_KEY, KEY_MUTE, 0)], "push")


@test
def hid_reports_become_events():
    """A HID dial and its keys come out of hid-generic."""
    with HIDKnob() as device:
        node = eventually(lambda: node_named("Test HID Dial Consumer Control"), "the keys' node")
        dial_node = eventually(lambda: node_named("Test HID Dial Mouse"), "the dial's node")
        with Reader(node) as keys, Reader(dial_node) as dial:
            device.turn(3)
            device.turn(-1)
            equal(meanings(dial.collect(2)), [(EV_REL, REL_DIAL, 3), (EV_REL, REL_DIAL, -1)], "dial")
            device.keys(volume_up=True)
            device.keys()
            found = [event for event in meanings(keys.collect(4)) if event[0] == EV_KEY]
            equal(found, [(EV_KEY, KEY_VOLUMEUP, 1), (EV_KEY, KEY_VOLUMEUP, 0)], "keys")


if __name__ == "__main__":
    harness.main()
