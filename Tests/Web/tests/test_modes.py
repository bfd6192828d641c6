"""Checks 37 to 40: from right to left, forced colours, reduced motion, narrow and large."""

from bed import colors
from bed.browser import pump
from bed.case import LOOKS, PanelTest, tag
from bed.pictures import difference, mirrored, opened
from bed.programs import configuration, control

TABLES = configuration(
    control("number", 'profile = "gtk"', 'title = "Number"', "minimum = 0", "maximum = 100", "initial = 50"),
    control("copies", 'title = "Copies"', "minimum = 0", "maximum = 100", "initial = 50", dial=False),
    control("page", 'title = "Page"', 'choices = ["radio", "aux", "cd"]', dial=False),
    control("mute", 'title = "Mute"', 'kind = "toggle"', dial=False), control("go", 'title = "Go"', 'kind = "button"', dial=False))
VERTICAL = {"appkit", "rpvertical", "wear", "swiftui/macos"}


class Direction(PanelTest):
    """Check 37."""

    tables = TABLES

    def test_37_order(self):
        """Minus at the right of plus; vertical looks as they are; the slider's minimum at the right; Left increases it."""
        for look in ["uikit", "gtk", "adwaita", "material", *VERTICAL]:
            with self.subTest(look):
                boxes = {}
                for direction in ("ltr", "rtl"):
                    panel = self.show(tag("copies", look=look), attributes=f'dir="{direction}"')
                    boxes[direction] = [panel.control().box(part) for part in ("decrement", "increment")]
                    panel.close()
                minus, plus = boxes["rtl"]
                if look in VERTICAL:
                    self.assertLess(plus["y"], minus["y"])
                    self.assertNear(boxes["ltr"][0]["y"] - boxes["ltr"][1]["y"], minus["y"] - plus["y"])
                else:
                    self.assertGreater(minus["x"], plus["x"])
                    self.assertLess(boxes["ltr"][0]["x"], boxes["ltr"][1]["x"])
        panel = self.show(tag("number", look="slider"), attributes='dir="rtl"')
        slider = panel.control()
        self.bed.set(10, "number")
        slider.wait_for_text("10")
        panel.frames(20)
        rail, thumb = slider.box("rail"), slider.box("thumb")
        self.assertGreater(thumb["x"] + thumb["width"] / 2, rail["x"] + rail["width"] * 0.8)
        slider.js("host.focus()")
        panel.page.keyboard.press("ArrowLeft")
        self.bed.wait_for_value(11, "number")
        panel.page.keyboard.press("ArrowUp")
        self.bed.wait_for_value(12, "number")

    def test_37_another_language(self):
        """A page that gets another language, or a part of it, shows it at once: texts, numbers, headings."""
        bed = self.make_bed(configuration(control(
            "level", 'title = { en = "Volume", de = "Lautstärke" }', "step = 0.5", "digits = 1", "initial = 20",
            'group = { name = "x", title = { en = "Sound", de = "Klang" } }', dial=False)))
        panel = self.show("<stepper-panel></stepper-panel>", bed)
        level = panel.control()
        shown = "[probe.shown(host), part('label').textContent.trim(), document.querySelector('h2').textContent]"
        self.assertEqual(["20.0", "Volume", "Sound"], level.js(shown))
        panel.js("void document.querySelector('main').setAttribute('lang', 'de')")
        pump(panel.page, lambda: level.js(shown) == ["20,0", "Lautstärke", "Klang"], lambda: f"it is German: {level.js(shown)}")

    def test_37_mirrored_picture(self):
        """The picture is the mirrored one, but for glyphs."""
        for look in ["uikit", "gtk", "winui", "material"]:
            with self.subTest(look):
                # Glyphs and texts are not mirrored: they are left out.
                with open(f"{self.bed.web.pages}/bare.css", "w", encoding="utf-8") as file:
                    file.write("".join(f"stepper-control::part({part}) {{ opacity: 0 }}\n" for part in ("increment-icon", "decrement-icon", "label", "value"))
                               + "stepper-control::part(input) { color: transparent }\n"
                               # Edges at whole pixels on both sides.
                               + "stepper-control { width: 300px }")
                pictures = []
                for direction in ("ltr", "rtl"):
                    panel = self.show(tag("copies", look=look, spin_buttons="inline"), attributes=f'dir="{direction}"',
                                      head='<link rel="stylesheet" href="bare.css">')
                    panel.settle()
                    box = panel.control().box("base")
                    pictures.append(opened(panel.page.screenshot(clip={key: box[key] for key in ("x", "y", "width", "height")})))
                    panel.close()
                self.assertLessEqual(difference(pictures[0], mirrored(pictures[1])), 0.01)


class ForcedColors(PanelTest):
    """Check 38."""

    tables = TABLES

    def system(self, panel, *names):
        """Computed system colours."""
        return panel.js("""(names) => names.map((name) => { const probe = document.createElement('i'); probe.style.color = name; document.body.append(probe);
          const color = getComputedStyle(probe).color; probe.remove(); return color; })""", list(names))

    def test_38_system_colors(self):
        """Fill, icon, pressed, off and focus of every look are the system's."""
        for look in LOOKS:
            if look in ("picker", "slider"):
                continue
            with self.subTest(look):
                panel = self.show(tag("copies", look=look, spin_buttons="inline"), forced_colors="active", color_scheme="dark")
                one = panel.control()
                text, highlight, inverse, gray = self.system(panel, "ButtonText", "Highlight", "HighlightText", "GrayText")
                panel.settle()
                icon = one.style("increment-icon", "color")
                self.assertTrue(colors.same(icon, text) or colors.same(icon, self.system(panel, "FieldText")[0]), icon)
                one.press("increment")
                one.wait_for_state("pressed-increment")
                panel.settle()
                self.assertTrue(colors.same(one.style("increment", "background-color"), highlight), f"{one.style('increment', 'background-color')}")
                self.assertTrue(colors.same(one.style("increment-icon", "color"), inverse))
                one.release()
                self.bed.set(100, "copies")
                one.wait_for_state("at-maximum")
                panel.settle()
                self.assertTrue(colors.same(one.style("increment-icon", "color"), gray))
                self.assertEqual("1", one.style("increment", "opacity"))
                self.bed.set(50, "copies")
                panel.close()

    def test_38_nothing_vanishes(self):
        """Each part that is seen is seen: its edge or its fill differs from the page."""
        for look in LOOKS:
            with self.subTest(look):
                body = tag("copies", look=look) + tag("page", look=look) + tag("mute", look=look) + tag("number", look=look, as_="slider") + tag("go", look=look)
                panel = self.show(body, forced_colors="active")
                for one in panel.controls():
                    for part in ("increment", "decrement", "switch", "knob", "thumb", "rail", "option", "input"):
                        if not one.has_part(part) or one.js("part(a).type === 'range'", part):
                            continue
                        box = one.box(part)
                        picture = opened(panel.page.screenshot(clip={"x": box["x"] - 2, "y": box["y"] - 2, "width": box["width"] + 4, "height": box["height"] + 4}))
                        self.assertGreater(len(picture.getcolors(1 << 20) or [0, 0]), 1, f"{part} of {look} is one colour")
                panel.close()


class Motion(PanelTest):
    """Check 39."""

    tables = TABLES

    def test_39_reduced_motion(self):
        """Every computed duration is 0, and nothing is animated."""
        for look in LOOKS:
            with self.subTest(look):
                body = "".join(tag(name, look=look) for name in ("copies", "page", "mute", "go")) + tag("number", look=look, as_="slider")
                panel = self.show(body, reduced_motion="reduce")
                panel.js("""() => { window.moved = []; for (const host of document.querySelectorAll('stepper-control'))
                  for (const type of ['animationstart', 'transitionrun']) host.shadowRoot.addEventListener(type, (event) => moved.push([type, event.propertyName])); }""")
                long = panel.js("""() => [...document.querySelectorAll('stepper-control')].flatMap((host) => [host, ...host.shadowRoot.querySelectorAll('*')]
                  .flatMap((element) => [null, '::before', '::after'].flatMap((pseudo) => { const style = getComputedStyle(element, pseudo);
                    return [style.transitionDuration, style.animationDuration, style.transitionDelay].join().split(',')
                      .filter((time) => parseFloat(time) !== 0 && !Number.isNaN(parseFloat(time))).map((time) => `${element.getAttribute('part')}${pseudo ?? ''} ${time}`); })))""")
                self.assertEqual([], long)
                self.bed.set(100, "copies")
                self.bed.set(1, "mute")
                panel.control('[name="copies"]').wait_for_state("at-maximum")
                panel.frames(10)
                self.assertEqual([], panel.js("moved"))
                self.bed.set(50, "copies")
                self.bed.set(0, "mute")
                panel.close()


class Narrow(PanelTest):
    """Check 40."""

    tables = TABLES

    def test_40_narrow_and_large(self):
        """320 px wide and text of 200 %: nothing is cut, nothing scrolls sideways. A thumb has no text at rest, but a halo."""
        for look in LOOKS:
            with self.subTest(look):
                body = "".join(tag(name, look=look) for name in ("number", "copies", "page", "mute", "go")) + tag("number", look=look, as_="slider")
                with open(f"{self.bed.web.pages}/large.css", "w", encoding="utf-8") as file:
                    file.write("html { font-size: 200%; } body { margin: 8px; }")
                panel = self.show(body, head='<link rel="stylesheet" href="large.css">', viewport={"width": 320, "height": 640})
                self.assertLessEqual(panel.js("document.scrollingElement.scrollWidth"), 320)
                cut = panel.js("""() => [...document.querySelectorAll('stepper-control')].flatMap((host) => [...host.shadowRoot.querySelectorAll('[part]')]
                  .filter((part) => !part.matches('[type=range], [part=thumb]') && part.clientWidth > 0 && getComputedStyle(part).display !== 'inline' && part.textContent.trim()
                    && !/hidden|clip/.test(getComputedStyle(part).clipPath) && part.scrollWidth > part.clientWidth + 1)
                  .map((part) => `${host.getAttribute('name')} ${part.getAttribute('part')} ${part.scrollWidth} > ${part.clientWidth}`))""")
                self.assertEqual([], cut)
                inputs = panel.js("""() => [...document.querySelectorAll('stepper-control')].flatMap((host) => probe.parts(host, 'input'))
                  .filter((input) => input.type === 'text' && input.scrollWidth > input.clientWidth + 1).map((input) => input.value)""")
                self.assertEqual([], inputs)
                panel.close()

    def test_40_targets(self):
        """Under a finger at least 44 (48 in material and wear) each way, by what is hit at the edges; 24 with a mouse."""
        for look in LOOKS:
            if look in ("picker", "slider"):
                continue
            for coarse in (True, False):
                with self.subTest(look=look, coarse=coarse):
                    least = (48 if look in ("material", "wear") else 44) if coarse else 24
                    body = "<br>".join(tag("copies", look=look, spin_buttons="inline") for _ in range(2))
                    panel = (self.touched if coarse else self.show)(body)
                    for part in ("decrement", "increment"):
                        size = panel.js("""([part]) => { const host = document.querySelector('stepper-control'); const target = probe.part(host, part);
                          const box = target.getBoundingClientRect(); const x = box.x + box.width / 2, y = box.y + box.height / 2;
                          const hit = (px, py) => { let found = document.elementFromPoint(px, py); found = found?.shadowRoot?.elementFromPoint(px, py) ?? found;
                            return Boolean(found?.closest(`[part~="${part}"]`)) && found.getRootNode().host === host; };
                          const reach = (dx, dy) => { let far = 0; while (far < 200 && hit(x + dx * (far + .5), y + dy * (far + .5))) far += .5; return far; };
                          return [reach(-1, 0) + reach(1, 0), reach(0, -1) + reach(0, 1)]; }""", [part])
                        self.assertGreaterEqual(round(min(size) + 0.5, 1), least, f"{part}: {size}")
                    panel.close()
