#!/usr/bin/python3
"""Runs the tests of the installed package in guests, one for each release of Debian, and says how they went.

    guests.py --images DIR --package DEB [--verbose] [--patience N] [--test NAME]… RELEASE…

A NAME is one test; none means all. A guest is QEMU with Debian's stock kernel and systemd as its first process.
Exits 0 when every test passed, 1 when one failed, 64 for a NAME that is none.
"""

import argparse
import ast
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
KERNEL_TESTS = os.path.join(os.path.dirname(HERE), "Kernel")
sys.path.insert(0, KERNEL_TESTS)
from guests import exit_with, read, report, tail  # noqa: E402  the ones of the kernel's guests

#: What the tests take over from those of the kernel.
SHARED = ("harness.py", "connection.py", "uinput.py")
MEMORY_MB = 1024
#: A guest that is not done after this many seconds is stopped.
LIMIT = 1200


def test_names():
    """The tests, without running their files."""
    for path in sorted(glob.glob(f"{HERE}/guest/test_*.py")):
        with open(path, encoding="utf-8") as file:
            for statement in ast.parse(file.read()).body:
                if isinstance(statement, ast.FunctionDef) and any(
                        getattr(word, "id", "") == "test" for word in statement.decorator_list):
                    yield statement.name


def repacked(package, folder):
    """The package without compression, which takes an emulated processor half a minute; and the same with a higher
    version, as an upgrade brings it."""
    tree, control = f"{folder}/tree", f"{folder}/tree/DEBIAN/control"
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    lines = read(control).splitlines()
    for name, suffix in (("stepperd", ""), ("next", "+next")):
        with open(control, "w", encoding="utf-8") as file:
            for line in lines:
                file.write(line + (suffix if line.startswith("Version:") else "") + "\n")
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, f"{folder}/{name}.deb"], check=True,
                       stdout=subprocess.DEVNULL)
    return {name: f"{folder}/{name}.deb" for name in ("stepperd", "next")}


def initial_memory(images, folder):
    """The modules with our first process."""
    shutil.copy(f"{HERE}/guest/init", f"{folder}/init")
    with open(f"{folder}/initrd", "wb") as file:
        with open(f"{images}/modules", "rb") as modules:
            shutil.copyfileobj(modules, file)
        file.flush()
        subprocess.run(["cpio", "--quiet", "--create", "--format=newc", "--owner=0:0"], cwd=folder, input=b"init\n",
                       stdout=file, check=True)
    return f"{folder}/initrd"


class Guest:
    """One Debian, from its start until the tests are done."""

    def __init__(self, options, release, packages, initrd):
        self.images, self.names, self.patience = options.images, options.names, options.patience
        self.topic, self.packages, self.initrd = release, packages, initrd
        self.results, self.output, self.problem = [], "", ""

    def run(self):
        """Runs it; whether the guest lived to the end of the tests."""
        with tempfile.TemporaryDirectory(prefix="stepperd-system.") as job:
            os.chmod(job, 0o755)
            return self._run_in(job)

    def _run_in(self, job):
        os.mkdir(f"{job}/tests")
        for path in [*glob.glob(f"{HERE}/guest/*.py"), *(f"{KERNEL_TESTS}/{name}" for name in SHARED)]:
            shutil.copy(path, f"{job}/tests")
        shutil.copy(f"{HERE}/guest/tests.service", job)
        for name, path in self.packages.items():
            shutil.copy(path, f"{job}/{name}.deb")
        with open(f"{job}/job.json", "w", encoding="utf-8") as file:
            json.dump({"names": self.names, "patience": self.patience}, file)
        arguments = [
            "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-machine", "q35", "-cpu", "max",
            "-smp", "2", "-m", str(MEMORY_MB), "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none",
            "-serial", "stdio", "-kernel", f"{self.images}/kernel", "-initrd", self.initrd,
            "-append", "console=ttyS0 tsc=reliable no_timer_check mitigations=off quiet panic=-1 "
                       "systemd.show_status=false systemd.unit=multi-user.target",
            "-drive", f"file={self.images}/{self.topic}.img,if=virtio,format=raw,readonly=on",
            "-virtfs", f"local,path={job},mount_tag=job,security_model=none,multidevs=remap"]
        with open(f"{job}/console", "w", encoding="utf-8") as console:
            process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=console, stderr=console)
            try:
                status = process.wait(LIMIT * self.patience)
            except subprocess.TimeoutExpired:
                status = f"none after {LIMIT * self.patience} s"
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()
        lines = read(f"{job}/results").splitlines()
        self.results = [line.split("\t") for line in lines if line.count("\t") == 3]
        self.output = read(f"{job}/output")
        alive = lines[-1:] == ["done"]
        if not alive:
            self.output += f"\n--- the guest did not finish, its exit status: {status}\n{tail(read(f'{job}/console'))}"
        return alive


def main():
    """The program."""
    parser = argparse.ArgumentParser(description="Runs the tests of the installed package in guests.")
    parser.add_argument("--images", required=True)
    parser.add_argument("--package", required=True)
    parser.add_argument("--verbose", action="store_true", help="print what the tests printed, always")
    parser.add_argument("--patience", type=int, default=1, help="a factor of all deadlines, for a busy machine")
    parser.add_argument("--test", action="append", default=[], dest="names", metavar="NAME")
    parser.add_argument("releases", nargs="+", metavar="RELEASE")
    options = parser.parse_args()
    known = list(test_names())
    for name in options.names:
        if name not in known:
            exit_with(64, f"no test {name!r}; there are: {', '.join(known)}")
    start, passed, failed = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory(prefix="stepperd-system.") as folder:
        packages = repacked(options.package, folder)
        initrd = initial_memory(options.images, folder)
        for release in options.releases:
            guest = Guest(options, release, packages, initrd)
            more_passed, more_failed = report(guest, guest.run(), options.verbose)
            passed, failed = passed + more_passed, failed + more_failed
            print(f"{release}: {time.monotonic() - start:.0f} s so far")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
