"""What is measured: a daemon with a configuration, its clients, and what they do."""

import fcntl
import os
import re
import select
import struct
import termios
import time

from bed import BedDaemon
from connection import Connection, Gone, encoded
from instruments import settle
from private_daemon import PrivateDaemon
from waiting import eventually

DAEMON = '[daemon]\nstate-directory = "{folder}/state"\nsave-after = "1h"\nsave-interval = "1h"\n'
VOLUME = """
[device.panel]
virtual = true

[control.volume]
maximum = 1000000
initial = 500000
rotate = "panel:dial"
increment = "panel:plus"
repeat = { delay = "50ms", interval = "15ms" }
restore = false
"""
# The same with the device of the bed.
KNOB = VOLUME.replace("virtual = true", 'match = { name = "Mock" }').replace(":dial", ":REL_DIAL").replace(":plus", ":KEY_UP")
# The same with a device of a program.
PROVIDED = VOLUME.replace("virtual = true", 'match = { provider = "cost", name = "panel" }')
PROVIDED = PROVIDED.replace(":dial", ":REL_DIAL").replace(":plus", ":KEY_UP")


def others(controls, devices):
    """So many more controls than `volume` on all inputs of so many more devices than `panel`."""
    inputs = [("rotate", "dial"), ("increment", "plus"), ("decrement", "minus"), ("absolute", "fader")]
    tables = [f"[device.d{number}]\nvirtual = true\n" for number in range(devices)]
    for number in range(controls):
        key, name = inputs[number % 4]
        tables.append(f'[control.c{number}]\n{key} = "d{number // 4 % devices}:{name}"\nrestore = false\n')
    return "\n" + "\n".join(tables)


#: Users that nobody has; systemd keeps 61184 and above for its own. A user has at most 32 connections.
FIRST_USER, USERS, EACH = 61000, 16, 24

#: System calls of an event that are fewer than this are not of the event: a timer was due meanwhile.
SELDOM = 0.25
#: How often something is measured again where the machine was too busy for it.
ATTEMPTS = 5

CONFIGURATIONS = {
    "evdev": DAEMON + KNOB,
    "provided": DAEMON + PROVIDED,
    "one": DAEMON + VOLUME,
    "feedback": DAEMON + VOLUME + 'feedback = { increment = "heavy", decrement = "heavy", limit = "error" }\n',
    "many": DAEMON + VOLUME + others(255, 63),
    "idle": DAEMON + VOLUME + others(31, 3),
}


class Client(Connection):
    """A connection whose replies are searched, not read."""

    def until(self, pattern):
        """Reads up to the message that has the pattern, and returns it; `skipped` is how many were before it."""
        pattern = re.compile(pattern)
        self.skipped = 0
        deadline = time.monotonic() + self.timeout
        while True:
            end = self.buffer.find(b"\0")
            if end >= 0:
                message = bytes(self.buffer[:end])
                del self.buffer[:end + 1]
                if pattern.search(message):
                    return message
                self.skipped += 1
                continue
            self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
            data = self.socket.recv(1 << 18)
            if not data:
                raise Gone("the daemon closed the connection")
            self.buffer += data

    def waiting(self):
        """How many bytes came that were not read."""
        return struct.unpack("i", fcntl.ioctl(self.socket, termios.FIONREAD, bytes(4)))[0]


class Bench:
    """A daemon under an instrument, with clients."""

    def __init__(self, program, configuration, instrument):
        self.daemon = BedDaemon("event0 REL_DIAL KEY_UP") if configuration == "evdev" else PrivateDaemon("")
        self.daemon.configure(CONFIGURATIONS[configuration].replace("{folder}", self.daemon.folder))
        self.daemon.socket = f"{self.daemon.folder}/socket"
        self.subscribers, self.idlers = [], []
        self.turned = 0
        self.provider = None
        self.instrument = instrument(self.daemon.folder)
        try:
            mode = "--user" if os.geteuid() else "--system"
            self.daemon.start(program, mode, "--socket", self.daemon.socket, "--log-level", "error", under=self.instrument.prefix(),
                              environment=self.instrument.environment())
            self.daemon.connect(self.instrument.patience).close()
            os.chmod(self.daemon.socket, 0o666)
            self.caller = self.client()
            self.get(1)
            self.start = self.read()
        except BaseException:
            self.daemon.remove()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for client in filter(None, [self.caller, self.provider, *self.subscribers, *self.idlers]):
            client.close()
        self.daemon.stop(timeout=self.instrument.patience)
        self.daemon.remove()

    def read(self):
        """What was counted since it was asked before."""
        settle(self.daemon.pid)
        return self.instrument.read(self.daemon.pid)

    def client(self):
        """One more connection."""
        return Client(self.daemon.socket, self.instrument.patience)

    def subscriber(self, **parameters):
        """One more connection that follows controls; a Gone if the daemon takes no more of this user."""
        client = self.client()
        try:
            client.send("org.stepperd.control.Subscribe", more=True, **parameters)
            client.until(rb'"snapshot": ?true')
        except (Gone, ConnectionResetError):
            client.close()
            raise Gone("too many connections") from None
        return client

    def crowd(self, count, **parameters):
        """So many of further users, each of whom may have a part of all connections. Needs root."""
        clients = []
        for user in range(FIRST_USER, FIRST_USER + USERS):
            os.seteuid(user)
            try:
                while len(clients) < count:
                    clients.append(self.subscriber(**parameters))
            except Gone:
                continue
            finally:
                os.seteuid(0)
        if len(clients) < count:
            raise AssertionError(f"the daemon takes {len(clients)} connections, not {count}")
        return clients

    def subscribe(self, count):
        """The control has its first value again, and so many follow all controls."""
        self.caller.call("org.stepperd.control.Set", control="volume", value=500000)
        for client in self.subscribers:
            client.close()
        self.subscribers = []
        self.is_alone()
        self.subscribers = self.crowd(count) if count > EACH else [self.subscriber() for _ in range(count)]

    def is_alone(self):
        """Waits until the daemon knows of no client that has gone."""
        wanted = 1 + len(self.subscribers) + len(self.idlers) + (self.provider is not None)
        eventually(lambda: self.caller.call("org.stepperd.manager.GetStatus")["clients"] == wanted, f"{wanted} clients are left")

    def device(self, method, **parameters):
        """Moves an input of the panel."""
        self.caller.write(encoded(f"org.stepperd.device.{method}", {"device": "panel", **parameters}, oneway=True))

    def at_rest(self):
        """Waits for the end of the gesture; returns the message."""
        return [client.until(rb'"editing": ?false') for client in self.subscribers][0]

    # What the clients do: so many times, and what is returned is how often it was; None if something came between.

    def turn(self, count):
        """Detents, to and fro, each when the one before has arrived."""
        return self.move(count, lambda detents: self.device("Turn", input="dial", detents=detents))

    def frame(self, count):
        """The same of an input device of the kernel, each a frame."""
        return self.move(count, lambda detents: self.daemon.order(f"emit event0 REL_DIAL={detents}"))

    def move(self, count, send):
        """Detents by `send`."""
        skipped = 0
        for _ in range(count):
            send(-1 if self.turned else 1)
            self.turned = 1 - self.turned
            for client in self.subscribers:
                self.change = client.until(rb'"turned": ?%d\b' % self.turned)
                skipped += client.skipped
        self.at_rest()
        return None if skipped else count

    def hold(self, count):
        """Repeats of a button that is held."""
        self.get(1)
        values = [number_in(self.answer)]
        self.device("Press", input="plus")
        while values[-1] < values[0] + count:
            values.append(number_in(self.subscribers[0].until(b'"value"')))
        self.device("Release", input="plus")
        values.append(number_in(self.at_rest()))
        # Two at once are cheaper.
        return None if any(new > old + 1 for old, new in zip(values, values[1:])) else values[-1] - values[0]

    def get(self, count):
        """Gets."""
        for _ in range(count):
            self.caller.write(encoded("org.stepperd.control.Get", {"control": "volume"}))
            self.answer = self.caller.until(b"")
        return count

    def set(self, count):
        """Sets, each to another value."""
        for number in range(count):
            self.caller.write(encoded("org.stepperd.control.Set", {"control": "volume", "value": 500000 + number % 2}))
            self.caller.until(rb'"value"')
        return count

    def step(self, count):
        """Steps, to and fro."""
        for number in range(count):
            self.caller.write(encoded("org.stepperd.control.Step", {"control": "volume", "steps": -1 if number % 2 else 1}))
            self.caller.until(rb'"applied"')
        return count

    def report(self, count):
        """The same of a device of a program, each a frame."""
        if not self.provider:
            self.provider, self.handle = self.attached("panel")

        def send(detents):
            frame = {"events": [{"code": "REL_DIAL", "value": detents}]}
            self.provider.write(encoded("org.stepperd.provider.Report", {"handle": self.handle, "frames": [frame]}, oneway=True))

        return self.move(count, send)

    # What is so beside it.

    def attached(self, name, client=None):
        """A program with a device of a knob, a fader and a motor for it, and the device's handle."""
        client = client or self.client()
        device = {
            "identity": {"provider": "cost", "name": name, "path": name}, "keys": ["KEY_UP"], "relative": [{"code": "REL_DIAL"}],
            "absolute": [{"code": "ABS_VOLUME", "minimum": 0, "maximum": 127}],
            "outputs": [{"name": "motor", "kind": "position", "axis": "ABS_VOLUME"}],
        }
        client.write(encoded("org.stepperd.provider.Attach", device))
        return client, re.search(rb'"handle": ?"([^"]+)"', client.until(b"handle"))[1].decode()

    def provide(self):
        """Sixteen programs have four devices each, and eight follow their orders: a user has 32 connections."""
        handles = []
        for number in range(16):
            program = None
            for device in range(4):
                program, handle = self.attached(f"{number}-{device}", program)
                handles.append(handle)
            self.idlers.append(program)
        for first in range(0, 64, 8):
            orders = self.client()
            orders.send("org.stepperd.provider.Subscribe", more=True, handles=handles[first:first + 8])
            orders.until(b"orders")
            self.idlers.append(orders)
        self.is_alone()

    def surround(self):
        """Most of the 128 possible clients follow another control."""
        self.idlers = self.crowd(110, match=["c1"])

    def stall(self):
        """Sixteen subscribers do not read, and nothing more fits into their sockets."""
        self.idlers = [self.subscriber() for _ in range(16)]
        before = None
        while before != (before := [client.waiting() for client in self.idlers]):
            self.turn(100)
        self.is_alone()

    def leave(self):
        """Those beside it go."""
        for client in self.idlers:
            client.close()
        self.idlers = []
        self.is_alone()

    def is_silent(self, seconds):
        """Whether no subscriber is sent anything for so long."""
        return not select.select([client.socket for client in self.subscribers], [], [], seconds)[0]


def number_in(message):
    """The value of the one state in a message."""
    return int(re.search(rb'"value": ?(\d+)', message)[1])


def size_of(message):
    """How long a message is, with numbers that count from somewhere as long as they usually are."""
    for key, digits in ((b"monotonicMicroseconds", 12), (b"sequence", 3)):
        message = re.sub(rb'("%s": ?)\d+' % key, rb"\g<1>" + b"0" * digits, message)
    return len(message) + 1


def per_event(bench, work, count):
    """What each of the events costs: the difference of `count` and twice as many."""
    work(count // 2)
    for _ in range(ATTEMPTS):
        bench.read()
        first, once = work(count), bench.read()
        second, twice = work(2 * count), bench.read()
        if None not in (first, second):
            break
    else:
        raise AssertionError(f"this machine is too busy: something came between {2 * count} events, {ATTEMPTS} times")
    found = {key: (twice.get(key, 0) - once.get(key, 0)) / (second - first) for key in {**once, **twice}}
    # Not what happened once beside it.
    return {key: value for key, value in found.items() if not key.startswith("calls ") or abs(value) > SELDOM}
