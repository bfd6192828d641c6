"""Keep the shadows of AWS IoT Core and the controls of boards at the same values: shadow.py FILE

The guide is shadows.md. A function of the cloud can call `from_board` and `from_shadow`: each is given a message, and returns those
to publish because of it, none of them retained. They keep nothing.
"""

import hashlib
import json
import re
import sys
import threading
import tomllib


def revision(control, value, times):
    """Another one for each value and time that somebody desires, and the same whenever the shadow repeats them."""
    return "shadow-" + hashlib.sha256(json.dumps([control, value, times], sort_keys=True).encode()).hexdigest()[:32]


def from_board(board, path, payload, shadow="shadow"):
    """Of a message on PREFIX/BOARD/PATH."""
    things, (control, _, kind) = f"$aws/things/{board}/{shadow}", path.partition("/")
    if path == "status":
        return [(f"{things}/get", {})] if payload == b"online" else []
    message = json.loads(payload or b"null")
    if kind == "state":
        if message and message["editing"]:
            return []  # A person is moving it.
        is_number = message and message["value"] is not None and re.fullmatch(r"-?\d+(\.\d+)?", message["text"])
        value = message and (message["value"] if is_number else message["text"] or "")
        return [(f"{things}/update", {"state": {"reported": {control: value}}})]
    token = str(message["id"])
    if not token.startswith("shadow-") or message.get("error") == "tooManyCommands":
        return []  # Not a target of ours, or one in whose place a newer one has come.
    error = {"revision": token, "error": message.get("error"), "message": message.get("message", "")[:200]}
    report = (f"{things}/update", {"state": {"reported": {"lastErrors": {control: error}}}, "clientToken": token})
    return [*([report] if "error" in message else []), (f"{things}/get", {"clientToken": token})]


def from_shadow(board, path, payload, shadow="shadow", prefix="stepperd"):
    """Of a message on $aws/things/BOARD/SHADOW/PATH."""
    message, things = json.loads(payload), f"$aws/things/{board}/{shadow}"
    token, state, times = message.get("clientToken"), message.get("state", {}), message.get("metadata", {}).get("desired", {})
    if path == "update/rejected":  # 409: something has changed since the shadow was asked for.
        return [(f"{things}/get", {"clientToken": token})] if message["code"] == 409 and str(token).startswith("shadow-") else []
    desired = {key: value for key, value in (state.get("desired") or {}).items() if value is not None}
    if path == "get/accepted" and token:  # The target of this revision is done: what was desired is deleted.
        done = [key for key, value in desired.items() if revision(key, value, times.get(key)) == token]
        errors = state.get("reported", {}).get("lastErrors", {})
        old = {key: None for key in done if errors.get(key, {}).get("revision", token) != token}
        new = {"desired": dict.fromkeys(done), **({"reported": {"lastErrors": old}} if old else {})}
        return [(f"{things}/update", {"state": new, "version": message["version"], "clientToken": token})] if done else []
    messages = []
    for control in filter(re.compile("[a-z0-9:_-]{1,64}").fullmatch, desired):
        value = ("off", "on")[desired[control]] if isinstance(desired[control], bool) else desired[control]
        target = {"text" if isinstance(value, str) else "value": value, "revision": revision(control, desired[control], times.get(control))}
        if len(json.dumps(target)) > 4096:  # Boards read no more, and would not know whose it is.
            refusal = {"id": target["revision"], "error": "tooLong", "message": "it is too long"}
            messages += from_board(board, f"{control}/result", json.dumps(refusal), shadow)
        else:
            messages.append((f"{prefix}/{board}/{control}/target", target))
    return messages


class Program:
    """The connections, and the requests to the shadow service that wait for their turn."""

    def __init__(self, file):
        self.prefix, self.shadow = file.get("prefix", "stepperd"), f"shadow/name/{file['shadow']}" if file.get("shadow") else "shadow"
        self.waiting, self.versions, self.interval = {}, {}, file.get("interval", 1)
        filters = [(f"{self.prefix}/+/status", 1), (f"{self.prefix}/+/+/state", 0), (f"{self.prefix}/+/+/result", 1)]
        things = [(f"$aws/things/+/{self.shadow}/{path}", 1) for path in ("update/accepted", "update/rejected", "get/accepted")]
        self.boards = self.connect(file["boards"], filters if "things" in file else filters + things)
        self.things = self.connect(file["things"], things) if "things" in file else self.boards

    def connect(self, table, filters):
        """A connection whose session outlives this program, so that results that come meanwhile are kept."""
        import paho.mqtt.client as mqtt  # Only here: a function of the cloud does without.
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, table.get("id", "shadow"), clean_session=False)
        client.username_pw_set(table.get("user"), table.get("password"))
        client.tls_set(table.get("ca-file"), table.get("certificate-file"), table.get("key-file"))
        client.on_connect = lambda *_: client.subscribe(filters)
        client.on_message = lambda _client, _data, message: self.received(message.topic, message.payload)
        client.suppress_exceptions = True  # They are logged.
        client.enable_logger()
        client.connect_async(table["host"], table.get("port", 8883))
        client.loop_start()
        return client

    def received(self, topic, payload):
        """Targets are sent at once; of requests for the same thing one waits, with the newest."""
        if topic.startswith("$"):
            board, path = topic.removeprefix("$aws/things/").split(f"/{self.shadow}/")
            message, newest = json.loads(payload), self.versions.get(board, 0)
            self.versions[board], messages = message.get("version", newest), from_shadow(board, path, payload, self.shadow, self.prefix)
            if path == "update/rejected" and message["code"] != 409:
                print(topic, payload.decode(), file=sys.stderr, flush=True)
            elif self.versions[board] < newest:  # It was overtaken.
                messages = [(f"$aws/things/{board}/{self.shadow}/get", {key: message[key] for key in ("clientToken",) if key in message})]
        else:
            messages = from_board(*topic.removeprefix(f"{self.prefix}/").split("/", 1), payload, self.shadow)
        for name, message in messages:
            key = (name, message.get("clientToken"), "version" in message)
            if "state" in message and key[1] is None:
                message = {"state": {"reported": self.waiting.get(key, message)["state"]["reported"] | message["state"]["reported"]}}
            if name.startswith("$"):
                self.waiting[key] = message
            else:
                self.boards.publish(name, json.dumps(message), 1)

    def run(self):
        """Sends what waits: deletions before reports before gets, and one deletion and one get of a board, lest they make each other void."""
        while not threading.Event().wait(self.interval):
            sent = set()
            for key in sorted(self.waiting, key=lambda key: (key[0].endswith("/get"), not key[2])):
                if self.things.is_connected() and (key[0] not in sent or not key[0].endswith("/get") and not key[2]):
                    sent.add(key[0])
                    self.things.publish(key[0], json.dumps(self.waiting.pop(key)), 1)
                    threading.Event().wait(0.1 if len(sent) % 8 == 0 else 0)  # AWS takes 10 at once.


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as settings:
        Program(tomllib.load(settings)).run()
