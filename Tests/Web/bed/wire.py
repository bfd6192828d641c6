"""HTTP as an attacker or a program speaks it: whole control of the request, nothing added."""

import json
import socket

#: Seconds to wait for an answer.
TIMEOUT = 15


class Answer:
    """Status, headers (names in lower case, a list of values each) and body."""

    def __init__(self, head, body):
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1])
        self.headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            self.headers.setdefault(name.strip().lower(), []).append(value.strip())
        self.body = body

    def header(self, name):
        """The first value; None if there is none."""
        return self.headers.get(name.lower(), [None])[0]

    def json(self):
        """The body, read."""
        return json.loads(self.body)


class Exchange:
    """One connection to the web program."""

    def __init__(self, port, timeout=TIMEOUT, host="127.0.0.1"):
        self.port = port
        self.socket = socket.create_connection((host, port), timeout)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        """Bytes as they are."""
        self.socket.sendall(data)

    def request(self, method, path, headers=None, body=None):
        """Writes a request. Host and Content-Length are added unless they are given; a value of None leaves a header out."""
        fields = {"Host": f"127.0.0.1:{self.port}"}
        if body is not None:
            fields["Content-Length"] = str(len(body))
        fields.update(headers or {})
        lines = [f"{method} {path} HTTP/1.1"]
        for name, value in fields.items():
            if value is not None:
                lines += [f"{name}: {one}" for one in (value if isinstance(value, list) else [value])]
        self.send("\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b""))

    def more(self):
        """Whether something came before the end."""
        data = self.socket.recv(65536)
        self.buffer += data
        return bool(data)

    def head(self):
        """The lines before the body; EOFError if it closes first."""
        while b"\r\n\r\n" not in self.buffer:
            if not self.more():
                raise EOFError(f"closed after {self.buffer!r}")
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        return head

    def answer(self, method="GET"):
        """The next answer, whole."""
        answer = Answer(self.head(), b"")
        if answer.status == 100:
            return self.answer(method)
        length = answer.header("content-length")
        if method == "HEAD" or answer.status in (204, 304):
            return answer
        if answer.header("transfer-encoding") == "chunked":
            answer.body = b"".join(self.chunks())
        elif length is not None:
            while len(self.buffer) < int(length) and self.more():
                pass
            answer.body, self.buffer = self.buffer[:int(length)], self.buffer[int(length):]
        else:
            while self.more():
                pass
            answer.body, self.buffer = self.buffer, b""
        return answer

    def chunks(self):
        """The pieces of a chunked body."""
        while True:
            while b"\r\n" not in self.buffer:
                if not self.more():
                    raise EOFError("closed within a chunked body")
            size, _, self.buffer = self.buffer.partition(b"\r\n")
            count = int(size.split(b";")[0], 16)
            while len(self.buffer) < count + 2:
                if not self.more():
                    raise EOFError("closed within a chunk")
            piece, self.buffer = self.buffer[:count], self.buffer[count + 2:]
            if count == 0:
                return
            yield piece

    def closed(self, timeout):
        """Whether the other side closes within so many seconds; what it sends until then is thrown away."""
        self.socket.settimeout(timeout)
        try:
            while self.socket.recv(65536):
                pass
        except TimeoutError:
            return False
        except ConnectionError:
            pass
        return True


def ask(port, method="GET", path="/", headers=None, body=None, **how):
    """One request on a connection of its own."""
    with Exchange(port, **how) as exchange:
        exchange.request(method, path, {"Connection": "close", **(headers or {})}, body)
        return exchange.answer(method)


#: What a page of ours sends with every POST.
OURS = {"Content-Type": "application/json", "X-Stepper": "1"}


def post(port, path, content, headers=None, **how):
    """A POST as a program outside of a browser makes it: no Origin, no Sec-Fetch-Site."""
    return ask(port, "POST", f"/api/v1{path}", {**OURS, **(headers or {})}, json.dumps(content).encode(), **how)


def get(port, path, headers=None, **how):
    """A GET of the interface."""
    return ask(port, "GET", f"/api/v1{path}", headers, **how)


class Events(Exchange):
    """An event stream: (type, id, data) one after the other."""

    def __init__(self, port, query="", headers=None, timeout=TIMEOUT):
        super().__init__(port, timeout)
        self.request("GET", f"/api/v1/events{query}", {"Accept": "text/event-stream", **(headers or {})})
        self.opened = Answer(self.head(), b"")
        self.text = b""
        self.pieces = self.chunks() if self.opened.header("transfer-encoding") == "chunked" else self.plain()

    def plain(self):
        """The pieces of a body that ends with the connection."""
        while self.buffer or self.more():
            piece, self.buffer = self.buffer, b""
            yield piece

    def next(self, *types):
        """The next event, or the next one of these types."""
        while True:
            while b"\n\n" not in self.text:
                piece = next(self.pieces, None)
                if piece is None:
                    raise EOFError("the stream ended")
                self.text += piece.replace(b"\r\n", b"\n")
            block, _, self.text = self.text.partition(b"\n\n")
            kind, identifier, data = "message", None, []
            for line in block.decode().split("\n"):
                name, _, value = line.partition(":")
                value = value.removeprefix(" ")
                if name == "event":
                    kind = value
                elif name == "id":
                    identifier = value
                elif name == "data":
                    data.append(value)
            if not data and identifier is None and kind == "message":
                continue  # retry, or a comment
            if not types or kind in types:
                return kind, identifier, json.loads("\n".join(data)) if data else None
