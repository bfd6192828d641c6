"""A daemon that answers nonsense, at the socket where the real one was."""

import json
import os
import socket
import threading


def reply(parameters, **more):
    """The bytes of one."""
    return json.dumps({"parameters": parameters, **more}).encode() + b"\0"


#: What it sends when it has read a call, as pieces; then it says nothing more, or closes the connection where the last one is None.
NONSENSE = {
    "no JSON": [b"{{{ nonsense\0"],
    "no text": [b"\xff\xfe\x80\0"],
    "nothing": [b"\0" * 1000],
    "no object": [b"[]\0null\0" + b"7\0"],
    "parameters that are a number": [b'{"parameters":7}\0'],
    "members that are missing": [reply({})],
    "members of other types": [reply({"instance": 1, "states": {"volume": "loud"}, "descriptions": [7], "state": [], "interfaces": 3}, continues=True)],
    "an error without a name": [b'{"error":5}\0'],
    "an error that nobody knows": [b'{"error":"org.example.Nonsense","parameters":[]}\0'],
    "two replies to one call": [reply({}) * 50],
    "a text that is never closed": [b'{"parameters":{"' + b"x" * 1000, None],
    "brackets without an end": [b"[" * 200_000 + b"\0"],
    "half a reply": [b'{"parameters":{"insta', None],
    "the end, at once": [None],
    "a line without an end": [b"x" * 65536] * 4096,
}


def changed(value, change):
    """A reply with what `change` makes of each number, text and list in it."""
    if isinstance(value, dict):
        return {key: changed(inner, change) for key, inner in value.items()}
    return change([changed(inner, change) for inner in value] if isinstance(value, list) else value)


def each(kind, other):
    """What makes `other` of all of a kind in the parameters of a reply."""
    def answered(message):
        parameters = changed(message.get("parameters", {}), lambda value: other if type(value) is kind else value)
        return {**message, "parameters": parameters}
    return answered


#: What becomes of a reply of the real daemon.
BETWEEN = {
    "numbers are texts": each(int, "much"), "numbers are beyond all bounds": each(int, 10**40), "texts are numbers": each(str, 7), "texts are null": each(str, None),
    "truths are texts": each(bool, "yes"), "lists are numbers": each(list, 7), "lists are deep": each(list, [[[[[[[[]]]]]]]]),
    "parameters are a list": lambda message: {**message, "parameters": []}, "all is refused": lambda message: {"error": "org.stepperd.control.NoSuchControl"},
}


class NonsenseDaemon:
    """Listens at `path` until `close`, and answers each call with `pieces`. `count` are the connections that were made."""

    def __init__(self, path, pieces):
        self.path, self.pieces, self.count, self.connections = path, pieces, 0, []
        if os.path.exists(path):
            os.unlink(path)  # that of a daemon that was killed
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(path)
        self.listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        """Ends it with its connections."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        os.unlink(self.path)
        for connection in self.connections:
            self._end(connection)

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.count += 1
            self.connections.append(connection)
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        try:
            while connection.recv(65536):
                for piece in self.pieces:
                    if piece is None:
                        return self._end(connection)
                    connection.sendall(piece)
        except OSError:
            pass
        return None

    @staticmethod
    def _end(connection):
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
