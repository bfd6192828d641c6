"""Checks 17 to 20: keys, text, drafts, and the keypad."""

from waiting import eventually

from bed.browser import pump
from bed.case import FAILED_REQUEST, PanelTest, quick, tag
from bed.programs import configuration, control

RANGE = ["minimum = 0", "maximum = 100", "initial = 50", "page = 10"]


class Keys(PanelTest):
    """Check 17: each column of section 3.2, by what the daemon has then."""

    tables = configuration(
        *(control(name, f'profile = "{name}"', *RANGE, dial=False) for name in ["uikit", "appkit", "winui", "gtk", "material", "rpvertical"]),
        control("adwaita", 'profile = "gtk/adw"', *RANGE, dial=False), control("wear", 'profile = "material/wear"', *RANGE, dial=False),
        control("slider", 'profile = "slider"', "minimum = 0", "maximum = 100", "step = 1", "page = 10", "initial = 50", 'format = "decimal"', "digits = 0",
                dial=False),
        control("half", 'profile = "winui"', "minimum = 5", "maximum = 30", "step = 0.5", "initial = 21", dial=False),
        control("choice", 'choices = ["a", "b", "c", "dee", "e", "f"]', 'initial = "c"', dial=False),
        control("open", 'choices = ["a", "b", "c", "dee"]', "unset = true", 'initial = "unset"', dial=False),
        control("mute", 'kind = "toggle"', dial=False), control("go", 'kind = "button"', 'writable-by = "everyone"', dial=False))

    def pressing(self, name, keys, start=50, **attributes):
        """Presses keys one after the other, each from `start`; fails unless the daemon has what `keys` says then."""
        panel = self.show(tag(name, **attributes))
        one = panel.control()
        one.js("host.focus()")
        for key, wanted in keys.items():
            with self.subTest(f"{name} {key} {attributes}"):
                # The release of the key before is under way: until it came another press is a second one.
                eventually(lambda: not self.bed.get(name)["editing"], "the key before is released")
                state = self.bed.set(start, name)
                # Its text may be that of before the last key.
                pump(panel.page, lambda: one.js("host.state.sequence") >= state["sequence"], "the page has it")
                panel.page.keyboard.press(key)
                if wanted == start:
                    panel.frames(6)
                    self.assertEqual(start, self.bed.value(name))
                else:
                    self.bed.wait_for_value(wanted, name)
        return panel

    def test_17_button_looks(self):
        """Arrows step, pages go a page, Home and End to the ends."""
        keys = {"ArrowUp": 51, "ArrowDown": 49, "PageUp": 60, "PageDown": 40, "Home": 0, "End": 100, "Enter": 50, "Escape": 50}
        for name in ["uikit", "material"]:
            self.pressing(name, {**keys, "ArrowRight": 51, "ArrowLeft": 49})
        for name in ["appkit", "rpvertical"]:
            self.pressing(name, {**keys, "ArrowRight": 50, "ArrowLeft": 50})
        self.pressing("wear", {key: value for key, value in keys.items()}, look="wear")

    def test_17_fields(self):
        """Left, Right, Home and End move the caret; with Ctrl they go to the ends."""
        keys = {"ArrowUp": 51, "ArrowDown": 49, "PageUp": 60, "PageDown": 40, "Home": 50, "End": 50, "ArrowLeft": 50, "ArrowRight": 50,
                "Control+Home": 0, "Control+End": 100}
        for name in ["winui", "gtk", "adwaita"]:
            self.pressing(name, keys)

    def test_17_slider(self):
        """Also from right to left, where Left increases and Up still does."""
        keys = {"ArrowUp": 51, "ArrowDown": 49, "ArrowRight": 51, "ArrowLeft": 49, "PageUp": 60, "PageDown": 40, "Home": 0, "End": 100}
        self.pressing("slider", keys, look="slider")
        self.pressing("slider", {**keys, "ArrowRight": 49, "ArrowLeft": 51}, look="slider", dir="rtl")

    def test_17_choice(self):
        """Arrows go through the options, letters find one."""
        self.pressing("choice", {"ArrowDown": 3, "ArrowUp": 1, "Home": 0, "End": 5, "d": 3}, start=2, as_="wheel", look="picker")
        self.pressing("choice", {"ArrowDown": 3, "ArrowUp": 1, "ArrowRight": 3, "ArrowLeft": 1}, start=2, as_="segmented", look="uikit")
        self.pressing("choice", {"ArrowUp": 3, "ArrowDown": 1}, start=2, as_="stepper", look="uikit")
        self.pressing("open", {"ArrowUp": 3, "ArrowDown": 0}, start="", as_="wheel", look="picker")
        self.pressing("open", {"ArrowUp": 3, "ArrowLeft": 3, "ArrowDown": 0}, start="", as_="segmented", look="uikit")

    def test_17_switch_and_button(self):
        """Enter and Space toggle; Space holds a button down."""
        self.pressing("mute", {"Enter": 1, "Space": 1, "ArrowUp": 0}, start=0)
        panel = self.show(tag("go"))
        panel.control().js("host.focus()")
        panel.page.keyboard.down("Space")
        self.bed.wait_for_value(1, "go")
        panel.page.keyboard.up("Space")
        self.bed.wait_for_value(0, "go")

    @quick
    def test_17_enter_is_held(self):
        """It toggles and pushes once: the keyboard's own repeat does nothing."""
        for name, done in (("mute", "value"), ("go", "presses")):
            with self.subTest(name):
                panel = self.show(tag(name))
                self.bed.set(0, "mute")
                panel.control().js("host.focus()")
                before = self.bed.get(name).get("presses", 0)
                for _ in range(5):  # the first one, and what a keyboard repeats
                    panel.page.keyboard.down("Enter")
                panel.page.keyboard.up("Enter")
                eventually(lambda: self.bed.get(name)[done] > (0 if done == "value" else before), "the first one acts")
                panel.page.keyboard.press("Tab")
                panel.frames(6)
                asked = [request for request in panel.asked if request.method == "POST" and not request.url.endswith("/release")]
                self.assertEqual(1, len(asked), [request.url for request in asked])

    @quick
    def test_17_key_holds(self):
        """A key that is held is the engine's hold, without the keyboard's own repeat; losing the focus releases it."""
        if not self.bed.has("Press"):
            self.skipTest("this daemon has no Press")
        panel = self.show(tag("uikit"))
        panel.control().js("host.focus()")
        with self.bed.moments("uikit") as moments:
            panel.page.keyboard.down("ArrowUp")
            for _ in range(20):
                panel.page.keyboard.down("ArrowUp")  # what a keyboard repeats
            moments.until(lambda moment: moment.get("value") == 53, "it repeats")
            panel.js("document.activeElement.blur()")
            moments.until(lambda moment: moment["moment"] == "release", "the release")
            self.assertEqual(1, len(moments.named("press")))
            times = [moment["monotonicMicroseconds"] for moment in moments.named("increment")]
            self.assertTrue(all(abs(after - before - 500_000) < 2000 for before, after in zip(times, times[1:])), times)
        panel.page.keyboard.up("ArrowUp")

    @quick
    def test_17_tab_order(self):
        """One stop a control, in the order of the document, and back."""
        names = ["uikit", "winui", "slider", "choice", "mute", "gtk", "go", "rpvertical"]
        panel = self.show("".join(tag(name) for name in names) + '<button id="last">Last</button>')
        seen = []
        for _ in range(len(names) + 1):
            panel.page.keyboard.press("Tab")
            seen.append(panel.js("document.activeElement.getAttribute('name') || document.activeElement.id"))
        self.assertEqual([*names, "last"], seen)
        panel.page.keyboard.press("Shift+Tab")
        self.assertEqual("rpvertical", panel.js("document.activeElement.getAttribute('name')"))

    @quick
    def test_17_focus_survives_a_longer_text(self):
        """Nothing moves for it, and where the range grows, the field that has the focus stays in its place."""
        panel = self.show(tag("half"))
        half = panel.control()
        half.js("host.focus()")
        width = half.js("part('input').getBoundingClientRect().width")
        panel.page.keyboard.press("ArrowUp")
        self.bed.wait_for_value(21.5, "half")
        half.wait_for_text("21.5")
        panel.frames(3)
        self.assertEqual(width, half.js("part('input').getBoundingClientRect().width"))
        self.bed.adjust("half", maximum=1_000_000)
        pump(panel.page, lambda: half.js("part('input').getBoundingClientRect().width") > width, "it has room for the new range")
        self.assertTrue(half.js("part('input') === host.shadowRoot.activeElement"))
        panel.page.keyboard.press("ArrowUp")
        self.bed.wait_for_value(22, "half")

    def test_17_focus_survives_a_reload(self):
        """The configuration is read again: the focus stays where it is."""
        panel = self.show(tag("uikit") + tag("gtk"))
        gtk = panel.control('[name="gtk"]')
        gtk.js("host.focus()")
        self.bed.reload(self.tables.replace("initial = 50", "initial = 51").replace('profile = "gtk"', 'title = "New"\nprofile = "gtk"'))
        pump(panel.page, lambda: gtk.js("host.description?.title") == "New", "the new title is there")
        self.assertEqual("gtk", panel.js("document.activeElement.getAttribute('name')"))
        self.assertTrue(gtk.js("part('input') === host.shadowRoot.activeElement"))
        panel.page.keyboard.press("ArrowUp")
        self.bed.wait_for_value(51, "gtk")


class Text(PanelTest):
    """Checks 18 and 19."""

    tolerated = (FAILED_REQUEST,)
    tables = configuration(
        control("gtk", 'profile = "gtk"', "minimum = 0", "maximum = 100", "digits = 1", "step = 0.5", "initial = 50", 'update-policy = "strict"'),
        control("winui", 'profile = "winui"', "minimum = 0", "maximum = 100", "initial = 50", dial=False),
        control("sum", 'profile = "winui"', "minimum = 0", "maximum = 100", "initial = 50", "expressions = true", dial=False))

    def typed(self, name, text, key="Enter", **attributes):
        """Replaces the text, and presses a key; the control."""
        panel = self.show(tag(name, **attributes) + "<button id=other>Other</button>")
        one = panel.control()
        one.part("input").click(click_count=3)
        panel.page.keyboard.press("Control+a")
        panel.page.keyboard.type(text)
        self.assertEqual(text, one.shown())
        if key == "blur":
            panel.js("document.getElementById('other').focus()")
        elif key:
            panel.page.keyboard.press(key)
        return one

    def test_18_enter_blur_escape(self):
        """Enter and blur commit, Escape restores."""
        self.typed("gtk", "12.5")
        self.bed.wait_for_value(12.5, "gtk")
        self.typed("gtk", "13.5", "blur")
        self.bed.wait_for_value(13.5, "gtk")
        one = self.typed("gtk", "99", "Escape")
        pump(one.page, lambda: one.shown() == "13.5", "Escape restores the text")
        one.panel.page.keyboard.press("Tab")
        one.panel.frames(6)
        self.assertEqual(13.5, self.bed.value("gtk"))

    def test_18_winui_overwrites(self):
        """150 in 0…100 is 100, and what cannot be read is put back, without an error; 3 * 4 is 12 where expressions are."""
        one = self.typed("winui", "150")
        self.bed.wait_for_value(100, "winui")
        one.wait_for_text("100")
        pump(one.page, lambda: one.shown() == "100", "the field shows what holds")
        one = self.typed("winui", "loud")
        pump(one.page, lambda: one.shown() == "100", "the field shows what holds")
        self.assertFalse(one.state("invalid"))
        one = self.typed("sum", "3 * 4")
        self.bed.wait_for_value(12, "sum")
        pump(one.page, lambda: one.shown() == "12", "the field shows the result")

    @quick
    def test_18_strict_refuses(self):
        """The error in words, tied to the field, the draft stays; Escape ends it."""
        one = self.typed("gtk", "150")
        one.wait_for_state("invalid")
        self.assertEqual(50, self.bed.value("gtk"))
        self.assertEqual("150", one.shown())
        self.assertEqual("true", one.js("part('input').getAttribute('aria-invalid')"))
        self.assertTrue(one.has_part("error"))
        words = one.js("part('error').textContent.trim() || part('error').querySelector('slot')?.textContent.trim()")
        self.assertRegex(words, "100")
        self.assertTrue(one.js("part('input').ariaErrorMessageElements[0] === part('error')"))
        node = next(node for node in one.panel.tree() if node.role == "spinbutton")
        self.assertNotIn(words, node.description or "", "it is announced, and not said once more as a new description")
        pump(one.page, lambda: words in one.js("document.querySelector('[role=status]').textContent"), "it is announced")
        one.page.keyboard.press("Escape")
        one.wait_for_state("invalid", False)
        pump(one.page, lambda: one.shown() == "50.0", "Escape restores the text")

    @quick
    def test_18_text_while_another_is_on_its_way(self):
        """It is sent when that one is answered, and shown as a draft until then."""
        one = self.typed("gtk", "5", None)
        panel = one.panel
        panel.js("probe.withhold()")
        panel.page.keyboard.press("Enter")
        panel.until("answers.length === 1", "the first is sent")
        panel.page.keyboard.press("Control+a")
        panel.page.keyboard.type("7")
        panel.page.keyboard.press("Enter")
        panel.js("answers[0]()")
        panel.until("answers.length === 2", "the second is sent")
        self.assertEqual(["5", "7"], panel.js("sent.map(([, { text }]) => text)"))
        one.wait_for_state("draft")
        panel.js("answers[1]()")
        self.bed.wait_for_value(7, "gtk")
        one.wait_for_state("draft", False)

    @quick
    def test_19_draft_is_kept(self):
        """Fifty changes by the knob do not touch it; `incoming` shows them; Enter sets what was typed."""
        one = self.typed("gtk", "7", None)
        for _ in range(50):
            self.bed.turn(1)
        self.bed.wait_for_value(75, "gtk")
        pump(one.page, lambda: one.has_part("incoming") and "75" in one.js("part('incoming').textContent"), "incoming shows the knob")
        self.assertEqual("7", one.shown())
        one.page.keyboard.press("Enter")
        self.bed.wait_for_value(7, "gtk")
        pump(one.page, lambda: not one.has_part("incoming"), "incoming is gone")

    def test_19_plus_commits_the_draft(self):
        """First the text, then the step; a text that is refused cancels the step."""
        one = self.typed("gtk", "20", None)
        one.click("increment")
        self.bed.wait_for_value(20.5, "gtk")
        one = self.typed("gtk", "500", None)
        one.click("decrement")
        one.wait_for_state("invalid")
        one.panel.frames(6)
        self.assertEqual(20.5, self.bed.value("gtk"))


class Keypad(PanelTest):
    """Check 20."""

    tables = configuration(control("gain", 'profile = "gtk"', "minimum = -20", "maximum = 100", "digits = 1", "initial = 1"),
                           control("half", 'profile = "winui"', "minimum = 0.5", "maximum = 30", "initial = 1", dial=False))

    def test_20_range_as_needed(self):
        """The range above the keys has the digits that its ends have."""
        half = self.touched(tag("half"), lang="de", viewport={"width": 500, "height": 800}).control()
        half.part("input").tap()
        pump(half.page, lambda: half.has_part("keypad"), "the keypad opens")
        self.assertRegex(half.js("part('keypad-now').textContent"), "0,5.*30")

    @quick
    def test_20_keypad(self):
        """Opened by touch alone; German mark; keys of 56; Escape, OK; the focus comes back."""
        panel = self.touched(tag("gain"), lang="de", viewport={"width": 500, "height": 800})
        gain = panel.control()
        keys = 'stepper-control [part~="key"]:visible'
        gain.part("input").click()
        panel.frames(6)
        self.assertFalse(gain.has_part("keypad"), "a mouse has a keyboard beside it")
        panel.js("document.activeElement.blur()")
        gain.part("input").tap()
        pump(panel.page, lambda: gain.has_part("keypad"), "the keypad opens")
        self.assertEqual("none", gain.js("part('input').inputMode"))
        boxes = [key.bounding_box() for key in panel.page.locator(keys).all()]
        self.assertGreater(len(boxes), 12)
        self.assertTrue(all(box["width"] >= 55.9 and box["height"] >= 55.9 for box in boxes), boxes)
        texts = [key.inner_text().strip() for key in panel.page.locator(keys).all()]
        self.assertIn(",", texts)
        self.assertTrue({"−", "-", "±", "+/−"} & set(texts), texts)
        self.assertRegex(gain.js("part('keypad').textContent"), "100")
        nodes = panel.tree()
        self.assertEqual(1, len([node for node in nodes if node.role == "dialog"]))
        self.assertIn("gain", [node.name for node in nodes if node.role == "status"], "the entry has the name of its control")
        panel.page.keyboard.press("Escape")
        pump(panel.page, lambda: not gain.has_part("keypad"), "Escape closes it")
        self.assertEqual("gain", panel.js("document.activeElement.getAttribute('name')"))
        self.assertEqual(1, self.bed.value("gain"))
        gain.part("input").tap()
        pump(panel.page, lambda: gain.has_part("keypad"), "the keypad opens")
        for text in ["1", "2", ",", "5"]:
            panel.page.locator(keys).get_by_text(text, exact=True).first.tap()
        panel.page.locator(keys).get_by_text("OK", exact=True).first.tap()
        self.bed.wait_for_value(12.5, "gain")
        pump(panel.page, lambda: gain.shown() == "12,5", lambda: f"the field shows it: {gain.shown()}")
        eventually(lambda: not gain.has_part("keypad"), "OK closes it")
        self.assertEqual("gain", panel.js("document.activeElement.getAttribute('name')"))

    def test_20_text_that_is_too_long(self):
        """What the daemon would not read is not sent: it is unreadable, with and without the keypad."""
        panel = self.touched(tag("gain", keypad="on"), viewport={"width": 500, "height": 800})
        gain = panel.control()
        for length in (1025, 70_000):
            gain.js("(part('input').focus(), part('input').value = '1'.repeat(a), part('input').dispatchEvent(new InputEvent('input', { bubbles: true })))", length)
            if length == 1025:
                panel.page.keyboard.press("Enter")
            else:
                gain.part("input").tap()
                pump(panel.page, lambda: gain.has_part("keypad"), "the keypad opens")
                panel.page.locator('[part~="key-ok"]').tap()
            gain.wait_for_state("invalid")
            self.assertIn("12.5", gain.js("part('error').textContent"))
            self.assertEqual(1, self.bed.value("gain"))
            gain.js("part('input').focus()")
            panel.page.keyboard.press("Escape")
            gain.wait_for_state("invalid", False)
        self.assertEqual([], [request.url for request in panel.asked if request.method == "POST"])

    @quick
    def test_20_keypad_while_a_text_is_on_its_way(self):
        """It begins anew, and what it has is sent after that."""
        panel = self.touched(tag("gain"), viewport={"width": 500, "height": 800})
        gain = panel.control()
        panel.js("probe.withhold()")
        for text in ("12", "3"):
            gain.part("input").tap()
            pump(panel.page, lambda: gain.has_part("keypad"), "the keypad opens")
            panel.page.keyboard.type(text)
            self.assertEqual(text, gain.js("part('keypad-value').value"))
            panel.page.keyboard.press("Enter")
            pump(panel.page, lambda: not gain.has_part("keypad"), "OK closes it")
        for count in (1, 2):
            panel.until(f"answers.length === {count}", "it is sent")
            panel.js("answers.at(-1)()")
        self.bed.wait_for_value(3, "gain")
