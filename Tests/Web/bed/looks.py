"""What the tables of panel.md say of the looks, and what is drawn of them."""

import json
import re

from . import colors
from .case import PanelTest, tag
from .pictures import opened
from .programs import PANEL, configuration, control

RANGE = ["minimum = 0", "maximum = 100", "initial = 50"]


def table():
    """looks.json."""
    with open(f"{PANEL}/looks.json", encoding="utf-8") as file:
        return json.load(file)


def token(sections, name, scheme="light", original=False, looks=None):
    """A token's value in the first of `sections` that has it; names of others are put in."""
    looks = looks or table()
    entry = None
    for section in sections:
        while section and not entry:
            entry = looks.get(section, {}).get("tokens", {}).get(name)
            section = looks.get(section, {}).get("inherits")
    if entry is None:
        return None
    value = entry.get("dark", entry["light"]) if scheme == "dark" else entry["light"]
    if not original:
        # As in Scripts/renew/looks: what has one value for both schemes has one replacement.
        dark = entry.get("aaDark", value if "dark" in entry else entry.get("aa", value))
        value = dark if scheme == "dark" else entry.get("aa", value)
    return re.sub(r"\{([a-z0-9-]+)\}", lambda match: token(sections, match.group(1), scheme, original, looks) or "", value)


class Shot:
    """What is on the screen now, by CSS pixels."""

    def __init__(self, panel, ratio=2):
        self.ratio, self.picture = ratio, opened(panel.page.screenshot())

    def at(self, x, y):
        """The colour of a point."""
        return (*map(float, self.picture.getpixel((int(x * self.ratio), int(y * self.ratio)))), 1.0)

    def column(self, x, top, bottom):
        """The colours of a column of device pixels."""
        return [self.picture.getpixel((int(x * self.ratio), y)) for y in range(int(top * self.ratio), int(bottom * self.ratio))]


class LookTest(PanelTest):
    """Controls of one kind each, in the middle of their range, drawn bare."""

    tables = configuration(
        control("volume", 'profile = "gtk"', 'title = "Volume"', *RANGE), control("plain", 'title = "Volume"', *RANGE, dial=False),
        control("four", 'title = "Page"', 'choices = ["a", "b", "c", "d"]', 'initial = "b"', dial=False),
        control("five", 'title = "Page"', 'choices = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"]', 'initial = "f"', dial=False),
        control("mute", 'title = "Mute"', 'kind = "toggle"', dial=False), control("go", 'title = "Go"', 'kind = "button"', dial=False),
        control("round", 'title = "Round"', 'wraps = true', *RANGE, dial=False))

    def draw(self, look, name="plain", scheme="light", attributes=None, **context):
        """One control in a look, bare, on the look's own page; (panel, control)."""
        head = '<link rel="stylesheet" href="page.css">'
        with open(f"{self.bed.web.pages}/page.css", "w", encoding="utf-8") as file:
            file.write("html { background: #fff; } @media (prefers-color-scheme: dark) { html { background: #000; } } body { margin: 60px; }\n"
                       f"{context.pop('css', '')}")
        panel = self.show(tag(name, look=look, **{"hit": "visual", **(attributes or {})}), head=head, color_scheme=scheme, **context)
        panel.page.mouse.move(1, 1)
        panel.settle()
        return panel, panel.control()

    def assertSize(self, width, height, box, message=None):  # noqa: N802
        """Fails unless a box has this size; None is any."""
        for wanted, was in ((width, box["width"]), (height, box["height"])):
            if wanted is not None:
                self.assertNear(wanted, was, 0.51, f"{message or ''} {width} × {height}, was {box['width']} × {box['height']}")

    def assertColor(self, expected, actual, message=None, tolerance=2):  # noqa: N802
        """Fails unless two colours are the same but for rounding."""
        self.assertTrue(colors.same(expected, actual, tolerance), f"{message or ''}: expected {expected}, was {actual}")
