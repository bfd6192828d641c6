#!/usr/bin/python3
"""Runs the test files in throw-away guests, each in its own, and says how they went.

    guests.py --kernel FILE --programs DIR [--jobs N] [--verbose] [NAME…]

A NAME is a test file (``grab``) or one test in it (``grab:grabbed_by_another``). What a file needs of its guest
is in its constant ``GUEST``: ``udev`` (a real systemd-udevd) and ``device_tree`` (a source beside init.py).
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
import time

HERE = os.path.dirname(os.path.realpath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
MEMORY_MB = 768
#: A guest that is not done after this many seconds is stopped.
LIMIT = 300


def settings(path):
    """The constant GUEST of a test file, without running the file."""
    with open(path, encoding="utf-8") as file:
        for statement in ast.parse(file.read()).body:
            if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "GUEST":
                return ast.literal_eval(statement.value)
    return {}


def test_names(path):
    """The tests of a file, without running it."""
    with open(path, encoding="utf-8") as file:
        return [statement.name for statement in ast.parse(file.read()).body
                if isinstance(statement, ast.FunctionDef)
                and any(getattr(word, "id", "") == "test" for word in statement.decorator_list)]


def chosen(names):
    """{topic: [test, …]} for the names on the command line; an empty list means all tests of the topic."""
    topics = {file[5:-3]: os.path.join(HERE, file) for file in sorted(os.listdir(HERE))
              if file.startswith("test_") and file.endswith(".py")}
    if not names:
        return {topic: [] for topic in topics}
    result = {}
    for name in names:
        topic, _, test = name.partition(":")
        if topic not in topics:
            exit_with(64, f"no test file {topic!r}; there are: {', '.join(topics)}")
        known = test_names(topics[topic])
        if test and test not in known:
            exit_with(64, f"no test {test!r} in {topic}; there are: {', '.join(known)}")
        if test and result.get(topic) != []:
            result.setdefault(topic, []).append(test)
        else:
            result[topic] = []
    return result


def exit_with(status, message):
    """Ends the program with a message."""
    print(f"kernel-test: {message}", file=sys.stderr)
    sys.exit(status)


def memory_directory():
    """Where the guest's memory may lie: it is a file, and /dev/shm is small in many containers."""
    shm = "/dev/shm"
    if os.access(shm, os.W_OK) and shutil.disk_usage(shm).free > 3 * MEMORY_MB * 1024 * 1024:
        return shm
    return tempfile.gettempdir()


class Guest:
    """One run of one test file."""

    def __init__(self, kernel, programs, topic, names):
        self.kernel, self.programs, self.topic, self.names = kernel, programs, topic, names
        self.path = os.path.join(HERE, f"test_{topic}.py")
        self.wants = settings(self.path)
        self.results, self.output, self.problem = [], "", ""

    def run(self):
        """Runs it; whether the guest lived to the end of the tests."""
        # The path goes onto the kernel's command line, so it must be a plain one.
        with tempfile.TemporaryDirectory(prefix="stepperd-guest.", dir="/tmp") as job:
            return self._run_in(job)

    def _run_in(self, job):
        with open(f"{job}/job.json", "w", encoding="utf-8") as file:
            json.dump({"project": PROJECT, "test": self.path, "names": self.names,
                       "programs": self.programs, "udev": self.wants.get("udev", False)}, file)
        shutil.copy(f"{HERE}/guest/init.py", f"{job}/init")
        os.chmod(f"{job}/init", 0o755)
        arguments = [
            self.kernel, f"mem={MEMORY_MB}M", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro",
            "con=null", "con0=null,fd:1", f"umid={os.path.basename(job)}", f"uml_dir={job}/uml", "quiet",
            "panic=-1", f"init={job}/init", f"stepperd.job={job}"]
        if "device_tree" in self.wants:
            source = f"{HERE}/guest/{self.wants['device_tree']}"
            subprocess.run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", f"{job}/guest.dtb", source], check=True)
            arguments.append(f"dtb={job}/guest.dtb")
        with open(f"{job}/console", "w", encoding="utf-8") as console:
            process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=console, stderr=console, start_new_session=True,
                env={**os.environ, "TMPDIR": memory_directory()})
            try:
                status = process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                status = f"none after {LIMIT} s"
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, 9)
                    process.wait()
        lines = read(f"{job}/results").splitlines()
        self.results = [line.split("\t") for line in lines if line.count("\t") == 3]
        self.output, self.problem = read(f"{job}/output"), read(f"{job}/init.log")
        # The kernel sometimes aborts while it switches itself off: only the results count.
        alive = lines[-1:] == ["done"]
        if not alive:
            self.output += (f"\n--- the guest did not finish, its exit status: {status}\n"
                            f"{self.problem}{tail(read(f'{job}/console'))}")
        return alive


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


def attempt(guest):
    """Runs a guest, a second time if it died; whether it lived."""
    if guest.run():
        return True
    if guest.problem:  # that would happen again
        return False
    print(f"note {guest.topic}: the guest died, once more", flush=True)
    return guest.run()


def report(guest, alive, verbose):
    """Prints a line for each test; returns (passed, failed)."""
    words = {"pass": "ok  ", "fail": "FAIL", "skip": "skip"}
    for word, name, seconds, reason in guest.results:
        print(f"{words[word]} {guest.topic}:{name} ({seconds} s){': ' + reason if reason else ''}")
    passed = sum(word == "pass" for word, *_ in guest.results)
    failed = sum(word == "fail" for word, *_ in guest.results)
    if not alive:
        print(f"FAIL {guest.topic}: {'the tests' if guest.problem else 'the guest'} ended too early")
        failed += 1
    if failed or verbose:
        print("     | " + guest.output.strip().replace("\n", "\n     | "))
    sys.stdout.flush()
    return passed, failed


def main():
    """The program."""
    parser = argparse.ArgumentParser(description="Runs the kernel tests in guests.")
    parser.add_argument("--kernel", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--verbose", action="store_true", help="print what the tests printed, always")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    guests = [Guest(options.kernel, os.path.realpath(options.programs), topic, names)
              for topic, names in chosen(options.names).items()]
    start, passed, failed = time.monotonic(), 0, 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(options.jobs, 1)) as pool:
        running = {pool.submit(attempt, guest): guest for guest in guests}
        for future in concurrent.futures.as_completed(running):
            more_passed, more_failed = report(running[future], future.result(), options.verbose)
            passed, failed = passed + more_passed, failed + more_failed
    print(f"in {time.monotonic() - start:.0f} s")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
