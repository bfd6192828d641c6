"""Renders Documentation/performance.md and its curves from the results that are kept in Benchmarks/."""

import glob
import json
import os
import re
import shutil

from figures import svg
from rendering import settle
from results import ROOT, table

DOCUMENT = f"{ROOT}/Documentation/performance.md"
CURVES = f"{ROOT}/Documentation/performance"
#: A place of the document that is rendered: `<!-- bench RESULTS table -->` or `<!-- bench RESULTS curve NAME -->`, up to `<!-- end -->`.
PLACE = re.compile(r"(<!-- bench (\S+) (table|curve (\S+)) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def markdown(results):
    """The machine and the table."""
    machine = results["machine"]
    first, *cells = table(results["rows"])
    lines = [f"`{results['command']}` on {results['date']}, commit {results['commit']}: {machine['processor']}, "
             f"{machine['processors']} processor{'s' * (machine['processors'] != 1)}, Linux {machine['kernel']}.", "",
             "| " + " | ".join(first) + " |",
             "|" + "|".join("---" if title in ("measure", "unit", "") else "---:" for title in first) + "|"]
    lines += ["| " + " | ".join(line) + " |" for line in cells]
    return "\n".join(lines) + "\n"


def rendered():
    """The text of each file by its path."""
    results = {}
    for path in sorted(glob.glob(f"{ROOT}/Benchmarks/results*.json")):
        with open(path, encoding="utf-8") as file:
            results[os.path.basename(path)] = json.load(file)
    curves = {(name, curve["name"]): curve for name, content in results.items() for curve in content["curves"]}
    files = {f"{CURVES}/{curve['name']}.svg": svg(curve) for curve in curves.values()}
    shown = set()

    def place(match):
        begin, name, kind, curve, end = match.groups()
        if name not in results:
            return begin + end
        if kind == "table":
            content = markdown(results[name])
        else:
            if (name, curve) not in curves:
                raise SystemExit(f"bench: {name} has no curve {curve}, which {DOCUMENT} shows")
            shown.add((name, curve))
            content = f"![{curves[name, curve]['title']}](performance/{curve}.svg)\n"
        return f"{begin}{content}{end}"

    with open(DOCUMENT, encoding="utf-8") as file:
        files[DOCUMENT] = PLACE.sub(place, file.read())
    missing = [name for _, name in sorted(curves.keys() - shown)]
    if missing:
        raise SystemExit(f"bench: {DOCUMENT} has no place for the curves {', '.join(missing)}")
    return files


def render(taken_over, only_check):
    """Copies results into Benchmarks/ and writes the document and its curves; the exit status.

    With `only_check` it says what differs from what it would write.
    """
    for path in taken_over:
        shutil.copy(path, f"{ROOT}/Benchmarks")
    return settle(rendered(), CURVES, only_check, "is not what Benchmarks/results*.json give; run Scripts/measure/bench --report")
