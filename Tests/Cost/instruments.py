"""What counts the costs of a running daemon. Each instrument is a prefix or an environment of its command, and `read`, which
returns what was counted since it was asked before: a dictionary of numbers. Ask while the daemon sleeps (`settle`)."""

import collections
import contextlib
import os
import re
import struct
import subprocess

from waiting import eventually


HERE = os.path.dirname(os.path.abspath(__file__))


class Instrument:
    """One that counts nothing. `folder` is the daemon's own, where it may write."""

    #: Seconds that a reply may take.
    patience = 10
    #: Sources of libraries that the daemon is started with, by their names in this folder.
    sources = []
    #: Where the libraries are, once they are built.
    libraries = None

    @staticmethod
    def build(folder):
        """Compiles the libraries of all instruments."""
        for name in ("count-allocations", "counted-clock", "direct-read"):
            subprocess.run(["cc", "-O2", "-Wall", "-Werror", "-fPIC", "-shared", "-o", f"{folder}/{name}.so", f"{HERE}/{name}.c"],
                           check=True)
        Instrument.libraries = folder

    def __init__(self, folder):
        self.folder = folder

    def prefix(self):
        """The words before the program."""
        return []

    def environment(self):
        """What the program has in its environment besides."""
        return {"LD_PRELOAD": ":".join(f"{self.libraries}/{name}.so" for name in self.sources)}

    def read(self, pid):
        """What was counted since it was asked before."""
        return {}


class Allocations(Instrument):
    """Heap allocations, and the bytes asked for."""

    sources = ["count-allocations", "counted-clock"]
    COUNT = struct.Struct("@QQ")

    def __init__(self, folder):
        super().__init__(folder)
        self.path = f"{folder}/allocations"
        self.before = (0, 0)
        with open(self.path, "wb") as file:
            file.write(bytes(self.COUNT.size))

    def environment(self):
        return super().environment() | {"STEPPERD_ALLOCATIONS": self.path}

    def read(self, pid):
        with open(self.path, "rb") as file:
            now = self.COUNT.unpack(file.read())
        allocations, size = (new - old for new, old in zip(now, self.before))
        self.before = now
        return {"allocations": allocations, "allocated bytes": size}


class SystemCalls(Instrument):
    """System calls by name; one that failed has the error behind its name."""

    sources = ["counted-clock"]
    LINE = re.compile(r"^\d+ +(?:<\.\.\. )?(\w+)(?:\(| resumed>).*\) += (?:-1 (\w+)|\S+)")

    def __init__(self, folder):
        super().__init__(folder)
        self.path = f"{folder}/trace"
        self.offset = 0

    def prefix(self):
        # -D: the daemon is our child, and the tracer its grandchild, which ends with it.
        return ["/usr/bin/strace", "-D", "-f", "-qq", "-s", "0", "-e", "signal=none", "-o", self.path]

    def read(self, pid):
        # strace writes a line when the call has ended, before the daemon goes on.
        with open(self.path, encoding="utf-8") as file:
            file.seek(self.offset)
            text = file.read()
        whole = text[:text.rfind("\n") + 1]
        self.offset += len(whole)
        found = (self.LINE.match(line) for line in whole.splitlines())
        return dict(collections.Counter(f"calls {call[1]}" + (f" {call[2]}" if call[2] else "") for call in found if call))


class Instructions(Instrument):
    """Instructions, by valgrind's simulated processor."""

    patience = 60
    sources = ["counted-clock"]

    def __init__(self, folder):
        super().__init__(folder)
        self.reads = 0

    def prefix(self):
        return ["/usr/bin/valgrind", "--tool=callgrind", f"--vgdb-prefix={self.folder}/vgdb",
                f"--callgrind-out-file={self.folder}/callgrind", f"--log-file={self.folder}/valgrind.log"]

    def environment(self):
        # The order in a dictionary is the same in each run.
        return super().environment() | {"SWIFT_DETERMINISTIC_HASHING": "1"}

    def read(self, pid):
        subprocess.run(["/usr/bin/vgdb", f"--vgdb-prefix={self.folder}/vgdb", f"--pid={pid}", "dump"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=self.patience)
        self.reads += 1
        path = f"{self.folder}/callgrind.{self.reads}"
        total = self.take(path)
        os.unlink(path)
        return {"instructions": total}

    def take(self, path):
        """What is counted in a profile."""
        with open(path, encoding="utf-8", errors="replace") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("totals:"))


def settle(pid):
    """Waits until the process sleeps: the daemon does so in epoll_wait alone, when all is done."""
    def sleeps():
        with contextlib.suppress(ProcessLookupError), open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] == "S"
        return False
    eventually(sleeps, "the daemon sleeps", 20)
