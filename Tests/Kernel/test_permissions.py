#!/usr/bin/python3
"""Who may read what: our udev rules, and a daemon that is not root."""

import os
import subprocess

import harness
from harness import equal, test
from stepperd import Daemon
from udev import OUR_GROUP, owner, properties, settle
from uinput import BTN_0, EV_KEY, EV_REL, KEY_VOLUMEDOWN, KEY_VOLUMEUP, REL_DIAL, Device
from waiting import eventually

GUEST = {"udev": True}

CONFIGURATION = """
[device.knob]
match = { name = "Griffin PowerMate" }

[device.board]
match = { name = "Test Keyboard" }

[control.volume]
initial = 0
rotate = "knob:REL_DIAL"
increment = "board:KEY_VOLUMEUP"
decrement = "board:KEY_VOLUMEDOWN"
"""


def powermate():
    """A knob of the hardware database."""
    return Device("Griffin PowerMate", {EV_REL: [REL_DIAL], EV_KEY: [BTN_0]}, vendor=0x077D, product=0x0410)


def keyboard():
    """A whole keyboard, with volume keys as most have."""
    return Device("Test Keyboard", {EV_KEY: [*range(1, 84), KEY_VOLUMEUP, KEY_VOLUMEDOWN]})


def unprivileged():
    """A daemon with our group and nothing else."""
    return Daemon(CONFIGURATION, groups=[OUR_GROUP])


@test
def rules_give_us_the_knob(stack):
    """A known knob belongs to our group, and compositors leave it alone."""
    device = stack.enter_context(powermate())
    equal(owner(device.node), ("0o660", "stepperd"), "mode and group")
    found = properties(device.node)
    equal((found.get("STEPPERD_DEVICE"), found.get("LIBINPUT_IGNORE_DEVICE")), ("1", "1"), "properties")


@test
def rules_leave_the_keyboard(stack):
    """A keyboard with volume keys is none of ours."""
    device = stack.enter_context(keyboard())
    found = properties(device.node)
    equal((found.get("STEPPERD_DEVICE"), found.get("LIBINPUT_IGNORE_DEVICE")), (None, None), "properties")
    equal(owner(device.node)[1] == "stepperd", False, "it belongs to our group")


@test
def unprivileged_daemon_reads_the_knob_only(stack):
    """With our group alone the daemon reads the knob; of the keyboard it says that it may not, and what to do."""
    device, board = stack.enter_context(powermate()), stack.enter_context(keyboard())
    settle()
    daemon = stack.enter_context(unprivileged())
    daemon.wait_for_device("knob")
    device.turn(REL_DIAL, 7)
    daemon.wait_for_value(7)
    found = daemon.wait_for_device("board", "denied")
    equal("ermission" in (found.get("problem") or ""), True, f"the problem {found.get('problem')!r}")
    equal("udev" in found["problem"], True, f"the problem says what to do: {found['problem']!r}")
    board.key(KEY_VOLUMEUP, True)
    board.key(KEY_VOLUMEUP, False)
    device.turn(REL_DIAL, 1)
    daemon.wait_for_value(8)


@test
def plugged_in_while_it_runs(stack):
    """udevd sets the permission after the node is there; the daemon gets in nevertheless."""
    daemon = stack.enter_context(unprivileged())
    for round_ in range(1, 6):
        with powermate() as device:
            daemon.wait_for_device("knob")
            device.turn(REL_DIAL, 2)
            daemon.wait_for_value(2 * round_)
        daemon.wait_for_device("knob", "absent")


@test
def permission_comes_later(stack):
    """A device that is denied is opened once the permission is there, without a restart."""
    daemon = stack.enter_context(unprivileged())
    board = stack.enter_context(keyboard())
    daemon.wait_for_device("board", "denied")
    # udev sets them as well, a moment after it tells of the device.
    settle()
    os.chown(board.node, 0, OUR_GROUP)
    os.chmod(board.node, 0o660)
    daemon.wait_for_device("board", "open", timeout=15)
    board.key(KEY_VOLUMEUP, True)
    board.key(KEY_VOLUMEUP, False)
    daemon.wait_for_value(1)


@test
def rule_comes_later(stack):
    """A device that a new rule gives to us is opened when udev says so."""
    daemon = stack.enter_context(unprivileged())
    board = stack.enter_context(keyboard())
    daemon.wait_for_device("board", "denied")
    # udev tells of a device a moment before it has done with it.
    settle()
    path = "/run/udev/rules.d/71-test.rules"
    with open(path, "w", encoding="utf-8") as file:
        file.write('KERNEL=="event*", ATTRS{name}=="Test Keyboard", GROUP="stepperd", MODE="0660"\n')
    stack.callback(lambda: (os.unlink(path), subprocess.run(["udevadm", "control", "--reload"], check=True)))
    subprocess.run(["udevadm", "control", "--reload"], check=True)
    subprocess.run(["udevadm", "trigger", "--action=change", f"--name-match={board.node}"], check=True)
    equal(owner(board.node), ("0o660", "stepperd"), "mode and group")
    daemon.wait_for_device("board", "open", timeout=15)


@test
def no_group_no_knob(stack):
    """Without our group nothing can be read, and the daemon runs on and says so."""
    device = stack.enter_context(powermate())
    settle()
    daemon = stack.enter_context(Daemon(CONFIGURATION, groups=[]))
    daemon.wait_for_device("knob", "denied")
    eventually(lambda: daemon.status()["problems"], "the manager knows of the problem")
    device.turn(REL_DIAL, 1)
    equal((daemon.get()["value"], daemon.get()["live"]), (0, False), "value and live")


if __name__ == "__main__":
    harness.main()
