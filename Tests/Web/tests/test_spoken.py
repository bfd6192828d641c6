"""What Orca says of each kind of control, as it is: the text of `spoken.txt`."""

import os

from bed.browser import Panel
from bed.case import FAILED_REQUEST, PanelTest, document, tag
from bed.programs import ROOT, configuration, control
from bed.reader import Reader, missing

GOLDEN = f"{ROOT}/Tests/Web/spoken.txt"
#: Whether it is written instead of compared.
RENEW = bool(os.environ.get("STEPPERD_WEB_RENEW"))
#: Of each control its attributes, and the keys that are pressed, by their names in X. What is said of a selection is not kept.
STEPS = {
    "volume": ({"look": "uikit"}, ["Up", "Prior", "Up", "Down"]),
    "gain": ({"look": "gtk"}, ["Up", "ctrl+a", "7", "7", "Return", "Escape"]),
    "temperature": ({"look": "winui"}, ["Up", "Up"]),
    "balance": ({"look": "slider"}, ["Right", "Prior"]),
    "lamp": ({}, ["space", "space"]),
    "bell": ({}, ["space"]),
    "source": ({}, ["Right"]),
    "station": ({"as_": "menu"}, []),
    "timer": ({"look": "gtk"}, ["Up", "5", "Return", "Up"]),
    "clock": ({}, ["Up"]),
}


class Spoken(PanelTest):
    """With Chromium's tree and Orca's own rules; the voice alone is missing."""

    alone = True
    tolerated = (FAILED_REQUEST,)
    tables = configuration(
        control("volume", 'title = "Volume"', 'subtitle = "Of the room"', 'unit = "dB"', "minimum = 0", "maximum = 12", "initial = 1", dial=False),
        control("gain", 'title = "Gain"', 'profile = "gtk"', 'unit = "dB"', "minimum = -60", "maximum = 10", "digits = 1", "initial = -20",
                'update-policy = "strict"', dial=False),
        control("temperature", 'title = "Temperature"', 'profile = "winui"', 'unit = "°C"', "minimum = 5", "maximum = 30", "step = 0.5", "initial = 21", dial=False),
        control("balance", 'title = "Balance"', 'profile = "slider"', "minimum = 0", "maximum = 1", 'format = "percent"', "step = 0.01", "digits = 2",
                "initial = 0.5", dial=False),
        control("lamp", 'title = "Lamp"', 'kind = "toggle"', dial=False), control("bell", 'title = "Bell"', 'kind = "button"', 'writable-by = "everyone"', dial=False),
        control("source", 'title = "Source"', 'choices = ["Radio", "Tape", "Line in"]', dial=False),
        control("station", 'title = "Station"', 'choices = ["One", "Two", "Three", "Four", "Five"]', dial=False),
        control("timer", 'title = "Timer"', 'profile = "gtk"', "minimum = 0", "maximum = 60", "unset = true", 'initial = "unset"', dial=False),
        control("clock", 'title = "Clock"', 'writable-by = "nobody"', dial=False))

    def test_spoken_by_orca(self):
        """Tab to each control, then its keys; `Scripts/suites/web --renew-spoken` writes what is said."""
        if missing():
            self.skipTest(f"{', '.join(missing())}: Scripts/setup --reader installs it")
        with open(f"{self.bed.web.pages}/spoken.html", "w", encoding="utf-8") as file:
            file.write(document("<button id=start>Start</button>" + "".join(tag(name, **attributes) for name, (attributes, _) in STEPS.items())))
        reader = Reader()
        self.addCleanup(reader.close)
        panel = Panel(self.bed.web.origin, reader.chromium)
        self.addCleanup(self.leave, panel)
        reader.after(lambda: panel.goto("/pages/spoken.html").ready())
        reader.look_at("Test")
        reader.after(lambda: panel.page.locator("#start").focus(), "Start")
        lines = []
        for name, (_, keys) in STEPS.items():
            lines += [f"{name}", f"  Tab: {self.told(reader.after(lambda: reader.key('Tab'), name.capitalize()))}"]
            for key in keys:
                said = self.told(reader.after(lambda key=key: reader.key(key)))
                lines += [] if key == "ctrl+a" else [f"  {key}: {said}"]
        now = "\n".join([*lines, ""])
        self.save("spoken.txt", now.encode())
        if RENEW:
            with open(GOLDEN, "w", encoding="utf-8") as file:
                file.write(now)
            return
        with open(GOLDEN, encoding="utf-8") as file:
            self.assertEqual(file.read(), now)

    @staticmethod
    def told(said):
        """Without what Orca says of its own modes, and of what is off: that only if the tree is whole when it looks."""
        return " | ".join(text.strip() for text in said if text not in ("Focus mode", "Browse mode", "grayed.")) or "–"
