"""Runs test files in throw-away guests and says how they went: what the guests of Tests/Kernel and Tests/System share."""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time

#: The folder of all tests.
TESTS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def exit_with(status, message):
    """Ends the program with a message."""
    tier = os.path.basename(os.path.dirname(os.path.realpath(sys.argv[0]))).lower()
    print(f"{tier}-test: {message}", file=sys.stderr)
    sys.exit(status)


def test_names(path):
    """The tests of a file, without running it."""
    with open(path, encoding="utf-8") as file:
        return [statement.name for statement in ast.parse(file.read()).body
                if isinstance(statement, ast.FunctionDef)
                and any(getattr(word, "id", "") == "test" for word in statement.decorator_list)]


def read(path):
    """A file's text, or nothing."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def tail(text, lines=30):
    """The last lines of a text."""
    return "\n".join(text.splitlines()[-lines:])


def initial_memory(images, first, folder):
    """The initial memory file system of a guest in QEMU, made in a folder: the images' modules with a first process."""
    shutil.copy(first, f"{folder}/init")
    with open(f"{folder}/initrd", "wb") as file:
        with open(f"{images}/modules", "rb") as modules:
            shutil.copyfileobj(modules, file)
        file.flush()
        subprocess.run(["cpio", "--quiet", "--create", "--format=newc", "--owner=0:0"], cwd=folder, input=b"init\n",
                       stdout=file, check=True)
    return f"{folder}/initrd"


#: What QEMU is told for each architecture, and what its kernel is told.
MACHINES = {
    "amd64": (["qemu-system-x86_64", "-machine", "q35", "-cpu", "max", "-device", "VGA,addr=2"],
              "console=ttyS0 tsc=reliable no_timer_check mitigations=off acpi_backlight=video"),
    "arm64": (["qemu-system-aarch64", "-machine", "virt", "-cpu", "max,pauth-impdef=on", "-audiodev", "none,id=none",
               "-device", "intel-hda", "-device", "hda-output,audiodev=none"], "console=ttyAMA0"),
}


def machine(architecture, images, disk, job, memory, parameters=""):
    """The arguments of an emulated machine with a disk of `images` that it cannot write to, and the folder `job`.

    `memory` is in MB.
    """
    options, console = MACHINES[architecture]
    os.mkdir(f"{job}/boot")
    initrd = initial_memory(images, os.path.join(TESTS, "System/guest/init"), f"{job}/boot")
    screen = ["-acpitable", f"file={images}/screen.aml"] if architecture == "amd64" else []
    return [*options, *screen, "-accel", "tcg,thread=multi", "-smp", "2", "-m", str(memory), "-nodefaults", "-no-user-config",
            "-no-reboot", "-display", "none", "-serial", "stdio", "-kernel", f"{images}/kernel", "-initrd", initrd,
            "-append", f"{console} quiet panic=-1 {parameters}",
            "-drive", f"file={images}/{disk}.img,if=none,id=root,format=raw,readonly=on", "-device", "virtio-blk-pci,drive=root",
            "-virtfs", f"local,path={job},mount_tag=job,security_model=none,multidevs=remap"]


class Guest:
    """One machine, from its start until its tests are done. A subclass says in `command` what is started.

    The guest and the host share a folder, the job: the guest puts there `results`, a line for each test and "done" at the
    end, `output`, and `init.log` if it could not run the tests.
    """

    #: Seconds after which a guest is stopped.
    limit = 900
    #: Where the job is made; None: where temporary files are.
    parent = None

    def __init__(self, topic):
        self.topic = topic
        self.results, self.output, self.problem = [], "", ""

    def command(self, job):
        """Prepares the job; returns the arguments of the process that is the guest, and its environment."""
        raise NotImplementedError

    def run(self):
        """Runs it; whether the guest lived to the end of the tests."""
        with tempfile.TemporaryDirectory(prefix="stepperd-guest.", dir=self.parent) as job:
            os.chmod(job, 0o755)
            arguments, environment = self.command(job)
            status = self._run_to_its_end(arguments, environment, f"{job}/console")
            lines = read(f"{job}/results").splitlines()
            self.results = [line.split("\t") for line in lines if line.count("\t") == 3]
            self.output, self.problem = read(f"{job}/output"), read(f"{job}/init.log")
            # A guest may abort while it switches itself off: only the results count.
            lived = lines[-1:] == ["done"]
            if not lived:
                self.output += (f"\n--- the guest did not finish, its exit status: {status}\n"
                                f"{self.problem}{tail(read(f'{job}/console'))}")
            return lived

    def _run_to_its_end(self, arguments, environment, console):
        with open(console, "w", encoding="utf-8") as file:
            process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                       start_new_session=True, env=environment)
        try:
            return process.wait(self.limit)
        except subprocess.TimeoutExpired:
            return f"none after {self.limit} s"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, 9)
                process.wait()

    def report(self, lived, verbose):
        """Prints a line for each test; returns (passed, failed)."""
        words = {"pass": "ok  ", "fail": "FAIL", "skip": "skip"}
        for word, name, seconds, reason in self.results:
            print(f"{words[word]} {self.topic}:{name} ({seconds} s){': ' + reason if reason else ''}")
        passed = sum(word == "pass" for word, *_ in self.results)
        failed = sum(word == "fail" for word, *_ in self.results)
        if not lived:
            print(f"FAIL {self.topic}: {'the tests' if self.problem else 'the guest'} ended too early")
            failed += 1
        if failed or verbose:
            print("     | " + self.output.strip().replace("\n", "\n     | "))
        sys.stdout.flush()
        return passed, failed


def conclude(outcomes, verbose):
    """Reports each (guest, lived) as it comes, and the sum; returns the exit status."""
    start, passed, failed = time.monotonic(), 0, 0
    for guest, lived in outcomes:
        more_passed, more_failed = guest.report(lived, verbose)
        passed, failed = passed + more_passed, failed + more_failed
    print(f"in {time.monotonic() - start:.0f} s")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0
