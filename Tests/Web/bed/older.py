"""The daemon as it was before the panel: the real one behind a socket that hides what it has learned since."""

import json
import os
import socket
import threading

HIDDEN_METHODS = {"Press", "Renew", "Release", "Turn", "Slide"}
HIDDEN_FIELDS = {"enabled", "mayBeUnset", "numeric", "autorepeat", "continuous", "precision", "spoken", "family", "choiceTitles",
                 "choiceTranslations", "subtitle", "subtitles", "group", "groupTitle", "groupTitles",
                 "editingOrigin", "hold"}
CONTROL = "org.stepperd.control."


def asked(call):
    """A call as the real daemon refuses it if the older one would."""
    name = call["method"]
    if name.startswith(CONTROL) and name.removeprefix(CONTROL) in HIDDEN_METHODS:
        # Refused by the daemon, so that its answer comes in the order of the others.
        call["method"] = f"{CONTROL}Unknown{name.removeprefix(CONTROL)}"
    if name == f"{CONTROL}Subscribe" and "language" in call.get("parameters", {}):
        call["parameters"]["unknown-language"] = call["parameters"].pop("language")
    return call


def answered(value):
    """An answer without what the older daemon does not say."""
    if isinstance(value, dict):
        return {key: answered(inner) for key, inner in value.items() if key not in HIDDEN_FIELDS}
    if isinstance(value, list):
        return [answered(inner) for inner in value]
    return value.removeprefix("unknown-") if isinstance(value, str) else value


class OlderDaemon:
    """Listens at `socket`, for the daemon at `target`, until `close`. `asked` and `answered` make of a message what is passed
    on; `count` are the connections that were made."""

    def __init__(self, target):
        self.target, self.socket, self.count = target, f"{target}.older", 0
        self.asked, self.answered = asked, answered
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(self.socket)
        self.listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        """Takes no more connections."""
        self.listener.close()
        os.unlink(self.socket)

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.count += 1
            daemon = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            daemon.connect(self.target)
            for source, sink, change in [(client, daemon, lambda one: self.asked(one)), (daemon, client, lambda one: self.answered(one))]:
                threading.Thread(target=self._carry, args=(source, sink, change), daemon=True).start()

    @staticmethod
    def _carry(source, sink, change):
        buffer = b""
        try:
            while data := source.recv(65536):
                *messages, buffer = (buffer + data).split(b"\0")
                for message in messages:
                    sink.sendall(json.dumps(change(json.loads(message))).encode() + b"\0")
        except OSError:
            pass
        for one in (source, sink):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
