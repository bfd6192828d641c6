#!/usr/bin/python3
"""Does what each version kept in Tests/Compatibility could do with the present programs, and compares; or records a new version.

    corpus.py PROGRAMS [VERSION...]         checks all that are kept, or these; PROGRAMS is the folder of the programs
    corpus.py --record VERSION PROGRAMS     records a version from the cases of the newest that is kept, and its own

A version is a folder, with one case a line: README.md says what is in it. What is sent must be accepted, and what was answered
must still be in the answer, which may have more. Exit status: 0, 1 something is different, 64 usage.
"""

import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "Support"), os.path.join(HERE, "..", "MQTT")]

from connection import VarlinkError
from loopback import free_port, listens
from private_daemon import PrivateDaemon
from waiting import eventually

#: Of an answer, what is another one each time, and sentences for people.
VOLATILE = {"instance", "sequence", "time", "monotonicMicroseconds", "uptimeMicroseconds", "version", "daemonVersion", "configuration",
            "message", "detail"}


def contains(present, kept):
    """Whether an answer has what an older one had. Members may be added to objects, nothing to lists."""
    if isinstance(kept, dict):
        return isinstance(present, dict) and all(key in present and contains(present[key], value) for key, value in kept.items())
    if isinstance(kept, list):
        return isinstance(present, list) and len(present) == len(kept) and all(map(contains, present, kept))
    return present == kept


def steady(value):
    """An answer without what is another one each time."""
    if isinstance(value, dict):
        return {key: steady(member) for key, member in value.items() if key not in VOLATILE}
    return [steady(element) for element in value] if isinstance(value, list) else value


def as_before(value, kept):
    """The part of an answer that an older one had: whoever took the rest away from a line found it too long to read."""
    if isinstance(value, dict) and isinstance(kept, dict):
        return {key: as_before(value[key], kept[key]) for key in kept if key in value}
    if isinstance(value, list) and isinstance(kept, list) and len(value) == len(kept):
        return [as_before(*pair) for pair in zip(value, kept)]
    return value


def split(answer):
    """The words of an answer, and its JSON."""
    words, body = re.fullmatch(r"(?s)([^\[{]*)([\[{].*)?", answer).groups()
    return words, None if body is None else json.loads(body)


def lines(path):
    """The cases of a file, as what is done and what was answered; None if it has not been recorded."""
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line and not line.startswith("#"):
                done, arrow, answered = line.partition(" -> ")
                yield done, answered if arrow else None


def text(*answered):
    """How answers are kept."""
    return " ".join(part if isinstance(part, str) else json.dumps(steady(part), ensure_ascii=False)
                    for part in answered if part is not None)


class Board:
    """The daemon with the configuration and the saved values of a version."""

    def __init__(self, version, programs, state=True):
        self.version, self.programs = version, programs
        with open(f"{version}/stepperd.toml", encoding="utf-8") as file:
            self.daemon = PrivateDaemon(file.read())
        if state:
            shutil.copytree(f"{version}/state", f"{self.daemon.folder}/state/stepperd")
        self.start()

    def start(self, *options):
        """Starts the daemon, and returns when it answers."""
        self.daemon.start(f"{self.programs}/stepperd", "--user", *options)
        self.daemon.connect().close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.daemon.remove()

    @property
    def environment(self):
        """Of programs that are started."""
        return {**os.environ, "PATH": f"{self.programs}:/usr/bin:/bin", "STEPPERD_ADDRESS": self.daemon.socket, "LC_ALL": "C.UTF-8",
                "HOME": f"{self.daemon.folder}/home", "XDG_CONFIG_HOME": f"{self.daemon.folder}/config"}

    def run(self, command):
        """A command line, in the folder of the version; status and standard output."""
        result = subprocess.run(shlex.split(command), capture_output=True, text=True, env=self.environment, cwd=self.version,
                                timeout=60, check=False)
        return result.returncode, result.stdout


def calls(board):
    """METHOD PARAMETERS -> REPLY, or -> ERROR PARAMETERS."""
    with board.daemon.connect() as connection:
        for done, kept in lines(f"{board.version}/calls"):
            method, _, parameters = done.partition(" ")
            try:
                answered = text(connection.call(f"org.stepperd.{method}", **json.loads(parameters or "{}")))
            except VarlinkError as error:
                answered = text(error.error, error.parameters)
            yield done, kept, answered


def commands(board):
    """COMMAND -> STATUS, and the output where it is JSON."""
    for done, kept in lines(f"{board.version}/commands"):
        status, output = board.run(done)
        objects = json.loads(f"[{','.join(output.splitlines())}]") if "--json" in done and status == 0 else None
        yield done, kept, text(str(status), objects)


def requests(board):
    """METHOD PATH BODY -> STATUS BODY."""
    port = free_port()
    log = open(f"{board.daemon.folder}/web.log", "wb")
    web = subprocess.Popen([f"{board.programs}/stepperd-web", "--listen", f"127.0.0.1:{port}", "--files", f"{HERE}/../../Web/panel",
                            "--address", board.daemon.socket], env=board.environment, stdout=log, stderr=log)
    try:
        eventually(lambda: listens(port), lambda: "stepperd-web does not listen", 20)
        for done, kept in lines(f"{board.version}/requests"):
            method, path, body = (done.split(" ", 2) + [""])[:3]
            request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1{path}", body.encode() or None, method=method,
                                             headers={"X-Stepper": "1"} | ({"Content-Type": "application/json"} if body else {}))
            try:
                with urllib.request.urlopen(request, timeout=20) as response:
                    status, answered = response.status, response.read()
            except urllib.error.HTTPError as error:
                status, answered = error.code, error.read()
            yield done, kept, text(str(status), json.loads(answered) if answered else None)
    finally:
        web.kill()
        web.wait()
        log.close()


def topics(version, programs):
    """TOPIC PAYLOAD -> TOPIC PAYLOAD, below the board's own topic; without the first part what is retained at the start."""
    os.environ["STEPPERD_BUILD"] = programs
    from bed import Bed  # it needs paho-mqtt, and reads the variable
    with open(f"{version}/stepperd.toml", encoding="utf-8") as file:
        bed = Bed(controls=file.read())
    try:
        shutil.copytree(f"{version}/state", f"{bed.daemon.folder}/state/stepperd")
        bed.start()
        for done, kept in lines(f"{version}/topics"):
            topic, _, payload = done.partition(" ")
            heard, _, expected = (kept or "").partition(" ")
            wanted = json.loads(expected) if expected.startswith("{") else expected
            if done:
                bed.house.publish(f"stepperd/kiosk-1/{topic}", payload)

            def answer(heard=heard):
                found = bed.house.text(f"stepperd/kiosk-1/{heard}")
                return json.loads(found) if found and isinstance(wanted, dict) else found

            eventually(lambda answer=answer, wanted=wanted: contains(answer(), wanted),
                       lambda done=done, kept=kept, answer=answer: f"topics: {done} -> {kept}: now {answer()}", 20)
            yield done, kept, kept
    finally:
        bed.stop()


def outcomes(version, programs):
    """Every case as file, what is done, what was answered then and what is answered now."""
    for part in (calls, commands, requests):
        with Board(version, programs) as board:
            for case in part(board):
                yield part.__name__, *case
    for case in topics(version, programs):
        yield "topics", *case


def same(kept, answered):
    """Whether an answer has what was kept: words as they are, JSON with what was in it."""
    (words, body), (now, present) = split(kept), split(answered)
    return words == now and (body is None or contains(present, body))


def check(version, programs):
    """What is different, and how many cases there are."""
    found, count = [], 0
    for file, done, kept, answered in outcomes(version, programs):
        count += 1
        if kept is None or not same(kept, answered):
            found.append(f"{os.path.basename(version)}/{file}: {done}\n  then {kept}\n  now  {answered}")
    return found, count


def newest():
    """The folder of the newest version that is kept."""
    found = glob.glob(f"{HERE}/[0-9]*.[0-9]*.[0-9]*")
    return max(found, key=lambda path: [int(part) for part in os.path.basename(path).split(".")], default=None)


def record(version, programs):
    """Makes the folder of a version: values are saved and inputs recorded by its programs, and every case gets its answer."""
    folder, before = f"{HERE}/{version}", newest()
    if not os.path.exists(folder):
        shutil.copytree(before, folder)
    shutil.rmtree(f"{folder}/state", ignore_errors=True)
    with Board(folder, programs, state=False) as board:
        board.daemon.stop()
        board.start("--record", f"{board.daemon.folder}/session")
        for done, _ in lines(f"{folder}/values"):
            status, output = board.run(done)
            assert status == 0, f"{done}: {output}"
        board.daemon.stop()
        shutil.copytree(f"{board.daemon.folder}/state/stepperd", f"{folder}/state", ignore=shutil.ignore_patterns("lock"))
        with open(f"{board.daemon.folder}/session", encoding="utf-8") as file, open(f"{folder}/session.record", "w", encoding="utf-8") as kept:
            kept.write(file.read().replace(board.daemon.configuration, "/etc/stepperd/stepperd.toml"))
    status, output = subprocess.getstatusoutput(
        f"{programs}/stepperctl replay {folder}/knob.recording --config {folder}/stepperd.toml > {folder}/knob.expected")
    assert status == 0, output
    recorded = {}
    for file, done, kept, answered in outcomes(folder, programs):
        if kept is not None and "{" in kept and file != "topics":
            words, body = split(answered)
            answered = text(*([words.strip()] if words else []), as_before(body, split(kept)[1]))
        recorded.setdefault(file, []).append(f"{done} -> {answered}")
    for file, cases in recorded.items():
        with open(f"{folder}/{file}", encoding="utf-8") as old:
            comments = [line for line in old.read().splitlines() if line.startswith("#")]
        with open(f"{folder}/{file}", "w", encoding="utf-8") as new:
            new.write("\n".join([*comments, *cases]) + "\n")


def replays(version, programs):
    """What recordings of the version lead to now, where it is not what they led to then."""
    def stepperctl(*arguments):
        return subprocess.run([f"{programs}/stepperctl", *arguments], capture_output=True, text=True, cwd=version, check=False)

    with open(f"{version}/knob.expected", encoding="utf-8") as file:
        expected = file.read()
    played = stepperctl("replay", "knob.recording", "--config", "stepperd.toml")
    if played.returncode != 0 or played.stdout != expected:
        yield f"{version}/knob.recording: {played.stderr or played.stdout}"
    computed = stepperctl("replay", "--check", "session.record")
    if computed.returncode != 0:
        yield f"{version}/session.record: {computed.stdout}{computed.stderr}"


def main():
    arguments = sys.argv[1:]
    if len(arguments) == 3 and arguments[0] == "--record":
        record(arguments[1], os.path.abspath(arguments[2]))
        return
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    programs, different = os.path.abspath(arguments[0]), []
    for version in arguments[1:] or sorted(os.path.basename(path) for path in glob.glob(f"{HERE}/[0-9]*.[0-9]*.[0-9]*")):
        found, count = check(f"{HERE}/{version}", programs)
        found += replays(f"{HERE}/{version}", programs)
        different += found
        print(f"{version}: {count} cases, {len(found)} different")
    print("\n".join(different))
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
