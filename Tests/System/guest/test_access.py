"""Who may do what: the file modes, udev's rules, other users."""

import contextlib
import os

from harness import equal, test
from system import (configuration, get, knob_is_open, member, owner, plugged_in, run, set_value, stepperctl, wait_for_device,
                    wait_for_value)
from uinput import EV_KEY, KEY_VOLUMEDOWN, KEY_VOLUMEUP, REL_DIAL, Device
from waiting import eventually

CONFIGURATION = """
[daemon]
admin-group = "stepperd-admin"

[device.panel]
virtual = true

[device.board]
match = { name = "Test Keyboard" }

[control.volume]
increment = ["panel:plus", "board:KEY_VOLUMEUP"]

[control.fixed]
writable-by = "admin"
"""


@test
def knob_turns(stack):
    """A known knob is given to the service and to nobody else, and turning it changes the value."""
    knob = plugged_in(stack)
    run("udevadm", "settle", "--timeout=20")
    equal(owner(knob.node), ("0o660", "root", "stepperd"), "mode and owners of the node")
    knob.turn(REL_DIAL, 1, 1, 1, 1, 1, 1, 1)
    wait_for_value(27)
    # She is in no group of ours yet.
    run("cat", knob.node, status=1, user="alice", group="alice", extra_groups=[])


@test
def knob_comes_and_goes():
    """A knob that is unplugged and plugged in again goes on."""
    for _ in range(3):
        with contextlib.ExitStack() as stack:
            plugged_in(stack).turn(REL_DIAL, 2)
            wait_for_value(22)


@test
def member_reads_and_sets():
    """A member of the group "stepperd" reads and changes controls, and follows them."""
    member("alice")
    run("usermod", "--append", "--groups", "stepperd,stepperd-admin", "carol")
    equal(stepperctl("set", "volume", "30", by="alice").split(), ["volume", "30"], "answer")
    equal(stepperctl("get", "volume", by="alice").strip(), "30", "value")
    equal("panel" in stepperctl("devices", by="alice"), True, "the devices are listed")
    equal(stepperctl("status", by="alice", status=0) != "", True, "status")


@test
def outsider_is_refused_at_the_socket():
    """Who is not in the group cannot connect, and is told how to change that."""
    before = get()["value"]
    said = stepperctl("get", "volume", by="bob", status=3)
    equal("ermission denied" in said and "group" in said, True, f"what is said: {said!r}")
    stepperctl("set", "volume", "1", by="bob", status=3)
    stepperctl("reload", by="bob", status=3)
    equal(get()["value"], before, "value")


@test
def member_is_no_administrator(stack):
    """A member may neither manage the daemon nor move virtual inputs nor change what is the administrators'."""
    stack.enter_context(configuration(CONFIGURATION))
    before = get()["value"]
    for command in (["reload"], ["click", "panel:plus"], ["turn", "panel:dial", "1"], ["set", "fixed", "5"]):
        said = stepperctl(*command, by="alice", status=1)
        equal("ermission" in said or "may" in said, True, f"what is said to {command}: {said!r}")
    equal((get()["value"], get("fixed")["value"]), (before, 0), "values")
    # The same by somebody who is one.
    stepperctl("reload", by="carol")
    stepperctl("click", "panel:plus", by="carol")
    stepperctl("set", "fixed", "5", by="carol")
    wait_for_value(before + 1)
    wait_for_value(5, "fixed")


@test
def root_may_do_everything(stack):
    """Root needs no group."""
    stack.enter_context(configuration(CONFIGURATION))
    before = get()["value"]
    stepperctl("reload")
    stepperctl("click", "panel:plus")
    wait_for_value(before + 1)
    stepperctl("set", "fixed", "7")
    set_value(before)


@test
def unknown_device_is_denied_and_said(stack):
    """A device that no rule knows stays closed; where it is configured, everybody is told why."""
    board = stack.enter_context(Device("Test Keyboard", {EV_KEY: [*range(1, 84), KEY_VOLUMEUP, KEY_VOLUMEDOWN]}))
    run("udevadm", "settle", "--timeout=20")
    equal(owner(board.node)[2] == "stepperd", False, "a keyboard belongs to our group")
    stack.enter_context(configuration(CONFIGURATION))
    problem = wait_for_device("board", "denied").get("problem") or ""
    equal("ermission" in problem and "udev" in problem, True, f"the problem {problem!r}")
    eventually(lambda: "ermission denied" in run("systemctl", "status", "--no-pager", "stepperd"),
               "systemctl status says it", 20)
    before = get()["value"]
    board.key(KEY_VOLUMEUP, True)
    board.key(KEY_VOLUMEUP, False)
    equal(get()["value"], before, "value")


@test
def rule_of_the_administrator(stack):
    """A line in the hardware database gives a device of one's own to the service, as its comment says."""
    path = "/etc/udev/hwdb.d/71-local.hwdb"
    os.makedirs("/etc/udev/hwdb.d", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("stepperd:name:My Knob*\n STEPPERD_DEVICE=1\n")

    def clean():
        for name in (path, "/etc/udev/hwdb.bin"):
            os.unlink(name)
        run("udevadm", "control", "--reload")

    stack.callback(clean)
    run("systemd-hwdb", "update")
    run("udevadm", "control", "--reload")
    knob = stack.enter_context(Device("My Knob 2000", {1: [0x100], 2: [REL_DIAL]}))
    run("udevadm", "settle", "--timeout=20")
    equal(owner(knob.node)[2], "stepperd", "group")
    eventually(lambda: knob_is_open("My Knob 2000"), "the daemon reads the knob", 20)
