"""Checks 8 to 11: sliders, switches, choices; what is off; own images and tint."""

from waiting import eventually

from bed import colors
from bed.browser import pump
from bed.case import tag
from bed.looks import LookTest, Shot

#: Light and dark colours of switches: off, on, as the table has them after the AA replacements.
SLIDERS = {"slider": (4, 28, 44), "appkit": (4, 18, 22), "winui": (4, 20, 32), "gtk": (4, 20, 34), "material": (4, 20, 48)}
SWITCHES = {"uikit": (51, 31, 27, 2), "appkit": (38, 22, 20, 1), "winui": (40, 20, 12, 4), "gtk": (42, 26, 20, 3), "material": (52, 32, 16, 8)}
GREEN = "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><rect width='20' height='20' fill='#00ff00'/></svg>"
RED = GREEN.replace("#00ff00", "#ff0000")
BLUE = GREEN.replace("#00ff00", "#0000ff")


class Values(LookTest):
    """Checks 8 and 9."""

    def test_08_sliders(self):
        """Rail, thumb and row; the fill and the thumb are where the value is, to half a pixel."""
        for look, (rail_size, thumb_size, height) in SLIDERS.items():
            with self.subTest(look):
                panel, slider = self.draw(look, attributes={"as_": "slider"})
                rail, thumb = slider.box("rail"), slider.box("thumb")
                self.assertSize(None, rail_size, rail)
                self.assertSize(thumb_size, thumb_size, thumb)
                self.assertNear(rail["y"] + rail_size / 2, thumb["y"] + thumb_size / 2, 0.6)
                native = slider.js("probe.box(host.shadowRoot.querySelector('input[type=range]'))")
                self.assertNear(height, native["height"], 0.6)
                for value in (0, 25, 50, 100):
                    text = self.bed.set(value, "plain")["text"]
                    slider.wait_for_text(text)
                    wanted = rail["x"] + thumb_size / 2 + (rail["width"] - thumb_size) * value / 100

                    def there():
                        at = slider.box("thumb")
                        return abs(at["x"] + at["width"] / 2 - wanted) <= 0.5
                    pump(panel.page, there, lambda: f"{look}: the thumb of {value} is at {wanted}: {slider.box('thumb')}", 2)
                    fill = slider.box("range")
                    self.assertNear(wanted, fill["right"], 0.5, f"{look}: the fill of {value}")
                self.bed.set(50, "plain")
                panel.close()

    def test_08_images_at_the_ends(self):
        """They are 20 and the rail gives way to them."""
        panel, slider = self.draw("slider", attributes={"value_display": "hidden"}, css="stepper-control { width: 360px; }")
        bare = slider.box("rail")
        with open(f"{self.bed.web.pages}/end.svg", "w", encoding="utf-8") as file:
            file.write(GREEN)
        panel.js("""() => new Promise((resolve) => { const host = document.querySelector('stepper-control');
          const images = ['min-image', 'max-image'].map((slot) => Object.assign(document.createElement('img'), { slot, alt: '', src: '/pages/end.svg' }));
          host.append(...images); Promise.all(images.map((image) => image.decode())).then(() => resolve()); })""")
        panel.frames(6)
        between = slider.box("rail")
        images = panel.js("[...document.querySelectorAll('img')].map(probe.box)")
        self.assertTrue(all(abs(image["height"] - 20) < 0.6 for image in images), images)
        self.assertGreaterEqual(between["x"], bare["x"] + 20)
        self.assertNear(8, between["x"] - images[0]["right"])
        self.assertNear(8, images[1]["x"] - between["right"])

    def test_09_switches(self):
        """Track, knob, and the ends of its travel."""
        for look, (width, height, knob_size, inset) in SWITCHES.items():
            with self.subTest(look):
                panel, switch = self.draw(look, "mute")
                track = switch.box("switch")
                self.assertSize(width, height, track)
                knob = switch.box("knob")
                self.assertSize(knob_size, knob_size, knob)
                self.assertNear(track["x"] + inset, knob["x"], 1.01)
                self.bed.set(1, "mute")
                size = 24 if look == "material" else knob_size
                end = track["right"] - (height - size) / 2

                def there():
                    at = switch.box("knob")
                    return abs(at["right"] - end) <= 1.01 and abs(at["width"] - size) < 0.6
                pump(panel.page, there, lambda: f"{look}: the knob's end is at {end}: {switch.box('knob')}", 2)
                self.bed.set(0, "mute")
                panel.close()

    def test_09_segmented_and_wheel(self):
        """Four options are segments, five and more a wheel: 216 high, rows of 32, it snaps."""
        _, four = self.draw("picker", "four")
        self.assertEqual(4, four.js("probe.parts(host, 'option').length"))
        self.assertSize(None, 32, four.js("probe.box(probe.part(host, 'option').parentElement)"))
        self.assertTrue(four.js("probe.parts(host, 'option').every((one) => one.getBoundingClientRect().y === probe.part(host, 'option').getBoundingClientRect().y)"))
        panel, wheel = self.draw("picker", "five")
        rows = wheel.js("probe.parts(host, 'option').map((one) => one.offsetHeight)")
        self.assertEqual([32] * 13, rows)
        self.assertSize(None, 216, wheel.box("wheel"))
        self.assertSize(None, 32, wheel.box("indicator"))
        chosen = wheel.box("option", 5)
        indicator = wheel.box("indicator")
        self.assertNear(indicator["y"] + 16, chosen["y"] + chosen["height"] / 2, 1)
        panel.page.mouse.move(*wheel.centre("wheel"))
        wheel.js("host.focus()")
        panel.page.mouse.wheel(0, 70)
        eventually(lambda: self.bed.value("five") != 5, "another option is chosen")
        index = int(self.bed.value("five"))

        def snapped():
            row = wheel.box("option", index)
            return abs(row["y"] + row["height"] / 2 - indicator["y"] - 16) < 1
        pump(panel.page, snapped, "it snaps", 3)


    def test_09_wheel_follows_after_a_tap(self):
        """A tap, and a wheel that is at its end, scroll nothing: the wheel shows what is chosen, also what comes then."""
        panel, wheel = self.draw("picker", "five")
        indicator = wheel.box("indicator")

        def shows(index):
            row = wheel.box("option", index)
            return abs(row["y"] + row["height"] / 2 - indicator["y"] - 16) < 1
        wheel.click("option", 7)
        self.bed.wait_for_value(7, "five")
        pump(panel.page, lambda: shows(7), "it shows what was tapped", 3)
        self.bed.set(9, "five")
        pump(panel.page, lambda: shows(9), "it follows", 3)
        self.bed.set(12, "five")
        pump(panel.page, lambda: shows(12), "it is at its end", 3)
        panel.page.mouse.wheel(0, 70)
        panel.frames(5)
        self.bed.set(2, "five")
        pump(panel.page, lambda: shows(2), "it follows", 3)
        x, y = wheel.centre("indicator")
        panel.page.mouse.move(x, y)
        panel.page.mouse.down()
        panel.page.mouse.move(x + 300, y)
        panel.page.mouse.up()
        self.bed.set(4, "five")
        pump(panel.page, lambda: shows(4), "it follows", 3)
        self.assertEqual(4, int(self.bed.value("five")))


class Off(LookTest):
    """Check 10."""

    LIMIT = {"uikit": .3, "uikit/ios7": .3, "appkit": .35, "gtk": .5, "rpvertical": .5, "gtk/source": .3}
    DISABLED = {"uikit": .3, "appkit": .35, "gtk": .5, "adwaita": .5}
    SEEN = """(host, part) => { let seen = 1; for (let at = probe.part(host, part); at; at = at.parentNode ?? at.host) if (at.nodeType === 1) seen *= getComputedStyle(at).opacity;
      return seen; }"""

    def seen(self, control, part):
        """The opacity of a part, with those of all around it."""
        return control.js(f"({self.SEEN})(host, a)", part)

    def test_10_limit(self):
        """The icon of the button that is off, and nothing else; with `wraps` neither is off."""
        for look, opacity in self.LIMIT.items():
            with self.subTest(look):
                self.bed.set(100, "plain")
                panel, one = self.draw(look)
                one.wait_for_state("at-maximum")
                self.assertNear(opacity, self.seen(one, "increment-icon"), 0.01)
                self.assertNear(1, self.seen(one, "decrement-icon"), 0.01)
                panel.close()
        for look, off in [("winui", "rgba(0,0,0,.361)"), ("material", "rgba(29,27,32,.38)")]:
            with self.subTest(look):
                panel, one = self.draw(look, attributes={"spin_buttons": "inline"})
                one.wait_for_state("at-maximum")
                panel.settle()
                color = colors.parse(one.style("increment-icon", "color"))
                self.assertColor(off, (*color[:3], color[3] * self.seen(one, "increment-icon")))
                panel.close()
        self.bed.set(100, "round")
        panel, one = self.draw("uikit", "round")
        self.assertFalse(one.state("at-maximum"))
        self.assertNear(1, self.seen(one, "increment-icon"), 0.01)
        self.assertNotEqual("true", one.js("part('increment').getAttribute('aria-disabled')"))
        one.click("increment")
        self.bed.wait_for_value(0, "round")

    def test_10_disabled(self):
        """All of it; a press does nothing and looks like nothing."""
        for look, opacity in self.DISABLED.items():
            with self.subTest(look):
                panel, one = self.draw(look, attributes={"disabled": True})
                one.wait_for_state("disabled")
                self.assertNear(opacity, self.seen(one, "increment-icon"), 0.01)
                one.press("increment")
                panel.frames(4)
                self.assertFalse(one.state("pressed-increment"))
                one.release()
                self.assertEqual(50, self.bed.value("plain"))
                panel.close()


class Own(LookTest):
    """Check 11."""

    def setUp(self):
        super().setUp()
        for name, picture in (("green", GREEN), ("red", RED), ("blue", BLUE)):
            with open(f"{self.bed.web.pages}/{name}.svg", "w", encoding="utf-8") as file:
                file.write(picture)

    def test_11_tint(self):
        """On the body it reaches all, on one element only that."""
        for look, name in [("uikit", "plain"), ("slider", "plain"), ("uikit/ios7", "plain")]:
            panel, one = self.draw(look, name, css="body { --stepper-tint: #ff0000; }")
            panel.frames(3)
            if look == "slider":
                self.assertColor("#ff0000", one.style("range", "background-color"))
            else:
                self.assertColor("#ff0000", one.style("increment-icon", "color"), look)
            if look == "uikit/ios7":
                body = one.box("buttons")
                self.assertColor("#ff0000", Shot(panel).at(body["x"] + 30, body["y"] + 0.5), "border")
        with open(f"{self.bed.web.pages}/own.css", "w", encoding="utf-8") as file:
            file.write(".own { --stepper-tint: #00ff00; }")
        panel = self.show(tag("plain", look="uikit", class_="own") + tag("plain", look="uikit", id="other"),
                          head='<link rel="stylesheet" href="own.css">')
        self.assertColor("#00ff00", panel.control(".own").style("increment-icon", "color"))
        self.assertColor("#007AFF", panel.control("#other").style("increment-icon", "color"))

    def drawn(self, panel, one, part="increment", at=(0.5, 0.5)):
        """The colour in the middle of a part."""
        panel.settle()
        box = one.box(part)
        return Shot(panel).at(box["x"] + box["width"] * at[0], box["y"] + box["height"] * at[1])

    def test_11_images_per_state(self):
        """A template in the tint, or as it is; a state without an image shows the standard drawing, not the normal image."""
        css = "stepper-control { --stepper-tint: #ff00ff; --stepper-increment-image: url(/pages/green.svg); --stepper-increment-image-pressed: url(/pages/red.svg); }"
        panel, one = self.draw("uikit", css=css)
        self.assertColor("#ff00ff", self.drawn(panel, one), "a template is drawn in the tint")
        corner = one.box("increment-icon")
        self.assertColor("#ff00ff", Shot(panel).at(corner["x"] + 2, corner["y"] + 2), "all of the image")
        panel, one = self.draw("uikit", css=css, attributes={"icon_rendering": "original"})
        self.assertColor("#00ff00", self.drawn(panel, one), "the original")
        self.bed.set(50, "plain")
        one.press("increment")
        one.wait_for_state("pressed-increment")
        self.assertColor("#ff0000", self.drawn(panel, one), "the pressed image")
        one.release()
        self.bed.set(100, "plain")
        one.wait_for_state("at-maximum")
        panel.page.mouse.move(1, 1)
        self.assertFalse(colors.same("#00ff00", self.drawn(panel, one), 40), "off without an image of its own: the standard drawing")
        self.assertFalse(colors.same("#ff0000", self.drawn(panel, one), 40))
        self.bed.set(50, "plain")

    def test_11_background_and_divider(self):
        """Images over all but the divider; one divider for each pressed side."""
        css = ("stepper-control { --stepper-background-image: url(/pages/green.svg); --stepper-divider-image: url(/pages/red.svg);"
               " --stepper-divider-image-increment-pressed: url(/pages/blue.svg); }")
        panel, one = self.draw("uikit", css=css)
        self.assertColor("#00ff00", self.drawn(panel, one, "increment", (0.85, 0.2)))
        self.assertColor("#00ff00", self.drawn(panel, one, "decrement", (0.15, 0.2)))
        body = one.box("buttons")
        middle = (body["x"] + 46.9, body["y"] + 16)
        self.assertColor("#ff0000", Shot(panel).at(*middle), "divider")
        one.press("increment")
        one.wait_for_state("pressed-increment")
        panel.settle()
        self.assertColor("#0000ff", Shot(panel).at(*middle), "divider while plus is pressed")
        self.assertFalse(colors.same("#00ff00", self.drawn(panel, one, "increment", (0.85, 0.2)), 40), "pressed without an image: the standard fill")
        one.release()
        one.press("decrement")
        one.wait_for_state("pressed-decrement")
        panel.settle()
        self.assertFalse(colors.same("#0000ff", Shot(panel).at(*middle), 40))
        one.release()

    def test_11_icon_slots(self):
        """The page's own element in place of the glyph."""
        panel, one = self.draw("uikit")
        panel.js("""() => new Promise((resolve) => { const image = Object.assign(document.createElement('img'), { slot: 'increment-icon', alt: '', src: '/pages/green.svg' });
          document.querySelector('stepper-control').append(image); image.decode().then(() => resolve()); })""")
        self.assertColor("#00ff00", self.drawn(panel, one))
