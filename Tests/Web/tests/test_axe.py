"""Check 13: axe finds nothing in any look, scheme and state."""

from axe_playwright_python.sync_playwright import Axe

from bed.case import FAILED_REQUEST, LOOKS, SCHEMES, PanelTest, quick, tag
from bed.looks import token
from bed.programs import configuration, control

OPTIONS = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]},
           "rules": {"region": {"enabled": False}}}
#: Looks that are drawn as another one.
SLIDER = {"slider": "uikit", "picker": "uikit"}


class Axe13(PanelTest):
    """Each look with its stepper or field, slider, choices, switch and button at once; in every state."""

    tolerated = (FAILED_REQUEST,)
    tables = configuration(
        control("number", 'profile = "gtk"', 'title = "Number"', "minimum = 0", "maximum = 100", "initial = 50", 'unit = "dB"'),
        control("page", 'title = "Page"', 'choices = ["radio", "aux", "cd"]', dial=False),
        control("mute", 'title = "Mute"', 'kind = "toggle"', dial=False),
        control("go", 'title = "Go"', 'kind = "button"', dial=False))

    def body(self, look):
        """Every presentation that this look has."""
        return "".join(f'<p class="card">{one}</p>' for one in [
            tag("number", look=look), tag("number", look=look, as_="slider"), tag("page", look=look), tag("page", look=look, as_="menu"),
            tag("page", look=look, as_="wheel"), tag("page", look=look, as_="stepper"), tag("mute", look=look), tag("go", look=look)])

    def violations(self, panel):
        """What axe says, shortly."""
        panel.frames(3)
        result = Axe().run(panel.page, options=OPTIONS).response
        self.assertGreater(len(result["passes"]), 5)
        return [f"{one['id']}: {node['target']} {node['failureSummary'][:300]}" for one in result["violations"] for node in one["nodes"]]

    def states(self, look, schemes):
        """axe in all states of a look."""
        for scheme in schemes:
            # The page behind a look is its own; axe takes what has no colour for white.
            page = token([look.replace("/", "-"), SLIDER.get(look, look)], "page-color", scheme)
            with open(f"{self.bed.web.pages}/page.css", "w", encoding="utf-8") as file:
                file.write(f"html {{ color-scheme: {scheme}; background: {page}; }} body {{ background: {page}; color: {'#000' if scheme == 'light' else '#fff'}; }}")
            panel = self.show(self.body(look), head='<link rel="stylesheet" href="page.css">', color_scheme=scheme, reduced_motion="reduce")
            with self.subTest(look=look, scheme=scheme, state="normal"):
                self.assertEqual([], self.violations(panel))
            with self.subTest(look=look, scheme=scheme, state="limit"):
                self.bed.set(100, "number")
                panel.control().wait_for_state("at-maximum")
                self.assertEqual([], self.violations(panel))
                self.bed.set(50, "number")
            with self.subTest(look=look, scheme=scheme, state="error"):
                field = panel.control()
                if field.has_part("input"):
                    field.part("input").click(click_count=3)
                    panel.page.keyboard.type("loud")
                    panel.page.keyboard.press("Enter")
                    panel.frames(10)
                    self.assertEqual([], self.violations(panel))
                    panel.page.keyboard.press("Escape")
            with self.subTest(look=look, scheme=scheme, state="disabled"):
                panel.js("document.querySelectorAll('stepper-control').forEach((one) => one.setAttribute('disabled', ''))")
                panel.frames(5)
                self.assertEqual([], self.violations(panel))
            with self.subTest(look=look, scheme=scheme, state="offline"):
                panel.js("document.querySelectorAll('stepper-control').forEach((one) => one.removeAttribute('disabled'))")
                self.bed.daemon.end()
                try:
                    panel.control().wait_for_state("disconnected")
                    self.assertEqual([], self.violations(panel))
                finally:
                    self.bed.client.close()
                    self.bed.start_daemon()
                panel.control().wait_for_state("disconnected", False)
            panel.close()

    @quick
    def test_13_axe_of_the_panel_page(self):
        """The kiosk's own page in both schemes, as it comes."""
        for scheme in SCHEMES:
            with self.subTest(scheme=scheme):
                panel = self.blank(color_scheme=scheme, reduced_motion="reduce").goto("/")
                panel.until("document.querySelector('stepper-panel') !== null")
                panel.frames(30)
                self.assertEqual([], self.violations(panel))


def _of(look):
    def test(self):
        self.states(look, SCHEMES)
    test.__doc__ = f"All states of {look} in both schemes."
    return test


for _look in LOOKS:
    setattr(Axe13, f"test_13_axe_of_{_look.replace('/', '_')}", _of(_look))
