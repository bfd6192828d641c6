"""Checks 14 to 16: the accessibility tree, what values are called, and what is announced."""

import json
import time

from waiting import eventually, pace

from bed.browser import pump
from bed.case import FAILED_REQUEST, PanelTest, quick, tag
from bed.programs import configuration, control

RANGE = ["minimum = 0", "maximum = 100", "initial = 13"]


class Tree(PanelTest):
    """Check 14: each row of section 4.1."""

    tables = configuration(
        control("gain", 'profile = "gtk"', 'title = "Gain"', 'unit = "dB"', *RANGE),
        control("buttons", 'title = "Copies"', *RANGE, dial=False),
        control("open", 'profile = "winui"', 'title = "Open"', dial=False),
        control("page", 'title = "Page"', 'choices = [{ name = "radio", title = "Radio" }, "aux", "cd"]', dial=False),
        control("mute", 'title = "Mute"', 'kind = "toggle"', dial=False),
        control("go", 'title = "Go"', 'kind = "button"', dial=False),
        control("bell", 'title = "Bell"', 'kind = "button"', 'writable-by = "everyone"', dial=False),
        control("locked", 'title = "Locked"', 'profile = "gtk"', 'writable-by = "nobody"', dial=False))

    def nodes(self, panel, role):
        """Those of a role."""
        return [node for node in panel.tree() if node.role == role]

    def one(self, role, *args, **attributes):
        """The only one of a role in a page with one control."""
        panel = self.show(tag(*args, **attributes))
        nodes = self.nodes(panel, role)
        self.assertEqual(1, len(nodes), panel.tree())
        return panel, nodes[0]

    @quick
    def test_14_field(self):
        """A text field that is a spin button, with both ends, and two buttons with names."""
        panel, node = self.one("spinbutton", "gain", look="gtk")
        self.assertEqual("Gain", node.name)
        self.assertEqual((0, 100), (node.properties.get("valuemin"), node.properties.get("valuemax")))
        self.assertEqual("13 dB", node.attribute("aria-valuetext"))
        self.assertEqual("dB", node.description, "the text that stands there has no unit")
        self.assertEqual(["Decrease Gain", "Increase Gain"], sorted(button.name for button in self.nodes(panel, "button")))
        volume = panel.control()
        self.assertEqual("text", volume.js("part('input').type"))
        self.assertEqual("-1", volume.js("part('increment').getAttribute('tabindex')"))

    def test_14_buttons_only(self):
        """The base is the spin button."""
        panel, node = self.one("spinbutton", "buttons", look="uikit")
        self.assertEqual(("Copies", "13"), (node.name, node.attribute("aria-valuetext")))
        self.assertEqual((0, 100), (node.properties.get("valuemin"), node.properties.get("valuemax")))
        self.assertTrue(node.properties.get("focusable"))
        self.assertEqual({"Decrease Copies", "Increase Copies"}, {button.name for button in self.nodes(panel, "button")})

    @quick
    def test_14_unset(self):
        """No number; the words say so, and both ends are open."""
        panel, node = self.one("spinbutton", "open", spin_buttons="inline")
        self.assertEqual(("no value", "no value"), (node.attribute("aria-valuetext"), node.description))
        self.assertIsNone(panel.control().js("part('input').ariaValueNow ?? part('input').getAttribute('aria-valuenow')"))
        self.assertIsNone(panel.control().js("part('input').getAttribute('aria-valuemin')"))
        for part in ("increment", "decrement"):
            self.assertEqual("true", panel.control().js("part(a).getAttribute('aria-disabled')", part))

    @quick
    def test_14_slider(self):
        """A native range, also a vertical one."""
        _, node = self.one("slider", "gain", look="slider")
        self.assertEqual(("Gain", "13 dB"), (node.name, node.attribute("aria-valuetext")))
        self.assertEqual((0, 100), (node.properties.get("valuemin"), node.properties.get("valuemax")))
        _, node = self.one("slider", "gain", look="slider", orientation="vertical")
        self.assertEqual("vertical", node.properties.get("orientation"))

    def test_14_choice(self):
        """Radios, a list, a menu, and a spin button that says the option."""
        panel, node = self.one("radiogroup", "page", as_="segmented")
        self.assertEqual("Page", node.name)
        radios = self.nodes(panel, "radio")
        self.assertEqual([("Radio", "true"), ("aux", "false"), ("cd", "false")], [(one.name, str(one.properties.get("checked")).lower()) for one in radios])
        panel, node = self.one("listbox", "page", as_="wheel", look="picker")
        options = self.nodes(panel, "option")
        self.assertEqual(["Radio", "aux", "cd"], [one.name for one in options])
        self.assertEqual([True, False, False], [bool(one.properties.get("selected")) for one in options])
        panel, node = self.one("combobox", "page", as_="menu", look="gtk")
        self.assertEqual(("Page", "Radio"), (node.name, node.value))
        panel, node = self.one("spinbutton", "page", as_="stepper")
        self.assertEqual("Radio", node.attribute("aria-valuetext"))

    def test_14_toggle_and_button(self):
        """A switch whose name stays; a button that is not a toggle."""
        panel, node = self.one("switch", "mute")
        self.assertEqual(("Mute", "false"), (node.name, str(node.properties.get("checked")).lower()))
        self.bed.set(1, "mute")
        pump(panel.page, lambda: str(self.nodes(panel, "switch")[0].properties.get("checked")).lower() == "true", "it is on")
        self.assertEqual("Mute", self.nodes(panel, "switch")[0].name)
        panel, node = self.one("button", "go")
        self.assertEqual("Go", node.name)
        self.assertNotIn("pressed", node.properties)
        self.assertTrue(node.properties.get("disabled"), "nobody may push it")
        _, node = self.one("button", "bell")
        self.assertFalse(node.properties.get("disabled"))

    def test_14_readonly_and_invalid(self):
        """Both are in the tree."""
        self.tolerate(FAILED_REQUEST)
        _, node = self.one("spinbutton", "locked", look="gtk")
        self.assertTrue(node.properties.get("readonly") or node.attribute("aria-readonly") == "true")
        self.assertFalse(node.properties.get("settable"))
        panel = self.show(tag("gain", look="gtk"))
        panel.control().part("input").click(click_count=3)
        panel.page.keyboard.type("loud")
        panel.page.keyboard.press("Enter")
        panel.control().wait_for_state("invalid")
        self.assertEqual("true", self.nodes(panel, "spinbutton")[0].properties.get("invalid"))

    def test_14_refusal_of_a_press(self):
        """It is announced while the control has the focus, and belongs to the description when the focus has left."""
        self.tolerate(FAILED_REQUEST)
        panel = self.show(tag("buttons", look="uikit") + "<button id=other>Other</button>")
        one = panel.control()
        panel.page.route("**/api/v1/holds", lambda route: route.abort())
        one.js("host.focus()")
        panel.page.keyboard.press("ArrowUp")
        pump(panel.page, lambda: one.has_part("error"), "the error is shown")
        words = one.js("part('error').textContent.trim() || part('error').querySelector('slot').textContent.trim()")
        pump(panel.page, lambda: panel.js("document.querySelector('[role=status]').textContent") == f"Copies: {words}", "it is announced")
        self.assertEqual("", self.nodes(panel, "spinbutton")[0].description or "")
        panel.js("document.getElementById('other').focus()")
        pump(panel.page, lambda: self.nodes(panel, "spinbutton")[0].description == words, "it is the description")

    def test_14_now_and_text_together(self):
        """Both are written in the frame in which the text is seen, at each change."""
        panel = self.show(tag("gain", look="uikit"))
        panel.js("""() => { const host = document.querySelector('stepper-control'); window.uneven = []; window.seen = 0;
          const owner = () => host.shadowRoot.querySelector('[role=spinbutton]');
          const look = () => { const own = owner(); seen++;
            const now = own.getAttribute('aria-valuenow'), text = own.getAttribute('aria-valuetext');
            if (text !== `${now} dB` || !probe.shown(host).includes(now)) uneven.push([now, text, probe.shown(host)]);
            requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = look; channel.port2.postMessage(0); }); };
          look(); }""")
        for _ in range(40):
            self.bed.turn(1)
            panel.frames(1)
        panel.control().wait_for_text("53")
        self.assertEqual([], panel.js("uneven"))


class Values(PanelTest):
    """Check 15."""

    tables = configuration(
        control("gain", 'profile = "gtk"', "minimum = 0", "maximum = 60", "initial = 30", 'unit = "dB"'),
        control("sound", 'profile = "slider"', "initial = 0.13", 'title.en = "Sound volume"', 'title.de = "Lautstärke"', dial=False),
        control("price", 'profile = "gtk"', "initial = 1234.5", 'format = "currency"', 'currency = "EUR"', "grouping = true", "digits = 2", "minimum = 0", "maximum = 10000",
                dial=False),
        control("page", 'choices = [{ name = "aux", title.en = "Line in", title.de = "Eingang" }, "cd"]', dial=False),
        control("big", 'profile = "gtk"', "minimum = 0", "maximum = 100000", "initial = 12345.5", "digits = 1", dial=False))

    def spoken(self, name, lang, **attributes):
        """What a reader is told of a value."""
        panel = self.show(tag(name, **attributes), lang=lang)
        return panel, panel.control().js(
            "[...host.shadowRoot.querySelectorAll('*')].map((e) => e.ariaValueText ?? e.getAttribute('aria-valuetext')).find((t) => t)")

    def test_15_values_as_text(self):
        """With the unit, in the marks of the page's language."""
        for name, lang, wanted in [("gain", "en", "30 dB"), ("gain", "de", "30 dB"), ("sound", "en", "13 percent"), ("sound", "de", "13 %"),
                                   ("price", "de", "1.234,50 €"), ("big", "de", "12.345,5"), ("page", "de", "Eingang"), ("page", "en", "Line in")]:
            with self.subTest(f"{name} {lang}"):
                _, text = self.spoken(name, lang, **({"as_": "stepper"} if name == "page" else {}))
                if text is None:
                    self.fail("there is none")
                normal = text.replace("\u00a0", " ").replace("\u202f", " ")
                allowed = {wanted, "12345,5"} if name == "big" else {wanted}
                self.assertIn(normal, allowed)

    def test_15_as_describe_says(self):
        """For English it is the daemon's own word, for every control."""
        for name in ["gain", "sound", "price", "page", "big"]:
            with self.subTest(name):
                _, text = self.spoken(name, "en", **({"as_": "stepper"} if name == "page" else {}))
                self.assertEqual(self.bed.describe(name, "en")["value"], text)

    @quick
    def test_15_titles(self):
        """By the language of the page, or of the nearest ancestor that has one."""
        panel = self.show(tag("sound"), lang="de")
        self.assertIn("Lautstärke", [node.name for node in panel.tree() if node.role == "slider"])
        panel = self.show(f'<div lang="de">{tag("sound")}</div>{tag("sound")}', lang="en")
        self.assertEqual({"Lautstärke", "Sound volume"}, {node.name for node in panel.tree() if node.role == "slider"})
        self.assertIn("Lautstärke", panel.control("[lang=de] stepper-control").js("host.shadowRoot.textContent"))


class Announcements(PanelTest):
    """Check 16."""

    tolerated = (FAILED_REQUEST,)
    tables = configuration(control("volume", 'profile = "uikit"', 'title = "Volume"', 'announce = "polite"', "minimum = 0", "maximum = 1000"),
                           control("quiet", 'profile = "uikit"', 'title = "Quiet"', "maximum = 1000"),
                           control("short", 'profile = "uikit"', 'title = "Short"', 'announce = "polite"', "maximum = 3", dial=False),
                           *(control(f"c{number}", 'announce = "polite"', "maximum = 1000") for number in range(5)))

    def listening(self, *names, **how):
        """A page that notes what its live regions say; the time for the first words is over."""
        panel = self.show("".join(tag(name) for name in names), **how)
        panel.js("probe.listen()")
        return panel

    def rested(self, panel):
        """What was said, when nothing more comes for so long that nothing is owed."""
        pace(1.6)
        return panel.js("said")

    def test_16_a_flood_is_one_text(self):
        """Two hundred changes in two seconds: the last one, once."""
        for _ in range(6):
            self.bed.set(0)
            panel = self.listening("volume", "quiet")
            before, begun = int(self.bed.value()), time.monotonic()
            for number in range(200):
                self.bed.turn(1)
                while time.monotonic() - begun < number / 100:
                    pace(0.005)
            panel.control().wait_for_text(str(before + 200))
            said, last = self.rested(panel), f"Volume, {before + 200}"
            panel.close()
            # Where the machine pauses, the knob or the page does: then it is more than one, but never more than one a second.
            self.assertLessEqual(len(said), 2 + (time.monotonic() - begun), said)
            self.assertEqual(last, said[-1])
            if said == [last]:
                return
        self.fail(f"{said} and not once in six times {last} alone")

    @quick
    def test_16_own_changes_are_not_said(self):
        """The reader says them by itself."""
        panel = self.listening("volume")
        panel.control().js("host.focus()")
        for _ in range(3):
            panel.page.keyboard.press("ArrowUp")
        panel.control().wait_for_text("3")
        self.assertEqual([], self.rested(panel))

    def test_16_limit_words_once(self):
        """At the arrival; a step against the end says nothing new."""
        panel = self.listening("short")
        self.bed.set(3, "short")
        panel.control().wait_for_state("at-maximum")
        said = self.rested(panel)
        self.assertEqual(1, len([text for text in said if "Maximum value" in text]), said)
        self.bed.client.call("org.stepperd.control.Step", control="short", steps=1)
        self.assertEqual(said, self.rested(panel))

    def test_16_many_controls_are_counted(self):
        """From four on."""
        panel = self.listening("c0", "c1", "c2", "c3", "c4")
        self.bed.turn(3)
        self.assertEqual(["5 controls changed"], self.rested(panel))

    def test_16_offline_and_back(self):
        """Each once."""
        panel = self.listening("volume", "quiet")
        self.bed.daemon.end()
        panel.control().wait_for_state("disconnected")
        said = self.rested(panel)
        self.assertEqual(1, len(said), said)
        self.bed.client.close()
        self.bed.start_daemon()
        panel.control().wait_for_state("disconnected", False)
        self.assertEqual(2, len(self.rested(panel)), panel.js("said"))

    def test_16_announce_off(self):
        """`<stepper-connection announce="off">` silences all; `announce="polite"` of a control lets it speak."""
        panel = self.show('<stepper-connection announce="off"></stepper-connection>' + tag("volume"))
        panel.js("probe.listen()")
        self.bed.turn(3)
        panel.control().wait_for_text("3")
        self.assertEqual([], self.rested(panel))
        panel = self.show(tag("quiet", announce="polite"))
        panel.js("probe.listen()")
        self.bed.turn(3)
        self.assertEqual(["Quiet, 6"], self.rested(panel))

    def test_16_one_region(self):
        """In the light DOM, once."""
        panel = self.listening("volume", "quiet", "short")
        self.bed.turn(1)
        eventually(lambda: panel.js("said").__len__() > 0, "something is said")
        self.assertEqual(1, panel.js("document.querySelectorAll('[role=status], [aria-live=polite]').length"), json.dumps(panel.js("said")))

    def test_16_full_screen(self):
        """The button of the page has its name once, and says whether it is on."""
        panel = self.blank().goto("/")
        panel.until("!document.getElementById('fullscreen').hidden")
        buttons = [node for node in panel.tree() if node.role == "button" and node.name == "Full screen"]
        self.assertEqual([(None, "false")], [(node.description or None, node.properties.get("pressed")) for node in buttons])
