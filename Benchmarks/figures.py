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
    names = list(curve["series"])
    points = [point for name in names for point in curve["series"][name]]
    across = Scale([x for x, _ in points], LEFT, RIGHT)
    step = tick_step(max(y for _, y in points) / 5)
    top = math.ceil(max(y for _, y in points) / step) * step

    def down(y):
        return BOTTOM - (BOTTOM - TOP) * y / top

    parts = [text(LEFT, 24, curve["title"], "title")]
    for place in range(round(top / step) + 1):
        y = place * step
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{down(y):.1f}" y2="{down(y):.1f}"/>')
        parts.append(text(LEFT - 8, down(y) + 4, number(y), anchor="end"))
    for x in across.ticks():
        parts.append(text(across(x), BOTTOM + 20, number(x), anchor="middle"))
    parts.append(text((LEFT + RIGHT) / 2, BOTTOM + 44, curve["x"] + (", logarithmic" if across.is_logarithmic else ""), anchor="middle"))
    parts.append(f'<text transform="translate(16 {(TOP + BOTTOM) / 2:.0f}) rotate(-90)" text-anchor="middle">{escape(curve["y"])}</text>')
    labels = spread({name: down(curve["series"][name][-1][1]) for name in names}, 18)
    peers = [name for name in names if name not in ("floor", "stepperd")]
    for name in names:
        line = [(across(x), down(y)) for x, y in curve["series"][name]]
        parts.append(f'<g class="{f"peer{peers.index(name)}" if name in peers else name}">')
        parts.append(f'<polyline class="line" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in line)}"/>')
        parts += [f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>' for x, y in line]
        parts.append(text(line[-1][0] + 10, labels[name] + 4, name, "name"))
        parts.append("</g>")
    label = escape(f"{curve['title']}: {curve['y']} over {curve['x']}", {'"': "&quot;"})
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
            f'aria-label="{label}">\n<style>\n{STYLE}\n</style>\n' + "\n".join(parts) + "\n</svg>\n")


class Scale:
    """Places of values on an axis, logarithmic if they span more than a power of ten."""

    def __init__(self, values, first, last):
        self.values, self.first, self.last = sorted(set(values)), first, last
        self.is_logarithmic = self.values[0] > 0 and self.values[-1] > 10 * self.values[0]

    def __call__(self, value):
        convert = math.log if self.is_logarithmic else float
        low, high = convert(self.values[0]), convert(self.values[-1])
        return self.first + (self.last - self.first) * ((convert(value) - low) / (high - low) if high > low else 0.5)

    def ticks(self):
        """The measured values, without those whose labels would overlap; the last one always."""
        chosen = self.values[-1:]
        for value in reversed(self.values[:-1]):
            if self(chosen[0]) - self(value) >= 48:
                chosen.insert(0, value)
        return chosen


def tick_step(least):
    """The smallest of 1, 2, 5, 10, 20 … that is at least `least`."""
    power = 10 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)


def spread(places, distance):
    """The places of labels, moved down where they would overlap."""
    found, last = {}, -distance
    for name, place in sorted(places.items(), key=lambda item: item[1]):
        last = found[name] = max(place, last + distance)
    return found


def text(x, y, content, kind="", anchor="start"):
    """A text element."""
    classes = f' class="{kind}"' if kind else ""
    return f'<text{classes} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(content)}</text>'
