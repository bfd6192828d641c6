"""The real Home Assistant, in the folder that `make-folder` makes, with its MQTT integration and nothing that looks for anything in the
network; and its API as a browser uses it."""

import json
import os
import re
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

from loopback import free_port
from waiting import eventually
from websocket import WebSocket

CONFIGURATION = """\
homeassistant:
  name: Home
  latitude: 0
  longitude: 0
  elevation: 0
  unit_system: metric
  time_zone: UTC
http:
  server_host: 127.0.0.1
  server_port: {port}
logger:
  default: info
"""
#: /config is this run's own; the rest of the folder is everybody's, and stays as it is.
START = """\
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
mount -t tmpfs tmpfs "$0/tmp"
mount --bind "$1" "$0/config"
exec chroot "$0" /home-assistant/bin/hass --config /config --skip-pip
"""


class Home:
    """One Home Assistant, with an owner of its own making; `folder` is where its configuration is made, with `more` in it."""

    def __init__(self, root, folder, more=""):
        self.root, self.folder = root, folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process, self.tokens, self.api = None, None, None
        os.makedirs(folder)
        with open(f"{folder}/configuration.yaml", "w", encoding="ascii") as file:
            file.write(CONFIGURATION.format(port=self.port) + more)

    def start(self):
        """Starts it, and returns when it has started and its API is open."""
        with open(f"{self.folder}.log", "ab") as log:
            self.process = subprocess.Popen(["unshare", "--mount", "bash", "-ec", START, self.root, self.folder],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        eventually(lambda: self.process.poll() is not None or self.answers(), self.log, 120)
        if self.tokens is None:
            self.make_owner()
        self.api = API(self)
        eventually(lambda: self.api.call("get_config")["state"] == "RUNNING", self.log, 120)

    def answers(self):
        """Whether its API does."""
        try:
            self.request("/api/onboarding")
            return True
        except OSError:
            return False

    def stop(self):
        """Ends it in good order, so that it keeps what it knows."""
        if self.api:
            self.api.close()
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    def restart(self):
        """Ends it and starts it again."""
        self.stop()
        self.start()

    def log(self):
        """What it has logged."""
        with open(f"{self.folder}.log", encoding="utf-8", errors="replace") as file:
            return file.read()

    def complaints(self):
        """Its warnings and errors, with the lines that belong to them."""
        entries = re.split(r"^(?=20\d\d-\d\d-\d\d )", self.log(), flags=re.MULTILINE)
        return [entry for entry in entries if re.match(r"\S+ \S+ (WARNING|ERROR|CRITICAL)", entry)]

    def request(self, path, body=None, form=None):
        """A request of its REST API; what it answers."""
        data = json.dumps(body).encode() if body is not None else urllib.parse.urlencode(form).encode() if form else None
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if self.tokens:
            headers["Authorization"] = f"Bearer {self.tokens['access_token']}"
        request = urllib.request.Request(self.url + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if path == "/api/onboarding":
                raise
            raise AssertionError(f"{path}: {error.code} {error.read()[:300]!r}") from None

    def make_owner(self):
        """As the first visitor of a new Home Assistant does; the steps after it, which add integrations of the network, are left out."""
        client = f"{self.url}/"
        owner = {"client_id": client, "name": "Owner", "username": "owner", "password": "of this house", "language": "en"}
        code = self.request("/api/onboarding/users", owner)["auth_code"]
        self.tokens = self.request("/auth/token", form={"grant_type": "authorization_code", "code": code, "client_id": client})

    def connect_to_broker(self, **settings):
        """Adds the MQTT integration, by the same dialogue as people do under Settings, Devices & services."""
        flow = self.request("/api/config/config_entries/flow", {"handler": "mqtt", "show_advanced_options": False})
        assert flow["step_id"] == "broker", flow
        done = self.request(f"/api/config/config_entries/flow/{flow['flow_id']}", settings)
        assert done["type"] == "create_entry", done


class API:
    """A WebSocket of Home Assistant, on which one thing is asked after the other, and events are followed."""

    def __init__(self, home):
        self.socket = WebSocket("127.0.0.1", home.port, "/api/websocket")
        self.number, self.answers, self.events = 0, {}, {}
        assert self.socket.receive()["type"] == "auth_required"
        self.socket.send({"type": "auth", "access_token": home.tokens["access_token"]})
        assert self.socket.receive()["type"] == "auth_ok"
        self.lock = threading.Lock()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        """Sorts what comes."""
        try:
            while True:
                message = self.socket.receive(3600)
                with self.lock:
                    if message["type"] == "result":
                        self.answers[message["id"]] = message
                    elif message["type"] == "event":
                        self.events.setdefault(message["id"], []).append(message["event"])
        except (OSError, ValueError):
            return

    def call(self, kind, **members):
        """Calls a command; AssertionError if it fails."""
        return self.ask(kind, **members)[1]

    def ask(self, kind, **members):
        """Calls a command; its number and its result."""
        self.number += 1
        number = self.number
        self.socket.send({"id": number, "type": kind, **members})
        answer = eventually(lambda: self.answers.get(number), f"an answer to {kind}", 30)
        assert answer["success"], f"{kind} {members}: {answer['error']}"
        return number, answer["result"]

    def follow(self, kind, **members):
        """Subscribes; a function that gives the events that have come since."""
        number, _ = self.ask(kind, **members)

        def events():
            with self.lock:
                return list(self.events.get(number, []))

        return events

    def close(self):
        """Ends it."""
        self.socket.close()
