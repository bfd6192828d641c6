"""The package is installed, and the service is there."""

import os

import files
from harness import equal, test
from system import SOCKET, owner, properties, run, wait_until_active


@test
def package_installs():
    """apt installs it, and socket and service run without a reboot, as a user of their own."""
    # The hardware database as this Debian's own tool makes it, which the package calls too.
    run("systemd-hwdb", "--usr", "update")
    files.remember()
    run("apt-get", "install", "--yes", "--no-install-recommends", "/job/stepperd.deb")
    pid = wait_until_active()
    for unit in ("stepperd.service", "stepperd.socket"):
        equal(properties(unit, "ActiveState", "UnitFileState"), ["active", "enabled"], unit)
    mode, _, group = owner(SOCKET)
    equal((mode, group), ("0o660", "stepperd"), "mode and group of the socket")
    equal(owner("/var/lib/stepperd")[0:2], ("0o750", "stepperd"), "mode and owner of the folder of the values")
    equal(owner(f"/proc/{pid}")[1], "stepperd", "user of the daemon")
    equal(run("systemctl", "--failed", "--no-legend", "--plain"), "", "failed units")
    equal(os.listdir("/etc/stepperd"), [], "files of configuration")


@test
def package_is_whole():
    """What dpkg unpacked is as it was built, and the programs find all that they need."""
    # The manuals are left out in this Debian.
    changed = [line for line in run("dpkg", "--verify", "stepperd").splitlines() if "/usr/share/man" not in line]
    equal(changed, [], "changed files")
    equal(run("dpkg", "--audit"), "", "what dpkg complains about")
    for program in ("stepperd", "stepperctl"):
        equal("not found" in run("ldd", f"/usr/bin/{program}"), False, "a library is missing")
    equal(run("stepperd", "--version").split()[-1], run("stepperctl", "--version").split()[-1], "versions")
