"""Section 6's limits: who controls the size, the rate and the time of what comes in."""

import os
import resource
import socket
import threading
import time

from waiting import eventually

from bed import wire
from bed.case import PanelTest, quick
from bed.programs import configuration, control

KIBIBYTE = 1024
STEP = "/api/v1/controls/volume/step"


class Sizes(PanelTest):
    """Of headers, of JSON."""

    @quick
    def test_43_header_of_seventeen_kibibytes(self):
        """Refused or closed, in one line or in many; the next visitor notices nothing."""
        port = self.bed.web.port
        many = {f"X-{number}": "x" * 100 for number in range(200)}
        for headers in [{"X-Long": "x" * 17 * KIBIBYTE}, {"Cookie": "a=" + "x" * 30 * KIBIBYTE}, many]:
            try:
                self.assertIn(wire.ask(port, headers=headers).status, (400, 413, 431))
            except (EOFError, ConnectionError):
                pass
        try:
            self.assertIn(wire.ask(port, path="/" + "a" * 40 * KIBIBYTE).status, (400, 404, 413, 414, 431))
        except (EOFError, ConnectionError):
            pass
        self.assertEqual(200, wire.ask(port, headers={"X-Long": "x" * 8 * KIBIBYTE}).status)

    def test_43_endless_header(self):
        """A header without an end is no memory."""
        web = self.bed.web
        wire.ask(web.port)
        before = web.memory()
        with wire.Exchange(web.port) as exchange:
            exchange.send(b"GET / HTTP/1.1\r\nX: ")
            try:
                for _ in range(400):
                    exchange.send(b"x" * 65536)
            except (ConnectionError, TimeoutError):
                pass
        self.assertLess(web.memory() - before, 8 << 20)
        self.assertEqual(200, wire.ask(web.port).status)

    @quick
    def test_43_depth_of_json(self):
        """Eight levels, not more; a thousand do no harm."""
        port = self.bed.web.port

        def nested(depth):
            return b'{"steps":1,"more":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"
        self.assertEqual(400, wire.ask(port, "POST", STEP, wire.OURS, nested(9)).status)
        self.assertEqual(400, wire.ask(port, "POST", STEP, wire.OURS, nested(3000)).status)
        self.assertEqual(400, wire.ask(port, "POST", STEP, wire.OURS, b"[" * 8000).status)
        self.assertEqual(0, self.bed.value())
        self.assertNotEqual(413, wire.ask(port, "POST", STEP, wire.OURS, nested(8)).status)

    @quick
    def test_43_bodies_that_are_none(self):
        """400 in words, nothing moves, the program lives."""
        port = self.bed.web.port
        for body in [b"", b"{", b"[]", b"1", b"null", b'"x"', b"\xff\xfe", b'{"steps":"1"}', b'{"steps":1.5}', b'{"steps":1e99}', b'{"steps":null}',
                     b'{"steps":9223372036854775808}', b'{"steps":1}x', b'{"steps":NaN}', b'{"unit":"step"}', b'{"steps":1,"unit":"mile"}', b"\x00" * 100]:
            answer = wire.ask(port, "POST", STEP, wire.OURS, body)
            self.assertEqual(400, answer.status, body)
            self.assertTrue(answer.json()["detail"], body)
        self.assertEqual(0, self.bed.value())
        for content in [{"value": 1, "text": "1"}, {}, {"value": [1]}, {"value": 1e400}, {"text": "x" * 1025}, {"value": 1, "ifSequence": "a"}]:
            self.assertEqual(400, wire.post(port, "/controls/volume/set", content).status, content)
        for content in [{"hold": "", "control": "volume", "action": "increment"}, {"hold": "a b", "control": "volume", "action": "increment"},
                        {"hold": "a" * 65, "control": "volume", "action": "increment"}, {"hold": "a" * 22, "control": "volume"},
                        {"hold": "a" * 22, "control": "volume", "action": "explode"}, {"hold": "a" * 22, "action": "increment"},
                        {"hold": "../x", "control": "volume", "action": "increment"}, {"hold": 1, "control": "volume", "action": "increment"},
                        {"hold": "a" * 22, "control": "volume", "position": "1"}, {"hold": "a" * 22, "control": "volume", "position": 1e999}]:
            self.assertIn(wire.post(port, "/holds", content).status, (400, 501), content)
        self.assertEqual(0, self.bed.value())

    @quick
    def test_43_refusals_of_the_daemon(self):
        """Each with the status of section 5.2, the name of the error and a sentence."""
        bed = self.make_bed(configuration(control(), control("locked", 'writable-by = "nobody"', dial=False),
                                          control("admin", 'writable-by = "admin"', dial=False),
                                          control("page", 'choices = ["a", "b"]', dial=False)))
        port = bed.web.port
        sequence = wire.get(port, "/controls/volume").json()["state"]["sequence"]
        wanted = [("none", {"value": 1}, 404, "NoSuchControl"), ("locked", {"value": 1}, 403, "NotWritable"),
                  ("volume", {"value": 101}, 422, "OutOfRange"), ("page", {"text": "c"}, 422, "NoSuchValue"),
                  ("volume", {"text": "loud"}, 422, "NoSuchValue"), ("volume", {"value": 1, "ifSequence": sequence + 7}, 409, "Changed")]
        for name, content, status, error in wanted:
            answer = wire.post(port, f"/controls/{name}/set", content)
            self.assertEqual((status, "application/problem+json"), (answer.status, answer.header("content-type").split(";")[0]), name)
            self.assertRegex(answer.json()["error"], rf"\b{error}$")
            self.assertTrue(answer.json()["detail"])
        etag = wire.get(port, "/controls/volume").header("etag")
        self.assertRegex(etag, rf':{sequence}"$')
        self.assertEqual(304, wire.get(port, "/controls/volume", {"If-None-Match": etag}).status)
        self.assertEqual(200, wire.post(port, "/controls/volume/set", {"value": 5}, {"If-Match": etag}).status)
        self.assertEqual(412, wire.post(port, "/controls/volume/set", {"value": 6}, {"If-Match": etag}).status)
        self.assertEqual(5, bed.value())
        for path in ["/reload", "/devices", "/controls/volume/adjust", "/effects", "/manager"]:
            self.assertEqual(404, wire.post(port, path, {}).status, path)


class Rates(PanelTest):
    """Of requests, of connections, of time."""

    def test_43_slow_loris(self):
        """A request that dribbles in is ended after ten seconds, in its header and in its body; others are served meanwhile."""
        port = self.bed.web.port
        whole = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-A: b\r\n" * 60
        body = f"POST {STEP} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nX-Stepper: 1\r\nContent-Length: 500\r\n\r\n".encode()
        sockets = [wire.Exchange(port) for _ in range(4)]
        for exchange in sockets:
            self.addCleanup(exchange.socket.close)
        sockets[0].send(whole[:40])
        sockets[1].send(body + b"{")
        begun = time.monotonic()
        sent = {sockets[2]: whole, sockets[3]: body + b" " * 400}
        gone, position = set(), 0
        # A hand that sends a byte every quarter of a second; the silent ones send nothing.

        def all_gone():
            nonlocal position
            due = int((time.monotonic() - begun) * 4)
            while position < due:
                for exchange, data in sent.items():
                    if exchange not in gone:
                        try:
                            exchange.send(data[position:position + 1] or b"x")
                        except OSError:
                            gone.add(exchange)
                position += 1
            for exchange in sockets:
                if exchange not in gone:
                    exchange.socket.setblocking(False)
                    try:
                        if not exchange.socket.recv(65536):
                            gone.add(exchange)
                    except BlockingIOError:
                        pass
                    except OSError:
                        gone.add(exchange)
            self.assertEqual(200, wire.ask(port).status)
            return len(gone) == len(sockets)
        eventually(all_gone, lambda: f"all are closed, {len(gone)} of {len(sockets)} were", 16)
        self.assertEqual(0, self.bed.value())

    def test_43_idle_connections_leave(self):
        """A connection that asks nothing is not kept for ever."""
        with wire.Exchange(self.bed.web.port) as exchange:
            exchange.request("GET", "/")
            exchange.answer()
            self.assertTrue(exchange.closed(90), "90 s without a request")

    def test_43_too_many_connections(self):
        """256 are held, more are turned away or wait; when they go, everything is as before."""
        port = self.bed.web.port
        held = []
        try:
            for _ in range(400):
                try:
                    held.append(socket.create_connection(("127.0.0.1", port), 1))
                except OSError:
                    break
            self.assertLessEqual(len(self.open_descriptors()), 256 + 40)
        finally:
            for one in held:
                one.close()

        def serves():
            try:
                return wire.ask(port, timeout=2).status == 200
            except (OSError, EOFError):
                return False
        eventually(serves, "it serves again", 15)
        self.assertIsNone(self.bed.web.process.poll())

    def open_descriptors(self):
        """The files that the web program has open."""
        return os.listdir(f"/proc/{self.bed.web.process.pid}/fd")

    def test_43_too_many_streams(self):
        """Sixteen an address; the seventeenth is told to come later, and there is room again when one goes."""
        port = self.bed.web.port
        streams = [wire.Events(port) for _ in range(16)]
        for stream in streams:
            self.addCleanup(stream.socket.close)
        self.assertEqual([200] * 16, [stream.opened.status for stream in streams])
        self.assertEqual("snapshot", streams[-1].next("snapshot")[0])
        seventeenth = wire.get(port, "/events")
        self.assertIn(seventeenth.status, (429, 503))
        self.assertTrue(seventeenth.header("retry-after"))
        streams[3].socket.close()

        def room():
            stream = wire.Events(port)
            self.addCleanup(stream.socket.close)
            return stream.opened.status == 200
        eventually(room, "room for one more", 10)

    def test_43_too_many_requests(self):
        """A hundred POSTs a second and a burst of two hundred; then 429 with the time to wait."""
        port = self.bed.web.port
        count, request = 700, b"POST /api/v1/controls/volume/reset HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nX-Stepper: 1\r\n" \
            b"Content-Length: 2\r\n\r\n{}" % port
        begun = time.monotonic()
        with wire.Exchange(port) as exchange:
            sender = threading.Thread(target=exchange.send, args=(request * count,))  # not one after the other
            sender.start()
            statuses = []
            while len(statuses) < count and 429 not in statuses:
                answer = exchange.answer()
                statuses.append(answer.status)
            spent = time.monotonic() - begun
            exchange.socket.shutdown(socket.SHUT_RDWR)
            sender.join()
        if count < 200 + 110 * spent and 429 not in statuses:
            self.skipTest(f"this machine makes {count / spent:.0f} requests a second, less than are allowed")
        self.assertEqual(429, statuses[-1], f"{len(statuses)} in {spent:.1f} s")
        allowed = len(statuses) - 1
        self.assertTrue(200 <= allowed <= 200 + 100 * spent + 5, f"{allowed} in {spent:.2f} s")
        self.assertTrue(answer.header("retry-after"))
        eventually(lambda: wire.post(port, "/controls/volume/step", {"steps": 1}).status == 200, "it is let in again", 5)

    @quick
    def test_43_ten_holds_of_a_stream(self):
        """A page has ten fingers."""
        if not self.bed.has("Press"):
            self.skipTest("this daemon has no Press")
        with wire.Events(self.bed.web.port) as stream:
            page = stream.next("stream")[2]["id"]
            statuses = [wire.post(self.bed.web.port, "/holds", {
                "hold": f"page{number:02}".ljust(22, "x"), "control": "volume", "action": "increment", "stream": page}).status for number in range(11)]
        self.assertEqual([201] * 10 + [429], statuses)
        eventually(lambda: not self.bed.get()["editing"], "with the stream its holds end", 0.9)


class Floods(PanelTest):
    """Limits that add up: of many connections, from several addresses, with somebody else beside them."""

    tables = configuration(control(), *(control(f"c{number}", f'title = "{"a title " * 20}{number}"', dial=False) for number in range(100)))

    def flood(self, request, count=256, addresses=8):
        """Connections of several addresses, each with these bytes and nothing read; they stay open until the test ends."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2048), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for number in range(count):
            one = socket.socket()
            self.addCleanup(one.close)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.bind((f"127.0.0.{2 + number % addresses}", 0))
            one.settimeout(wire.TIMEOUT)
            try:
                one.connect(("127.0.0.1", self.bed.web.port))
                one.setblocking(False)
                one.send(request)
            except OSError:
                pass  # It was turned away.

    def request(self, method="GET", path="/api/v1/controls", more=""):
        """The bytes of a request without a body."""
        return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.bed.web.port}\r\n{more}\r\n".encode()

    def assertServes(self, count=10):  # noqa: N802 - as unittest's own
        """Fails unless somebody at another address is answered, each time."""
        for _ in range(count):
            self.assertEqual(200, wire.get(self.bed.web.port, "/controls/volume").status)

    def serves(self):
        """Whether somebody at another address is answered, and not cut off."""
        try:
            return wire.get(self.bed.web.port, "/controls/volume").status == 200
        except (EOFError, OSError):
            return False

    def most_memory(self):
        """The most memory that the program has had, in bytes."""
        with open(f"/proc/{self.bed.web.process.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))

    def test_43_answers_that_nobody_reads(self):
        """256 connections with twenty large ones each: the memory of a few, and others are served."""
        self.assertGreater(len(wire.get(self.bed.web.port, "/controls").body), 64 * KIBIBYTE)
        before = self.most_memory()
        self.flood(self.request() * 20)
        self.assertServes()
        self.assertLess(self.most_memory() - before, 40 << 20)

    def test_43_files_that_nobody_reads(self):
        """As many with a file that is larger than all memory that there may be."""
        with open(f"{self.bed.web.pages}/large.bin", "wb") as file:
            file.truncate(60 << 20)
        wire.ask(self.bed.web.port, "HEAD", "/pages/large.bin")
        before = self.most_memory()
        self.flood(self.request(path="/pages/large.bin") * 20)
        self.assertServes()
        self.assertLess(self.most_memory() - before, 40 << 20)

    def test_43_small_requests_at_once(self):
        """256 connections with 600 refusals each, in one write: they are read one by one."""
        before = self.most_memory()
        self.flood(b"GET / HTTP/1.1\r\nHost:a\r\n\r\n" * 600)
        # All have their turns, and a machine with other work gives them slowly: a request that takes ten seconds is cut off.
        eventually(self.serves, "somebody at another address is answered", 60)
        self.assertLess(self.most_memory() - before, 40 << 20)

    def test_43_heads_without_a_body(self):
        """They do not lock out others, of the same address or of another, for as long as they come."""
        head = self.request("POST", "/api/v1/session", "X-Stepper: 1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n")
        for addresses in [1, 40]:
            self.flood(head, 300, addresses)
            self.assertServes()
            self.assertEqual(200, self.ask_from("127.0.0.2"))

    def ask_from(self, address):
        """The status of a request from another address of this machine."""
        with socket.create_connection(("127.0.0.1", self.bed.web.port), wire.TIMEOUT, source_address=(address, 0)) as one:
            one.sendall(self.request(more="Connection: close\r\n"))
            return int(one.recv(65536).split()[1])

    def test_43_no_descriptors(self):
        """Accepting pauses instead of turning in circles, and goes on."""
        pid = self.bed.web.process.pid
        with wire.Events(self.bed.web.port) as stream:
            stream.next("snapshot")
            limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
            # Those that are open stay; the next one has no number.
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, limits[1]))
            held = [socket.create_connection(("127.0.0.1", self.bed.web.port)) for _ in range(5)]
            for one in held:
                self.addCleanup(one.close)
            spent, begun = self.processor_time(), time.monotonic()
            for _ in range(2):
                stream.next("tick")  # Every two seconds; who is connected is served.
            used = self.processor_time() - spent
            # Turning in circles, it used all of the time that it got.
            self.assertLess(used, (time.monotonic() - begun) / 3)
            resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
            self.assertServes(1)

    def processor_time(self):
        """Of the web program, in seconds."""
        with open(f"/proc/{self.bed.web.process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
