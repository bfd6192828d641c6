#!/usr/bin/env python3
"""`stepperd-mqtt` at other brokers: a NATS server with JetStream and, where Debian's package rabbitmq-server is installed, RabbitMQ with
its plugin, which speak MQTT 3.1.1 only; and a mosquitto that keeps no retained messages.

Needs nats-server, paho-mqtt and the programs in .build/debug; STEPPERD_BUILD names another directory.
"""

import glob
import os
import signal
import subprocess
import tempfile
import threading
import unittest

import paho.mqtt.client as mqtt

from bed import BROKER, BUILD  # it knows where the modules of all tests are
from loopback import free_port, listens
from private_daemon import PrivateDaemon
from waiting import PATIENCE, eventually

NATS = "/usr/sbin/nats-server"
RABBIT = max(glob.glob("/usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin/rabbitmq-server"), default="")
P = "stepperd/kiosk-1"


class Other:
    """A board at a broker."""

    def start(self, *command, **options):
        """A process until the end of the test."""
        with open(f"{self.folder}/{os.path.basename(command[0])}.log", "ab") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **options)
        self.addCleanup(self.end, process)

    @staticmethod
    def end(process):
        """With the processes that it has started."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def log(self, program):
        """What it has logged."""
        with open(f"{self.folder}/{program}.log", encoding="utf-8", errors="replace") as file:
            return file.read()

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="stepperd-broker.")
        self.addCleanup(place.cleanup)
        self.folder = place.name
        self.port = free_port()
        self.start_broker()
        self.latest, ready = {}, threading.Event()
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id="house")
        client.on_message = lambda _client, _data, message: self.latest.update({message.topic: message.payload.decode()})
        client.on_connect = lambda *_: client.subscribe("stepperd/#", 1)
        client.on_subscribe = lambda *_: ready.set()
        client.connect("127.0.0.1", self.port)
        client.loop_start()
        self.addCleanup(client.loop_stop)
        self.addCleanup(client.disconnect)
        self.client = client
        self.assertTrue(ready.wait(20 * PATIENCE))
        self.daemon = self.start_board()

    def start_board(self):
        """A daemon with a bridge; each has the same id."""
        daemon = PrivateDaemon(f"""[control."left.gain"]
maximum = 10
initial = 4

[control.mute]
kind = "toggle"

[mqtt]
broker = "mqtt://127.0.0.1:{self.port}"
id = "kiosk-1"
""", self.folder)
        self.addCleanup(daemon.remove)
        daemon.start(f"{BUILD}/stepperd", "--user")
        daemon.connect().close()
        environment = {**os.environ, "XDG_RUNTIME_DIR": daemon.runtime, "XDG_STATE_HOME": f"{daemon.folder}/state"}
        self.start(f"{BUILD}/stepperd-mqtt", "run", "--config", daemon.configuration, "--address", daemon.socket, env=environment)
        return daemon

    def expect(self, topic, payload):
        """Waits for the last payload of a topic."""
        eventually(lambda: self.latest.get(topic) == payload, lambda: f"{topic} is {self.latest.get(topic)!r}; {self.log('stepperd-mqtt')}", 30)

    def test_a_name_with_a_dot(self):
        """Is published and set, and the connection stays."""
        self.expect(f"{P}/status", "online")
        self.expect(f"{P}/left:gain", "4")
        self.client.publish(f"{P}/left:gain/set", "7", 1)
        self.expect(f"{P}/left:gain", "7")
        self.client.publish(f"{P}/mute/set", "on", 1)
        self.expect(f"{P}/mute", "on")
        self.assertEqual(self.log("stepperd-mqtt").count("online at"), 1)
        self.assertNotIn("trying again", self.log("stepperd-mqtt"))

    def test_a_set_that_is_too_old(self):
        """Is refused, also by MQTT 3.1.1, which has no expiry."""
        self.expect(f"{P}/status", "online")
        self.client.publish(f"{P}/mute/set", '{"text":"on","time":1000000000,"id":"a"}', 1)
        eventually(lambda: '"error":"tooOld"' in self.latest.get(f"{P}/mute/result", ""), lambda: f"{self.latest}", 30)
        self.assertEqual(self.latest[f"{P}/mute"], "off")


@unittest.skipUnless(os.path.exists(NATS), "needs nats-server: run Scripts/setup --test")
class Nats(Other, unittest.TestCase):
    """A server that takes a dot for the separator of levels, and closes the connection of a client that publishes one."""

    def start_broker(self):
        """With all that it keeps in the folder."""
        with open(f"{self.folder}/nats.conf", "w", encoding="ascii") as file:
            file.write(f"server_name: one\nlisten: 127.0.0.1:{free_port()}\nmqtt {{ listen: 127.0.0.1:{self.port} }}\n"
                       f"jetstream {{ store_dir: {self.folder}/store, max_memory_store: 64MB, max_file_store: 64MB }}\n")
        self.start(NATS, "-c", f"{self.folder}/nats.conf")
        eventually(lambda: listens(self.port), lambda: self.log("nats-server"), 30)

    def test_two_boards_with_one_id(self):
        """A broker of MQTT 3.1.1 does not say why it ends the connection; the other's `info` does."""
        self.expect(f"{P}/status", "online")
        self.start_board()
        eventually(lambda: self.log("stepperd-mqtt").count("another client has the id kiosk-1") == 2, lambda: self.log("stepperd-mqtt"), 150)


class Forgetful(Other, unittest.TestCase):
    """A mosquitto that refuses whatever is to be retained."""

    def start_broker(self):
        """With all that it keeps in the folder."""
        with open(f"{self.folder}/broker.conf", "w", encoding="ascii") as file:
            file.write(f"listener {self.port} 127.0.0.1\nallow_anonymous true\nretain_available false\nuser root\n")
        self.start(BROKER, "-c", f"{self.folder}/broker.conf")
        eventually(lambda: listens(self.port), lambda: self.log("mosquitto"), 30)

    def test_the_problem_is_told(self):
        """Once in the log, and as long as it stands in the status."""
        self.expect(f"{P}/status", "online")
        self.assertEqual(self.log("stepperd-mqtt").count("keeps no retained messages"), 1)


@unittest.skipUnless(RABBIT, "needs Debian's package rabbitmq-server")
class Rabbit(Other, unittest.TestCase):
    """A server that makes a slash of a dot, and shows what it retains to no subscription with wildcards."""

    def start_broker(self):
        """With all that it keeps in the folder, and on the loopback alone."""
        with open(f"{self.folder}/rabbitmq.conf", "w", encoding="ascii") as file:
            file.write(f"listeners.tcp.default = 127.0.0.1:{free_port()}\nmqtt.listeners.tcp.default = 127.0.0.1:{self.port}\n"
                       "mqtt.allow_anonymous = true\nmqtt.default_user = guest\nmqtt.default_pass = guest\n")
        with open(f"{self.folder}/plugins", "w", encoding="ascii") as file:
            file.write("[rabbitmq_mqtt].\n")
        # Erlang's name service, which goes on when the broker has ended.
        names = str(free_port())
        end = ["epmd", "-port", names, "-kill"]
        # It refuses until it has noticed the broker's end.
        self.addCleanup(eventually, lambda: subprocess.run(end, capture_output=True, check=False).returncode == 0, f"the end of {end}", 30)
        environment = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": self.folder, "LANG": "C.UTF-8", "ERL_EPMD_ADDRESS": "127.0.0.1",
                       "ERL_EPMD_PORT": names, "RABBITMQ_DIST_PORT": str(free_port()),
                       "RABBITMQ_NODENAME": f"test{self.port}@localhost", "RABBITMQ_CONFIG_FILE": f"{self.folder}/rabbitmq.conf",
                       "RABBITMQ_ENABLED_PLUGINS_FILE": f"{self.folder}/plugins", "RABBITMQ_MNESIA_BASE": f"{self.folder}/db",
                       "RABBITMQ_LOG_BASE": f"{self.folder}/log",
                       "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}"}
        self.start(RABBIT, env=environment)
        eventually(lambda: listens(self.port), lambda: self.log("rabbitmq-server"), 120)

    def test_forget_uses_the_names_of_info(self):
        """And says so."""
        self.expect(f"{P}/left:gain", "4")
        self.expect(f"{P}/status", "online")
        environment = {**os.environ, "XDG_RUNTIME_DIR": self.daemon.runtime}
        result = subprocess.run([f"{BUILD}/stepperd-mqtt", "forget", "--config", self.daemon.configuration], capture_output=True, text=True,
                                env=environment, timeout=60 * PATIENCE, check=True)
        self.assertIn("does not show what it retains to a subscription with wildcards", result.stdout)
        self.assertIn(f"  {P}/left:gain/state", result.stdout)


if __name__ == "__main__":
    unittest.main()
