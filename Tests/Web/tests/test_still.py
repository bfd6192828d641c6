"""Check 46: what comes and goes beside a control moves nothing, so that a finger meets what it saw."""

from bed.browser import Fingers, pump
from bed.case import FAILED_REQUEST, PanelTest, quick, tag
from bed.programs import configuration, control

LOOKS = ["uikit", "swiftui", "appkit", "winui", "gtk", "adwaita", "material", "wear", "rpvertical", "slider"]
#: Where all controls and their buttons are.
PLACES = """() => [...document.querySelectorAll('stepper-control')].flatMap((host) => [host, ...['decrement', 'increment', 'rail'].flatMap((name) => probe.parts(host, name))])
  .map((one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height].map((length) => length.toFixed(1)).join(' '); })"""
SIZES = [(900, 700), (320, 700)]


class Badges(PanelTest):
    """A device that goes, and a connection."""

    tolerated = (FAILED_REQUEST,)
    tables = ('[device.bt]\nmatch = { provider = "bt" }\n\n' + "\n\n".join(
        f'[control.{name}]\nrotate = "bt:REL_DIAL"\nminimum = 0\nmaximum = 100\ninitial = 50\ntitle = "{title}"' for name, title in (
            ("volume", "Volume"), ("bass", "Loudness of the bass box"))) + '\n\n[control.last]\nminimum = 0\nmaximum = 100\n')

    def attach(self):
        """The device is there, for as long as this connection."""
        connection = self.bed.connection()
        connection.call("org.stepperd.provider.Attach", identity={"provider": "bt", "name": "knob"}, relative=[{"code": "REL_DIAL"}])
        return connection

    def stays(self, panel, what):
        """Fails if the device or the connection that goes, and comes back, moves something."""
        volume = panel.control('[name="volume"]')
        knob = self.attach()
        volume.wait_for_state("unavailable", False)
        panel.frames(3)
        before = panel.js(PLACES)
        knob.close()
        volume.wait_for_state("unavailable")
        panel.frames(3)
        self.assertTrue(volume.has_part("badge"))
        self.assertEqual(before, panel.js(PLACES), f"{what}: without its device")
        x, y = volume.centre("badge")
        self.assertFalse(panel.js("([x, y]) => document.elementFromPoint(x, y)?.shadowRoot?.elementFromPoint(x, y)?.closest('[part=badge]')", [x, y]), "a finger goes through it")
        self.bed.daemon.stop()
        volume.wait_for_state("disconnected")
        panel.frames(3)
        self.assertEqual(before, panel.js(PLACES), f"{what}: without a connection")
        self.bed.client.close()
        self.bed.start_daemon()
        volume.wait_for_state("disconnected", False)

    def test_46_badges_of_a_page(self):
        """In a page of one's own, in each look, with controls beside each other and below."""
        words = {"spin_buttons": "inline"}
        for look in LOOKS:
            with self.subTest(look):
                lines = [tag("volume", look=look, **words) + tag("bass", look=look, **words), tag("last", look=look, **words)]
                panel = self.show("".join(f"<p>{line}</p>" for line in lines))
                self.stays(panel, look)
                panel.close()

    def test_46_badges_of_the_panel(self):
        """As a list on any screen, as a kiosk, and in a panel of one's own."""
        for query, size in [("?look=uikit", SIZES[0]), ("?look=uikit", SIZES[1]), ("?look=gtk", SIZES[1]), ("?layout=kiosk&look=uikit", (480, 800)), ("?layout=kiosk&look=gtk", (1024, 600))]:
            with self.subTest(query, size=size):
                panel = self.blank(viewport={"width": size[0], "height": size[1]}).goto(f"/{query}")
                panel.until("document.querySelectorAll('stepper-control').length === 3")
                panel.ready().page.wait_for_timeout(300)
                self.stays(panel, query)
                panel.close()
        self.stays(self.show("<stepper-panel></stepper-panel>"), "a panel in a page")


class Errors(PanelTest):
    """A refusal."""

    tolerated = (FAILED_REQUEST,)
    tables = configuration(*(control(name, 'profile = "gtk"', "minimum = 0", "maximum = 100", "initial = 50", 'update-policy = "strict"', dial=False)
                             for name in ("one", "two", "three")))

    def refused(self, panel):
        """Writes what is refused into the first field."""
        one = panel.control('[name="one"]')
        before = panel.js(PLACES)
        one.part("input").fill("500")
        one.part("input").press("Enter")
        one.wait_for_state("invalid")
        panel.frames(3)
        self.assertTrue(one.has_part("error"))
        self.assertEqual(before, panel.js(PLACES))

    @quick
    def test_46_error_of_a_page(self):
        """In a page of one's own, in each look of a field."""
        for look in ("gtk", "winui", "adwaita", "appkit"):
            with self.subTest(look):
                panel = self.show("".join(f"<p>{tag(name, look=look, as_='field', spin_buttons='inline')}</p>" for name in ("one", "two", "three")))
                self.refused(panel)
                self.assertLessEqual(panel.js("document.scrollingElement.scrollWidth"), 900)
                panel.close()

    @quick
    def test_46_five_clicks_beside_an_error(self):
        """The first one ends the error; none misses."""
        for size in SIZES:
            with self.subTest(size):
                self.bed.set(50, "two")
                panel = self.blank(viewport={"width": size[0], "height": size[1]}).goto("/?look=gtk")
                panel.until("document.querySelectorAll('stepper-control').length === 3")
                panel.ready()
                self.refused(panel)
                two = panel.control('[name="two"]')
                place = two.centre("increment")
                for wanted in range(51, 56):
                    panel.page.mouse.click(*place)
                    self.bed.wait_for_value(wanted, "two")
                panel.close()


class Keypad(PanelTest):
    """Its keys."""

    tables = configuration(
        control("gain", "minimum = -1000", "maximum = 1000000000", "digits = 2", 'unit = "dB"', 'profile = "gtk"', 'title = "Gain"', "unset = true", dial=False),
        control("speed", "minimum = 0", "maximum = 1000000000", 'unit = "Umdrehungen/min"', 'profile = "gtk"', dial=False))

    def test_46_keys_stay_where_they_are(self):
        """Whatever has been typed, and as large as the text is; the end of it is seen."""
        for name in ("gain", "speed"):
            for language in ("en", "ar-EG"):
                for (width, height), text in [((320, 568), 16), ((360, 640), 32), ((800, 480), 16)]:
                    with self.subTest(name, language=language, width=width, text=text):
                        panel = self.blank(viewport={"width": width, "height": height}, has_touch=True)
                        panel.devtools.send("Page.enable")
                        panel.devtools.send("Page.setFontSizes", {"fontSizes": {"standard": text, "fixed": text}})
                        panel.goto(f"/?layout=list&language={language}")
                        panel.until("document.querySelectorAll('stepper-control').length === 2")
                        panel.ready()
                        one, finger = panel.control(f'[name="{name}"]'), Fingers(panel)
                        one.part("input").tap()
                        pump(panel.page, lambda one=one: one.has_part("keypad"), "the keypad opens")
                        where = "() => probe.parts(document.querySelector('[name=%s]'), 'key').map((key) => { const { x, y } = key.getBoundingClientRect(); return [x, y]; })" % name
                        four = "٤" if language == "ar-EG" else "4"
                        key = one.part("keypad").get_by_text(four, exact=True)
                        key.scroll_into_view_if_needed()
                        before, box = panel.js(where), key.bounding_box()
                        for _ in range(14):
                            finger.down(1, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
                            finger.up(1)
                        panel.frames(3)
                        self.assertEqual(four * 14, one.js("part('keypad-value').value"))
                        self.assertEqual(before, panel.js(where))
                        # What is typed last is inside of its box.
                        last = one.js("""(() => { const shown = part('keypad-value'), range = new Range(), text = shown.firstChild; range.setStart(text, 13); range.setEnd(text, 14);
                          const [a, b] = [range.getBoundingClientRect(), shown.getBoundingClientRect()]; return a.left >= b.left - 1 && a.right <= b.right + 1; })()""")
                        self.assertTrue(last, "its last digit is seen")
                        panel.close()


class Narrow(PanelTest):
    """What a phone has little room for."""

    UNITS = ["dB", "Personen", "kWh/Monat", "Umdrehungen/min"]
    tables = configuration(
        *(control(f"u{index}", f'unit = "{unit}"', 'profile = "gtk"', "minimum = 0", "maximum = 100000", "initial = 88888", dial=False) for index, unit in enumerate(UNITS)),
        control("many", "minimum = 0", "maximum = 9999999", "initial = 1111111", "grouping = true", 'profile = "winui"', dial=False),
        control("below", "minimum = -60", "maximum = 10", "digits = 1", "initial = -20", 'profile = "gtk"', dial=False),
        control("place", 'choices = [%s]' % ", ".join(f'"Wohnzimmer und Küche gemeinsam heute {number}"' for number in range(6)), dial=False))
    CUT = """() => [...document.querySelectorAll('stepper-control')].map((one) => [one.name, probe.part(one, 'input')]).filter(([, input]) => input)
      .flatMap(([name, { clientWidth, scrollWidth }]) => (scrollWidth > clientWidth ? [[name, clientWidth, scrollWidth]] : []))"""

    def test_46_unit_leaves_the_value_its_room(self):
        """On phones, in each look of a field: the value is whole, and no page scrolls sideways."""
        for look in ("gtk", "winui", "adwaita"):
            for width, text in ((390, 16), (320, 16), (390, 32)):
                with self.subTest(look, width=width, text=text):
                    panel = self.blank(viewport={"width": width, "height": 900}, has_touch=True)
                    panel.devtools.send("Page.enable")
                    panel.devtools.send("Page.setFontSizes", {"fontSizes": {"standard": text, "fixed": text}})
                    panel.goto(f"/?match=u*&layout=list&look={look}")
                    panel.until("document.querySelectorAll('stepper-control').length === 4")
                    panel.ready()
                    cut, scroll = panel.js(self.CUT), panel.js("document.scrollingElement.scrollWidth")
                    panel.close()
                    self.assertEqual([], cut)
                    self.assertLessEqual(scroll, width)

    def test_46_digits_of_any_kind(self):
        """Han digits are no decimal digits of Unicode."""
        for language in ("ja-JP-u-nu-hanidec", "ar-EG", "en"):
            for value in (1111111, 9999999, 4444444):
                self.bed.set(value, "many")
                panel = self.show(tag("many"), lang=language)
                self.assertEqual([], panel.js(self.CUT), (language, value))
                panel.close()

    def test_46_minus_of_a_page_from_right_to_left(self):
        """A field writes a number as a value does, and at the same side as other texts."""
        panel = self.show(tag("below"), attributes='dir="rtl"')
        self.assertEqual(["plaintext", "right"], panel.control().style("input", "unicode-bidi", "text-align"))

    def test_46_menu_on_a_phone(self):
        """Its list is as wide as the screen at most, and no option is cut."""
        for look in ("gtk", "material", "winui"):
            panel = self.touched(tag("place", look=look, as_="menu"), viewport={"width": 320, "height": 568})
            panel.page.touchscreen.tap(*panel.control().centre("input"))
            panel.until("probe.part(document.querySelector('stepper-control'), 'input').matches(':open')")
            panel.frames(20)
            self.assertEqual([], panel.js("""() => [...probe.part(document.querySelector('stepper-control'), 'input').options]
              .map((one) => [one.getBoundingClientRect(), one]).filter(([{ left, right }, one]) => left < 0 || right > 320 || one.scrollWidth > one.clientWidth + 1).map(([{ left, right }]) => [left, right])"""), look)
            panel.close()

    def test_46_menu_at_an_edge(self):
        """Its list opens to the side that has room, above or below, and is as wide as its titles."""
        for direction, sides in (("ltr", ("left", "right", "middle")), ("rtl", ("left", "right"))):
            for side in sides:
                for edge in ("top", "bottom"):
                    panel = self.show(tag("place", look="gtk", as_="menu", layout="control"), viewport={"width": 480, "height": 480}, attributes=f'dir="{direction}"')
                    place = "left:170px" if side == "middle" else f"{side}:4px"
                    panel.js("(style) => { document.querySelector('stepper-control').style.cssText = style; }", f"position:fixed;width:140px;{place};{edge}:4px")
                    panel.control().click("input")
                    panel.until("probe.part(document.querySelector('stepper-control'), 'input').matches(':open')")
                    panel.frames(20)
                    seen = panel.js("""() => { const select = probe.part(document.querySelector('stepper-control'), 'input'), own = select.getBoundingClientRect();
                      const boxes = [...select.options].slice(1).map((one) => one.getBoundingClientRect());
                      return [boxes.every(({ left, right, top, bottom }) => left >= 0 && right <= 480 && top >= 0 && bottom <= 480), boxes.some(({ height }) => height > 50),
                        boxes.some(({ top, bottom }) => bottom > own.top && top < own.bottom)]; }""")
                    self.assertEqual([True, False, False], seen, f"all are seen, none is wrapped, none is over the menu: {direction} {side} {edge}")
                    panel.close()


class Order(PanelTest):
    """A reload that lists the controls in another order, or in other groups."""

    #: What a browser without moveBefore() does.
    OLD = "for (const one of [Element, Document, DocumentFragment]) delete one.prototype.moveBefore;"

    @staticmethod
    def ordered(names, **groups):
        """Fields in this order."""
        return configuration(*(control(name, 'profile = "winui"', "minimum = 0", "maximum = 100", "initial = 50", *([f'group = "{groups[name]}"'] if name in groups else []), dial=False)
                               for name in names))

    def opened(self, tables, old, query="", **more):
        """The panel with three controls."""
        bed = self.make_bed(tables)
        panel = self.blank(bed, viewport={"width": 1024, "height": 600}, **more)
        if old:
            panel.context.add_init_script(self.OLD)
        panel.goto(f"/?layout=kiosk{query}")
        panel.until("document.querySelectorAll('stepper-control').length === 3")
        panel.ready().page.wait_for_timeout(300)
        return bed, panel

    def reordered(self, bed, panel, tables, order):
        """When it has the new order."""
        bed.reload(tables)
        panel.until(f"[...document.querySelectorAll('stepper-control')].map(({{ name }}) => name).join() === '{','.join(order)}'")
        if "group =" in tables:
            panel.until("[...document.querySelectorAll('stepper-control')].some((one) => one.description.group === 'other')")
        panel.page.wait_for_timeout(300)

    def test_46_order_and_what_is_typed(self):
        """Half a text is not sent, and the focus stays, whichever control is put elsewhere."""
        for old in (False, True):
            for name in ("alpha", "beta", "gamma"):
                for order, groups in ((["beta", "gamma", "alpha"], {}), (["gamma", "alpha", "beta"], {}), (["alpha", "beta", "gamma"], {name: "other"})):
                    with self.subTest(old=old, name=name, order=order, groups=groups):
                        bed, panel = self.opened(self.ordered(["alpha", "beta", "gamma"]), old)
                        one = panel.control(f'[name="{name}"]')
                        one.part("input").click()
                        panel.page.keyboard.press("Control+a")
                        panel.page.keyboard.type("7")
                        self.reordered(bed, panel, self.ordered(order, **groups), ["alpha", "gamma", "beta"] if "beta" in groups else order)
                        self.assertEqual(50, bed.value(name))
                        self.assertEqual(name, panel.js("document.activeElement.getAttribute('name')"))
                        panel.page.keyboard.type("5")
                        panel.page.keyboard.press("Enter")
                        bed.wait_for_value(75, name)
                        panel.close()
                        bed.close()

    def test_46_order_and_a_keypad(self):
        """It stays open over everything; where the browser cannot, it closes, and the text and the focus are in the field."""
        for old in (False, True):
            for order, groups in ((["gamma", "alpha", "beta"], {}), (["alpha", "beta", "gamma"], {"gamma": "other"})):
                with self.subTest(old=old, order=order, groups=groups):
                    bed, panel = self.opened(self.ordered(["alpha", "beta", "gamma"]), old, has_touch=True)
                    one = panel.control('[name="gamma"]')
                    one.part("input").tap()
                    pump(panel.page, lambda one=one: one.has_part("keypad"), "the keypad opens")
                    panel.page.keyboard.type("42")
                    self.reordered(bed, panel, self.ordered(order, **groups), order)
                    self.assertEqual(50, bed.value("gamma"))
                    if one.has_part("keypad"):
                        self.assertTrue(one.js("part('keypad').matches(':modal')"))
                    else:
                        self.assertTrue(old and groups)
                        self.assertTrue(one.js("part('input') === host.shadowRoot.activeElement"))
                        self.assertEqual("42", one.shown())
                        panel.page.keyboard.press("End")
                    panel.page.keyboard.type("1")
                    panel.page.keyboard.press("Enter")
                    bed.wait_for_value(100, "gamma")  # NumberBox keeps to its end
                    panel.close()
                    bed.close()
