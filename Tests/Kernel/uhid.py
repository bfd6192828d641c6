"""A USB-like knob behind the kernel's real HID drivers (/dev/uhid)."""

import os
import struct

UHID_DESTROY, UHID_CREATE2, UHID_INPUT2 = 1, 11, 12
BUS_USB = 3

#: Report 1: volume up, volume down, mute (consumer page). Report 2: a button and a relative dial.
DESCRIPTOR = bytes((
    0x05, 0x0C, 0x09, 0x01, 0xA1, 0x01, 0x85, 0x01,  # consumer control, report 1
    0x15, 0x00, 0x25, 0x01, 0x09, 0xE9, 0x09, 0xEA, 0x09, 0xE2,  # volume up, volume down, mute
    0x75, 0x01, 0x95, 0x03, 0x81, 0x02, 0x95, 0x05, 0x81, 0x03, 0xC0,  # three bits and padding
    0x05, 0x01, 0x09, 0x02, 0xA1, 0x01, 0x85, 0x02, 0x09, 0x01, 0xA1, 0x00,  # pointer, report 2
    0x05, 0x09, 0x19, 0x01, 0x29, 0x01, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01, 0x81, 0x02,
    0x75, 0x07, 0x81, 0x03,  # one button and padding
    0x05, 0x01, 0x09, 0x37, 0x15, 0x81, 0x25, 0x7F, 0x75, 0x08, 0x95, 0x01, 0x81, 0x06,  # dial, relative
    0xC0, 0xC0))


class HIDKnob:
    """The knob. The kernel makes one input device for each of the two collections."""

    def __init__(self, name="Test HID Dial"):
        self.fd = os.open("/dev/uhid", os.O_RDWR | os.O_CLOEXEC)
        os.write(self.fd, struct.pack(
            "<I128s64s64sHHIIII4096s", UHID_CREATE2, name.encode(), b"uhid/0", b"serial-1", len(DESCRIPTOR),
            BUS_USB, 0x1209, 0x2303, 1, 0, DESCRIPTOR))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.write(self.fd, struct.pack("<I", UHID_DESTROY))
        os.close(self.fd)

    def _report(self, *report):
        os.write(self.fd, struct.pack("<IH4096s", UHID_INPUT2, len(report), bytes(report)))

    def turn(self, counts):
        """One report of the dial, -127 to 127 counts."""
        self._report(2, 0, counts & 0xFF)

    def keys(self, volume_up=False, volume_down=False, mute=False):
        """Which of the three keys are down."""
        self._report(1, volume_up | volume_down << 1 | mute << 2)
