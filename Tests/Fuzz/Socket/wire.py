"""One connection to the daemon, as a client has it."""

import json
import socket
import time


class Gone(Exception):
    """The daemon closed the connection."""


class Connection:
    """Calls and replies on one socket, with a deadline for everything."""

    def __init__(self, path, timeout=10.0):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        self.timeout = timeout
        self.buffer = bytearray()
        try:
            self._connect(path)
        except OSError:
            self.socket.close()
            raise

    def _connect(self, path):
        """Connects; a Unix socket does not wait with a timeout of its own while the queue of connections is full."""
        deadline = time.monotonic() + self.timeout
        while True:
            try:
                return self.socket.connect(path)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise TimeoutError from None
                time.sleep(0.001)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        """Sends everything; Gone if the daemon does not take it any more."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            raise Gone from None

    def receive(self):
        """The next reply as a dictionary; Gone at the end, TimeoutError when none came."""
        deadline = time.monotonic() + self.timeout
        searched = 0
        while (end := self.buffer.find(b"\0", searched)) < 0:
            searched = len(self.buffer)
            self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
            try:
                data = self.socket.recv(65536)
            except ConnectionResetError:
                raise Gone from None
            if not data:
                raise Gone
            self.buffer += data
        message = bytes(self.buffer[:end])
        del self.buffer[:end + 1]
        return json.loads(message)

    def call(self, method, **parameters):
        """Calls a method and returns its reply, error or not."""
        self.send(encoded(method, parameters))
        return self.receive()

    def drain(self):
        """Reads to the end of the stream; how many bytes there were."""
        count = len(self.buffer)
        self.buffer.clear()
        while True:
            try:
                data = self.socket.recv(65536)
            except ConnectionResetError:
                return count
            if not data:
                return count
            count += len(data)


def encoded(method, parameters=None, **flags):
    """A call as it is sent."""
    call = {"method": method}
    if parameters is not None:
        call["parameters"] = parameters
    return json.dumps(call | flags).encode() + b"\0"
