"""What "Boards" says of a kiosk's board, word by word: where the values are, a watchdog, and a knob that a program turns."""

import os
import re
import shutil

import guide
from harness import equal, test
from system import (CONFIGURATION, GUIDES, UNITS, configuration, get, main_pid, owner, restart, run, set_value, sudo, user,
                    wait_for_value, wait_until_active)
from waiting import eventually

PAGE = f"{GUIDES}/boards.md"
VALUES = "/var/lib/stepperd"
#: The second disk of the guest: the partition for the values.
CARD = "/dev/vdb"
DAEMON = """
[daemon]
save-after = "100ms"
save-interval = "100ms"
"""
CONTROL = """
[control.volume]
maximum = 100
"""


def reader(names):
    """Somebody who reads the page as root, at this guest's card."""
    return guide.Reader(CONFIGURATION, names, {"/dev/mmcblk0p3": f"-F -q {CARD}"}, user("root"), with_scripts=True)


def mounts(stack, kind):
    """Adds the line of the page's table to /etc/fstab while the test lasts."""
    with open(PAGE, encoding="utf-8") as file:
        line = re.search(rf"`({kind} {VALUES} [^`]*)`", file.read()).group(1)

    def without():
        run("systemctl", "stop", "stepperd.socket", "stepperd.service")
        run("umount", VALUES, status=None)
        shutil.copy("/tmp/fstab", "/etc/fstab")
        run("systemctl", "daemon-reload")
        run("systemctl", "reset-failed")
        run("systemctl", "start", "stepperd.socket", "stepperd.service")
        wait_until_active()

    shutil.copy("/etc/fstab", "/tmp/fstab")
    stack.callback(without)
    with open("/etc/fstab", "a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def source(path):
    """What is mounted at a folder; empty: nothing."""
    return run("findmnt", "--noheadings", "--output", "SOURCE", path, status=None).strip()


def survives(value):
    """Sets the volume and restarts the service, which has the value again."""
    set_value(value)
    restart()
    wait_for_value(value)


@test
def values_have_a_partition(stack):
    """A partition of their own, then a directory elsewhere; without the partition the service does not start."""
    stack.enter_context(sudo())
    stack.enter_context(configuration(DAEMON + CONTROL))
    mounts(stack, "LABEL=stepperd")
    stack.callback(run, "rmdir", "/data", status=None)
    stack.callback(run, "umount", "/data", status=None)

    def elsewhere():
        equal(source(VALUES), CARD, "the partition of the values")
        # As the unit has it.
        equal(owner(VALUES)[1:], ("stepperd", "stepperd"), "whose it is")
        survives(42)
        run("mount", "--mkdir", "--types", "tmpfs", "tmpfs", "/data")
        with open(CONFIGURATION, "w", encoding="utf-8") as file:
            file.write(DAEMON.rstrip() + '\nstate-directory = "/data/stepperd"\n' + CONTROL)

    stack.callback(shutil.rmtree, f"{UNITS}/stepperd.service.d", ignore_errors=True)
    commands = reader({"elsewhere": elsewhere}).follow(PAGE, only="A read-only root")
    equal(commands, 8, "commands")
    survives(43)
    equal(os.listdir("/data/stepperd") != [], True, "values are at /data")
    shutil.rmtree(f"{UNITS}/stepperd.service.d")
    with open(CONFIGURATION, "w", encoding="utf-8") as file:
        file.write(DAEMON + CONTROL)
    run("systemctl", "daemon-reload")
    restart()
    wait_for_value(42)
    # A board whose partition is gone.
    run("systemctl", "stop", "stepperd.socket", "stepperd.service")
    run("umount", VALUES)
    run("tune2fs", "-L", "other", CARD)
    run("udevadm", "trigger", "--settle", CARD)
    run("systemctl", "start", "stepperd.service", status=1)
    equal((main_pid(), source(VALUES)), (0, ""), "neither the service nor its partition")


@test
def values_are_in_memory(stack):
    """A restart of the service keeps them; doctor says where they are."""
    stack.enter_context(configuration(DAEMON + CONTROL))
    mounts(stack, "tmpfs")
    run("systemctl", "daemon-reload")
    restart()
    equal(source(VALUES), "tmpfs", "where the values are")
    survives(44)
    equal(f"{VALUES} is in memory" in run("stepperctl", "doctor", status=None), True, "what doctor says")


@test
def watchdog_and_own_knob(stack):
    """The setting of systemd, and a virtual knob that a command turns."""
    stack.enter_context(sudo())
    stack.enter_context(configuration(CONTROL))
    stack.callback(run, "systemctl", "daemon-reexec")
    stack.callback(shutil.rmtree, "/etc/systemd/system.conf.d", ignore_errors=True)
    reader({}).follow(PAGE, only="A watchdog")
    eventually(lambda: "15s" in run("systemctl", "show", "--property=RuntimeWatchdogUSec"), "systemd has the time", 20)
    with_knob = reader({"reload": lambda: run("systemctl", "reload", "stepperd")})
    set_value(10)
    equal(with_knob.follow(PAGE, only="A knob on I2C"), 1, "commands")
    equal(get()["value"], 9, "one detent to the left")
