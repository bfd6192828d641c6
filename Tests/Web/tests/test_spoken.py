"""What Orca says of each kind of control, as it is: the text of `spoken.txt`."""

import os

from bed.browser import Panel
from bed.case import FAILED_REQUEST, PanelTest, document, tag
from bed.programs import ROOT, configuration, control
from bed.reader import Reader, missing

GOLDEN = f"{ROOT}/Tests/Web/spoken.txt"
#: Whether it is written instead of compared.
RENEW = bool(os.environ.get("STEPPERD_WEB_RENEW"))
#: Of each control its attributes, and what is done: keys that are pressed, or texts that are typed.
STEPS = {
    "volume": ({"look": "uikit"}, ["ArrowUp", "PageUp", "ArrowUp", "ArrowDown"]),
    "gain": ({"look": "gtk"}, ["ArrowUp", "77", "Enter", "Escape"]),
    "temperature": ({"look": "winui"}, ["ArrowUp"]),
    "balance": ({"look": "slider"}, ["ArrowRight", "PageUp", "End"]),
    "lamp": ({}, ["Space", "Space"]),
    "bell": ({}, ["Space"]),
    "source": ({}, ["ArrowRight"]),
    "station": ({"as_": "menu"}, ["ArrowDown"]),
    "timer": ({"look": "gtk"}, []),
    "clock": ({}, ["ArrowUp"]),
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
        control("lamp", 'title = "Lamp"', 'kind = "toggle"', dial=False), control("bell", 'title = "Bell"', 'kind = "button"', dial=False),
        control("source", 'title = "Source"', 'choices = ["Radio", "Tape", "Line in"]', dial=False),
        control("station", 'title = "Station"', 'choices = ["One", "Two", "Three", "Four", "Five"]', dial=False),
        control("timer", 'title = "Timer"', 'profile = "gtk"', "minimum = 0", "maximum = 60", "unset = true", 'initial = "unset"', dial=False),
        control("clock", 'title = "Clock"', 'writable-by = "nobody"', dial=False))

    def test_spoken_by_orca(self):
        """Focus and keys, from a page's button before it, in turn; `Scripts/suites/web --renew-spoken` writes what is said."""
        if missing():
            self.skipTest(f"{', '.join(missing())}: Scripts/setup --reader installs it")
        with open(f"{self.bed.web.pages}/spoken.html", "w", encoding="utf-8") as file:
            file.write(document("<button id=start>Start</button>" + "".join(tag(name, **attributes) for name, (attributes, _) in STEPS.items())))
        reader = Reader()
        self.addCleanup(reader.close)
        panel = Panel(self.bed.web.origin, reader.chromium)
        self.addCleanup(self.leave, panel)
        reader.after(lambda: panel.goto("/pages/spoken.html").ready())
        lines = []
        for name, (_, keys) in STEPS.items():
            reader.after(lambda: panel.js("document.getElementById('start').focus()"))
            said = reader.after(lambda name=name: panel.control(f'[name="{name}"]').js("host.focus()"))
            lines += [f"{name}", f"  focus: {self.told(said)}"]
            for key in keys:
                act = (lambda key=key: panel.page.keyboard.insert_text(key)) if key.isdigit() else (lambda key=key: panel.page.keyboard.press(key))
                lines.append(f"  {key}: {self.told(reader.after(act))}")
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
        """Without what Orca says of its own modes."""
        return " | ".join(text.strip() for text in said if text not in ("Focus mode", "Browse mode")) or "–"
