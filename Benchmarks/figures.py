"""Curves as SVG, readable on a light and on a dark page."""

import math
from xml.sax.saxutils import escape

from results import number

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 64, 600, 48, 324
STYLE = """\
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-size: 15px; font-weight: 600 }
.grid { stroke: #d0d7de; stroke-width: 1 }
.line { fill: none; stroke-width: 2.5; stroke-linejoin: round }
.line { stroke: currentColor }
.point, .name { fill: currentColor }
.floor { color: #6e7781 } .stepperd { color: #0969da } .peer0 { color: #bc4c00 } .peer1 { color: #1a7f37 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.grid { stroke: #3d444d }
.floor { color: #9198a1 } .stepperd { color: #4493f8 } .peer0 { color: #db6d28 } .peer1 { color: #3fb950 }
}"""


def svg(curve):
    """The curve as the text of an SVG file."""
    series = curve["series"]
    points = [point for line in series.values() for point in line]
    measured = sorted({x for x, _ in points})
    across = Scale(measured[0], measured[-1], LEFT, RIGHT)
    marks = ticks([y for _, y in points])
    down = Scale(marks[0], marks[-1], BOTTOM, TOP)
    parts = [text(LEFT, 24, curve["title"], "title")]
    for y in marks:
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{down(y):.1f}" y2="{down(y):.1f}"/>')
        parts.append(text(LEFT - 8, down(y) + 4, number(y), anchor="end"))
    shown = measured[-1:]
    for x in reversed(measured[:-1]):
        # Labels must not overlap.
        if across(shown[0]) - across(x) >= 48:
            shown.insert(0, x)
    parts += [text(across(x), BOTTOM + 20, number(x), anchor="middle") for x in shown]
    parts.append(text((LEFT + RIGHT) / 2, BOTTOM + 44, curve["x"] + across.remark, anchor="middle"))
    parts.append(f'<text transform="translate(16 {(TOP + BOTTOM) / 2:.0f}) rotate(-90)" text-anchor="middle">'
                 f'{escape(curve["y"] + down.remark)}</text>')
    names = labels({name: down(line[-1][1]) for name, line in series.items()})
    peers = [name for name in series if name not in ("floor", "stepperd")]
    for name, line in series.items():
        places = [(across(x), down(y)) for x, y in line]
        parts.append(f'<g class="{f"peer{peers.index(name)}" if name in peers else name}">')
        parts.append(f'<polyline class="line" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>')
        parts += [f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>' for x, y in places]
        parts += [text(places[-1][0] + 10, names[name] + 4, name, "name"), "</g>"]
    label = escape(f"{curve['title']}: {curve['y']} over {curve['x']}", {'"': "&quot;"})
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
            f'aria-label="{label}">\n<style>\n{STYLE}\n</style>\n' + "\n".join(parts) + "\n</svg>\n")


class Scale:
    """The places of values on an axis, which is logarithmic if its ends differ by more than a power of ten."""

    def __init__(self, low, high, first, last):
        self.convert = math.log if low > 0 and high > 10 * low else float
        self.remark = ", logarithmic" if self.convert is math.log else ""
        self.low, self.high, self.first, self.last = self.convert(low), self.convert(high), first, last

    def __call__(self, value):
        part = (self.convert(value) - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.first + (self.last - self.first) * part


def ticks(values):
    """Round numbers around the values: 1, 2, 5, 10, 20 … if they span more than a power of ten, else even ones from 0."""
    low, high = min(values), max(values)
    if low > 0 and high > 10 * low:
        steps = [factor * 10.0 ** power for power in range(-3, 10) for factor in (1, 2, 5)]
        first = max(step for step in steps if step <= low)
        return [step for step in steps if first <= step < high] + [min(step for step in steps if step >= high)]
    power = 10.0 ** math.floor(math.log10(high / 5))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= high / 5)
    return [place * step for place in range(math.ceil(high / step) + 1)]


def labels(places):
    """The places of the names beside the ends of lines, moved up where they would overlap."""
    found, last = {}, math.inf
    for name, place in sorted(places.items(), key=lambda item: -item[1]):
        last = found[name] = min(place, last - 18)
    return found


def text(x, y, content, kind="", anchor="start"):
    """A text element."""
    classes = f' class="{kind}"' if kind else ""
    return f'<text{classes} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(content)}</text>'
