#!/usr/bin/env python3
"""`stepperd-mqtt` between a real stepperd and a real mosquitto, with paho-mqtt as the other side.

Needs mosquitto, openssl, paho-mqtt and the programs in .build/debug; STEPPERD_BUILD names another directory.
"""

import json
import os
import random
import re
import signal
import socket
import subprocess
import threading
import time
import unittest

from bed import ACCESS, BUILD, CONTROLS, PROJECT, VERSION, Bed, House
from certificates import make_certificate, renew_certificate
from waiting import PATIENCE, eventually

#: In seconds.
DAY = 86_400
P = "stepperd/kiosk-1"
DISCOVERY = "homeassistant/device/kiosk-1/config"


class Case(unittest.TestCase):
    """A bed for each test."""

    extra, controls = "", CONTROLS

    def setUp(self):
        self.bed = Bed(self.extra, self.controls)
        self.addCleanup(self.bed.stop)

    def state(self, control="volume"):
        """The published state."""
        return json.loads(self.bed.house.text(f"{P}/{control}/state") or "{}")

    def plain(self, broker):
        """The configuration for a broker without TLS."""
        return "\n".join(line for line in self.bed.text(CONTROLS, broker=broker).splitlines()
                         if not line.startswith(("ca-file", "certificate-file", "key-file")))

    def check_equal(self):
        """What the broker retains is what the daemon has."""
        def difference():
            retained = self.bed.house.retained()
            if retained.get(f"{P}/status") != "online":
                return "not online"
            controls = self.bed.call("List")["controls"]
            for control in controls:
                state = control["state"]
                name = state["control"]
                published = json.loads(retained.get(f"{P}/{name}/state", "{}"))
                if (published.get("text"), published.get("sequence")) != (state.get("text"), state["sequence"]):
                    return f"{name}: {published} is not {state}"
                if retained.get(f"{P}/{name}") != state.get("text"):
                    return f"{name} is {retained.get(f'{P}/{name}')}"
            names = {control["state"]["control"] for control in controls}
            extra = [topic for topic in retained if topic.startswith(P) and topic.split("/")[2] not in names | {"status", "info", "last-seen"}]
            return f"left over: {extra}" if extra else None

        eventually(lambda: difference() is None, lambda: f"{difference()}; {self.bed.bridge_log()}", 90)


class Bridge(Case):
    """The ordinary life."""

    def setUp(self):
        super().setUp()
        self.bed.start()

    def test_a_board_appears(self):
        """Everything is published, and retained."""
        house = self.bed.house
        self.check_equal()
        retained = house.retained()
        self.assertEqual(retained[f"{P}/volume"], "20")
        info = json.loads(retained[f"{P}/info"])
        self.assertEqual(sorted(info["controls"]), ["bell", "mute", "source", "volume"])
        self.assertEqual(info["version"], VERSION)
        components = json.loads(retained[DISCOVERY])["cmps"]
        self.assertEqual(components["volume"]["p"], "number")
        self.assertEqual(components["mute"]["p"], "switch")
        self.assertEqual(components["source"]["options"], ["radio", "usb", "line"])
        self.assertEqual(components["bell"]["p"], "binary_sensor")
        state = self.state()
        self.assertEqual((state["value"], state["text"], state["editing"], state["limit"]), (20, "20", False, "none"))
        self.assertRegex(state["time"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ$")

    def test_values_go_both_ways(self):
        """From the daemon, and from the network with results."""
        house = self.bed.house
        self.bed.call("Set", control="volume", value=33)
        house.expect(f"{P}/volume", "33")
        house.publish(f"{P}/volume/set", "44")
        house.expect(f"{P}/volume", "44")
        self.assertEqual(self.bed.value(), "44")
        house.publish(f"{P}/volume/step", "-4")
        house.expect(f"{P}/volume", "40")
        house.publish(f"{P}/volume/reset", "")
        house.expect(f"{P}/volume", "20")
        house.publish(f"{P}/mute/set", "on")
        house.expect(f"{P}/mute", "on")
        house.publish(f"{P}/source/set", "usb")
        house.expect(f"{P}/source", "usb")
        house.publish(f"{P}/volume/set", json.dumps({"value": 55, "id": "a"}))
        result = json.loads(house.expect(f"{P}/volume/result", lambda text: text and '"id":"a"' in text))
        self.assertEqual((result["ok"], result["state"]["text"]), (True, "55"))
        house.publish(f"{P}/volume/set", json.dumps({"value": 56, "ifSequence": 0, "id": "b"}))
        result = json.loads(house.expect(f"{P}/volume/result", lambda text: text and '"id":"b"' in text))
        self.assertEqual((result["error"], result["state"]["text"]), ("changed", "55"))
        house.publish(f"{P}/volume/set", json.dumps({"value": 500, "id": "c"}))
        result = json.loads(house.expect(f"{P}/volume/result", lambda text: text and '"id":"c"' in text))
        self.assertEqual(result["error"], "outOfRange")
        self.assertIn("it goes from 0 to 100", result["message"])
        self.check_equal()

    def test_hostile_messages_do_no_harm(self):
        """Of any size, depth and rate."""
        house = self.bed.house
        began = time.monotonic()
        generator = random.Random(13)
        for payload in ("{" * 4000, "[" * 4000, "{\"value\":" * 500, "\0", "x" * 100_000, "{\"value\":1e400}", "\ud800".encode("utf-8", "surrogatepass"),
                        "é" * 3000, bytes(range(256))):
            for topic in ("set", "step", "reset"):
                house.publish(f"{P}/volume/{topic}", payload)
        for number in range(2000):
            house.client.publish(f"{P}/volume/set", str(generator.randrange(100)), 1)
            house.client.publish(f"{P}/nothing{number}/set", "1", 0)
        house.publish(f"{P}/volume/set", "61")
        house.expect(f"{P}/volume", "61", 60)
        # Larger than a command, but not than a packet: refused.
        house.publish(f"{P}/volume/set", b"9" * 1_000_000)
        self.bed.expect_log("it has more than 4096 bytes")
        # Larger than a packet: not sent.
        house.publish(f"{P}/volume/set", b"9" * (150 << 20))
        house.publish(f"{P}/volume/set", "63")
        house.expect(f"{P}/volume", "63", 60)
        self.assertIsNone(self.bed.bridge.poll())
        log = self.bed.bridge_log()
        self.assertNotIn("trying again", log)
        # Ten refusals in ten seconds, and few other lines: what it takes depends on the machine.
        seconds = time.monotonic() - began
        self.assertLess(len(log.splitlines()), 20 + 11 * (1 + seconds / 10), log)

    def test_a_retained_set_is_ignored(self):
        """And reported, and cleared by an empty one without harm."""
        house = self.bed.house
        self.bed.bridge.terminate()
        self.assertEqual(self.bed.bridge.wait(10 * PATIENCE), 0)
        house.expect(f"{P}/status", "offline")
        house.publish(f"{P}/volume/set", "99", retain=True)
        self.bed.start_bridge()
        house.expect(f"{P}/status", "online")
        self.bed.expect_log(f"{P}/volume/set: ignored, because it is retained")
        house.publish(f"{P}/volume/set", "", retain=True)
        house.publish(f"{P}/volume/set", "31")
        house.expect(f"{P}/volume", "31")
        # Also while the board is there; and what clears a reset is none.
        house.publish(f"{P}/volume/set", "98", retain=True)
        house.publish(f"{P}/volume/reset", "PRESS", retain=True)
        self.bed.expect_log(f"{P}/volume/reset: ignored, because it is retained")
        for verb in ("set", "reset"):
            house.publish(f"{P}/volume/{verb}", "", retain=True)
        house.publish(f"{P}/volume/step", "1")
        house.expect(f"{P}/volume", "32")
        self.assertEqual([text for text in house.payloads(f"{P}/volume") if text in ("98", "99")], [])

    def test_a_button_is_told_as_a_moment(self):
        """Not retained."""
        house = self.bed.house
        stepperctl = [f"{BUILD}/stepperctl", "--address", self.bed.daemon.socket, "click", "panel:push"]
        subprocess.run(stepperctl, check=True, capture_output=True, timeout=20 * PATIENCE, env=self.bed.environment())
        eventually(lambda: "shortPress" in house.payloads(f"{P}/bell/moment"), lambda: f"{house.payloads(f'{P}/bell/moment')}")
        self.assertNotIn(f"{P}/bell/moment", house.retained())

    def test_an_adjusted_range_is_announced_before_its_states(self):
        """Home Assistant drops states that are outside of the range it was told."""
        house = self.bed.house
        before = len(house.log)
        self.bed.call("Adjust", control="volume", maximum=200)
        self.bed.call("Set", control="volume", value=150)
        house.expect(f"{P}/volume", "150")
        topics = [(topic, payload) for topic, payload, _ in house.log[before:]]
        announced = next(index for index, (topic, payload) in enumerate(topics) if topic == DISCOVERY and '"max":200' in payload)
        self.assertLess(announced, topics.index((f"{P}/volume", "150")))

    def test_a_reload_removes_and_adds(self):
        """Topics of a control that is there no more are cleared, and its component is removed."""
        house = self.bed.house
        self.bed.daemon.configure(self.bed.text(CONTROLS.replace("[control.mute]", "[control.light]")))
        self.bed.daemon.process.send_signal(signal.SIGHUP)
        house.expect(f"{P}/light", "off")
        house.expect(f"{P}/mute/state", "")
        self.assertTrue(any('"mute":{"p":"switch"}' in payload for payload in house.payloads(DISCOVERY)))
        self.assertNotIn("mute", house.expect(DISCOVERY, lambda text: "mute" not in text))
        self.check_equal()

    def test_a_reload_is_announced_without_a_pause(self):
        """What a control is, its title, its bounds and its presses; the board stays online."""
        house = self.bed.house
        before = len(house.log)
        controls = CONTROLS.replace('title = "Volume"', 'title = "Loudness"\nbounds = "advisory"')
        self.bed.reload(self.bed.text(controls.replace('push = "panel:push"', 'push = { input = "panel:push", delay = "1s" }')))
        house.expect(DISCOVERY, lambda text: text and '"stype":"bell","t":"stepperd/kiosk-1/bell/moment","pl":"longPress"' in text)
        components = json.loads(house.text(DISCOVERY))["cmps"]
        self.assertEqual((components["volume"]["p"], components["volume"]["name"]), ("sensor", "Loudness"))
        self.bed.reload(self.bed.text(controls).replace('name = "Kiosk 1"', 'name = "Kiosk One"'))
        house.expect(DISCOVERY, lambda text: text and '"name":"Kiosk One"' in text and '"payload":"longPress"' not in text)
        self.assertEqual([payload for topic, payload, _ in house.log[before:] if topic == f"{P}/status"], [])
        self.check_equal()

    def test_many_groups_are_followed(self):
        """More filters than one packet has."""
        groups = [f"group-{number}" for number in range(20)]
        self.bed.reload(self.bed.text(CONTROLS) + f"groups = {json.dumps(groups)}\ndiscovery = false\n")
        self.bed.expect_log("connecting anew")
        self.bed.house.expect(DISCOVERY, "")
        self.bed.house.expect(f"{P}/status", "online")
        for number in (0, 7, 19):
            self.bed.house.publish(f"stepperd/$group/group-{number}/volume/set", f"{30 + number}")
            self.bed.house.expect(f"{P}/volume", f"{30 + number}")

    def test_another_table_is_used(self):
        """With a new connection; and one with an error is not."""
        house = self.bed.house
        self.bed.daemon.configure(self.bed.text(CONTROLS).replace('id = "kiosk-1"', 'id = "kiosk 1"'))
        self.bed.bridge.send_signal(signal.SIGHUP)
        self.bed.expect_log("the former configuration stays, because the new one cannot be used")
        self.bed.reload(self.bed.text(CONTROLS) + 'groups = ["lobby"]\n')
        self.bed.expect_log("connecting anew")
        house.expect(f"{P}/status", "offline")
        house.expect(f"{P}/status", "online")
        house.publish("stepperd/$group/lobby/volume/set", "12")
        house.expect(f"{P}/volume", "12")
        self.assertIsNone(self.bed.bridge.poll())

    def test_a_password_and_a_certificate_are_changed(self):
        """In their files, while it runs: it connects with them at once."""
        bed, house = self.bed, self.bed.house
        for number, change in enumerate((lambda: bed.write_password("another secret"), lambda: make_certificate(bed.folder, "client", "DNS:kiosk")), 1):
            with self.subTest(number=number):
                if number == 1:
                    subprocess.run(["mosquitto_passwd", "-b", f"{bed.folder}/passwords", "kiosk", "another secret"], check=True, capture_output=True)
                    bed.broker.process.send_signal(signal.SIGHUP)
                change()
                eventually(lambda: bed.bridge_log().count("connecting anew") == number, bed.bridge_log, 30)
                eventually(lambda: bed.bridge_log().count("online at") == number + 1, bed.bridge_log, 30)
        house.expect(f"{P}/status", "online")
        self.check_equal()

    def test_a_password_in_a_busy_directory(self):
        """Others make and remove files beside it without a pause."""
        bed = self.bed
        over = threading.Event()

        def write():
            while not over.wait(0.004):
                with open(f"{bed.folder}/other", "w", encoding="ascii"):
                    os.remove(f"{bed.folder}/other")

        writer = threading.Thread(target=write)
        writer.start()
        try:
            bed.write_password("another secret")
            bed.expect_log("connecting anew", 30)
        finally:
            over.set()
            writer.join()

    def test_a_change_is_found_where_nothing_can_be_watched(self):
        """A minute later."""
        bed = self.bed
        library, calls = f"{bed.folder}/nth-call.so", f"{bed.folder}/calls"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, f"{PROJECT}/Tests/Support/nth-call.c", "-ldl"], check=True)
        with open(calls, "w", encoding="ascii") as file:
            file.write("series 1\ninotify_add_watch * ENOSPC\n")
        bed.kill(bed.bridge)
        bed.under = ("env", f"LD_PRELOAD={library}", f"STEPPERD_CALLS={calls}")
        bed.start_bridge()
        bed.expect_log(f"{bed.password} cannot be watched and is checked once a minute: No space left on device")
        eventually(lambda: bed.bridge_log().count("online at") == 2, bed.bridge_log, 30)
        make_certificate(bed.folder, "client", "DNS:kiosk")
        bed.expect_log("connecting anew", 120)
        eventually(lambda: bed.bridge_log().count("online at") == 3, bed.bridge_log, 30)

    def test_a_file_with_an_error_while_it_connects_anew(self):
        """The broker acknowledges nothing, so that it takes two seconds; the plan of the change is used, and the error logged."""
        bed = self.bed
        text = bed.text(CONTROLS)
        bed.broker.process.send_signal(signal.SIGSTOP)
        try:
            bed.daemon.configure(text.replace('name = "Kiosk 1"', 'name = "Kiosk One"\nkeep-alive = "30s"'))
            bed.bridge.send_signal(signal.SIGHUP)
            bed.expect_log("connecting anew")
            os.unlink(bed.password)
            bed.daemon.configure(text + "[mqtt]\n")
            bed.expect_log("the former configuration stays, because the new one cannot be used")
        finally:
            bed.broker.process.send_signal(signal.SIGCONT)
        eventually(lambda: bed.bridge_log().count("online at") == 2, bed.bridge_log, 60)
        self.assertIsNone(bed.bridge.poll())
        # It is used when it has none.
        bed.write_password("secret of kiosk")
        bed.daemon.configure(text)
        bed.bridge.send_signal(signal.SIGHUP)
        eventually(lambda: bed.bridge_log().count("online at") == 3, bed.bridge_log, 60)
        self.check_equal()

    def test_it_ends_while_a_change_is_due(self):
        """The broker acknowledges nothing, so that it takes two seconds, and a file is read again after one."""
        self.bed.broker.process.send_signal(signal.SIGSTOP)
        self.bed.write_password("another")
        self.bed.bridge.terminate()
        try:
            self.assertEqual(self.bed.bridge.wait(15 * PATIENCE), 0)
        finally:
            self.bed.broker.process.send_signal(signal.SIGCONT)

    def test_a_certificate_ends_soon(self):
        """Status and metrics say so, until there is another one."""
        bed, now = self.bed, int(time.time())
        renew_certificate(bed.folder, "client", now - 80 * DAY, now + 10 * DAY)
        day = time.strftime("%Y-%m-%d", time.gmtime(now + 10 * DAY))
        said = f"online at mqtts://{bed.host}:{bed.broker.port} as kiosk-1: the certificate in {bed.folder}/client.crt ends on {day}; put a new one there"
        eventually(lambda: said in bed.status(), bed.status, 30)
        eventually(lambda: f'\nstepperd_mqtt_certificate_end_seconds{{object="kiosk-1"}} {now + 10 * DAY}\n' in bed.metrics(), bed.metrics, 30)
        self.assertIn('\nstepperd_mqtt_certificate_problems{object="kiosk-1"} 1\n', bed.metrics())
        self.assertIn("mqtt.certificate", bed.doctor())
        self.assertIn(f"client.crt ends on {day}", bed.run("check")[1])
        renew_certificate(bed.folder, "client", now, now + 60 * DAY)
        eventually(lambda: "certificate" not in bed.status(), bed.status, 30)
        eventually(lambda: '\nstepperd_mqtt_certificate_problems{object="kiosk-1"} 0\n' in bed.metrics(), bed.metrics, 30)
        self.assertNotIn("mqtt.certificate", bed.doctor())
        self.check_equal()

    def test_what_others_write_is_repaired(self):
        """To its retained topics; with the announcement too."""
        house = self.bed.house
        house.publish(f"{P}/volume", "99", retain=True)
        house.publish(f"{P}/volume/state", "", retain=True)
        house.publish(f"{P}/info", "{}", retain=True)
        house.publish(f"{P}/status", "offline", retain=True)
        house.publish(DISCOVERY, "", retain=True)
        house.expect(f"{P}/volume", "20")
        house.expect(f"{P}/volume/state", lambda text: text and '"text":"20"' in text)
        house.expect(f"{P}/info", lambda text: text and '"controls"' in text)
        house.expect(f"{P}/status", "online")
        house.expect(DISCOVERY, lambda text: text and '"cmps"' in text, 30)
        self.check_equal()

    def test_a_birth_is_answered(self):
        """With everything, after a random time of at most ten seconds."""
        house = self.bed.house
        before = len(house.log)
        house.publish("homeassistant/status", "online")
        eventually(lambda: {DISCOVERY, f"{P}/volume", f"{P}/volume/state"} <= {topic for topic, _, _ in house.log[before:]}, "an answer", 20)

    def test_stepperctl_shows_it(self):
        """And shows it no more when it has ended."""
        eventually(lambda: f"online at mqtts://127.0.0.1:{self.bed.broker.port} as kiosk-1" in self.bed.status(), self.bed.status)
        self.bed.house.publish(f"{P}/volume/set", "30")
        self.bed.house.publish(f"{P}/volume/set", "1000")
        board = '{object="kiosk-1"}'
        for line in (f"mqtt_online{board} 1", f"mqtt_commands_total{board} 1", f"mqtt_commands_refused_total{board} 1",
                     f"mqtt_connections_total{board} 1", f"mqtt_problems{board} 0"):
            eventually(lambda: f"\nstepperd_{line}\n" in self.bed.metrics(), self.bed.metrics, 30)  # pylint: disable=cell-var-from-loop
        self.bed.kill(self.bed.bridge)
        self.assertNotIn("kiosk-1", self.bed.status())
        self.assertNotIn("kiosk-1", self.bed.metrics())

    def test_forget_clears_everything(self):
        """Of this board, and nothing else."""
        house = self.bed.house
        house.publish("stepperd/kiosk-2/status", "online", retain=True)
        self.bed.bridge.terminate()
        self.bed.bridge.wait(10 * PATIENCE)
        status, output = self.bed.run("forget")
        self.assertEqual(status, 0, output)
        self.assertIn("retained topics of kiosk-1 cleared", output)
        self.assertIn(f"\n  {P}/volume/state\n", output)
        self.assertNotIn("wildcards", output)
        retained = house.retained()
        self.assertEqual([topic for topic in retained if "kiosk-1" in topic], [])
        self.assertEqual(retained["stepperd/kiosk-2/status"], "online")

    def permit(self, topics="topic readwrite #"):
        """Lets the bridge have any names, or these topics."""
        with open(f"{self.bed.folder}/access", "w", encoding="ascii") as file:
            file.write(f"user house\ntopic readwrite #\nuser kiosk\n{topics}\n")
        self.bed.broker.process.send_signal(signal.SIGHUP)

    def left(self, *words):
        """The retained topics with one of these words."""
        return [topic for topic in self.bed.house.retained() if any(word in topic for word in words)]

    def test_other_names_leave_nothing_behind(self):
        """Neither after a reload, nor after a restart."""
        self.permit()
        text, house = self.bed.text(CONTROLS), self.bed.house
        self.bed.reload(text.replace('id = "kiosk-1"', 'id = "kiosk-2"'))
        house.expect("stepperd/kiosk-2/status", "online")
        self.bed.expect_log("the board is not stepperd/kiosk-1 at")
        self.assertEqual(self.left("kiosk-1"), [])
        self.assertIn("homeassistant/device/kiosk-2/config", house.retained())
        self.bed.daemon.configure(text.replace('id = "kiosk-1"', 'id = "kiosk-2"\nprefix = "site"\ndiscovery-prefix = "ha"'))
        self.bed.bridge.terminate()
        self.assertEqual(self.bed.bridge.wait(10 * PATIENCE), 0)
        self.assertEqual(self.left("kiosk-2"), [])
        self.bed.start_bridge()
        house.expect("site/kiosk-2/status", "online")
        # Home Assistant would make a device anew, without the names and places that it was given.
        before = len(house.log)
        self.bed.reload(text.replace('id = "kiosk-1"', 'id = "kiosk-2"\nprefix = "site/b"\ndiscovery-prefix = "ha"'))
        house.expect("site/b/kiosk-2/status", "online")
        self.assertEqual([topic for topic in self.left("kiosk-2") if topic.startswith("site/kiosk")], [])
        self.assertEqual([payload for topic, payload, _ in house.log[before:] if topic == "ha/device/kiosk-2/config" and not payload], [])
        self.bed.reload(text.replace('id = "kiosk-1"', 'id = "kiosk-2"\nprefix = "site"\ndiscovery-prefix = "ha"'))
        house.expect("site/kiosk-2/status", "online")
        self.assertIn("ha/device/kiosk-2/config", house.retained())
        self.bed.bridge.terminate()
        self.assertEqual(self.bed.bridge.wait(10 * PATIENCE), 0)
        self.assertNotEqual(self.left("kiosk-2"), [], "an end with the same names leaves what there is")

    def test_names_of_another_board_are_left(self):
        """One that is online with the former names has them now."""
        # It is one that this board cannot say "offline" for.
        topics = "\n".join(f"topic readwrite {topic}" for topic in (f"{P}/volume/#", f"{P}/info", "stepperd/kiosk-2/#", "homeassistant/#"))
        self.permit(f"{topics}\ntopic read #")
        self.bed.reload(self.bed.text(CONTROLS).replace('id = "kiosk-1"', 'id = "kiosk-2"'))
        self.bed.expect_log("has another board with this id, which is online")
        self.bed.expect_log("clear them with stepperd-mqtt forget --id kiosk-1 --prefix stepperd --discovery-prefix homeassistant")
        self.assertIn(f"{P}/volume", self.left("kiosk-1"))

    def test_access_list_of_the_guide(self):
        """That for the broker of Home Assistant OS is enough for a board, and for no other board's topics."""
        with open(os.path.join(PROJECT, "Documentation/guides/home-assistant.md"), encoding="utf-8") as file:
            listed = next(block for block in re.findall(r"^```text\n(.*?)^```", file.read(), re.MULTILINE | re.DOTALL) if "user addons" in block)
        with open(f"{self.bed.folder}/access", "w", encoding="ascii") as file:
            file.write(listed.replace("user kitchen", "user kiosk").replace("kitchen", "kiosk-1") + "\nuser house\ntopic readwrite #\n")
        self.bed.broker.process.send_signal(signal.SIGHUP)
        self.bed.kill(self.bed.bridge)
        self.bed.house.expect(f"{P}/status", "offline")
        self.bed.start_bridge()
        self.bed.house.expect(f"{P}/status", "online")
        status, output = self.bed.run("check", "--address", self.bed.daemon.socket)
        self.assertEqual(status, 0, output)
        self.bed.house.publish("stepperd/kiosk-2/status", "offline", retain=True)
        status, output = self.bed.run("forget", "--id", "kiosk-2")
        self.assertEqual(status, 0, output)
        self.assertIn("0 retained topics of kiosk-2 cleared", output)
        self.assertIn("or this user may not read it", output)
        self.assertEqual(self.left("kiosk-2"), ["stepperd/kiosk-2/status"])
        self.check_equal()

    def test_forget_clears_former_names(self):
        """Those that are told to it; and names that are none are refused."""
        self.permit()
        for topic in ("site/a/old/info", "site/a/old/status", "ha/device/old/config"):
            self.bed.house.publish(topic, "x", retain=True)
        for arguments in (("--id", "a/b"), ("--id", ""), ("--prefix", "a//b"), ("--discovery-prefix", "#")):
            status, output = self.bed.run("forget", *arguments)
            self.assertEqual(status, 64, output)
            self.assertIn(f"{arguments[0]} must be of letters, digits, - and _", output)
        status, output = self.bed.run("forget", "--id", "old", "--prefix", "site/a", "--discovery-prefix", "ha")
        self.assertEqual(status, 0, output)
        self.assertIn("3 retained topics of old cleared", output)
        self.assertEqual(self.left("old"), [])
        self.assertIn(f"{P}/volume", self.left("kiosk-1"))

    def test_check_says_what_would_be(self):
        """How each control appears, and that the broker accepts."""
        status, output = self.bed.run("check", "--address", self.bed.daemon.socket)
        self.assertEqual(status, 0, output)
        self.assertIn("accepts kiosk", output)
        self.assertIn("volume: number in Home Assistant", output)
        self.assertIn("source: select in Home Assistant", output)
        self.bed.house.expect(f"{P}/status", "online")

    def test_one_thread(self):
        """While it is connected."""
        with open(f"/proc/{self.bed.bridge.pid}/status", encoding="ascii") as file:
            self.assertIn("Threads:\t1\n", file.read())


class Words(Case):
    """Names and words that mean something to a broker, to Home Assistant or to a shell."""

    controls = CONTROLS + """
[control."left.gain"]
maximum = 10
unset = true
initial = 4

[control.word]
choices = ["none", "None", "unknown", "unavailable", "online", "radio"]
unset = true
initial = "unset"
"""

    def setUp(self):
        super().setUp()
        self.bed.start()

    def test_a_dot_is_a_colon_in_topics(self):
        """Of a name, both ways; `check` says so."""
        house = self.bed.house
        house.expect(f"{P}/left:gain", "4")
        house.publish(f"{P}/left:gain/set", json.dumps({"value": 5, "id": "a"}))
        house.expect(f"{P}/left:gain", "5")
        house.expect(f"{P}/left:gain/result", lambda text: text and '"id":"a","ok":true' in text)
        self.assertEqual([topic for topic in house.retained() if "." in topic], [])
        status, output = self.bed.run("check", "--address", self.bed.daemon.socket)
        self.assertEqual(status, 0, output)
        self.assertIn(f"left.gain, at {P}/left:gain: number in Home Assistant", output)

    def test_no_word_looks_like_the_lack_of_a_value(self):
        """Each payload is another one, and sets the control to the same again."""
        house = self.bed.house
        house.expect(f"{P}/word", "None")
        for word in ("none", "None", "unknown", "unavailable", "online"):
            payload = json.dumps(word)
            house.publish(f"{P}/word/set", payload)
            house.expect(f"{P}/word", payload)
            self.assertEqual(self.bed.value("word"), word)
        house.publish(f"{P}/word/set", "radio")
        house.expect(f"{P}/word", "radio")
        house.publish(f"{P}/word/set", '""')
        house.expect(f"{P}/word", "None")
        self.assertIsNone(self.bed.value("word"))

    def test_a_command_is_done_once(self):
        """With its id, in the minute after it; and what is wrong with one is said by name."""
        house = self.bed.house
        step = json.dumps({"steps": 3, "id": "once"})
        # One that comes before the result of the one before it has the same result, and no other.
        for count in range(1, 4):
            house.publish(f"{P}/volume/step", step)
            eventually(lambda wanted=count: len(house.payloads(f"{P}/volume/result")) == wanted,
                       lambda: f"{house.payloads(f'{P}/volume/result')}")
        self.assertEqual(len(set(house.payloads(f"{P}/volume/result"))), 1)
        self.assertEqual(self.bed.value(), "23")
        house.publish(f"{P}/volume/set", json.dumps({"value": 1, "if-sequence": 1, "id": "wrong"}))
        result = json.loads(house.expect(f"{P}/volume/result", lambda text: text and '"id":"wrong"' in text))
        self.assertIn('"if-sequence": unknown field', result["message"])
        house.publish(f"{P}/nothing/set", json.dumps({"value": 1, "id": "unknown"}))
        house.expect(f"{P}/nothing/result", lambda text: text and '"id":"unknown","error":"noSuchControl"' in text)
        self.assertEqual(self.bed.value(), "23")


    def test_an_old_command_is_refused(self):
        """If it says when it was given; the board's clock is that of this machine."""
        house = self.bed.house
        house.publish(f"{P}/volume/set", json.dumps({"value": 60, "time": time.time() - 60, "id": "old"}))
        house.expect(f"{P}/volume/result", lambda text: text and '"id":"old","error":"tooOld"' in text)
        self.assertEqual(self.bed.value(), "20")
        house.publish(f"{P}/volume/set", json.dumps({"value": 60, "time": time.time() - 60, "maxAge": 600, "id": "own"}))
        house.expect(f"{P}/volume/result", lambda text: text and '"id":"own","ok":true' in text)
        house.publish(f"{P}/volume/set", json.dumps({"value": 61, "time": time.time(), "id": "new"}))
        house.expect(f"{P}/volume/result", lambda text: text and '"id":"new","ok":true' in text)
        house.publish(f"{P}/volume/set", json.dumps({"value": 62, "time": time.time() + 600}))
        house.expect(f"{P}/volume", "62")
        self.bed.expect_log("ahead of this board's clock")
        self.assertIn("set the clock of the board or of the sender", self.bed.status())

    def test_a_message_that_is_too_large_is_not_sent(self):
        """By a broker of MQTT 5; it is retained where the board reads."""
        self.bed.house.publish(f"{P}/huge", "x" * 3_000_000, retain=True)
        self.bed.bridge.terminate()
        self.assertEqual(self.bed.bridge.wait(10 * PATIENCE), 0)
        self.bed.house.expect(f"{P}/status", "offline")
        self.bed.start_bridge()
        self.bed.house.expect(f"{P}/status", "online")
        self.assertNotIn("trying again", self.bed.bridge_log())


class Takeover(Case):
    """Two programs with one id, as two boards with copies of an image have it."""

    def test_it_is_said_once(self):
        """In the log of both, with what to do, as long as it lasts."""
        self.bed.start()
        other = {**self.bed.environment(), "XDG_RUNTIME_DIR": f"{self.bed.folder}/other"}
        os.mkdir(other["XDG_RUNTIME_DIR"], 0o700)
        with open(f"{self.bed.folder}/other.log", "ab") as log:
            second = subprocess.Popen(self.bed.command("run", "--address", self.bed.daemon.socket), stdin=subprocess.DEVNULL, stdout=log,
                                      stderr=log, env=other)
        try:
            said = "another client has the id kiosk-1, and each ends the connection of the other; give one of the two another id in [mqtt]"
            # A board that is thrown off at once has not published its info, by which the other would know it.
            self.bed.expect_log(said, 150)
            self.assertIn(said, self.bed.status())

            def other_log():
                with open(f"{self.bed.folder}/other.log", encoding="utf-8") as file:
                    return file.read()

            eventually(lambda: said in other_log(), other_log, 150)
            before, attempts = self.bed.house.payloads(f"{P}/status").count("online"), self.bed.bridge_log().count("trying again")
            eventually(lambda: self.bed.house.payloads(f"{P}/status").count("online") > before + 3, "they take it in turn", 120)
            self.assertEqual(self.bed.bridge_log().count(said), 1)
            self.assertEqual(self.bed.bridge_log().count("trying again"), attempts)
        finally:
            second.terminate()
            self.assertEqual(second.wait(10 * PATIENCE), 0)

    def test_a_broker_that_says_so(self):
        """By MQTT 5: 0x8E is its reason for the end."""
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            self.bed.daemon.configure(self.plain(f"mqtt://127.0.0.1:{listener.getsockname()[1]}"))
            self.bed.start_bridge()
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"\x20\x03\0\0\0" + b"\xe0\x02\x8e\0")
                self.bed.expect_log("another client has the id kiosk-1, and each ends the connection of the other")
            self.bed.bridge.terminate()
            self.assertEqual(self.bed.bridge.wait(10 * PATIENCE), 0)


class Losses(Case):
    """Everything is killed, in any order."""

    def setUp(self):
        super().setUp()
        self.bed.start()

    def test_the_broker_is_killed(self):
        """The latest state arrives after its return, and nothing before it."""
        house = self.bed.house
        self.bed.broker.kill()
        for value in range(50):
            self.bed.call("Set", control="volume", value=value)
        self.bed.broker.start()
        self.check_equal()
        self.assertIn("closed the connection: it was stopped, or another client has the id stepperd-kiosk-1", self.bed.bridge_log())
        self.assertNotIn("TLS", self.bed.bridge_log())
        self.assertEqual([value for value in house.payloads(f"{P}/volume") if value not in ("20", "49")], [])

    def test_the_daemon_is_killed(self):
        """The board is offline, and refuses; then it is online with what it has."""
        house = self.bed.house
        self.bed.kill(self.bed.daemon.process)
        house.expect(f"{P}/status", "offline")
        house.publish(f"{P}/volume/set", json.dumps({"value": 1, "id": "x"}))
        house.expect(f"{P}/volume/result", lambda text: text and "disconnected" in text)
        self.bed.start_daemon()
        house.expect(f"{P}/status", "online")
        self.check_equal()

    def test_the_bridge_is_killed(self):
        """The broker says so for it."""
        house = self.bed.house
        self.bed.kill(self.bed.bridge)
        house.expect(f"{P}/status", "offline")
        self.bed.call("Set", control="volume", value=77)
        self.bed.start_bridge()
        house.expect(f"{P}/status", "online")
        self.check_equal()

    def test_all_in_any_order(self):
        """Ten times, under turning."""
        generator = random.Random(int(os.environ.get("STEPPERD_TEST_SEED", "13")))
        for _ in range(int(os.environ.get("STEPPERD_MQTT_ROUNDS", "6"))):
            victim = generator.choice(("broker", "daemon", "bridge"))
            if victim == "broker":
                generator.choice((self.bed.broker.kill, self.bed.broker.stop))()
            elif victim == "daemon":
                self.bed.kill(self.bed.daemon.process)
                self.bed.start_daemon()
            else:
                self.bed.kill(self.bed.bridge)
            for value in range(generator.randrange(40)):
                self.bed.call("Set", control="volume", value=value)
            if victim == "broker":
                self.bed.broker.start()
            if victim == "bridge":
                self.bed.start_bridge()
            self.check_equal()


class Fleet(Case):
    """Groups and targets."""

    extra = 'groups = ["lobby"]\ntargets = true'

    def test_groups_and_targets(self):
        """A target is applied once, also after an absence and a restart."""
        self.bed.start()
        house = self.bed.house
        house.publish("stepperd/$group/lobby/volume/set", "12")
        house.expect(f"{P}/volume", "12")
        house.publish("stepperd/$group/garage/volume/set", "13")
        target = json.dumps({"value": 70, "revision": "r1"})
        house.publish(f"{P}/volume/target", target, retain=True)
        house.expect(f"{P}/volume", "70")
        house.expect(f"{P}/volume/result", lambda text: text and '"id":"r1","ok":true' in text)
        self.bed.call("Set", control="volume", value=5)
        house.expect(f"{P}/volume", "5")
        self.bed.bridge.terminate()
        self.bed.bridge.wait(10 * PATIENCE)
        self.bed.start_bridge()
        house.expect(f"{P}/status", "online")
        house.publish(f"{P}/source/set", json.dumps({"text": "line", "id": "after"}))
        house.expect(f"{P}/source/result", lambda text: text and "after" in text)
        self.assertEqual(self.bed.value(), "5")
        self.bed.bridge.terminate()
        self.bed.bridge.wait(10 * PATIENCE)
        house.publish(f"{P}/volume/target", json.dumps({"value": 71, "revision": "r2"}), retain=True)
        self.bed.start_bridge()
        house.expect(f"{P}/volume", "71")
        self.assertNotIn("13", house.payloads(f"{P}/volume"))

    def test_a_connection_is_followed_by_another(self):
        """Which takes over the file of the targets, so that none is applied twice."""
        self.bed.start()
        house = self.bed.house
        house.publish(f"{P}/volume/target", json.dumps({"value": 70, "revision": "r1"}), retain=True)
        house.expect(f"{P}/volume", "70")
        self.bed.call("Set", control="volume", value=5)
        house.expect(f"{P}/volume", "5")
        self.bed.reload(self.bed.text(CONTROLS) + 'keep-alive = "30s"\n')
        eventually(lambda: self.bed.bridge_log().count("online at") == 2, self.bed.bridge_log, 30)
        self.assertIsNone(self.bed.bridge.poll())
        house.publish(f"{P}/source/set", json.dumps({"text": "line", "id": "after"}))
        house.expect(f"{P}/source/result", lambda text: text and "after" in text)
        self.assertEqual(self.bed.value(), "5")

    def flood(self, topic, payload):
        """3,000 messages as fast as the broker takes them; the seconds until the last result has come."""
        house = self.bed.house
        begin, before = time.monotonic(), len(house.payloads(f"{P}/volume/result"))
        for number in range(3_000):
            house.client.publish(topic, payload(number), 0)
        # Another topic's answer comes after them.
        marker = f"after {begin}"
        eventually(lambda: self.asked(marker), "an answer after the flood", 60)
        results = len(house.payloads(f"{P}/volume/result")) - before
        return results, time.monotonic() - begin

    def asked(self, marker):
        """Whether a command, which may be dropped, was answered."""
        self.bed.house.publish(f"{P}/source/set", json.dumps({"text": "line", "id": marker}))
        return any(marker in text for text in self.bed.house.payloads(f"{P}/source/result"))

    def test_floods_pass_one_gate(self):
        """Good and bad targets, and commands while the daemon is away, have 50 results a second after a burst; the newest wins."""
        self.bed.start()
        house = self.bed.house
        floods = {
            "good": lambda number: json.dumps({"value": number % 100, "revision": f"good {number}"}),
            "bad": lambda number: json.dumps({"value": [], "revision": f"bad {number}"}),
        }
        for name, payload in floods.items():
            results, seconds = self.flood(f"{P}/volume/target", payload)
            self.assertLessEqual(results, 100 + 50 * seconds + 10 + seconds, name)
        house.expect(f"{P}/volume", "99")
        self.bed.expect_log("commands come faster than 50 a second")
        self.assertRegex(self.bed.bridge_log(), f"commands come faster than 50 a second: [0-9]+ dropped, the last on {P}/volume/target; ")
        self.bed.kill(self.bed.daemon.process)
        house.expect(f"{P}/status", "offline")
        results, seconds = self.flood(f"{P}/volume/set", lambda number: json.dumps({"value": 1, "id": number}))
        self.assertLessEqual(results, 100 + 50 * seconds + 10 + seconds, "while the daemon is away")


def answer_subscriptions(connection, version):
    """Grants each filter of each packet that comes before the board's first message."""
    with connection.makefile("rb") as stream:
        while stream.read(1)[0] >> 4 == 8:
            # No packet has the 16 KiB for which a length needs a third byte.
            length = stream.read(1)[0]
            if length >= 128:
                length += (stream.read(1)[0] - 1) * 128
            packet = stream.read(length)
            start = 2 if version == 3 else 3 + packet[2]
            count = 0
            while start < len(packet):
                start += 3 + int.from_bytes(packet[start:start + 2], "big")
                count += 1
            answer = packet[:2] + (b"" if version == 3 else b"\0") + b"\1" * count
            connection.sendall(bytes([0x90, len(answer)]) + answer)


class Failures(Case):
    """What is said when something is wrong, once."""

    def expect_failure(self, text, configuration=None):
        """Of the service and of `check`."""
        if configuration is not None:
            self.bed.daemon.configure(configuration)
        self.bed.start_bridge()
        self.bed.expect_log(text)
        outputs = []

        def says_it():
            # A broker that ends a connection does not always get its reason through.
            status, output = self.bed.run("check", "--address", self.bed.daemon.socket)
            self.assertEqual(status, 69, output)
            outputs.append(output)
            return text in output

        eventually(says_it, lambda: f"{text!r} is in {outputs}", 30)
        self.assertIsNone(self.bed.bridge.poll())

    def test_unreachable(self):
        """Nobody listens; and it is logged once, whatever the number of attempts."""
        self.bed.start_daemon()
        self.expect_failure("refuses the connection; check that it runs, and its port")
        self.bed.broker.start()
        self.bed.expect_log("online at", 60)
        self.assertEqual(self.bed.bridge_log().count("check that it runs"), 1)

    def test_password(self):
        """Another one than the broker's."""
        self.bed.broker.start()
        self.bed.write_password("wrong")
        self.expect_failure('"kiosk"')
        self.assertIn("check user and password-file", self.bed.bridge_log())

    def test_certificate_of_a_stranger(self):
        """The broker's is not signed by the ca-file."""
        self.bed.broker.start()
        self.expect_failure("has a certificate that is not trusted", self.bed.text(CONTROLS, authority="stranger.crt"))

    def test_name(self):
        """A name that there is not."""
        self.expect_failure("has a name that cannot be looked up", self.bed.text(CONTROLS, broker="mqtts://broker.invalid"))

    def test_another_name(self):
        """The certificate is for another address."""
        self.bed.broker.start()
        self.expect_failure("has a certificate for another name than 127.0.0.2", self.bed.text(CONTROLS, host="127.0.0.2"))

    def test_no_certificate(self):
        """The broker wants one of the client."""
        self.bed.broker.start()
        text = "\n".join(line for line in self.bed.text(CONTROLS).splitlines() if not line.startswith(("certificate-file", "key-file")))
        # It may have closed the connection before its reason was read.
        self.expect_failure("this client's certificate", text)

    def test_no_tls(self):
        """The broker speaks TLS, and the bridge does not."""
        self.bed.broker.start()
        self.expect_failure("it may require TLS (mqtts://)", self.plain(f"mqtt://127.0.0.1:{self.bed.broker.port}"))

    def test_access(self):
        """The broker does not let it publish."""
        with open(f"{self.bed.folder}/access", "w", encoding="ascii") as file:
            file.write("user house\ntopic readwrite #\n")
        self.bed.broker.start()
        self.bed.start_daemon()
        self.bed.start_bridge()
        self.bed.expect_log(f"the broker does not pass on what is published on {P}/info; allow this user to read and write it")
        self.assertNotIn("online at", self.bed.bridge_log())
        # Or it has refused something else meanwhile, and says so.
        self.assertRegex(self.bed.status(), f"offline at mqtts://127.0.0.1:{self.bed.broker.port} as kiosk-1: the broker (does not pass on|refuses)")
        status, output = self.bed.run("check", "--address", self.bed.daemon.socket)
        self.assertEqual(status, 1, output)
        self.assertIn(f"accepts kiosk and does not pass on what it publishes on {P}/$check", output)
        with open(f"{self.bed.folder}/access", "w", encoding="ascii") as file:
            file.write(ACCESS)
        self.bed.broker.process.send_signal(signal.SIGHUP)
        self.bed.expect_log("online at", 90)
        eventually(lambda: "does not pass on" not in self.bed.status(), self.bed.status, 10)

    def test_a_problem_after_a_loss(self):
        """The present one is named, and not why the connection was lost before."""
        bed = self.bed
        bed.start()
        bed.kill(bed.daemon.process)
        bed.house.expect(f"{P}/status", "offline")
        bed.broker.stop()
        eventually(lambda: "offline: mqtts://" in bed.status_file(), bed.status_file, 30)
        bed.broker.start()
        place = f"offline at mqtts://127.0.0.1:{bed.broker.port} as kiosk-1: "
        eventually(lambda: f"{place}stepperd is not there" in bed.status_file(), bed.status_file, 60)
        bed.start_daemon()
        bed.house.expect(f"{P}/status", "online")
        bed.broker.stop()
        eventually(lambda: "offline: mqtts://" in bed.status_file(), bed.status_file, 30)
        with open(f"{bed.folder}/access", "w", encoding="ascii") as file:
            file.write(ACCESS.replace("readwrite stepperd/kiosk-1/#", "read stepperd/kiosk-1/#"))
        bed.broker.start()
        eventually(lambda: f"{place}the broker " in bed.status(), bed.status, 60)

    def test_states_may_not_be_written(self):
        """The topics are named with the broker's reason, and have what they should when they may."""
        denied = ACCESS.replace("topic readwrite stepperd/kiosk-1/#", "topic deny stepperd/kiosk-1/+/state\ntopic readwrite stepperd/kiosk-1/#")
        with open(f"{self.bed.folder}/access", "w", encoding="ascii") as file:
            file.write(denied)
        self.bed.start()
        text = "the broker refuses what is published on stepperd/kiosk-1/"
        self.bed.expect_log(text)
        self.assertIn(": not authorized; allow this user to write it", self.bed.bridge_log())
        eventually(lambda: text in self.bed.status(), self.bed.status, 20)
        status, output = self.bed.run("check", "--address", self.bed.daemon.socket)
        self.assertEqual(status, 1, output)
        self.assertIn(f"does not pass on what it publishes on {P}/$check/state (not authorized): allow it", output)
        self.assertNotIn(f"on {P}/$check (", output)
        with open(f"{self.bed.folder}/access", "w", encoding="ascii") as file:
            file.write(ACCESS)
        self.bed.broker.process.send_signal(signal.SIGHUP)
        self.bed.house.expect(f"{P}/volume/state", lambda state: state and '"text":"20"' in state, 90)
        eventually(lambda: text not in self.bed.status(), self.bed.status, 90)
        self.assertEqual(self.bed.bridge_log().count(text), 1)

    def test_quality_of_service_2(self):
        """It is not asked for, and a broker that uses it is left."""
        for version in (5, 3):
            with self.subTest(version=version), socket.create_server(("127.0.0.1", 0)) as listener:
                self.bed.daemon.configure(self.plain(f"mqtt://127.0.0.1:{listener.getsockname()[1]}"))
                self.bed.start_bridge()
                connection, _ = listener.accept()
                if version == 3:
                    # As a broker answers that speaks no other version: 1 is its word for that.
                    with connection:
                        self.assertEqual(connection.recv(1000)[8], 5)
                        connection.sendall(b"\x20\x02\0\1")
                    connection, _ = listener.accept()
                with connection:
                    self.assertEqual(connection.recv(1000)[8], 5 if version == 5 else 4)
                    connection.sendall(b"\x20\x03\0\0\0" if version == 5 else b"\x20\x02\0\0")
                    # The subscription is answered, or else the board would end the connection when it has waited for that.
                    answer_subscriptions(connection, version)
                    # With MQTT 5 there are properties before the payload, here none.
                    rest = b"\0-" if version == 5 else b"-"
                    message = bytes([0x34, 5 + len(rest), 0, 1]) + b"x\0\1" + rest
                    with self.assertRaises(OSError):
                        for _ in range(200_000):
                            connection.sendall(message * 100)
                self.bed.expect_log("messages of quality of service 2")
                self.bed.bridge.terminate()
                self.assertEqual(self.bed.bridge.wait(10 * PATIENCE), 0)

    def test_retaining_is_allowed_again(self):
        """The broker keeps no retained messages, and does again when it has started with another configuration."""
        bed = self.bed
        with open(f"{bed.folder}/broker.conf", "r+", encoding="ascii") as file:
            text = file.read()
            file.write("retain_available false\n")
        bed.broker.start()
        bed.start_daemon()
        bed.start_bridge()
        bed.expect_log("the broker keeps no retained messages")
        bed.broker.stop()
        with open(f"{bed.folder}/broker.conf", "w", encoding="ascii") as file:
            file.write(text)
        bed.broker.start()
        bed.house = House(bed)
        self.check_equal()
        eventually(lambda: "keeps no retained messages" not in bed.status(), bed.status, 20)

    def test_retaining_is_refused_later(self):
        """A connection that was accepted ends because of a retained message: the next one subscribes, and retains nothing."""
        self.bed.start_daemon()
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            listener.settimeout(60 * PATIENCE)
            self.bed.daemon.configure(self.plain(f"mqtt://127.0.0.1:{listener.getsockname()[1]}"))
            self.bed.start_bridge()
            for retains, end in ((True, b"\xe0\2\x9a\0"), (False, b"\xe0\2\x8b\0"), (True, b"")):
                connection, _ = listener.accept()
                with connection:
                    # The will is to be retained, or not.
                    self.assertEqual(bool(connection.recv(1000)[9] & 0x20), retains)
                    connection.sendall(b"\x20\x03\0\0\0")
                    answer_subscriptions(connection, 5)
                    connection.sendall(end)
                    while end and connection.recv(1 << 20):
                        pass
        self.assertNotIn("does not pass on", self.bed.bridge_log())

    def expect_end(self, *answers):
        """Each is the MQTT version of a connection, what is sent when it is asked for, and what is logged then; the program goes on."""
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            self.bed.daemon.configure(self.plain(f"mqtt://127.0.0.1:{listener.getsockname()[1]}"))
            self.bed.start_bridge()
            for version, answer, text in answers:
                connection, _ = listener.accept()
                with connection:
                    self.assertEqual(connection.recv(1000)[8], version)
                    connection.sendall(answer)
                    self.bed.expect_log(text)
            self.bed.bridge.terminate()
            self.assertEqual(self.bed.bridge.wait(10 * PATIENCE), 0)

    def test_a_message_larger_than_all_memory(self):
        """By MQTT 3.1.1, which has no limit of a packet: the connection ends, and the program does not."""
        text = "sent more than this program has memory for"
        self.expect_end((5, b"\x20\x02\0\1", ""), (4, b"\x20\x02\0\0\x30\xff\xff\xff\x7f\0\1x", text))

    def test_what_the_broker_says(self):
        """Of a refusal: the reason in words, and the server to use."""
        def text(name, words):
            return bytes([name, 0, len(words)]) + words

        def packet(kind, begin, properties):
            return bytes([kind, len(begin) + 1 + len(properties)]) + begin + bytes([len(properties)]) + properties

        said, server = text(0x1f, b"no tenant"), text(0x1c, b"other.example:1883")
        self.expect_end((5, packet(0x20, b"\0\x8a", said), "refuses the connection: banned; see its log; it says: no tenant"))
        self.expect_end((5, packet(0x20, b"\0\x9c", said + server),
                         "use another server; see its log; it says: no tenant; it names another server for \"broker\": other.example:1883"))

    def test_files(self):
        """That are not there, or no certificates."""
        for change, text in (("password\n", "has no password"), ("gone", "there is no file")):
            with self.subTest(change):
                if change == "gone":
                    os.remove(self.bed.password)
                else:
                    self.bed.write_password("")
                status, output = self.bed.run("--check")
                self.assertEqual(status, 78, output)
                self.assertIn(text, output)


if __name__ == "__main__":
    unittest.main()
