"""Results of benchmarks: rows and curves with the machine they were measured on, as a table and as JSON."""

import datetime
import json
import os
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def machine():
    """What the figures depend on besides the program."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.partition(":")[2].strip() for line in file if line.startswith(("model name", "Model"))]
    return {"processor": models[0] if models else os.uname().machine, "processors": os.cpu_count(), "kernel": os.uname().release}


def commit():
    """The commit that was measured, with a mark if files were changed since."""
    if not shutil.which("git"):
        return "unknown"
    found = subprocess.run(["git", "describe", "--always", "--dirty", "--exclude=*"], cwd=ROOT, capture_output=True, text=True)
    return found.stdout.strip() or "unknown"


class Results:
    """Rows and curves of one run."""

    def __init__(self, command):
        self.content = {"machine": machine(), "command": command, "date": str(datetime.date.today()), "commit": commit(),
                        "rows": [], "curves": []}

    def row(self, name, title, unit, stepperd, floor=None, floor_is=None, peers=None, goal=None):
        """Adds a figure of stepperd.

        `floor` is the same figure of the plain C program, or of what `floor_is` says. `peers` are those of other programs
        by their names. `goal` is what `most` or `least` makes.
        """
        row = {"name": name, "title": title, "unit": unit, "floor": floor, "floorIs": floor_is, "stepperd": stepperd,
               "peers": peers, "goal": goal}
        self.content["rows"].append({key: value for key, value in row.items() if value is not None})

    def curve(self, name, title, x, y, series):
        """Adds a curve; `series` has points (x, y) by the name of a program."""
        self.content["curves"].append({"name": name, "title": title, "x": x, "y": y, "series": series})

    def write(self, path):
        """Writes them as JSON."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text())

    def text(self):
        """JSON with a row or a curve on each line."""
        def line(value):
            return json.dumps(value, ensure_ascii=False)

        fields = []
        for key, value in self.content.items():
            entries = ",\n  ".join(map(line, value)) if isinstance(value, list) else ""
            fields.append(f'"{key}": ' + (f"[\n  {entries}\n ]" if entries else line(value)))
        return "{\n " + ",\n ".join(fields) + "\n}\n"


def most(limit, of=None):
    """The goal that a figure, or its ratio to that of `of` ("floor" or a peer), is at most `limit`."""
    return {"most": limit, **({"of": of} if of else {})}


def least(limit, of=None):
    """The goal that a figure, or its ratio to that of `of`, is at least `limit`."""
    return {"least": limit, **({"of": of} if of else {})}


def compared(row):
    """What the row's ratio is of: the floor, or a peer that the goal names, or nothing."""
    of = row.get("goal", {}).get("of", "floor")
    return row.get("floor") if of == "floor" else row["peers"][of]


def ratio(row):
    """The figure of stepperd divided by that of the floor or the peer; None without one."""
    other = compared(row)
    return row["stepperd"] / other if other else None


def is_met(row):
    """Whether the goal is met; None without a goal."""
    goal = row.get("goal")
    if not goal:
        return None
    # What is printed is what is judged.
    figure = round(ratio(row), 2) if "of" in goal else row["stepperd"]
    return figure <= goal["most"] if "most" in goal else figure >= goal["least"]


def number(value):
    """A figure with about three digits, and thousands grouped."""
    if value is None:
        return ""
    decimals = 0 if value >= 100 or value == int(value) else 1 if value >= 10 else 2
    return f"{value:,.{decimals}f}"


def goal_text(row):
    """The goal for people."""
    goal = row.get("goal")
    if not goal:
        return ""
    limit = f"≤ {goal['most']:,}" if "most" in goal else f"≥ {goal['least']:,}"
    of = goal.get("of")
    return limit + ("" if of is None else " ×" if of == "floor" else f" × {of}")


def table(rows):
    """The rows as cells, the first row is the header."""
    peers = list(dict.fromkeys(peer for row in rows for peer in row.get("peers", {})))
    cells = [["measure", "unit", "floor", "stepperd", *peers, "ratio", "goal", ""]]
    for row in rows:
        floor = number(row.get("floor")) + (f" ({row['floorIs']})" if "floorIs" in row else "")
        others = [number(row.get("peers", {}).get(peer)) for peer in peers]
        found, met = ratio(row), is_met(row)
        cells.append([row["title"], row["unit"], floor, number(row["stepperd"]), *others, f"{found:.2f}" if found else "",
                      goal_text(row), "" if met is None else "met" if met else "missed"])
    return cells


def print_table(rows):
    """Prints the rows in columns."""
    cells = table(rows)
    widths = [max(map(len, column)) for column in zip(*cells)]
    for line in cells:
        texts = [text.ljust(width) if place in (0, 1) else text.rjust(width) for place, (text, width) in enumerate(zip(line, widths))]
        print("  ".join(texts).rstrip())
