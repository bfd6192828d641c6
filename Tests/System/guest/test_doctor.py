"""Faults of an installed system: stepperctl doctor finds each, and the commands that it prints remedy it."""

import contextlib
import json
import os
import shutil
import subprocess
import sys

from harness import equal, test
from system import SOCKET, UNITS, configuration, configure, knob_is_open, plugged_in, restart, run, stepperctl, user, wait_until_active
from uinput import EV_REL, REL_DIAL, Device
from waiting import eventually

KNOB = """
[device.knob]
match = { name = "Griffin PowerMate" }

[control.volume]
rotate = "knob:REL_DIAL"
"""
#: Holds the grab of a device until it is ended.
GRABBER = "import fcntl,os,sys; f=os.open(sys.argv[1],os.O_RDWR); fcntl.ioctl(f,0x40044590,1); print('held',flush=True); sys.stdin.read()"


def findings(by="root", **environment):
    """{name: finding} of everything that is not in order."""
    who = user(by)
    text = run("stepperctl", "doctor", "--json", status=None, **{**who, "env": {**who["env"], **environment}})
    found = [json.loads(line) for line in text.splitlines()]
    return {one["finding"]: one for one in found if one["verdict"] in ("warning", "wrong")}


def remedy(name, by="root"):
    """Carries out what doctor prints for a finding, and waits until it is not found any more."""
    found = findings(by)
    equal(name in found, True, f"{name} is found: {sorted(found)}")
    for step in found[name]["remedies"]:
        if step["kind"] == "command" and not step["text"].startswith(("journalctl", "newgrp")):
            print(run("sh", "-c", step["text"].removeprefix("sudo "), status=None))
    eventually(lambda: name not in findings(by), lambda: f"{name} is remedied: {findings(by).get(name)}", 40)


def wrong(by="root"):
    """The names of what is wrong."""
    return sorted(name for name, one in findings(by).items() if one["verdict"] == "wrong")


def write(path, text, mode=0o644):
    """Writes a file."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


@contextlib.contextmanager
def without_drop_ins():
    """Removes the drop-ins and masks of the units at the end."""
    try:
        yield
    finally:
        run("systemctl", "unmask", "stepperd.service", "stepperd.socket")
        shutil.rmtree(f"{UNITS}/stepperd.service.d", ignore_errors=True)
        restart(reread=True)


@test
def doctor_finds_nothing_on_a_healthy_system(stack):
    """A service with a knob has nothing wrong."""
    stack.enter_context(configuration(KNOB))
    plugged_in(stack)
    equal(wrong(), [], "what is wrong")
    stepperctl("doctor")


@test
def doctor_remedies_units(stack):
    """Stopped, disabled, masked and changed units."""
    stack.enter_context(without_drop_ins())
    run("systemctl", "stop", "stepperd.service")
    remedy("daemon.stopped")
    run("systemctl", "disable", "stepperd.service")
    remedy("unit.disabled")
    run("systemctl", "stop", "stepperd.service", "stepperd.socket")
    run("systemctl", "mask", "stepperd.socket")
    remedy("unit.masked")
    write(f"{UNITS}/stepperd.service.d/test.conf", "[Service]\nNice=1\n")
    # systemd 252 does not notice the first file in a folder that is new.
    run("systemctl", "daemon-reload")
    write(f"{UNITS}/stepperd.service.d/test.conf", "[Service]\nNice=2\n")
    remedy("unit.changed")
    wait_until_active()


@test
def doctor_remedies_the_socket():
    """A socket that was removed, and one with another mode."""
    os.unlink(SOCKET)
    remedy("socket.removed")
    os.chmod(SOCKET, 0o600)
    remedy("socket.mode")


@test
def doctor_remedies_permissions():
    """A user outside the group; the address of a daemon that does not exist."""
    run("gpasswd", "--delete", "bob", "stepperd", status=None)
    equal("permission.denied" in findings("bob"), True, "bob may not connect")
    remedy("permission.denied", "bob")
    equal(wrong("bob"), [], "what is wrong for bob")
    equal("daemon.address" in findings(STEPPERD_ADDRESS="/nonexistent"), True, "the address is wrong")
    run("gpasswd", "--delete", "bob", "stepperd")


@test
def doctor_remedies_the_configuration(stack):
    """A misspelt key, a start with it, a change that is not in use."""
    stack.enter_context(configuration(KNOB))
    configure(KNOB + "maximun = 50\n")
    remedy("configuration.error")
    configure(KNOB + "maximun = 50\n")
    run("systemctl", "restart", "stepperd", status=None)
    equal("daemon.failed" in findings(), True, "the failure is found")
    remedy("configuration.error")
    eventually(lambda: "daemon.failed" not in findings(), "the service runs", 30)
    configure(KNOB + "maximum = 60\n")
    eventually(lambda: "configuration.outdated" in findings(), "the change is found", 20)
    remedy("configuration.outdated")


@test
def doctor_remedies_bindings_and_tables(stack):
    """A code that the knob does not have, and a misspelt name."""
    stack.enter_context(configuration(KNOB.replace("REL_DIAL", "REL_X")))
    knob = plugged_in(stack)
    print(knob.node)
    remedy("binding.missing")
    configure(KNOB.replace("Griffin PowerMate", "Grifin PowerMate"))
    run("systemctl", "reload", "stepperd")
    remedy("device.unmatched")
    eventually(knob_is_open, "the knob is read", 20)


@test
def doctor_remedies_nodes_and_rules(stack):
    """A node of another group, an unknown knob, hidden rules, a missing database."""
    stack.enter_context(configuration(KNOB))
    knob = plugged_in(stack)
    shutil.chown(knob.node, group="input")
    remedy("device.denied")
    os.makedirs("/etc/udev/rules.d", exist_ok=True)
    mask = "/etc/udev/rules.d/70-stepperd.rules"
    os.symlink("/dev/null", mask)
    stack.callback(lambda: os.path.lexists(mask) and os.unlink(mask))
    remedy("udev.masked")
    for path in ("/usr/lib/udev/hwdb.bin", "/etc/udev/hwdb.bin"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
    remedy("udev.database")
    configure(KNOB.replace("Griffin PowerMate", "My 'own' Knob"))
    run("systemctl", "reload", "stepperd")
    stack.enter_context(Device("My 'own' Knob", {EV_REL: [REL_DIAL]}, vendor=0x1209, product=0x0001))
    eventually(lambda: "device.denied" in findings(), "the unknown knob is denied", 20)
    remedy("device.denied")
    os.unlink("/etc/udev/hwdb.d/71-stepperd-local.hwdb")
    run("rm", "-f", "/etc/udev/hwdb.bin")
    run("systemd-hwdb", "--usr", "update")


@test
def doctor_remedies_a_grab(stack):
    """Another program has grabbed the knob."""
    knob = plugged_in(stack)
    grabber = stack.enter_context(subprocess.Popen(
        [sys.executable, "-c", GRABBER, knob.node], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    stack.callback(grabber.kill)
    equal(grabber.stdout.readline(), "held\n", "the grab")
    stack.enter_context(configuration(KNOB.replace("[control", "grab = true\n\n[control")))
    eventually(lambda: "device.busy" in findings(), "the grab is found", 30)
    remedy("device.busy")
    eventually(lambda: not wrong(), lambda: f"nothing is wrong: {wrong()}", 60)


@test
def doctor_remedies_the_state_directory(stack):
    """A directory of values that belongs to another user."""
    stack.enter_context(configuration(KNOB))
    shutil.chown("/var/lib/stepperd", "root", "root")
    remedy("state.denied")


@test
def doctor_remedies_hooks(stack):
    """A program that cannot be executed, and what the sandbox forbids."""
    stack.enter_context(without_drop_ins())
    stack.enter_context(configuration(KNOB + 'on-change = ["/usr/local/bin/panel"]\n'))
    write("/usr/local/bin/panel", "#!/bin/sh\n")
    stack.callback(os.unlink, "/usr/local/bin/panel")
    remedy("hook.denied")
    for program, name in (("amixer", "sound"), ("mosquitto_pub", "network"), ("luajit", "machine-code")):
        write(f"/usr/local/bin/{program}", "#!/bin/sh\n", 0o755)
        stack.callback(os.unlink, f"/usr/local/bin/{program}")
        configure(KNOB + f'on-change = ["{program}"]\n')
        run("systemctl", "reload", "stepperd")
        remedy(f"sandbox.{name}")


@test
def doctor_remedies_leftovers(stack):
    """A service of another program that is started at boot."""
    write(f"{UNITS}/triggerhappy.service", "[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n")
    stack.callback(os.unlink, f"{UNITS}/triggerhappy.service")
    write("/etc/triggerhappy/triggers.d/test.conf", "REL_DIAL 1 true\n")
    stack.callback(shutil.rmtree, "/etc/triggerhappy")
    stack.enter_context(configuration(KNOB))
    plugged_in(stack)
    run("systemctl", "enable", "triggerhappy.service")
    remedy("rival.same-code")
