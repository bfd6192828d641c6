"""A real broker with TLS, passwords and an access list, a real stepperd, a real stepperd-mqtt, and paho-mqtt as the other side."""

import os
import signal
import ssl
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Support"))

import paho.mqtt.client as mqtt  # pylint: disable=wrong-import-position
from certificates import make_certificates  # pylint: disable=wrong-import-position
from connection import Connection  # pylint: disable=wrong-import-position
from loopback import free_port, listens  # pylint: disable=wrong-import-position
from private_daemon import PrivateDaemon  # pylint: disable=wrong-import-position
from waiting import PATIENCE, eventually  # pylint: disable=wrong-import-position

BUILD = os.path.abspath(os.environ.get("STEPPERD_BUILD", ".build/debug"))
BROKER = "/usr/sbin/mosquitto"
PROJECT = os.path.join(os.path.dirname(__file__), "..", "..")
VERSION = subprocess.run([f"{PROJECT}/Scripts/release/product", "VERSION"], capture_output=True, text=True, check=True).stdout.strip()

CONTROLS = """\
[device.panel]
virtual = true

[control.volume]
title = "Volume"
unit = "%"
increment = "panel:plus"
decrement = "panel:minus"
maximum = 100
initial = 20

[control.mute]
kind = "toggle"

[control.source]
choices = ["radio", "usb", "line"]

[control.bell]
kind = "button"
push = "panel:push"
"""

#: What each user may do: the bridge, what the guides home-assistant.md and zigbee-knob.md give it; the other side all.
ACCESS = """\
user kiosk
topic readwrite stepperd/kiosk-1/#
topic read stepperd/$group/+/+/set
topic readwrite homeassistant/device/kiosk-1/config
topic read homeassistant/status
topic read zigbee2mqtt/Kitchen knob
topic read zigbee2mqtt/desk
topic read zigbee2mqtt/table

user house
topic readwrite #
"""


class Broker:
    """mosquitto on the loopback, and perhaps at further addresses, with TLS, passwords and an access list; it keeps what it has
    over a restart. At `plain_port` it wants no TLS."""

    def __init__(self, folder, further=(), plain_port=None):
        self.folder = folder
        self.port = free_port()
        self.process = None
        make_certificates(folder, further)
        for name, content in (("access", ACCESS), ("passwords", "")):
            with open(f"{folder}/{name}", "w", encoding="ascii") as file:
                file.write(content)
        for user in ("kiosk", "house"):
            subprocess.run(["mosquitto_passwd", "-b", f"{folder}/passwords", user, f"secret of {user}"], check=True, capture_output=True)
        # The certificate does not have the name 127.0.0.2.
        listeners = "".join(f"""\
listener {self.port} {address}
cafile {folder}/authority.crt
certfile {folder}/broker.crt
keyfile {folder}/broker.key
require_certificate true
""" for address in ("127.0.0.1", "127.0.0.2", *further))
        if plain_port:
            listeners += f"listener {plain_port} 127.0.0.1\n"
        with open(f"{folder}/broker.conf", "w", encoding="ascii") as file:
            file.write(f"""\
per_listener_settings false
allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/access
persistence true
persistence_location {folder}/
autosave_interval 1
autosave_on_changes true
set_tcp_nodelay true
user root
{listeners}""")

    def start(self):
        """Starts it, and returns when it listens."""
        with open(f"{self.folder}/broker.log", "ab") as log:
            self.process = subprocess.Popen([BROKER, "-c", f"{self.folder}/broker.conf"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)

        def is_there():
            assert self.process.poll() is None, f"the broker has ended: {self.log()}"
            return listens(self.port)

        eventually(is_there, "the broker's port", 10)

    def log(self):
        """What it has logged."""
        with open(f"{self.folder}/broker.log", encoding="utf-8", errors="replace") as file:
            return file.read()

    def kill(self):
        """Ends it as a loss of power does."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Ends it as its service manager does: it saves what it has."""
        self.process.terminate()
        self.process.wait(10 * PATIENCE)


class House:
    """The other side: it subscribes to everything, and remembers it."""

    def __init__(self, bed):
        self.lock = threading.Lock()
        self.latest, self.log = {}, []
        #: How often its connection was lost.
        self.losses = 0
        self.ready = threading.Event()
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id="house")
        self.client.username_pw_set("house", "secret of house")
        folder = bed.broker.folder
        self.client.tls_set(f"{folder}/authority.crt", f"{folder}/client.crt", f"{folder}/client.key", tls_version=ssl.PROTOCOL_TLS_CLIENT)
        self.client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self.client.on_disconnect = self.note_loss
        self.client.on_subscribe = lambda *_: self.ready.set()
        self.client.on_message = self.note
        self.client.reconnect_delay_set(1, 1)
        self.client.connect("127.0.0.1", bed.broker.port)
        self.client.loop_start()
        assert self.ready.wait(20 * PATIENCE), "the other side is not connected"

    def note_loss(self, *_):
        """The connection is lost."""
        self.losses += 1

    def note(self, _client, _data, message):
        """A message has come."""
        text = message.payload[:100_000].decode("utf-8", "replace")
        with self.lock:
            self.log.append((message.topic, text, bool(message.retain)))
            self.latest[message.topic] = text

    def text(self, topic):
        """The last payload of a topic; None: there was none."""
        with self.lock:
            return self.latest.get(topic)

    def payloads(self, topic):
        """All payloads of a topic."""
        with self.lock:
            return [payload for seen, payload, _ in self.log if seen == topic]

    def publish(self, topic, payload, retain=False):
        """Returns when the broker has it."""
        self.client.publish(topic, payload, 1, retain).wait_for_publish(10)

    def expect(self, topic, payload, timeout=20):
        """Waits until the last payload of a topic is this, or fulfils this function."""
        fits = payload if callable(payload) else lambda text: text == payload
        eventually(lambda: fits(self.text(topic)), lambda: f"{topic} is {self.text(topic)!r}, not {payload!r}", timeout)
        return self.text(topic)

    def retained(self):
        """What the broker retains now."""
        before = len(self.log)
        self.ready.clear()
        self.client.unsubscribe("#")
        self.client.subscribe("#", 1)
        assert self.ready.wait(10 * PATIENCE)
        marker = f"marker/{before}"
        self.publish(marker, "x")
        eventually(lambda: any(topic == marker for topic, _, _ in self.log[before:]), "the marker")
        with self.lock:
            return {topic: payload for topic, payload, retained in self.log[before:] if retained}

    def stop(self):
        """Ends it."""
        self.client.disconnect()
        self.client.loop_stop()


class Bed:
    """All of them. The bridge reaches the broker at `host`, and is started `under` a program that becomes it."""

    def __init__(self, extra="", controls=CONTROLS, host="127.0.0.1", under=(), plain_port=None):
        self.place = tempfile.TemporaryDirectory(prefix="stepperd-mqtt.")
        self.folder = self.place.name
        self.host, self.under = host, under
        self.broker = Broker(self.folder, () if host == "127.0.0.1" else (host,), plain_port)
        self.password = f"{self.folder}/password"
        self.controls, self.extra = controls, extra
        self.write_password("secret of kiosk")
        self.daemon = PrivateDaemon(self.text(controls), parent=self.folder)
        self.bridge = None
        self.house = None

    def write_password(self, password):
        """The bridge's password, from its next start on."""
        with open(self.password, "w", encoding="ascii") as file:
            file.write(password + "\n")
        os.chmod(self.password, 0o600)

    def text(self, controls, broker=None, authority="authority.crt", host=None):
        """A configuration."""
        return f"""{controls}
[mqtt]
broker = "{broker or f'mqtts://{host or self.host}:{self.broker.port}'}"
id = "kiosk-1"
name = "Kiosk 1"
user = "kiosk"
password-file = "{self.password}"
ca-file = "{self.folder}/{authority}"
certificate-file = "{self.folder}/client.crt"
key-file = "{self.folder}/client.key"
{self.extra}
"""

    def start_daemon(self):
        """Starts stepperd."""
        self.daemon.start(f"{BUILD}/stepperd", "--user")
        self.daemon.connect().close()

    def environment(self):
        """Of the bridge."""
        return {**os.environ, "HOME": f"{self.daemon.folder}/home", "XDG_RUNTIME_DIR": self.daemon.runtime,
                "XDG_STATE_HOME": f"{self.daemon.folder}/state"}

    def command(self, *arguments):
        """The command line of the bridge's program."""
        return [f"{BUILD}/stepperd-mqtt", *arguments, "--config", self.daemon.configuration]

    def start_bridge(self):
        """Starts stepperd-mqtt."""
        with open(f"{self.folder}/bridge.log", "ab") as log:
            self.bridge = subprocess.Popen([*self.under, *self.command("run", "--address", self.daemon.socket)], stdin=subprocess.DEVNULL, stdout=log,
                                           stderr=log, env=self.environment())

    def run(self, *arguments):
        """Runs the bridge's program to its end; status and output."""
        result = subprocess.run(self.command(*arguments), capture_output=True, text=True, env=self.environment(), timeout=60 * PATIENCE, check=False)
        return result.returncode, result.stdout + result.stderr

    def status_file(self):
        """What the bridge says of itself, also without a daemon."""
        with open(f"{self.daemon.runtime}/stepperd-mqtt/status", encoding="utf-8") as file:
            return file.read()

    def status(self):
        """What stepperctl says."""
        command = [f"{BUILD}/stepperctl", "--address", self.daemon.socket, "status"]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=self.environment()).stdout

    def metrics(self):
        """What Prometheus gets."""
        command = [f"{BUILD}/stepperctl", "--address", self.daemon.socket, "metrics"]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=self.environment()).stdout

    def doctor(self):
        """The names of the doctor's findings, with what it says."""
        command = [f"{BUILD}/stepperctl", "--address", self.daemon.socket, "doctor", "--json"]
        return subprocess.run(command, check=False, capture_output=True, text=True, env=self.environment()).stdout

    def reload(self, text):
        """Has the daemon read another configuration."""
        self.daemon.configure(text)
        command = [f"{BUILD}/stepperctl", "--address", self.daemon.socket, "reload"]
        subprocess.run(command, check=True, capture_output=True, text=True, env=self.environment())

    def bridge_log(self):
        """What the bridge has logged."""
        with open(f"{self.folder}/bridge.log", encoding="utf-8", errors="replace") as file:
            return file.read()

    def expect_log(self, text, timeout=30):
        """Waits until the bridge has logged this."""
        eventually(lambda: text in self.bridge_log(), lambda: f"{text!r} was not logged: {self.bridge_log()}", timeout)

    def start(self):
        """Starts all, and waits until the board is online."""
        self.broker.start()
        self.house = House(self)
        self.start_daemon()
        self.start_bridge()
        self.house.expect("stepperd/kiosk-1/status", "online")
        return self

    def kill(self, process):
        """Ends a process without a chance."""
        process.send_signal(signal.SIGKILL)
        process.wait()

    def call(self, method, **parameters):
        """Calls the daemon."""
        with Connection(self.daemon.socket) as connection:
            return connection.call(f"org.stepperd.control.{method}", **parameters)

    def value(self, control="volume"):
        """The daemon's own value, as text."""
        return self.call("Get", control=control)["state"].get("text")

    def stop(self):
        """Ends everything."""
        if self.house:
            self.house.stop()
        for process in (self.bridge, self.daemon.process, self.broker.process):
            if process and process.poll() is None:
                self.kill(process)
        self.place.cleanup()
