#!/usr/bin/env python3
"""Certificates of boards: the broker of Documentation/guides/fleet.md, real mosquitto, `stepperd-mqtt enrol` and the bridge.

Needs what test_bridge.py needs.
"""

import os
import re
import signal
import ssl
import stat
import subprocess
import tempfile
import threading
import unittest

import paho.mqtt.client as mqtt
from bed import BROKER, BUILD, PROJECT
from certificates import openssl
from loopback import free_port, listens
from waiting import PATIENCE, eventually

GUIDE = f"{PROJECT}/Documentation/guides/fleet.md"


def block(path):
    """What the guide writes into a file by tee."""
    with open(GUIDE, encoding="utf-8") as file:
        found = re.search(rf"^sudo tee {re.escape(path)} >/dev/null <<'END'\n(.*?)^END$", file.read(), re.DOTALL | re.MULTILINE)
    assert found, f"the guide writes no {path}"
    return found[1]


class Client:
    """A client with the certificate of a name."""

    def __init__(self, broker, certificate, client_id, persistent=False, version=mqtt.MQTTv311):
        self.messages, self.losses, self.reason = [], 0, None
        self.answered, self.subscribed = threading.Event(), threading.Event()
        options = {} if version == mqtt.MQTTv5 else {"clean_session": not persistent}
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=client_id, protocol=version, **options)
        folder = broker.folder
        self.client.tls_set(f"{folder}/ca.crt", f"{folder}/{certificate}.crt", f"{folder}/{certificate}.key", tls_version=ssl.PROTOCOL_TLS_CLIENT)
        self.client.on_connect = self.note_connection
        self.client.on_disconnect = self.note_loss
        self.client.on_subscribe = lambda *_: self.subscribed.set()
        self.client.on_message = lambda _client, _data, message: self.messages.append((message.topic, message.payload.decode()))
        self.port = broker.inner_port if certificate == "operator" else broker.port

    def note_connection(self, _client, _data, _flags, reason, _properties):
        """The broker has answered."""
        self.reason = str(reason)
        self.answered.set()

    def note_loss(self, *_):
        """The connection is lost."""
        self.losses += 1

    def connect(self):
        """Returns when the broker has accepted it."""
        self.client.connect("127.0.0.1", self.port)
        self.client.loop_start()
        assert self.answered.wait(20 * PATIENCE), "no answer"
        return self

    def subscribe(self, topic):
        """Returns when the broker has it."""
        self.client.subscribe(topic, 1)
        assert self.subscribed.wait(20 * PATIENCE)
        return self

    def stop(self):
        """Ends it."""
        self.client.disconnect()
        self.client.loop_stop()


class FleetBroker:
    """mosquitto with the files of the guide; only places and addresses are others."""

    def __init__(self, folder):
        self.folder, self.port, self.inner_port, self.process = folder, free_port(), free_port(), None
        self.name("ca", authority=True)
        for name in ("broker.example", "operator"):
            self.name(name)
        self.revoke()
        text = block("/etc/mosquitto/conf.d/fleet.conf").replace("/etc/mosquitto/certs", folder).replace("/etc/mosquitto/acl", f"{folder}/acl")
        text = text.replace("listener 8883", f"listener {self.port} 127.0.0.1")
        text = text.replace("listener 8884 localhost", f"listener {self.inner_port} 127.0.0.1")
        self.write("acl", block("/etc/mosquitto/acl"))
        self.write("broker.conf", f"user root\npersistence true\npersistence_location {folder}/\n{text}")

    def write(self, name, text):
        """A file."""
        with open(f"{self.folder}/{name}", "w", encoding="ascii") as file:
            file.write(text)

    def name(self, name, authority=False):
        """A key and a certificate."""
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        if authority:
            return openssl(self.folder, "req", "-x509", *curve, "-days", "2", "-subj", "/CN=fleet", "-keyout", "ca.key", "-out", "ca.crt")
        openssl(self.folder, "req", *curve, "-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
                f"{name}.key", "-out", f"{name}.csr")
        return self.sign(name)

    def sign(self, name):
        """As the guide's authority does."""
        openssl(self.folder, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-copy_extensions",
                "copy", "-days", "2", "-out", f"{name}.crt")

    def revoke(self, name=None):
        """A list of what is revoked, with the certificate of a name."""
        if not os.path.exists(f"{self.folder}/revoked.db"):
            self.write("revoked.db", "")
        self.write("revoked.cnf", "[ca]\ndefault_ca = fleet\n[fleet]\ndatabase = revoked.db\ndefault_md = sha256\ndefault_crl_days = 3650\n")
        files = ("-config", "revoked.cnf", "-cert", "ca.crt", "-keyfile", "ca.key")
        if name:
            openssl(self.folder, "ca", *files, "-revoke", f"{name}.crt")
        openssl(self.folder, "ca", *files, "-gencrl", "-out", "revoked.pem")

    def start(self):
        """Returns when it listens."""
        with open(f"{self.folder}/broker.log", "ab") as log:
            self.process = subprocess.Popen([BROKER, "-c", f"{self.folder}/broker.conf"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        eventually(lambda: listens(self.port) and listens(self.inner_port), self.log, 10)

    def log(self):
        """What it has logged."""
        with open(f"{self.folder}/broker.log", encoding="utf-8", errors="replace") as file:
            return file.read()

    def reload(self):
        """As systemctl reload does."""
        self.process.send_signal(signal.SIGHUP)

    def stop(self):
        """Ends it."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Identities(unittest.TestCase):
    """The broker of the guide."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="stepperd-mqtt.")
        self.addCleanup(place.cleanup)
        self.broker = FleetBroker(place.name)
        for name in ("kiosk-1", "kiosk-2"):
            self.broker.name(name)
        self.broker.start()
        self.addCleanup(self.broker.stop)

    def client(self, *arguments, **options):
        """One that is connected, until the test ends."""
        client = Client(self.broker, *arguments, **options).connect()
        self.addCleanup(client.stop)
        return client

    def test_a_certificate_takes_no_other_client_id(self):
        """The client that says it is kiosk-1 has the certificate of kiosk-2: kiosk-1 stays connected and has its messages."""
        first = self.client("kiosk-1", "stepperd-kiosk-1").subscribe("stepperd/kiosk-1/+/set")
        thief = self.client("kiosk-2", "stepperd-kiosk-1").subscribe("stepperd/kiosk-1/+/set")
        operator = self.client("operator", "operator")
        operator.client.publish("stepperd/kiosk-1/volume/set", "30", 1).wait_for_publish(10)
        eventually(lambda: first.messages, lambda: f"kiosk-1 has nothing: {self.broker.log()}", 10)
        self.assertEqual((first.losses, thief.messages), (0, []))
        # Nor can it publish as the other.
        listener = self.client("operator", "listener").subscribe("stepperd/#")
        thief.client.publish("stepperd/kiosk-1/status", "offline", 1).wait_for_publish(10)
        thief.client.publish("stepperd/kiosk-2/status", "online", 1).wait_for_publish(10)
        eventually(lambda: listener.messages, "the own topic of kiosk-2", 10)
        self.assertEqual([topic for topic, _ in listener.messages], ["stepperd/kiosk-2/status"])

    def test_a_board_writes_what_it_publishes(self):
        """And no configuration for itself, which only the operator sends."""
        board = self.client("kiosk-1", "stepperd-kiosk-1").subscribe("stepperd/kiosk-1/config/set")
        listener = self.client("operator", "listener").subscribe("stepperd/kiosk-1/#")
        for topic in ("config/set", "volume/set", "status", "config", "volume", "volume/state", "volume/result", "volume/moment"):
            board.client.publish(f"stepperd/kiosk-1/{topic}", "x", 1).wait_for_publish(10)
        eventually(lambda: len(listener.messages) >= 6, lambda: f"{listener.messages}", 10)
        self.assertEqual([topic.removeprefix("stepperd/kiosk-1/") for topic, _ in listener.messages],
                         ["status", "config", "volume", "volume/state", "volume/result", "volume/moment"])
        self.client("operator", "operator").client.publish("stepperd/kiosk-1/config/set", "x", 1).wait_for_publish(10)
        eventually(lambda: board.messages, self.broker.log, 10)

    def test_a_target_survives_a_broker_that_is_killed(self):
        """When it is on the disk, which is soon by the guide's settings."""
        operator = self.client("operator", "operator")
        operator.client.publish("stepperd/kiosk-1/volume/target", '{"value": 30, "revision": "monday"}', 1, True).wait_for_publish(10)

        def is_written():
            try:
                with open(f"{self.broker.folder}/mosquitto.db", "rb") as file:
                    return b"monday" in file.read()
            except FileNotFoundError:
                return False

        eventually(is_written, self.broker.log, 40)
        self.broker.stop()
        self.broker.start()
        board = self.client("kiosk-1", "stepperd-kiosk-1").subscribe("stepperd/kiosk-1/+/target")
        eventually(lambda: board.messages, self.broker.log, 10)

    def test_a_revoked_certificate_is_refused(self):
        """After the broker has read the list again; others stay connected."""
        other = self.client("kiosk-1", "stepperd-kiosk-1")
        self.client("kiosk-2", "stepperd-kiosk-2").stop()
        self.broker.revoke("kiosk-2")
        self.broker.reload()

        def is_refused():
            try:
                refused = Client(self.broker, "kiosk-2", "stepperd-kiosk-2")
                refused.client.connect("127.0.0.1", self.broker.port)
                refused.client.loop_start()
                accepted = refused.answered.wait(1)
                refused.stop()
                return not accepted
            except (ssl.SSLError, OSError):
                return True

        eventually(is_refused, self.broker.log, 20)
        self.assertEqual(other.losses, 0)
        self.client("kiosk-1", "another")


class Enrol(unittest.TestCase):
    """`stepperd-mqtt enrol`."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="stepperd-mqtt.")
        self.addCleanup(place.cleanup)
        self.folder = place.name
        with open(f"{self.folder}/stepperd.toml", "w", encoding="ascii") as file:
            file.write('[mqtt]\nbroker = "mqtts://broker.example"\nid = "kiosk-7"\nca-file = "/missing"\n')

    def enrol(self, *arguments, under=()):
        """Its status and output."""
        command = [*under, f"{BUILD}/stepperd-mqtt", "enrol", "--config", f"{self.folder}/stepperd.toml", *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60 * PATIENCE, check=False)
        return done.returncode, done.stdout + done.stderr

    def read(self, name):
        """A file."""
        with open(f"{self.folder}/{name}", "rb") as file:
            return file.read()

    def test_a_key_and_its_request(self):
        """openssl takes them, and prints the same fingerprint; the certificate connects the board."""
        status, output = self.enrol()
        self.assertEqual(status, 0, output)
        self.assertEqual(stat.S_IMODE(os.stat(f"{self.folder}/kiosk-7.key").st_mode), 0o600)
        text = subprocess.run(["openssl", "req", "-in", "kiosk-7.csr", "-noout", "-verify", "-subject"], cwd=self.folder, check=True,
                              capture_output=True, text=True)
        self.assertIn("CN = kiosk-7", text.stdout)
        digest = subprocess.run("openssl req -in kiosk-7.csr -outform DER | sha256sum", shell=True, cwd=self.folder, check=True, capture_output=True,
                                text=True).stdout.split()[0]
        self.assertEqual(output, f"id           kiosk-7\nkey          ./kiosk-7.key\nrequest      ./kiosk-7.csr\nfingerprint  SHA256:{digest}\n")
        broker = FleetBroker(self.folder)
        broker.sign("kiosk-7")
        broker.start()
        self.addCleanup(broker.stop)
        client = Client(broker, "kiosk-7", "anything").connect()
        self.addCleanup(client.stop)
        self.assertEqual(client.reason, "Success")

    def test_nothing_is_replaced(self):
        """Neither the key nor the request, and a link is not followed."""
        self.assertEqual(self.enrol()[0], 0)
        key = self.read("kiosk-7.key")
        status, output = self.enrol()
        self.assertEqual(status, 69)
        self.assertIn("cannot create ./kiosk-7.key: File exists; it is never replaced", output)
        self.assertEqual(self.read("kiosk-7.key"), key)
        os.remove(f"{self.folder}/kiosk-7.key")
        request = self.read("kiosk-7.csr")
        status, output = self.enrol()
        self.assertEqual((status, self.read("kiosk-7.csr"), os.path.exists(f"{self.folder}/kiosk-7.key")), (69, request, False), output)
        os.remove(f"{self.folder}/kiosk-7.csr")
        os.symlink("elsewhere", f"{self.folder}/kiosk-7.key")
        self.assertEqual(self.enrol()[0], 69)
        self.assertFalse(os.path.exists(f"{self.folder}/elsewhere"))

    def test_failures_leave_nothing(self):
        """A missing folder, and a disk that is full after the first bytes."""
        status, output = self.enrol("--folder", f"{self.folder}/missing")
        self.assertEqual(status, 69)
        self.assertIn("No such file or directory; make the folder first", output)
        status, output = self.enrol(under=("bash", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "bash"))
        self.assertEqual(status, 69, output)
        self.assertEqual(os.listdir(self.folder), ["stepperd.toml"])
        with open(f"{self.folder}/stepperd.toml", "w", encoding="ascii") as file:
            file.write('[mqtt]\nbroker = "mqtts://broker.example"\nid = "a/b"\n')
        status, output = self.enrol()
        self.assertEqual((status, os.listdir(self.folder)), (78, ["stepperd.toml"]))
        self.assertIn("stepperd.toml:3", output)


if __name__ == "__main__":
    unittest.main()
