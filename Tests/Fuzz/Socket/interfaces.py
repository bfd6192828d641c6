"""What a daemon says of its methods, parsed from the descriptions that it answers."""

import re
from dataclasses import dataclass, field


@dataclass
class Field:
    """One parameter: its name and its type as it is written, `?` and `[]` in front."""

    name: str
    type: str


@dataclass
class Method:
    """One method with what it is called with."""

    name: str
    fields: list[Field]


@dataclass
class Interface:
    """The methods of an interface and the words of its enumerations."""

    name: str
    methods: list[Method] = field(default_factory=list)
    words: dict[str, list[str]] = field(default_factory=dict)


def parse(text):
    """The interface that `text` describes, as far as calls need it."""
    text = re.sub(r"#.*", "", text)
    interface = Interface(re.search(r"interface\s+(\S+)", text).group(1))
    for kind, name, rest in re.findall(r"^(type|method)\s+(\w+)\s*(\(.*?)(?=^(?:type|method|error)\s|\Z)", text,
                                       re.MULTILINE | re.DOTALL):
        body = rest[1:_closing(rest)]
        parts = [part.strip() for part in body.split(",") if part.strip()]
        if kind == "method":
            fields = [Field(*(piece.strip() for piece in part.split(":", 1))) for part in parts]
            interface.methods.append(Method(f"{interface.name}.{name}", fields))
        elif not any(":" in part for part in parts):
            interface.words[name] = parts
    return interface


def _closing(text):
    """Where the parenthesis that `text` begins with is closed."""
    depth = 0
    for position, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            return position
    raise ValueError(f"unbalanced: {text[:80]!r}")
