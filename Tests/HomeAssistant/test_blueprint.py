#!/usr/bin/env python3
"""The blueprint "A knob dims a light" in the real Home Assistant, with a template light: what `run` starts."""

import datetime
import os
import shutil
import unittest

from test_home import Case
from waiting import eventually

EXAMPLE = os.path.join(os.path.dirname(__file__), "..", "..", "Documentation/examples/home-assistant/knob-light.yaml")
KNOB, LAMP = "number.kiosk_1_volume", "light.lamp"
#: Seconds between two commands.
RATE = 0.5
#: A lamp that keeps what it was told, as a bulb does, and the automation.
HOUSE = f"""
input_number:
  lamp:
    min: 0
    max: 255
template:
  - light:
      - name: Lamp
        default_entity_id: {LAMP}
        state: "{{{{ states('input_number.lamp') | int(0) > 0 }}}}"
        level: "{{{{ states('input_number.lamp') | int(0) }}}}"
        turn_on:
          - action: input_number.set_value
            target: {{entity_id: input_number.lamp}}
            data: {{value: 255}}
        turn_off:
          - action: input_number.set_value
            target: {{entity_id: input_number.lamp}}
            data: {{value: 0}}
        set_level:
          - action: input_number.set_value
            target: {{entity_id: input_number.lamp}}
            data: {{value: "{{{{ brightness }}}}"}}
automation:
  - alias: Knob
    use_blueprint:
      path: stepperd/knob-light.yaml
      input:
        knob: {KNOB}
        light: {LAMP}
        rate: {RATE}
"""


class TestBlueprint(Case):
    """A knob, a lamp, and who else changes it."""

    @classmethod
    def prepare(cls, folder):
        os.makedirs(f"{folder}/blueprints/automation/stepperd")
        shutil.copy(EXAMPLE, f"{folder}/blueprints/automation/stepperd")
        with open(f"{folder}/configuration.yaml", "a", encoding="utf-8") as file:
            file.write(HOUSE)

    def setUp(self):
        for entity in (KNOB, LAMP):
            eventually(lambda: self.state(entity) not in (None, "unavailable", "unknown"), lambda: f"{entity}: {self.home.complaints()}", 60)

    def brightness(self):
        """What the lamp shows, 0 to 255."""
        return self.states()[LAMP]["attributes"].get("brightness") or 0

    def commands(self):
        """A function that counts the commands to the lamp from now on."""
        events = self.home.api.follow("subscribe_events", event_type="call_service")
        return lambda: sum(event["data"]["domain"] == "light" for event in events())

    def test_1_the_lamp_follows_the_knob_and_no_faster_than_it_may(self):
        """A fast turn is a few commands; what is at rest is shown."""
        count = self.commands()
        for _ in range(60):
            self.stepperctl("turn", "panel:dial", "1")
        self.expect_value("volume", "80")
        eventually(lambda: self.brightness() == 204, lambda: f"the lamp is at {self.brightness()}", 20)
        self.assertLess(count(), 30, "of 60 detents")
        # After the last command the run waits once more.
        eventually(lambda: self.states()["automation.knob"]["attributes"].get("current") == 0, "the automation is at rest", 20)
        self.assertEqual(self.bed.value("volume"), "80", "the lamp does not move the knob back")

    def test_2_the_knob_continues_from_where_the_lamp_is(self):
        """Somebody dims the lamp with a phone."""
        eventually(lambda: self.is_old(KNOB), "the knob has rested", 20)
        count = self.commands()
        self.use(LAMP, "light.turn_on", brightness=128)
        self.expect_value("volume", "50")
        self.stepperctl("turn", "panel:dial", "1")
        eventually(lambda: self.brightness() == 130, lambda: f"the lamp is at {self.brightness()}", 20)
        self.assertLessEqual(count(), 3, "no echo")

    def is_old(self, entity):
        """Whether its last change is longer ago than a hand's is, for the blueprint."""
        changed = datetime.datetime.fromisoformat(self.states()[entity]["last_changed"])
        return (datetime.datetime.now(datetime.UTC) - changed).total_seconds() > 2 * RATE + 2

    def test_3_a_restart_moves_nothing(self):
        """Neither the lamp nor the control, though both come back."""
        self.home.restart()
        self.setUp()
        state = self.bed.call("Get", control="volume")["state"]
        self.assertEqual((state["text"], state["origin"]), ("51", "device"), "the last to change it was the hand")
        self.assertEqual(self.brightness(), 130)


if __name__ == "__main__":
    unittest.main()
