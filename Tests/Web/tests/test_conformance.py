"""Tests/Conformance/number-field: rules of other people's number fields, and reading back what is written."""

import json
import shutil
import subprocess

from waiting import eventually

from bed.browser import pump
from bed.case import FAILED_REQUEST, PanelTest, quick, tag
from bed.programs import DEVICE, ROOT

KIT = f"{ROOT}/Tests/Conformance/number-field"
#: Of "roundtrip.js": languages with marks, digits or groups of their own, for a quick run.
TELLING = ["en", "de", "fr", "de-CH", "sv-SE", "es", "pt-PT", "tr-TR", "eu", "he-IL", "ar-EG", "ar-SA", "ar-MA", "fa-IR", "ps-AF", "ckb-IQ", "ur-IN",
           "hi-IN", "mr-IN", "bn-BD", "ne-NP", "my", "dz", "fy", "nl", "lt", "et-EE", "ja", "zh-u-nu-hanidec", "en-u-nu-fullwide"]


def kit(name):
    """A file of the kit."""
    with open(f"{KIT}/{name}", encoding="utf-8") as file:
        return file.read()


class Texts(PanelTest):
    """What a text is read as."""

    def evaluate(self, script, argument):
        """With the panel's own modules, in the page."""
        panel = self.show()
        return panel.js(f"""async (given) => {{
          const [numbers, reading] = await Promise.all(['numbers', 'reading'].map((name) => import(`/stepper/words/${{name}}.js`)));
          {script} }}""", argument)

    @quick
    def test_50_texts(self):
        """Every case of texts.json, in the browser."""
        cases = json.loads(kit("texts.json"))["cases"]
        found = self.evaluate("""return given.map(({ given: { language, expressions, ...description }, do: text }) =>
          reading.read(numbers.numbersOf(description, language), text, !!expressions) ?? null);""", cases)
        wrong = {case["name"]: (case["do"], text, case["expect"]) for case, text in zip(cases, found) if text != case["expect"]}
        self.assertEqual({}, wrong)
        self.assertGreater(len(cases), 100)

    @quick
    def test_50_texts_without_a_browser(self):
        """The same with node, where the machine has one."""
        if not shutil.which("node"):
            self.skipTest("no node")
        result = subprocess.run(["node", f"{KIT}/texts.mjs"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(0, result.returncode, result.stdout + result.stderr)

    @quick
    def test_50_differences_are_listed(self):
        """Each case that departs from its source is in the table of the kit's README, with its reason, and nothing else is."""
        cases = [case for name in ("texts.json", "hands.json") for case in json.loads(kit(name))["cases"] if "because" in case]
        rows = [line for line in kit("README.md").split("## Where ours differs")[1].splitlines() if line.startswith("| ")][1:]
        self.assertEqual([(case["name"], case["because"]) for case in cases], [(row.split(" | ")[0][2:], row.split(" | ")[3][:-2]) for row in rows])

    @quick
    def test_50_plain_numbers(self):
        """What is written without Intl is what Intl writes."""
        panel = self.show()
        result = panel.js("""async () => {
          const { plain } = await import('/stepper/words/plain.js'), wrong = [];
          const texts = ['0', '-0', '0.00', '-0.00', '10', '-5', '0.5', '1.50', '0.005', '0.000001', '1234567', '12345678901.25', '0.12345678912'];
          for (let index = 0; index < 200; index += 1) texts.push(((Math.random() - 0.5) * 10 ** (index % 12)).toFixed(index % 9));
          let count = 0;
          for (const language of ['en', 'en-GB', 'en-US', 'de', 'de-DE', 'de-AT', 'fr']) {
            for (const style of ['decimal', 'percent']) {
              for (const significantDigits of [undefined, 1, 3, 10]) {
                for (const text of texts) {
                  const written = plain(text, { language, style, significantDigits });
                  if (written === undefined) continue;
                  const places = Math.max(0, (text.split('.')[1] ?? '').length - (style === 'percent' ? 2 : 0));
                  const format = new Intl.NumberFormat(language, { style, useGrouping: false, ...(significantDigits
                    ? { maximumSignificantDigits: significantDigits } : { minimumFractionDigits: places, maximumFractionDigits: places }) });
                  count += 1;
                  if (written !== format.format(text)) wrong.push([language, style, significantDigits, text, written]);
                }
              }
            }
          }
          return { wrong, count }; }""")
        self.assertEqual([], result["wrong"])
        self.assertGreater(result["count"], 3000)

    def round_trip(self, tags, count):
        """Fails unless all that is written is read back."""
        script = kit("roundtrip.js").replace("export ", "")
        result = self.evaluate(f"{script}\n return roundTrip({{ ...numbers, ...reading }}, given.tags ?? locales(), given.count);",
                               {"tags": tags, "count": count})
        self.assertEqual([], result["failed"])
        return result

    @quick
    def test_50_round_trip_sample(self):
        """In the languages that have something of their own."""
        self.assertGreater(self.round_trip(TELLING, 300)["manners"], 60)

    def test_50_round_trip(self):
        """In all locales of the browser, 20,000 values of each kind and manner of writing."""
        result = self.round_trip(None, 20_000)
        self.save("round-trip.json", {key: value for key, value in result.items() if key != "failed"})
        self.assertGreater(result["locales"], 100)
        self.assertGreater(result["values"], 1_000_000)


class Hands(PanelTest):
    """Keys, wheel, mouse, labels and forms."""

    tolerated = (FAILED_REQUEST,)
    tables = DEVICE + kit("controls.toml")
    #: What the control is set to before each case.
    START = {"count": 50, "fine": 50, "digits": 50, "open": "", "mute": 0}
    IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1"

    def page_for(self, given):
        """A page as the case wants it."""
        one = tag(given["control"], id="it", look=given["look"], keypad=given.get("keypad"))
        if given.get("form"):
            one = f'<form id="form">{one}<button>Send</button></form>'
        if given.get("fieldset"):
            one = f"<form><fieldset disabled>{one}</fieldset></form>"
        if given.get("outer"):
            one = f'<label id="outer" for="it">Outside</label>{one}'
        if given.get("around"):
            one = f"<label>Outside {one}</label>"
        panel = self.show(one + '<button id="other">Other</button>', **({"user_agent": self.IPHONE} if given.get("iphone") else {}))
        panel.js("""() => { window.submitted = 0; window.scrolls = false;
          document.addEventListener('submit', (event) => { event.preventDefault(); submitted += 1; });
          document.addEventListener('wheel', (event) => { scrolls = !event.defaultPrevented; }, { passive: true }); }""")
        return panel

    def act(self, panel, one, verb, *what):
        """One step of a hand."""
        page, mouse = panel.page, panel.page.mouse
        if verb == "focus":
            one.js("host.focus()")
        elif verb == "press":
            eventually(lambda: not self.bed.get(one.js("host.name"))["editing"], "the key before is released")
            page.keyboard.press(what[0])
            panel.frames(2)
        elif verb == "type":
            page.keyboard.type(what[0])
        elif verb == "blur":
            page.focus("#other")
        elif verb == "hover":
            one.hover(what[0])
            panel.frames(20)  # what turns it is loaded when the pointer comes
        elif verb == "click":
            (page.click(what[0]) if what[0].startswith("#") else one.click(what[0]))
        elif verb == "reset":
            panel.js("document.getElementById('form').reset()")
        elif verb == "wheel":
            # Chromium's protocol counts device pixels.
            mouse.wheel(what[0] * 2, what[1] * 2)
        elif verb == "scroll":
            x, y, mode, *keys = what
            one.js("part('input').dispatchEvent(new WheelEvent('wheel', { deltaX: a[0], deltaY: a[1], deltaMode: a[2], ...Object.fromEntries(a[3]),"
                   " bubbles: true, cancelable: true, composed: true }))", [x, y, mode, [[key, True] for key in keys]])
        elif verb == "drag":
            x, y = one.centre(what[0])
            mouse.move(x, y)
            panel.frames(20)
            mouse.down()
            mouse.move(x + what[1], y, steps=10)
            mouse.up()
        elif verb == "compose":
            panel.devtools.send("Input.imeSetComposition", {"text": what[0], "selectionStart": len(what[0]), "selectionEnd": len(what[0])})
            panel.devtools.send("Input.insertText", {"text": what[0]})
        else:
            self.fail(f"hands.json has an unknown verb {verb}")

    def found(self, panel, one, key, name):
        """What there is of an expectation."""
        return {
            "value": lambda: self.bed.value(name), "shown": one.shown, "submitted": lambda: panel.js("submitted"), "scrolls": lambda: panel.js("scrolls"),
            "inputmode": lambda: one.js("part('input').inputMode"), "focused": lambda: panel.js("document.activeElement.id === 'it'"),
            "off": lambda: one.js("['increment', 'decrement'].filter((side) => part(side).ariaDisabled === 'true')"),
            "invalid": lambda: one.js("part('input').ariaInvalid === 'true' && host.validity.customError"
                                      " || (part('input').ariaInvalid === 'true' || host.validity.customError ? 'half' : false)"),
        }[key]()

    def run_case(self, case):
        """One case of hands.json."""
        given, name = case["given"], case["given"]["control"]
        self.bed.set(self.START[name], name)
        panel = self.page_for(given)
        one = panel.control("#it")
        for step in case["do"]:
            self.act(panel, one, *step)
        last = {}

        def is_so():
            last.update({key: self.found(panel, one, key, name) for key in case["expect"]})
            return last == case["expect"]
        # What must not happen is looked at when it would have.
        panel.frames(6)
        pump(panel.page, is_so, lambda: f"{case['name']}: {last}, expected {case['expect']}", 4)
        panel.frames(4)
        self.assertTrue(is_so(), f"{case['name']}: {last}, expected {case['expect']}")
        # A page that is closed enters what was typed, be it after the next case has set its value.
        panel.page.keyboard.press("Escape")
        panel.frames(2)
        self.leave(panel)

    def test_50_hands(self):
        """Every case of hands.json, by what the daemon and the page have then."""
        cases = json.loads(kit("hands.json"))["cases"]
        for case in cases:
            with self.subTest(case["name"]):
                self.run_case(case)
