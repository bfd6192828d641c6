#!/usr/bin/python3
"""`stepperctl learn` from the first question to the working control, with a person on a pseudoterminal.

Needs umockdev and the programs in .build/debug; STEPPERD_BUILD names another directory.
"""

import glob
import json
import os
import signal
import stat
import subprocess
import termios
import unittest

from person import BUILD, DEADLINE, Bed, Person, pace

KNOB = 'add event5 name="Test Knob" vendor=1209 product=2303 uniq=A1 REL_DIAL BTN_0'
OTHER_KNOB = 'add event6 name="Test Knob" vendor=1209 product=2303 REL_DIAL BTN_0'
KEYS = 'add event7 name="gpio-keys" bus=19 vendor=0001 product=0001 phys=gpio-keys/input0 ' \
       'link=/dev/input/by-path/platform-gpio-keys-event KEY_VOLUMEUP KEY_VOLUMEDOWN'
FADER = 'add event8 name="Board of faders" vendor=1209 product=2304 ABS_X=0:1023:500 ABS_Y=0:1023:200'
KEYBOARD = 'add event9 name="Test Keyboard" vendor=046d product=c31c property:ID_INPUT=1 ' \
           'property:ID_INPUT_KEYBOARD=1 KEY_A KEY_ENTER KEY_VOLUMEUP'
CONFIGURATION = """\
# The kitchen's radio.

[daemon]
save-after = "1s"   # often

# Programs move it.
[device.panel]
virtual = true

# How loud.
[control.volume]
maximum = 60 # not more
rotate = "panel:dial"

# The end.
"""


class Learning(unittest.TestCase):
    """A bed for each test."""

    devices = [KNOB, KEYBOARD]
    configuration = CONFIGURATION

    def setUp(self):
        self.bed = Bed(self.configuration)
        self.addCleanup(self.bed.close)
        for device in self.devices:
            self.bed(device)
        self.bed.start()

    def person(self, *arguments, **options):
        person = Person(self.bed, *arguments, **options)
        self.addCleanup(person.close)
        return person

    def text(self):
        with open(self.bed.daemon.configuration, encoding="utf-8", newline="") as file:
            return file.read()

    def backups(self):
        return glob.glob(f"{self.bed.daemon.configuration}.*")

    def value(self, control="volume"):
        return self.bed.call("get", control).split()[-1]

    def learn_knob(self, person, counts=(1,), node="event5", push=None):
        person.sees("ten clicks")
        self.bed.turn(node, "REL_DIAL", 10, counts)
        person.types()
        person.sees("Push the knob")
        if push:
            self.bed.press(node, push)
            person.sees("What does a short push do")
            person.types("r")
        else:
            person.types("s")

    def write(self, person):
        person.sees("Move it to see how volume follows")
        person.types()
        person.sees("Written to")


class Knob(Learning):
    def test_knob_is_found_proved_and_written(self):
        """The keyboard types meanwhile, and every comment is kept."""
        person = self.person("volume")
        person.sees("ten clicks")
        self.bed("emit event9 KEY_A=1")
        self.bed.turn("event5", "REL_DIAL", 10, (1, 1, 1, 1))
        self.bed("emit event9 KEY_A=0")
        person.types()
        person.sees("REL_DIAL of \"Test Knob\": 4 counts a click, up to the right")
        person.sees("Push the knob")
        person.types("x")
        person.sees('"x" is not an answer to this')
        self.bed.press("event5", "BTN_0")
        person.sees("What does a short push do")
        person.types("r")
        person.sees(r'\+ \[device.knob\]')
        person.sees("Move it to see how volume follows")
        self.bed.turn("event5", "REL_DIAL", 5, (1, 1, 1, 1))
        person.sees(r"volume \[###.*\] 5\b")
        self.assertEqual(self.text(), CONFIGURATION, "nothing is written before it is agreed to")
        person.types()
        person.sees("Written to")
        person.sees("Move it once more")
        self.bed.turn("event5", "REL_DIAL", 1, (1, 1, 1, 1))
        person.sees("volume is .*Done")
        self.assertEqual(person.ends(), 0)
        knob = ('[device.knob]\nmatch = { vendor = "1209", product = "2303", uniq = "A1" }\ncounts-per-detent = 4\n\n')
        expected = CONFIGURATION.replace("# How loud.", knob + "# How loud.").replace(
            'rotate = "panel:dial"\n',
            'rotate = ["panel:dial", "knob:REL_DIAL"]\npush = { input = "knob:BTN_0", short = "reset" }\n')
        self.assertEqual(self.text(), expected)
        self.assertEqual(len(self.backups()), 1)
        with open(self.backups()[0], encoding="utf-8") as backup:
            self.assertEqual(backup.read(), CONFIGURATION)

    def test_a_second_run_changes_what_the_first_wrote(self):
        """First with the wrong direction and counts."""
        person = self.person("volume")
        self.learn_knob(person, (-1, -1))
        self.write(person)
        person.types()
        self.assertEqual(person.ends(), 0)
        self.assertIn("invert = true\ncounts-per-detent = 2\n", self.text())
        again = self.person("volume")
        self.learn_knob(again, (1,))
        self.write(again)
        again.types()
        self.assertEqual(again.ends(), 0)
        self.assertIn("invert = false\ncounts-per-detent = 1\n", self.text())
        self.assertEqual(self.text().count("[device."), 2)
        self.assertEqual(self.text().count("knob:REL_DIAL"), 1)
        self.assertEqual(len(self.backups()), 2)
        third = self.person("volume")
        self.learn_knob(third, (1,))
        third.sees("contains all of this already")
        third.types()
        third.sees("Nothing had to be changed")
        self.assertEqual(len(self.backups()), 2)

    def test_back_leads_to_the_question_before(self):
        person = self.person()
        person.sees("Which control")
        person.types("No Such")
        person.sees("cannot be the name")
        person.types("treble")
        person.sees("The minimum")
        person.types("-10")
        person.sees("The maximum")
        person.types("b")
        person.sees("The minimum")
        person.types("-12")
        person.sees("The maximum")
        person.types("12")
        person.sees("change for one click")
        person.types("0.5")
        self.learn_knob(person)
        person.sees(r"\+ \[control.treble\]\n\s*\+ minimum = -12\n\s*\+ maximum = 12\n\s*\+ step = 0.5")
        person.sees("Move it")
        person.types("b")
        person.sees("Which control")
        person.types("q")
        person.sees("Nothing was changed")
        self.assertEqual(person.ends(), 1)
        self.assertEqual(self.text(), CONFIGURATION)

    def test_nothing_moves(self):
        """It says what is plugged in, and that the keyboard is not watched."""
        person = self.person("volume")
        person.sees("Nothing moves")
        person.sees('event5 "Test Knob": is watched')
        person.sees('event9 "Test Keyboard": .*keyboard.*--device event9')
        self.bed.turn("event5", "REL_DIAL", 10)
        person.types()
        person.sees("It is REL_DIAL")

    def test_a_device_that_is_named_is_watched_alone(self):
        person = self.person("volume", "--device", "evnt9")
        person.sees("there is no device 'evnt9'; did you mean 'event9'")
        self.assertEqual(person.ends(), 4)
        person = self.person("volume", "--device", "event9")
        person.sees("ten clicks")
        self.bed.turn("event5", "REL_DIAL", 10)
        person.sees("Nothing moves")
        person.sees('event5 "Test Knob": is not watched, because --device names event9')
        self.bed.press("event9", "KEY_VOLUMEUP")
        person.sees('It is KEY_VOLUMEUP of "Test Keyboard"')

    def test_print_writes_nothing(self):
        path = f"{self.bed.daemon.folder}/printed"
        with open(path, "wb") as output:
            person = self.person("volume", "--print", output=output)
            self.learn_knob(person)
            person.sees("Enter prints")
            person.types()
            self.assertEqual(person.ends(), 0)
        self.assertEqual(self.text(), CONFIGURATION)
        with open(path, encoding="utf-8") as printed:
            text = printed.read()
        self.assertIn('rotate = ["panel:dial", "knob:REL_DIAL"]', text)
        self.assertTrue(text.startswith("# The kitchen's radio.") and text.endswith("# The end.\n"))

    def test_interrupting_leaves_everything_as_it_was(self):
        """At each question; so is the terminal."""
        def stop(*steps):
            person = self.person("volume")
            for step in steps:
                step(person)
            person.interrupts()
            self.assertIn(person.ends(), (-signal.SIGINT, 130))
            self.assertEqual(termios.tcgetattr(person.terminal), person.modes)
            self.assertEqual(self.text(), CONFIGURATION)
            self.assertEqual(self.backups(), [])

        def turned(person):
            person.sees("ten clicks")
            self.bed.turn("event5", "REL_DIAL", 10)
            person.types()

        def pushed(person):
            person.sees("Push the knob")
            self.bed.press("event5", "BTN_0")

        def asked(person):
            person.sees("What does a short push do")

        stop(lambda person: person.sees("ten clicks"))
        stop(turned, lambda person: person.sees("Push the knob"))
        stop(turned, pushed, asked)
        stop(turned, pushed, asked, lambda person: person.types("r"), lambda person: person.sees("Move it to see how"))

    def test_file_keeps_mode_and_link(self):
        real = f"{self.bed.daemon.folder}/real.toml"
        os.rename(self.bed.daemon.configuration, real)
        os.symlink(real, self.bed.daemon.configuration)
        os.chmod(real, 0o640)
        person = self.person("volume")
        self.learn_knob(person)
        self.write(person)
        self.assertTrue(os.path.islink(self.bed.daemon.configuration))
        self.assertEqual(stat.S_IMODE(os.stat(real).st_mode), 0o640)
        self.assertIn("knob:REL_DIAL", self.text())

    def test_file_that_changed_meanwhile_is_not_overwritten(self):
        person = self.person("volume")
        self.learn_knob(person)
        person.sees("Move it")
        self.bed.daemon.configure(CONFIGURATION + "# edited\n")
        person.types()
        person.sees("changed by another program")
        self.assertEqual(person.ends(), 1)
        self.assertEqual(self.text(), CONFIGURATION + "# edited\n")

    def test_file_may_be_named_from_the_working_directory(self):
        folder, name = os.path.split(self.bed.daemon.configuration)
        person = self.person("volume", "--config", name, folder=folder)
        self.learn_knob(person)
        self.write(person)
        person.sees("Move it once more")
        person.types()
        self.assertEqual(person.ends(), 0)
        self.assertIn("knob:REL_DIAL", self.text())

    def test_key_that_repeats_keeps_no_answer_away(self):
        """As a latching switch does for ever."""
        person = self.person("volume")
        person.sees("ten clicks")
        self.bed.turn("event5", "REL_DIAL", 10)
        person.types()
        person.sees("Push the knob")
        self.bed("emit event5 BTN_0=1")
        person.sees("1 pressed")
        pace(0.25)  # it is not the press that is meant
        self.bed("emit event5 BTN_0=2")
        person.types_at_once("x")
        person.sees('"x" is not an answer')

    def test_answer_at_the_time_of_a_key_is_not_read_silently(self):
        person = self.person("volume", "--device", "event9")
        person.sees("ten clicks")
        self.bed("emit event9 KEY_A=1")
        person.sees("1 pressed")
        person.types_at_once("b")
        person.sees("it is not taken as an answer; type it again")

    def test_device_that_is_unplugged_is_asked_for_again(self):
        person = self.person("volume")
        person.sees("ten clicks")
        self.bed.turn("event5", "REL_DIAL", 10)
        person.types()
        person.sees("Push the knob")
        self.bed("remove event5")
        person.sees("unplugged: event5")
        self.bed(KNOB.replace("event5", "event8"))
        person.sees("plugged in: event8")
        person.types("s")
        person.sees("event5 was unplugged meanwhile, so this is done once more")
        self.learn_knob(person, node="event8")
        person.sees("Move it to see how volume follows")
        self.bed("remove event8")
        person.sees("unplugged: event8")
        self.bed(KNOB)
        person.sees("plugged in: event5")
        self.bed.turn("event5", "REL_DIAL", 5)
        person.sees(r"volume \[###.*\] 5\b")
        person.types()
        person.sees("Written to")

    def test_a_second_knob_that_moves_alike_is_named(self):
        self.bed(OTHER_KNOB)
        person = self.person("volume")
        person.sees("ten clicks")
        for _ in range(10):
            self.bed("emit event5 REL_DIAL=1")
            self.bed("emit event6 REL_DIAL=1")
        person.types()
        person.sees("moved nearly as much")

    def test_range_that_no_control_can_have_is_asked_again(self):
        person = self.person("treble")
        person.sees("The minimum")
        person.types("-900000000000000000")
        person.sees("The maximum")
        person.types()
        person.sees("change for one click")
        person.types("0.000000001")
        person.sees("A control cannot have these")
        person.sees("The minimum")

    def test_what_cannot_be_written_is_printed(self):
        person = self.person("volume")
        self.learn_knob(person)
        person.sees("Move it to see")
        os.makedirs(f"{os.path.dirname(self.bed.daemon.configuration)}/.{os.path.basename(self.bed.daemon.configuration)}.new/x")
        person.types()
        person.sees(r'rotate = \["panel:dial", "knob:REL_DIAL"\]')
        person.sees("cannot create .*new: File exists")
        self.assertEqual(person.ends(), 1)
        self.assertEqual(self.text(), CONFIGURATION)
        self.assertEqual(self.backups(), [])

    def test_what_a_push_does_is_asked_once(self):
        self.bed.daemon.configure(CONFIGURATION.replace('"panel:dial"\n', '"panel:dial"\npush = { input = "panel:push", short = "page-mode" }\n'))
        self.bed.call("reload")
        person = self.person("volume")
        person.sees("ten clicks")
        self.bed.turn("event5", "REL_DIAL", 10)
        person.types()
        person.sees("Push the knob")
        self.bed.press("event5", "BTN_0")
        person.sees("Move it to see how volume follows")
        self.assertNotIn("What does a short push do", person.text)
        person.types()
        person.sees("Written to")
        self.assertIn('"knob:BTN_0"', self.text())
        self.assertIn('short = "page-mode"', self.text())

    def test_lost_connection_is_told(self):
        person = self.person("volume")
        person.sees("ten clicks")
        self.bed("signal KILL")
        person.sees("connection lost, trying again")

    def test_json_ends_with_a_result_whatever_happens(self):
        process = subprocess.Popen(
            [f"{BUILD}/stepperctl", "learn", "volume", "--json", "--timeout", f"{DEADLINE}s"], env=self.bed.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        with process.stdin as answers:
            for line in process.stdout:
                message = json.loads(line)
                if message.get("id") == "move":
                    self.bed.turn("event5", "REL_DIAL", 10)
                elif message.get("id") == "write":
                    os.makedirs(f"{os.path.dirname(self.bed.daemon.configuration)}/.{os.path.basename(self.bed.daemon.configuration)}.new/x")
                if message["type"] == "prompt":
                    answers.write("s\n" if message["id"] == "push" else "\n")
                    answers.flush()
        self.assertEqual((message["type"], message["written"]), ("result", False))
        self.assertEqual(process.wait(DEADLINE), 1)

    def test_json_is_a_stream_of_objects(self):
        """Another program plays the person."""
        process = subprocess.Popen(
            [f"{BUILD}/stepperctl", "learn", "volume", "--json", "--timeout", f"{DEADLINE}s"], env=self.bed.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        kinds, difference = [], []
        with process.stdin as answers:
            for line in process.stdout:
                message = json.loads(line)
                kinds.append(message["type"])
                question = message.get("id")
                if question == "move":
                    self.bed.turn("event5", "REL_DIAL", 10)
                elif message["type"] == "proposal":
                    difference = message["difference"]
                elif question == "confirm":
                    self.bed.turn("event5", "REL_DIAL", 2)
                    continue
                if question:
                    answers.write("s\n" if question == "push" else "\n")
                    answers.flush()
                if message["type"] == "result":
                    self.assertTrue(message["written"] and os.path.exists(message["backup"]))
                    break
        self.assertEqual(process.wait(DEADLINE), 0)
        self.assertIn("+ [device.knob]", difference)
        for kind in ("prompt", "finding", "proposal", "value", "result"):
            self.assertIn(kind, kinds)


class Included(Learning):
    """A configuration that includes a file."""

    def setUp(self):
        super().setUp()
        self.included = f"{self.bed.daemon.folder}/sent.toml"
        with open(self.included, "w", encoding="utf-8") as file:
            file.write('[device.knob]\nmatch = { name = "Other" }\n[control.treble]\nmaximum = 10\n')
        self.main = CONFIGURATION.replace("[daemon]\n", f'[daemon]\ninclude = "{self.included}"\n')
        self.bed.daemon.configure(self.main)
        self.bed.call("reload")
        self.assertIn("treble", self.bed.call("list"))

    def test_its_controls_are_refused(self):
        person = self.person("treble")
        person.sees(f"treble is in {self.included}, which the configuration includes")
        self.assertEqual(person.ends(), 1)
        asked = self.person()
        asked.sees("Which control")
        asked.types("treble")
        asked.sees("learn does not change")
        asked.sees("Which control")
        asked.types("q")
        self.assertEqual(asked.ends(), 1)
        self.assertEqual(self.text(), self.main)

    def test_names_of_its_devices_are_taken(self):
        person = self.person("volume")
        self.learn_knob(person)
        person.sees(r"\+ \[device.knob2\]")
        self.write(person)
        person.types()
        self.assertEqual(person.ends(), 0)
        self.assertIn("treble", self.bed.call("list"))


class NoPermission(Learning):
    def test_file_that_cannot_be_written_is_told_first(self):
        os.chmod(self.bed.daemon.configuration, 0o400)
        person = self.person("volume")
        person.sees("cannot be written")
        person.types("q")
        self.assertEqual(person.ends(), 1)

    def test_no_daemon(self):
        person = self.person("volume", "--address", f"{self.bed.daemon.folder}/none")
        person.sees("cannot connect")
        self.assertEqual(person.ends(), 3)


class Buttons(Learning):
    devices = [KEYS, KNOB]

    def test_two_buttons(self):
        person = self.person("volume")
        person.sees("button for more")
        self.bed.press("event7", "KEY_VOLUMEUP")
        person.sees("It is KEY_VOLUMEUP")
        person.sees("button for less")
        self.bed.press("event7", "KEY_VOLUMEUP")
        person.sees("the same button")
        self.bed.press("event7", "KEY_VOLUMEDOWN")
        person.sees("It is KEY_VOLUMEDOWN")
        self.write(person)
        person.types()
        self.assertEqual(person.ends(), 0)
        self.assertIn(
            '[device.buttons]\nmatch = { path = "/dev/input/by-path/platform-gpio-keys-event" }\n', self.text())
        self.assertIn('increment = "buttons:KEY_VOLUMEUP"\ndecrement = "buttons:KEY_VOLUMEDOWN"\n', self.text())

    def test_knob_that_sends_keys(self):
        person = self.person("volume")
        person.sees("ten clicks")
        for _ in range(10):
            self.bed.press("event7", "KEY_VOLUMEUP", 0.001)
        person.sees("a knob that sends a key")
        person.sees("to the left")
        for _ in range(10):
            self.bed.press("event7", "KEY_VOLUMEDOWN", 0.001)
        person.sees("Push the knob")
        person.types("s")
        person.sees(r'\+ increment = "buttons:KEY_VOLUMEUP"')


class Fader(Learning):
    devices = [FADER, KEYBOARD]

    def test_fader_with_noise_and_taper(self):
        """Its neighbour is noisy, and its ends are exchanged."""
        person = self.person("volume")
        person.sees("move the fader")
        self.bed.slide("event8", "ABS_X", 12, 1003)
        for place in (201, 200, 203, 200):
            self.bed(f"emit event8 ABS_Y={place}")
        self.bed.slide("event8", "ABS_X", 1003, 12, 1003, 700)
        for place in (701, 699, 701, 700):
            self.bed(f"emit event8 ABS_X={place}")
        person.sees('It is ABS_X of "Board of faders": from 12 to 1003, with a noise of 2 counts')
        person.sees("end at which volume is highest")
        self.bed.slide("event8", "ABS_X", 700, 12)
        person.sees("audio fader")
        person.types("a")
        self.write(person)
        person.types()
        self.assertEqual(person.ends(), 0)
        self.assertRegex(
            self.text(), r"axis.ABS_X = \{ minimum = 2\d, maximum = 99\d, invert = true, hysteresis = 3 \}")
        self.assertIn('absolute = "fader:ABS_X"\ncurve = "logarithmic"\n', self.text())


class LogarithmicFader(Learning):
    devices = [FADER]
    configuration = CONFIGURATION.replace("maximum = 60 # not more\n", 'maximum = 60\ncurve = "logarithmic"\n')

    def test_curve_is_not_asked_for(self):
        person = self.person("volume")
        person.sees("move the fader")
        self.bed.slide("event8", "ABS_X", 12, 1003, 12, 1003, 700)
        person.types()
        person.sees("end at which volume is highest")
        self.bed.slide("event8", "ABS_X", 700, 1003)
        person.types()
        person.sees("Move it to see")
        self.assertNotIn("audio fader", person.text)


class EqualDevices(Learning):
    devices = [
        OTHER_KNOB.replace("event6", "event5") + " phys=usb-1/input0 link=/dev/input/by-path/pci-usb-0:1:1.0-event",
        OTHER_KNOB + " phys=usb-2/input0 link=/dev/input/by-path/pci-usb-0:2:1.0-event",
    ]
    configuration = CONFIGURATION.replace("# How loud.", '[device.knob]\nmatch = { vendor = "1209" }\n\n# How loud.').replace(
        '"panel:dial"', '["panel:dial", "knob:REL_DIAL"]')

    def test_one_of_two_gets_a_table_before_the_common_one(self):
        before = int(self.value("volume"))
        person = self.person("bass")
        for question in ("The minimum", "The maximum", "change for"):
            person.sees(question)
            person.types()
        self.learn_knob(person, node="event6")
        person.sees("Move it to see how bass follows")
        person.types()
        person.sees("Written to")
        person.sees("Move it once more")
        self.bed.turn("event6", "REL_DIAL", 3)
        person.sees("Done")
        self.assertEqual(person.ends(), 0)
        text = self.text()
        self.assertIn('[device.knob2]\nmatch = { path = "/dev/input/by-path/pci-usb-0:2:1.0-event" }\n\n[device.knob]', text)
        # Both turned the volume before; the other one still does, alone.
        self.bed.turn("event6", "REL_DIAL", 2)
        self.bed.turn("event5", "REL_DIAL", 7)
        self.assertEqual(int(self.value("volume")), before + 10 + 7)


class NoFile(Learning):
    """A daemon with the built-in configuration."""

    configuration = None

    def test_file_is_made(self):
        person = self.person("volume")
        person.sees("volume is in the built-in configuration; the new file has it with the same range, 0 to 100")
        self.learn_knob(person)
        self.write(person)
        person.types()
        self.assertEqual(person.ends(), 0)
        path = f"{self.bed.daemon.folder}/config/stepperd/stepperd.toml"
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn('[control.volume]\nminimum = 0\nmaximum = 100\nrotate = "knob:REL_DIAL"\n', text)
        self.assertIn(path, self.bed.call("status"))

    def test_control_that_is_not_built_in_is_asked_for_its_range(self):
        person = self.person("bass")
        person.sees("bass does not exist yet and is created")
        for question in ("The minimum", "The maximum", "change for"):
            person.sees(question)
            person.types()
        person.sees("ten clicks")
        person.types("q")
        self.assertEqual(person.ends(), 1)


if __name__ == "__main__":
    unittest.main()
