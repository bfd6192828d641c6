"""The package is removed, and purged."""

import glob
import os

import files
from harness import equal, test
from system import CONFIGURATION, SOCKET, configure, main_pid, owner, powermate, properties, run, set_and_save
from waiting import eventually

#: The files of the accounts, whose lines are looked at, and what the tests themselves made.
STAYS = {"/etc/passwd", "/etc/passwd-", "/etc/group", "/etc/group-", "/etc/shadow", "/etc/shadow-", "/etc/gshadow",
         "/etc/gshadow-", "/etc/subuid", "/etc/subuid-", "/etc/subgid", "/etc/subgid-", "/etc/.pwd.lock",
         # Of agetty.
         "/run/agetty.reload",
         "/run/test-crash", "/run/test-crashes", "/run/test-hook.py", "/run/test-varlinkctl"}


@test
def removal_keeps_configuration_and_values(stack):
    """Without the package nothing runs, the socket is gone and the knobs are ordinary; what the user made stays."""
    knob = stack.enter_context(powermate())
    set_and_save(61)
    configure("[control.volume]\nmaximum = 70\n")
    pid = main_pid()
    run("apt-get", "remove", "--yes", "stepperd")
    equal(os.path.exists(f"/proc/{pid}"), False, "the daemon runs")
    equal(os.path.exists(SOCKET), False, "the socket")
    equal(glob.glob("/run/varlink/registry/org.stepperd*") + glob.glob("/run/systemd/report/org.stepperd*"), [], "its links")
    equal(properties("stepperd.service", "LoadState"), "not-found", "the unit")
    equal(run("systemctl", "--failed", "--no-legend", "--plain"), "", "failed units")
    equal(os.path.exists(CONFIGURATION), True, "the configuration")
    equal(len(os.listdir("/var/lib/stepperd")) > 0, True, "the values")
    eventually(lambda: owner(knob.node)[2] == "input", "the knob belongs to the group input", 20)


@test
def purge_leaves_nothing():
    """After a purge the disk is as it was before the package, but for what others have put there, and the user is gone."""
    run("getent", "passwd", "stepperd")
    other = "/etc/stepperd/stepperd-web.toml"
    with open(other, "w", encoding="utf-8"), open(f"{CONFIGURATION}.bak-20261122-160557", "w", encoding="utf-8"):
        pass
    run("apt-get", "purge", "--yes", "stepperd")
    equal(os.listdir("/etc/stepperd"), [os.path.basename(other)], "what stays")
    os.remove(other)
    os.rmdir("/etc/stepperd")
    left = [path for path in files.differences() if path not in STAYS]
    equal(left, [], "what is left, gone or changed")
    for database in ("passwd", "group", "shadow", "gshadow"):
        run("getent", database, "stepperd", status=2)
    equal(run("dpkg-query", "--show", "stepperd", status=None).startswith("dpkg-query: no packages"), True, "dpkg knows it")
