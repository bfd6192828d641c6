"""Renders Documentation/fleet.md and its curves from Tests/Fleet/results.json."""

import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(f"{ROOT}/Benchmarks")

from figures import svg  # noqa: E402
from rendering import settle  # noqa: E402

RESULTS = f"{ROOT}/Tests/Fleet/results.json"
DOCUMENT = f"{ROOT}/Documentation/fleet.md"
CURVES = f"{ROOT}/Documentation/fleet"
#: A place of the document that is rendered, up to `<!-- end -->`.
PLACE = re.compile(r"(<!-- fleet (table|machine|curve (\S+)) -->\n).*?(<!-- end -->\n)", re.DOTALL)
#: The curves by the names of their scenarios: file, title, what is counted.
SHOWN = {
    "storm": ("storm", "All boards connect at once", "boards online"),
    "storm with jitter": ("jitter", "All boards connect, spread over a time", "boards online"),
    "wills": ("wills", "Half of the boards lose their power", "boards told as offline"),
    "birth": ("birth", "Home Assistant has started", "boards announced"),
    "broker killed": ("broker-killed", "The broker is killed and comes back", "boards online"),
    "node killed": ("node-killed", "One of three nodes is killed", "boards online"),
}
POINTS = 12


def figure(value):
    """A number as people read it."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value != int(value):
        return f"{value:.3f}" if value < 1 else f"{value:.1f}" if value < 1000 else f"{value:,.0f}"
    return f"{int(value):,}"


def table(runs):
    """The figures of all runs beside each other."""
    names = [run["name"] for run in runs]
    order, cells = [], {}
    for run in runs:
        for row in run["rows"]:
            key = row["scenario"], row["measure"], row["unit"]
            if key not in cells:
                order.append(key)
            cells.setdefault(key, {})[run["name"]] = figure(row["value"])
    scenarios = [scenario for scenario, _, _ in order]
    order.sort(key=lambda key: scenarios.index(key[0]))
    titles = [f"{run['name']}, {run['boards']:,} boards" for run in runs]
    lines = ["| scenario | figure | unit | " + " | ".join(titles) + " |", "|---|---|---|" + "---:|" * len(names)]
    for index, key in enumerate(order):
        scenario = key[0] if index == 0 or order[index - 1][0] != key[0] else ""
        lines.append(f"| {scenario} | {key[1]} | {key[2]} | " + " | ".join(cells[key].get(name, "") for name in names) + " |")
    return "\n".join(lines) + "\n"


def even(samples):
    """A curve at even times from 0 on: the last number at each."""
    last = max(x for x, _ in samples)
    step = next(step for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if step * POINTS >= last)
    result, x = [], 0.0
    while x < last + step:
        result.append((round(x, 1), max((entry for entry in samples if entry[0] <= x), default=(0, samples[0][1]))[1]))
        x += step
    return result


def curves(runs):
    """Those of all runs, as figures.svg takes them, by the name of the file."""
    found = {}
    for scenario, (name, title, y) in SHOWN.items():
        series = {run["name"]: even(run["curves"][scenario]) for run in runs if run["curves"].get(scenario)}
        if series:
            found[name] = {"title": title, "x": "seconds", "y": y, "series": series}
    return found


def machines(runs):
    """Where and when the runs were made."""
    made = {}
    for run in runs:
        machine = run["machine"]
        place = f"{machine['processor']}, {machine['processors']} processors, Linux {machine['kernel']}; on {run['date']}"
        made.setdefault(place, []).append(run["name"])
    places = "\n".join(f"- {', '.join(names)}: {place}" for place, names in made.items())
    versions = "; ".join(dict.fromkeys(run["version"] for run in runs))
    return f"Measured by `make nightly STEPS=fleet` with {versions}; boards, brokers and dashboard share the processors:\n\n{places}\n"


def rendered():
    """The text of each file by its path."""
    with open(RESULTS, encoding="utf-8") as file:
        runs = json.load(file)
    drawn = curves(runs)

    def place(match):
        begin, kind, curve, end = match.groups()
        if kind == "table":
            return begin + table(runs) + end
        if kind == "machine":
            return begin + machines(runs) + end
        return f"{begin}![{drawn[curve]['title']}](fleet/{curve}.svg)\n{end}"

    with open(DOCUMENT, encoding="utf-8") as file:
        files = {DOCUMENT: PLACE.sub(place, file.read())}
    return files | {f"{CURVES}/{name}.svg": svg(curve) for name, curve in drawn.items()}


def render(only_check):
    """Writes the document and its curves, or says what differs; the exit status."""
    return int(settle(rendered(), CURVES, only_check, "is not what Tests/Fleet/results.json gives; run Scripts/suites/fleet --report"))
