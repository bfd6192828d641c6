#!/usr/bin/python3
"""Runs the test files in throw-away guests, each in its own, and says how they went.

    run.py --kernel FILE --programs DIR [--jobs N] [--verbose] [NAME…]
    run.py --board DIR --programs DIR [--jobs N] [--verbose] [NAME…]

A NAME is a test file (``grab``) or one test in it (``grab:grabbed_by_another``). What a file needs of its guest
is in its constant ``GUEST``: ``udev`` (a real systemd-udevd), ``device_tree`` (a source beside init.py), ``user_mode``
(User-Mode Linux itself), and ``board`` (an arm64 board, with input devices that the host moves).
A guest is User-Mode Linux, or with --board Debian's kernel for arm64 in QEMU, with the images in that folder; files whose
needs are of the other kind are left out.
Exits 0 when every test passed, 1 when one failed, 64 for a NAME that is none.
"""

import argparse
import ast
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
sys.path.append(f"{PROJECT}/Tests/Support")
import guests  # noqa: E402
import hand  # noqa: E402

MEMORY_MB = 768


def settings(path):
    """The constant GUEST of a test file, without running the file."""
    with open(path, encoding="utf-8") as file:
        for statement in ast.parse(file.read()).body:
            if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "GUEST":
                return ast.literal_eval(statement.value)
    return {}


def chosen(names, kind, is_quick):
    """{topic: [test, …]} for the names on the command line; an empty list means all tests of the topic.

    Without names a quick run has the files alone whose `GUEST` does not call them long.
    """
    topics = {file[5:-3]: os.path.join(HERE, file) for file in sorted(os.listdir(HERE))
              if file.startswith("test_") and file.endswith(".py")}
    topics = {topic: path for topic, path in topics.items() if not kind.lacks & settings(path).keys()}
    if not names:
        return {topic: [] for topic, path in topics.items() if not (is_quick and settings(path).get("long"))}
    result = {}
    for name in names:
        topic, _, test = name.partition(":")
        if topic not in topics:
            guests.exit_with(64, f"no test file {topic!r}; there are: {', '.join(topics)}")
        known = guests.test_names(topics[topic])
        if test and test not in known:
            guests.exit_with(64, f"no test {test!r} in {topic}; there are: {', '.join(known)}")
        if test and result.get(topic) != []:
            result.setdefault(topic, []).append(test)
        else:
            result[topic] = []
    return result


def memory_directory():
    """Where the guest's memory may lie: it is a file, and /dev/shm is small in many containers."""
    shm = "/dev/shm"
    if os.access(shm, os.W_OK) and shutil.disk_usage(shm).free > 3 * MEMORY_MB * 1024 * 1024:
        return shm
    return tempfile.gettempdir()


class TestGuest(guests.Guest):
    """One run of one test file."""

    #: All deadlines are longer by this factor.
    patience = 1
    # It is on the kernel's command line, so it must be a plain one.
    parent = "/tmp"

    def __init__(self, kernel, programs, path, names):
        super().__init__(os.path.basename(path).removeprefix("test_").removesuffix(".py"))
        self.kernel, self.programs, self.path, self.names = kernel, programs, path, names
        self.wants = settings(path)

    def prepare(self, job):
        """Writes what the guest's first process reads."""
        with open(f"{job}/job.json", "w", encoding="utf-8") as file:
            json.dump({"project": PROJECT, "test": self.path, "names": self.names, "patience": self.patience,
                       "programs": self.programs, "udev": self.wants.get("udev", False)}, file)
        shutil.copy(f"{HERE}/guest/init.py", f"{job}/init")
        os.chmod(f"{job}/init", 0o755)

    def attempt(self):
        """Runs it, a second time if the guest died; whether it lived."""
        if self.run():
            return True
        if self.problem:  # that would happen again
            return False
        print(f"note {self.topic}: the guest died, once more", flush=True)
        return self.run()


class UserModeGuest(TestGuest):
    """User-Mode Linux with the host's own root."""

    lacks = {"board"}

    def command(self, job):
        self.prepare(job)
        arguments = [
            self.kernel, f"mem={MEMORY_MB}M", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro",
            "con=null", "con0=null,fd:1", f"umid={os.path.basename(job)}", f"uml_dir={job}/uml", "quiet",
            "panic=-1", f"init={job}/init", f"stepperd.job={job}"]
        if "device_tree" in self.wants:
            source = f"{HERE}/guest/{self.wants['device_tree']}"
            subprocess.run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", f"{job}/guest.dtb", source], check=True)
            arguments.append(f"dtb={job}/guest.dtb")
        return arguments, {**os.environ, "TMPDIR": memory_directory()}


class Board(TestGuest):
    """Debian's kernel for arm64 in QEMU, with a root of Debian's packages. The processor is emulated, and so is its clock."""

    lacks = {"device_tree", "user_mode"}
    patience = 4
    #: Input devices whose events come from outside the guest, by QEMU's names.
    devices = ("virtio-keyboard-pci", "virtio-mouse-pci", "virtio-tablet-pci")

    def command(self, job):
        self.prepare(job)
        arguments = guests.machine("arm64", self.kernel, "bare", job, MEMORY_MB,
                                   f"stepperd.init=/job/init stepperd.project={PROJECT}")
        arguments += ["-virtfs", f"local,path={PROJECT},mount_tag=project,security_model=none,readonly=on,multidevs=remap"]
        if self.wants.get("board"):
            arguments += hand.arguments(job, self.devices)
        return arguments, None


def main():
    """The program."""
    parser = argparse.ArgumentParser(description="Runs the kernel tests in guests.")
    kinds = parser.add_mutually_exclusive_group(required=True)
    kinds.add_argument("--kernel")
    kinds.add_argument("--board")
    parser.add_argument("--programs", required=True)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes, unless it is named")
    parser.add_argument("--verbose", action="store_true", help="print what the tests printed, always")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    kind, kernel = (Board, options.board) if options.board else (UserModeGuest, options.kernel)
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(options.jobs, 1)) as pool:
        running = {}
        for topic, names in chosen(options.names, kind, options.quick).items():
            path = os.path.join(HERE, f"test_{topic}.py")
            guest = kind(kernel, os.path.realpath(options.programs), path, names)
            running[pool.submit(guest.attempt)] = guest
        outcomes = ((running[future], future.result()) for future in concurrent.futures.as_completed(running))
        return guests.conclude(outcomes, options.verbose)


if __name__ == "__main__":
    sys.exit(main())
