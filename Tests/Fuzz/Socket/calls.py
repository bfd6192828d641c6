"""Calls of every method: as they should be, nearly so, and not at all."""

import json
import string

#: Whatever is said on the wire, no line of the log may begin with this and none may hold a control character.
FORGERY = "FORGED"
EXTREMES = [0, 1, -1, 2**31 - 1, -2**31, 2**32, 2**53, -2**53, 2**53 + 1, 2**63 - 1, -2**63, 2**64, 10**13, 10**18,
            10**30]
FRACTIONS = [0.0, -0.0, 0.5, 1e-9, 1e-10, 0.1, 1.0, 1.0000001, 99.99, -1e18, 1e18, 1e19, 1e300, -1e300, 5e-324]
#: With "more" these answer again and again, and the calls behind them wait.
STREAMS = ("Subscribe", "SubscribeMoments", "Monitor")
#: How long texts are: mostly short, and as long as a message can hold.
LENGTHS = [0, 1, 2, 3, 8, 8, 8, 20, 64, 65, 255, 256, 257, 1024, 1025, 4096, 30_000, 60_000, 65_000]
ODD = ["\0", "\r\n<3>" + FORGERY, "\n" + FORGERY + ": error", "\x1b[31m", "\u202e", "\ud7ff", "\U0001F600", "é́", "*",
       "?", "[", "\\", "\"", "'", "/", "..", "%s%n", "{value}", "true", "null", "-0", "1e9", "nan", "inf", "0x1p-3"]


class Generator:
    """Makes calls from a seed, of the methods that the daemon described and the names that it has."""

    def __init__(self, random, interfaces, names):
        self.random = random
        self.methods = [(interface, method) for interface in interfaces for method in interface.methods]
        self.names = names
        self.noise = "".join(random.choices(string.printable, k=70_000))

    # What is said of a parameter by its name; the type alone would be refused nearly always.

    def value(self, interface, method, field, known):
        """A value for a field; `known`: one that the method is likely to take."""
        kind = field.type.lstrip("?")
        if known:
            named = self._named(method.name, field.name)
            if named is not None:
                return named
        if kind.startswith("[]"):
            count = self.random.choice([0, 1, 2, 3, 3, 3, 20] + ([] if known else [300, 3_000]))
            inner = type(field)(field.name, kind[2:])
            return [self.value(interface, method, inner, known) for _ in range(count)]
        if kind.startswith("[string]"):
            return {self.text(): self.text() for _ in range(3)}
        if kind in interface.words:
            return self.random.choice(interface.words[kind])
        return {
            "bool": lambda: self.random.random() < 0.5,
            "int": lambda: self.integer(known),
            "float": lambda: self.number(known),
            "string": self.text,
        }.get(kind, self.anything)()

    def _named(self, method, name):
        names = self.names
        if name in ("control", "device", "input", "light", "output", "interface", "language", "instance"):
            return self.random.choice(names.get(name) or [None])
        if name == "match":
            return None
        if name == "text" and method.endswith(".Set"):
            return self.random.choice(["12", "3.5", "on", "off", "b", "1+2*3", "(2)^3", "50 %", "", "99999999999", " 7 "])
        if name == "text" and method.endswith(".Check"):
            return self.document()
        return None

    def integer(self, known):
        """Small mostly, or an end of a type."""
        if known or self.random.random() < 0.5:
            return self.random.randint(-50, 50)
        return self.random.choice(EXTREMES)

    def number(self, known):
        """Any that JSON can write."""
        if known or self.random.random() < 0.5:
            return round(self.random.uniform(-20, 120), self.random.randint(0, 4))
        return self.random.choice(FRACTIONS + EXTREMES)

    def text(self):
        """Names that are there, patterns, and anything up to the length of a message."""
        choice = self.random.random()
        if choice < 0.25:
            return self.random.choice(self.names["control"] + self.names["device"])
        if choice < 0.4:
            return self.random.choice(["*", "?*", "*a*", "c*", "**", "*?*?*?*b"])
        length = self.random.choice(LENGTHS)
        if choice < 0.7:
            return (self.random.choice(ODD) * (length or 1))[:length]
        start = self.random.randrange(1_000)
        return self.noise[start:start + length]

    def document(self):
        """A configuration: pieces of some, with a mistake or without."""
        pieces = self.names["documents"]
        lines = [line for piece in self.random.sample(pieces, min(3, len(pieces))) for line in piece.splitlines()]
        for _ in range(self.random.randint(0, 5)):
            if lines:
                place = self.random.randrange(len(lines))
                lines[place] = self.random.choice([
                    lines[place][::-1], lines[place] * 2, lines[place][: self.random.randint(0, 20)], "[" * 40,
                    "a = " + "[" * self.random.randint(1, 200), "x = 1\n" * 200, f"y = {self.text()!r}", "= 1", "\"\"\"",
                    f"z = {self.random.choice(FRACTIONS)}", "t = 1979-05-27 0#", "t = 1979-05-27T:", "t = 07:32:00.9999"])
        return "\n".join(lines)[:60_000]

    def anything(self, depth=0):
        """Any JSON value."""
        kind = self.random.randrange(5 if depth == 4 else 7)
        if kind < 2:
            return self.random.choice([None, True, False])
        if kind == 2:
            return self.random.choice(EXTREMES)
        if kind == 3:
            return self.random.choice(FRACTIONS)
        if kind == 4:
            return self.text()[:60_000 >> 3 * depth]
        inner = [self.anything(depth + 1) for _ in range(self.random.randint(0, 4))]
        return inner if kind == 5 else {self.text()[:100]: value for value in inner}

    # Calls

    def method(self):
        """Any of them, with its interface."""
        return self.random.choice(self.methods)

    def parameters(self, interface, method, known):
        """What it is called with; fields that may be left out are, half of the time."""
        values = {}
        for field in method.fields:
            if field.type.startswith("?") and self.random.random() < 0.5:
                continue
            value = self.value(interface, method, field, known)
            if value is not None or not field.type.startswith("?"):
                values[field.name] = value
        return values

    def valid(self):
        """(name, parameters) that the daemon is likely to take."""
        interface, method = self.method()
        return method.name, self.parameters(interface, method, known=True)

    def nearly(self):
        """One thing of it is wrong."""
        interface, method = self.method()
        parameters = self.parameters(interface, method, known=self.random.random() < 0.7)
        wrong = self.random.randrange(6)
        if wrong == 0:
            parameters[self.text()[:200]] = self.anything()
        elif wrong == 1 and parameters:
            del parameters[self.random.choice(list(parameters))]
        elif wrong == 2 and parameters:
            parameters[self.random.choice(list(parameters))] = self.anything()
        elif wrong == 3 and method.fields:
            field = self.random.choice(method.fields)
            parameters[field.name] = self.value(interface, method, field, known=False)
        name = method.name
        if wrong == 4:
            name = self.random.choice([name[:-1], name + "x", name.lower(), "." + name, name + ".", "x", "", self.text()[:300]])
        return name, parameters

    def message(self):
        """The bytes of one call and whether it is to be answered; never longer than a call may be."""
        choice = self.random.random()
        name, parameters = self.valid() if choice < 0.6 else self.nearly()
        flags = {}
        answers = True
        mode = self.random.random()
        if mode < 0.1:
            flags, answers = {"oneway": True}, False
        elif mode < 0.13 and not name.endswith(STREAMS):
            flags = {"more": True}
        elif mode < 0.14:
            flags = {"upgrade": True}
        message = json.dumps({"method": name, "parameters": parameters} | flags, allow_nan=False,
                             ensure_ascii=self.random.random() < 0.5)
        data = message.encode(errors="replace")
        return (data + b"\0", answers) if len(data) <= 65_536 else self.message()

    def garbage(self):
        """Bytes that end the connection sooner or later."""
        data = bytearray(b"".join(self.message()[0] for _ in range(3)))
        for _ in range(self.random.randint(1, 20)):
            place = self.random.randrange(len(data))
            kind = self.random.randrange(4)
            if kind == 0:
                data[place] = self.random.randrange(256)
            elif kind == 1:
                del data[place:place + self.random.randint(1, 50)]
            elif kind == 2:
                data[place:place] = self.random.choice([b"{" * 100, b"[" * 100, b"\"", b"\\ud800", b"\xff", b"\0" * 30, b"1e999"])
            else:
                data[place:place] = data[:place][-200:]
            if not data:
                return b"\0"
        return bytes(data)


