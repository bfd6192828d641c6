#!/usr/bin/python3
"""A bed of input devices that a test controls while a program uses them.

Run it under umockdev, which redirects the program's view of /dev, /sys, udev
and its netlink socket; neither root nor /dev/uinput is needed:

    umockdev-wrapper /usr/bin/python3 mockbed.py [--replies FD]

It reads commands from standard input, one a line, in shell quoting, and
answers each with one line on descriptor FD (standard output by default):
"ok …" or "error …". NODE is a name such as event7; CODE is a name of
<linux/input-event-codes.h> such as REL_DIAL.

    add NODE [name=T] [vendor=HEX] [product=HEX] [bus=HEX] [phys=T] [uniq=T]
        [link=/dev/input/by-id/…] [property:KEY=VALUE]
        [quirk=realtime] CODE… ABS_X=MIN:MAX[:VALUE[:FUZZ[:FLAT]]] EV_REP
    remove NODE                      unplug it: ENODEV, and udev says so
    unplug NODE                      ENODEV, and udev has not said so yet
    change NODE [property:KEY=VALUE] udev has looked at it
    rename NODE HEX                  its driver calls it so, in bytes; nobody is told
    emit NODE CODE=VALUE…            one frame; `part` leaves it unfinished
    burst NODE COUNT CODE=VALUE…     COUNT frames
    flood NODE COUNT CODE=VALUE…     one frame, everything COUNT times
    lose NODE [CODE=VALUE…]          this happened, but was lost: SYN_DROPPED
    hide NODE CODE=VALUE…            this happened, and has not been told yet
    tear NODE BYTES                  an event is cut after BYTES bytes
    inject NODE read|write|EVIOCGRAB|… ERRNO|eof   a call fails; `mend NODE` ends it
    deny NODE | readonly NODE | allow NODE   file mode 0000 | 0440 | 0660
    grab NODE | ungrab NODE          by another program
    state NODE                       clock=…, grabbed=…, opened=… descriptors,
                                     written=type:code:value,
                                     upload:kind:identifier, erase:identifier
    brightness CLASS NAME MAX VALUE  a backlight or a light (leds) of sysfs
    level CLASS NAME                 its brightness
    write CLASS NAME VALUE           by another program
    firmware CLASS NAME VALUE        by a key of the firmware: udev says so
    vanish CLASS NAME [silently]     it is unplugged, and udev says so or not
    mode CLASS NAME OCTAL            that of its file
    start PROGRAM ARGUMENT…          its output is passed through
    signal NAME                      to the program
    quit

When the program ends, "exited STATUS" comes between the answers, with a
negative number for a signal. At the end of standard input the program is
terminated. The program runs without CAP_DAC_OVERRIDE, so that file modes
hold for root as well.
"""

import argparse
import contextlib
import ctypes
import errno
import itertools
import os
import re
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

CODES_HEADERS = ["/usr/include/linux/input-event-codes.h", "/usr/include/linux/input.h"]
EVENT = struct.Struct("@llHHi")  # struct input_event of the native ABI
LONG_BITS = struct.calcsize("@l") * 8
EV_KEY, EV_REL, EV_ABS, EV_LED, EV_SND, EV_REP = 0x01, 0x02, 0x03, 0x11, 0x12, 0x14
SYN_REPORT, SYN_DROPPED = (0, 0), (0, 3)
TYPES = {
    "SYN": 0x00, "KEY": EV_KEY, "BTN": EV_KEY, "REL": EV_REL, "ABS": EV_ABS, "MSC": 0x04,
    "SW": 0x05, "LED": EV_LED, "SND": EV_SND, "FF": 0x15,
}
# Request numbers of include/uapi/linux/input.h, without the direction and size.
REQUESTS = {
    "EVIOCGVERSION": 0x01, "EVIOCGID": 0x02, "EVIOCGREP": 0x03, "EVIOCGNAME": 0x06,
    "EVIOCGPHYS": 0x07, "EVIOCGUNIQ": 0x08, "EVIOCGPROP": 0x09, "EVIOCGKEY": 0x18,
    "EVIOCGLED": 0x19, "EVIOCGSND": 0x1A, "EVIOCGSW": 0x1B, "EVIOCGEFFECTS": 0x84,
    "EVIOCSFF": 0x80, "EVIOCRMFF": 0x81, "EVIOCGRAB": 0x90, "EVIOCREVOKE": 0x91, "EVIOCSMASK": 0x93, "EVIOCSCLOCKID": 0xA0,
}
FF_EFFECT_SIZE = 48 if LONG_BITS == 64 else 44
IOC_WRITE, IOC_READ = 1, 2
WAKING_EVENTS = 512  # more than libevdev reads at once
PIPE_CHUNK = 4096 // EVENT.size * EVENT.size  # PIPE_BUF: such writes are atomic
PR_SET_PDEATHSIG = 1
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2


def load_codes():
    """Return {"REL_DIAL": (2, 7), …} from the kernel's headers."""
    numbers = {}
    for line in itertools.chain(*(open(header, encoding="utf-8") for header in CODES_HEADERS)):
        match = re.match(r"#define\s+(([A-Z]+)_\w+)\s+(\w+)", line)
        if match and match[2] in TYPES:
            value = match[3]
            numbers[match[1]] = numbers[value][1] if value in numbers else _number(value)
            if numbers[match[1]] is None:
                del numbers[match[1]]
            else:
                numbers[match[1]] = (TYPES[match[2]], numbers[match[1]])
    return numbers


def _number(text):
    try:
        return int(text, 0)
    except ValueError:
        return None


def bitmap(codes, size):
    """Return `size` bytes with one bit set for each of `codes`."""
    bits = sum(1 << code for code in set(codes))
    return (bits & ((1 << size * 8) - 1)).to_bytes(size, sys.byteorder)


def sysfs_bitmap(codes):
    """Return the bitmap as sysfs prints it: words, the highest first."""
    bits = sum(1 << code for code in set(codes))
    words = []
    while bits or not words:
        words.insert(0, f"{bits & ((1 << LONG_BITS) - 1):x}")
        bits >>= LONG_BITS
    return " ".join(words)


class Axis:
    """struct input_absinfo."""

    def __init__(self, text):
        fields = [int(field) for field in text.split(":")]
        fields += [0] * (5 - len(fields))
        self.minimum, self.maximum, self.value, self.fuzz, self.flat = fields

    def pack(self):
        return struct.pack("=6i", self.value, self.minimum, self.maximum, self.fuzz, self.flat, 0)


class Device:
    """One event node, answering what the kernel's evdev would answer."""

    def __init__(self, bed, node, words):
        self.bed = bed
        self.node = f"/dev/input/{node}"
        self.number = int(node.removeprefix("event"))
        self.options = {"name": "Mock", "vendor": "1209", "product": "2303", "bus": "3", "phys": "mock/0",
                        "uniq": "", "quirk": ""}
        self.links = []
        self.properties = {}
        self.capabilities = {}
        self.axes = {}
        self._parse(words)
        self.active = {EV_KEY: set(), EV_LED: set(), EV_SND: set(), TYPES["SW"]: set()}
        self.injected = {}
        self.written = []
        self.uploaded = 0
        self.clock = time.CLOCK_REALTIME
        self.grabbed_by = None
        self.is_gone = False
        self.parent_path = f"/devices/platform/mock/input/input{next(bed.input_numbers)}"
        self.syspath = f"/sys{self.parent_path}/event{self.number}"
        self._attach()
        self._describe()

    def _parse(self, words):
        for word in words:
            key, _, value = word.partition("=")
            if key.startswith("property:"):
                self.properties[key.removeprefix("property:")] = value
            elif key == "link":
                self.links.append(value)
            elif key in self.options:
                self.options[key] = value
            elif key == "EV_REP":
                self.capabilities[EV_REP] = [0, 1]
            else:
                kind, code = self.bed.codes[key]
                self.capabilities.setdefault(kind, []).append(code)
                if kind == EV_ABS:
                    self.axes[code] = Axis(value or "0:255")

    def _attach(self):
        """Make the node and answer for it.

        A FIFO, where umockdev would make a pseudoterminal: that buffers 4096
        bytes, which cuts an event in two when many wait. The handler must be
        there before udev tells of the device, for the program opens at once.
        """
        self.bed.switchboard(self.node).device = self
        self.path = self.bed.testbed.get_root_dir() + self.node
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        os.mkfifo(self.path, 0o660)
        os.chmod(self.path, 0o660)
        self.pipe = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)

    def _describe(self):
        """Tell sysfs and udev; this sends the uevent "add" by itself."""
        ids = [int(self.options[key], 16) for key in ("bus", "vendor", "product")] + [0x0111]
        attributes = {key: self.options[key] for key in ("name", "phys", "uniq")}
        attributes |= {"id/bustype": f"{ids[0]:04x}", "id/vendor": f"{ids[1]:04x}",
                       "id/product": f"{ids[2]:04x}", "id/version": f"{ids[3]:04x}"}
        attributes["capabilities/ev"] = sysfs_bitmap([0, *self.capabilities])
        for name, kind in (("key", EV_KEY), ("rel", EV_REL), ("abs", EV_ABS), ("led", EV_LED),
                           ("snd", EV_SND), ("msc", 4), ("sw", 5), ("ff", 0x15)):
            attributes[f"capabilities/{name}"] = sysfs_bitmap(self.capabilities.get(kind, []))
        product = "/".join(f"{number:x}" for number in ids)
        parent = [f"P: {self.parent_path}", "E: SUBSYSTEM=input", f"E: PRODUCT={product}",
                  f"E: NAME=\"{self.options['name']}\""]
        parent += [f"A: {key}={value}\\n" for key, value in attributes.items()]
        self.bed.testbed.add_from_string("\n".join(parent) + "\n\n")

        properties = {"DEVNAME": self.node, "SUBSYSTEM": "input", "MAJOR": "13"}
        properties["MINOR"] = str(64 + self.number)
        properties |= self.properties
        child = [f"P: {self.parent_path}/event{self.number}"]
        child += [f"S: {link.removeprefix('/dev/')}" for link in self.links]
        if self.links:
            properties["DEVLINKS"] = " ".join(self.links)
        child += [f"E: {key}={value}" for key, value in properties.items()]
        child.append(f"A: dev=13:{64 + self.number}\\n")
        self.bed.testbed.add_from_string("\n".join(child) + "\n\n")

    # What the program does; called on umockdev's own thread.

    def on_read(self, client):
        if self.is_gone:
            client.complete(-1, errno.ENODEV)
        elif self.injected.get("read") == "eof":
            client.complete(0, 0)
        elif "read" in self.injected:
            client.complete(-1, self.injected["read"])
        else:
            return False  # a real read of the FIFO
        return True

    def on_write(self, client):
        data = bytes(client.props.arg.retrieve())
        if self.is_gone or "write" in self.injected:
            client.complete(-1, errno.ENODEV if self.is_gone else self.injected["write"])
            return True
        for _, _, kind, code, value in EVENT.iter_unpack(data):
            self.written.append(f"{kind}:{code}:{value}")
            if kind in (EV_LED, EV_SND):
                (self.active[kind].add if value else self.active[kind].discard)(code)
        client.complete(len(data), 0)
        return True

    def on_vanished(self, client):
        if self.grabbed_by is client:
            self.grabbed_by = None

    def on_ioctl(self, client):
        try:
            status = self._answer(client)
            client.complete(status, 0)
        except OSError as error:
            client.complete(-1, error.errno)
        return True

    def _answer(self, client):
        """Return the result of the ioctl, or raise OSError."""
        request = client.props.request
        direction, size = request >> 30 & 3, request >> 16 & 0x3FFF
        kind, number = request >> 8 & 0xFF, request & 0xFF
        argument = client.props.arg
        if self.is_gone:
            raise OSError(errno.ENODEV, "")
        if kind != ord("E"):
            raise OSError(errno.ENOTTY, "")
        if number in self.injected:
            raise OSError(self.injected[number], "")
        if direction == IOC_READ:
            data, status = self._read_request(number, size)
            argument.resolve(0, size).update(0, data[:size])
            return len(data[:size]) if status is None else status
        if direction == IOC_WRITE:
            return self._write_request(number, argument, client)
        raise OSError(errno.EINVAL, "")

    def _read_request(self, number, size):
        """Return the bytes and the result, None meaning their count."""
        if number == 0x01:
            return struct.pack("=i", 0x010001), 0
        if number == 0x02:
            ids = [int(self.options[key], 16) for key in ("bus", "vendor", "product")]
            return struct.pack("=4H", *ids, 0x0111), 0
        if number in (0x06, 0x07, 0x08):
            text = self.options[{0x06: "name", 0x07: "phys", 0x08: "uniq"}[number]]
            if not text:
                raise OSError(errno.ENOENT, "")
            return text.encode(errors="surrogateescape") + b"\0", None
        if number == 0x09:
            return bytes(size), None
        if number in (0x18, 0x19, 0x1A, 0x1B):
            kind = {0x18: EV_KEY, 0x19: EV_LED, 0x1A: EV_SND, 0x1B: TYPES["SW"]}[number]
            return bitmap(self.active[kind], size), None
        if number == 0x03 and EV_REP in self.capabilities:
            return struct.pack("=2I", 250, 33), 0
        if number == 0x84:
            return struct.pack("=i", 0), 0
        if 0x20 <= number < 0x40:
            kind = number - 0x20
            codes = [0, *self.capabilities] if kind == 0 else self.capabilities.get(kind, [])
            return bitmap(codes, size), None
        if 0x40 <= number < 0x80 and number - 0x40 in self.axes:
            return self.axes[number - 0x40].pack(), 0
        raise OSError(errno.EINVAL, "")

    def _write_request(self, number, argument, client):
        if number == REQUESTS["EVIOCSCLOCKID"]:
            if self.options["quirk"] == "realtime":
                raise OSError(errno.EINVAL, "")
            (self.clock,) = struct.unpack("=i", bytes(argument.resolve(0, 4).retrieve()))
        elif number == REQUESTS["EVIOCGRAB"]:
            wants = any(bytes(argument.retrieve())[:8])  # a number, not a pointer
            if wants and self.grabbed_by not in (None, client):
                raise OSError(errno.EBUSY, "")
            if not wants and self.grabbed_by is not client:
                raise OSError(errno.EINVAL, "")
            self.grabbed_by = client if wants else None
        elif number == REQUESTS["EVIOCSFF"]:
            effect = argument.resolve(0, FF_EFFECT_SIZE)
            (kind,) = struct.unpack_from("=H", bytes(effect.retrieve()))
            effect.update(2, struct.pack("=h", self.uploaded))
            self.written.append(f"upload:{kind}:{self.uploaded}")
            self.uploaded += 1
        elif number == REQUESTS["EVIOCRMFF"]:
            self.written.append(f"erase:{struct.unpack_from('=i', bytes(argument.retrieve()))[0]}")
        elif number not in (REQUESTS["EVIOCREVOKE"], REQUESTS["EVIOCSMASK"]):
            raise OSError(errno.EINVAL, "")
        return 0

    # What the test does.

    def apply(self, events):
        """Remember the state that `events` leave."""
        for (kind, code), value in events:
            if kind in self.active:
                (self.active[kind].add if value else self.active[kind].discard)(code)
            elif kind == EV_ABS:
                self.axes[code].value = value

    def send(self, events):
        """Put `events` into the queue, all with the time of now."""
        now = time.clock_gettime_ns(self.clock)
        seconds, microseconds = now // 10**9, now % 10**9 // 1000
        self.write(b"".join(EVENT.pack(seconds, microseconds, *usage, value) for usage, value in events))

    def write(self, data):
        deadline = time.monotonic() + 5
        while data:
            try:
                data = data[os.write(self.pipe, data[:PIPE_CHUNK]):]
            except BlockingIOError:
                if not select.select([], [self.pipe], [], max(deadline - time.monotonic(), 0))[1]:
                    raise TimeoutError("the program does not read its events") from None

    def wake(self):
        """Wake up whoever polls, for the next read to find out.

        A real read may just be under way; it takes some of these empty events,
        never a torn one and never all, and is followed by another. Events that fill
        the pipe wake as well.
        """
        with contextlib.suppress(BlockingIOError):
            os.write(self.pipe, bytes(EVENT.size * WAKING_EVENTS))

    def unplug(self):
        self.is_gone = True
        os.unlink(self.path)
        self.wake()

    def notify(self, action):
        self.bed.testbed.uevent(self.syspath, action)


class Switchboard:
    """Leads what a program does with a node to the device it opened there.

    umockdev has one handler for a node, but the node may come back as another
    device while the program still holds the old one open.
    """

    def __init__(self, testbed, node):
        self.device = None
        self._opened = {}
        self._handler = UMockdev.IoctlBase()
        self._handler.connect("client-connected", self._on_connected)
        self._handler.connect("client-vanished", self._on_vanished)
        self._handler.connect("handle-ioctl", lambda _, client: self._opened[client].on_ioctl(client))
        self._handler.connect("handle-read", lambda _, client: self._opened[client].on_read(client))
        self._handler.connect("handle-write", lambda _, client: self._opened[client].on_write(client))
        testbed.attach_ioctl(node, self._handler)

    def _on_connected(self, _handler, client):
        self._opened[client] = self.device

    def _on_vanished(self, _handler, client):
        self._opened.pop(client).on_vanished(client)


class Bed:
    """The commands."""

    def __init__(self, replies):
        self.codes = load_codes()
        self.testbed = UMockdev.Testbed.new()
        self.devices = {}
        self.switchboards = {}
        self.input_numbers = itertools.count(1)  # the kernel never reuses one
        self.program = None
        self._replies = replies
        self._lock = threading.Lock()

    def reply(self, text):
        with self._lock:
            os.write(self._replies, (text + "\n").encode())

    def switchboard(self, node):
        if node not in self.switchboards:
            self.switchboards[node] = Switchboard(self.testbed, node)
        return self.switchboards[node]

    def obey(self, line):
        command, *words = shlex.split(line)
        method = getattr(self, f"do_{command}", None)
        if method is None:
            raise ValueError(f"no command {command}")
        return method(*words)

    def events(self, words):
        pairs = (word.partition("=") for word in words)
        return [(self.codes[name], int(value)) for name, _, value in pairs]

    def do_add(self, node, *words):
        if node in self.devices:
            raise ValueError(f"{node} is there already")
        self.devices[node] = Device(self, node, words)

    def do_remove(self, node):
        device = self.devices.pop(node)
        if not device.is_gone:
            device.unplug()
        device.notify("remove")
        self.testbed.remove_device(device.syspath)
        self.testbed.remove_device(f"/sys{device.parent_path}")
        # remove_device() forgets this link, and then add_from_string() aborts.
        link = f"{self.testbed.get_root_dir()}/sys/dev/char/13:{64 + device.number}"
        if os.path.islink(link):
            os.unlink(link)

    def do_unplug(self, node):
        self.devices[node].unplug()

    def do_change(self, node, *words):
        device = self.devices[node]
        for word in words:
            key, _, value = word.removeprefix("property:").partition("=")
            self.testbed.set_property(device.syspath, key, value)
        device.notify("change")

    def do_rename(self, node, hexadecimal):
        device, name = self.devices[node], bytes.fromhex(hexadecimal)
        device.options["name"] = name.decode(errors="surrogateescape")
        with open(f"{self.testbed.get_root_dir()}/sys{device.parent_path}/name", "wb") as attribute:
            attribute.write(name + b"\n")

    def do_emit(self, node, *words):
        events = self.events(words)
        self.devices[node].apply(events)
        self.devices[node].send([*events, (SYN_REPORT, 0)])

    def do_part(self, node, *words):
        events = self.events(words)
        self.devices[node].apply(events)
        self.devices[node].send(events)

    def do_burst(self, node, count, *words):
        events = [*self.events(words), (SYN_REPORT, 0)]
        for _ in range(int(count)):
            self.devices[node].send(events)

    def do_flood(self, node, count, *words):
        self.devices[node].send([*(self.events(words) * int(count)), (SYN_REPORT, 0)])

    def do_lose(self, node, *words):
        self.devices[node].apply(self.events(words))
        self.devices[node].send([(SYN_DROPPED, 0), (SYN_REPORT, 0)])

    def do_hide(self, node, *words):
        self.devices[node].apply(self.events(words))

    def do_tear(self, node, count):
        self.devices[node].write(bytes(int(count)))

    def do_inject(self, node, call, error):
        device = self.devices[node]
        device.injected[REQUESTS.get(call, call)] = error if error == "eof" else getattr(errno, error)
        if call == "read":
            device.wake()

    def do_mend(self, node):
        self.devices[node].injected.clear()

    def do_deny(self, node):
        os.chmod(self.devices[node].path, 0)

    def do_readonly(self, node):
        os.chmod(self.devices[node].path, 0o440)

    def do_allow(self, node):
        os.chmod(self.devices[node].path, 0o660)

    def do_grab(self, node):
        self.devices[node].grabbed_by = "another program"

    def do_ungrab(self, node):
        self.devices[node].grabbed_by = None

    def do_state(self, node):
        device = self.devices[node]
        clocks = {time.CLOCK_REALTIME: "realtime", time.CLOCK_MONOTONIC: "monotonic"}
        clock = clocks.get(device.clock, "other")
        grabbed = {None: "no", "another program": "other"}.get(device.grabbed_by, "yes")
        opened = [os.path.realpath(link) for link in self.descriptors()].count(device.path)
        return f"clock={clock} grabbed={grabbed} opened={opened} written={','.join(device.written)}"

    def descriptors(self):
        """Return the links in /proc to what the program has open."""
        if not self.program or self.program.poll() is not None:
            return []
        return [entry.path for entry in os.scandir(f"/proc/{self.program.pid}/fd")]

    def _brightness(self, kind, name):
        return f"{self.testbed.get_root_dir()}/sys/class/{kind}/{name}/brightness"

    def do_brightness(self, kind, name, most, value):
        self.testbed.add_from_string(
            f"P: /devices/virtual/{kind}/{name}\nE: SUBSYSTEM={kind}\n"
            f"A: max_brightness={most}\\n\nA: brightness={value}\\n\n\n")

    def do_level(self, kind, name):
        with open(self._brightness(kind, name), encoding="ascii") as file:
            return file.read().strip()

    def do_write(self, kind, name, value):
        # As in sysfs: the file is neither cut nor replaced.
        with open(self._brightness(kind, name), "r+", encoding="ascii") as file:
            file.write(f"{value}\n")
            file.truncate()

    def do_firmware(self, kind, name, value):
        self.testbed.set_attribute(f"/sys/devices/virtual/{kind}/{name}", "brightness", f"{value}\n")
        self.testbed.uevent(f"/sys/devices/virtual/{kind}/{name}", "change")

    def do_vanish(self, kind, name, *words):
        path = f"/sys/devices/virtual/{kind}/{name}"
        if words != ("silently",):
            self.testbed.uevent(path, "remove")
        self.testbed.remove_device(path)

    def do_mode(self, kind, name, mode):
        os.chmod(self._brightness(kind, name), int(mode, 8))

    def do_start(self, *words):
        if self.program and self.program.poll() is None:
            raise ValueError("the program runs already")
        self.program = subprocess.Popen(words, stdin=subprocess.DEVNULL, preexec_fn=prepare_program)
        threading.Thread(target=self._wait, args=[self.program], daemon=True).start()
        return str(self.program.pid)

    def do_signal(self, name):
        self.program.send_signal(signal.Signals[f"SIG{name}"])

    def _wait(self, program):
        self.reply(f"exited {program.wait()}")

    def stop(self):
        """End the program before the handlers go, whose loss would abort it."""
        if self.program and self.program.poll() is None:
            self.program.terminate()
            try:
                self.program.wait(5)
            except subprocess.TimeoutExpired:
                self.program.kill()
                self.program.wait()
        # The handlers hold the devices, and these the bed: nobody else would remove it.
        shutil.rmtree(self.testbed.get_root_dir(), ignore_errors=True)


def prepare_program():
    """End the program about to start with this one, and let file modes hold for root as well."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.geteuid() == 0:
        for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replies", type=int, default=1, metavar="FD", help="where the answers go")
    arguments = parser.parse_args()
    os.set_inheritable(arguments.replies, arguments.replies < 3)
    bed = Bed(arguments.replies)
    try:
        for line in sys.stdin:
            if not line.strip():
                continue
            if line.strip() == "quit":
                break
            try:
                answer = bed.obey(line)
            except (OSError, LookupError, ValueError, TypeError, AttributeError, TimeoutError) as error:
                bed.reply(f"error {type(error).__name__}: {error}")
            else:
                bed.reply(f"ok {answer}" if answer else "ok")
    finally:
        bed.stop()


if __name__ == "__main__":
    main()
