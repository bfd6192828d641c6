#!/usr/bin/python3
"""Runs the tests of the installed package in guests, one for each release of Debian, and says how they went.

    run.py --architecture amd64|arm64 --images DIR --package DEB [--beside DEB]… [--verbose] [--patience N] [--test NAME]… RELEASE…

The package beside is that of a program that works with the daemon. A NAME is a file of tests (``link``) or one test; none means
all. A guest is QEMU with Debian's stock kernel and systemd as its first process.
Exits 0 when every test passed, 1 when one failed, 64 for a NAME that is none.
"""

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
TESTS = os.path.dirname(HERE)
sys.path.append(f"{TESTS}/Support")
import guests  # noqa: E402

#: What the tests use besides, of the kernel tests and of all tests.
SHARED = ("Kernel/harness.py", "Kernel/uinput.py", "Support/connection.py", "Support/guide.py", "Support/waiting.py")
GUIDES = os.path.join(os.path.dirname(TESTS), "Documentation/guides")
MEMORY_MB = 1024


def repacked(package, folder, versions):
    """The package without compression, which takes an emulated processor half a minute, once for each of {name: what
    its version ends with}; {name: path}."""
    tree = f"{folder}/tree.{'.'.join(versions)}"
    control = f"{tree}/DEBIAN/control"
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    lines = guests.read(control).splitlines()
    for name, suffix in versions.items():
        with open(control, "w", encoding="utf-8") as file:
            for line in lines:
                file.write(line + (suffix if line.startswith("Version:") else "") + "\n")
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, f"{folder}/{name}.deb"], check=True,
                       stdout=subprocess.DEVNULL)
    return {name: f"{folder}/{name}.deb" for name in versions}


def chosen(names):
    """The tests of these names, of tests or of files of them."""
    parts = {os.path.basename(path)[5:-3]: guests.test_names(path) for path in sorted(glob.glob(f"{HERE}/guest/test_*.py"))}
    known = [name for tests in parts.values() for name in tests]
    for name in names:
        if name not in parts and name not in known:
            guests.exit_with(64, f"no test {name!r}; there are {', '.join(parts)} with {', '.join(known)}")
    return [test for name in names for test in parts.get(name, [name])]


class Guest(guests.Guest):
    """One Debian with the package."""

    def __init__(self, options, release, packages):
        super().__init__(release)
        self.images, self.names, self.patience = options.images, options.names, options.patience
        self.packages, self.architecture = packages, options.architecture
        self.limit = 1800 * self.patience

    def command(self, job):
        os.mkdir(f"{job}/tests")
        for path in [*glob.glob(f"{HERE}/guest/*.py"), *(f"{TESTS}/{name}" for name in SHARED)]:
            shutil.copy(path, f"{job}/tests")
        shutil.copy(f"{HERE}/guest/tests.service", job)
        shutil.copytree(GUIDES, f"{job}/guides")
        shutil.copy(f"{os.path.dirname(GUIDES)}/boards.md", f"{job}/guides")
        with open(f"{job}/card", "wb") as file:
            file.truncate(16 << 20)
        for name, path in self.packages.items():
            shutil.copy(path, f"{job}/{name}.deb")
        with open(f"{job}/job.json", "w", encoding="utf-8") as file:
            json.dump({"names": self.names, "patience": self.patience}, file)
        return guests.machine(self.architecture, self.images, self.topic, job, MEMORY_MB,
                              "systemd.show_status=false systemd.unit=multi-user.target") + [
            "-drive", f"file={job}/card,if=none,id=card,format=raw", "-device", "virtio-blk-pci,drive=card"], None


def main():
    """The program."""
    parser = argparse.ArgumentParser(description="Runs the tests of the installed package in guests.")
    parser.add_argument("--architecture", required=True, choices=guests.MACHINES)
    parser.add_argument("--images", required=True)
    parser.add_argument("--package", required=True)
    parser.add_argument("--beside", metavar="DEB", action="append", default=[],
                        help="the package of a program that works with the daemon, which is tested besides")
    parser.add_argument("--verbose", action="store_true", help="print what the tests printed, always")
    parser.add_argument("--patience", type=int, default=1, help="a factor of all deadlines, for a busy machine")
    parser.add_argument("--test", action="append", default=[], dest="names", metavar="NAME")
    parser.add_argument("releases", nargs="+", metavar="RELEASE")
    options = parser.parse_args()
    options.names = chosen(options.names)
    with tempfile.TemporaryDirectory(prefix="stepperd-system.") as folder:
        packages = repacked(options.package, folder, {"stepperd": "", "next": "+next"})
        for package in options.beside:
            packages |= repacked(package, folder, {os.path.basename(package).split("_")[0]: ""})
        machines = (Guest(options, release, packages) for release in options.releases)
        return guests.conclude(((machine, machine.run()) for machine in machines), options.verbose)


if __name__ == "__main__":
    sys.exit(main())
