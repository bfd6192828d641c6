"""Check 45: the pictures of the README are what is drawn."""

import os

from bed.case import LOOKS, SCHEMES, PanelTest, quick
from bed.pictures import difference, opened, small
from bed.programs import EXAMPLES, ROOT, configuration, control

PICTURES = os.environ.get("STEPPERD_WEB_PICTURES", f"{ROOT}/Documentation/pictures/panel")
#: Whether the pictures are written instead of compared.
RENEW = bool(os.environ.get("STEPPERD_WEB_RENEW"))
#: The largest share of pixels that may differ.
LIMIT = 0.001
LARGEST = 1_500_000


class Pictures(PanelTest):
    """From the gallery, and of the panel's own page."""

    options = [f'pages = "{os.path.abspath(EXAMPLES)}"']
    tables = configuration(
        control("volume", 'title.en = "Volume"', 'unit = "%"', "initial = 30"),
        control("bass", 'title.en = "Bass"', 'profile = "slider"', "minimum = -10", "maximum = 10", "step = 1", 'format = "decimal"', "digits = 0", "initial = 3",
                'unit = "dB"', dial=False),
        control("copies", 'title.en = "Copies"', 'profile = "gtk"', "minimum = 1", "maximum = 99", "initial = 2", dial=False),
        control("source", 'title.en = "Source"', 'choices = ["Radio", "CD", "Line in"]', dial=False),
        control("station", 'title.en = "Station"', 'choices = ["One", "Two", "Three", "Four", "Five", "Six"]', 'initial = "Three"', dial=False),
        control("lamp", 'title.en = "Lamp"', 'kind = "toggle"', dial=False))

    def same(self, name, data):
        """Compares with the picture of that name; writes it where that was asked for."""
        path = f"{PICTURES}/{name}.webp"
        now = opened(data)
        if RENEW:
            os.makedirs(PICTURES, exist_ok=True)
            with open(path, "wb") as file:
                file.write(small(now))
            return
        self.assertTrue(os.path.exists(path), f"{path}: Scripts/suites/web --renew-pictures makes it")
        share = difference(opened(path), now)
        if share > LIMIT:
            kept = self.save(f"{name}.png", data)
            self.fail(f"{name}: {share:.2%} of the pixels differ; now: {kept}")

    def test_45_looks(self):
        """Every look in both schemes."""
        for look in LOOKS:
            for scheme in SCHEMES:
                with self.subTest(look=look, scheme=scheme):
                    panel = self.blank(color_scheme=scheme, reduced_motion="reduce", viewport={"width": 520, "height": 600})
                    panel.goto(f"/pages/gallery.html?look={look}&scheme={scheme}&state=normal,pressed,limit,disabled&hit=visual")
                    panel.until("document.documentElement.dataset.ready === 'true' && document.fonts.status === 'loaded'")
                    panel.frames(10)
                    ground = panel.page.locator(f'[id="{look.replace("/", "-")}.{scheme}"]')
                    self.same(f"{look.replace('/', '-')}-{scheme}", ground.screenshot())
                    panel.close()

    def test_45_panel_page(self):
        """The kiosk's page with controls of all kinds, in both schemes."""
        for scheme in SCHEMES:
            with self.subTest(scheme=scheme):
                panel = self.blank(color_scheme=scheme, reduced_motion="reduce", viewport={"width": 800, "height": 560}).goto("/")
                panel.until("(() => { const all = (root) => [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);"
                            " return all(document).filter((one) => one.localName === 'stepper-control' && one.state).length === 6; })()", "all controls are there")
                panel.frames(20)
                self.same(f"panel-{scheme}", panel.page.screenshot())

    @quick
    def test_45_pictures_are_small(self):
        """All together."""
        if RENEW:
            self.skipTest("they are being written")
        sizes = [os.path.getsize(f"{PICTURES}/{name}") for name in os.listdir(PICTURES)]
        self.assertEqual(2 * len(LOOKS) + 2, len(sizes))
        self.assertLess(sum(sizes), LARGEST)

    def test_45_examples_work(self):
        """Each page by example shows the volume, and prints nothing."""
        for page in ["plain", "form", "styled"]:
            with self.subTest(page):
                panel = self.blank().goto(f"/pages/{page}.html").ready()
                volume = panel.control()
                volume.wait_for_text(self.bed.get()["text"])
                value = self.bed.value()
                volume.click("increment")
                self.bed.wait_for_value(value + 1)
                volume.wait_for_text(self.bed.get()["text"])
                panel.close()
