"""The committed baseline, and the verdict on what was measured."""

import json
import os
import platform
import re
import subprocess
import sys

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "baseline.json")
RENEW = "Scripts/measure/cost --renew"

#: What is measured, by the end of a row's name: the part by which it may be above its baseline, and how much besides.
TOLERANCES = [
    (r"instructions", 0.05, 0),
    # The start depends on the environment and on what the machine has.
    (r"^start: allocations", 0.05, 50),
    (r"^start: allocated bytes", 0.05, 4096),
    (r"allocations", 0, 0.06),
    # At the start there is waiting for other programs.
    (r"calls of all names", 0.05, 0.25),
    # A timer may be due meanwhile.
    (r"calls .*", 0, 0.25),
    (r"allocated bytes", 0.02, 64),
    (r"message bytes", 0, 0),
    (r"program bytes", 0.01, 0),
    (r"RssAnon kB", 0.15, 0),
    (r"ratio", 0.05, 0.03),
]


def tolerance(row):
    """(part, absolute) of a row."""
    return next((part, absolute) for pattern, part, absolute in TOLERANCES if re.search(rf"({pattern})$", row))


def environment(folder):
    """What the numbers of instructions depend on besides the sources; `folder` is for what Swift leaves there."""
    swift = subprocess.run(["swift", "--version"], env=os.environ | {"TMPDIR": folder}, check=True,
                           capture_output=True, text=True).stdout
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = re.search(r"^(?:flags|Features)\s*:(.*)$", file.read(), re.MULTILINE)
    # valgrind simulates a processor with the best of these that the real one has.
    vector = next((name for name in ("avx2", "avx", "sse4_2", "asimd") if flags and name in flags[1].split()), "none")
    return {"machine": platform.machine(), "vector": vector, "libc": " ".join(platform.libc_ver()),
            "swift": re.search(r"Swift version (\S+)", swift)[1]}


class Baseline:
    """Rows by name: a baseline, a limit, or both. A limit is a goal while the baseline is above it, and binding as soon as the
    baseline has reached it. A system call that has no row has the limit 0 where its scenario has rows."""

    def __init__(self, text):
        content = json.loads(text)
        self.environment, self.rows = content["environment"], content["rows"]

    def known(self, row):
        """(baseline, limit) of a row."""
        found = self.rows.get(row)
        if found is None:
            scenario, _, what = row.partition(": ")
            is_call = what.startswith("calls ") and any(other.startswith(f"{scenario}: ") for other in self.rows)
            found = {"baseline": 0, "limit": 0} if is_call else {}
        return found.get("baseline"), found.get("limit")

    @classmethod
    def committed(cls):
        """The one in the repository."""
        with open(PATH, encoding="utf-8") as file:
            return cls(file.read())

    def write(self):
        """Writes the one in the repository."""
        with open(PATH, "w", encoding="utf-8") as file:
            file.write(self.text())

    def text(self):
        """As it is committed: a line for each row, so that a change can be read."""
        rows = ",\n".join(f"    {json.dumps(row)}: {json.dumps(self.rows[row])}" for row in sorted(self.rows))
        return f'{{\n  "environment": {json.dumps(self.environment)},\n  "rows": {{\n{rows}\n  }}\n}}\n'

    def is_kept(self, row):
        """Whether the limit of a row has been reached before."""
        baseline, limit = self.known(row)
        return None not in (baseline, limit) and baseline <= limit + tolerance(row)[1]

    def judge(self, row, measured, present):
        """(verdict, whether it fails); `present` is the environment."""
        baseline, limit = self.known(row)
        part, absolute = tolerance(row)
        if row.endswith("instructions") and present != self.environment:
            return "not judged: other environment", False
        if measured is None:
            return f"NOT MEASURED: {RENEW}", True
        is_over = limit is not None and measured > limit + absolute
        if is_over and self.is_kept(row):
            return f"OVER LIMIT: {limit:g} was kept before", True
        if baseline is None:
            return f"NEW: {RENEW}", True
        if measured > baseline * (1 + part) + absolute:
            change = f"{measured / baseline - 1:+.1%}" if baseline else f"{measured - baseline:+g}"
            return f"WORSE by {change}; if that is right: {RENEW}", True
        if measured < baseline * (1 - part) - absolute:
            return f"better: {RENEW}", False
        return ("above its goal" if is_over else "ok"), False

    def verdicts(self, results, present):
        """(row, measured, baseline, limit, verdict, fails) of each row."""
        return [(row, measured, *self.known(row), *self.judge(row, measured, present)) for row, measured in results.items()]

    def completed(self, results):
        """The results with all rows of the baseline. A call that is not made any more is none, the others were not measured."""
        missing = [row for row in self.rows if row not in results]
        return results | {row: 0 if ": calls " in row else None for row in missing}

    def renew(self, results, present):
        """Takes what was measured; limits stay. Returns the rows that it does not take: they pass a limit that was kept."""
        refused = []
        for row, measured in results.items():
            baseline, limit = self.known(row)
            if measured is None:
                del self.rows[row]
            elif limit is not None and measured > limit + tolerance(row)[1] and self.is_kept(row):
                refused.append(row)
            else:
                self.rows.setdefault(row, {})["baseline"] = measured
        self.environment = present
        return refused


def report(verdicts, present, folder):
    """Prints the verdicts as a table, those that fail once more at the end, and writes them as JSON."""
    def number(value):
        return "" if value is None else f"{value:,.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else f"{value:,}"
    lines = [("what", "measured", "baseline", "limit", "verdict"),
             *((row, *map(number, numbers), verdict) for row, *numbers, verdict, _ in verdicts)]
    width = max(len(line[0]) for line in lines)
    print("\n".join(f"{row:{width}} {measured:>13} {baseline:>13} {limit:>10}  {verdict}"
                    for row, measured, baseline, limit, verdict in lines))
    for row, measured, baseline, _, verdict, fails in verdicts:
        if fails:
            print(f"cost: {row}: {measured}, before {baseline}: {verdict}", file=sys.stderr)
    os.makedirs(folder, exist_ok=True)
    keys = ("row", "measured", "baseline", "limit", "verdict", "fails")
    with open(f"{folder}/results.json", "w", encoding="utf-8") as file:
        json.dump({"environment": present, "rows": [dict(zip(keys, verdict)) for verdict in verdicts]}, file, indent=1)
