"""The installed service, and what operates it."""

import contextlib
import grp
import json
import os
import pwd
import re
import subprocess

import files
import waiting
from connection import Connection
from harness import equal
from uinput import BTN_0, EV_KEY, EV_REL, REL_DIAL, Device
from waiting import eventually

SOCKET = "/run/stepperd/org.stepperd"
CONFIGURATION = "/etc/stepperd/stepperd.toml"
UNITS = "/etc/systemd/system"
#: The guides that these tests follow.
GUIDES = "/job/guides"
#: The package of each file of tests that is not about the daemon's.
PACKAGE_OF = {"web": "stepperd-web", "link": "stepperd-link", "session": "stepperd-link", "mqtt": "stepperd-mqtt", "serial": "stepperd-serial",
              "midi": "stepperd-midi"}
#: Seconds in which an emulated processor starts the service.
START = 30.0


def run(*command, status=0, **more):
    """Runs a command and returns what it printed; fails unless it ended with `status`."""
    done = subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", **more)
    if status is not None and done.returncode != status:
        raise AssertionError(f"{' '.join(command)} ended with {done.returncode}: {done.stdout.strip()}")
    return done.stdout


def user(name):
    """How to run a command as this user, with all groups that he has now."""
    entry = pwd.getpwnam(name)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "cwd": "/", "env": {**os.environ, "HOME": entry.pw_dir},
            "extra_groups": os.getgrouplist(name, entry.pw_gid)}


def member(name):
    """How to run a command as this user, who is a member of our group from now on."""
    run("usermod", "--append", "--groups", "stepperd", name)
    return user(name)


def stepperctl(*arguments, by="root", status=0):
    """Runs stepperctl as a user and returns what it printed."""
    return run("stepperctl", *arguments, "--timeout", f"{20 * waiting.PATIENCE}s", status=status, **user(by))


def properties(unit, *names):
    """What systemd says of a unit: one text, or as many as names."""
    text = run("systemctl", "show", unit, *(f"--property={name}" for name in names))
    found = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    values = [found.get(name, "") for name in names]
    return values[0] if len(values) == 1 else values


def wait_until_booted():
    """Waits until systemd has started everything but us."""
    eventually(lambda: run("systemctl", "is-active", "multi-user.target", status=None).strip() == "active", "the boot", 60)


def main_pid(unit="stepperd"):
    """The process of a service, 0 if there is none."""
    return int(properties(unit, "MainPID"))


def wait_until_active(other_than=0, unit="stepperd"):
    """Waits until the service runs, in another process than `other_than`; returns its number."""
    def runs():
        state, pid = properties(unit, "ActiveState", "MainPID")
        return state == "active" and int(pid) not in (0, other_than) and int(pid)

    return eventually(
        runs, lambda: f"the service is active: {run('systemctl', 'status', '--no-pager', unit, status=None)}", START)


def install(package):
    """Installs a package beside the daemon's, and looks whether its program finds all that it needs."""
    run("apt-get", "install", "--yes", "--no-install-recommends", f"/job/{package}.deb")
    changed = [line for line in run("dpkg", "--verify", package).splitlines() if "/usr/share/man" not in line]
    equal(changed, [], "changed files")
    equal("not found" in run("ldd", f"/usr/bin/{package}"), False, "a library is missing")
    equal(run(package, "--version").split()[-1], run("stepperctl", "--version").split()[-1], "versions")


def purge(package):
    """Purges it. Nothing with its name is left on the disk, nor its user, and the daemon goes on."""
    pid = main_pid()
    run("apt-get", "purge", "--yes", package)
    for database in ("passwd", "group", "shadow", "gshadow"):
        run("getent", database, package, status=2)
    left = [path for path in files.differences() if package in path]
    equal(left, [], "what is left")
    equal(run("systemctl", "--failed", "--no-legend", "--plain"), "", "failed units")
    equal(main_pid(), pid, "the daemon's process")


def look_at_sandbox(unit, exposure, pid=None):
    """What systemd-analyze security says at least, in tenths; no capability, no privileges, and a filter of system calls
    for every thread. No refusal by it is in the journal."""
    report = run("systemd-analyze", "security", "--no-pager", f"--threshold={exposure}", f"{unit}.service")
    print(*[line for line in report.splitlines() if "✗" in line or "Overall" in line], sep="\n")
    pid = pid or main_pid(unit)
    for key in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        equal(int(status_of(pid, key), 16), 0, key)
    for task in os.listdir(f"/proc/{pid}/task"):
        equal((status_of(task, "NoNewPrivs"), status_of(task, "Seccomp")), ("1", "2"), "NoNewPrivs and Seccomp")


def is_writable(pid, path):
    """Whether `path` is on a file system that the process may write to."""
    found = run("nsenter", f"--mount=/proc/{pid}/ns/mnt", "findmnt", "--noheadings", "--output", "OPTIONS,TARGET", "--target", path)
    print(f"{path}: {found.strip()}")
    return found.startswith("rw")


def status_of(pid, key):
    """One line of /proc/PID/status."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return re.search(rf"^{key}:\s*(.*)$", file.read(), re.MULTILINE).group(1)


def connect():
    """A connection of root's."""
    return Connection(SOCKET)


def get(control="volume"):
    """A control's state."""
    with connect() as connection:
        return connection.call("org.stepperd.control.Get", control=control)["state"]


def describe(control="volume"):
    """A control's description."""
    with connect() as connection:
        return connection.call("org.stepperd.control.Describe", control=control)["description"]


def set_value(value, control="volume"):
    """Sets a control."""
    with connect() as connection:
        return connection.call("org.stepperd.control.Set", control=control, value=value)["state"]


def wait_for_value(value, control="volume"):
    """Waits until the control has this value."""
    eventually(lambda: get(control).get("value") == value, f"{control} is {value}", 10)


def set_and_save(value, control="volume"):
    """Sets a control and waits until the value is on the disk."""
    def files():
        found = {}
        for entry in os.scandir("/var/lib/stepperd"):
            # The new file has got its name meanwhile.
            with contextlib.suppress(FileNotFoundError):
                found[entry.path] = (entry.stat().st_mtime_ns, entry.inode())
        return found

    before = files()
    set_value(value, control)
    eventually(lambda: files() != before, "the value is saved", 45)


def devices():
    """{name: device}."""
    with connect() as connection:
        return {device["device"]: device for device in connection.call("org.stepperd.device.List")["devices"]}


def wait_for_device(name, state="open"):
    """Waits until the device is in this state, and returns it."""
    found = {}

    def is_there():
        found.clear()
        found.update(devices())
        return name in found and found[name]["state"] == state and found[name]

    def otherwise():
        shown = {key: (device["state"], device.get("problem")) for key, device in found.items()}
        return f"device {name} is {state}: {shown}"

    return eventually(is_there, otherwise, 20)


def powermate():
    """A knob of the hardware database."""
    return Device("Griffin PowerMate", {EV_REL: [REL_DIAL], EV_KEY: [BTN_0]}, vendor=0x077D, product=0x0410)


def knob_is_open(name="Griffin PowerMate"):
    """Whether the daemon reads the device of this name."""
    return any((device.get("name"), device["state"]) == (name, "open") for device in devices().values())


def plugged_in(stack, value=20):
    """The knob, plugged in while the test lasts, driving `volume`, which has this value."""
    eventually(lambda: not knob_is_open(), "the knob of another test is gone", 30)
    knob = stack.enter_context(powermate())
    eventually(knob_is_open, "the daemon reads the knob", 30)
    set_value(value)
    return knob


def owner(node):
    """(mode, user, group) of a file."""
    found = os.stat(node)
    return oct(found.st_mode & 0o7777), pwd.getpwuid(found.st_uid).pw_name, grp.getgrgid(found.st_gid).gr_name


@contextlib.contextmanager
def sudo():
    """Root's own: what follows it is run as it is."""
    path = "/usr/local/bin/sudo"
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o755), "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\nexec env "$@"\n')
    try:
        yield
    finally:
        os.unlink(path)


class Journal:
    """What the service logged from here on; `unit` None is everything."""

    def __init__(self, unit="stepperd"):
        self.selection = ["--unit", unit] if unit else []
        # Of the same selection: after a cursor that is not in it, journalctl 252 leaves out one entry.
        text = run("journalctl", "--quiet", "--lines=1", "--show-cursor", "--output=cat", *self.selection, status=None)
        cursor = re.search("^-- cursor: (.*)$", text, re.MULTILINE)
        # A unit that has logged nothing yet has no cursor.
        self.selection += [f"--after-cursor={cursor.group(1)}"] if cursor else []

    def entries(self):
        """The entries, as journald has them."""
        text = run("journalctl", "--quiet", "--output=json", "--all", *self.selection, status=None)
        return [json.loads(line) for line in text.splitlines()]

    @staticmethod
    def all():
        """All entries of the service since the boot."""
        text = run("journalctl", "--quiet", "--output=json", "--all", "--boot", "--unit=stepperd")
        return [json.loads(line) for line in text.splitlines()]

    def text(self):
        """Their messages, one a line, as an operator sees them."""
        return run("journalctl", "--quiet", "--output=cat", *self.selection, status=None)

    def wait_for(self, pattern, timeout=20.0):
        """Waits until a message matches, and returns the match."""
        return eventually(lambda: re.search(pattern, self.text(), re.MULTILINE),
                          lambda: f"the journal says {pattern!r}: {self.text()}", timeout)


@contextlib.contextmanager
def drop_in(text, name="test", wait=True):
    """The service, restarted with a drop-in of its unit; `wait` until it is ready."""
    folder = f"{UNITS}/stepperd.service.d"
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/{name}.conf", "w", encoding="utf-8") as file:
        file.write(text)
    restart(reread=True, wait=wait)
    try:
        yield
    finally:
        os.unlink(f"{folder}/{name}.conf")
        os.rmdir(folder)
        restart(reread=True)


@contextlib.contextmanager
def configuration(text):
    """The service, restarted with this configuration."""
    configure(text)
    restart()
    try:
        yield
    finally:
        configure(None)
        restart()


def configure(text):
    """Writes the configuration; None: removes it."""
    if text is None:
        os.unlink(CONFIGURATION)
        return
    with open(CONFIGURATION, "w", encoding="utf-8") as file:
        file.write(text)


def restart(reread=False, wait=True):
    """Restarts the service, after systemd has read its units again if `reread`, and waits until it is ready."""
    if reread:
        run("systemctl", "daemon-reload")
    run("systemctl", "restart", *([] if wait else ["--no-block"]), "stepperd")
