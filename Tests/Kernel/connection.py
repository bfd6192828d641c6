"""A Varlink client."""

import json
import socket
import time

#: Seconds to wait for a reply where nothing else is said.
TIMEOUT = 5.0


class VarlinkError(Exception):
    """An error reply."""

    def __init__(self, error, parameters):
        super().__init__(f"{error} {json.dumps(parameters)}")
        self.error, self.parameters = error, parameters


class Connection:
    """One connection: a call at a time, or one subscription."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.socket.connect(path)
        except OSError:
            self.socket.close()
            raise
        self.buffer = bytearray()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends it; what it holds is released."""
        self.socket.close()

    def send(self, method, more=False, **parameters):
        """Sends a call; parameters that are None are left out."""
        call = {"method": method, "parameters": {k: v for k, v in parameters.items() if v is not None}}
        if more:
            call["more"] = True
        self.socket.sendall(json.dumps(call).encode() + b"\0")

    def receive(self, timeout=None):
        """The next reply's parameters; TimeoutError when none came, EOFError when the daemon hung up."""
        deadline = time.monotonic() + (timeout or TIMEOUT)
        while b"\0" not in self.buffer:
            self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
            data = self.socket.recv(65536)
            if not data:
                raise EOFError("the daemon closed the connection")
            self.buffer += data
        message, _, self.buffer = self.buffer.partition(b"\0")
        reply = json.loads(message)
        if "error" in reply:
            raise VarlinkError(reply["error"], reply.get("parameters") or {})
        return reply.get("parameters") or {}

    def call(self, method, **parameters):
        """Calls a method and returns what it answers."""
        self.send(method, **parameters)
        return self.receive()


class Subscription:
    """Follows controls or devices on a connection of its own; iterating gives the replies as they come."""

    def __init__(self, path, method, timeout=None, **parameters):
        self.connection, self.timeout = Connection(path), timeout
        self.connection.send(method, more=True, **parameters)
        self.first = self.next()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def __iter__(self):
        return self

    def __next__(self):
        return self.next()

    def next(self, timeout=None):
        """The next reply; TimeoutError when none came in time."""
        return self.connection.receive(timeout or self.timeout)

    def quiet(self, seconds):
        """Whether no reply comes for so long."""
        try:
            self.unexpected = self.next(seconds)
        except TimeoutError:
            return True
        return False

    def states(self, until, timeout=5.0):
        """Control states as they come, up to and including the first one which `until` accepts."""
        deadline, seen = time.monotonic() + timeout, []
        while True:
            try:
                reply = self.next(max(deadline - time.monotonic(), 0.001))
            except TimeoutError:
                shown = [(state.get("value"), state["live"]) for state in seen]
                raise AssertionError(f"not within {timeout} s; (value, live) came: {shown}") from None
            for state in reply["states"]:
                seen.append(state)
                if until(state):
                    return seen
