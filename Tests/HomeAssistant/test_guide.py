#!/usr/bin/env python3
"""Documentation/guides/home-assistant.md, followed word by word with the real Home Assistant: what `run` starts."""

import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "MQTT"))

from bed import BUILD  # it knows where the modules of all tests are
import network
from home import Home
from stranger import PROJECT, Stranger
from waiting import eventually

PAGE = f"{PROJECT}/Documentation/guides/home-assistant.md"
CONTROLS = """\
[device.panel]
virtual = true

[control.volume]
rotate = "panel:dial"
maximum = 100
initial = 20

[control.frequency]
maximum = "none"

[control.source]
choices = ["radio", "usb"]

[control.mute]
kind = "toggle"

[control.bell]
kind = "button"
push = { input = "panel:push", delay = "500ms", multi-press = "300ms" }

[control.meter]
maximum = 10
writable-by = "nobody"

[control.lock]
kind = "toggle"
writable-by = "nobody"
"""
#: What shows each row of the guide's table to be true: entities that are there, and those that are disabled.
ROWS = {
    "range with two ends | number, as a slider; as a box above 1,000 steps": (["number.kitchen_volume"], []),
    "range with an open end or advisory bounds, or with a step below 0.001 | sensor, and a text to set it":
        (["sensor.kitchen_frequency", "text.kitchen_frequency_text"], []),
    "choice | select": (["select.kitchen_source"], []),
    "toggle | switch": (["switch.kitchen_mute"], []),
    "button | binary sensor, and the trigger \"short press\" for automations; with `delay` in its `push` \"long press\", with `multi-press` "
    "\"double press\"": (["binary_sensor.kitchen_bell"], []),
    "any control that is read-only | sensor or binary sensor": (["sensor.kitchen_meter", "binary_sensor.kitchen_lock"], []),
    "reset to the initial value, moments | button and event; except for the event of a button, they are disabled until you enable them":
        (["event.kitchen_bell_event"], ["button.kitchen_volume_reset", "event.kitchen_volume_moment"]),
}


class TestGuide(unittest.TestCase):
    """One stranger, one page."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="stepperd-guide.")
        self.addCleanup(place.cleanup)
        self.stranger = Stranger(place.name, CONTROLS)
        self.addCleanup(self.stranger.stop)
        self.home = Home(os.environ["STEPPERD_HOME_ASSISTANT"], f"{place.name}/home-assistant")
        self.addCleanup(self.home.stop)
        self.home.start()

    def connect_home_assistant(self):
        """Its integration logs in with the password of the guide."""
        self.home.connect_to_broker(broker="127.0.0.1", port=1883, username="homeassistant", password="of bricks")

    def states(self):
        """All states by entity."""
        return {state["entity_id"]: state["state"] for state in self.home.api.call("get_states")}

    def devices(self):
        """Those that the board is."""
        return [device for device in self.home.api.call("config/device_registry/list") if device["name"] == "Kitchen"]

    def expect(self, entity, state):
        """Waits until an entity has a state."""
        eventually(lambda: self.states().get(entity) == state, lambda: f"{entity} is {self.states().get(entity)!r}, not {state!r}", 60)

    def stepperctl(self, *arguments):
        """At the board."""
        status, output = self.stranger.shell(" ".join(["stepperctl", *arguments]))
        self.assertEqual(status, 0, output)
        return output.strip()

    def look_at_the_device(self):
        """There is the device, and the table is true."""
        eventually(self.devices, "the device Kitchen", 20)
        with open(PAGE, encoding="utf-8") as file:
            table = re.search(r"^\| control \| entity \|\n\|---\|---\|\n((?:\|.*\n)+)", file.read(), re.MULTILINE)[1]
        rows = [row.strip("| ") for row in table.splitlines()]
        self.assertEqual(rows, list(ROWS))
        everything = {entity for entities, _ in ROWS.values() for entity in entities}
        eventually(lambda: everything <= set(self.states()), lambda: f"missing: {everything - set(self.states())}", 20)
        disabled = {entity["entity_id"] for entity in self.home.api.call("config/entity_registry/list") if entity["disabled_by"]}
        self.assertLessEqual({entity for _, entities in ROWS.values() for entity in entities}, disabled)
        triggers = self.home.api.call("device_automation/trigger/list", device_id=self.devices()[0]["id"])
        self.assertEqual({trigger["type"] for trigger in triggers if trigger["domain"] == "mqtt"},
                         {"button_short_press", "button_long_press", "button_double_press"})

    def move_it_from_both_sides(self):
        """The knob, the slider, the knob; and the plug."""
        self.stepperctl("turn", "panel:dial", "3")
        self.expect("number.kitchen_volume", "23")
        self.home.api.call("call_service", domain="number", service="set_value", service_data={"value": 50},
                           target={"entity_id": "number.kitchen_volume"})
        eventually(lambda: self.stepperctl("get", "volume") == "50", "the control has moved", 20)
        self.stepperctl("turn", "panel:dial", "1")
        self.expect("number.kitchen_volume", "51")
        self.stranger.kill_bridge()
        self.expect("number.kitchen_volume", "unavailable")
        self.stepperctl("set", "volume", "70")
        self.stranger.shell("systemctl enable --now stepperd-mqtt")
        self.expect("number.kitchen_volume", "70")

    def look_at_the_other_program(self):
        """What it set."""
        self.expect("number.kitchen_volume", "30")
        self.assertEqual(self.stepperctl("get", "volume"), "30")

    def look_for_the_device(self):
        """It is gone."""
        eventually(lambda: not self.devices(), lambda: f"{self.devices()}", 20)
        self.assertNotIn("number.kitchen_volume", self.states())

    def test_word_by_word(self):
        """Everything that the page says to type, and what it says happens then."""
        commands = self.stranger.follow(PAGE, {
            "3. Let the broker allow it": self.connect_home_assistant, "4. Start it": self.look_at_the_device, "5. Move it from both sides": self.move_it_from_both_sides,
            "Other programs": self.look_at_the_other_program, "Take it back": self.look_for_the_device})
        self.assertGreater(commands, 12)
        self.assertTrue(os.path.exists(f"{BUILD}/stepperd-mqtt"))


if __name__ == "__main__":
    network.enter()
    unittest.main()
