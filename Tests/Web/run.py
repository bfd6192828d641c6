#!/usr/bin/python3
"""Runs the tests in the browser, several at once, and says how they went.

    run.py [--quick | --rest] [--jobs N] [--list] [NAME…]

NAME is a number of the table in README.md ("21"), a test file ("holds") or a part of a test's name. Exits 0 when every
test passed, 1 when one failed or none ran, 64 for a NAME that is none.
"""

import argparse
import glob
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, f"{os.path.dirname(HERE)}/Support"]
#: Seconds for one class of tests.
LIMIT = 1500
#: So many tests that failed are repeated, one after the other.
MOST_REPEATED = 5


class Result(unittest.TestResult):
    """Writes a line of JSON for each test."""

    def __init__(self, output):
        super().__init__()
        self.output, self.begun = output, 0.0
        self.outcome, self.reason = "pass", ""

    def startTest(self, test):  # noqa: N802
        super().startTest(test)
        self.begun, self.outcome, self.reason = time.monotonic(), "pass", ""

    def _note(self, outcome, reason):
        if self.outcome != "fail":
            self.outcome = outcome
        self.reason += reason

    def addFailure(self, test, err):  # noqa: N802
        self._note("fail", self._exc_info_to_string(err, test))

    def addError(self, test, err):  # noqa: N802
        self._note("fail", self._exc_info_to_string(err, test))
        if not hasattr(test, "_testMethodName"):  # setUpClass
            self.write(str(test))

    def addSubTest(self, test, subtest, err):  # noqa: N802
        if err is not None:
            self._note("fail", f"{subtest}\n{self._exc_info_to_string(err, test)}")

    def addSkip(self, test, reason):  # noqa: N802
        self._note("skip", reason)

    def stopTest(self, test):  # noqa: N802
        super().stopTest(test)
        self.write(test._testMethodName)

    def write(self, name):
        """The line."""
        self.output.write(json.dumps({"outcome": self.outcome, "name": name, "reason": self.reason,
                                      "seconds": round(time.monotonic() - self.begun, 1)}) + "\n")
        self.output.flush()


def flat(suite):
    """The tests of a suite."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def known():
    """Every test: (file, class, method, whether quick, whether alone)."""
    for path in sorted(glob.glob(f"{HERE}/tests/test_*.py")):
        topic = os.path.basename(path)[5:-3]
        for test in flat(unittest.defaultTestLoader.loadTestsFromName(f"tests.test_{topic}")):
            method = getattr(test, test._testMethodName, None)
            if method is None or type(test).__name__ == "_FailedTest":
                raise SystemExit(f"tests/test_{topic}.py does not load: {test._exception}")
            yield topic, type(test).__name__, test._testMethodName, getattr(method, "quick", False), type(test).alone


def chosen(tests, names):
    """The tests that a NAME means."""
    if not names:
        return tests
    result = []
    for name in names:
        number = re.fullmatch(r"[0-9]+", name)
        found = [test for test in tests if
                 (test[2].startswith(f"test_{int(name):02d}_") if number else name == test[0] or name in test[2])]
        if not found:
            print(f"no test {name!r}", file=sys.stderr)
            raise SystemExit(64)
        result += [test for test in found if test not in result]
    return result


def work(names):
    """What a worker does: runs tests of one class."""
    from bed.browser import finish
    with os.fdopen(int(os.environ["STEPPERD_WEB_RESULTS"]), "w", encoding="utf-8") as output:
        unittest.defaultTestLoader.loadTestsFromNames(names).run(Result(output))
    finish()


class Group:
    """The tests of one class, in a process of their own."""

    running = set()

    @classmethod
    def end_all(cls, *_):
        """Ends the workers with their browsers: when this program is ended."""
        for process in list(cls.running):
            os.killpg(process.pid, signal.SIGKILL)
        os._exit(1)

    def __init__(self, topic, name, methods):
        self.topic, self.name, self.methods = topic, name, methods

    def run(self):
        """(results, what it printed); a test without a result has failed."""
        reading, writing = os.pipe()
        names = [f"tests.test_{self.topic}.{self.name}.{method}" for method in self.methods]
        process = subprocess.Popen([sys.executable, os.path.abspath(__file__), "--worker", *names], pass_fds=[writing], cwd=HERE,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
                                   env={**os.environ, "STEPPERD_WEB_RESULTS": str(writing), "PYTHONDONTWRITEBYTECODE": "1"})
        os.close(writing)
        self.running.add(process)
        killer = threading.Timer(LIMIT, lambda: os.killpg(process.pid, signal.SIGKILL))
        killer.start()
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(os.fdopen(reading, encoding="utf-8")))
        reader.start()
        output = process.communicate()[0]
        killer.cancel()
        self.running.discard(process)
        reader.join()
        results = [json.loads(line) for line in lines]
        missing = set(self.methods) - {result["name"] for result in results}
        results += [{"outcome": "fail", "name": name, "seconds": 0, "reason": f"did not run\n{output[-2000:]}"} for name in sorted(missing)]
        return results, output


def run(groups, jobs, report):
    """Runs groups, at most `jobs` at once."""
    left, lock = list(groups), threading.Lock()

    def worker():
        while True:
            with lock:
                if not left:
                    return
                group = left.pop(0)
            results, output = group.run()
            with lock:
                report(group, results, output)
    threads = [threading.Thread(target=worker) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    """The program."""
    parser = argparse.ArgumentParser(description="Runs the tests in the browser.")
    parser.add_argument("--quick", action="store_true", help="only what takes a minute in all")
    parser.add_argument("--rest", action="store_true", help="only what --quick leaves out")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="print the tests and run none")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if options.worker:
        return work(options.names)
    tests = chosen([test for test in known() if not (options.rest if test[3] else options.quick)], options.names)
    if options.list:
        print("\n".join(f"{topic}:{method}{' (quick)' if quick else ''}" for topic, _, method, quick, _ in tests))
        return 0
    groups, counts, begun, failed = {}, {"pass": 0, "fail": 0, "skip": 0}, time.monotonic(), {}
    for topic, name, method, _, alone in tests:
        groups.setdefault((alone, topic, name), Group(topic, name, [])).methods.append(method)

    def report(group, results, output):
        for result in results:
            counts[result["outcome"]] += 1
            if result["outcome"] == "fail":
                failed.setdefault((group.topic, group.name), Group(group.topic, group.name, [])).methods.append(result["name"])
            word = {"pass": "ok  ", "fail": "FAIL", "skip": "skip"}[result["outcome"]]
            reason = f": {result['reason']}" if result["outcome"] == "skip" else ""
            print(f"{word} {group.topic}:{result['name']} ({result['seconds']} s){reason}")
            if result["outcome"] == "fail":
                print("     | " + result["reason"].strip().replace("\n", "\n     | "))
        # Its figures.
        print("".join(f"     {line}\n" for line in output.splitlines()), end="")
        sys.stdout.flush()
    signal.signal(signal.SIGTERM, Group.end_all)
    signal.signal(signal.SIGINT, Group.end_all)
    run([group for key, group in groups.items() if not key[0]], max(options.jobs, 1), report)
    run([group for key, group in groups.items() if key[0]], 1, report)
    if 0 < counts["fail"] <= MOST_REPEATED:
        # What is tested is time: what failed while the machine had other work must pass without.
        print(f"{counts['fail']} once more, alone:")
        again, failed = list(failed.values()), {}
        counts["fail"] = 0
        run(again, 1, report)
    print(f"in {time.monotonic() - begun:.0f} s")
    print(f"{counts['pass']} passed, {counts['fail']} failed" + (f", {counts['skip']} skipped" if counts["skip"] else ""))
    return 1 if counts["fail"] or not counts["pass"] else 0


if __name__ == "__main__":
    sys.exit(main())
