#!/usr/bin/python3
"""A board whose input devices are moved from outside the guest: the nearest to a hand that there is without one."""

import harness
from hand import Hand
from harness import equal, test
from stepperd import Daemon
from uinput import EV_KEY, Reader, node_named
from waiting import eventually

GUEST = {"udev": True, "board": True}

KEYBOARD, MOUSE, TABLET = "QEMU Virtio Keyboard", "QEMU Virtio Mouse", "QEMU Virtio Tablet"
POWER = "gpio-keys"

CONFIGURATION = f"""
[device.keyboard]
match = {{ name = "{KEYBOARD}" }}

[device.mouse]
match = {{ name = "{MOUSE}" }}

[device.tablet]
match = {{ name = "{TABLET}" }}

[device.front]
match = {{ name = "{POWER}" }}

[control.volume]
initial = 50
rotate = ["mouse:REL_WHEEL", "tablet:REL_WHEEL"]
increment = "keyboard:KEY_VOLUMEUP"
decrement = "keyboard:KEY_VOLUMEDOWN"

[control.fader]
absolute = "tablet:ABS_X"

[control.page]
initial = 1
increment = "front:KEY_POWER"
"""


def start(stack):
    """The daemon with all four devices open, and the hand."""
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    for device in ("keyboard", "mouse", "tablet", "front"):
        daemon.wait_for_device(device)
    return daemon, Hand()


def released(reader):
    """When a key was released, in what the kernel has reported since the last look; it repeats held keys besides."""
    return next((event.time for event in reader.read() if (event.type, event.value) == (EV_KEY, 0)), None)


@test
def wheel_moves_the_value(stack):
    """Twenty detents of a wheel up and five down move the value by exactly 15. QEMU gives them to the mouse or the tablet."""
    daemon, hand = start(stack)
    for direction, count in (("wheel-up", 20), ("wheel-down", 5)):
        for _ in range(count):
            hand.wheel(direction)
    daemon.wait_for_value(65)


@test
def keys_step_and_hold(stack):
    """A press is a step; a held key steps as long as the kernel's time stamps say that it was held."""
    daemon, hand = start(stack)
    hand.key("volumeup", True)
    hand.key("volumeup", False)
    daemon.wait_for_value(51)
    eventually(lambda: not daemon.get()["editing"], "the first press is over")
    with Reader(node_named(KEYBOARD)) as reader:
        hand.key("volumedown", True)
        press = reader.collect(1)[0].time
        daemon.wait_until_stepped(51, 6)
        hand.key("volumedown", False)
        release = eventually(lambda: released(reader), "the kernel reports the release")
    daemon.wait_for_hold(51, press, release, -1)


@test
def tablet_is_a_fader(stack):
    """An absolute axis sets the value over the whole range, to both ends."""
    daemon, hand = start(stack)
    for position, value in ((32767, 100), (0, 0), (16384, 50)):
        hand.touch("x", position)
        daemon.wait_for_value(value, "fader")


@test
def pin_of_the_board(stack):
    """The key on a GPIO pin of the board, which is its power button, steps once for each press."""
    daemon, hand = start(stack)
    with Reader(node_named(POWER)) as reader:
        for page in (2, 3):
            hand.call("system_powerdown")
            equal([event.value for event in reader.collect(2)], [1, 0], "press and release")
            daemon.wait_for_value(page, "page")


if __name__ == "__main__":
    harness.main()
