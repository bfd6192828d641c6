"""Keep the twin of a board at Azure IoT Hub and the controls of the board at the same values: twin.py FILE

The guide is shadows.md. It runs on the board. All that it has to remember is in the twin, so that it may end at any time.
"""

import hashlib
import json
import re
import secrets
import sys
import threading
import time
import tomllib

#: Of a control in `reported`: its value, and of the last value that was desired the code, the version, a message and the mark.
MEMBERS = ("value", "ac", "av", "ad", "of")


def mark(value, salt):
    """By what was done it is known later whether a desired value is still that, also if its number is written in another way."""
    text = json.dumps([salt, json.loads(json.dumps(value), parse_int=float)], sort_keys=True)
    return salt + hashlib.sha256(text.encode()).hexdigest()[:16]


class Twin:
    """What is desired and reported, None if that has to be asked for, and what the board has. It has no connection."""

    def __init__(self):
        self.desired, self.answers, self.reported, self.version = {}, {}, None, 0
        self.states, self.controls = {}, None

    def wish(self, key, value):
        """Somebody desires it. 202 is reported before the target is sent, whose revision is the mark."""
        self.desired[key], self.answers[key] = value, {"ac": 202, "av": self.version, "of": mark(value, secrets.token_hex(4))}
        if len(json.dumps(value)) > 4000:  # Boards read 4096 bytes.
            self.answers[key] |= {"ac": 400, "ad": "it is too long"}

    def looked(self, twin):
        """At all of it: what is not that which was done last is a wish."""
        desired, former, version = self.controls_of(twin["desired"]), self.answers, twin["desired"]["$version"]
        if version < self.version:
            return  # A change has overtaken it: it is asked for again.
        self.desired, self.answers, self.version = {}, {}, version
        self.reported = {key: {name: entry[name] for name in MEMBERS if name in entry}
                         for key, entry in self.controls_of(twin["reported"]).items() if isinstance(entry, dict)}
        for key, value in desired.items():
            answer = former.get(key) or {name: entry for name, entry in self.reported.get(key, {}).items() if name != "value"}
            if answer.get("of") == mark(value, str(answer.get("of"))[:8]) and answer["av"] <= version:
                self.desired[key], self.answers[key] = value, answer
            else:
                self.wish(key, value)

    def notified(self, change):
        """Of a change of `desired`, in which all that it names is a wish, also what has the same value."""
        former, self.version = self.version, max(self.version, change["$version"])
        if self.reported is None or self.version == former:
            return  # It will be asked for, or this was there before.
        for key in change:
            self.desired.pop(key, None)
            self.answers.pop(key, None)
        for key, value in self.controls_of(change).items():
            self.wish(key, value)
        if self.version > former + 1:  # One before it is lost.
            self.reported = None

    @staticmethod
    def controls_of(document):
        """What can be the name of a control, and has a value."""
        return {key: value for key, value in document.items() if re.fullmatch("[a-z0-9:_-]{1,64}", key) and value is not None}

    def state(self, key, message):
        """Of a control. None: it is removed."""
        if message is None:
            self.states.pop(key, None)
        elif not message["editing"]:  # Else a person is moving it.
            is_number = message["value"] is not None and re.fullmatch(r"-?\d+(\.\d+)?", message["text"])
            self.states[key] = message["value"] if is_number else message["text"] or ""

    def result(self, key, message):
        """Of a target, or of the command behind one that was sent again: the board has passed over that, for it was done."""
        answer, error = self.answers.get(key, {"of": None}), message.get("error")
        if error in ("tooManyCommands", "disconnected", "unknownOutcome"):
            return  # The target will be sent again.
        if message["id"] == f"twin-{answer['of']}":
            code = 200 if error is None else 404 if error == "noSuchControl" else 400
            self.answers[key] = {"ac": code, "av": answer["av"], "of": answer["of"]} | ({"ad": message["message"][:200]} if error else {})
        elif message["id"] == f"done-{answer['of']}" and answer["ac"] == 202:
            self.answers[key] = answer | {"ac": 200, "ad": "done before; its result is lost"}

    def changes(self):
        """What is to be reported."""
        changes = {}
        for key in {**self.answers, **self.reported, **self.states}:
            has = self.reported.get(key, {})
            value = self.states.get(key, has.get("value")) if self.controls is None or key in self.controls else None
            new = ({} if value is None else {"value": value}) | self.answers.get(key, {})
            if new != has:
                changes[key] = {name: new.get(name) for name in MEMBERS if new.get(name) != has.get(name)} if new else None
        return changes

    def accepted(self, changes):
        """They are reported."""
        for key, change in changes.items():
            entry = {**self.reported.get(key, {}), **change} if change else {}
            self.reported[key] = {name: value for name, value in entry.items() if value is not None}

    def targets(self):
        """Those of which 202 is reported, and that have no result: key, mark, value."""
        return [(key, answer["of"], self.desired[key]) for key, answer in self.answers.items()
                if answer["ac"] == 202 and answer["of"] == (self.reported or {}).get(key, {}).get("of")]


class Program:
    """The connections, and the request to IoT Hub that is not answered yet: one, for it does not keep the sequence of several."""

    def __init__(self, file):
        self.topics, self.interval, self.twin = f"{file.get('prefix', 'stepperd')}/{file['id']}/", file.get("interval", 1), Twin()
        self.lock, self.wake, self.is_online, self.is_ready = threading.RLock(), threading.Event(), False, False
        self.asked, self.deadline, self.report_due, self.targets_due, self.refused, self.limit = None, 0, 0, 0, {}, 1000
        paths = (("status", 1), ("info", 1), ("+/state", 0), ("+/result", 1))
        self.broker = self.client({"host": "127.0.0.1", "id": "twin", **file["broker"]}, [(self.topics + path, qos) for path, qos in paths])
        hub = {"user": f"{file['hub']['host']}/{file['id']}/?api-version=2021-04-12", "id": file["id"], "ca-file": None, **file["hub"]}
        self.hub = self.client(hub, [("$iothub/twin/res/#", 1), ("$iothub/twin/PATCH/properties/desired/#", 1)])
        self.hub.loop_start()

    def client(self, table, filters):
        """The broker keeps results while this program is away; IoT Hub is asked for the twin after each connection."""
        import paho.mqtt.client as mqtt  # Only here: `Twin` does without.
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, table["id"], clean_session=filters[0][0].startswith("$"))
        client.username_pw_set(table.get("user"), table.get("password"))
        if "ca-file" in table:
            client.tls_set(table["ca-file"], table.get("certificate-file"), table.get("key-file"))
        client.on_connect = lambda *_: client.subscribe(filters)
        client.on_subscribe = lambda *_: self.connected(client, True)
        client.on_disconnect = lambda *_: self.connected(client, False)
        client.on_message = lambda _client, _data, message: self.received(message.topic, message.payload)
        client.suppress_exceptions = True  # They are logged.
        client.enable_logger()
        client.connect_async(table["host"], table.get("port", 8883 if "ca-file" in table else 1883))
        return client

    def connected(self, client, is_ready):
        """Or not any more."""
        with self.lock:
            if client is self.broker:
                self.is_online &= is_ready
            else:
                self.is_ready, self.asked, self.deadline, self.twin.reported, self.twin.version = is_ready, None, 0, None, 0
                self.wake.set()

    def received(self, topic, payload):
        """A message of either side."""
        path, message = topic.removeprefix(self.topics), payload if topic.endswith("/status") else json.loads(payload or b"null")
        with self.lock:
            if answer := re.match(r"\$iothub/twin/res/(\d+)/\?\$rid=(\w+)", topic):
                if self.asked and self.asked[0] == answer[2]:
                    self.answered(int(answer[1]), message)
            elif topic.startswith("$"):
                self.twin.notified(message)
                self.wake.set()
            elif path == "status":
                self.is_online = message == b"online"
                self.send(True)
            elif path == "info":
                self.twin.controls = message and {name.replace(".", ":") for name in message["controls"]}
            else:
                getattr(self.twin, path.rpartition("/")[2])(path.partition("/")[0], message)

    def answered(self, status, message):
        """The request."""
        (_, changes), self.asked, self.deadline = self.asked, None, 0
        if status == 429 or status >= 500 or status >= 400 and changes is None:
            self.deadline = time.monotonic() + 10 * self.interval
        elif changes is None:
            self.twin.looked(message)
            self.refused = {}
            self.broker.loop_start()  # Now that it is known what its results are of.
            self.send(True)
        elif status < 300:
            self.twin.accepted(changes)
            self.limit = min(2 * self.limit, 1000)
            self.send(False, [key for key, change in changes.items() if change and "of" in change])
        elif len(changes) > 1:  # One of them is the cause.
            self.limit = len(changes) // 2
        else:
            self.refused |= changes
        if status >= 500 or status >= 400 and status != 429 and len(changes or "-") == 1:
            print(status, json.dumps(changes), message, file=sys.stderr, flush=True)
        self.wake.set()

    def send(self, is_again, keys=None):
        """Targets. The board does each once; one that it has done has no result, so that a command follows which does nothing."""
        for key, of, value in self.twin.targets() if self.is_online else []:
            if keys is None or key in keys:
                value = ("off", "on")[value] if isinstance(value, bool) else value
                target = {"text" if isinstance(value, str) else "value": value, "revision": f"twin-{of}"}
                self.broker.publish(f"{self.topics}{key}/target", json.dumps(target), 1)
            if is_again:
                self.broker.publish(f"{self.topics}{key}/step", json.dumps({"steps": 0, "id": f"done-{of}"}), 1)
        self.targets_due = time.monotonic() + 30 * self.interval

    def ask(self):
        """For the twin, or to report: what is desired at once, values in each interval."""
        now, changes = time.monotonic(), None
        if now > self.targets_due:
            self.send(True)
        if self.asked and now > self.deadline:  # The answer is lost.
            self.asked = self.twin.reported = None
        if self.asked or now < self.deadline or not self.is_ready:
            return
        if self.twin.reported is not None:
            changes = [(key, change) for key, change in self.twin.changes().items() if change != self.refused.get(key, {})
                       and (now >= self.report_due or change and "of" in change)]
            self.report_due = now + self.interval if now >= self.report_due else self.report_due
            if not changes:
                return
            changes = dict(changes[:self.limit])
        self.asked, self.deadline = (secrets.token_hex(4), changes), now + 10 * self.interval
        path, payload = ("PATCH/properties/reported", json.dumps(changes)) if changes else ("GET", "")
        self.hub.publish(f"$iothub/twin/{path}/?$rid={self.asked[0]}", payload)

    def run(self):
        """In each interval, and when something comes."""
        while True:
            self.wake.wait(self.interval)
            self.wake.clear()
            with self.lock:
                self.ask()


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as settings:
        Program(tomllib.load(settings)).run()
