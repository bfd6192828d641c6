"""Section 6's limits: who controls the size, the rate and the time of what comes in."""

import os
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
