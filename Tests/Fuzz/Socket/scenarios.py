"""What clients do to the daemon: good ones in every way there is, and bad ones."""

import json
import os
import select
import socket
import time

from connection import Connection, Gone, encoded

#: Seconds in which an answer must come, however busy the daemon is.
PATIENCE = 20.0


class Violation(Exception):
    """The daemon did not keep what it promises."""


class Refused(Exception):
    """There are too many connections at present, which is no fault."""


def last_replies(received):
    """How many replies are complete of which each is the last one of its call."""
    return received.count(b"\0") - received.count(b'"continues":true}\0')


def is_refusal(received):
    """Whether the first answer is that this connection is one too many; the daemon closes it then."""
    return b"org.stepperd.manager.TooManyConnections" in received.partition(b"\0")[0]


class Attacker:
    """One client after the other, each with a scenario of its own."""

    def __init__(self, path, name, generator, configurations, note):
        self.path, self.generator, self.random = path, generator, generator.random
        #: Of this client and no other, and the same with the same seed.
        self.name = name
        self.configurations = configurations
        #: Told of everything that is sent, for the day that it ends the daemon.
        self.note = note
        self.counts = {}
        self.markers = 0

    SCENARIOS = (("talk", 30), ("burst", 20), ("half_close", 8), ("garbage", 10), ("never_read", 5), ("slowly_read", 5),
                 ("storm", 4), ("follow", 15), ("leave", 8), ("reload", 2))

    def act(self):
        """One scenario; which one, the seed says."""
        names, weights = zip(*self.SCENARIOS)
        name = self.random.choices(names, weights)[0]
        self.counts[name] = self.counts.get(name, 0) + 1
        try:
            getattr(self, name)()
        except Refused:
            self.counts["(refused)"] = self.counts.get("(refused)", 0) + 1
        except ConnectionRefusedError:
            raise Violation(f"{name}: nobody listens any more") from None
        except TimeoutError:
            raise Violation(f"{name}: no answer within {PATIENCE} s") from None

    def connect(self):
        """A new connection."""
        return Connection(self.path, PATIENCE)

    # Good clients

    def talk(self):
        """A call, its answer, and the next."""
        with self.connect() as connection:
            for _ in range(self.random.randint(1, 30)):
                self.exchange(connection, *self.calls(1), lambda: 1 << 20)

    def burst(self):
        """Many calls at once, cut anywhere, and the answers read as they come."""
        count = self.random.choice([2, 10, 50, 200, 800])
        data, expected = self.calls(count)
        # Byte by byte only where that comes to an end.
        size = max(self.random.choice([1, 7, 100, 4_096, 65_536]), len(data) // 1_000)
        with self.connect() as connection:
            self.exchange(connection, data, expected, lambda: self.random.randint(1, size))

    def half_close(self):
        """Many calls, the end of the input, and then the answers: as a shell script does."""
        with self.connect() as connection:
            self.exchange(connection, *self.calls(self.random.randint(1, 300)), lambda: 65_536, ends=True)

    def follow(self):
        """Subscriptions with many patterns or few, read fast or slowly, while something happens."""
        method, parameters = self.subscription()
        with self.connect() as connection, self.connect() as other:
            self.send(connection, encoded(method, parameters, more=True))
            first = self.reply(connection)
            if "error" in first:
                return
            for _ in range(self.random.randint(1, 20)):
                data, expected = self.calls(3)
                self.exchange(other, data, expected, lambda: 65_536)
                if self.random.random() < 0.7 and select.select([connection.socket], [], [], 0)[0]:
                    self.reply(connection)
            if self.random.random() < 0.3:
                # A call that nothing will ever answer, because the one before it goes on.
                self.send(connection, self.calls(1)[0])

    def subscription(self):
        """A method and its parameters."""
        pattern = self.generator.text
        match = self.random.choice([None, ["*"], [pattern()[:2_000] for _ in range(self.random.choice([1, 5, 30]))],
                                    ["*?" * 20 + "x"] * 100, [str(index) for index in range(8_000)]])
        method = self.random.choice(["control.Subscribe", "control.Subscribe", "control.SubscribeMoments",
                                     "device.Subscribe", "device.Monitor"])
        parameters = {} if match is None or method == "device.Subscribe" else {"match": match}
        if method == "control.Subscribe":
            if self.random.random() < 0.4:
                parameters["minimumIntervalMilliseconds"] = self.generator.integer(known=False)
            if self.random.random() < 0.3:
                parameters |= {"instance": self.generator.text()[:100], "sinceSequence": self.generator.integer(False)}
            parameters["descriptions"] = self.random.random() < 0.5
            if self.random.random() < 0.5:
                parameters["language"] = self.random.choice(self.generator.names["language"])
        if method == "device.Monitor":
            parameters |= {"unused": self.random.random() < 0.5, "keyboards": self.random.random() < 0.5}
        return f"org.stepperd.{method}", parameters

    def reload(self):
        """Another configuration, or one that is none."""
        text = self.random.choice(self.configurations)
        scratch = f"{self.configurations.path}.{self.name}"
        with open(scratch, "w", encoding="utf-8") as file:
            file.write(text)
        os.rename(scratch, self.configurations.path)
        with self.connect() as connection:
            self.send(connection, encoded("org.stepperd.manager.Reload", {}))
            self.reply(connection)

    # Bad ones

    def garbage(self):
        """Bytes that are no calls; the daemon may answer some of it, and closes or waits for more."""
        with self.connect() as connection:
            for _ in range(self.random.randint(1, 5)):
                try:
                    self.send(connection, self.generator.garbage())
                except Refused:
                    return
            connection.socket.shutdown(socket.SHUT_WR)
            # A subscription may be among it, which goes on after the end of the input.
            connection.socket.settimeout(0.2)
            try:
                connection.drain()
            except TimeoutError:
                pass

    def never_read(self):
        """Calls as long as the socket takes any, and no look at the answers."""
        with self.connect() as connection:
            connection.socket.setblocking(False)
            deadline = time.monotonic() + self.random.uniform(0.1, 2)
            while time.monotonic() < deadline:
                data = self.heavy()
                self.note(data)
                try:
                    connection.socket.send(data)
                except BlockingIOError:
                    select.select([], [connection.socket], [], 0.05)
                except (BrokenPipeError, ConnectionResetError):
                    return

    def slowly_read(self):
        """The answers, some bytes at a time."""
        with self.connect() as connection:
            connection.socket.settimeout(0.05)
            data = b"".join(self.heavy() for _ in range(5))
            self.note(data)
            try:
                connection.socket.sendall(data)
            except (TimeoutError, BrokenPipeError, ConnectionResetError):
                pass
            deadline = time.monotonic() + self.random.uniform(0.1, 2)
            while time.monotonic() < deadline:
                try:
                    if not connection.socket.recv(self.random.randint(1, 64)):
                        return
                except TimeoutError:
                    pass
                except ConnectionResetError:
                    return

    def storm(self):
        """Connections that come and go."""
        held = []
        for _ in range(self.random.randint(10, 300)):
            other = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            other.setblocking(False)
            try:
                other.connect(self.path)
                if self.random.random() < 0.3:
                    other.send(self.calls(1)[0])
            except BlockingIOError:
                pass
            except (BrokenPipeError, ConnectionResetError):
                pass
            held.append(other)
            if len(held) > 4:
                held.pop(0).close()
        for other in held:
            other.close()

    def leave(self):
        """Gone in the middle of a call, or with answers unread."""
        with self.connect() as connection:
            data, _ = self.calls(self.random.randint(1, 20))
            connection.socket.setblocking(False)
            try:
                connection.socket.send(data[:self.random.randint(0, len(data))])
            except (BlockingIOError, BrokenPipeError):
                pass

    def heavy(self):
        """A call with a long answer or one that is a lot of work."""
        return self.random.choice([
            lambda: encoded("org.stepperd.control.List", {}),
            lambda: encoded("org.varlink.service.GetInterfaceDescription", {"interface": "org.stepperd.control"}),
            lambda: encoded("org.stepperd.manager.Check", {"text": "x = 1\n" * 1_000, "file": "f" * 3_000}),
            lambda: encoded("org.stepperd.control.Describe", {"control": "c-gtk", "language": "a-" * 30_000}),
            lambda: self.calls(20)[0],
        ])()

    # What they have in common

    def calls(self, count):
        """The bytes of so many calls or some fewer, and what is expected: replies, and the markers among them."""
        parts, replies, markers = [], 0, []
        for _ in range(count):
            if sum(map(len, parts)) > 500_000:
                break
            if self.random.random() < 0.1:
                self.markers += 1
                marker = f"marker.{self.name}.{self.markers}"
                parts.append(encoded("org.varlink.service.GetInterfaceDescription", {"interface": marker}))
                markers.append(marker)
                replies += 1
            else:
                data, answers = self.generator.message()
                parts.append(data)
                replies += answers
        return b"".join(parts), (replies, markers)

    def send(self, connection, data):
        """Sends to a connection that is in good order, or that was refused and may be closed already."""
        self.note(data)
        try:
            connection.write(data)
        except Gone:
            raise Refused from None

    def reply(self, connection):
        """The next reply of a connection that is in good order."""
        try:
            return connection.reply()
        except Gone:
            raise Refused from None

    def exchange(self, connection, data, expected, size, ends=False):
        """Sends `data` in pieces of `size()` and reads meanwhile, until every call has its answer."""
        replies, markers = expected
        received, sent, ended = bytearray(), 0, False
        connection.socket.setblocking(False)
        progress = time.monotonic()
        self.note(data)
        while sent < len(data) or last_replies(received) < replies or (ends and not ended):
            writes = [connection.socket] if sent < len(data) else []
            readable, writable, _ = select.select([connection.socket], writes, [], 0.5)
            try:
                if writable:
                    sent += connection.socket.send(data[sent:sent + size()])
                    progress = time.monotonic()
                    if ends and sent == len(data):
                        connection.socket.shutdown(socket.SHUT_WR)
                if readable:
                    piece = connection.socket.recv(65_536)
                    progress = time.monotonic()
                    ended = not piece
                    received += piece
            except BlockingIOError:
                pass
            except (BrokenPipeError, ConnectionResetError):
                ended = True
            if is_refusal(received):
                raise Refused
            if ended and (sent < len(data) or last_replies(received) < replies):
                if not received:
                    raise Refused
                raise Violation(f"closed after {last_replies(received)} of {replies} answers, {len(data) - sent} bytes unsent")
            if time.monotonic() - progress > PATIENCE:
                raise Violation(f"{last_replies(received)} of {replies} answers came, then none for {PATIENCE} s; "
                                f"{len(data) - sent} bytes unsent")
        connection.socket.settimeout(PATIENCE)
        messages = bytes(received).split(b"\0")[:-1]
        if (count := last_replies(received)) != replies:
            raise Violation(f"{count} answers to {replies} calls")
        decoded = [json.loads(message) for message in messages]
        found = [reply["parameters"]["interface"] for reply in decoded
                 if reply.get("error") == "org.varlink.service.InterfaceNotFound"
                 and reply["parameters"]["interface"].startswith(f"marker.{self.name}.")]
        if found != markers:
            raise Violation(f"answers out of order: {found} and not {markers}")
        self.counts["(calls)"] = self.counts.get("(calls)", 0) + replies
