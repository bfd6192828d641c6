"""What every test has: programs of its own, pages that must stay silent, and the looks as data."""

import html
import json
import os
import re
import statistics
import unittest

from . import browser, programs
from .programs import PANEL, Bed, configuration, control

#: Screenshots and figures of a run.
ARTEFACTS = os.environ.get("STEPPERD_WEB_ARTEFACTS", os.path.join(os.path.dirname(__file__), "../../../.build-web-test"))
LOOKS = ["uikit", "uikit/ios7", "swiftui", "swiftui/macos", "appkit", "winui", "gtk", "adwaita", "material", "wear", "rpvertical",
         "slider", "picker", "winui/source", "gtk/source", "adwaita/source"]
SCHEMES = ["light", "dark"]
#: What Chromium itself prints when a request fails, or is refused.
FAILED_REQUEST = r"^error: Failed to load resource"


def quick(test):
    """Marks a test that `Scripts/suites/web --quick` runs."""
    test.quick = True
    return test


def document(body="", lang="en", head="", attributes=""):
    """A page as a kiosk maker writes one."""
    return (f'<!doctype html>\n<html lang="{lang}" {attributes}>\n<head>\n<meta charset="utf-8">\n<title>Test</title>\n'
            '<meta name="viewport" content="width=device-width">\n<meta name="color-scheme" content="light dark">\n'
            f'<script type="module" src="/stepper.js"></script>\n{head}\n</head>\n<body>\n'
            f'<main>\n<h1>Test</h1>\n{body}\n</main>\n</body>\n</html>\n')


def tag(name="volume", **attributes):
    """The tag of a control; `spin_buttons` is spin-buttons, True an attribute without a value, `as_` is as."""
    words = [f'name="{name}"']
    for key, value in attributes.items():
        key = key.rstrip("_").replace("_", "-")
        if value is True:
            words.append(key)
        elif value not in (None, False):
            words.append(f'{key}="{html.escape(str(value))}"')
    return f"<stepper-control {' '.join(words)}></stepper-control>"


def summary(values):
    """Median and 99th percentile."""
    ordered = sorted(values)
    return round(statistics.median(ordered), 2), round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))], 2)


def figures():
    """looks.json: the tokens of every look."""
    with open(f"{PANEL}/looks.json", encoding="utf-8") as file:
        return json.load(file)


class PanelTest(unittest.TestCase):
    """A test with a daemon, a web program and a browser.

    `tables` is the daemon's configuration, `options` lines of the web program's. A page that prints anything, or asks
    for anything of others, fails its test, but for what `tolerated` patterns allow.
    """

    tables = configuration(control())
    options = ()
    tolerated = ()
    #: Whether nothing else may run meanwhile: what is measured is time.
    alone = False
    maxDiff = None

    def setUp(self):
        self.bed = self.make_bed(self.tables, self.options)
        self.serial = 0

    def make_bed(self, tables, options=(), pages=None):
        """Programs with a configuration, ended with the test."""
        bed = Bed(tables, options, pages)
        self.addCleanup(bed.close)
        bed.start()
        return bed

    def serve_modules(self):
        """Serves the modules of a checkout in the place of the bundle."""
        bundle, programs.PANEL = programs.PANEL, f"{programs.ROOT}/Web/panel"
        try:
            self.bed.web.stop()
            self.bed.web.start()
        finally:
            programs.PANEL = bundle

    def blank(self, bed=None, chromium=None, **context):
        """A page that has loaded nothing yet."""
        panel = browser.Panel((bed or self.bed).web.origin, chromium, **context)
        self.addCleanup(self.leave, panel)
        return panel

    def leave(self, panel):
        """Closes a page, and fails the test for what it printed or asked for."""
        panel.close()
        patterns = self.tolerated
        loud = [message for message in panel.messages if not any(re.search(pattern, message) for pattern in patterns)]
        self.assertEqual([], loud, "the page printed")
        self.assertEqual([], panel.foreign, "the page asked others")

    def show(self, body=None, bed=None, lang="en", head="", attributes="", chromium=None, **context):
        """A page with this body, when all its controls are ready."""
        bed = bed or self.bed
        self.serial += 1
        path = f"test{self.serial}.html"
        with open(f"{bed.web.pages}/{path}", "w", encoding="utf-8") as file:
            file.write(document(tag() if body is None else body, lang, head, attributes))
        panel = self.blank(bed, chromium, **context)
        return panel.goto(f"/pages/{path}").ready()

    def touched(self, body=None, **more):
        """The same on a screen that is touched."""
        return self.show(body, **{"has_touch": True, **more})

    def tolerate(self, *patterns):
        """Lets the pages of this test print such lines."""
        self.tolerated = (*self.tolerated, *patterns)

    def save(self, name, content):
        """Keeps a figure or a picture of this run."""
        os.makedirs(ARTEFACTS, exist_ok=True)
        path = os.path.join(ARTEFACTS, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else json.dumps(content, indent=1).encode())
        return path

    def assertNear(self, expected, actual, tolerance=0.5, message=None):  # noqa: N802 - as unittest's own
        """Fails unless two lengths are the same to `tolerance` pixels."""
        self.assertLessEqual(abs(expected - actual), tolerance, message or f"expected {expected}, was {actual}")


class Holding(PanelTest):
    """A button in the browser that is held, and what the daemon makes of it."""

    #: What the range and the start are, so that no profile's own end comes in between.
    RANGE = ["minimum=0", "maximum=1000", "initial=0"]

    def held_bed(self, profile, *options):
        """Programs with one control of a profile."""
        lines = [option.replace("=", " = ", 1) for option in (*self.RANGE, *options)]
        bed = self.make_bed(configuration(control("volume", f'profile = "{profile}"', *lines)))
        if not bed.has("Press"):
            self.skipTest("this daemon has no Press")
        return bed

    def setUp(self):
        self.serial = 0
