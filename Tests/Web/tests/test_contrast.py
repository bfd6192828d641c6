"""Check 12: the AA replacements are what is seen, and enough; `contrast="original"` gives the original back."""

import os
import tomllib

from bed import colors
from bed.case import SCHEMES, quick, tag
from bed.looks import LookTest, table, token
from bed.programs import ROOT

#: The pairs of section 4.6 with what each is seen on; the looks' own table of them.
PAIRS = os.environ.get("STEPPERD_WEB_PAIRS", f"{ROOT}/Web/looks/contrast.toml")
#: What of section 4.6 is replaced: section of the looks, token, original light and dark, replacement light and dark.
REPLACED = [
    ("uikit", "icon-color-pressed", "#007AFF", "#0A84FF", "#0066CC", "#409CFF"),
    ("uikit", "secondary-color", "rgba(60,60,67,.6)", None, "rgba(60,60,67,.75)", None),
    ("uikit", "error-color", "#FF3B30", "#FF453A", "#D70015", "#FF6961"),
    ("uikit.switch", "track-color-on", "#34C759", "#30D158", "#248A3D", "#248A3D"),
    ("uikit.slider", "range-color", None, "#0A84FF", None, "#409CFF"),
    ("appkit", "focus-color", "rgba(0,122,255,.5)", "rgba(10,132,255,.5)", "rgba(0,122,255,1)", "rgba(10,132,255,1)"),
    ("appkit", "field-border", "rgba(0,0,0,.12)", "rgba(255,255,255,.12)", "rgba(0,0,0,.45)", "rgba(255,255,255,.40)"),
    ("appkit", "placeholder-color", "rgba(0,0,0,.25)", "rgba(255,255,255,.25)", "rgba(0,0,0,.55)", "rgba(255,255,255,.55)"),
    ("winui", "border-end", "rgba(0,0,0,.161)", "rgba(255,255,255,.094)", "rgba(0,0,0,.447)", "rgba(255,255,255,.545)"),
    ("gtk", "border-color", "rgba(0,0,0,.15)", "rgba(255,255,255,.15)", "rgba(0,0,0,.45)", "rgba(255,255,255,.40)"),
    ("gtk", "focus-color", "#3584E4", "#3584E4", "#3584E4", "#62A0EA"),
]
KINDS = {"slider": ("plain", "slider"), "switch": ("mute", None), "button": ("go", None), "segmented": ("four", "segmented"), "menu": ("five", "menu"),
         "wheel": ("five", "wheel")}
LOOK = {"uikit-ios7": "uikit/ios7", "winui-source": "winui/source", "gtk-source": "gtk/source", "adwaita-source": "adwaita/source"}


class Contrast(LookTest):
    """By the colours that the browser computes for the tokens of a drawn control."""

    #: Computed colours of tokens where they are used: in the base of a control. A gradient has all its ends.
    COLORS = """(names) => names.map((name) => { const base = probe.part(document.querySelector('stepper-control'), 'base');
      const sample = document.createElement('i'); base.append(sample); sample.style.backgroundImage = `var(--_${name})`;
      const gradient = getComputedStyle(sample).backgroundImage; sample.style.backgroundImage = ''; sample.style.color = 'rgb(1, 2, 3)';
      sample.style.setProperty('color', `var(--_${name})`); const color = getComputedStyle(sample).color; sample.remove();
      return gradient.includes('gradient') ? gradient : color; })"""

    def ends(self, text):
        """The colours of a computed value."""
        return colors.of_gradient(text) if "gradient" in text else [text]

    def drawn(self, section, scheme, contrast):
        """A control of a section of the table."""
        look, _, presentation = section.partition(".")
        name, as_ = KINDS.get(presentation, ("volume" if look.startswith(("winui", "gtk", "adwaita")) else "plain", "field" if look == "appkit" else None))
        return self.draw(LOOK.get(look, look), name, scheme, {"as_": as_, "contrast": contrast})[0]

    def test_12_all_pairs(self):
        """Text at least 4.5, graphics and focus 3, in both schemes."""
        with open(PAIRS, "rb") as file:
            pairs = tomllib.load(file)["pair"]
        self.assertGreater(len(pairs), 60)
        for section in dict.fromkeys(pair["look"] for pair in pairs):
            for scheme in SCHEMES:
                mine = [pair for pair in pairs if pair["look"] == section and scheme in pair.get("schemes", SCHEMES)]
                if not mine:
                    continue
                panel = self.drawn(section, scheme, None)
                names = sorted({name for pair in mine for name in (pair["colour"], *pair["over"], *pair.get("beside", ()))})
                found = dict(zip(names, panel.js(self.COLORS, names)))
                for pair in mine:
                    with self.subTest(look=section, scheme=scheme, what=pair["what"]):
                        for front in self.ends(found[pair["colour"]]):
                            self.assertGreaterEqual(self.least(front, pair, found), pair["least"] - 0.005)
                panel.close()

    def least(self, front, pair, found):
        """The least contrast of a colour with what it lies on, or what it lies beside."""
        layers = [self.ends(found[name]) for name in pair["over"]]
        grounds = [colors.over(first, *(layer[-1] for layer in layers[1:])) for first in layers[0]]
        seen = [colors.over(front, ground) for ground in grounds]
        if "beside" in pair:
            other = colors.over(*(found[name] for name in pair["beside"]))
            return min(colors.contrast(one, other) for one in seen)
        return min(colors.contrast(one, ground) for one, ground in zip(seen, grounds))

    def test_12_originals(self):
        """Each replaced colour: the replacement by default, the original with `contrast="original"`."""
        for section, name, *figures in REPLACED:
            for scheme, original, replacement in zip(SCHEMES, figures[:2], figures[2:]):
                if original is None:
                    continue
                with self.subTest(section=section, token=name, scheme=scheme):
                    for contrast, wanted in ((None, replacement), ("original", original)):
                        panel = self.drawn(section, scheme, contrast)
                        self.assertColor(wanted, panel.js(self.COLORS, [name])[0], contrast)
                        panel.close()

    def test_12_table_is_what_is_drawn(self):
        """Every colour that looks.json replaces is drawn as it says, in both contrasts."""
        looks = table()
        for section, content in looks.items():
            marked = [name for name, entry in content["tokens"].items() if "aa" in entry or "aaDark" in entry]
            if not marked or section.count(".") == 2 or section == "base":
                continue
            parts = section.split(".")
            if len(parts) > 1 and parts[1] not in KINDS:
                continue
            for scheme in SCHEMES:
                for contrast in (None, "original"):
                    with self.subTest(section=section, scheme=scheme, contrast=contrast):
                        panel = self.drawn(section, scheme, contrast)
                        for name, was in zip(marked, panel.js(self.COLORS, marked)):
                            wanted = token([section, parts[0]], name, scheme, contrast == "original", looks)
                            if wanted.startswith(("#", "rgb")) and "gradient" not in was:
                                self.assertColor(wanted, was, name)
                        panel.close()


class Told(LookTest):
    """What a colour alone would not tell."""

    @quick
    def test_12_wear_on_a_light_page(self):
        """It is dark alone, in every presentation."""
        for name, shown in [("plain", None), ("plain", "slider"), ("mute", None), ("four", "segmented")]:
            with self.subTest(f"{name} {shown}"):
                one = self.show(tag(name, look="wear", as_=shown), color_scheme="light").control()
                behind = colors.over(one.style("base", "background-color"), "#ffffff")
                self.assertGreaterEqual(colors.contrast(colors.over(one.style("label", "color"), behind), behind), 4.5)

    @quick
    def test_12_chosen_segment_has_an_edge(self):
        """Against the track of the segments, in both schemes; a bar more for a visitor who asked for contrast."""
        for look in ["uikit", "appkit"]:
            for scheme, page in [("light", "#ffffff"), ("dark", "#000000")]:
                with self.subTest(f"{look} {scheme}"):
                    panel = self.show(tag("four", look=look, as_="segmented"), color_scheme=scheme)
                    one = panel.control()
                    shadow, track = one.js("(() => { const chosen = host.shadowRoot.querySelector('.chosen'); return "
                                           "[getComputedStyle(chosen).boxShadow, getComputedStyle(chosen.parentElement).backgroundColor]; })()")
                    behind = colors.over(track, page)
                    edge = colors.over(colors.of_gradient(shadow)[-1], behind)
                    self.assertGreaterEqual(colors.contrast(edge, behind), 3)
                    panel.media(contrast="more")
                    panel.until("getComputedStyle(document.querySelector('stepper-control').shadowRoot.querySelector('.chosen')).boxShadow.includes('inset')",
                                "a bar marks it")

    @quick
    def test_12_forced_colours_have_no_shadow(self):
        """On is an edge of the colour of highlights, a limit a dashed one; no shadow carries a state."""
        panel = self.show(tag("mute", look="material") + tag("plain", look="uikit") + tag("four", look="uikit", as_="segmented"), forced_colors="active")
        self.bed.set(1, "mute")
        panel.control('[name="mute"]').wait_for_state("on")
        panel.settle()
        edge, wanted = panel.control('[name="mute"]').js(
            "(() => { const one = document.createElement('i'); one.style.cssText = 'forced-color-adjust: none; color: Highlight'; document.body.append(one);"
            " return [getComputedStyle(part('switch')).borderTopColor, getComputedStyle(one).color]; })()")
        self.assertTrue(colors.same(edge, wanted), (edge, wanted))
        self.assertEqual([], panel.js("[...document.querySelectorAll('stepper-control')].flatMap((host) => [...host.shadowRoot.querySelectorAll('*')])"
                                      ".map((one) => getComputedStyle(one).boxShadow).filter((shadow) => shadow !== 'none')"))
