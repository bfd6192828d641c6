#!/usr/bin/python3
"""Ends the programs beside the daemon at random moments of random schedules.

    Tests/Stress/ends.py link|mqtt|web [--seeds N] [--seed FIRST]

The program of a schedule stands still (SIGSTOP) until all of a wakeup is written: what its other side does, changes of the
daemon, signals, and perhaps the end of the daemon or of the broker. After it:

- the exit status is 0, within the bound, and no process is left;
- what the program answered is what the daemon has, and nothing it holds for others is held any more;
- the daemon goes on with what it had, and a second start of the program meets it.

Exit status: 0; 1 if one of these is not so. `mqtt` needs mosquitto and `.build/python`, `web` a build of stepperd-web.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [f"{ROOT}/Tests/Support", f"{ROOT}/Tests/Stress"]
from private_daemon import PrivateDaemon  # noqa: E402
from stops import BOUND, session  # noqa: E402
from waiting import eventually  # noqa: E402

BUILD = os.path.abspath(os.environ.get("STEPPERD_BUILD", f"{ROOT}/.build/debug"))
CONTROL = "org.stepperd.control"
CONTROLS = '[device.panel]\nvirtual = true\n[control.volume]\nmaximum = "none"\nrotate = "panel:dial"\nincrement = "panel:plus"\n'


class Program:
    """A program beside a daemon, over a schedule. Those of its kind say what its other side does."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.faults, self.steps = [], []
        self.folder = tempfile.mkdtemp(prefix="stepperd.")
        self.daemon, self.process, self.client = None, None, None
        self.web = None
        self.value = 0
        #: Whether the daemon ended, too.
        self.has_ended = False

    def expect(self, condition, fault):
        if not condition:
            self.faults.append(fault() if callable(fault) else fault)

    def text(self):
        """What the program printed."""
        with open(f"{self.folder}/log", encoding="utf-8", errors="replace") as file:
            return file.read()

    def spawn(self, command, environment=None):
        """Starts the program with a session of its own."""
        with open(f"{self.folder}/log", "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", start_new_session=True,
                                            env={**(environment or os.environ), "SWIFT_BACKTRACE": "enable=no"})

    def number(self):
        """A value that no other change has."""
        self.value += 1
        return self.value

    # Events

    def set(self):
        """The daemon's value changes."""
        self.client.call(f"{CONTROL}.Set", control="volume", value=self.number())

    def turn(self):
        """A hand turns."""
        self.client.call("org.stepperd.device.Turn", device="panel", input="dial", detents=self.random.choice([1, 2, 5]))

    def reload(self):
        """The daemon reads its configuration again."""
        self.client.call("org.stepperd.manager.Reload")

    def wakeup(self):
        """Everything happens while the program stands still, in a random order."""
        os.kill(self.process.pid, signal.SIGSTOP)
        os.waitpid(self.process.pid, os.WUNTRACED)
        signals = self.random.choice([[signal.SIGTERM], [signal.SIGINT], [signal.SIGTERM] * 2, [signal.SIGINT, signal.SIGTERM]])
        actions = [self.random.choice(self.events()) for _ in range(self.random.choice([0, 2, 6, 15]))]
        actions += [lambda number=number: self.process.send_signal(number) for number in signals]
        self.random.shuffle(actions)
        for action in actions:
            action()
        self.steps.append(f"{[action.__name__ for action in actions]} {[number.name for number in signals]}")
        # Those beside it may end with it.
        for other in self.others():
            if self.random.random() < 0.2:
                self.steps.append(f"{other} ends")
                self.end(other)
        self.process.send_signal(signal.SIGCONT)

    def others(self):
        return ["daemon"]

    def end(self, other):
        """The daemon ends in good order, or is killed."""
        self.has_ended = True
        self.daemon.process.send_signal(self.random.choice([signal.SIGTERM, signal.SIGKILL]))

    def run(self):
        """Returns the faults."""
        try:
            self.start()
            self.wakeup()
            self.ended()
            if self.has_ended:
                self.daemon.process.wait(BOUND)
                self.client.close()
                self.daemon.start(f"{BUILD}/stepperd", "--user")
                self.client = self.daemon.connect(BOUND)
            else:
                self.check()
            self.again()
        finally:
            for process in (self.process, self.daemon and self.daemon.process):
                if process and process.poll() is None:
                    process.kill()
                    process.wait()
            self.remove()
            if self.daemon:
                self.daemon.remove()
            shutil.rmtree(self.folder, ignore_errors=True)
        return self.faults

    def ended(self):
        """The exit status, and what is left."""
        try:
            status = self.process.wait(BOUND)
        except subprocess.TimeoutExpired:
            self.faults.append(f"it runs {BOUND} s after the signal: {self.text()[-1000:]}")
            return
        self.expect(status == 0, f"exit status {status}")
        text = self.text()
        fatal = text.find("Fatal")
        self.expect(fatal < 0, lambda: f"it printed {text[fatal:fatal + 1000]}")

        def left():
            return [pid for pid in os.listdir("/proc") if pid.isdigit() and session(pid) == self.process.pid]
        with contextlib.suppress(AssertionError):
            # What was killed may take a moment to go.
            eventually(lambda: not left(), "no process is left", 2)
        self.expect(not left(), lambda: f"processes {left()} are left")

    def state(self):
        return self.client.call(f"{CONTROL}.Get", control="volume")["state"]

    def check(self):
        """The daemon goes on, and holds nothing for the program."""
        with contextlib.suppress(AssertionError):
            # A turn of the hand takes a moment, too.
            eventually(lambda: not self.state()["editing"], "nothing is held")
        self.expect(not self.state()["editing"], lambda: f"it is held: {self.state()}")

    def again(self):
        """A second start, and a stop of it in peace."""
        self.meet()
        self.process.terminate()
        self.ended()

    def remove(self):
        """Ends what was started besides."""


class Link(Program):
    """stepperd-link with a coprocess that writes down what it gets."""

    def start(self):
        script = f"{self.folder}/script"
        ending = self.random.choice(["", "trap '' TERM\n"])
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"{ending}while read -r word value; do echo $value >>{self.folder}/got; echo value $value; done\nsleep 600\n")
        self.daemon = PrivateDaemon(
            f'{CONTROLS}[link.own]\ncontrol = "volume"\nstart = "control"\ncommand = ["/bin/sh", "{script}"]\n')
        self.daemon.start(f"{BUILD}/stepperd", "--user")
        self.client = self.daemon.connect(BOUND)
        self.meet()

    def got(self):
        """The last value that the coprocess got."""
        with contextlib.suppress(FileNotFoundError, IndexError):
            with open(f"{self.folder}/got", encoding="utf-8") as file:
                return float(file.read().split()[-1])
        return None

    def meet(self):
        self.spawn([f"{BUILD}/stepperd-link", "--config", self.daemon.configuration, "--address", self.daemon.socket])
        value = self.number() + 1000
        self.value = value
        self.client.call(f"{CONTROL}.Set", control="volume", value=value)
        eventually(lambda: self.got() == value, lambda: f"the coprocess got {self.got()}, not {value}: {self.text()}", BOUND)

    def events(self):
        return [self.set, self.turn, self.reload]


class MQTT(Program):
    """stepperd-mqtt with mosquitto."""

    def start(self):
        # Each kind has a module of this name.
        sys.path.insert(0, f"{ROOT}/Tests/MQTT")
        from bed import Bed  # pylint: disable=import-outside-toplevel
        self.bed = Bed(controls=CONTROLS)
        self.bed.start()
        self.daemon, self.process = self.bed.daemon, self.bed.bridge
        self.client = self.daemon.connect(BOUND)

    def text(self):
        return self.bed.bridge_log()

    def meet(self):
        self.bed.start_bridge()
        self.process = self.bed.bridge
        self.set()
        # Of a broker that was ended the other side has to hear first.
        self.bed.house.expect("stepperd/kiosk-1/status", "online", BOUND)
        self.bed.house.expect(
            "stepperd/kiosk-1/volume/state", lambda text: text and json.loads(text).get("value") == self.value, BOUND)

    def command(self):
        """Somebody at the broker sets."""
        self.bed.house.client.publish("stepperd/kiosk-1/volume/set", str(self.number()), 1)

    def events(self):
        return [self.command, self.command, self.set, self.turn, self.reload]

    def check(self):
        super().check()
        if self.bed.broker.process.poll() is None:
            self.bed.house.expect("stepperd/kiosk-1/status", "offline", BOUND)

    def remove(self):
        self.bed.stop()
        # Which has killed it.
        self.daemon = None


class Web(Program):
    """stepperd-web with connections that ask, follow, hold, and never finish what they ask."""

    def start(self):
        sys.path.insert(0, f"{ROOT}/Tests/Web")
        from bed import programs, wire  # pylint: disable=import-outside-toplevel
        self.wire = wire
        self.daemon = PrivateDaemon(CONTROLS)
        self.daemon.start(f"{BUILD}/stepperd", "--user")
        self.client = self.daemon.connect(BOUND)
        self.web = programs.WebProgram(self.daemon)
        self.web.start()
        self.process = self.web.process
        self.exchanges, self.streams, self.asked = [], [], []
        for _ in range(self.random.randrange(4)):
            exchange = self.exchange()
            exchange.request("GET", "/api/v1/controls")
            self.expect(exchange.answer().status == 200, "it does not serve")

    def text(self):
        return self.web.text()

    def exchange(self):
        """A connection: one of those that are served, or a new one."""
        exchange = self.wire.Exchange(self.web.port, BOUND)
        self.exchanges.append(exchange)
        return exchange

    def post(self, path, body, complete=True):
        """A request whose answer is read at the end."""
        idle = [exchange for exchange in self.exchanges if exchange not in [*self.streams, *(asked for asked, _ in self.asked)]]
        exchange = self.random.choice(idle) if idle else self.exchange()
        text = json.dumps(body).encode()
        exchange.request("POST", f"/api/v1{path}", {
            "Content-Type": "application/json", "X-Stepper": "1", "Content-Length": str(len(text))}, text if complete else text[:3])
        self.asked.append((exchange, body))

    def ask(self):
        """A page sets."""
        self.post("/controls/volume/set", {"value": self.number()})

    def never_finish(self):
        """Half a request."""
        self.post("/controls/volume/set", {"value": self.number()}, complete=False)

    def stream(self):
        """A page follows."""
        self.streams.append(self.exchange())
        self.streams[-1].request("GET", "/api/v1/events")

    def events(self):
        return [self.ask, self.ask, self.stream, self.never_finish, self.set, self.turn, self.reload]

    def check(self):
        super().check()
        state = self.state()
        for exchange, body in self.asked:
            with contextlib.suppress(EOFError, OSError):
                answer = exchange.answer()
                if answer.status != 200:
                    continue
                told = answer.json().get("state", answer.json())
                self.expect(told["sequence"] <= state["sequence"] and told["value"] == body["value"], lambda: f"{body} was answered {told}")

    def meet(self):
        for exchange in self.exchanges:
            exchange.socket.close()
        self.web.start()
        self.process = self.web.process
        self.exchanges, self.streams, self.asked = [], [], []
        self.ask()
        self.expect(self.asked[0][0].answer().status == 200, "the next start does not serve")
        self.expect(self.state()["value"] == self.value, "the next start does not set")

    def remove(self):
        if self.web:
            self.web.end()


def main():
    programs = {"link": Link, "mqtt": MQTT, "web": Web}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", choices=programs)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    options = parser.parse_args()
    failed, longest = 0, 0.0
    for seed in range(options.seed, options.seed + options.seeds):
        start = time.monotonic()
        program = programs[options.program](seed)
        faults = program.run()
        longest = max(longest, time.monotonic() - start)
        for fault in faults:
            print(f"seed {seed}: {fault}", flush=True)
        if faults:
            print(f"seed {seed}: {', '.join(program.steps)}\nagain with: {sys.argv[0]} {options.program} --seeds 1 --seed {seed}", flush=True)
        failed += bool(faults)
    print(f"{options.seeds} ends of stepperd-{options.program} from seed {options.seed} on, {failed} with faults; "
          f"the longest took {longest:.1f} s with two starts")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
