"""Checks 21 and 22: a press in the browser is the engine's."""

from waiting import eventually, pace

from bed.case import Holding, quick, tag
from bed.programs import tried


def steps_of(moments):
    """The moments at which the value moved."""
    return moments.named("increment", "decrement")


class Counts(Holding):
    """Checks 21 and 22."""

    def hold(self, profile, seconds, *options, look="auto"):
        """`held`, again where the machine held the daemon up for so long that it counted a stall: then it may be fewer steps."""
        for _ in range(4):
            bed, *result = self.held(profile, seconds, *options, look=look)
            if bed.client.call("org.stepperd.manager.GetStatus")["stalls"] == 0:
                break
        expected, times, moments = result
        self.assertEqual(len(expected), len(times), f"{profile}: {times} instead of {expected}")
        for wanted, was in zip(expected, times):
            self.assertNear(wanted, was, 2, f"{profile}: {times} instead of {expected}")
        return bed, times, moments

    def held(self, profile, seconds, *options, look):
        """Holds plus for about so long; (bed, what `stepperctl try` says of the time that the daemon saw, what came, moments)."""
        bed = self.held_bed(profile, *options)
        panel = self.show(tag(look=look), bed)
        volume = panel.control()
        if not volume.has_part("increment"):  # spin buttons that come with the focus, or not at all
            panel = self.show(tag(look=look, spin_buttons="inline"), bed)
            volume = panel.control()
        self.assertEqual("engine", volume.js("host.hold"))
        with bed.moments("volume") as moments:
            volume.press("increment")
            # The time begins where the daemon has the press: the browser may bring it later than its release.
            moments.until(lambda moment: moment["moment"] == "press", "the press")
            pace(seconds)
            volume.release()
            released = moments.until(lambda moment: moment["moment"] == "release", "the release")
            eventually(lambda: not bed.get()["editing"], "the gesture ends")
            while not moments.quiet(0.1):
                moments.seen += moments.unexpected["moments"]
            pressed = moments.named("press")[0]
            begun = pressed["monotonicMicroseconds"]
            self.assertEqual(1, len(moments.named("press")))
            expected, self.after = tried(profile, released["monotonicMicroseconds"] - begun, *self.RANGE, *options)
            times = [(moment["monotonicMicroseconds"] - begun) / 1000 for moment in steps_of(moments)]
        volume.wait_for_text(bed.get()["text"])
        return bed, expected, times, moments

    @quick
    def test_21_holds_uikit(self):
        """2.55 s are ten steps."""
        bed, times, _ = self.hold("uikit", 2.55)
        self.assertGreaterEqual(len(times), 10)
        self.assertEqual(len(times), bed.value())

    def test_21_holds_appkit(self):
        """1.05 s are seven."""
        _, times, _ = self.hold("appkit", 1.05)
        self.assertGreaterEqual(len(times), 7)

    def test_21_holds_winui(self):
        """1.015 s are seventeen."""
        _, times, _ = self.hold("winui", 1.015)
        self.assertGreaterEqual(len(times), 17)

    def test_21_holds_gtk(self):
        """1.22 s are sixteen."""
        _, times, _ = self.hold("gtk", 1.22)
        self.assertGreaterEqual(len(times), 16)

    def test_21_holds_material(self):
        """1.07 s are eleven."""
        _, times, _ = self.hold("material", 1.07)
        self.assertGreaterEqual(len(times), 11)

    def test_21_holds_material_wear(self):
        """1.07 s are ten."""
        _, times, _ = self.hold("material/wear", 1.07)
        self.assertGreaterEqual(len(times), 10)

    def test_21_tap_of_material_wear(self):
        """A tap is one step, at its release."""
        _, times, moments = self.hold("material/wear", 0.08)
        release = moments.named("release")[0]
        self.assertEqual(1, len(times))
        self.assertEqual(release["monotonicMicroseconds"], steps_of(moments)[0]["monotonicMicroseconds"])

    def test_21_holds_rpvertical(self):
        """1.25 s are three."""
        _, times, _ = self.hold("rpvertical", 1.25)
        self.assertGreaterEqual(len(times), 3)

    def test_21_holds_derived_profiles(self):
        """Every profile that the daemon has is held as `stepperctl try` holds it."""
        for profile in ["uikit/observed", "appkit/gnustep", "gtk/gtk3", "gtk/keys", "gtk/adw"]:
            with self.subTest(profile=profile):
                _, times, _ = self.hold(profile, 0.8)
                self.assertGreater(len(times), 0)

    def test_22_climb_rate_of_gtk(self):
        """climb-rate = 1, 1.6 s: the steps of the measured timeline, growing as they do there."""
        bed, times, moments = self.hold("gtk", 1.6, "climb-rate=1")
        self.assertGreaterEqual(len(times), 20)
        self.assertEqual(self.after, bed.get()["text"])
        self.assertGreater(bed.value(), 2 * len(times), "it climbs")
