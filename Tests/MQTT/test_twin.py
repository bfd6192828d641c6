#!/usr/bin/env python3
"""The example of the guide shadows.md between a real board at a real mosquitto and a twin, which is simulated at another mosquitto by
the rules that Azure IoT Hub documents.

Needs what test_bridge.py needs.
"""

import importlib.util
import json
import os
import re
import sys
import threading
import time
import unittest

import paho.mqtt.client as mqtt

from cloud import CONTROLS, GUIDE, INTERVAL, P, PROGRAMS, CloudCase, connected
from bed import Broker
from loopback import free_port
from waiting import PATIENCE, eventually

PROGRAM = f"{PROGRAMS}/twin.py"
RES, CHANGE = "$iothub/twin/res", "$iothub/twin/PATCH/properties/desired"
#: Bytes of desired or reported, by its own count.
LIMIT = 32768


def merged(old, new):
    """A part of a twin with what a change has for it; null removes."""
    if not isinstance(new, dict):
        return new
    result = dict(old) if isinstance(old, dict) else {}
    for key, value in new.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def size(value):
    """As IoT Hub counts it."""
    if isinstance(value, dict):
        return sum(len(key.encode()) + size(inner) for key, inner in value.items())
    return len(value.encode()) if isinstance(value, str) else 4 if isinstance(value, bool) else 8


def fault(value, depth=1):
    """Why it cannot be in a twin; None: it can."""
    if isinstance(value, dict):
        bad = [key for key in value if not 0 < len(key.encode()) <= 1024 or re.search(r"[.$\s\x00-\x1f\x7f-\x9f]", key)]
        inner = [fault(part, depth + 1) for part in value.values()]
        return f"names: {bad}" if bad else "too deep" if depth > 10 else next(filter(None, inner), None)
    if isinstance(value, int) and not isinstance(value, bool) and not -4503599627370496 <= value <= 4503599627370495:
        return "a number is too large"
    return "a text is too long" if isinstance(value, str) and len(value.encode()) > 4096 else None


class Hub(Broker):
    """Where devices have certificates and no passwords."""

    def __init__(self, folder):
        os.mkdir(folder)
        super().__init__(folder)
        with open(f"{folder}/broker.conf", encoding="ascii") as file:
            lines = [line for line in file.read().splitlines() if not line.startswith(("password_file", "acl_file", "allow_anonymous"))]
        with open(f"{folder}/broker.conf", "w", encoding="ascii") as file:
            file.write("\n".join([*lines[:1], "allow_anonymous true", "log_type all", *lines[1:], ""]))


class TwinService:
    """The twin of one device: versions, answers, and what the device is told."""

    def __init__(self, hub):
        self.lock = threading.RLock()
        self.desired, self.reported, self.version, self.reports_version = {}, {}, 1, 1
        #: Requests as (verb, change, request ID), and what was published, as (topic, message).
        self.requests, self.published = [], []
        #: Called before a request is done, with its verb and change; it may return a status with which it is refused, or "lost": it is
        #: never done, or "silent": it has no answer.
        self.before = lambda *_: None
        #: Where what the device is told waits, if it does.
        self.held = None
        paths = ["$iothub/twin/GET/#", "$iothub/twin/PATCH/properties/reported/#"]
        self.client = connected(hub.folder, hub.port, "service", paths, self.received)

    def publish(self, topic, message, is_held=False):
        """To the device."""
        with self.lock:
            self.published.append((topic, message))
            if is_held and self.held is not None:
                self.held.append((topic, message))
                return
        self.client.publish(topic, "" if message is None else json.dumps(message), 1)

    def release(self, select=lambda messages: messages[::-1]):
        """What was held arrives, the newest first, or another selection of it."""
        with self.lock:
            held, self.held = self.held, None
        for topic, message in select(held):
            self.client.publish(topic, json.dumps(message), 1)

    def received(self, topic, payload):
        """A request of the device."""
        verb, request = re.fullmatch(r"\$iothub/twin/(GET|PATCH/properties/reported)/\?\$rid=(\w+)", topic).groups()
        change = json.loads(payload) if payload else None
        with self.lock:
            self.requests.append((verb, change, request))
            status, message, more = 200, None, ""
            special = self.before(verb, change)
            if special == "lost":
                return
            if isinstance(special, int):
                status, message = special, {"message": f"status {special}"}
            elif verb == "GET":
                message = {"desired": {**self.desired, "$version": self.version}, "reported": {**self.reported, "$version": self.reports_version}}
            else:
                status, message = self.report(change)
                more = f"&$version={self.reports_version}"
            if special != "silent":
                self.publish(f"{RES}/{status}/?$rid={request}{more}", message)

    def report(self, change):
        """Of some fields."""
        after = merged(self.reported, change)
        why = fault(change) or (f"too large: {size(after)}" if size(after) > LIMIT else None)
        if why:
            return 400, {"message": why}
        self.reported, self.reports_version = after, self.reports_version + 1
        return 204, None

    def desire(self, change):
        """An operator changes some fields. The device is told what the operator has written."""
        with self.lock:
            assert fault(change) is None and size(merged(self.desired, change)) <= LIMIT, change
            self.desired, self.version = merged(self.desired, change), self.version + 1
            self.publish(f"{CHANGE}/?$version={self.version}", {**change, "$version": self.version}, True)

    def replace(self, desired):
        """An operator writes all of it."""
        self.desire({**dict.fromkeys(self.desired), **desired})

    def reports(self, control):
        """The values of a control in all requests."""
        with self.lock:
            changes = [change.get(control) or {} for _, change, _ in self.requests if change]
        return [change["value"] for change in changes if "value" in change]

    def part(self, control):
        """What is reported of one."""
        with self.lock:
            return dict(self.reported.get(control, {}))

    def stop(self):
        """Ends it."""
        self.client.disconnect()
        self.client.loop_stop()


class Case(CloudCase):
    """A board, a twin, and the program between them."""

    name = "twin"

    def setUp(self):
        self.plain_port = free_port()
        self.make_board(plain_port=self.plain_port)
        self.hub = Hub(f"{self.bed.folder}/hub")
        self.hub.start()
        self.addCleanup(self.kill_hub)
        self.service = TwinService(self.hub)
        self.addCleanup(self.service.stop)
        self.start_program()
        self.expect_reported(volume=20, mute="off", source="radio", word="", left_gain=0)

    def kill_hub(self):
        """With all connections."""
        if self.hub.process.poll() is None:
            self.hub.kill()

    def start_program(self):
        """Without TLS on the loopback, and with a certificate at IoT Hub."""
        folder = self.hub.folder
        self.run_program(f'id = "kiosk-1"\ninterval = {INTERVAL}\n[broker]\nport = {self.plain_port}\nuser = "twin"\npassword = "secret of twin"\n'
                         f'[hub]\nhost = "127.0.0.1"\nport = {self.hub.port}\nca-file = "{folder}/authority.crt"\n'
                         f'certificate-file = "{folder}/client.crt"\nkey-file = "{folder}/client.key"\n')

    def facts(self):
        """For failures."""
        service = self.service
        targets = [entry[:2] for entry in self.bed.house.log if entry[0].endswith(("/target", "/result"))][-20:]
        return (f"desired {service.desired}, version {service.version}; reported {service.reported}; {service.requests[-20:]}; "
                f"{service.published[-20:]}; {targets}; {super().facts()}")

    def desire(self, **wishes):
        """An operator asks for something."""
        self.service.desire({key.replace("_gain", ":gain"): value for key, value in wishes.items()})

    def expect(self, control, **members):
        """Waits until all these members are reported of a control; None: there is no such member."""
        def fits():
            part = self.service.part(control.replace("_gain", ":gain"))
            return all(part.get(name) == value for name, value in members.items())

        eventually(fits, lambda: f"{control} is not {members}: {self.facts()}", 30)

    def expect_reported(self, **values):
        """Waits until these values are reported."""
        for control, value in values.items():
            self.expect(control, value=value)

    def expect_done(self, **values):
        """Waits until these values are reported, and that they are the last which were desired."""
        for control, value in values.items():
            self.expect(control, value=value, ac=200, ad=None)

    def expect_rest(self, **values):
        """Waits until nothing is published any more; then the board and the twin have these values, and nothing is to be done."""
        self.wait_for_rest(lambda: (len(self.service.requests), len(self.service.published)))
        reported = {key: self.service.part(key.replace("_gain", ":gain")).get("value") for key in values}
        self.assertEqual(reported, values, self.facts())
        board = {key: self.bed.call("Get", control=key.replace("_gain", ".gain"))["state"] for key in values}
        self.assertEqual({key: board[key].get("value" if isinstance(values[key], (int, float)) else "text") or values[key] * 0 for key in values},
                         values, self.facts())
        self.assertNotIn(202, [part.get("ac") for part in self.service.reported.values() if isinstance(part, dict)], self.facts())

    def expect_settled(self, **values):
        """Waits until these are done, and stay so."""
        self.expect_done(**values)
        self.expect_rest(**values)

    def targets(self, control="volume"):
        """The values of all targets of a control that the board was sent, one for each revision."""
        targets = [json.loads(text) for text in self.bed.house.payloads(f"{P}/{control}/target")]
        return [target.get("value", target.get("text")) for target in {target["revision"]: target for target in targets}.values()]

    def stop_bridge(self):
        """The board is off."""
        self.bed.bridge.terminate()
        self.assertEqual(self.bed.bridge.wait(10 * PATIENCE), 0)
        self.bed.house.expect(f"{P}/status", "offline")


class Twin(Case):
    """The ordinary life."""

    def test_every_kind(self):
        """Numbers, choices, toggles, and a control that may be unset, from the twin to the board and back."""
        self.assertEqual(self.service.part("volume"), {"value": 20})
        self.desire(volume=41, mute=True, source="usb", word="two", left_gain=-2.5)
        self.expect_done(volume=41, mute="on", source="usb", word="two", left_gain=-2.5)
        self.assertEqual([self.bed.value(control) for control in ("volume", "mute", "source", "word", "left.gain")], ["41", "on", "usb", "two", "-2.5"])
        self.assertEqual({self.service.part(control)["av"] for control in ("volume", "mute", "source", "word", "left:gain")}, {2})
        self.desire(volume="42", mute="off", word="")
        self.expect_settled(volume=42, mute="off", word="", source="usb")
        self.assertEqual({control: self.service.part(control)["av"] for control in ("volume", "mute", "source")}, {"volume": 3, "mute": 3, "source": 2})
        self.assertEqual(self.bed.value("word"), None)
        self.assertEqual(self.log(), "")
        # The client ID, MQTT 3.1.1, a clean session, and the user name.
        self.assertRegex(self.hub.log(), r"as kiosk-1 \(p2, c1, k60, u'127\.0\.0\.1/kiosk-1/\?api-version=2021-04-12'\)")

    def test_a_hand_after_the_target(self):
        """Its value stays, and is reported beside the version that was done; and the same value can be desired again."""
        self.desire(volume=40)
        self.expect_done(volume=40)
        self.turn(-3)
        self.expect_settled(volume=37)
        self.assertEqual(self.service.part("volume")["av"], 2)
        self.desire(volume=40)
        self.expect("volume", value=40, ac=200, av=3)
        self.expect_settled(volume=40)
        self.assertEqual(self.targets(), [40, 40])

    def test_a_value_that_it_has(self):
        """Is done too."""
        self.desire(volume=20)
        self.expect("volume", value=20, ac=200, av=2)
        self.turn(5)
        self.expect_settled(volume=25)

    def test_a_value_that_is_rounded(self):
        """Is reported as the board has it, and that is all."""
        self.desire(volume=40.4, left_gain=1.75)
        self.expect_settled(volume=40, left_gain=1.8)
        self.assertEqual(self.targets(), [40.4])

    def test_while_a_hand_moves_it(self):
        """Only the value at rest is reported."""
        value = self.hold_button(lambda: self.assertEqual(self.service.reports("volume"), [20]))
        self.expect_rest(volume=value)
        self.assertEqual(self.service.reports("volume"), [20, value])

    def test_a_client_that_sets_it_fast(self):
        """Is reported once in each interval."""
        begin = time.monotonic()
        for number in range(301):
            self.bed.call("Set", control="volume", value=number % 100)
        self.expect_reported(volume=0)
        self.expect_rest(volume=0)
        self.assertLess(len(self.service.reports("volume")), 3 + (time.monotonic() - begin) / INTERVAL)

    def test_what_cannot_be_done(self):
        """Is said, with the version; the next one that can be done ends that."""
        self.desire(nothing=3, volume=500, mute={"deep": 1}, source="tape", bell=[1], word="x" * 4090)
        for control, code, why in (("nothing", 404, "no control"), ("volume", 400, "it goes from 0 to 100"), ("mute", 400, "value"),
                                   ("source", 400, "tape"), ("bell", 400, "value"), ("word", 400, "it is too long")):
            self.expect(control, ac=code, av=2)
            self.assertIn(why, self.service.part(control)["ad"])
        self.assertEqual([self.service.part(control).get("value") for control in ("nothing", "volume", "mute", "source", "word")],
                         [None, 20, "off", "radio", ""])
        self.desire(volume=50, nothing=None)
        self.expect_settled(volume=50)
        self.assertNotIn("nothing", self.service.reported)
        self.assertEqual(self.service.part("mute")["ac"], 400)
        self.assertEqual(self.log(), "")

    def test_what_is_no_control(self):
        """Stays as it is: in desired, and in reported."""
        self.service.reported |= {"Firmware": {"value": 3}, "other": "text", "more": {"deep": 1}}
        self.kill_program()
        self.start_program()
        self.desire(Firmware={"version": 3}, Name="x", ä=1)
        self.desire(volume=21)
        self.expect_settled(volume=21)
        self.assertEqual({key: self.service.reported[key] for key in ("Firmware", "other", "more")},
                         {"Firmware": {"value": 3}, "other": "text", "more": {"deep": 1}})
        self.assertEqual([topic for topic, *_ in self.bed.house.log if topic.endswith("/target")], [f"{P}/volume/target"])

    def test_a_value_that_is_deleted(self):
        """Is no target; what was done is told no more, so that the same value is a new one."""
        self.desire(volume=40)
        self.expect_done(volume=40)
        self.turn(1)
        self.desire(volume=None)
        self.expect("volume", value=41, ac=None, av=None, of=None, ad=None)
        self.assertEqual(self.service.part("volume"), {"value": 41})
        self.kill_program()
        self.desire(volume=40)
        self.start_program()
        self.expect("volume", value=40, ac=200, av=4)
        self.assertEqual(self.targets(), [40, 40])

    def test_all_is_written(self):
        """Of an operator who replaces all: what is left out is deleted, the rest is desired again."""
        self.desire(volume=40, source="usb")
        self.expect_done(volume=40, source="usb")
        self.turn(2)
        self.expect_reported(volume=42)
        self.service.replace({"source": "line", "mute": "on"})
        self.expect_settled(source="line", mute="on")
        self.expect("volume", value=42, ac=None)

    def test_a_flood(self):
        """The newest value is done."""
        for number in range(200):
            self.desire(volume=number % 97)
        self.desire(volume=98)
        self.expect("volume", value=98, ac=200, av=202)
        self.expect_settled(volume=98)

    def test_a_twin_that_is_full(self):
        """What has no room is printed, the rest is reported; then there is room again."""
        self.desire(volume=30)
        self.expect_done(volume=30)
        self.expect_rest()
        with self.service.lock:
            room = LIMIT - size(self.service.reported)
            self.service.reported |= {f"Filling{number}": "x" * 2000 for number in range(room // 2008)}
            self.service.reported["Rest"] = "x" * (LIMIT - size(self.service.reported) - len("Rest"))
        self.bed.call("Set", control="source", text="usb")  # Shorter than what was there before.
        self.bed.call("Set", control="word", text="two")
        self.turn(1)
        self.expect_reported(source="usb", volume=31)
        eventually(lambda: "too large" in self.log(), self.facts, 30)
        self.assertEqual(self.service.part("word"), {"value": ""})
        with self.service.lock:
            del self.service.reported["Rest"]
        self.bed.call("Set", control="word", text="one")
        self.expect_reported(word="one")
        self.expect_rest(volume=31, source="usb", word="one")

    def test_a_control_that_is_removed(self):
        """Is reported no more; of a value that was desired of it what became of that stays."""
        self.desire(volume=30)
        self.expect_done(volume=30)
        gone = CONTROLS.replace("[control.mute]", "[control.light]").replace("[control.volume]", "[control.gain]")
        self.bed.reload(self.bed.text(gone))
        self.expect_reported(light="off", gain=20, volume=None)
        eventually(lambda: "mute" not in self.service.reported, self.facts, 30)
        self.expect("volume", ac=200, av=2)
        self.kill_program()
        self.bed.reload(self.bed.text(CONTROLS))
        self.bed.house.expect(f"{P}/mute", "off")
        self.turn(3)
        self.start_program()
        self.expect_reported(mute="off", volume=33)
        eventually(lambda: "light" not in self.service.reported and "gain" not in self.service.reported, self.facts, 30)
        self.expect_rest(volume=33)
        self.assertEqual(self.targets(), [30])


class Order(Case):
    """Messages of the service are lost, doubled, or come in another order than it gave them, and requests are refused."""

    def setUp(self):
        super().setUp()
        self.expect_rest()

    def hold(self, *changes):
        """These changes wait on their way to the program."""
        self.service.held = []
        for change in changes:
            self.service.desire(change)

    def test_the_older_value_comes_last(self):
        """And is not done."""
        self.hold({"volume": 50}, {"volume": 60})
        self.service.release()
        self.expect_settled(volume=60)
        self.assertEqual(self.targets(), [60])

    def test_a_change_is_lost(self):
        """The next one shows that, and the twin is looked at."""
        self.hold({"source": "line"}, {"volume": 60})
        self.service.release(lambda messages: messages[1:])
        self.expect_settled(volume=60, source="line")
        self.assertEqual((self.targets(), self.targets("source")), ([60], ["line"]))

    def test_a_change_comes_again(self):
        """And is done once: the hand's value stays."""
        self.hold({"volume": 60})
        self.service.release(lambda messages: messages * 2)
        self.expect_done(volume=60)
        self.turn(4)
        self.expect_reported(volume=64)
        self.hold()
        self.service.publish(f"{CHANGE}/?$version=2", {"volume": 60, "$version": 2})
        self.desire(source="usb")
        self.service.release()
        self.expect_settled(volume=64, source="usb")
        self.assertEqual(self.targets(), [60])

    def test_an_answer_that_was_overtaken(self):
        """Of the request for the twin: a change that comes before it is not undone by it, and not lost."""
        changes = [{"volume": 70}]

        def before(verb, _change):
            if verb != "GET" or not changes:
                return None
            old = {"desired": {**self.service.desired, "$version": self.service.version}, "reported": {**self.service.reported, "$version": 1}}
            self.service.desire(changes.pop())
            self.service.publish(f"{RES}/200/?$rid={self.service.requests[-1][2]}", old)
            return "silent"

        self.service.before = before
        self.kill_program()
        self.start_program()
        self.expect_settled(volume=70)
        self.assertEqual((changes, self.targets()), ([], [70]))

    def test_requests_are_refused(self):
        """For a time: they are repeated, and nothing is printed of those that came too fast."""
        statuses = [429, 500, 429, 429]
        self.service.before = lambda *_: statuses.pop() if statuses else None
        self.desire(volume=60)
        self.turn(3)
        self.expect("volume", ac=200, av=2)
        self.assertEqual(statuses, [])
        self.expect_rest(volume=60)
        self.assertEqual(re.findall(r"^\d+", self.log(), re.MULTILINE), ["500"])

    def test_requests_for_the_twin_are_refused(self):
        """The same, after a start."""
        self.kill_program()
        statuses = [429, 503, 400, 429]
        self.service.before = lambda verb, *_: statuses.pop() if statuses and verb == "GET" else None
        self.desire(volume=60)
        self.start_program()
        self.expect_settled(volume=60)
        self.assertEqual(statuses, [])

    def test_answers_and_requests_are_lost(self):
        """The twin is looked at, and each target is done once."""
        faults = ["silent", "lost", "silent", "silent", "lost", "lost"]
        self.service.before = lambda *_: faults.pop() if faults else None
        self.desire(volume=60, source="usb")
        self.expect_done(volume=60, source="usb")
        self.turn(-7)
        self.expect_settled(volume=53, source="usb")
        self.assertEqual((faults, self.targets(), self.targets("source")), ([], [60], ["usb"]))

    def test_one_report_cannot_be_taken(self):
        """The others are, and what is refused is printed."""
        def before(_verb, change):
            return 400 if change and "volume" in change and change["volume"].get("value") == 77 else None

        self.service.before = before
        self.stop_bridge()
        for control, value in (("volume", {"value": 77}), ("mute", {"text": "on"}), ("source", {"text": "usb"}), ("left.gain", {"value": 3})):
            self.bed.call("Set", control=control, **value)
        self.bed.start_bridge()
        self.expect_reported(mute="on", source="usb", left_gain=3)
        self.turn(1)
        self.expect_reported(volume=78)
        self.expect_rest(volume=78)
        self.assertEqual([line.partition("}}")[0] for line in self.log().splitlines()], ['400 {"volume": {"value": 77'])


class Losses(Case):
    """Each side is away in turn."""

    def test_the_board_is_off(self):
        """It is given what is desired when it comes back; what was replaced or deleted meanwhile never."""
        self.stop_bridge()
        self.desire(volume=60, source="line")
        self.expect("volume", ac=202, av=2)
        self.desire(volume=70, mute=True)
        self.desire(source=None)
        self.expect("source", ac=None)
        self.expect("volume", ac=202, av=3)
        self.bed.start_bridge()
        self.expect_done(volume=70, mute="on")
        self.expect_settled(volume=70, mute="on")
        self.assertEqual((self.targets(), self.targets("source"), self.service.part("source")), ([70], [], {"value": "radio"}))

    def test_the_board_has_no_daemon(self):
        """As if it was off."""
        self.bed.kill(self.bed.daemon.process)
        self.bed.house.expect(f"{P}/status", "offline")
        self.desire(volume=70)
        self.expect("volume", ac=202)
        self.bed.start_daemon()
        self.expect_settled(volume=70)

    def test_the_program_is_killed(self):
        """When it comes back only what has another desired value is a target; what a hand has done stays, and is reported."""
        self.desire(volume=60, source="line", mute="on", word="y")
        self.expect_done(volume=60, source="line", mute="on")
        self.expect("word", ac=400)
        self.kill_program()
        self.turn(7)
        self.bed.call("Set", control="mute", text="off")
        self.desire(source="usb")
        self.desire(left_gain=4)
        self.start_program()
        self.expect_done(source="usb", left_gain=4)
        self.expect_settled(volume=67, mute="off", source="usb", left_gain=4)
        self.assertEqual([self.targets(control) for control in ("volume", "source", "mute", "word")], [[60], ["line", "usb"], ["on"], ["y"]])
        self.assertEqual({control: self.service.part(control)["av"] for control in ("volume", "source", "mute", "word", "left:gain")},
                         {"volume": 2, "source": 4, "mute": 2, "word": 2, "left:gain": 4})

    def test_a_number_is_written_in_another_way(self):
        """It is the same value."""
        self.desire(volume=60)
        self.expect_done(volume=60)
        self.turn(1)
        self.expect_reported(volume=61)
        self.kill_program()
        self.service.desired["volume"] = 60.0
        self.start_program()
        self.desire(source="usb")
        self.expect_settled(source="usb", volume=61)
        self.assertEqual(self.targets(), [60])

    def kill_before_the_result(self):
        """What it has reported is that the target is on its way."""
        super().kill_before_the_result()
        self.assertEqual(self.service.part("volume")["ac"], 202)

    def test_the_program_is_killed_before_the_result(self):
        """The broker keeps the result for it, also while others desire other values."""
        self.kill_before_the_result()
        self.desire(source="usb")
        self.start_program()
        self.expect_settled(volume=75, source="usb")
        self.assertEqual(self.service.part("volume")["av"], 2)

    def test_the_result_is_lost(self):
        """The target is sent again and the board passes over it, which the program knows by the command behind it."""
        self.kill_before_the_result()
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id="twin", clean_session=True)
        client.username_pw_set("twin", "secret of twin")
        is_connected = threading.Event()
        client.on_connect = lambda *_: is_connected.set()
        client.connect("127.0.0.1", self.plain_port)
        client.loop_start()
        self.assertTrue(is_connected.wait(20 * PATIENCE))
        client.disconnect()
        client.loop_stop()
        self.desire(source="usb")
        self.start_program()
        self.expect("volume", value=75, ac=200, av=2)
        self.assertIn("done before", self.service.part("volume")["ad"])
        self.expect_done(source="usb")
        self.expect_rest(volume=75, source="usb")
        self.desire(volume=81)
        self.expect_settled(volume=81)

    def test_the_broker_is_killed(self):
        """With everything at it."""
        self.desire(mute=True)
        self.expect_done(mute="on")
        self.bed.broker.kill()
        self.turn(4)
        self.desire(source="line")
        self.expect("source", ac=202)
        self.bed.broker.start()
        eventually(self.bed.house.client.is_connected, "the other side is connected", 30)
        self.bed.house.expect(f"{P}/volume", "24", 90)
        self.expect_done(source="line", mute="on")
        self.expect_reported(volume=24)
        self.expect_rest(volume=24, source="line", mute="on")

    def test_iot_hub_is_away(self):
        """What is desired then is done afterwards, and what a hand has done is reported."""
        self.desire(volume=60)
        self.expect_done(volume=60)
        self.hub.kill()
        self.turn(4)
        self.bed.house.expect(f"{P}/volume", "64")
        self.desire(source="line")
        self.hub.start()
        eventually(self.service.client.is_connected, "the service is connected", 30)
        self.expect_done(source="line")
        self.expect_reported(volume=64)
        self.expect_rest(volume=64, source="line")
        self.assertEqual(self.targets(), [60])

    def test_the_device_is_made_anew(self):
        """Its twin is empty and begins with the first version; the same value at the same version is another wish."""
        self.desire(volume=60)
        self.expect_done(volume=60)
        self.turn(4)
        self.expect_reported(volume=64)
        self.hub.kill()
        service = self.service
        with service.lock:
            service.desired, service.reported, service.version, service.reports_version = {"volume": 60}, {}, 2, 1
        self.kill_program()
        self.start_program()
        self.hub.start()
        eventually(service.client.is_connected, "the service is connected", 30)
        self.expect_settled(volume=60)
        self.expect_reported(source="radio")
        self.assertEqual(self.targets(), [60, 60])


class Functions(unittest.TestCase):
    """Without connections."""

    def setUp(self):
        specification = importlib.util.spec_from_file_location("twin", PROGRAM)
        self.module = importlib.util.module_from_spec(specification)
        sys.dont_write_bytecode = True
        specification.loader.exec_module(self.module)
        self.twin = self.module.Twin()

    def look(self, desired, reported=(), version=5):
        """At a twin with these."""
        self.twin.looked({"desired": {**desired, "$version": version}, "reported": {**dict(reported), "$version": 9}})

    def report(self):
        """All that is to be reported is taken. Returns it."""
        changes = self.twin.changes()
        self.twin.accepted(changes)
        self.assertEqual(self.twin.changes(), {})
        return changes

    def test_marks(self):
        """Are the same for the same value with the same salt, and no others."""
        mark = self.module.mark
        values = [1, 1.5, "1", True, False, "", {"a": 1}, {"a": [1]}, [1]]
        self.assertEqual(len({mark(value, "01234567") for value in values}), len(values))
        self.assertEqual(mark(1, "01234567"), mark(1.0, "01234567"))
        self.assertEqual(mark({"a": 1, "b": 2}, "01234567"), mark({"b": 2.0, "a": 1}, "01234567"))
        self.assertNotEqual(mark(1, "01234567")[8:], mark(1, "01234568")[8:])
        self.assertLessEqual(len("twin-" + mark(1, "01234567")), 64)

    def test_states(self):
        """At rest they are reported."""
        self.look({})
        for state, value in (({"value": 4.5, "text": "4.5"}, 4.5), ({"value": 1, "text": "usb"}, "usb"), ({"value": 1, "text": "on"}, "on"),
                             ({"value": None, "text": None}, "")):
            self.twin.state("c", {**state, "editing": False})
            self.assertEqual(self.report(), {"c": {"value": value}})
            self.twin.state("c", {"value": 7, "text": "7", "editing": True})
            self.assertEqual(self.report(), {})

    def test_a_target_follows_the_report_of_it(self):
        """So that its mark is known whenever the program ends."""
        self.look({"c": 3})
        self.assertEqual(self.twin.targets(), [])
        changes = self.report()
        self.assertEqual((changes["c"]["ac"], changes["c"]["av"]), (202, 5))
        [(key, of, value)] = self.twin.targets()
        self.assertEqual((key, of, value), ("c", changes["c"]["of"], 3))
        self.twin.notified({"c": 4, "$version": 6})
        self.assertEqual(self.twin.targets(), [])
        self.twin.result("c", {"id": f"twin-{of}", "ok": True})
        self.assertEqual(self.report()["c"]["av"], 6)
        [(_, of, value)] = self.twin.targets()
        self.assertEqual(value, 4)
        self.twin.result("c", {"id": f"twin-{of}", "ok": True})
        self.assertEqual((self.report(), self.twin.targets()), ({"c": {"ac": 200}}, []))

    def test_another_start(self):
        """Between any two steps it goes on with the same mark."""
        entry, marks = {}, set()
        for step in range(4):
            self.twin = self.module.Twin()
            self.look({"c": 3}, {"c": entry}, 5 + step)
            entry |= self.report().get("c", {})
            marks.add(entry["of"])
            self.assertEqual((len(marks), entry["ac"], entry["av"], len(self.twin.targets())), (1, 202, 5, 1))
        self.twin.result("c", {"id": f"twin-{entry['of']}", "ok": True})
        self.assertEqual(self.report(), {"c": {"ac": 200}})

    def test_versions_that_begin_again(self):
        """The device was made anew: what is desired now is another wish than what was done before, also if it is the same value."""
        self.look({"c": 3}, version=13)
        before = self.report()["c"]["of"]
        self.twin.result("c", {"id": f"twin-{before}", "ok": True})
        self.report()
        self.twin.reported, self.twin.version = None, 0
        self.look({"c": 3}, version=2)
        change = self.report()["c"]
        self.assertEqual((change["ac"], change["av"]), (202, 2))
        self.assertNotEqual(change["of"], before)

    def test_results(self):
        """Those of other targets and commands are somebody else's, and some say nothing of the target."""
        self.look({"c": 3})
        self.report()
        [(_, of, _)] = self.twin.targets()
        for message in ({"id": "monday", "ok": True}, {"id": None, "ok": True}, {"id": 7, "ok": True}, {"id": "twin-1", "ok": True},
                        *({"id": f"{kind}-{of}", "error": error, "message": "m"} for kind in ("twin", "done")
                          for error in ("tooManyCommands", "disconnected", "unknownOutcome"))):
            self.twin.result("c", message)
            self.twin.result("d", message)
            self.assertEqual(len(self.twin.targets()), 1)
        self.twin.result("c", {"id": f"done-{of}", "ok": True})
        self.assertEqual(self.report()["c"]["ac"], 200)
        self.twin.result("c", {"id": f"twin-{of}", "error": "outOfRange", "message": "m" * 500})
        self.assertEqual(self.report(), {"c": {"ac": 400, "ad": "m" * 200}})
        self.twin.result("c", {"id": f"done-{of}", "ok": True})
        self.assertEqual(self.report(), {})

    def test_what_others_have_reported(self):
        """Stays, unless a control has that name."""
        self.look({}, {"c": 3, "d": {"value": 1, "more": 2}, "e": {"deep": {"value": 1}}, "F": {"value": 1}})
        self.assertEqual(self.report(), {})
        for key in "cde":
            self.twin.state(key, {"value": 1, "text": "1", "editing": False})
        self.assertEqual(self.report(), {"c": {"value": 1}, "e": {"value": 1}})

    def test_one_request_at_a_time(self):
        """For IoT Hub does not keep the sequence of several; and one that is too fast is followed by a pause."""
        sent = []

        class Client:
            """Takes all."""

            def publish(self, topic, payload="", _quality=0):
                """Remembers it."""
                sent.append((topic, payload))

            def loop_start(self):
                """Nothing."""

        class Program(self.module.Program):
            """Without a connection."""

            def client(self, *_):
                """One that takes all."""
                return Client()

        def answer(status, message=""):
            request = sent[-1][0].rpartition("=")[2]
            program.received(f"$iothub/twin/res/{status}/?$rid={request}&$version=4", message.encode())

        program = Program({"id": "b", "interval": 1000, "broker": {}, "hub": {"host": "h"}})
        program.ask()
        self.assertEqual(sent, [])
        program.connected(program.hub, True)
        program.ask()
        program.ask()
        self.assertRegex(sent[0][0], r"^\$iothub/twin/GET/\?\$rid=\w+$")
        self.assertEqual(len(sent), 1)
        answer(200, '{"desired": {"$version": 1}, "reported": {"$version": 1}}')
        for control in "cde":
            program.received(f"stepperd/b/{control}/state", b'{"value": 1, "text": "1", "editing": false}')
        program.ask()
        program.received("stepperd/b/c/state", b'{"value": 2, "text": "2", "editing": false}')
        program.ask()
        self.assertEqual(json.loads(sent[1][1]), {control: {"value": 1} for control in "cde"})
        self.assertEqual(len(sent), 2)
        answer(204)
        program.ask()  # Not in the same interval.
        self.assertEqual(len(sent), 2)
        program.received("$iothub/twin/PATCH/properties/desired/?$version=2", b'{"e": 5, "$version": 2}')
        program.ask()  # What is desired does not wait.
        self.assertEqual(list(json.loads(sent[2][1])), ["e"])
        answer(429)
        program.ask()
        self.assertEqual(len(sent), 3)
        program.deadline = 0
        program.ask()
        self.assertEqual(sent[2][1], sent[3][1])

    def test_the_guide_has_the_rules(self):
        """That the program follows, with the topics that it uses."""
        with open(GUIDE, encoding="utf-8") as file:
            text = file.read()
        with open(PROGRAM, encoding="utf-8") as file:
            program = file.read()
        for path in ("GET/?$rid=", "PATCH/properties/desired/", "PATCH/properties/reported/", "res/"):
            self.assertIn(f"$iothub/twin/{path}", text)
        for version in re.findall(r"api-version=[\d-]+", program):
            self.assertIn(version, text)
        self.assertLessEqual(len(program.splitlines()), 240)


if __name__ == "__main__":
    unittest.main()
