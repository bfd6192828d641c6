"""Checks 25 to 31: fingers, the mouse, the wheel, and a knob that turns meanwhile."""

import itertools
import subprocess

from waiting import eventually, pace

from bed.browser import Fingers, pump
from bed.case import PanelTest, quick, tag
from bed.programs import STEPPERCTL, configuration, control

RANGE = ["minimum = 0", "maximum = 1000", "initial = 0"]


class Fingered(PanelTest):
    """Checks 25 and 26."""

    tables = configuration(*(control(name, f'profile = "{profile}"', *RANGE, dial=False) for name, profile in
                             [("volume", "uikit"), ("other", "uikit"), ("gtk", "gtk"), ("rp", "rpvertical")]))

    def phone(self, *names, **attributes):
        """A page on a telephone; its fingers."""
        panel = self.touched("".join(tag(name, **attributes) for name in names), is_mobile=True, viewport={"width": 400, "height": 700})
        return panel, Fingers(panel), [panel.control(f'[name="{name}"]') for name in names]

    def test_25_touch_hold_of_three_seconds(self):
        """No context menu, no cancel by the system, and the steps go on."""
        panel, fingers, (volume,) = self.phone("volume")
        panel.js("probe.record('contextmenu', 'pointercancel', 'touchcancel', 'selectstart')")
        panel.js("void document.addEventListener('contextmenu', (event) => { if (!event.defaultPrevented) recorded.push(['menu opened']); })")
        fingers.down(1, *volume.centre("increment"))
        eventually(lambda: self.bed.value() > 0, "the press steps")
        first = self.bed.value()
        pace(3)
        later = self.bed.value()
        fingers.up(1)
        self.assertGreater(later, first + (10 if self.bed.has("Press") else -1))
        self.assertEqual([], [entry for entry in panel.js("recorded") if entry[0] != "contextmenu"])
        self.assertEqual("none", volume.style("increment", "user-select"))

    def test_25_double_tap_does_not_zoom(self):
        """Two quick taps are two steps at the same size."""
        panel, fingers, (volume,) = self.phone("volume")
        self.assertEqual("manipulation", volume.style("increment", "touch-action"))
        scale = panel.js("visualViewport.scale")
        for _ in range(2):
            fingers.down(1, *volume.centre("increment"))
            pace(0.06)
            fingers.up(1)
            pace(0.06)
        self.bed.wait_for_value(2)
        panel.frames(30)
        self.assertEqual(scale, panel.js("visualViewport.scale"))

    @quick
    def test_26_two_fingers_on_two_controls(self):
        """Both step."""
        _, fingers, (volume, other) = self.phone("volume", "other")
        fingers.down(1, *volume.centre("increment"))
        fingers.down(2, *other.centre("increment"))
        eventually(lambda: self.bed.value() and self.bed.value("other"), "both have stepped")
        self.assertTrue(volume.state("pressed-increment") and other.state("pressed-increment"))
        if self.bed.has("Press"):
            eventually(lambda: self.bed.value() > 1 and self.bed.value("other") > 1, "both repeat")
        fingers.up(1)
        eventually(lambda: not self.bed.get()["editing"], "one is released")
        if self.bed.has("Press"):
            self.assertTrue(self.bed.get("other")["editing"])
        fingers.up(2)
        eventually(lambda: not self.bed.get("other")["editing"], "both are released")

    def second(self, name):
        """Two fingers on one control: plus, then minus; (control, moments) while both are down."""
        if not self.bed.has("Press"):
            self.skipTest("this daemon has no Press")
        self.bed.set(500, name)
        panel, fingers, (one,) = self.phone(name)
        moments = self.bed.moments(name)
        self.addCleanup(moments.connection.close)
        fingers.down(1, *one.centre("increment"))
        moments.until(lambda moment: moment["moment"] == "increment", "the first finger steps")
        fingers.down(2, *one.centre("decrement"))
        return panel, fingers, one, moments

    def test_26_second_finger_is_ignored_by_uikit(self):
        """It does not move the value, and its pressed look is taken back; the first one goes on."""
        panel, fingers, one, moments = self.second("volume")
        pump(panel.page, lambda: not one.state("pressed-decrement"), "the pressed look is taken back")
        moments.until(lambda moment: moment["moment"] == "increment", "the first one repeats")
        self.assertEqual([], moments.named("decrement"))
        self.assertTrue(one.state("pressed-increment"))
        fingers.up(2)
        moments.until(lambda moment: moment["moment"] == "increment", "it goes on when the second one leaves")
        fingers.up(1)

    def test_26_second_finger_ends_the_first_in_gtk(self):
        """Neither holds any more."""
        panel, fingers, one, moments = self.second("gtk")
        pump(panel.page, lambda: not one.state("pressed-increment") and not one.state("pressed-decrement"), "nothing looks pressed")
        moments.seen.clear()
        self.assertTrue(moments.quiet(0.8) or not [moment for moment in moments.unexpected["moments"] if moment["moment"] == "increment"])
        fingers.up(1)
        fingers.up(2)

    def test_26_second_finger_counts_in_rpvertical(self):
        """Both move the value."""
        _, fingers, _, moments = self.second("rp")
        moments.until(lambda moment: moment["moment"] == "decrement", "the second finger steps")
        moments.until(lambda moment: moment["moment"] == "increment", "the first one repeats")
        moments.until(lambda moment: moment["moment"] == "decrement", "the second one repeats")
        fingers.up(1)
        fingers.up(2)


class Moused(PanelTest):
    """Checks 27 to 29."""

    #: What makes `deltaY` 100 in the page: Chromium's protocol counts in device pixels.
    NOTCH = 200
    tables = configuration(control("volume", 'profile = "uikit"', "minimum = 0", "maximum = 4", "initial = 2"),
                           control("gtk", 'profile = "gtk"', *RANGE, dial=False))

    @quick
    def test_27_hold_into_the_limit(self):
        """The button is off at the end, the look ends with the release, there is one bounce; more room does not resume."""
        if not self.bed.has("Press"):
            self.skipTest("this daemon has no Press")
        panel = self.show(tag("volume"))
        volume = panel.control()
        panel.js("""() => { window.bounces = 0; window.animations = [];
          document.querySelector('stepper-control').shadowRoot.addEventListener('animationstart', (event) => animations.push(event.animationName)); }""")
        volume.press("increment")
        self.bed.wait_for_value(4)
        volume.wait_for_state("at-maximum")
        self.assertEqual("true", volume.js("part('increment').getAttribute('aria-disabled')"))
        self.assertIsNone(volume.js("part('increment').getAttribute('disabled')"))
        panel.frames(30)
        self.assertEqual(1, len([name for name in panel.js("animations") if "bounce" in name]), panel.js("animations"))
        sequence = self.bed.get()["sequence"]
        self.bed.adjust(maximum=10)
        volume.wait_for_state("at-maximum", False)
        with self.bed.states("volume") as states:
            self.assertTrue(states.quiet(1.2), "uikit does not resume")
        self.assertEqual(4, self.bed.value())
        self.assertGreaterEqual(self.bed.get()["sequence"], sequence)
        volume.release()
        volume.wait_for_state("pressed-increment", False)

    def test_28_pointer_leaves(self):
        """By 10 px both go on; by 40 px uikit stops and gtk goes on."""
        if not self.bed.has("Press"):
            self.skipTest("this daemon has no Press")
        self.bed.adjust(maximum=1000)
        for name, look, goes_on in [("volume", "uikit", False), ("gtk", "gtk", True)]:
            with self.subTest(look):
                panel = self.show(tag(name, look=look))
                one = panel.control()
                one.press("increment")
                eventually(lambda: self.bed.get(name)["editing"], "it is held")
                box = one.box("increment")
                panel.page.mouse.move(box["right"] + 10, box["y"] + box["height"] / 2)
                panel.frames(5)
                self.assertTrue(self.bed.get(name)["editing"], "10 px outside")
                self.assertTrue(one.state("pressed-increment"))
                panel.page.mouse.move(box["right"] + 40, box["y"] + box["height"] / 2)
                if goes_on:
                    before = self.bed.value(name)
                    eventually(lambda: self.bed.value(name) > before, "it repeats outside")
                else:
                    eventually(lambda: not self.bed.get(name)["editing"], "it is released")
                    one.hover("increment")
                    panel.frames(5)
                    self.assertFalse(self.bed.get(name)["editing"], "coming back does not resume")
                one.release()
                eventually(lambda: not self.bed.get(name)["editing"], "it is released")

    @quick
    def test_28_second_button_of_the_mouse(self):
        """A hold ends with the first button, although the second one is still down."""
        panel = self.show(tag("gtk", look="gtk"))
        one = panel.control()
        one.press("increment")
        eventually(lambda: self.bed.get("gtk")["editing"], "it is held")
        panel.page.mouse.down(button="right")
        panel.page.mouse.up(button="left")
        eventually(lambda: not self.bed.get("gtk")["editing"], "it is released")
        self.assertFalse(one.state("pressed-increment"))
        panel.page.mouse.up(button="right")

    @quick
    def test_29_wheel(self):
        """Without the focus the page scrolls and nothing steps; with it a notch is a step."""
        panel = self.show(tag("gtk", look="gtk") + '<p>Text.</p>' * 100)
        one = panel.control()
        one.hover("input")
        panel.page.mouse.wheel(0, 100)
        panel.until("scrollY > 0", "the page scrolls")
        pace(0.2)
        self.assertEqual(0, self.bed.value("gtk"))
        panel.js("scrollTo(0, 0)")
        one.js("host.focus()")
        one.hover("input")
        for notch in range(3):
            panel.page.mouse.wheel(0, -self.NOTCH)
            self.bed.wait_for_value(notch + 1, "gtk")
        panel.page.mouse.wheel(0, self.NOTCH)
        self.bed.wait_for_value(2, "gtk")
        self.assertEqual(0, panel.js("scrollY"))


class Sliding(PanelTest):
    """Checks 30 and 31."""

    tables = configuration(control("volume", 'profile = "slider"', "minimum = 0", "maximum = 100", "step = 1", 'format = "decimal"', 'digits = 0',
                                   'pickup = "jump"'),
                           control("count", *RANGE))

    def test_30_drag(self):
        """At most one request under way, the last position arrives, `input` often and `change` once."""
        panel = self.show(tag("volume", look="slider"))
        volume = panel.control()
        panel.js("""() => { window.open = 0; window.most = 0; window.inputs = 0; window.changes = 0;
          const real = window.fetch;
          window.fetch = (...all) => { const moving = /move|set|slide/.test(String(all[0]?.url ?? all[0]));
            if (moving) most = Math.max(most, ++open);
            return real(...all).finally(() => { if (moving) open--; }); };
          document.addEventListener('input', () => inputs++); document.addEventListener('change', () => changes++); }""")
        rail = volume.box("rail")
        y = rail["y"] + rail["height"] / 2
        start = rail["x"] + 20
        panel.page.mouse.move(start, y)
        panel.page.mouse.down()
        for step in range(1, 61):
            panel.page.mouse.move(start + step * min(5, (rail["width"] - 60) / 60), y)
        end = start + 60 * min(5, (rail["width"] - 60) / 60)
        panel.frames(10)
        under_finger = volume.box("thumb")
        self.assertNear(end, under_finger["x"] + under_finger["width"] / 2, 2)
        # The truth is shown when the finger rests: so it does not.
        program = subprocess.Popen([STEPPERCTL, "set", "volume", "7", "--address", self.bed.daemon.socket], stdout=subprocess.DEVNULL)
        self.addCleanup(program.wait)
        offsets = itertools.cycle([1, 0])
        while program.poll() is None:
            panel.page.mouse.move(end - next(offsets), y)
        for _ in range(6):
            panel.page.mouse.move(end - next(offsets), y)
            kept = volume.box("thumb")
            self.assertNear(under_finger["x"], kept["x"], 2.5, "a program does not move the thumb under the finger")
        panel.page.mouse.move(end - 30, y)
        panel.frames(3)
        last = volume.box("thumb")
        panel.page.mouse.up()
        panel.until("changes === 1", "one change")
        fraction = (last["x"] + last["width"] / 2 - rail["x"] - last["width"] / 2) / (rail["width"] - last["width"])
        eventually(lambda: abs(self.bed.value() - 100 * fraction) <= 1.5, lambda: f"the last position arrives: {self.bed.value()}, {100 * fraction}")
        volume.wait_for_text(self.bed.get()["text"])
        self.assertLessEqual(panel.js("most"), 1)
        self.assertGreater(panel.js("inputs"), 5)
        self.assertEqual(1, panel.js("changes"))

    @quick
    def test_30_drag_that_is_refused_for_a_while(self):
        """What is refused for the moment is sent again, the last position too; requests come thirty in a second."""
        panel = self.show(tag("volume", look="slider"))
        volume = panel.control()
        panel.js("""() => { window.moves = []; window.busy = false; const real = window.fetch;
          window.fetch = async (...all) => { const url = String(all[0]?.url ?? all[0]);
            if (!url.endsWith('/move')) return real(...all);
            moves.push(performance.now());
            if (!busy) return real(...all);
            if (busy > 0) busy -= 1;
            return new Response('{"detail": "too many requests"}', { status: 429 }); }; }""")
        rail = volume.box("rail")
        y, start, width = rail["y"] + rail["height"] / 2, rail["x"] + 20, rail["width"] - 60
        panel.page.mouse.move(start, y)
        panel.page.mouse.down()
        for step in range(1, 61):
            panel.page.mouse.move(start + width / 2 * step / 60, y)
        panel.until("moves.length > 3")
        panel.js("window.busy = 3")
        panel.page.mouse.move(start + width * 0.75, y)
        panel.frames(2)
        thumb = volume.box("thumb")
        wanted = 100 * (thumb["x"] - rail["x"]) / (rail["width"] - thumb["width"])
        panel.page.mouse.up()
        panel.until("busy === 0")
        eventually(lambda: abs(self.bed.value() - wanted) <= 1.5, lambda: f"the last position arrives: {self.bed.value()}, {wanted}")
        times = panel.js("moves")
        self.assertGreater(min(later - earlier for earlier, later in zip(times, times[1:-4])), 25, times)
        self.assertFalse(volume.has_part("error"))

    @quick
    def test_30_escape_in_a_drag(self):
        """It gives the value back, and ends the drag: what the mouse does after it does nothing."""
        self.bed.set(50)
        panel = self.show(tag("volume", look="slider"))
        volume = panel.control()
        volume.wait_for_text("50")
        rail, (x, y) = volume.box("rail"), volume.centre("thumb")
        panel.page.mouse.move(x, y)
        panel.page.mouse.down()
        panel.page.mouse.move(x + rail["width"] / 4, y)
        eventually(lambda: self.bed.value() > 60, "it is dragged")
        panel.page.keyboard.press("Escape")
        self.bed.wait_for_value(50)
        eventually(lambda: not self.bed.get()["editing"], "it is let go")
        sequence = self.bed.get()["sequence"]
        panel.js("() => { window.sent = []; const real = window.fetch; window.fetch = (...all) => { sent.push(all[0]); return real(...all); }; }")
        for step in range(8):
            panel.page.mouse.move(x + step * 10, y)
            panel.frames(1)
        panel.page.keyboard.press("Escape")
        panel.page.mouse.up()
        panel.frames(6)
        self.assertEqual([], panel.js("sent"))
        self.assertEqual((50, sequence), (self.bed.value(), self.bed.get()["sequence"]))
        self.assertEqual("50", volume.js("host.shadowRoot.querySelector('[type=range]').value"))
        panel.page.keyboard.press("ArrowRight")
        self.bed.wait_for_value(51)

    @quick
    def test_31_knob_during_a_hold(self):
        """Both are counted."""
        if not self.bed.has("Press"):
            self.skipTest("this daemon has no Press")
        panel = self.show(tag("count", look="uikit"))
        count = panel.control()
        moments = self.bed.moments("count")
        self.addCleanup(moments.connection.close)
        count.press("increment")
        moments.until(lambda moment: moment["moment"] == "increment", "the press steps")
        self.bed.turn(20)
        moments.until(lambda moment: moment["moment"] == "increment" and "device" not in moment or moment.get("value", 0) > 21, "the hold goes on", 5)
        count.release()
        moments.until(lambda moment: moment["moment"] == "release", "the release")
        own = len({moment["monotonicMicroseconds"] for moment in moments.named("increment") if moment.get("device") is None})
        self.assertEqual(20 + own, self.bed.value("count"))
        count.wait_for_text(str(20 + own))

    def test_31_sequence_never_goes_back(self):
        """Ten thousand changes, and steps of the panel between them: what is shown only gets newer."""
        self.bed.adjust("count", minimum=0, maximum=1000000)
        panel = self.show(tag("count", look="uikit"))
        count = panel.control()
        panel.js("""() => { const host = document.querySelector('stepper-control'); window.back = []; window.looks = 0; let last = 0;
          const look = () => { const now = host.state.sequence; looks++; if (now < last) back.push([last, now]); last = now; };
          document.addEventListener('stepper-change', look);
          const frame = () => { look(); requestAnimationFrame(frame); }; frame(); }""")
        with self.bed.connection() as knob:
            for burst in range(200):
                for _ in range(50):
                    knob.send("org.stepperd.device.Turn", device="panel", input="dial", detents=1)
                for _ in range(50):
                    knob.receive()
                if burst % 40 == 0:
                    count.click("increment")
        eventually(lambda: self.bed.value("count") == 10005, lambda: f"all are counted: {self.bed.value('count')}", 20)
        count.wait_for_text("10005", 10)
        self.assertEqual([], panel.js("back"))
        self.assertGreater(panel.js("looks"), 20)

    def test_14_thumb_at_an_end(self):
        """Where only the thumb drags, it does so at each place and in each size, and the rail does not."""
        with open(f"{self.bed.web.pages}/large.css", "w", encoding="utf-8") as file:
            file.write("stepper-control { --stepper-scale: 2.5; }")
        for head in ("", '<link rel=stylesheet href="large.css">'):
            for orientation in ("horizontal", "vertical"):
                panel = self.show(tag(as_="slider", rail="thumb", orientation=orientation), head=head, viewport={"width": 1000, "height": 900})
                volume = panel.control()
                for value, way in ((0, 1), (100, -1), (50, 1)):
                    self.bed.set(value)
                    volume.wait_for_text(str(value))
                    panel.frames(20)
                    x, y = volume.centre("thumb")
                    panel.page.mouse.move(x, y)
                    panel.page.mouse.down()
                    panel.page.mouse.move(*((x + 40 * way, y) if orientation == "horizontal" else (x, y - 40 * way)), steps=4)
                    pump(panel.page, lambda: (self.bed.value() - value) * way > 2, f"{orientation} {value} {head}")
                    panel.page.mouse.up()
                    pump(panel.page, lambda: not self.bed.get()["editing"], "the drag has ended")
                panel.close()


class Beside(PanelTest):
    """Touches that are not on the part that acts, and those of two hands."""

    tables = configuration(control("bell", 'kind = "button"', 'writable-by = "everyone"', dial=False), control("mute", 'kind = "toggle"', dial=False))

    def overlap(self, finger, first, second):
        """One finger goes down while the other one is, and they are lifted in that order."""
        finger.down(1, *first)
        pace(0.04)
        finger.down(2, *second)
        pace(0.04)
        finger.up(1)
        pace(0.04)
        finger.up(2)

    @quick
    def test_26_two_hands(self):
        """Taps that overlap are both there: on switches, their labels, options and keys. One that leaves is none; a mouse clicks once."""
        bed = self.make_bed(configuration(control("mute", 'kind = "toggle"', 'title = "Mute"', dial=False), control("dim", 'kind = "toggle"', dial=False),
                                          control("source", 'choices = ["radio", "disc", "tape"]', dial=False),
                                          control("page", 'choices = ["a", "b", "c", "d", "e"]', dial=False),
                                          control("gain", 'profile = "gtk"', "minimum = 0", "maximum = 9999", "initial = 5", dial=False)))
        tags = [tag("mute", layout="row"), tag("dim"), tag("source", as_="segmented"), tag("page", as_="wheel", look="picker"), tag("gain", look="gtk")]
        panel = self.touched("".join(tags), bed=bed)
        mute, dim, source, page, gain = (panel.control(f"[name={name}]") for name in ("mute", "dim", "source", "page", "gain"))
        finger = Fingers(panel)
        self.overlap(finger, mute.centre("switch"), dim.centre("switch"))
        bed.wait_for_value(1, "mute")
        bed.wait_for_value(1, "dim")
        self.overlap(finger, mute.centre("label"), source.centre("option", 2))
        bed.wait_for_value(0, "mute")
        bed.wait_for_value(2, "source")
        self.overlap(finger, page.centre("option", 1), source.centre("option", 1))
        bed.wait_for_value(1, "page")
        bed.wait_for_value(1, "source")
        sequence = bed.get("dim")["sequence"]
        x, y = dim.centre("switch")
        finger.down(1, x, y)
        finger.move(1, x, y + 100)
        finger.up(1)
        gain.part("input").tap()
        pump(panel.page, lambda: gain.has_part("keypad"), "the keypad opens")
        self.assertEqual(sequence, bed.get("dim")["sequence"])
        keys = panel.page.locator('[part~="key"]')
        boxes = [keys.get_by_text(label, exact=True).bounding_box() for label in "34"]
        self.overlap(finger, *((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes))
        pump(panel.page, lambda: gain.js("part('keypad-value').value") == "34", "both keys write")
        keys.get_by_text("OK", exact=True).tap()
        bed.wait_for_value(34, "gain")
        pump(panel.page, lambda: not gain.has_part("keypad"), "OK closes it, and nothing below opens it again")
        panel.frames(6)
        self.assertFalse(gain.has_part("keypad"))
        # A mouse still clicks, and once.
        for text in (1, 0):
            mute.click("switch")
            bed.wait_for_value(text, "mute")
            pump(panel.page, lambda: mute.js("part('switch').ariaChecked") == str(bool(text)).lower(), "it is shown")

    @quick
    def test_26_taps_within_a_round_trip(self):
        """On switches and among options each tap and key begins from the one before, whether that is answered or not."""
        bed = self.make_bed(configuration(control("mute", 'kind = "toggle"', dial=False), control("page", 'choices = ["a", "b", "c", "d"]', dial=False)))
        panel = self.show(tag("mute") + tag("page", as_="segmented"), bed=bed)
        panel.js("probe.withhold()")
        panel.control("[name=mute]").js("[part('switch').click(), part('switch').click()]")
        panel.control("[name=page]").js("host.focus()")
        panel.page.keyboard.press("ArrowDown")
        panel.until("answers.length === 2", "the first of each is sent")
        for _ in range(2):
            panel.page.keyboard.press("ArrowDown")
        panel.js("answers.forEach((answer) => answer())")
        bed.wait_for_value(3, "page")
        panel.control("[name=mute]").js("part('switch').click()")
        panel.until("answers.length === 4", "the last of each is sent")
        panel.js("answers.forEach((answer) => answer())")
        bed.wait_for_value(1, "mute")

    @quick
    def test_26_beside_a_switch(self):
        """The empty space of a row or cell does nothing; the label of the page acts, by a mouse and by a script."""
        before = [self.bed.get(name)["sequence"] for name in ("bell", "mute")]
        for path, more in (("/?layout=list", {}), ("/?layout=kiosk", {"has_touch": True, "viewport": {"width": 1280, "height": 800}})):
            panel = self.blank(**more).goto(path).ready()
            panel.until("document.querySelectorAll('stepper-control').length === 2 && probe.ready()", "the controls are listed")
            panel.settle()
            panel.js("probe.record('click')")
            for number, name in enumerate(("bell", "mute")):
                box = panel.control(f"[name={name}]").box()
                (panel.page.touchscreen.tap if more else panel.page.mouse.click)(box["x"] + 5, box["y"] + 4)
                panel.until(f"recorded.length === {number + 1}", "the click is there")
            panel.frames(6)
            panel.close()
        self.assertEqual(before, [self.bed.get(name)["sequence"] for name in ("bell", "mute")])
        panel = self.show('<label for="a">Lab</label> ' + tag("mute", id="a") + '<label for="b">Bel</label> ' + tag("bell", id="b"))
        label = panel.page.get_by_text("Lab")
        label.click()
        self.bed.wait_for_value(1, "mute")
        label.evaluate("(label) => label.click()")
        self.bed.wait_for_value(0, "mute")
        panel.page.get_by_text("Bel").click()
        eventually(lambda: self.bed.get("bell")["presses"], "the label pushes")
        self.assertEqual(1, self.bed.get("bell")["presses"])
