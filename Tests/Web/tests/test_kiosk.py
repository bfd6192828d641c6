"""Checks 48 and 49: the page of a kiosk on every size of screen, its pages, its rest, and what happens under a finger."""

import re

from waiting import eventually, pace

from bed.browser import Fingers, pump
from bed.case import FAILED_REQUEST, PanelTest, quick
from bed.programs import ROOT, configuration, control

SCREENS = [(800, 480), (1024, 600), (1280, 800), (1920, 1080), (480, 800), (1080, 1920)]
COUNTS = [1, 4, 12, 40]
#: On these, so many need several pages at the least scale; everywhere else one is enough.
PAGED = {(800, 480): {40}, (1024, 600): {40}, (1280, 800): {40}, (480, 800): {12, 40}}


def many(count):
    """Controls of four kinds in groups of five."""
    kinds = [
        ['title = {{ en = "Volume {0}", de = "Lautstärke {0}" }}', 'unit = "dB"', "minimum = -60", "maximum = 10", "digits = 1", "initial = -20"],
        ['title = "Light {0}"', 'format = "percent"', "minimum = 0", "maximum = 1", "step = 0.01", "digits = 2", "initial = 0.6"],
        ['title = "Mute {0}"', 'kind = "toggle"'],
        ['title = "Source {0}"', 'choices = ["Radio", "Tape", "Line in"]']]
    return configuration(*(control(
        f"c{number:02}", *(line.format(number) for line in kinds[number % 4]),
        f'group = {{ name = "g{number // 5}", title = {{ en = "Room {number // 5}", de = "Raum {number // 5}" }} }}', dial=False) for number in range(count)))


#: What is on the page that is seen: boxes of controls, and what is wrong with them.
SEEN = """() => { const panel = document.querySelector('stepper-panel'), { clientWidth: width, clientHeight: height } = panel;
  const boxes = [...panel.querySelectorAll('stepper-control')].map((one) => [one, one.getBoundingClientRect()]).filter(([, box]) => box.left > -1 && box.left < width);
  const wrong = boxes.flatMap(([one, box]) => { const text = one.shadowRoot.querySelector('[part=text]'), main = one.shadowRoot.querySelector('[part=main]');
    const inside = [text, main].map((part) => part.getBoundingClientRect()).filter(({ width }) => width)
      .every((part) => part.left > box.left - 1 && part.right < box.right + 1 && part.top > box.top - 1 && part.bottom < box.bottom + 1);
    const label = one.shadowRoot.querySelector('[part=label]').getClientRects().length;
    return [inside ? '' : `${one.name} leaves its cell`, label > 1 ? `${one.name} has a label of ${label} lines` : '',
      box.bottom > innerHeight + 1 || box.right > innerWidth + 1 ? `${one.name} is beyond the screen` : ''].filter(Boolean); });
  const button = boxes.map(([one]) => one.shadowRoot.querySelector('[part~=increment]')).find(Boolean)?.getBoundingClientRect();
  return { wrong, count: boxes.length, bottom: Math.max(...boxes.map(([, box]) => box.bottom)) / height, right: Math.max(...boxes.map(([, box]) => box.right)) / width,
    button: button && Math.min(button.width, button.height), pages: panel.querySelectorAll('.page').length,
    scroll: document.scrollingElement.scrollHeight > innerHeight || panel.scrollHeight > height,
    scale: Number(getComputedStyle(document.documentElement).getPropertyValue('--scale')) }; }"""


class KioskPage(PanelTest):
    """What the pages of a kiosk have in common."""

    tables = many(4)

    def kiosk(self, parameters="", bed=None, size=(1024, 600), placed=True, **more):
        """The page with layout=kiosk, when its cells have their places."""
        panel = self.blank(bed, viewport={"width": size[0], "height": size[1]}, **{"has_touch": True, "device_scale_factor": 1, **more})
        panel.goto(f"/?layout=kiosk{parameters}")
        if placed:
            self.placed(panel)
        return panel

    def placed(self, panel):
        """Waits until every control is drawn and has its cell, for as long as nothing moves any more."""
        last = []

        def rests():
            now = panel.js("""() => [...document.querySelectorAll('stepper-control')].map((one) => [one.style.getPropertyValue('--x'), one.style.getPropertyValue('--y'),
              one.style.getPropertyValue('--h'), !!one.state && !one.matches(':state(connecting)')].join())""")
            last.append(now)
            return len(last) > 8 and now and all("true" in one and one[0] != "," for one in now) and all(now == one for one in last[-8:])
        pump(panel.page, rests, lambda: f"cells have their places: {last[-1:]}; {panel.messages}", 15)
        panel.frames(3)


class Cells(KioskPage):
    """Check 48."""

    def test_48_every_screen_is_filled(self):
        """1, 4, 12 and 40 controls on six screens: filled, nothing scrolls, labels on one line, targets of a finger; pages where they must be.

        Their steps are those of the table in panel.md.
        """
        rows = []
        for count in COUNTS:
            rows.append([str(count)])
            bed = self.make_bed(many(count))
            for size in SCREENS:
                with self.subTest(count=count, size=size):
                    panel = self.kiosk("&look=uikit", bed, size)
                    seen = panel.js(SEEN)
                    self.save(f"kiosk-{count}-{size[0]}x{size[1]}.png", panel.page.screenshot())
                    self.assertEqual([], seen["wrong"])
                    self.assertFalse(seen["scroll"], seen)
                    self.assertGreater(seen["bottom"], 0.93, seen)
                    self.assertGreater(seen["right"], 0.95, seen)
                    self.assertGreaterEqual(seen["button"] or 44, 31.9 * seen["scale"], seen)
                    if count in PAGED.get(size, ()):
                        self.assertGreater(seen["pages"], 1)
                    else:
                        self.assertEqual((1, count), (seen["pages"], seen["count"]))
                    more = f", {['two', 'three', 'four'][seen['pages'] - 2]} pages" if seen["pages"] > 1 else ""
                    rows[-1].append(f"{seen['scale']:g}{more}")
                    panel.close()
            bed.close()
        with open(f"{ROOT}/Documentation/panel.md", encoding="utf-8") as file:
            table = re.search(r"^\| controls \|.*\n\|[-|]*\n((?:\|.*\n)*)", file.read(), re.MULTILINE)[1]
        self.assertEqual(table, "".join(f"| {' | '.join(row)} |\n" for row in rows))

    @quick
    def test_48_one_look_and_one_language(self):
        """The look of most controls; headings and what is said of the connection in the page's language, once."""
        bed = self.make_bed(configuration(
            control("a", 'profile = "winui"', 'group = { name = "x", title = { en = "Sound", de = "Klang" } }', dial=False),
            control("b", 'profile = "winui"', 'group = "x"', dial=False), control("c", 'profile = "gtk"', dial=False),
            control("d", 'profile = "slider"', "minimum = 0", "maximum = 9", dial=False)))
        panel = self.kiosk("&language=de", bed)
        self.assertEqual(["winui"] * 4, panel.js("[...document.querySelectorAll('stepper-control')].map((one) => one.look)"))
        sizes = panel.js("[...document.querySelectorAll('stepper-control')].map((one) => getComputedStyle(one.shadowRoot.querySelector('[part=label]')).fontSize)")
        self.assertEqual(1, len(set(sizes)), sizes)
        self.assertTrue(panel.control('[name="d"]').has_part("rail"), "a slider stays one")
        self.assertTrue(all(panel.control(f'[name="{name}"]').has_part(part) for name in "abc" for part in ("decrement", "increment")), "winui has − and + on touch")
        self.assertEqual(["Klang"], panel.js("[...document.querySelectorAll('h2')].map((one) => one.textContent)"))
        self.assertEqual("Klang", panel.js("document.querySelector('section[data-group]').ariaLabel"))
        bed.daemon.stop()
        pump(panel.page, lambda: panel.js("document.documentElement.dataset.phase") == "disconnected", "it is offline")
        panel.frames(3)
        said = panel.js("""() => [document.body, ...[...document.querySelectorAll('stepper-control')].map(({ shadowRoot }) => shadowRoot)]
          .flatMap((root) => [...root.querySelectorAll('p, [part=badge]')]).filter((one) => one.checkVisibility() && one.textContent).map((one) => one.textContent)""")
        self.assertEqual(["Die Verbindung zu den Reglern ist unterbrochen"], said)

    def test_48_reload_takes_a_presentation_away(self):
        """A control that is no slider any more is drawn as its profile has it."""
        tables = configuration(control("d", 'profile = "slider"', "minimum = 0", "maximum = 9", dial=False))
        bed = self.make_bed(tables)
        panel = self.kiosk("", bed)
        level = panel.control('[name="d"]')
        self.assertTrue(level.has_part("rail"))
        bed.reload(tables.replace('profile = "slider"', 'profile = "uikit"'))
        pump(panel.page, lambda: level.has_part("increment") and not level.has_part("rail"), "it has buttons")

    def test_48_look_of_the_controls_that_are_shown(self):
        """Controls that the page does not have do not count."""
        bed = self.make_bed(configuration(*(control(f"other{number}", 'profile = "winui"', dial=False) for number in range(3)),
                                          control("a", 'profile = "gtk"', 'group = "x"', dial=False)))
        for parameters in ("&match=a", "&group=x"):
            self.assertEqual("gtk", self.kiosk(parameters, bed).control().js("host.look"))

    def test_48_reload_takes_all_controls_away(self):
        """No cards and no dots are left, and what the page says instead is seen."""
        bed = self.make_bed(many(40))
        panel = self.kiosk("&match=c*", bed, (800, 480))
        left = "[...document.querySelectorAll('.card, .page, .again, nav.pages:not([hidden])')].map(({ className }) => className)"
        self.assertIn("card", panel.js(left))
        bed.reload(configuration(control("other", dial=False)))
        panel.until("!document.querySelector('stepper-control')")
        panel.until("document.getElementById('empty').checkVisibility()")
        panel.frames(6)
        self.assertEqual([], panel.js(left))
        bed.reload(many(40))
        self.placed(panel)
        self.assertIn("pages", panel.js(left))

    def test_48_pages(self):
        """Dots, keys and a swipe; the focus is on the page that is seen; right to left."""
        bed = self.make_bed(many(40))
        for language in ("en", "ar"):
            with self.subTest(language):
                panel = self.kiosk(f"&language={language}", bed, (800, 480), reduced_motion="reduce")
                count = panel.js(SEEN)["pages"]
                self.assertGreater(count, 2)
                current = "[...document.querySelectorAll('.pages button')].findIndex((one) => one.ariaCurrent === 'page')"

                def on(page, shown=current, panel=panel):
                    pump(panel.page, lambda: panel.js(shown) == page, lambda: f"page {page} is shown: {panel.js(shown)}")
                    pump(panel.page, lambda: not panel.js(SEEN)["wrong"], lambda: f"the page rests: {panel.js(SEEN)}")
                on(0)
                self.assertGreaterEqual(panel.js("document.querySelector('.pages button').offsetHeight"), 44)
                panel.page.locator(".pages button").nth(2).tap()
                on(2)
                panel.js("document.activeElement.blur()")
                panel.page.keyboard.press("PageUp")
                on(1)
                panel.page.keyboard.press("Home")
                on(0)
                panel.js("[...document.querySelectorAll('stepper-control')].at(-1).focus()")
                on(count - 1)
                panel.js("document.activeElement.blur()")
                panel.page.keyboard.press("Home")
                on(0)
                side, finger = (-1 if language == "en" else 1), Fingers(panel)
                finger.down(1, 400 - side * 300, 200)
                for step in range(1, 16):
                    finger.move(1, 400 - side * (300 - 36 * step), 200)
                    panel.frames(1)
                finger.up(1)
                on(1)
                panel.close()

    def swipe(self, panel, finger, place, rests=0.0):
        """A finger that goes half a screen to the left; how far the page went."""
        finger.down(1, *place)
        pace(rests)
        for step in range(1, 23):
            finger.move(1, place[0] - 20 * step, place[1])
        finger.up(1)
        before = []

        def still():
            before.append(panel.js("document.querySelector('stepper-panel').scrollLeft"))
            return len(before) > 8 and len(set(before[-8:])) == 1
        pump(panel.page, still, "the page rests")
        return before[-1]

    @quick
    def test_48_swipe_or_press(self):
        """A touch on a button turns the page or presses, never both; one that is lifted soon, or rests, is a press."""
        bed = self.make_bed(many(40))
        panel = self.kiosk("&look=uikit", bed, (800, 480), reduced_motion="reduce")
        names = panel.js("""[...document.querySelectorAll('stepper-control')].filter((one) => one.shadowRoot.querySelector('[part~=increment]')
          && one.getBoundingClientRect().left < 800).map(({ name }) => name)""")
        swiped, tapped = (panel.control(f'[name="{name}"]') for name in (names[-1], names[0]))
        place, other = swiped.centre("increment"), tapped.centre("increment")
        self.assertGreater(place[0], 600, "there is room for a swipe")
        moments = bed.moments(names[-1], names[0])
        self.addCleanup(moments.connection.close)
        panel.js("""() => { window.looked = []; document.addEventListener('pointerdown',
          ({ target }) => looked.push(target.matches(':state(pressed-increment)'))); }""")
        finger, turned = Fingers(panel), 0
        for attempt in range(1, 11):
            moments.seen.clear()
            is_turned = self.swipe(panel, finger, place) > 0
            self.assertFalse(swiped.state("pressed-increment"))
            panel.js("document.querySelector('stepper-panel').scrollTo(0, 0)")
            self.placed(panel)
            finger.down(1, *other)
            finger.up(1)
            moments.until(lambda moment: moment["moment"] == "release" and moment["control"] == names[0], "the tap is released")
            presses = [moment["control"] for moment in moments.named("press")]
            # On a busy machine the finger rests longer than it wants to.
            self.assertEqual([names[0]] if is_turned else [names[-1], names[0]], presses, f"attempt {attempt}")
            turned += is_turned
            if turned == 2:
                break
        self.assertEqual(2, turned, "swipes turn the page")
        self.assertEqual({True}, set(panel.js("looked")), "the look is there at once")
        moments.seen.clear()
        self.assertEqual(0, self.swipe(panel, finger, place, rests=0.3), "what is a press turns no page")
        moments.until(lambda moment: moment["moment"] == "release", "uikit releases what the finger leaves")
        self.assertEqual([names[-1]], [moment["control"] for moment in moments.named("press")])

    @quick
    def test_48_taps_are_felt(self):
        """Each, also where what the daemon tells of it comes after its end."""
        bed = self.make_bed(many(40))
        panel = self.blank(bed, viewport={"width": 800, "height": 480}, has_touch=True, device_scale_factor=1)
        panel.context.add_init_script("""delete window.SharedWorker; Object.defineProperty(navigator, 'locks', { value: undefined });
          const listen = EventSource.prototype.addEventListener; window.felt = [];
          EventSource.prototype.addEventListener = function (type, act) {
            listen.call(this, type, (event) => (type === 'moment' ? setTimeout(act, 100, event) : act(event))); };
          Navigator.prototype.vibrate = (pulses) => { felt.push(pulses); return true; };""")
        panel.goto("/?layout=kiosk&look=uikit")
        self.placed(panel)
        place = panel.control('[name="c00"]').centre("increment")
        for count in (1, 2, 3):
            panel.page.touchscreen.tap(*place)
            panel.until(f"felt.length === {count}", "it is felt")
            bed.wait_for_value(count - 20, "c00")
            pace(0.1)

    def test_48_swipe_on_what_is_tapped(self):
        """A swipe that begins on a switch or an option turns the page, and chooses nothing; a tap does."""
        bed = self.make_bed(many(40))
        panel = self.kiosk("&look=uikit", bed, (800, 480), reduced_motion="reduce")
        finger = Fingers(panel)
        for part, index in (("switch", 0), ("option", 2)):
            with self.subTest(part):
                name = panel.js("""(part) => [...document.querySelectorAll('stepper-control')].filter((one) => one.shadowRoot.querySelector(`[part~=${part}]`)
                  && one.getBoundingClientRect().left < 800).at(-1).name""", part)
                place, before = panel.control(f'[name="{name}"]').centre(part, index), bed.get(name)
                self.assertGreater(self.swipe(panel, finger, place), 0, "the page turns")
                self.assertEqual(before, bed.get(name))
                panel.js("document.querySelector('stepper-panel').scrollTo(0, 0)")
                self.placed(panel)
                panel.page.touchscreen.tap(*place)
                eventually(lambda: bed.value(name) != before["value"], "a tap chooses")

    @quick
    def test_48_press_at_once_on_one_page(self):
        """Where no swipe turns a page, a press waits for nothing."""
        panel = self.kiosk("&look=uikit")
        volume, finger = panel.control('[name="c00"]'), Fingers(panel)
        panel.js("""() => { window.sent = []; const real = window.fetch;
          window.fetch = (...all) => { if (/holds$/.test(all[0])) sent.push(performance.now()); return real(...all); };
          document.addEventListener('pointerdown', () => sent.push('down')); }""")
        finger.down(1, *volume.centre("increment"))
        finger.up(1)
        self.bed.wait_for_value(-19, "c00")
        self.assertEqual("down", panel.js("sent[1]"), "the request leaves while the event is handled")

    def test_48_distance(self):
        """At twice the distance everything is at least twice as large; what is no distance is said."""
        bed = self.make_bed(many(12))
        self.assertGreaterEqual(self.kiosk("&distance=2.1", bed, (1280, 800)).js(SEEN)["scale"], 3)
        panel = self.kiosk("&distance=far&layout=x&dim-after=never", bed, (1280, 800))
        said = panel.js("document.getElementById('state').innerText")
        self.assertIn("distance=far", said)
        self.assertIn("dim-after=never", said)

    @quick
    def test_48_address_that_is_not_understood(self):
        """The page says it, also of a name; what is understood goes unsaid."""
        bed = self.make_bed(many(1))
        strange = ["look=uikitt", "scheme=drak", "contrast=orginal", "sound=yes", "language=de_DE", "layuot=kiosk"]
        good = ["look=uikit/ios7", "scheme=dark", "contrast=original", "sound=on", "language=de-DE", "layout=list", "match=c*", "group=g0", "distance=2"]
        for parameters, wanted in ((strange, strange), (good, [])):
            panel = self.blank(bed).goto(f"/?{'&'.join(parameters)}")
            panel.until("document.querySelectorAll('stepper-control').length === 1", "the control is listed")
            panel.ready()
            panel.until("document.documentElement.dataset.phase === 'connected'")
            said = panel.js("document.getElementById('state').innerText")
            self.assertEqual(wanted, [text for text in strange if text in said], said)
            if not wanted:
                self.assertTrue(panel.js("document.getElementById('state').hidden"), said)
            panel.close()

    def test_48_default_on_a_large_touch_screen(self):
        """A coarse pointer of 1024 px is a kiosk; a mouse, a phone and layout=list are not."""
        for parameters, width, touch, wanted in [("", 1024, True, "kiosk"), ("", 1024, False, "list"), ("", 800, True, "list"), ("?layout=list", 1024, True, "list")]:
            panel = self.blank(viewport={"width": width, "height": 600}, has_touch=touch).goto(f"/{parameters}")
            pump(panel.page, lambda panel=panel: panel.js("document.documentElement.dataset.layout") is not None, "the page has its layout")
            self.assertEqual(wanted, panel.js("document.documentElement.dataset.layout"), (parameters, width, touch))
            panel.close()

    def test_48_error_at_its_field(self):
        """A refusal is in the cell of its control, and moves nothing."""
        self.tolerate(FAILED_REQUEST)
        bed = self.make_bed(configuration(*(control(name, 'profile = "gtk"', "minimum = 0", "maximum = 9", 'update-policy = "strict"', dial=False) for name in "abc")))
        panel = self.kiosk("&look=gtk", bed)
        one = panel.control('[name="b"]')
        before = [panel.control(f'[name="{name}"]').box("increment") for name in "abc"]
        one.part("input").fill("77")
        one.part("input").press("Enter")
        one.wait_for_state("invalid")
        panel.frames(5)
        self.assertEqual(before, [panel.control(f'[name="{name}"]').box("increment") for name in "abc"])
        cell, error = one.box(), one.box("error")
        self.assertTrue(cell["y"] - 1 <= error["y"] and error["bottom"] <= cell["bottom"] + 1, (cell, error))


class Rest(KioskPage):
    """Check 49."""

    @staticmethod
    def key(panel, label):
        """A key of the keypad that is open."""
        return panel.page.locator('[part~="key"]').get_by_text(label, exact=True)

    def test_49_nothing_moves_at_rest(self):
        """No animation, and no frame is asked for."""
        panel = self.kiosk("&dim-after=1h")
        panel.js("() => { window.asked = 0; const own = requestAnimationFrame; window.requestAnimationFrame = (act) => { asked += 1; return own(act); }; }")
        self.assertEqual([], panel.js("document.getAnimations().map(({ animationName }) => animationName)"))
        panel.page.wait_for_timeout(1500)
        self.assertEqual([0, 0], panel.js("[asked, document.getAnimations().length]"))

    @quick
    def test_49_dark_after_a_while(self):
        """The touch and the key that wake it press nothing; the next one does. A knob wakes it too."""
        bed = self.make_bed(configuration(control("volume", 'title = "Volume"', 'profile = "gtk"', "minimum = 0", "maximum = 9", "initial = 5"),
                                          control("mute", 'kind = "toggle"', dial=False)))
        panel = self.kiosk("&dim-after=0.8&look=uikit", bed)
        dark = "document.getElementById('dim').matches(':popover-open')"
        volume, mute = panel.control('[name="volume"]'), panel.control('[name="mute"]')
        finger = Fingers(panel)
        for one, part in ((volume, "increment"), (mute, "switch")):
            pump(panel.page, lambda: panel.js(dark), "it is dark")
            panel.page.touchscreen.tap(*one.centre(part))
            pump(panel.page, lambda: not panel.js(dark), "a touch wakes it")
        pump(panel.page, lambda: panel.js(dark), "it is dark")
        finger.down(1, *volume.centre("increment"))
        self.assertFalse(volume.state("pressed-increment"))
        finger.up(1)
        pump(panel.page, lambda: not panel.js(dark), "a touch wakes it")
        volume.js("host.focus()")
        pump(panel.page, lambda: panel.js(dark), "it is dark")
        panel.page.keyboard.press("ArrowUp")
        self.assertFalse(panel.js(dark))
        self.assertEqual((5, 0), (bed.value(), bed.value("mute")))
        panel.page.touchscreen.tap(*volume.centre("increment"))
        bed.wait_for_value(6)
        pump(panel.page, lambda: panel.js(dark), "it is dark")
        bed.turn(1)
        pump(panel.page, lambda: not panel.js(dark), "the knob wakes it")

    @quick
    def test_49_dark_over_a_keypad(self):
        """The keypad is modal, and nothing beside it gets a touch: those that wake the page are no keys all the same."""
        bed = self.make_bed(configuration(control("volume", 'profile = "gtk"', "minimum = 0", "maximum = 99", "initial = 5", dial=False)))
        panel = self.kiosk("&dim-after=3&look=gtk", bed)
        dark = "document.getElementById('dim').matches(':popover-open')"
        volume, finger = panel.control(), Fingers(panel)
        volume.part("input").tap()
        pump(panel.page, lambda: volume.has_part("keypad"), "the keypad opens")
        self.key(panel, "7").tap()
        pump(panel.page, lambda: volume.js("part('keypad-value').value") == "7", "a key writes")
        for key in ("7", "OK"):
            pump(panel.page, lambda: panel.js(dark), "it is dark")
            box = self.key(panel, key).bounding_box()
            place = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            finger.down(1, *place)
            pace(0.06)
            finger.up(1)
            pump(panel.page, lambda: not panel.js(dark), "a touch wakes it")
            self.assertTrue(volume.has_part("keypad"))
            self.assertEqual("7", volume.js("part('keypad-value').value"))
        self.assertEqual(5, bed.value())
        self.key(panel, "OK").tap()
        bed.wait_for_value(7)

    def test_49_gone_under_the_finger(self):
        """A control that a reload takes away, or makes another kind of, while it is held: nothing is held, the page goes on."""
        self.tolerate(FAILED_REQUEST + r".* 404 \(Not Found\) .*/holds\)")  # its release may come after the reload
        for tables in (configuration(control("other", dial=False)), configuration(control("volume", 'kind = "toggle"'), control("other", dial=False))):
            bed = self.make_bed(configuration(control("volume", "minimum = 0", "maximum = 100000"), control("other", dial=False)))
            panel = self.kiosk("&look=uikit", bed)
            finger = Fingers(panel)
            finger.down(1, *panel.control('[name="volume"]').centre("increment"))
            panel.control('[name="volume"]').wait_for_state("pressed-increment")
            bed.reload(tables)
            pump(panel.page, lambda panel=panel: panel.js("(document.querySelector('[name=volume]')?.description?.kind ?? 'none') !== 'continuous'"), "the page has the new list")
            finger.up(1)
            self.placed(panel)
            panel.page.touchscreen.tap(*panel.control('[name="other"]').centre("increment"))
            bed.wait_for_value(1, "other")
            panel.close()
            bed.close()

    @quick
    def test_49_keypad_knows_its_control(self):
        """Name, present value, unit and range; the digits of a keyboard, also of its block, in the language of the page."""
        bed = self.make_bed(configuration(control("gain", 'title = { en = "Gain", de = "Verstärkung" }', 'profile = "gtk"', 'unit = "dB"', "minimum = -60", "maximum = 10",
                                                  "digits = 1", "initial = -20")))
        panel = self.kiosk("&language=de", bed, (800, 480))
        gain = panel.control()
        gain.part("input").tap()
        pump(panel.page, lambda: gain.has_part("keypad"), "the keypad opens")
        text = gain.js("part('keypad').innerText")
        for words in ("Verstärkung", "jetzt -20,0\u00a0dB", "-60,0 bis 10,0\u00a0dB"):
            self.assertIn(words, text)
        self.save("keypad-800x480.png", panel.page.screenshot())
        box = gain.box("keypad")
        self.assertTrue(box["y"] >= 0 and box["bottom"] <= 480, box)
        for key in ("Digit4", "NumpadDecimal", "Digit5", "Enter"):
            panel.page.keyboard.press(key)
        bed.wait_for_value(4.5, "gain")
        pump(panel.page, lambda: not gain.has_part("keypad"), "Enter closes it")


class Screens(KioskPage):
    """Check 48, on screens and with settings that are seldom."""

    tables = many(12)

    def test_48_headings_of_larger_text(self):
        """They are not cut."""
        for text in (24, 32):
            panel = self.blank(viewport={"width": 1280, "height": 800}, has_touch=True)
            panel.devtools.send("Page.enable")
            panel.devtools.send("Page.setFontSizes", {"fontSizes": {"standard": text, "fixed": text}})
            panel.goto("/?layout=kiosk&look=uikit")
            self.placed(panel)
            self.assertEqual([], panel.js("[...document.querySelectorAll('h2')].filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => [one.scrollHeight, one.clientHeight])"))
            panel.close()

    def test_48_more_dots_than_fit(self):
        """The current one is seen, each is reached, and nothing but the dots moves."""
        bed = self.make_bed(many(40))
        for language in ("en", "ar"):
            panel = self.kiosk(f"&look=uikit&distance=2&language={language}", bed, (800, 480), reduced_motion="reduce")
            self.assertGreater(panel.js("document.querySelectorAll('.pages button').length"), 20)
            seen = """() => { const { left, right } = document.querySelector('.pages [aria-current=page]').getBoundingClientRect();
              return [left >= 0 && right <= innerWidth, document.body.scrollLeft, document.scrollingElement.scrollLeft]; }"""
            self.assertEqual([True, 0, 0], panel.js(seen))
            for key in ("End", "Home"):
                panel.page.keyboard.press(key)
                last = "document.querySelector('.pages').lastChild" if key == "End" else "document.querySelector('.pages').firstChild"
                panel.until(f"{last}.ariaCurrent === 'page'")
                panel.frames(3)
                self.assertEqual([True, 0, 0], panel.js(seen), key)
            panel.js("document.querySelector('.pages').lastChild.focus()")
            panel.frames(3)
            self.assertEqual([0, 0], panel.js(seen)[1:])
            panel.close()

    def test_48_value_beside_its_slider(self):
        """In one line with the rail, which has what the label leaves."""
        for look in ("material", "rpvertical", "uikit"):
            panel = self.kiosk(f"&look={look}", self.make_bed(configuration(
                control("level", 'title = "Level"', 'profile = "slider"', 'format = "percent"', "minimum = 0", "maximum = 1", "digits = 2", "initial = 0.6", dial=False),
                *(control(f"c{number}", "minimum = 0", "maximum = 9", dial=False) for number in range(6)))))
            level = panel.control('[name="level"]')
            rail, value = level.box("rail"), level.box("value")
            self.assertTrue(value["y"] < rail["bottom"] and value["bottom"] > rail["y"] and value["x"] >= rail["right"], (look, rail, value))
            self.assertGreater(rail["width"], 0.4 * level.box()["width"], look)
            panel.close()

    def test_48_focus_after_a_turn_of_the_screen(self):
        """The control that has it is on the page that is seen."""
        bed = self.make_bed(many(40))
        panel = self.kiosk("&look=uikit", bed, (800, 480), reduced_motion="reduce")
        panel.js("document.querySelector('[name=c25]').focus()")
        for width, height in ((480, 320), (480, 800), (800, 480)):
            panel.page.set_viewport_size({"width": width, "height": height})
            panel.page.wait_for_timeout(300)
            self.placed(panel)
            x = panel.control('[name="c25"]').box()["x"]
            self.assertTrue(0 <= x < width, (width, height, x))

    def test_48_page_after_a_turn_of_the_screen(self):
        """Where nothing has the focus, the first control of the page that was seen is still seen."""
        bed = self.make_bed(many(40))
        for language in ("en", "ar"):
            panel = self.kiosk(f"&look=uikit&language={language}", bed, (800, 480), reduced_motion="reduce")
            panel.js("document.querySelector('.pages').lastChild.click()")
            panel.until("document.querySelector('.pages').lastChild.ariaCurrent === 'page'")
            self.placed(panel)
            for width, height in ((480, 800), (480, 320), (800, 480), (1024, 480)):
                first = panel.js("""() => [...document.querySelectorAll('stepper-control')].find((one) => { const { left } = one.getBoundingClientRect();
                  return left > -1 && left < innerWidth; }).name""")
                panel.page.set_viewport_size({"width": width, "height": height})
                panel.page.wait_for_timeout(300)
                self.placed(panel)
                box = panel.control(f'[name="{first}"]').box()
                self.assertTrue(box["x"] >= 0 and box["right"] <= width, (language, width, height, first, box))
            panel.close()

    def test_48_long_subtitle(self):
        """It is wrapped, and does not make the others small."""
        long = "Ein Untertitel der sehr lang ist und sicher nicht in eine Zeile passt, nein, nicht einmal annähernd"
        bed = self.make_bed(configuration(*(control(f"c{number}", 'profile = "gtk"', "minimum = 0", "maximum = 9", *([f'subtitle = "{long}"'] if number == 2 else []), dial=False)
                                            for number in range(6))))
        for size in ((480, 800), (1024, 600)):
            seen = self.kiosk("&look=gtk", bed, size).js(SEEN)
            self.assertEqual([], seen["wrong"])
            self.assertLessEqual(seen["pages"], 2, seen)

    def test_48_distance_without_room(self):
        """The screen has no room for that size: the greatest one that fits."""
        for look in ("material", "uikit"):
            for size in ((800, 480), (480, 800)):
                seen = self.kiosk(f"&look={look}&distance=5", self.make_bed(many(4)), size).js(SEEN)
                self.assertEqual([], seen["wrong"], (look, size))

    def test_49_dark_list(self):
        """A list goes dark as well, also in forced colours, and covers the whole screen."""
        for forced in ("none", "active"):
            panel = self.blank(viewport={"width": 800, "height": 480}, has_touch=True, forced_colors=forced, color_scheme="light")
            panel.goto("/?dim-after=0.5")
            pump(panel.page, lambda panel=panel: panel.js("document.getElementById('dim')?.matches(':popover-open')"), "it is dark")
            self.assertEqual([0, 0, 800, 480, "rgba(0, 0, 0, 0.933)"], panel.js("""() => { const dim = document.getElementById('dim'), { x, y, width, height } = dim.getBoundingClientRect();
              return [x, y, width, height, getComputedStyle(dim).backgroundColor]; }"""))
            panel.close()
