"""Shows that the instruments count, and that a worse row is refused."""

import copy
import subprocess
import tempfile

from instruments import HERE, Allocations, Instructions, Instrument, SystemCalls, settle
from judge import Baseline
from scenarios import per_event

BASELINE = """{"environment": {"swift": "1"}, "rows": {
  "turn: instructions": {"baseline": 1000},
  "turn: allocations": {"baseline": 3, "limit": 0}, "hold: allocations": {"baseline": 0, "limit": 0},
  "turn: calls sendto": {"baseline": 1, "limit": 1}, "change: message bytes": {"baseline": 300},
  "flat: ratio": {"baseline": 1.01, "limit": 1}}}"""
#: Row, what is measured, the beginning of the verdict, whether it fails.
VERDICTS = [
    ("turn: instructions", 1049, "ok", False), ("turn: instructions", 1051, "WORSE by +5.1%", True),
    ("turn: instructions", 940, "better", False), ("turn: instructions", None, "NOT MEASURED", True),
    ("turn: allocations", 3, "above its goal", False), ("turn: allocations", 4, "WORSE", True),
    ("turn: allocations", 2, "better", False), ("hold: allocations", 0, "ok", False),
    ("hold: allocations", 0.5, "OVER LIMIT", True),
    ("turn: calls sendto", 1, "ok", False), ("turn: calls sendto", 1.5, "OVER LIMIT", True),
    ("turn: calls sendto EAGAIN", 1, "OVER LIMIT", True), ("unknown: calls sendto", 1, "NEW", True),
    ("change: message bytes", 301, "WORSE", True), ("flat: ratio", 1.02, "ok", False), ("flat: ratio", 1.05, "OVER LIMIT", True),
]
#: What an event of sample.c costs.
SAMPLE = {Allocations: {"allocations": 7, "allocated bytes": 2812},
          SystemCalls: {"calls getppid": 1, "calls access ENOENT": 1}}


class Sample:
    """sample.c under an instrument."""

    def __init__(self, folder, instrument):
        self.instrument = instrument(folder)
        self.process = subprocess.Popen([*self.instrument.prefix(), f"{folder}/sample"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env=self.instrument.environment())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(20)

    def read(self):
        """As of a daemon."""
        settle(self.process.pid)
        return self.instrument.read(self.process.pid)

    def work(self, count):
        """So many events."""
        self.process.stdin.write(b"%d\n" % count)
        self.process.stdin.flush()
        self.process.stdout.readline()
        return count


def judged():
    """What is wrong with the verdicts."""
    baseline = Baseline(BASELINE)
    for row, measured, wanted, fails in VERDICTS:
        verdict, failed = baseline.judge(row, measured, {"swift": "1"})
        if not verdict.startswith(wanted) or failed != fails:
            yield f"{row} of {measured} is {verdict!r}, {failed}"
    verdict, failed = baseline.judge("turn: instructions", 2000, {"swift": "2"})
    if failed or "other environment" not in verdict:
        yield f"instructions of another compiler are judged: {verdict}"
    complete = baseline.completed({"turn: instructions": 1000})
    if complete["turn: calls sendto"] != 0 or complete["turn: allocations"] is not None:
        yield f"what is missing is {complete}"
    before = copy.deepcopy(baseline.rows)
    refused = baseline.renew({"turn: instructions": 2000, "turn: allocations": 1, "hold: allocations": 1}, {"swift": "2"})
    after = before | {"turn: instructions": {"baseline": 2000}, "turn: allocations": {"baseline": 1, "limit": 0}}
    again = Baseline(baseline.text())
    if refused != ["hold: allocations"] or again.rows != after or again.environment != {"swift": "2"}:
        yield f"renewed: {baseline.text()}, refused: {refused}"


def counted(folder):
    """What is wrong with the instruments."""
    Instrument.build(folder)
    subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-o", f"{folder}/sample", f"{HERE}/sample.c"], check=True)
    found = {}
    for instrument in (Allocations, SystemCalls, Instructions):
        with Sample(folder, instrument) as sample:
            found |= {instrument: per_event(sample, sample.work, 20)}
    for instrument, wanted in SAMPLE.items():
        if found[instrument] != wanted:
            yield f"{instrument.__name__}: {found[instrument]}, not {wanted}"
    if not 5000 < found[Instructions]["instructions"] < 20000:
        yield f"instructions: {found[Instructions]}"


def faults():
    """Prints what is wrong, and returns it."""
    with tempfile.TemporaryDirectory() as folder:
        found = [*judged(), *counted(folder)]
    for fault in found:
        print(f"self-test: {fault}")
    return found
