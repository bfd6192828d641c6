"""A Varlink client, for all tests and scripts in Python."""

import json
import select
import socket
import struct
import time

from waiting import PATIENCE

#: Seconds to wait for a reply where nothing else is said.
TIMEOUT = 5.0 * PATIENCE


class VarlinkError(Exception):
    """An error reply."""

    def __init__(self, error, parameters):
        super().__init__(f"{error} {json.dumps(parameters)}")
        self.error, self.parameters = error, parameters


class Gone(EOFError):
    """The daemon closed the connection."""


def encoded(method, parameters=None, **flags):
    """A call as it is sent."""
    call = {"method": method}
    if parameters is not None:
        call["parameters"] = parameters
    return json.dumps(call | flags).encode() + b"\0"


class Connection:
    """One connection; everything on it has a deadline, `timeout` seconds unless it is given."""

    def __init__(self, path, timeout=None):
        self.timeout = timeout or TIMEOUT
        self.buffer = bytearray()
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # While the daemon's queue of connections is full, connect(2) waits as long as sending may take.
        seconds, part = divmod(self.timeout, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("@ll", int(seconds), int(part * 1e6)))
        try:
            self.socket.connect(path)
        except BlockingIOError:
            self.socket.close()
            raise TimeoutError(f"{path} took no connection within {self.timeout} s") from None
        except OSError:
            self.socket.close()
            raise
        self.socket.settimeout(self.timeout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends it; what it holds is released."""
        self.socket.close()

    def write(self, data):
        """Sends bytes as they are; Gone if the daemon does not take them any more."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            raise Gone("the daemon closed the connection") from None

    def send(self, method, more=False, **parameters):
        """Sends a call; parameters that are None are left out."""
        parameters = {key: value for key, value in parameters.items() if value is not None}
        self.write(encoded(method, parameters, **({"more": True} if more else {})))

    def reply(self, timeout=None):
        """The next reply, an error or not; TimeoutError when none came in time, Gone at the end."""
        deadline = time.monotonic() + (timeout or self.timeout)
        while (message := self._buffered()) is None:
            self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
            self._read()
        return message

    def receive(self, timeout=None):
        """The next reply's parameters; VarlinkError if it is an error."""
        reply = self.reply(timeout)
        if "error" in reply:
            raise VarlinkError(reply["error"], reply.get("parameters") or {})
        return reply.get("parameters") or {}

    def ask(self, method, **parameters):
        """Calls a method; returns the reply, an error or not."""
        self.send(method, **parameters)
        return self.reply()

    def call(self, method, **parameters):
        """Calls a method and returns the reply's parameters; VarlinkError if it is an error."""
        self.send(method, **parameters)
        return self.receive()

    def replies(self, within=0.0):
        """All replies that have come; where none has, those that come next, at most `within` seconds later."""
        while select.select([self.socket], [], [], within)[0]:
            self._read()
            within = 0.0
        found = []
        while (message := self._buffered()) is not None:
            found.append(message)
        return found

    def drain(self):
        """Reads to the end of the stream; returns how many bytes there were."""
        count = 0
        while True:
            count += len(self.buffer)
            self.buffer.clear()
            try:
                self._read()
            except Gone:
                return count

    def _buffered(self):
        end = self.buffer.find(b"\0")
        if end < 0:
            return None
        message = bytes(self.buffer[:end])
        del self.buffer[:end + 1]
        return json.loads(message)

    def _read(self):
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            data = b""
        if not data:
            raise Gone("the daemon closed the connection")
        self.buffer += data


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
        """Whether no reply comes for so long; `unexpected` is the first one that did."""
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
