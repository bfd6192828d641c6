"""What must hold whenever a fleet is at rest: what the broker retains is what the boards have."""

import json

#: What a board retains, besides the text and the state of each control.
BOARD = ("status", "info", "last-seen")


def read_values(path):
    """{board: (instance, status, {control: (value, sequence, text)})} as the boards themselves have it."""
    boards = {}
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            words = line.split(" ")
            if len(words) == 3:
                boards[words[0]] = (words[1], words[2], {})
            else:
                board, control, value, sequence, text = words
                boards[board][2][control] = (int(value), int(sequence), text)
    return boards


def read_topics(path):
    """{topic: payload} as a new subscriber was given it."""
    with open(path, encoding="utf-8") as file:
        return dict(line.split(" ", 1) for line in file.read().splitlines() if line)


def differences(boards, topics, dead=()):
    """What is retained and is not so, or is so and is not retained, in words. `dead` boards are not running."""
    found, seen = [], set()

    def check(topic, expected, actual):
        seen.add(topic)
        if expected != actual:
            found.append(f"{topic} is {actual!r}, not {expected!r}")

    for board, (instance, status, controls) in boards.items():
        base = f"stepperd/{board}"
        check(f"{base}/status", "offline" if board in dead else "online", topics.get(f"{base}/status"))
        if board in dead:
            continue
        if status != "online":
            found.append(f"{board} itself is {status}")
        info = json.loads(topics.get(f"{base}/info", "{}"))
        check(f"{base}/info", (instance, sorted(controls)), (info.get("instance"), sorted(info.get("controls", []))))
        check(f"{base}/last-seen", True, f"{base}/last-seen" in topics)
        for control, (value, sequence, text) in controls.items():
            check(f"{base}/{control}", text, topics.get(f"{base}/{control}"))
            state = json.loads(topics.get(f"{base}/{control}/state", "{}"))
            check(f"{base}/{control}/state", (instance, sequence, value, text),
                  tuple(state.get(key) for key in ("instance", "sequence", "value", "text")))
        discovery = f"homeassistant/device/{board}/config"
        check(discovery, True, f"{base}/status" in topics.get(discovery, ""))
    # What a dead board had stays.
    found += [f"{topic} is retained, and nobody's" for topic in topics if topic not in seen and board_of(topic) not in dead]
    return found


def board_of(topic):
    """The board that a topic is of."""
    levels = topic.split("/")
    return levels[2] if levels[0] == "homeassistant" else levels[1]


def expected_count(boards):
    """How many topics are retained of these boards."""
    return sum(len(BOARD) + 1 + 2 * len(controls) for _, _, controls in boards.values())
