"""An emulated SmartKnob: the messages of its firmware, on a pseudoterminal. It begins with plain text, as the firmware does."""

import struct
import threading
import zlib

from board import Board


def cobs(data):
    """Without zeros: by the runs between them."""
    result = bytearray()
    for part in data.split(b"\0"):
        while len(part) >= 254:
            result += b"\xff" + part[:254]
            part = part[254:]
        result += bytes([len(part) + 1]) + part
    return bytes(result)


def uncobs(data):
    """What `cobs` was given."""
    result, place = bytearray(), 0
    while place < len(data):
        length = data[place]
        result += data[place + 1:place + length]
        place += length
        if length < 255 and place < len(data):
            result.append(0)
    return bytes(result)


def varint(value):
    """A whole number; negative ones have ten bytes."""
    value &= (1 << 64) - 1
    result = bytearray()
    while value > 127:
        result.append(value & 127 | 128)
        value >>= 7
    return bytes(result) + bytes([value])


def fields(data):
    """(number, value) of each field of a message."""
    place = 0

    def number():
        nonlocal place
        value, shift = 0, 0
        while True:
            byte = data[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(data):
        tag = number()
        if tag & 7 == 0:
            value = number()
            yield tag >> 3, value - (1 << 64) if value >> 63 else value
        else:
            size = 4 if tag & 7 == 5 else number()
            content = data[place:place + size]
            place += size
            yield tag >> 3, struct.unpack("<f", content)[0] if tag & 7 == 5 else content


class SmartKnob(Board):
    """A knob whose port is at `path`."""

    def __init__(self, path):
        super().__init__(path, ())
        self.position, self.presses, self.is_plain = 0, 0, True
        #: The fields of the last configuration by their numbers.
        self.configuration = {}
        self.number, self.pending, self.turning = None, b"", threading.Lock()

    def plug_in(self):
        """It begins, and says so."""
        super().plug_in()
        self.is_plain = True
        self.send(b"SmartKnob starting!\r\n\r\nSerial mode: plaintext\r\n")

    def take(self, data):
        """Bytes of the host."""
        *frames, self.pending = (self.pending + data).split(b"\0")
        if frames:
            self.is_plain = False
        for frame in frames:
            message = uncobs(frame)
            if len(message) > 4 and struct.pack("<I", zlib.crc32(message[:-4])) == message[-4:]:
                self.obey(dict(fields(message[:-4])))

    def obey(self, message):
        """A message of the host."""
        self.tell(2, b"\x08" + varint(message[2]))
        if message[2] == self.number:
            return
        self.number = message[2]
        if 4 in message:
            with self.turning:
                new, old = dict(fields(message[4])), self.configuration
                if (new.get(1, 0), new.get(3, 0)) != (old.get(1, 0), old.get(3, 0)):
                    self.position = new.get(1, 0)
                self.configuration = new
        self.say_state()

    def say_state(self):
        """Its state, as it does after each detent."""
        inner = b"\x08" + varint(self.configuration.get(1, 0)) + b"\x18" + varint(self.configuration.get(3, 0))
        self.tell(4, b"\x08" + varint(self.position) + b"\x15" + struct.pack("<f", 0.25) + b"\x1a" + varint(len(inner)) + inner
                  + b"\x20" + varint(self.presses))

    def tell(self, number, content):
        """A message to the host."""
        message = b"\x08\x01" + varint(number << 3 | 2) + varint(len(content)) + content
        self.send(cobs(message + struct.pack("<I", zlib.crc32(message))) + b"\0")

    def turn(self, detents):
        """A hand turns it, as far as its ends."""
        with self.turning:
            self.position += detents
            lower, upper = self.configuration.get(4, 0), self.configuration.get(5, 0)
            if lower <= upper:
                self.position = min(max(self.position, lower), upper)
        self.say_state()

    def push(self):
        """A hand pushes it."""
        self.presses = (self.presses + 1) % 256
        self.say_state()
