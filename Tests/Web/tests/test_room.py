"""Checks 46 and 47: nothing moves while a value changes, and nothing is cut off."""

from bed.browser import Fingers, pump
from bed.case import LOOKS, PanelTest, quick, tag
from bed.programs import configuration, control

LANGUAGES = ["en", "de", "ar"]
#: A text size of 200 % and the spacing of WCAG 1.4.12.
LARGE = ("html { font-size: 200%; } body { margin: 8px; }\n"
         "* { letter-spacing: .12em !important; word-spacing: .16em !important; line-height: 1.5 !important; }")
#: What is cut: a part, a field or an option whose text is wider than its box. What lies over a slider may stand out of it.
CUT = """() => [...document.querySelectorAll('stepper-control')].flatMap((host) => [...host.shadowRoot.querySelectorAll('*')]
  .filter((one) => one.clientWidth > 0 && getComputedStyle(one).display !== 'inline' && getComputedStyle(one).visibility === 'visible'
    && !one.matches('[type=range], [part=thumb], .slide, .tip, .lines, slot') && !one.closest('[part=thumb], svg') && (one.textContent.trim() || one.value)
    && one.scrollWidth > one.clientWidth + 1)
  .map((one) => `${host.getAttribute('name')} ${one.className || one.localName} ${one.value ?? one.textContent}: ${one.scrollWidth} > ${one.clientWidth}`))"""


def ends(name):
    """The two ends of each control's range, as texts that are set."""
    return {"number": ("0", "10000"), "share": ("0", "1"), "price": ("-1000", "1000"), "gain": ("-60", "10"), "copies": ("1", "99999"),
            "source": ("Aus", "Satellitenempfang"), "mute": ("off", "on")}[name]


TABLES = configuration(
    control("number", 'title = "Number"', "minimum = 0", "maximum = 10000", "initial = 9998", "unset = true"),
    control("share", 'title = { en = "Share", de = "Anteil" }', 'profile = "gtk"', 'format = "percent"', "minimum = 0", "maximum = 1", "step = 0.01", "digits = 2", dial=False),
    control("price", 'title = "Price"', 'profile = "winui"', 'format = "currency"', 'currency = "EUR"', "grouping = true", "digits = 2", "minimum = -1000",
            "maximum = 1000", "initial = 0", dial=False),
    control("gain", 'title = "Gain"', 'unit = "dB"', "digits = 1", "minimum = -60", "maximum = 10", "initial = 0", dial=False),
    control("copies", 'title = "Copies"', "minimum = 1", "maximum = 99999", "initial = 9", dial=False),
    control("source", 'title = "Source"', 'choices = ["Aus", "CD", "Satellitenempfang"]', dial=False),
    control("mute", 'title = "Mute"', 'kind = "toggle"', dial=False))


class Room(PanelTest):
    """Checks 46 and 47."""

    tables = TABLES

    def page(self, look, lang, **more):
        """All controls in a look, as they are drawn and as a stepper."""
        with open(f"{self.bed.web.pages}/large.css", "w", encoding="utf-8") as file:
            file.write(LARGE)
        body = "".join(f"<p>{tag(name, look=look, lang=lang, **words)}</p>" for name, words in [
            ("number", {}), ("share", {}), ("price", {"spin_buttons": "inline"}), ("gain", {}), ("copies", {"as_": "slider"}), ("source", {}),
            ("source", {"as_": "stepper"}), ("source", {"as_": "menu"}), ("mute", {"value_display": "end"}), ("gain", {"layout": "row"})])
        return self.show(body, lang=lang, head='<link rel="stylesheet" href="large.css">', attributes='dir="rtl"' if lang == "ar" else "",
                         viewport={"width": 900, "height": 900}, **more)

    def to_end(self, panel, which):
        """Every control at an end of its range, on the screen as well."""
        names = ["number", "share", "price", "gain", "copies", "source", "mute"]
        for name in names:
            self.bed.set(ends(name)[which], name)
        texts = {name: self.bed.get(name)["text"] for name in names}
        pump(panel.page, lambda: panel.js("(texts) => [...document.querySelectorAll('stepper-control')].every((one) => one.text === texts[one.name])", texts),
             "the page shows the ends")
        panel.frames(3)

    def test_46_nothing_is_cut(self):
        """Every look × language × text of 200 % with spacing × each end of the range."""
        for look in LOOKS:
            for lang in LANGUAGES:
                panel = self.page(look, lang)
                for which in (0, 1):
                    with self.subTest(look=look, lang=lang, end=which):
                        self.to_end(panel, which)
                        self.assertEqual([], panel.js(CUT))
                panel.close()

    def test_46_buttons_stay_where_they_are(self):
        """From one end to the other and without a value, no button of any look moves."""
        where = """() => [...document.querySelectorAll('stepper-control')].flatMap((host) => ['decrement', 'increment', 'switch', 'rail']
          .map((name) => probe.part(host, name)).filter(Boolean).map((part) => { const { x, y, width } = part.getBoundingClientRect();
            return `${host.getAttribute('name')} ${host.getAttribute('as')} ${part.part} ${x.toFixed(1)} ${y.toFixed(1)} ${width.toFixed(1)}`; }))"""
        for look in LOOKS:
            with self.subTest(look):
                panel = self.page(look, "de")
                places = []
                for which in (0, 1):
                    self.to_end(panel, which)
                    panel.settle()
                    places.append(panel.js(where))
                self.bed.set("", "number")
                panel.control('[name="number"]').wait_for_state("unset")
                panel.settle()
                places.append(panel.js(where))
                self.assertEqual(places[0], places[1], "between the ends")
                self.assertEqual(places[0], places[2], "without a value")
                panel.close()

    @quick
    def test_46_five_taps_at_the_place_of_plus(self):
        """From 9998 with 10000 as the end: the minus never comes under the finger."""
        for look in ["uikit", "gtk", "adwaita", "material", "swiftui", "rpvertical"]:
            with self.subTest(look):
                self.bed.set(9998, "number")
                panel = self.touched(tag("number", look=look))
                number = panel.control()
                number.wait_for_text("9998")
                x, y = number.centre("increment")
                finger = Fingers(panel)
                for wanted in (9999, 10000, 10000, 10000, 10000):
                    finger.down(1, x, y)
                    finger.up(1)
                    self.bed.wait_for_value(wanted, "number")
                    number.wait_for_text(str(wanted))
                self.assertEqual("increment", panel.js("([x, y]) => document.elementFromPoint(x, y).shadowRoot.elementFromPoint(x, y).closest('button').part[0]", [x, y]))
                panel.close()

    def test_46_a_new_range_waits_for_the_finger(self):
        """Adjust changes the width, and not while a button is held."""
        self.bed.set(50, "copies")
        panel = self.show(tag("copies", look="uikit"))
        copies = panel.control()
        copies.wait_for_text("50")
        before = copies.box("decrement")
        copies.press("decrement")
        copies.wait_for_state("pressed-decrement")
        self.bed.adjust("copies", minimum=1, maximum=900000000)
        pump(panel.page, lambda: panel.js("document.querySelector('stepper-control').description.maximum") == 900000000, "the page has the new range")
        panel.frames(5)
        self.assertNear(before["x"], copies.box("decrement")["x"])
        copies.release()
        pump(panel.page, lambda: copies.box("decrement")["x"] > before["x"] + 10, "then it has room for it")

    def test_47_keys_of_the_keypad(self):
        """Each key has its word, at a text size of 200 % with spacing, in each language; no row has a hole."""
        for lang in LANGUAGES:
            for width, height in [(800, 480), (320, 640), (1280, 800)]:
                with self.subTest(lang=lang, width=width):
                    panel = self.page("gtk", lang, has_touch=True)
                    panel.page.set_viewport_size({"width": width, "height": height})
                    share = panel.control('[name="share"]')
                    share.part("input").tap()
                    pump(panel.page, lambda one=share: one.has_part("keypad"), "the keypad opens")
                    self.assertEqual([], panel.js(CUT.replace("'*'", "'dialog *'")))
                    rows = panel.js("""() => probe.parts(document.querySelector('[name=share]'), 'keypad-row').map((row) => { const { left, right } = row.getBoundingClientRect();
                      const keys = [...row.children].map((key) => key.getBoundingClientRect()); const last = Math.max(...keys.map(({ bottom }) => bottom));
                      const gaps = keys.filter(({ bottom }) => bottom > last - 1);
                      return [Math.min(...gaps.map((key) => key.left)) - left, right - Math.max(...gaps.map((key) => key.right))]; })""")
                    self.assertTrue(all(abs(gap) < 1 for row in rows for gap in row), rows)
                    panel.close()

    def test_47_texts_of_any_kind(self):
        """Titles, units and choices of any text are shown whole, as text."""
        long = "Donaudampfschifffahrtsgesellschaftskapitän " * 4
        tables = configuration(
            control("a", f'title = "{long}"', 'unit = "<b>&amp;"', "minimum = 0", "maximum = 5", dial=False),
            control("b", 'title = "\u202eabc"', 'unit = "{name}"', 'profile = "gtk"', dial=False),
            control("c", 'title = "🎚️ 音量 مستوى"', 'choices = ["<img onerror>", "\u05d0\u05d1\u05d2", "' + "x" * 60 + '", "ไม่มีช่องว่าง"]', dial=False),
            control("d", 'title = "E"', 'choices = ["1", "2", "3", "4", "' + "W" * 60 + '"]', dial=False))
        bed = self.make_bed(tables)
        for lang in ["en", "xx-unknown", "ar-u-nu-latn"]:
            for look in ["uikit", "winui", "gtk", "adwaita", "material"]:
                with self.subTest(look=look, lang=lang):
                    panel = self.show("".join(tag(name, look=look) for name in "abcd"), bed, lang=lang, viewport={"width": 360, "height": 900})
                    self.assertEqual([], panel.js(CUT))
                    self.assertLessEqual(panel.js("document.scrollingElement.scrollWidth"), 360)
                    panel.close()
