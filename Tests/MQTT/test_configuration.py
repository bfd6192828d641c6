#!/usr/bin/env python3
"""Configurations that are sent to a board: a real stepperd, stepperd-mqtt and mosquitto.

Needs what test_bridge.py needs, and a C compiler.
"""

import json
import os
import re
import signal
import stat
import subprocess
import unittest

from bed import BUILD, CONTROLS, PROJECT, Bed
from certificates import openssl
from waiting import eventually

P = "stepperd/kiosk-1"

#: The preloaded library that kills a program at one of its system calls.
KILLER = os.path.join(PROJECT, "Tests", "Support", "nth-call.c")


def bass(maximum):
    """A configuration that is sent."""
    return f"[control.bass]\nmaximum = {maximum}\ninitial = 3\n"


class Case(unittest.TestCase):
    """A board that takes configurations."""

    # So long that none is rolled back because this machine has much else to do.
    health = "5m"

    def setUp(self):
        self.bed = bed = Bed()
        self.addCleanup(bed.stop)
        self.place = f"{bed.folder}/sent"
        self.included = f"{self.place}/stepperd.toml"
        for name in ("fleet", "other"):
            openssl(bed.folder, "genpkey", "-algorithm", "ed25519", "-out", f"{name}.pem")
            openssl(bed.folder, "pkey", "-in", f"{name}.pem", "-pubout", "-out", f"{name}.pub")
        bed.controls = f'[daemon]\ninclude = "{self.included}"\n{CONTROLS}'
        bed.extra = f'groups = ["lobby"]\nconfig-key-file = "{bed.folder}/fleet.pub"\nconfig-health-time = "{self.health}"'
        bed.daemon.configure(bed.text(bed.controls))

    def sign(self, version, text, to=("--board", "kiosk-1"), key="fleet"):
        """A message."""
        path = f"{self.bed.folder}/new.toml"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        command = [f"{BUILD}/stepperd-mqtt", "sign-config", "--key", f"{self.bed.folder}/{key}.pem", *to, "--version", str(version), path]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def state(self):
        """What is published of the last one."""
        return json.loads(self.bed.house.text(f"{P}/config") or "{}")

    def expect(self, state, version, timeout=40):
        """Waits for a result."""
        def is_there():
            found = self.state()
            return (found.get("state"), found.get("version", 0)) == (state, version)

        eventually(is_there, lambda: f"{self.state()} is not {state} {version}: {self.bed.bridge_log()}", timeout)
        return self.state()

    def content(self):
        """Of the included file."""
        if not os.path.exists(self.included):
            return ""
        with open(self.included, encoding="utf-8") as file:
            first, _, rest = file.read().partition("\n")
        assert first.startswith("# Configuration "), first
        return rest

    def maximum(self):
        """Of the control that was sent."""
        controls = self.bed.call("List")["controls"]
        return next((control["description"]["maximum"] for control in controls if control["description"]["control"] == "bass"), None)


class Sent(Case):
    """What becomes of one."""

    def setUp(self):
        super().setUp()
        self.bed.start()

    def test_in_use(self):
        """It is tried, confirmed and shown; the same again does nothing, an older one neither, a newer one replaces it."""
        house, first = self.bed.house, self.sign(7, bass(10))
        self.expect("none", 0)
        house.publish(f"{P}/config/set", first)
        found = self.expect("confirmed", 7)
        self.assertEqual(found["confirmed"], 7)
        self.assertEqual([json.loads(text)["state"] for text in house.payloads(f"{P}/config")], ["none", "trying", "confirmed"])
        house.expect(f"{P}/bass", "3")
        self.assertEqual(self.maximum(), 10)
        self.assertEqual(stat.S_IMODE(os.stat(self.included).st_mode), 0o644)
        self.assertIn("stepperd_mqtt_configuration", self.bed.metrics())
        house.publish(f"{P}/config/set", first)
        house.publish("stepperd/$group/lobby/config/set", self.sign(9, bass(20), to=("--group", "lobby")), retain=True)
        self.expect("confirmed", 9)
        house.expect(f"{P}/info", lambda text: "bass" in text)
        old = self.sign(8, bass(30))
        for _ in range(20):
            house.publish(f"{P}/config/set", old)
        self.bed.expect_log("configuration 8 is not taken: this board was sent version 9 already")
        eventually(lambda: re.search(r"stepperd_mqtt_configurations_refused_total\{[^}]*\} (1[0-9]|20)\n", self.bed.metrics()), self.bed.metrics, 30)
        self.assertEqual(self.bed.bridge_log().count("configuration 8 is not taken"), 1)
        house.publish(f"{P}/config/set", self.sign(9, bass(30)))
        self.bed.expect_log("configuration 9 is not taken")
        self.assertEqual(self.maximum(), 20)
        # What another writes there is repaired.
        house.publish(f"{P}/config", "{}", retain=True)
        self.expect("confirmed", 9)

    def test_the_daemon_is_away(self):
        """It says nothing of the version, which is tried when the daemon is there."""
        house = self.bed.house
        self.bed.kill(self.bed.daemon.process)
        house.expect(f"{P}/status", "offline")
        house.publish(f"{P}/config/set", self.sign(3, bass(10)))
        self.bed.start_daemon()
        self.expect("confirmed", 3)
        self.assertEqual((self.content(), self.maximum()), (bass(10), 10))
        self.assertNotIn("was refused", self.bed.bridge_log())

    def test_a_board_that_was_off(self):
        """It is given the newest one, and keeps it over restarts of everything."""
        house = self.bed.house
        self.bed.kill(self.bed.bridge)
        house.expect(f"{P}/status", "offline")
        for version in (1, 2):
            house.publish(f"{P}/config/set", self.sign(version, bass(version + 3)), retain=True)
        self.bed.start_bridge()
        self.expect("confirmed", 2)
        self.bed.kill(self.bed.bridge)
        self.bed.kill(self.bed.daemon.process)
        self.bed.start_daemon()
        self.assertEqual(self.maximum(), 5)
        before = len(house.payloads(f"{P}/status"))
        self.bed.start_bridge()
        eventually(lambda: house.payloads(f"{P}/status")[before:].count("online") > 0, "online again", 40)
        self.assertEqual(self.state()["state"], "confirmed")
        self.assertEqual(self.bed.bridge_log().count("configuration 2 is tried"), 1)

    def test_hostile(self):
        """Nothing of these is believed, and the board goes on."""
        house, good = self.bed.house, json.loads(self.sign(5, bass(10)))
        for change in ({"version": 6}, {"to": "kiosk-2"}, {"configuration": bass(11)}, {"signature": "A" * 86 + "=="}, {"signature": ""},
                       {"more": 1}, {"version": -1}, {"version": 1e300}):
            house.publish(f"{P}/config/set", json.dumps({**good, **change}))
        for message in (self.sign(5, bass(10), key="other"), self.sign(5, bass(10), to=("--board", "kiosk-2")),
                        self.sign(5, bass(10), to=("--group", "garden")), "{", "[" * 60_000, "", "\0", b"x" * 1_000_000, bytes(range(256))):
            house.publish(f"{P}/config/set", message)
        self.bed.expect_log("a configuration was refused")
        for number in range(3000):
            house.client.publish(f"{P}/config/set", json.dumps({**good, "version": number + 6}), 1)
        house.publish(f"{P}/volume/set", "44")
        house.expect(f"{P}/volume", "44", 60)
        self.assertEqual((self.state()["state"], self.content()), ("none", ""))
        def is_taken():
            house.publish(f"{P}/config/set", json.dumps(good))
            return self.state()["state"] == "confirmed"
        eventually(is_taken, "taken after the flood", 60)

    def test_tables_that_are_not_allowed(self):
        """A signed configuration does not change what may be signed, who may do what, or what is run."""
        house = self.bed.house
        for version, (text, words) in enumerate((
                ('[mqtt]\nbroker = "mqtt://evil"', "mqtt"), ('[daemon]\nadmin-group = "stepperd-mqtt"', "daemon"), ("control.bass.maximum = 5", "begin"),
                ('[link.x]\ncommand = ["/bin/sh"]\n', "link"), (bass(5) + 'on-change = ["/bin/true"]\n', "runs a program"),
                (bass(5) + "speak = true\n", "runs a program"), ("[control.bass]\nmaximum = \"x\"\n", "bass"),
                ("[control.volume]\n", "volume"), ("[control.bass", ""), ("\n" * 10_000 + "[control.bass]\nmaximum = -1\ninitial = 7\n", "")), 1):
            message = self.sign_text(version, text)
            house.publish(f"{P}/config/set", message)
            found = self.expect("refused", version)
            self.assertIn(words, found["error"])
            self.assertEqual(self.content(), "")
        self.assertIn("was refused", self.bed.status())
        self.assertEqual(house.text(f"{P}/status"), "online")

    def sign_text(self, version, text):
        """A message that `sign-config` would not sign."""
        folder = self.bed.folder
        with open(f"{folder}/message", "wb") as file:
            file.write(f"stepperd configuration 1\nkiosk-1\n{version}\n{text}".encode())
        openssl(folder, "pkeyutl", "-sign", "-rawin", "-inkey", "fleet.pem", "-in", "message", "-out", "signature")
        openssl(folder, "base64", "-A", "-in", "signature", "-out", "signature.txt")
        with open(f"{folder}/signature.txt", encoding="ascii") as file:
            return json.dumps({"to": "kiosk-1", "version": version, "configuration": text, "signature": file.read()})

    def test_a_file_that_cannot_be_used(self):
        """It keeps no daemon from starting."""
        self.bed.kill(self.bed.bridge)
        self.bed.kill(self.bed.daemon.process)
        for text in ("[control.bass", '[daemon]\nadmin-group = "x"\n', "[control.volume]\n", "x" * 100_000):
            with open(self.included, "w", encoding="utf-8") as file:
                file.write(text)
            self.bed.start_daemon()
            self.assertEqual(self.bed.value(), "20")
            self.assertIn("is left out", self.bed.status())
            self.bed.kill(self.bed.daemon.process)


class RolledBack(Case):
    """What becomes of one that does not do."""

    health = "20s"

    def setUp(self):
        super().setUp()
        self.bed.start()

    def test_rolled_back(self):
        """Where the board is not as well as before, the former one is in use again."""
        house = self.bed.house
        house.publish(f"{P}/config/set", self.sign(1, bass(10)))
        self.expect("confirmed", 1)
        # What somebody has begun to edit is not put in use with it.
        self.bed.daemon.configure(self.bed.text(self.bed.controls) + "# edited\n")
        house.publish(f"{P}/config/set", self.sign(2, bass(20)))
        found = self.expect("rolledBack", 2)
        self.assertEqual(found["confirmed"], 1)
        self.assertEqual((self.content(), self.maximum()), (bass(10), 10))
        self.assertIn("was rolled back", self.bed.status())
        self.bed.reload(self.bed.text(self.bed.controls))
        # The daemon does not come back.
        house.publish(f"{P}/config/set", self.sign(3, bass(30)))
        self.expect("trying", 3)
        self.bed.kill(self.bed.daemon.process)
        self.expect("rolledBack", 3)
        self.bed.start_daemon()
        house.expect(f"{P}/status", "online")
        self.assertEqual((self.content(), self.maximum()), (bass(10), 10))

    def test_a_rollback_that_cannot_be_written(self):
        """It is no rollback before it is written, and it is tried again until it is."""
        house, obstacle = self.bed.house, f"{self.place}/.stepperd.toml.new"
        house.publish(f"{P}/config/set", self.sign(1, bass(10)))
        self.expect("confirmed", 1)
        house.publish(f"{P}/config/set", self.sign(2, bass(20)))
        self.expect("trying", 2)
        # The daemon does not come back before the time is up, and what is written first cannot be.
        self.bed.kill(self.bed.daemon.process)
        os.makedirs(f"{obstacle}/x")
        house.expect(f"{P}/config", lambda text: "cannot be written" in json.loads(text).get("error", ""), 60)
        self.assertEqual((self.state()["state"], self.content()), ("trying", bass(20)))
        os.rmdir(f"{obstacle}/x")
        os.rmdir(obstacle)
        found = self.expect("rolledBack", 2, 60)
        self.assertEqual(found["confirmed"], 1)
        self.assertEqual(self.content(), bass(10))
        self.bed.expect_log("can be written again")
        self.assertEqual(self.bed.bridge_log().count("cannot be written"), 1)


class Kept(Case):
    """What was there before."""

    def write(self, text):
        """The included file."""
        os.makedirs(self.place, mode=0o700, exist_ok=True)
        with open(self.included, "w", encoding="utf-8") as file:
            file.write(text)

    def restart(self):
        """The bridge."""
        house = self.bed.house
        before = len(house.payloads(f"{P}/status"))
        self.bed.start_bridge()
        eventually(lambda: "online" in house.payloads(f"{P}/status")[before:], "online again", 40)

    def whole(self):
        """The included file as it is."""
        with open(self.included, encoding="utf-8") as file:
            return file.read()

    def test_a_file_of_the_image(self):
        """It stays until a configuration is confirmed."""
        self.write(bass(7))
        self.bed.start()
        self.expect("none", 0)
        self.bed.expect_log("is in use")
        self.assertEqual((self.whole(), self.maximum()), (bass(7), 7))
        self.bed.house.publish(f"{P}/config/set", self.sign(1, bass(10)))
        self.expect("confirmed", 1)
        self.assertEqual(self.maximum(), 10)

    def test_what_is_kept_is_lost(self):
        """The controls stay, and an old configuration is not taken."""
        self.bed.start()
        house, old = self.bed.house, self.sign(5, bass(10))
        for version, message in ((5, old), (6, self.sign(6, bass(20)))):
            house.publish(f"{P}/config/set", message)
            self.expect("confirmed", version)
        self.bed.kill(self.bed.bridge)
        house.expect(f"{P}/status", "offline")
        for name in ("sent.json", "sent.previous.json"):
            with open(f"{self.place}/{name}", "w", encoding="ascii"):
                pass
        self.restart()
        self.expect("none", 0)
        self.assertEqual(self.state()["confirmed"], 6)
        house.publish(f"{P}/config/set", old)
        self.bed.expect_log("configuration 5 is not taken: this board was sent version 6 already")
        self.assertEqual((self.content(), self.maximum()), (bass(20), 20))

    def test_what_is_kept_cannot_be_read(self):
        """Nothing is touched, and that is said."""
        self.write(bass(7))
        os.makedirs(f"{self.place}/sent.json")
        self.bed.start()
        house = self.bed.house
        house.expect(f"{P}/config", lambda text: "cannot be kept" in json.loads(text).get("error", ""))
        house.publish(f"{P}/config/set", self.sign(1, bass(10)))
        house.publish(f"{P}/volume/set", "33")
        house.expect(f"{P}/volume", "33")
        self.assertEqual((self.whole(), self.maximum()), (bass(7), 7))
        self.assertIn("cannot be kept", self.bed.status())


class Killed(Case):
    """The bridge is killed at a step, and the daemon with every second."""

    def setUp(self):
        super().setUp()
        library = f"{self.bed.folder}/nth-call.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, KILLER, "-ldl"], check=True)
        self.calls = f"{self.bed.folder}/calls"
        self.preload = ("env", f"LD_PRELOAD={library}", f"STEPPERD_CALLS={self.calls}")
        self.bed.start()

    def restart(self, under=()):
        """The bridge, until it is online."""
        before = len(self.bed.house.payloads(f"{P}/status"))
        self.bed.under = under
        self.bed.start_bridge()
        eventually(lambda: "online" in self.bed.house.payloads(f"{P}/status")[before:], lambda: f"not online: {self.bed.bridge_log()}", 40)

    def test_at_each_step(self):
        """Whatever the step, a working configuration is in use, and the one that was sent in the end."""
        house, version, steps = self.bed.house, 0, 0
        for call in ("fsync", "renameat"):
            number = 1
            while True:
                self.bed.kill(self.bed.bridge)
                house.expect(f"{P}/status", "offline")
                self.restart(self.preload)
                former = self.maximum()
                with open(self.calls, "w", encoding="ascii") as file:
                    file.write(f"{call} {number}\n{call} {number} KILL\n")
                version += 1
                house.publish(f"{P}/config/set", self.sign(version, bass(version + 3)), retain=True)
                eventually(lambda: self.bed.bridge.poll() is not None or (self.state().get("state"), self.state().get("version")) == ("confirmed", version),
                           lambda: f"neither killed nor confirmed: {self.state()}", 40)
                os.unlink(self.calls)
                if self.bed.bridge.poll() is None:
                    break
                self.assertEqual(self.bed.bridge.returncode, -signal.SIGKILL)
                steps += 1
                if steps % 2:
                    self.bed.kill(self.bed.daemon.process)
                    self.bed.start_daemon()
                # Before the bridge is there again.
                self.assertIn(self.maximum(), (former, version + 3))
                self.restart()
                self.expect("confirmed", version)
                eventually(lambda: self.maximum() == version + 3, lambda: f"{self.maximum()} is in use", 20)
                self.assertEqual(self.content(), bass(version + 3))
                number += 1
        self.assertGreaterEqual(steps, 9)


class Words(Case):
    """What people are told."""

    def test_no_right(self):
        """A board that may not write its configuration says so, and goes on."""
        with open(self.place, "w", encoding="ascii"):
            pass
        self.bed.start()
        found = self.expect_error()
        self.assertIn(self.place, found["error"])
        self.assertIn("cannot be kept", self.bed.status())
        self.bed.house.publish(f"{P}/config/set", self.sign(1, bass(10)))
        self.bed.house.publish(f"{P}/volume/set", "33")
        self.bed.house.expect(f"{P}/volume", "33")

    def expect_error(self):
        """The state that says why."""
        eventually(lambda: self.state().get("error"), "an error")
        return self.state()

    def test_off(self):
        """Without a key, config is the name of a control as others are."""
        bed = self.bed
        bed.extra = ""
        bed.controls = CONTROLS + "\n[control.config]\ninitial = 5\n"
        bed.daemon.configure(bed.text(bed.controls))
        bed.start()
        bed.house.expect(f"{P}/config", "5")
        bed.house.publish(f"{P}/config/set", self.sign(1, bass(10)))
        bed.expect_log("kiosk-1/config/set")

    def test_settings(self):
        """A key that is none, and a key without a file for the configuration."""
        bed = self.bed
        bed.extra = f'config-key-file = "{bed.folder}/authority.crt"'
        bed.daemon.configure(bed.text(bed.controls))
        status, output = bed.run("check")
        self.assertEqual(status, 78)
        self.assertIn("has no public Ed25519 key", output)
        bed.extra = f'config-key-file = "{bed.folder}/fleet.pub"'
        bed.daemon.configure(bed.text(CONTROLS))
        status, output = bed.run("check")
        self.assertEqual(status, 78)
        self.assertIn("needs include", output)


if __name__ == "__main__":
    unittest.main(verbosity=2)
