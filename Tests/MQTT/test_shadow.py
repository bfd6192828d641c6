#!/usr/bin/env python3
"""The example of the guide shadows.md between a real board at a real mosquitto and a shadow service, which is simulated by the rules
that AWS IoT Core documents.

Needs what test_bridge.py needs.
"""

import importlib.util
import json
import re
import sys
import threading
import time
import unittest

from cloud import CONTROLS, GUIDE, INTERVAL, P, PROGRAMS, CloudCase, connected
from waiting import PATIENCE, eventually

PROGRAM = f"{PROGRAMS}/shadow.py"
NAMED, CLASSIC = "shadow/name/stepperd", "shadow"


def changed(old, new, times, now):
    """A part of a shadow with what an update has for it; null removes. The times of what it has are written."""
    if not isinstance(new, dict):
        return new, {"timestamp": now}
    old, times = dict(old) if isinstance(old, dict) else {}, dict(times) if isinstance(old, dict) and isinstance(times, dict) else {}
    for key, value in new.items():
        if value is None:
            old.pop(key, None)
            times.pop(key, None)
        else:
            old[key], times[key] = changed(old.get(key), value, times.get(key), now)
    return old, times


def difference(desired, reported):
    """What is desired and not reported."""
    result = {}
    for key, value in desired.items():
        if isinstance(value, dict) and isinstance(reported.get(key), dict):
            if inner := difference(value, reported[key]):
                result[key] = inner
        elif key not in reported or reported[key] != value:
            result[key] = value
    return result


class ShadowService:
    """Shadows of all things: versions, times in seconds, answers and deltas."""

    def __init__(self, bed, shadow):
        self.shadow, self.lock = shadow, threading.RLock()
        self.documents = {}
        #: Requests as (thing, verb, message), and answers as (topic, message).
        self.requests, self.answers = [], []
        #: Called before a request is done, with it; and where answers of update/accepted wait, if they do.
        self.before, self.held = lambda *_: None, None
        filters = [f"$aws/things/+/{shadow}/{verb}" for verb in ("update", "get", "delete")]
        self.client = connected(bed.folder, bed.broker.port, "service", filters, self.received)

    def publish(self, thing, path, message):
        """Answers."""
        topic = f"$aws/things/{thing}/{self.shadow}/{path}"
        with self.lock:
            self.answers.append((topic, message))
            if path == "update/accepted" and self.held is not None:
                self.held.append((topic, message))
                return
        self.client.publish(topic, json.dumps(message), 1)

    def release(self):
        """What was held arrives, the newest first."""
        with self.lock:
            held, self.held = self.held, None
        for topic, message in reversed(held):
            self.client.publish(topic, json.dumps(message), 1)

    def received(self, topic, payload):
        """A request."""
        thing, verb = topic.removeprefix("$aws/things/").split(f"/{self.shadow}/")
        try:
            message = json.loads(payload or b"{}")
        except ValueError:
            self.publish(thing, f"{verb}/rejected", {"code": 400, "message": "Invalid JSON"})
            return
        self.before(thing, verb, message)
        with self.lock:
            self.requests.append((thing, verb, message))
            {"update": self.update, "get": self.get, "delete": self.delete}[verb](thing, message)

    def update(self, thing, message):
        """Of some fields. It is refused if it names another version, or makes the shadow too large."""
        token = {"clientToken": message["clientToken"]} if "clientToken" in message else {}
        document = self.documents.get(thing, {"state": {}, "metadata": {}, "version": 0})
        refuse = None
        if not isinstance(message.get("state"), dict):
            refuse = 400, "Missing required node: state"
        elif "version" in message and message["version"] != document["version"]:
            refuse = 409, "Version conflict"
        else:
            now = int(time.time())
            state, metadata = changed(document["state"], message["state"], document["metadata"], now)
            if len(json.dumps(state, separators=(",", ":"))) > 8192:
                refuse = 413, "The payload exceeds the maximum size allowed"
        if refuse:
            self.publish(thing, "update/rejected", {"code": refuse[0], "message": refuse[1], "timestamp": int(time.time()), **token})
            return
        state = {key: value for key, value in state.items() if value}
        version = document["version"] + 1
        self.documents[thing] = {"state": state, "metadata": metadata, "version": version}
        times = {part: {key: metadata[part][key] for key in fields if key in metadata.get(part, {})}
                 for part, fields in message["state"].items() if isinstance(fields, dict)}
        self.publish(thing, "update/accepted", {"state": message["state"], "metadata": times, "version": version, "timestamp": now, **token})
        delta = difference(state.get("desired", {}), state.get("reported", {}))
        if delta:
            delta_times = {key: metadata["desired"][key] for key in delta}
            self.publish(thing, "update/delta", {"state": delta, "metadata": delta_times, "version": version, "timestamp": now, **token})

    def get(self, thing, message):
        """All of it."""
        token = {"clientToken": message["clientToken"]} if "clientToken" in message else {}
        document = self.documents.get(thing)
        if document is None:
            self.publish(thing, "get/rejected", {"code": 404, "message": "No shadow exists", **token})
            return
        delta = difference(document["state"].get("desired", {}), document["state"].get("reported", {}))
        state = {**document["state"], **({"delta": delta} if delta else {})}
        self.publish(thing, "get/accepted", {**document, "state": state, "timestamp": int(time.time()), **token})

    def delete(self, thing, _message):
        """Its version is not forgotten."""
        version = self.documents.get(thing, {"version": 0})["version"]
        self.documents[thing] = {"state": {}, "metadata": {}, "version": version}
        self.publish(thing, "delete/accepted", {"version": version, "timestamp": int(time.time())})

    def part(self, name, thing="kiosk-1"):
        """What is desired or reported."""
        with self.lock:
            return json.loads(json.dumps(self.documents.get(thing, {"state": {}})["state"].get(name, {})))

    def reports(self, control):
        """The values of a control in all requests."""
        with self.lock:
            states = [message.get("state", {}).get("reported") or {} for _, verb, message in self.requests if verb == "update"]
        return [state[control] for state in states if control in state]

    def stop(self):
        """Ends it."""
        self.client.disconnect()
        self.client.loop_stop()


class Case(CloudCase):
    """A board, a shadow service, and the program between them, which has a connection for each."""

    name, shadow, is_one_broker = "shadow", NAMED, False

    def setUp(self):
        self.make_board("topic readwrite $aws/#\n")
        self.service = ShadowService(self.bed, self.shadow)
        self.addCleanup(self.service.stop)
        self.start_program()
        self.expect_reported("volume", 20)

    def start_program(self):
        """With a table for each connection."""
        folder = self.bed.folder
        settings = f'interval = {INTERVAL}\n{"shadow = " + json.dumps("stepperd") if self.shadow == NAMED else ""}\n'
        for name, user in (("boards", "house"),) if self.is_one_broker else (("boards", "shadow"), ("things", "house")):
            settings += (f'[{name}]\nhost = "127.0.0.1"\nport = {self.bed.broker.port}\nid = "shadow-{name}"\nuser = "{user}"\n'
                         f'password = "secret of {user}"\nca-file = "{folder}/authority.crt"\ncertificate-file = "{folder}/client.crt"\n'
                         f'key-file = "{folder}/client.key"\n')
        self.run_program(settings)

    def ask(self, part, **values):
        """An operator writes to a part of the shadow. Returns when the service has it."""
        before = len(self.service.requests)
        message = {"state": {part: {key.replace("_gain", ":gain"): value for key, value in values.items()}}}
        self.bed.house.publish(f"$aws/things/kiosk-1/{self.shadow}/update", json.dumps(message))
        eventually(lambda: ("kiosk-1", "update", message) in self.service.requests[before:], self.facts, 30)

    def desire(self, **wishes):
        """An operator asks for something."""
        self.ask("desired", **wishes)

    def facts(self):
        """For failures."""
        return f"{self.service.documents}; {self.service.requests[-20:]}; {super().facts()}"

    def expect_reported(self, control, value):
        """Waits until the shadow has it."""
        eventually(lambda: self.service.part("reported").get(control) == value, lambda: f"{control} is not {value!r}: {self.facts()}", 30)

    def expect_done(self, **values):
        """Waits until nothing is desired any more, and the board and the shadow have these values."""
        for control, value in values.items():
            self.expect_reported(control.replace("_gain", ":gain"), value)
        eventually(lambda: not self.service.part("desired"), lambda: f"something is desired: {self.facts()}", 30)

    def expect_rest(self, **values):
        """Waits until nothing is published any more; then all is as it was expected."""
        self.wait_for_rest(lambda: (len(self.service.requests), len(self.service.answers)))
        reported = self.service.part("reported")
        self.assertEqual({key: reported.get(key.replace("_gain", ":gain")) for key in values}, values, self.facts())

    def expect_settled(self, **values):
        """Waits until all is done, and stays so."""
        self.expect_done(**values)
        self.expect_rest(**values)
        self.assertEqual(self.service.part("desired"), {})
        self.assertEqual({key: self.bed.call("Get", control=key.replace("_gain", ".gain"))["state"].get("value") for key in values
                          if isinstance(values[key], (int, float))},
                         {key: value for key, value in values.items() if isinstance(value, (int, float))}, self.facts())


class Shadow(Case):
    """The ordinary life."""

    def test_every_kind(self):
        """Numbers, choices, toggles, and a control that may be unset, from the shadow to the board and back."""
        reported = {"volume": 20, "mute": "off", "source": "radio", "word": "", "left:gain": 0}
        for control, value in reported.items():
            self.expect_reported(control, value)
        self.desire(volume=41, mute=True, source="usb", word="two", left_gain=-2.5)
        self.expect_done(volume=41, mute="on", source="usb", word="two", left_gain=-2.5)
        self.assertEqual([self.bed.value(control) for control in ("volume", "mute", "source", "word", "left.gain")], ["41", "on", "usb", "two", "-2.5"])
        self.desire(volume="42", mute="off", word="")
        self.expect_settled(volume=42, mute="off", word="")
        self.assertEqual(self.bed.value("word"), None)
        self.assertNotIn("lastErrors", self.service.part("reported"))
        self.assertEqual(self.log(), "")

    def test_a_hand_after_the_target(self):
        """Its value stays, though another one was desired before; and the same value can be desired again."""
        self.desire(volume=40)
        self.expect_done(volume=40)
        self.turn(-3)
        self.expect_settled(volume=37)
        # Times of shadows are in seconds: in the same second it would be the same wish.
        begin = int(time.time())
        eventually(lambda: int(time.time()) > begin, "the next second")
        self.desire(volume=40)
        self.expect_settled(volume=40)

    def test_a_value_that_it_has(self):
        """Is done too, so that it does not come back after the next turn."""
        self.desire(volume=20)
        self.expect_done(volume=20)
        self.turn(5)
        self.expect_settled(volume=25)
        self.assertEqual(self.bed.value(), "25")

    def test_a_value_that_is_rounded(self):
        """Is another one than was desired, and that is all."""
        self.desire(volume=40.4, left_gain=1.75)
        self.expect_settled(volume=40, left_gain=1.8)

    def test_while_a_hand_moves_it(self):
        """Only the value at rest is reported."""
        value = self.hold_button(lambda: self.assertEqual(self.service.reports("volume"), [20]))
        self.expect_settled(volume=value)
        self.assertEqual(len(self.service.reports("volume")), 2)

    def test_a_client_that_sets_it_fast(self):
        """Is reported once in each interval."""
        begin = time.monotonic()
        for number in range(301):
            self.bed.call("Set", control="volume", value=number % 100)
        self.expect_settled(volume=0)
        self.assertLess(len(self.service.reports("volume")), 3 + (time.monotonic() - begin) / INTERVAL)

    def test_what_cannot_be_done(self):
        """Is said in the shadow, and desired no more; the next one that can be done ends that."""
        self.desire(nothing=3, volume=500, mute={"deep": 1}, source="tape")
        self.expect_done()
        errors = self.service.part("reported")["lastErrors"]
        self.assertEqual({control: error["error"] for control, error in errors.items()},
                         {"nothing": "noSuchControl", "volume": "outOfRange", "mute": "invalidParameter", "source": errors["source"]["error"]})
        self.assertIn("it goes from 0 to 100", errors["volume"]["message"])
        self.desire(volume=50)
        self.expect_done(volume=50)
        self.assertEqual(sorted(self.service.part("reported")["lastErrors"]), ["mute", "nothing", "source"])
        self.expect_rest()

    def test_what_is_no_control(self):
        """Stays as it is: nobody can be asked for it."""
        self.desire(Firmware={"version": 3})
        self.desire(volume=21)
        self.expect_reported("volume", 21)
        eventually(lambda: self.service.part("desired") == {"Firmware": {"version": 3}}, self.facts, 30)
        self.expect_rest()

    def test_a_flood(self):
        """The newest value is done."""
        for number in range(500):
            self.bed.house.client.publish(f"$aws/things/kiosk-1/{self.shadow}/update", json.dumps({"state": {"desired": {"volume": number % 97}}}), 1)
        self.desire(volume=98)
        self.expect_settled(volume=98)
        self.assertNotIn("lastErrors", self.service.part("reported"))

    def test_a_shadow_that_is_full(self):
        """Its service refuses reports, which is printed; then there is room again."""
        size = len(json.dumps(self.service.documents["kiosk-1"]["state"], separators=(",", ":")))
        self.ask("reported", Filling="x" * (8192 - size - len(',"Filling":""')))
        self.assertIn("Filling", self.service.part("reported"))
        self.turn(80)
        eventually(lambda: '"code": 413' in self.log(), self.log, 30)
        self.ask("reported", Filling=None)
        self.turn(-40)
        self.expect_done(volume=60)

    def test_a_control_that_is_removed(self):
        """Is reported no more."""
        self.bed.reload(self.bed.text(CONTROLS.replace("[control.mute]", "[control.light]")))
        self.expect_reported("light", "off")
        self.expect_reported("mute", None)
        self.assertNotIn("mute", self.service.part("reported"))


class Order(Case):
    """Answers of the service in another order than it gave them, and changes between two requests."""

    def setUp(self):
        super().setUp()
        # The program has looked at the shadow.
        self.expect_rest()

    def expect_held(self, number):
        """Waits for this many answers to wishes; the board's own reports may be among what is held."""
        eventually(lambda: sum("desired" in message["state"] for _, message in self.service.held) == number, self.facts, 30)

    def test_the_older_value_comes_last(self):
        """And is not done."""
        self.service.held = []
        for value in (50, 60):
            self.desire(volume=value)
        self.expect_held(2)
        self.service.release()
        self.expect_settled(volume=60)
        self.assertNotIn("50", self.bed.house.payloads(f"{P}/volume"))

    def test_another_control_comes_last(self):
        """And is done too."""
        self.service.held = []
        self.desire(source="line")
        self.desire(volume=60)
        self.expect_held(2)
        self.service.release()
        self.expect_settled(volume=60, source="line")

    def test_a_value_that_is_desired_meanwhile(self):
        """Between the look at the shadow and the change of it: it is not deleted with the one before."""
        meanwhile = [61, 62]

        def change(thing, verb, message):
            if verb == "update" and "version" in message and meanwhile:
                self.service.received(f"$aws/things/{thing}/{self.shadow}/update",
                                      json.dumps({"state": {"desired": {"volume": meanwhile.pop(0)}}}).encode())

        self.service.before = change
        self.desire(volume=60)
        self.expect_done(volume=62)
        self.assertEqual(meanwhile, [])
        self.assertEqual(len([1 for topic, message in self.service.answers if message.get("code") == 409]), 2)
        self.expect_rest()
        self.assertEqual(self.bed.value(), "62")


class Losses(Case):
    """Each side is away in turn."""

    def test_the_board_is_off(self):
        """It is given what is desired when it comes back; what was replaced or deleted meanwhile never."""
        self.bed.bridge.terminate()
        self.assertEqual(self.bed.bridge.wait(10 * PATIENCE), 0)
        self.bed.house.expect(f"{P}/status", "offline")
        self.desire(volume=60, source="line")
        self.desire(volume=70, mute=True)
        self.desire(source=None)
        eventually(lambda: self.service.part("desired") == {"volume": 70, "mute": True}, self.facts, 30)
        self.expect_rest()
        self.bed.start_bridge()
        self.expect_done(volume=70, mute="on")
        self.assertNotIn("60", self.bed.house.payloads(f"{P}/volume"))
        self.expect_settled(volume=70, mute="on", source="radio")

    def test_the_board_has_no_daemon(self):
        """As if it was off."""
        self.bed.kill(self.bed.daemon.process)
        self.bed.house.expect(f"{P}/status", "offline")
        self.desire(volume=70)
        self.bed.start_daemon()
        self.expect_settled(volume=70)

    def test_the_program_is_killed(self):
        """When it comes back it reports what a hand has done, and does what is desired."""
        self.kill_program()
        self.turn(7)
        self.desire(source="usb")
        eventually(lambda: self.service.part("desired") == {"source": "usb"}, self.facts, 30)
        self.start_program()
        self.expect_settled(volume=27, source="usb")

    def test_the_program_is_killed_before_the_result(self):
        """The broker keeps the result for it."""
        self.kill_before_the_result()
        self.start_program()
        self.expect_settled(volume=75)
        self.assertEqual(self.bed.value(), "75")

    def test_the_broker_is_killed(self):
        """With everything at it; the shadow keeps what is desired."""
        self.desire(mute=True)
        self.expect_done(mute="on")
        self.bed.broker.kill()
        self.turn(4)
        self.bed.broker.start()
        eventually(self.bed.house.client.is_connected, "the other side is connected", 30)
        eventually(self.service.client.is_connected, "the service is connected", 30)
        self.bed.house.expect(f"{P}/volume", "24", 90)
        self.desire(source="line")
        self.expect_settled(volume=24, source="line", mute="on")

    def test_the_shadow_is_deleted(self):
        """The next value makes it anew."""
        self.bed.house.publish(f"$aws/things/kiosk-1/{self.shadow}/delete", "")
        eventually(lambda: not self.service.part("reported"), self.facts, 30)
        self.turn(2)
        self.expect_done(volume=22)
        self.desire(volume=30)
        self.expect_settled(volume=30)


class OneBroker(Case):
    """Boards and the shadow service at one broker, as at AWS IoT Core itself; and the classic shadow."""

    shadow, is_one_broker = CLASSIC, True

    def test_both_ways(self):
        """With one connection."""
        self.desire(volume=41, mute=True)
        self.expect_done(volume=41, mute="on")
        self.turn(1)
        self.expect_settled(volume=42)


class Functions(unittest.TestCase):
    """Without connections, as a function of the cloud calls them."""

    def setUp(self):
        specification = importlib.util.spec_from_file_location("shadow", PROGRAM)
        self.shadow = importlib.util.module_from_spec(specification)
        sys.dont_write_bytecode = True
        specification.loader.exec_module(self.shadow)

    def board(self, path, message):
        """The messages because of one of a board."""
        payload = message if isinstance(message, bytes) else json.dumps(message).encode()
        return self.shadow.from_board("b", path, payload)

    def target(self, value, timestamp=5, path="update/accepted"):
        """The target because of a value that is desired."""
        message = {"state": {"desired": {"c": value}}, "metadata": {"desired": {"c": {"timestamp": timestamp}}}, "version": 9}
        return self.shadow.from_shadow("b", path, json.dumps(message).encode())

    def test_states(self):
        """At rest they are reports."""
        for state, value in (({"value": 4.5, "text": "4.5"}, 4.5), ({"value": 1, "text": "usb"}, "usb"), ({"value": 1, "text": "on"}, "on"),
                             ({"value": None, "text": None}, "")):
            self.assertEqual(self.board("c/state", {**state, "editing": False}), [("$aws/things/b/shadow/update", {"state": {"reported": {"c": value}}})])
            self.assertEqual(self.board("c/state", {**state, "editing": True}), [])
        self.assertEqual(self.board("c/state", b""), [("$aws/things/b/shadow/update", {"state": {"reported": {"c": None}}})])

    def test_status(self):
        """A board that comes has its shadow looked at."""
        self.assertEqual(self.board("status", b"online"), [("$aws/things/b/shadow/get", {})])
        self.assertEqual(self.board("status", b"offline"), [])

    def test_results(self):
        """Those of other targets and commands are somebody else's."""
        for name in ("monday", 7, None):
            self.assertEqual(self.board("c/result", {"id": name, "ok": True}), [])
        self.assertEqual(self.board("c/result", {"id": "shadow-1", "error": "tooManyCommands", "message": "m"}), [])
        self.assertEqual(self.board("c/result", {"id": "shadow-1", "ok": True}), [("$aws/things/b/shadow/get", {"clientToken": "shadow-1"})])
        report, get = self.board("c/result", {"id": "shadow-1", "error": "outOfRange", "message": "m" * 500})
        self.assertEqual(report[1]["state"]["reported"]["lastErrors"]["c"], {"revision": "shadow-1", "error": "outOfRange", "message": "m" * 200})
        self.assertEqual(get[1], {"clientToken": "shadow-1"})

    def test_targets(self):
        """With the same revision for the same wish, and a token that AWS takes."""
        for value, member in ((4, {"value": 4}), ("usb", {"text": "usb"}), (True, {"text": "on"}), (False, {"text": "off"}), ("", {"text": ""})):
            [(topic, target)] = self.target(value)
            self.assertEqual(topic, "stepperd/b/c/target")
            self.assertLessEqual(len(target["revision"]), 64)
            self.assertEqual(target, {**member, "revision": target["revision"]})
            self.assertEqual(self.target(value, path="get/accepted"), [(topic, target)])
            self.assertNotEqual(self.target(value, 6), [(topic, target)])
        self.assertEqual(self.target(None), [])

    def test_what_is_too_long(self):
        """No board reads it: it is refused here, and desired no more."""
        report, get = self.target("x" * 5_000)
        token = get[1]["clientToken"]
        self.assertEqual(get, ("$aws/things/b/shadow/get", {"clientToken": token}))
        self.assertEqual(report, ("$aws/things/b/shadow/update", {
            "state": {"reported": {"lastErrors": {"c": {"revision": token, "error": "tooLong", "message": "it is too long"}}}}, "clientToken": token}))
        document = {"state": {"desired": {"c": "x" * 5_000}}, "version": 12, "metadata": {"desired": {"c": {"timestamp": 5}}}, "clientToken": token}
        [(_, update)] = self.shadow.from_shadow("b", "get/accepted", json.dumps(document).encode())
        self.assertEqual(update["state"]["desired"], {"c": None})

    def test_done(self):
        """What is desired is deleted if it is still that, and on no other condition."""
        [(_, target)] = self.target(4)
        document = {"state": {"desired": {"c": 4, "d": 4}, "reported": {"lastErrors": {"c": {"revision": "shadow-0"}}}}, "version": 12,
                    "metadata": {"desired": {"c": {"timestamp": 5}, "d": {"timestamp": 5}}}, "clientToken": target["revision"]}
        [(topic, update)] = self.shadow.from_shadow("b", "get/accepted", json.dumps(document).encode())
        self.assertEqual((topic, update), ("$aws/things/b/shadow/update", {
            "state": {"desired": {"c": None}, "reported": {"lastErrors": {"c": None}}}, "version": 12, "clientToken": target["revision"]}))
        document["metadata"]["desired"]["c"]["timestamp"] = 6
        self.assertEqual(self.shadow.from_shadow("b", "get/accepted", json.dumps(document).encode()), [])
        conflict = {"code": 409, "message": "Version conflict", "clientToken": target["revision"]}
        self.assertEqual(self.shadow.from_shadow("b", "update/rejected", json.dumps(conflict).encode()),
                         [("$aws/things/b/shadow/get", {"clientToken": target["revision"]})])
        self.assertEqual(self.shadow.from_shadow("b", "update/rejected", b'{"code": 413, "message": "too large"}'), [])

    def test_an_error_and_a_deletion(self):
        """Wait beside each other; and reports of several controls become one."""
        class Program(self.shadow.Program):
            """Without a connection."""

            def connect(self, *_):
                """None."""

        program = Program({"boards": {}})
        program.received("stepperd/b/c/result", json.dumps({"id": "shadow-1", "error": "outOfRange", "message": "m"}).encode())
        wish = self.shadow.revision("c", 4, {"timestamp": 5})
        program.received("stepperd/b/c/result", json.dumps({"id": wish, "error": "outOfRange", "message": "m"}).encode())
        program.received("$aws/things/b/shadow/get/accepted", json.dumps({
            "state": {"desired": {"c": 4}}, "metadata": {"desired": {"c": {"timestamp": 5}}}, "version": 3, "clientToken": wish}).encode())
        for control in "cde":
            program.received(f"stepperd/b/{control}/state", b'{"value": 1, "text": "1", "editing": false}')
        updates = [message for (topic, *_), message in program.waiting.items() if topic.endswith("/update")]
        self.assertEqual([(list(message["state"]), "version" in message) for message in updates],
                         [(["reported"], False), (["reported"], False), (["desired"], True), (["reported"], False)])
        self.assertEqual(updates[3], {"state": {"reported": {"c": 1, "d": 1, "e": 1}}})

    def test_names(self):
        """Of a named shadow and another prefix."""
        message = {"state": {"desired": {"left:gain": 1}}, "metadata": {"desired": {"left:gain": {"timestamp": 5}}}, "version": 9}
        [(topic, _)] = self.shadow.from_shadow("b", "update/accepted", json.dumps(message).encode(), NAMED, "site/a")
        self.assertEqual(topic, "site/a/b/left:gain/target")
        self.assertEqual(self.shadow.from_board("b", "status", b"online", NAMED)[0][0], "$aws/things/b/shadow/name/stepperd/get")

    def test_the_guide_has_the_rules(self):
        """That the program follows, with the topics that it uses."""
        with open(GUIDE, encoding="utf-8") as file:
            text = file.read()
        with open(PROGRAM, encoding="utf-8") as file:
            program = file.read()
        for path in re.search(r"for path in \(([^)]*)\)", program)[1].replace('"', "").split(", "):
            self.assertIn(f"shadow/name/stepperd/{path}", text)
        self.assertLessEqual(len(program.splitlines()), 124)


if __name__ == "__main__":
    unittest.main()
