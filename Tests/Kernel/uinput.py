"""Input devices that a test makes (/dev/uinput), and reading any input device back (/dev/input/event*)."""

import errno
import fcntl
import glob
import os
import select
import struct
import time

from waiting import eventually, pace


EV_SYN, EV_KEY, EV_REL, EV_ABS, EV_MSC, EV_LED, EV_SND, EV_FF = 0x00, 0x01, 0x02, 0x03, 0x04, 0x11, 0x12, 0x15
SYN_REPORT, SYN_DROPPED = 0, 3
REL_X, REL_Y, REL_DIAL, REL_WHEEL, REL_WHEEL_HI_RES = 0x00, 0x01, 0x07, 0x08, 0x0B
ABS_X, ABS_VOLUME = 0x00, 0x20
KEY_A, KEY_ENTER, KEY_MUTE, KEY_VOLUMEDOWN, KEY_VOLUMEUP, BTN_0 = 30, 28, 113, 114, 115, 0x100
BUS_USB, BUS_VIRTUAL = 0x03, 0x06

#: struct input_event on a 64-bit machine: seconds, microseconds, type, code, value.
EVENT = struct.Struct("=qqHHi")


def _ioc(direction, group, number, size):
    return direction << 30 | size << 16 | ord(group) << 8 | number


def _write(group, number, size):
    return _ioc(1, group, number, size)


def _read(group, number, size):
    return _ioc(2, group, number, size)


UI_DEV_CREATE, UI_DEV_DESTROY = _ioc(0, "U", 1, 0), _ioc(0, "U", 2, 0)
UI_DEV_SETUP, UI_ABS_SETUP = _write("U", 3, 92), _write("U", 4, 28)
UI_SET_PHYS = _write("U", 108, 8)
UI_SET = {EV_KEY: _write("U", 101, 4), EV_REL: _write("U", 102, 4), EV_ABS: _write("U", 103, 4),
          EV_MSC: _write("U", 104, 4), EV_LED: _write("U", 105, 4), EV_SND: _write("U", 106, 4),
          EV_FF: _write("U", 107, 4)}
UI_SET_EVBIT = _write("U", 100, 4)
EVIOCGRAB, EVIOCSCLOCKID = _write("E", 0x90, 4), _write("E", 0xA0, 4)


class Event(tuple):
    """(microseconds on CLOCK_MONOTONIC, type, code, value)."""

    time = property(lambda self: self[0])
    type = property(lambda self: self[1])
    code = property(lambda self: self[2])
    value = property(lambda self: self[3])


class Device:
    """A device of our own. `has` maps an event type to its codes; for EV_ABS {code: (minimum, maximum)}.
    With EV_FF it has memory for so many `effects`; see outputs.py.

    Leaving the ``with`` block unplugs it.
    """

    def __init__(self, name, has, vendor=0x1209, product=0x2303, phys=None, effects=0):
        self.name = name
        self.fd = os.open("/dev/uinput", os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
        for kind, codes in has.items():
            fcntl.ioctl(self.fd, UI_SET_EVBIT, kind)
            for code in codes:
                fcntl.ioctl(self.fd, UI_SET[kind], code)
        for code, (minimum, maximum) in has.get(EV_ABS, {}).items():
            axis = struct.pack("=HHiiiiii", code, 0, 0, minimum, maximum, 0, 0, 0)
            fcntl.ioctl(self.fd, UI_ABS_SETUP, axis)
        if phys:
            fcntl.ioctl(self.fd, UI_SET_PHYS, phys.encode() + b"\0")
        setup = struct.pack("=HHHH80sI", BUS_USB, vendor, product, 1, name.encode(), effects)
        fcntl.ioctl(self.fd, UI_DEV_SETUP, setup)
        fcntl.ioctl(self.fd, UI_DEV_CREATE)
        buffer = bytearray(64)
        fcntl.ioctl(self.fd, _read("U", 44, len(buffer)), buffer)
        self.sysfs = "/sys/devices/virtual/input/" + buffer.split(b"\0")[0].decode()
        self.node = "/dev/input/" + os.path.basename(glob.glob(self.sysfs + "/event*")[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.unplug()

    def unplug(self):
        """Takes the device away. Twice is no error."""
        if self.fd >= 0:
            fcntl.ioctl(self.fd, UI_DEV_DESTROY)
            os.close(self.fd)
            self.fd = -1

    def emit(self, *events):
        """One frame: (type, code, value) each, and the SYN_REPORT behind them."""
        frame = events + ((EV_SYN, SYN_REPORT, 0),)
        os.write(self.fd, b"".join(EVENT.pack(0, 0, *event) for event in frame))

    def turn(self, code, *deltas, pause=0.002):
        """One frame of a relative axis for each of `deltas`."""
        for delta in deltas:
            self.emit((EV_REL, code, delta))
            pace(pause)  # that of a hand

    def key(self, code, down):
        """Presses or releases a key."""
        self.emit((EV_KEY, code, int(down)))


def knob(name="Test Knob", **more):
    """A knob like Griffin's PowerMate: REL_DIAL and a push button."""
    return Device(name, {EV_REL: [REL_DIAL], EV_KEY: [BTN_0]}, **more)


def buttons(name="Test Buttons", **more):
    """A plus and a minus button, without the kernel's autorepeat."""
    return Device(name, {EV_KEY: [KEY_VOLUMEUP, KEY_VOLUMEDOWN]}, **more)


def panel(name="Test Panel", **more):
    """A front panel with a bit of everything: a dial, a plus and a minus button, and a fader."""
    return Device(name, {EV_REL: [REL_DIAL], EV_KEY: [KEY_VOLUMEUP, KEY_VOLUMEDOWN], EV_ABS: {ABS_VOLUME: (0, 100)}}, **more)


class Reader:
    """Reads a node like any other program would, with the times of CLOCK_MONOTONIC."""

    def __init__(self, node):
        self.fd = os.open(node, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        fcntl.ioctl(self.fd, EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.fd)

    def grab(self, wanted=True):
        """Takes or gives back the device; whether that worked (False: another program has it)."""
        try:
            fcntl.ioctl(self.fd, EVIOCGRAB, int(wanted))
        except OSError as error:
            if error.errno == errno.EBUSY:
                return False
            raise
        return True

    def read(self):
        """What is there now, without SYN_REPORT."""
        events = []
        while select.select([self.fd], [], [], 0)[0]:
            data = os.read(self.fd, EVENT.size * 64)
            for seconds, microseconds, *event in EVENT.iter_unpack(data):
                if event[:2] != [EV_SYN, SYN_REPORT]:
                    events.append(Event((seconds * 1_000_000 + microseconds, *event)))
        return events

    def collect(self, count, timeout=5.0):
        """Waits until `count` events have come in all, and returns them and whatever came with them."""
        events = []

        def enough():
            events.extend(self.read())
            return len(events) >= count

        eventually(enough, f"{count} events", timeout)
        return events


def node_named(name):
    """The event node of the device called `name`, or None."""
    for path in glob.glob("/sys/class/input/event*"):
        try:
            with open(path + "/device/name", encoding="utf-8") as file:
                if file.read().strip() == name:
                    return "/dev/input/" + os.path.basename(path)
        except FileNotFoundError:  # it went away meanwhile
            pass
    return None
