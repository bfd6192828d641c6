#!/usr/bin/env python3
"""Names at the real Home Assistant: what `run` starts. A board whose ID has an underscore, and which Home Assistant knows from version
0.1.0, keeps its entities' IDs and their history; and no name or word of a control is taken for something else."""

import datetime
import json
import os
import unittest

from test_home import Case  # it knows where the modules of all tests are
from bed import Bed, House
from home import Home
from loopback import free_port
import network
from waiting import eventually

CONTROLS = """\
[control.volume]
maximum = 100
initial = 20

[control."left.gain"]
maximum = 10
initial = 4

[control.word]
choices = ["none", "None", "unknown", "unavailable", "online", "offline", "radio"]
unset = true
initial = "radio"
"""
P = "stepperd/kitchen_left"
#: As version 0.1.0 announced a control, and a board.
FORMER = {"p": "number", "name": "volume", "default_entity_id": "number.kitchen_left_volume", "min": 0, "max": 100, "step": 1, "opt": False}


class Board(Bed):
    """A board whose user may do everything."""

    def text(self, controls, broker=None, authority="authority.crt", host=None):
        return super().text(controls, broker, authority, host).replace("kiosk-1", "kitchen_left")

    def start(self):
        """All but the board itself."""
        with open(f"{self.folder}/access", "w", encoding="ascii") as file:
            file.write("user kiosk\ntopic readwrite #\nuser house\ntopic readwrite #\n")
        self.broker.start()
        self.house = House(self)
        return self

    def announce(self, board, control, unique_id):
        """A board that is none, with one control."""
        component = {**FORMER, "uniq_id": unique_id, "stat_t": f"stepperd/{board}/{control}", "cmd_t": f"stepperd/{board}/{control}/set"}
        self.house.publish(f"homeassistant/device/{board}/config", json.dumps({
            "dev": {"ids": [f"stepperd_{board}"], "name": board}, "o": {"name": "stepperd-mqtt"}, "avty_t": f"stepperd/{board}/status",
            "qos": 1, "cmps": {control: component}}), retain=True)
        self.house.publish(f"stepperd/{board}/status", "online", retain=True)


class TestNames(Case):
    """In this order."""

    @classmethod
    def setUpClass(cls):
        port = free_port()
        cls.bed = Board(controls=CONTROLS, plain_port=port)
        cls.addClassCleanup(cls.bed.stop)
        cls.home = Home(os.environ["STEPPERD_HOME_ASSISTANT"], f"{cls.bed.folder}/home-assistant", "recorder:\n  commit_interval: 0\nhistory:\n")
        cls.addClassCleanup(cls.home.stop)
        cls.bed.start()
        cls.home.start()
        cls.home.connect_to_broker(broker="127.0.0.1", port=port, username="house", password="secret of house")

    def history(self, entity):
        """The states that it had."""
        begin = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)
        found = self.home.api.call("history/history_during_period", start_time=begin.isoformat(), entity_ids=[entity], minimal_response=True)
        # While it is replaced it has none.
        return [state["s"] for state in found.get(entity, []) if state["s"]]

    def test_1_a_former_announcement_is_replaced(self):
        """The entity has another unique ID, and its own entity ID and history."""
        bed, entity = self.bed, "number.kitchen_left_volume"
        bed.announce("kitchen_left", "volume", "stepperd_kitchen_left_volume")
        for value in ("11", "22"):
            bed.house.publish(f"{P}/volume", value, retain=True)
            self.expect(entity, value)
        bed.start_daemon()
        bed.start_bridge()
        self.expect(entity, "20", 40)
        known = {key: each for key, each in self.entities().items() if key.startswith("number.kitchen_left_volume")}
        self.assertEqual(list(known), [entity])
        unique = self.home.api.call("config/entity_registry/get", entity_id=entity)["unique_id"]
        self.assertEqual(unique, "stepperd_kitchen:left_volume")
        eventually(lambda: [state for state in self.history(entity) if state.isdigit()] == ["11", "22", "20"], lambda: f"{self.history(entity)}", 30)
        self.use(entity, "number.set_value", value=33)
        self.expect_value("volume", "33")

    def test_2_another_board_has_another_entity(self):
        """`kitchen` with `left_volume` had the same unique ID as `kitchen_left` with `volume`."""
        self.bed.announce("kitchen", "left_volume", "stepperd_kitchen_left_volume")
        self.bed.house.publish("stepperd/kitchen/left_volume", "77", retain=True)
        self.expect("number.kitchen_left_volume_2", "77")
        self.assertEqual(self.state("number.kitchen_left_volume"), "33")

    def test_3_words(self):
        """Each choice is shown as itself, and chosen there."""
        entity = "select.kitchen_left_word"
        for word in ("none", "None", "unknown", "unavailable", "online", "offline"):
            self.bed.call("Set", control="word", text=word)
            self.expect(entity, f'"{word}"')
            self.use(entity, "select.select_option", option="radio")
            self.expect_value("word", "radio")
            self.expect(entity, "radio")
            self.use(entity, "select.select_option", option=f'"{word}"')
            self.expect_value("word", word)
            self.expect(entity, f'"{word}"')
        self.bed.call("Set", control="word", text="")
        self.expect(entity, "unknown")

    def test_4_a_dot(self):
        """In the name of a control."""
        self.use("number.kitchen_left_left_gain", "number.set_value", value=7)
        self.expect_value("left.gain", "7")
        self.expect("number.kitchen_left_left_gain", "7")

    def test_5_a_cleared_announcement_comes_back(self):
        """Home Assistant clears it where somebody deletes an entity there."""
        self.bed.house.publish("homeassistant/device/kitchen_left/config", "", retain=True)
        eventually(lambda: self.state("number.kitchen_left_volume") is None, "it is gone", 20)
        self.expect("number.kitchen_left_volume", "33", 40)

    def test_6_no_complaints(self):
        """Home Assistant has no warning or error about us."""
        # It clears an announcement that is empty already.
        self.assertEqual([entry for entry in self.complaints() if "No device components to cleanup" not in entry], [])


if __name__ == "__main__":
    network.enter()
    unittest.main()
