"""Checks 2 to 7: the steppers of each look, by what is on the screen."""

from waiting import eventually

from bed import colors
from bed.case import quick
from bed.looks import LookTest, Shot

BACKDROP = {"light": "#fff", "dark": "#000"}


class Steppers(LookTest):
    """Sizes are of boxes, colours of pixels."""

    def fill(self, panel, control, part, at=(0.12, 0.2)):
        """The colour of a point of a part, beside its glyph."""
        box = control.box(part)
        return Shot(panel).at(box["x"] + box["width"] * at[0], box["y"] + box["height"] * at[1])

    @quick
    def test_02_uikit(self):
        """94 × 32, radius 8, segments of 47, divider 0.5 × 18 in the middle; fills and icons in both schemes."""
        figures = {"light": ("rgba(118,118,128,.12)", "#007AFF", "rgba(60,60,67,.29)"), "dark": ("rgba(118,118,128,.24)", "#0A84FF", "rgba(84,84,88,.60)")}
        for scheme, (background, tint, divider) in figures.items():
            with self.subTest(scheme):
                panel, stepper = self.draw("uikit", scheme=scheme)
                body, minus, plus = stepper.box("buttons"), stepper.box("decrement"), stepper.box("increment")
                self.assertSize(94, 32, body)
                self.assertSize(47, 32, minus)
                self.assertSize(47, 32, plus)
                self.assertNear(minus["right"], plus["x"], 0.1)
                self.assertEqual("8px", stepper.style("buttons", "border-top-left-radius"))
                self.assertEqual("8px", stepper.style("decrement", "border-top-left-radius"))
                self.assertEqual("8px", stepper.style("increment", "border-bottom-right-radius"))
                if panel.js("CSS.supports('corner-shape', 'squircle')"):
                    self.assertRegex(stepper.style("decrement", "corner-top-left-shape"), r"squircle|superellipse\(2\)")
                shot, middle = Shot(panel), body["y"] + 16
                filled = colors.over(background, BACKDROP[scheme])
                self.assertColor(filled, shot.at(minus["x"] + 5, middle - 8), "fill of minus")
                self.assertColor(filled, shot.at(plus["right"] - 5, middle - 8), "fill of plus")
                self.assertColor(tint, shot.at(plus["x"] + 23.5, middle), "plus")
                self.assertColor(tint, shot.at(minus["x"] + 23.5, middle), "minus")
                self.assertTrue(colors.same(stepper.style("increment-icon", "color"), tint))
                found = [shot.column(minus["right"] + offset, body["y"], body["bottom"]) for offset in (-0.5, 0)]
                lines = [[index for index, color in enumerate(column) if not colors.same((*color, 1), filled, 3)] for column in found]
                rows = [line for line in lines if line]
                self.assertEqual(1, len(rows), "one device pixel wide")
                self.assertEqual((36, 14), (len(rows[0]), rows[0][0]), "18 high, in the middle")
                self.assertColor(colors.over(divider, background, BACKDROP[scheme]), (*found[lines.index(rows[0])][32], 1), "divider", 3)
                panel.close()

    def test_02_ios7_and_swiftui(self):
        """No fill, 1 px in the tint, 94 × 29, radius 4; the row is 44 high and says "Title: value"."""
        panel, stepper = self.draw("uikit/ios7")
        body = stepper.box("buttons")
        self.assertSize(94, 29, body)
        shot = Shot(panel)
        self.assertColor("#fff", shot.at(body["x"] + 6, body["y"] + 6))
        self.assertColor("#007AFF", shot.at(body["x"] + 30, body["y"] + 0.5))
        self.assertColor("#007AFF", shot.at(body["x"] + 47, body["y"] + 8), "divider")
        stepper.press("increment")
        stepper.wait_for_state("pressed-increment")
        panel.frames(3)
        self.assertColor(colors.over("rgba(0,122,255,.2)", "#fff"), self.fill(panel, stepper, "increment", (0.85, 0.2)))
        stepper.release()
        eventually(lambda: not self.bed.get("plain")["editing"], "the press is released")
        self.bed.set(50, "plain")
        panel, stepper = self.draw("swiftui")
        self.assertNear(44, stepper.box("base")["height"], 1)
        self.assertSize(94, 32, stepper.box("buttons"))
        self.assertRegex(stepper.js("part('row').innerText").replace("\n", ""), r"Volume\s*50")
        self.assertEqual('": "', stepper.js("getComputedStyle(part('value').closest('.values'), '::before').content"))
        self.assertEqual("17px", stepper.style("label", "font-size"))

    @quick
    def test_03_uikit_pressed(self):
        """In the frame of pointerdown, that segment alone; back in 150 ms."""
        for scheme, pressed in [("light", "rgba(120,120,128,.20)"), ("dark", "rgba(120,120,128,.36)")]:
            with self.subTest(scheme):
                panel, stepper = self.draw("uikit", scheme=scheme)
                before = stepper.style("decrement", "background-color")
                panel.js("""() => { const host = document.querySelector('stepper-control'); window.seen = null;
                  document.addEventListener('pointerdown', () => requestAnimationFrame(() => {
                    seen = ['increment', 'decrement'].map((name) => getComputedStyle(probe.part(host, name)).backgroundColor); })); }""")
                stepper.press("increment")
                panel.until("seen !== null")
                plus, minus = panel.js("seen")
                self.assertTrue(colors.same(plus, pressed), f"in that frame: {plus}")
                self.assertEqual(before, minus)
                self.assertColor(colors.over(pressed, BACKDROP[scheme]), self.fill(panel, stepper, "increment", (0.85, 0.2)))
                stepper.release()
                stepper.wait_for_state("pressed-increment", False)
                properties, durations = stepper.style("increment", "transition-property", "transition-duration")
                times = dict(zip([one.strip() for one in properties.split(",")], [one.strip() for one in durations.split(",")]))
                self.assertEqual("0.15s", times.get("background-color") or times.get("all"), times)
                panel.settle()
                self.assertTrue(colors.same(before, stepper.style("increment", "background-color")))

    @quick
    def test_04_appkit(self):
        """Three sizes with their arrows, up over down."""
        for size, width, height, arrow in [(None, 19, 27, 9), ("small", 15, 21, 7), ("mini", 13, 16, 5)]:
            with self.subTest(size=size):
                _, stepper = self.draw("appkit", attributes={"size": size})
                self.assertSize(width, height, stepper.box("buttons"))
                plus, minus = stepper.box("increment"), stepper.box("decrement")
                self.assertLess(plus["y"], minus["y"])
                self.assertSize(width, height / 2, plus)
                drawn = stepper.js("probe.box(part('increment-icon').querySelector('svg') ?? part('increment').querySelector('svg'))")
                self.assertNear(arrow, drawn["width"], 0.6)
                self.assertEqual("4px", stepper.style("buttons", "border-top-left-radius"))

    def test_04_appkit_states(self):
        """Hover, pressed half without shadow, ring of 2 at 1."""
        panel, stepper = self.draw("appkit")
        idle = self.fill(panel, stepper, "decrement", (0.5, 0.85))
        stepper.hover("decrement")
        panel.settle()
        hovered = self.fill(panel, stepper, "decrement", (0.5, 0.85))
        self.assertColor("#F5F5F5", idle, "bezel's end", 3)
        self.assertColor("#F0F0F0", hovered, "hover's end", 3)
        stepper.press("decrement")
        stepper.wait_for_state("pressed-decrement")
        panel.settle()
        self.assertColor("#DCDCDC", self.fill(panel, stepper, "decrement", (0.2, 0.7)), "pressed")
        self.assertColor("#F8F8F8", self.fill(panel, stepper, "increment", (0.2, 0.7)), "the other half", 8)
        self.assertEqual("none", stepper.style("buttons", "box-shadow"))
        stepper.release()
        panel, stepper = self.draw("appkit")
        panel.page.keyboard.press("Tab")
        panel.frames(3)
        panel.settle()
        self.assertEqual(("2px", "1px"), tuple(stepper.style("buttons", "outline-width", "outline-offset")))
        self.assertTrue(colors.same(stepper.style("buttons", "outline-color"), "rgba(0,122,255,1)"))

    def test_05_winui(self):
        """Hidden, compact and inline at 32 and 24 high; buttons of 32, down then up."""
        for buttons in ("hidden", "compact", "inline"):
            for size, height in ((None, 32), ("compact", 24)):
                with self.subTest(buttons=buttons, size=size):
                    _, box = self.draw("winui", "volume", attributes={"spin_buttons": buttons, "size": size})
                    self.assertSize(None, height, box.box("field"))
                    self.assertEqual("4px", box.style("field", "border-top-left-radius"))
                    self.assertEqual(buttons == "inline", box.has_part("increment"))
                    if buttons == "inline":
                        down, up = box.box("decrement"), box.box("increment")
                        self.assertSize(32, height, down)
                        self.assertLess(down["x"], up["x"])
                        self.assertNear(12, box.js("probe.box(part('increment').querySelector('svg')).width"), 0.6)

    def test_05_winui_states(self):
        """Hover and focus fills, 2 px of the accent."""
        for scheme, fills, accent in [("light", ("rgba(255,255,255,.702)", "rgba(249,249,249,.502)", "#FFF"), "#005FB8"),
                                      ("dark", ("rgba(255,255,255,.059)", "rgba(255,255,255,.082)", "rgba(30,30,30,.702)"), "#60CDFF")]:
            with self.subTest(scheme):
                panel, box = self.draw("winui", "volume", scheme)
                self.assertColor(fills[0], box.style("field", "background-color"), "fill")
                box.hover("field")
                panel.settle()
                self.assertColor(fills[1], box.style("field", "background-color"), "hover")
                box.js("host.focus()")
                panel.page.mouse.move(1, 1)
                panel.settle()
                self.assertColor(fills[2], box.style("field", "background-color"), "focus")
                field = box.box("field")
                shot = Shot(panel)
                middle = field["x"] + field["width"] / 2
                self.assertColor(accent, shot.at(middle, field["bottom"] - 0.5), "the accent's bar")
                self.assertColor(accent, shot.at(middle, field["bottom"] - 1.5), "2 px")
                self.assertFalse(colors.same(accent, shot.at(middle, field["bottom"] - 2.6), 10), "no more")

    def test_05_winui_flyout(self):
        """On focus, over the end of the field and centred on its height; 36 × 36, up above down; closes on blur."""
        panel, box = self.draw("winui", "volume", attributes={"spin_buttons": "compact"})
        self.assertFalse(box.has_part("flyout"))
        box.js("host.focus()")
        panel.until("probe.visible(probe.part(document.querySelector('stepper-control'), 'flyout'))", "the flyout opens")
        panel.settle()
        field, flyout, up, down = (box.box(part) for part in ("field", "flyout", "increment", "decrement"))
        self.assertSize(36, 36, up)
        self.assertSize(36, 36, down)
        self.assertNear(4, down["y"] - up["bottom"])
        self.assertNear(6, up["y"] - flyout["y"] - 1, 1.1)
        self.assertNear(field["y"] + field["height"] / 2, flyout["y"] + flyout["height"] / 2, 1.1)
        self.assertEqual("8px", box.style("flyout", "border-top-left-radius"))
        box.click("increment")
        self.bed.wait_for_value(51, "volume")
        panel.js("document.activeElement.blur()")
        panel.until("!probe.visible(probe.part(document.querySelector('stepper-control'), 'flyout'))", "the flyout closes")

    @quick
    def test_06_gtk(self):
        """At least 34 high, buttons 34 × 34, radius 6; entry, minus, plus; vertical: plus, entry, minus, 34 × 100."""
        panel, spin = self.draw("gtk", "volume")
        entry, minus, plus = (spin.box(part) for part in ("input", "decrement", "increment"))
        self.assertSize(None, 34, spin.box("field"))
        self.assertSize(34, 34, minus)
        self.assertSize(34, 34, plus)
        self.assertTrue(entry["x"] < minus["x"] < plus["x"])
        self.assertEqual("6px", spin.style("field", "border-top-left-radius"))
        self.assertColor("#FFF", self.fill(panel, spin, "increment", (0.2, 0.25)))
        spin.hover("increment")
        panel.settle()
        self.assertColor("#F5F5F5", self.fill(panel, spin, "increment", (0.2, 0.25)), "hover")
        spin.press("increment")
        spin.wait_for_state("pressed-increment")
        panel.settle()
        self.assertColor("#DEDDDA", self.fill(panel, spin, "increment", (0.2, 0.5)), "active")
        spin.release()
        spin.js("host.focus()")
        panel.settle()
        self.assertTrue(colors.same(spin.style("field", "outline-color"), "#3584E4"))
        _, spin = self.draw("gtk", "volume", attributes={"orientation": "vertical"})
        entry, minus, plus = (spin.box(part) for part in ("input", "decrement", "increment"))
        self.assertTrue(plus["y"] < entry["y"] < minus["y"])
        box = spin.box("field")
        self.assertTrue(box["width"] >= 33.5 and box["height"] >= 99.5, box)

    def test_06_adwaita(self):
        """A row of 56 with 34; title, then minus, value, plus."""
        _, row = self.draw("adwaita", "volume")
        self.assertNear(56, row.box("base")["height"], 1)
        label, minus, value, plus = (row.box(part) for part in ("label", "decrement", "input", "increment"))
        self.assertTrue(label["x"] < minus["x"] < value["x"] < plus["x"])
        self.assertSize(34, 34, minus)
        self.assertSize(None, 34, row.box("field"))
        self.assertEqual("15px", row.style("label", "font-size"))

    @quick
    def test_07_material(self):
        """40 × 40, radius 8, 1 px outline; layers of .08 and .10 and a ripple from the finger."""
        panel, one = self.draw("material")
        minus, plus = one.box("decrement"), one.box("increment")
        self.assertSize(40, 40, minus)
        self.assertEqual(("8px", "1px"), tuple(one.style("decrement", "border-top-left-radius", "border-top-width")))
        self.assertTrue(colors.same(one.style("decrement", "border-top-color"), "#79747E"))
        self.assertTrue(colors.same(one.style("increment-icon", "color"), "#49454F"))
        self.assertTrue(minus["right"] <= one.box("value")["x"] and one.box("value")["right"] <= plus["x"])
        idle = self.fill(panel, one, "increment", (0.2, 0.2))
        one.hover("increment")
        panel.settle()
        hovered = self.fill(panel, one, "increment", (0.2, 0.2))
        self.assertColor(colors.over("rgba(29,27,32,.08)", idle), hovered, "hover")
        one.press("increment")
        one.wait_for_state("pressed-increment")
        panel.settle()
        panel.frames(40)
        layered = colors.over("rgba(29,27,32,.10)", idle)
        rippled = colors.over("rgba(29,27,32,.10)", "rgba(29,27,32,.10)", idle)
        pressed = self.fill(panel, one, "increment", (0.2, 0.2))
        self.assertTrue(colors.same(pressed, layered, 3) or colors.same(pressed, rippled, 3), f"pressed: {pressed}, {layered} or {rippled}")
        one.release()
        _, one = self.draw("material", attributes={"layout": "separated"})
        self.assertNear(8 + 48 + 8, one.box("increment")["x"] - one.box("decrement")["right"], 1)
        _, one = self.draw("material", attributes={"shape": "full"})
        self.assertEqual("20px", one.style("decrement", "border-top-left-radius"))

    def test_07_wear(self):
        """Buttons of 60 × 48, plus above and minus below, shares .35, .30, .35 of its box."""
        panel, one = self.draw("wear", css="stepper-control { width: 200px; height: 300px; }")
        plus, value, minus = (one.box(part) for part in ("increment", "value", "decrement"))
        self.assertSize(60, 48, plus)
        self.assertSize(60, 48, minus)
        self.assertTrue(plus["y"] < value["y"] < minus["y"])
        shot = Shot(panel)
        self.assertColor("#4D3D76", shot.at(plus["x"] + 10, plus["y"] + 24))
        self.assertTrue(colors.same(one.style("increment-icon", "color"), "#E9DDFF"))
        # Padding of 5.2 % at both ends, two gaps of 8; a button is in the middle of its share.
        field = one.box("field")
        room = field["height"] * (1 - 2 * 0.052) - 16
        start = field["y"] + field["height"] * 0.052
        for box, middle in ((plus, 0.175 * room), (value, 0.5 * room + 8), (minus, 0.825 * room + 16)):
            self.assertNear(start + middle, box["y"] + box["height"] / 2, 6)

    def test_07_rpvertical(self):
        """35 × 63: plus 31 over minus 32; the gradient's ends; the same in dark."""
        for scheme in ("light", "dark"):
            with self.subTest(scheme):
                panel, one = self.draw("rpvertical", scheme=scheme)
                plus, minus = one.box("increment"), one.box("decrement")
                self.assertSize(35, 31, plus)
                self.assertSize(35, 32, minus)
                self.assertNear(plus["bottom"], minus["y"], 0.6)
                ends = colors.of_gradient(one.style("increment", "background-image"))
                self.assertTrue(any(colors.same(end, "#F8F8F8") for end in ends) and any(colors.same(end, "#C8C8C8") for end in ends), ends)
                one.press("increment")
                one.wait_for_state("pressed-increment")
                self.assertIn("0.85", one.style("increment", "filter"))
                one.release()
                panel.close()
