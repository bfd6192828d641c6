"""Devices of a test that are written to (/dev/uinput, /dev/uhid, /dev/uleds), and the program that writes."""

import errno
import fcntl
import os
import select
import struct
import subprocess
import threading
import time

import harness
from stepperd import PROGRAMS, reachable
from uinput import EV_FF, EVENT, Device, _ioc
from waiting import eventually

BUS_BLUETOOTH = 5
EV_UINPUT, UI_FF_UPLOAD, UI_FF_ERASE = 0x0101, 1, 2
FF_RUMBLE, FF_PERIODIC, FF_CONSTANT, FF_SINE, FF_GAIN = 0x50, 0x51, 0x52, 0x5A, 0x60
#: struct ff_effect on a 64-bit machine: type, id, direction, trigger, replay (length, delay), the union.
EFFECT = struct.Struct("=HhHHHHH2x32s")
#: struct uinput_ff_upload: request, result, effect, the effect in its place before.
UPLOAD = struct.Struct(f"=Ii{EFFECT.size}s{EFFECT.size}s")
ERASE = struct.Struct("=IiI")
UI_BEGIN_FF_UPLOAD, UI_END_FF_UPLOAD = _ioc(3, "U", 200, UPLOAD.size), _ioc(1, "U", 201, UPLOAD.size)
UI_BEGIN_FF_ERASE, UI_END_FF_ERASE = _ioc(3, "U", 202, ERASE.size), _ioc(1, "U", 203, ERASE.size)

#: A knob of Microsoft's radial controllers: a dial, a button, a key to sleep, and a haptic controller whose list of waveforms is
#: a buzz (3) and a click (4). Output report 1: repeat count, manual trigger, retrigger period.
RADIAL = bytes((
    0x05, 0x01, 0x09, 0x0E, 0xA1, 0x01, 0x85, 0x01, 0x05, 0x0D, 0x09, 0x21, 0xA1, 0x02,
    0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01, 0xA1, 0x00, 0x05, 0x09, 0x09, 0x01, 0x81, 0x02,
    0x95, 0x07, 0x81, 0x03, 0x05, 0x01, 0x09, 0x37, 0x16, 0x01, 0x80, 0x26, 0xFF, 0x7F,
    0x75, 0x10, 0x95, 0x01, 0x81, 0x06, 0xC0,
    0x05, 0x0E, 0x09, 0x01, 0xA1, 0x02, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08, 0x95, 0x01,
    0x09, 0x24, 0x91, 0x42, 0x15, 0x01, 0x25, 0x07, 0x09, 0x21, 0x91, 0x42,
    0x15, 0x00, 0x75, 0x10, 0x26, 0xD0, 0x07, 0x09, 0x25, 0x91, 0x42,
    0x85, 0x02, 0x75, 0x20, 0x09, 0x10, 0xA1, 0x02, 0x05, 0x0A,
    0x15, 0x03, 0x25, 0x03, 0x36, 0x04, 0x10, 0x46, 0x04, 0x10, 0x09, 0x03, 0xB1, 0x02,
    0x15, 0x04, 0x25, 0x04, 0x36, 0x03, 0x10, 0x46, 0x03, 0x10, 0x09, 0x04, 0xB1, 0x02, 0xC0,
    0xC0, 0xC0, 0xC0,
    0x05, 0x01, 0x09, 0x80, 0xA1, 0x01, 0x85, 0x03, 0x09, 0x82, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01,
    0x81, 0x02, 0x95, 0x07, 0x81, 0x03, 0xC0))

#: The same with feature report 1: the counts of a turn, up to 3600, and the automatic trigger.
RADIAL_DETENTS = RADIAL.replace(
    bytes((0x05, 0x0E, 0x09, 0x01, 0xA1, 0x02)),
    bytes((0x05, 0x01, 0x15, 0x00, 0x26, 0x10, 0x0E, 0x75, 0x10, 0x95, 0x01, 0x09, 0x48, 0xB1, 0x02, 0x05, 0x0E, 0x09, 0x01, 0xA1, 0x02)),
).replace(bytes((0x09, 0x21, 0x91, 0x42)), bytes((0x09, 0x20, 0xB1, 0x42, 0x09, 0x21, 0x91, 0x42)))

#: Behind RADIAL: a light for muting, output report 4.
DIAL_LED = bytes((
    0x05, 0x01, 0x09, 0x0E, 0xA1, 0x01, 0x85, 0x04, 0x05, 0x08, 0x09, 0x09, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01,
    0x91, 0x02, 0x95, 0x07, 0x91, 0x03, 0xC0))

#: A gamepad with one button; its driver in the kernel makes the report of the motors itself.
GAMEPAD = bytes((
    0x05, 0x01, 0x09, 0x05, 0xA1, 0x01, 0x85, 0x01, 0x05, 0x09, 0x19, 0x01, 0x29, 0x08, 0x15, 0x00, 0x25, 0x01,
    0x75, 0x01, 0x95, 0x08, 0x81, 0x02, 0xC0))


class Effect:
    """What was uploaded: its `kind`, `length` in milliseconds, and the numbers of its kind."""

    def __init__(self, packed):
        self.kind, self.identifier, self.direction, _, _, self.length, self.delay, union = EFFECT.unpack(packed)
        self.numbers = struct.unpack_from({FF_RUMBLE: "=HH", FF_PERIODIC: "=HHh", FF_CONSTANT: "=h"}[self.kind], union)


class OutputDevice(Device):
    """A device that notes what is written to it, each with its time, and answers uploads as a driver would.

    `refuse` is the errno that uploads are answered with, or 0; unless it `answers`, they get none. How many were
    `requested` is counted at once, and they are answered while `may_answer` is set.
    """

    def __init__(self, name, has, effects=16):
        super().__init__(name, has, effects=effects if EV_FF in has else 0)
        self.refuse, self.answers, self.requested = 0, True, 0
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.effects, self.uploads, self.erased, self.written, self.times = {}, [], [], [], []
        self._stop, self._stopped = os.pipe()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        while True:
            ready = select.select([self.fd, self._stop], [], [])[0]
            if self._stop in ready:
                return
            try:
                data = os.read(self.fd, EVENT.size * 16)
            except BlockingIOError:
                continue
            for _, _, kind, code, value in EVENT.iter_unpack(data):
                if kind == EV_UINPUT and not self.answers:
                    continue
                if kind == EV_UINPUT and code == UI_FF_UPLOAD:
                    self.requested += 1
                    self.may_answer.wait()
                    self._upload(value)
                elif kind == EV_UINPUT and code == UI_FF_ERASE:
                    self._erase(value)
                else:
                    self.times.append(time.monotonic())
                    self.written.append((kind, code, value))

    def _upload(self, request):
        buffer = bytearray(UPLOAD.pack(request, 0, b"", b""))
        fcntl.ioctl(self.fd, UI_BEGIN_FF_UPLOAD, buffer)
        effect = Effect(UPLOAD.unpack(buffer)[2])
        if not self.refuse:
            self.effects[effect.identifier] = effect
            self.uploads.append(effect)
        struct.pack_into("=i", buffer, 4, -self.refuse)
        fcntl.ioctl(self.fd, UI_END_FF_UPLOAD, bytes(buffer))

    def _erase(self, request):
        buffer = bytearray(ERASE.pack(request, 0, 0))
        fcntl.ioctl(self.fd, UI_BEGIN_FF_ERASE, buffer)
        identifier = ERASE.unpack(buffer)[2]
        self.effects.pop(identifier, None)
        self.erased.append(identifier)
        fcntl.ioctl(self.fd, UI_END_FF_ERASE, bytes(buffer))

    def wait(self, *events, timeout=5.0):
        """Waits until exactly these (type, code, value) have been written since the last call."""
        eventually(lambda: len(self.written) >= len(events), f"{events} written, not {self.written}", timeout)
        found, self.written = self.written, []
        if found != list(events):
            raise AssertionError(f"written: found {found}, expected {list(events)}")

    def unplug(self):
        if self.fd >= 0:
            self.may_answer.set()
            os.write(self._stopped, b"x")
            self._thread.join()
            os.close(self._stop)
            os.close(self._stopped)
        super().unplug()


class Light:
    """A light of the LED class, made with /dev/uleds. `level` is how bright it is."""

    def __init__(self, name, maximum=255):
        if not os.path.exists("/dev/uleds"):
            raise harness.Skipped("this kernel makes no lights (CONFIG_LEDS_USER)")
        self.fd = os.open("/dev/uleds", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        os.write(self.fd, struct.pack("=64si", name.encode(), maximum))
        self.sysfs = f"/sys/class/leds/{name}"
        self.levels = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()

    def remove(self):
        """Takes the light away. Twice is no error."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def read(self):
        """Every brightness it had since the last call; the kernel leaves out what was replaced unread."""
        found = []
        while True:
            try:
                found += [level for (level,) in struct.iter_unpack("=i", os.read(self.fd, 4))]
            except BlockingIOError:
                return found

    def wait(self, level):
        """Waits until it is as bright as that."""
        eventually(lambda: level in self.read(), f"{os.path.basename(self.sysfs)} at {level}")

    def attribute(self, name):
        """What a file of it holds."""
        with open(f"{self.sysfs}/{name}", encoding="utf-8") as file:
            return file.read().strip()


class HIDOutputs:
    """A HID device that notes the output reports it gets. `features` are its feature reports by their numbers, which it answers with as
    long as it `answers`; it notes those it is given as well."""

    def __init__(self, name, descriptor, vendor, product, bus=BUS_BLUETOOTH, features=None):
        self.features, self.answers = dict(features or {}), True
        self.fd = os.open("/dev/uhid", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        os.write(self.fd, struct.pack("<I128s64s64sHHIIII4096s", 11, name.encode(), b"uhid/1", b"serial-2",
                                      len(descriptor), bus, vendor, product, 1, 0, descriptor))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.write(self.fd, struct.pack("<I", 1))
        os.close(self.fd)

    def read(self):
        """The output reports since the last call, (seconds, bytes) each; answers the kernel's own questions."""
        reports = []
        while True:
            try:
                event = os.read(self.fd, 4380)
            except BlockingIOError:
                return reports
            (kind,) = struct.unpack_from("<I", event)
            if kind == 6:  # UHID_OUTPUT
                size, _ = struct.unpack_from("<HB", event, 4 + 4096)
                reports.append((time.monotonic(), event[4:4 + size]))
            elif kind == 13:  # UHID_SET_REPORT: request, number, type, size, data
                request, number, what, size = struct.unpack_from("<IBBH", event, 4)
                reports.append((time.monotonic(), event[12:12 + size]))
                if what == 0:  # UHID_FEATURE_REPORT
                    self.features[number] = event[12:12 + size]
                if self.answers:
                    os.write(self.fd, struct.pack("<IIH", 14, request, 0))
            elif kind == 9 and self.answers:  # UHID_GET_REPORT
                request, number, _ = struct.unpack_from("<IBB", event, 4)
                report = self.features.get(number)
                error = errno.EIO if report is None else 0
                os.write(self.fd, struct.pack("<IIHH4096s", 10, request, error, len(report or b""), report or b""))

    def wait(self, *expected):
        """Waits until exactly these reports have come."""
        found = []

        def enough():
            found.extend(bytes(report) for _, report in self.read())
            return len(found) >= len(expected)

        eventually(enough, f"the reports {expected}, not {found}")
        if found != list(expected):
            raise AssertionError(f"reports: found {found}, expected {list(expected)}")


class Probe:
    """The program `input-probe outputs`; one command at a time."""

    def __init__(self, node, *options, user=None):
        environment, program = dict(os.environ), f"{PROGRAMS}/input-probe"
        if user is not None:
            program = os.path.join(os.path.dirname(reachable(environment)), "input-probe")
        self.process = subprocess.Popen(
            [program, "outputs", node, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            user=user, extra_groups=None if user is None else [], cwd="/", env=environment)
        self.lines = []
        self.ready = self.line("ready")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()

    def line(self, word):
        """The next line that begins with `word`; those before it are kept in `lines`."""
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError(f"ended before {word!r}: {self.lines}")
            print(line, end="")
            self.lines.append(line.strip())
            if line.startswith(word):
                return line.strip()

    def __call__(self, command):
        """Gives a command, and returns what is answered."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        word = {"play": "played", "close": "closed", "outputs": "kinds"}.get(command.split()[0], command.split()[0])
        return self.line(word).removeprefix(word).strip()
