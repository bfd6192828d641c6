"""A WebSocket client of the little that Home Assistant's API needs: text in whole messages (RFC 6455)."""

import base64
import json
import os
import socket
import struct
import time

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA


class WebSocket:
    """One connection; JSON both ways; everything has a deadline of `timeout` seconds."""

    def __init__(self, host, port, path, timeout=20.0):
        self.timeout = timeout
        self.socket = socket.create_connection((host, port), timeout)
        self.buffer = bytearray()
        key = base64.b64encode(os.urandom(16)).decode()
        request = [f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket", "Connection: Upgrade",
                   f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        self.socket.sendall("\r\n".join(request).encode())
        deadline = time.monotonic() + timeout
        while b"\r\n\r\n" not in self.buffer:
            self._read(deadline)
        head, _, rest = bytes(self.buffer).partition(b"\r\n\r\n")
        self.buffer = bytearray(rest)
        if b" 101 " not in head.splitlines()[0]:
            raise ConnectionError(f"no WebSocket at {path}: {head.splitlines()[0].decode()}")

    def send(self, value):
        """Sends a value."""
        self._send(TEXT, json.dumps(value).encode())

    def receive(self, timeout=None):
        """The next value; TimeoutError if none comes in time."""
        deadline = time.monotonic() + (timeout or self.timeout)
        text = b""
        while True:
            is_last, kind, payload = self._frame(deadline)
            if kind == PING:
                self._send(PONG, payload)
            elif kind == CLOSE:
                raise ConnectionError("Home Assistant closed the connection")
            elif kind != PONG:
                text += payload
                if is_last:
                    return json.loads(text)

    def close(self):
        """Ends it."""
        self.socket.close()

    def _send(self, kind, payload):
        mask = os.urandom(4)
        size = len(payload)
        short = size if size < 126 else 126 if size < 1 << 16 else 127
        length = b"" if size < 126 else struct.pack("!H" if size < 1 << 16 else "!Q", size)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.socket.sendall(bytes([0x80 | kind, 0x80 | short]) + length + mask + masked)

    def _frame(self, deadline):
        first, size = self._take(2, deadline)
        if size in (126, 127):
            size, = struct.unpack("!H" if size == 126 else "!Q", self._take(2 if size == 126 else 8, deadline))
        return bool(first & 0x80), first & 0xF, self._take(size, deadline)

    def _take(self, count, deadline):
        while len(self.buffer) < count:
            self._read(deadline)
        found = bytes(self.buffer[:count])
        del self.buffer[:count]
        return found

    def _read(self, deadline):
        self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("Home Assistant closed the connection")
        self.buffer += data
