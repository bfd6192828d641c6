#!/usr/bin/env python3
"""A board with controls of every kind at the real Home Assistant: what `run` starts.

STEPPERD_HOME_ASSISTANT is the folder that `make-folder` made. All tests share one Home Assistant and one board, and leave it as it was.
"""

import json
import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "MQTT"))

from bed import BUILD, VERSION, Bed  # it knows where the modules of all tests are
from loopback import free_port
import network
from connection import Connection
from home import Home
from waiting import eventually

CONTROLS = """\
[device.panel]
virtual = true

[control.volume]
title = "Volume"
unit = "%"
rotate = "panel:dial"
maximum = 100
initial = 20

[control.tuning]
title = "Tuning of the Küche"
minimum = -10
maximum = 10
step = 0.5
initial = 0
unit = "dB"

[control.copies]
minimum = 1
maximum = 5000

[control.frequency]
maximum = "none"
unit = "MHz"
step = 0.1
initial = 100

[control.loose]
bounds = "advisory"
maximum = 10

[control.fine]
maximum = 1
step = 0.0001

[control.vague]
maximum = 10
unset = true
initial = "unset"

[control.source]
title = "Source"
choices = ["radio", "usb", "line"]

[control.mute]
title = "Mute"
kind = "toggle"

[control.lock]
kind = "toggle"
writable-by = "nobody"

[control.meter]
maximum = 10
writable-by = "nobody"

[control.bell]
title = "Bell"
kind = "button"
push = { input = "panel:push", delay = "500ms", multi-press = "300ms" }

[control.door]
title = "Door"
kind = "button"
push = "panel:plus"
"""
MOMENTS = ["limit", "minimum", "maximum", "press", "release", "shortPress", "doublePress", "triplePress", "longPress", "reset", "end", "idle"]
#: What Home Assistant has of each: entity, name, what its state has besides.
ENTITIES = {
    "number.kiosk_1_volume": ("Volume", {"min": 0, "max": 100, "step": 1, "mode": "auto", "unit_of_measurement": "%"}),
    "number.kiosk_1_tuning": ("Tuning of the Küche", {"min": -10, "max": 10, "step": 0.5, "mode": "auto", "unit_of_measurement": "dB"}),
    "number.kiosk_1_copies": ("copies", {"min": 1, "max": 5000, "step": 1, "mode": "auto"}),
    "number.kiosk_1_vague": ("vague", {"min": 0, "max": 10, "step": 1}),
    "sensor.kiosk_1_frequency": ("frequency", {"unit_of_measurement": "MHz", "state_class": "measurement"}),
    "text.kiosk_1_frequency_text": ("frequency setting", {"mode": "text"}),
    "sensor.kiosk_1_loose": ("loose", {"state_class": "measurement"}),
    "text.kiosk_1_loose_text": ("loose setting", {}),
    "sensor.kiosk_1_fine": ("fine", {"state_class": "measurement"}),
    "text.kiosk_1_fine_text": ("fine setting", {}),
    "select.kiosk_1_source": ("Source", {"options": ["radio", "usb", "line"]}),
    "switch.kiosk_1_mute": ("Mute", {}),
    "binary_sensor.kiosk_1_lock": ("lock", {}),
    "sensor.kiosk_1_meter": ("meter", {"state_class": "measurement"}),
    "binary_sensor.kiosk_1_bell": ("Bell", {}),
    "event.kiosk_1_bell_event": ("Bell moment", {"event_types": MOMENTS}),
    "binary_sensor.kiosk_1_door": ("Door", {}),
    "event.kiosk_1_door_event": ("Door moment", {"event_types": MOMENTS}),
    "sensor.kiosk_1_last_refusal": ("Last refusal", {}),
}
#: Which of them is of no control.
REFUSAL = "sensor.kiosk_1_last_refusal"
PAGE = "http://kiosk-1.example:8383/"
#: What is there and disabled, until somebody enables it. Home Assistant makes its ID of its name.
WRITABLE = ("volume", "tuning", "copies", "frequency", "loose", "fine", "vague", "source", "mute")
SLUGS = {"tuning": "tuning_of_the_kuche"}
DISABLED = ([f"button.kiosk_1_{SLUGS.get(name, name)}_reset" for name in WRITABLE if name != "vague"]
            + [f"event.kiosk_1_{SLUGS.get(name, name)}_moment" for name in (*WRITABLE, "lock", "meter")])


class Case(unittest.TestCase):
    """A board and a Home Assistant for all tests."""

    @classmethod
    def setUpClass(cls):
        port = free_port()
        cls.bed = Bed(f'web-page = "{PAGE}"\n', CONTROLS, plain_port=port)
        cls.addClassCleanup(cls.bed.stop)
        cls.home = Home(os.environ["STEPPERD_HOME_ASSISTANT"], f"{cls.bed.folder}/home-assistant")
        cls.addClassCleanup(cls.home.stop)
        cls.prepare(cls.home.folder)
        cls.bed.start()
        cls.home.start()
        cls.home.connect_to_broker(broker="127.0.0.1", port=port, username="house", password="secret of house")

    @classmethod
    def prepare(cls, folder):
        """Adds to the configuration of Home Assistant."""

    # What Home Assistant has

    def entities(self):
        """Its register of our entities."""
        return {entity["entity_id"]: entity for entity in self.home.api.call("config/entity_registry/list") if entity["platform"] == "mqtt"}

    def devices(self):
        """Its register of our devices."""
        return [device for device in self.home.api.call("config/device_registry/list") if ["mqtt", "stepperd_kiosk-1"] in device["identifiers"]]

    def states(self):
        """All states."""
        return {state["entity_id"]: state for state in self.home.api.call("get_states")}

    def state(self, entity):
        """The state of one entity, None if it has none."""
        return self.states().get(entity, {}).get("state")

    def expect(self, entity, state, timeout=20):
        """Waits until an entity has a state."""
        eventually(lambda: self.state(entity) == state, lambda: f"{entity} is {self.state(entity)!r}, not {state!r}; {self.complaints()}", timeout)

    def use(self, entity, service, **data):
        """As somebody does who touches it."""
        domain, _, name = service.partition(".")
        self.home.api.call("call_service", domain=domain, service=name, service_data=data, target={"entity_id": entity})

    def complaints(self):
        """Of Home Assistant about us."""
        words = ("mqtt", "kiosk", "stepperd")
        return [entry for entry in self.home.complaints() if any(word in entry.lower() for word in words)]

    # The board

    def expect_value(self, control, text):
        """Waits until the daemon has this value."""
        eventually(lambda: self.bed.value(control) == text, lambda: f"{control} is {self.bed.value(control)!r}, not {text!r}", 20)

    def stepperctl(self, *arguments):
        """What a hand does."""
        command = [f"{BUILD}/stepperctl", "--address", self.bed.daemon.socket, *arguments]
        subprocess.run(command, check=True, capture_output=True, timeout=20, env=self.bed.environment())

    def sequences(self):
        """Of all controls; a command would change them."""
        return {each["state"]["control"]: each["state"]["sequence"] for each in self.bed.call("List")["controls"]}

    def configure(self, controls):
        """Gives the daemon another configuration."""
        self.bed.daemon.configure(self.bed.text(controls))
        self.bed.daemon.process.send_signal(signal.SIGHUP)

    def expect_equal(self):
        """Every enabled entity has the daemon's value."""
        def difference():
            states = self.states()
            for entity in ENTITIES:
                domain, _, name = entity.partition(".")
                if domain == "event" or entity == REFUSAL:
                    continue
                control = name.removeprefix("kiosk_1_").removesuffix("_text")
                text = self.bed.value(control)
                found = states.get(entity, {}).get("state")
                wanted = "unknown" if text is None and domain != "text" else text or ""
                same = float(found) == float(wanted) if domain == "number" and self.is_number(found) and text else found == wanted
                if not same:
                    return f"{entity} is {found!r} and {control} {text!r}"
            return None

        eventually(lambda: difference() is None, difference, 40)

    @staticmethod
    def is_number(text):
        """Whether a state is one."""
        try:
            float(text)
            return True
        except (TypeError, ValueError):
            return False


class TestHome(Case):
    """The life of a board in Home Assistant, in this order."""

    def test_1_everything_appears_by_itself(self):
        """With the right platform, name, bounds, unit and entity id; and as one device."""
        eventually(lambda: set(ENTITIES) <= set(self.states()), lambda: f"missing: {set(ENTITIES) - set(self.states())}; {self.complaints()}", 30)
        self.maxDiff = None
        states, entities = self.states(), self.entities()
        self.assertEqual(sorted(entities), sorted([*ENTITIES, *DISABLED]))
        for entity, (name, attributes) in ENTITIES.items():
            found = states[entity]["attributes"]
            self.assertEqual(found["friendly_name"], f"Kiosk 1 {name}")
            self.assertEqual({key: found.get(key) for key in attributes}, attributes, entity)
            self.assertIsNone(entities[entity]["disabled_by"])
        for entity in DISABLED:
            self.assertEqual(entities[entity]["disabled_by"], "integration", entity)
        device, = self.devices()
        announced = json.loads(self.bed.house.text("homeassistant/device/kiosk-1/config"))["dev"]
        self.assertEqual({key: device[key] for key in ("name", "manufacturer", "model", "serial_number", "sw_version", "configuration_url")},
                         {"name": "Kiosk 1", "manufacturer": "stepperd", "model": announced["mdl"], "serial_number": announced.get("sn"),
                          "sw_version": VERSION, "configuration_url": PAGE})
        self.assertEqual(entities[REFUSAL]["entity_category"], "diagnostic")
        self.assertTrue(all(entity["device_id"] == device["id"] for entity in entities.values()))
        self.expect_equal()

    def test_2_the_hand_is_seen(self):
        """What is done at the board shows there."""
        self.stepperctl("turn", "panel:dial", "3")
        self.expect("number.kiosk_1_volume", "23")
        for control, value, entity in (("tuning", "-2.5", "number.kiosk_1_tuning"), ("frequency", "104.6", "sensor.kiosk_1_frequency"),
                                       ("frequency", "104.7", "text.kiosk_1_frequency_text"), ("loose", "50", "sensor.kiosk_1_loose"),
                                       ("fine", "0.1234", "sensor.kiosk_1_fine"), ("source", "line", "select.kiosk_1_source"),
                                       ("mute", "on", "switch.kiosk_1_mute"), ("vague", "3", "number.kiosk_1_vague"),
                                       ("copies", "4999", "number.kiosk_1_copies")):
            self.bed.call("Set", control=control, text=value)
            self.expect(entity, value)
        self.bed.call("Set", control="vague", text="")
        self.expect("number.kiosk_1_vague", "unknown")
        self.expect_equal()

    def test_3_it_moves_the_controls(self):
        """Each kind of entity that can; and what the control does not take is not shown."""
        for entity, service, data, control, text in (
                ("number.kiosk_1_volume", "number.set_value", {"value": 41}, "volume", "41"),
                ("number.kiosk_1_tuning", "number.set_value", {"value": -7.5}, "tuning", "-7.5"),
                ("select.kiosk_1_source", "select.select_option", {"option": "usb"}, "source", "usb"),
                ("switch.kiosk_1_mute", "switch.turn_off", {}, "mute", "off"),
                ("switch.kiosk_1_mute", "switch.turn_on", {}, "mute", "on"),
                ("switch.kiosk_1_mute", "switch.toggle", {}, "mute", "off"),
                ("text.kiosk_1_frequency_text", "text.set_value", {"value": "88.1"}, "frequency", "88.1"),
                ("text.kiosk_1_fine_text", "text.set_value", {"value": "0.0001"}, "fine", "0.0001"),
                ("text.kiosk_1_loose_text", "text.set_value", {"value": "-40"}, "loose", "-40")):
            with self.subTest(service, **data):
                self.use(entity, service, **data)
                self.expect_value(control, text)
                self.expect(entity, text)
        self.expect_equal()
        self.use("text.kiosk_1_frequency_text", "text.set_value", value="loud")
        self.bed.house.expect("stepperd/kiosk-1/frequency/result", lambda text: text and "error" in text)
        message = json.loads(self.bed.house.text("stepperd/kiosk-1/frequency/result"))["message"]
        self.expect(REFUSAL, message)
        self.expect_equal()

    def test_3a_reasons_are_kept(self):
        """Until the next one: what is accepted changes nothing, and is no news."""
        reason, before = self.state(REFUSAL), self.states()[REFUSAL]["last_updated"]
        self.assertIn("frequency", reason)
        self.bed.house.publish("stepperd/kiosk-1/volume/set", '{"value": 40, "id": "accepted"}')
        self.bed.house.expect("stepperd/kiosk-1/volume/result", lambda text: text and '"id":"accepted","ok":true' in text)
        self.expect_value("volume", "40")
        self.assertEqual((self.state(REFUSAL), self.states()[REFUSAL]["last_updated"]), (reason, before))
        self.use("text.kiosk_1_fine_text", "text.set_value", value="9" * 250)
        eventually(lambda: self.state(REFUSAL).startswith("'999"), lambda: self.state(REFUSAL), 20)
        self.assertEqual(len(self.state(REFUSAL)), 255)
        self.expect_equal()

    def test_4_reset_can_be_enabled(self):
        """And is pressed."""
        api = self.home.api
        api.call("config/entity_registry/update", entity_id="button.kiosk_1_volume_reset", disabled_by=None)
        # It loads the integration again half a minute later; people who do not wait reload it.
        entry, = api.call("config_entries/get", domain="mqtt")
        self.home.request(f"/api/config/config_entries/entry/{entry['entry_id']}/reload", {})
        eventually(lambda: self.state("button.kiosk_1_volume_reset") not in (None, "unavailable"), lambda: f"{self.state('button.kiosk_1_volume_reset')}", 30)
        self.bed.call("Set", control="volume", value=66)
        self.expect("number.kiosk_1_volume", "66")
        self.use("button.kiosk_1_volume_reset", "button.press")
        self.expect_value("volume", "20")
        self.expect("number.kiosk_1_volume", "20")

    def test_5_a_range_is_adjusted(self):
        """The new bounds arrive before the value that is outside of the old ones."""
        self.bed.call("Adjust", control="volume", maximum=200)
        self.bed.call("Set", control="volume", value=150)
        self.expect("number.kiosk_1_volume", "150")
        self.assertEqual(self.states()["number.kiosk_1_volume"]["attributes"]["max"], 200)
        self.use("number.kiosk_1_volume", "number.set_value", value=180)
        self.expect_value("volume", "180")
        self.bed.call("Set", control="volume", value=20)
        self.bed.call("Adjust", control="volume", maximum=100)
        eventually(lambda: self.states()["number.kiosk_1_volume"]["attributes"]["max"] == 100, "the old bounds", 20)

    def test_6_a_button_triggers(self):
        """By its device triggers, and its event."""
        device, = self.devices()
        triggers = [trigger for trigger in self.home.api.call("device_automation/trigger/list", device_id=device["id"])
                    if trigger["domain"] == "mqtt"]
        names = sorted((trigger["subtype"], trigger["type"]) for trigger in triggers)
        kinds = ("button_double_press", "button_long_press", "button_short_press")
        self.assertEqual(names, [*(("Bell", kind) for kind in kinds), ("Door", "button_short_press")])
        fired = {trigger["type"]: self.home.api.follow("subscribe_trigger", trigger=trigger) for trigger in triggers if trigger["subtype"] == "Bell"}
        self.stepperctl("click", "panel:push")
        eventually(fired["button_short_press"], "the trigger fires", 20)
        eventually(lambda: self.states()["event.kiosk_1_bell_event"]["attributes"].get("event_type") == "shortPress",
                   lambda: f"{self.states()['event.kiosk_1_bell_event']}", 20)
        self.stepperctl("press", "panel:push", "--hold", "1s")
        eventually(fired["button_long_press"], "the trigger fires", 20)
        with Connection(self.bed.daemon.socket) as hand:
            for _ in range(2):
                hand.call("org.stepperd.device.Press", device="panel", input="push")
                hand.call("org.stepperd.device.Release", device="panel", input="push")
        eventually(fired["button_double_press"], "the trigger fires", 20)
        self.assertEqual([len(fired[kind]()) for kind in kinds], [1, 1, 1])
        self.expect("binary_sensor.kiosk_1_bell", "off")

    def test_7_losses_are_seen(self):
        """A dead bridge and a dead daemon make it unavailable, and it comes back with the right values."""
        self.bed.kill(self.bed.bridge)
        self.expect("number.kiosk_1_volume", "unavailable")
        self.expect("select.kiosk_1_source", "unavailable")
        self.bed.call("Set", control="volume", value=77)
        self.bed.start_bridge()
        self.expect("number.kiosk_1_volume", "77", 60)
        self.bed.kill(self.bed.daemon.process)
        self.expect("switch.kiosk_1_mute", "unavailable")
        self.bed.start_daemon()
        self.expect_equal()

    def test_8_home_assistant_is_restarted(self):
        """Everything comes back, and no control is moved by it."""
        before, log = self.sequences(), len(self.bed.house.log)
        self.home.restart()
        self.expect_equal()
        # Its birth is answered by an announcement within ten seconds.
        answer = "homeassistant/device/kiosk-1/config"
        eventually(lambda: any(topic == answer and not retained for topic, _, retained in self.bed.house.log[log:]), "an answer to the birth", 30)
        self.expect_equal()
        self.assertEqual(self.sequences(), before)
        self.assertEqual([topic for topic, _, _ in self.bed.house.log[log:] if topic.endswith(("/set", "/step", "/reset"))], [])

    def test_9_another_configuration(self):
        """A control that is there no more disappears; one of another kind changes its platform, beside one that is new."""
        changed = CONTROLS.replace("[control.mute]\ntitle = \"Mute\"\nkind = \"toggle\"\n", "")
        changed = changed.replace('choices = ["radio", "usb", "line"]', "maximum = 9")
        self.configure('[control.above]\nchoices = ["a", "b"]\n' + changed)
        eventually(lambda: {"number.kiosk_1_source", "select.kiosk_1_above"} <= set(self.states()) and "switch.kiosk_1_mute" not in self.entities(),
                   lambda: f"{sorted(self.entities())}; {self.complaints()}", 30)
        self.assertNotIn("select.kiosk_1_source", self.entities())
        # Home Assistant leaves what is disabled in its register.
        self.assertEqual([entity for entity in self.entities() if "mute" in entity], ["button.kiosk_1_mute_reset", "event.kiosk_1_mute_moment"])
        self.expect("number.kiosk_1_source", self.bed.value("source"))
        self.use("number.kiosk_1_source", "number.set_value", value=4)
        self.expect_value("source", "4")
        self.configure(CONTROLS)
        eventually(lambda: {"select.kiosk_1_source", "switch.kiosk_1_mute"} <= set(self.states()), lambda: f"{sorted(self.entities())}", 30)
        self.assertNotIn("number.kiosk_1_source", self.entities())
        self.expect_equal()

    def test_a_no_complaints(self):
        """Home Assistant has no warning or error about us."""
        self.assertEqual(self.complaints(), [])

    def test_b_an_entity_is_deleted_there(self):
        """Then Home Assistant clears the announcement, so that the whole device is gone, until the board announces itself again."""
        self.home.api.call("config/entity_registry/remove", entity_id="sensor.kiosk_1_meter")
        eventually(lambda: not self.devices(), lambda: f"{sorted(self.entities())}", 20)
        eventually(lambda: set(ENTITIES) <= set(self.states()), lambda: f"missing: {set(ENTITIES) - set(self.states())}", 40)
        self.expect_equal()

    def test_bb_another_id(self):
        """The device of the former one is gone, without a ghost, and the one of the new one is there."""
        with open(f"{self.bed.folder}/access", "a", encoding="ascii") as file:
            file.write("\nuser kiosk\ntopic readwrite stepperd/kiosk-2/#\ntopic readwrite homeassistant/device/kiosk-2/config\n")
        self.bed.broker.process.send_signal(signal.SIGHUP)
        text = self.bed.text(CONTROLS)
        self.bed.reload(text.replace('id = "kiosk-1"', 'id = "kiosk-2"').replace('name = "Kiosk 1"', 'name = "Kiosk 2"'))
        eventually(lambda: self.state("number.kiosk_2_volume") == self.bed.value("volume"), lambda: f"{sorted(self.entities())}", 40)
        eventually(lambda: not self.devices() and not any("kiosk_1" in entity for entity in self.states()), lambda: f"{sorted(self.entities())}", 20)
        self.bed.reload(text)
        eventually(lambda: set(ENTITIES) <= set(self.states()), lambda: f"missing: {set(ENTITIES) - set(self.states())}", 40)
        eventually(lambda: not any("kiosk_2" in entity for entity in self.states()), lambda: f"{sorted(self.entities())}", 20)
        self.expect_equal()

    def test_c_forget(self):
        """The device and its entities are removed."""
        self.bed.bridge.terminate()
        self.assertEqual(self.bed.bridge.wait(10), 0)
        status, output = self.bed.run("forget")
        self.assertEqual(status, 0, output)
        eventually(lambda: not self.entities() and not self.devices(), lambda: f"{sorted(self.entities())} {self.devices()}", 20)
        # With each entity that is disabled it clears the announcement once more, and finds nothing in it.
        self.assertEqual([entry for entry in self.complaints() if "No device components to cleanup" not in entry], [])


if __name__ == "__main__":
    network.enter()
    unittest.main()
