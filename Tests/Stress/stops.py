#!/usr/bin/python3
"""Stops the daemon at random moments of random schedules, and looks at what clients were told and what the next start has.

    Tests/Stress/stops.py [--program STEPPERD] [--seeds N] [--seed FIRST]

A schedule is made from its seed: a configuration, clients that follow, set, hold, save, reload, flood, go and do not read,
files that change, a disk that is slow, and signals. It has wakeups that find everything at once, because the daemon stands
still (SIGSTOP) until all of it is written, and others that find it as it comes. After the stop:

- the exit status is 0, within the bound, and no process is left;
- each change that was answered, or told to a client that follows, is in the state file: nothing older than it, and nothing
  that was never asked for; a client that followed everything saw last what the file has;
- clients that follow got the error `Stopping` and the end, others the end, and no answer is cut off where a client reads;
- the next start has the values of the file.

Exit status: 0; 1 if one of these is not so. The schedule of a seed is the same each time; what the machine makes of it may
differ.
"""

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(f"{ROOT}/Tests/Support")
from connection import Connection, Gone, encoded  # noqa: E402
from private_daemon import PrivateDaemon  # noqa: E402

CONTROL, DEVICE, MANAGER = "org.stepperd.control", "org.stepperd.device", "org.stepperd.manager"
#: Seconds for a stop. What the daemon promises is 6.1 s; the rest is for a machine that does other things.
BOUND = 30
#: Controls that are only set, and those that are moved in every way.
SET, MOVED = ["s0", "s1", "s2"], ["m0", "m1"]


class Client:
    """A connection and what was sent on it: `calls` are the final answers that are due, in their order."""

    def __init__(self, connection, kind):
        self.kind, self.connection = kind, connection
        self.calls, self.answers, self.told = [], [], []
        self.is_cut = self.is_gone = False

    def send(self, method, note=None, more=False, oneway=False, **parameters):
        """Sends a call, as long as the daemon takes it."""
        flags = {"more": True} if more else {"oneway": True} if oneway else {}
        self.write(encoded(method, parameters, **flags))
        if not oneway:
            self.calls.append((method, note))

    def write(self, data):
        """Sends bytes without waiting for room."""
        self.connection.socket.settimeout(0)
        try:
            self.connection.socket.sendall(data)
        except (BlockingIOError, BrokenPipeError, ConnectionResetError):
            self.is_gone = True

    def take(self, messages):
        """Sorts replies into answers and what is told."""
        for message in messages:
            (self.told if message.get("continues") else self.answers).append(message)

    def read(self):
        """What has come."""
        with contextlib.suppress(Gone):
            self.take(self.connection.replies())

    def read_to_end(self):
        """Everything up to the end of the connection."""
        try:
            while True:
                self.take([self.connection.reply(BOUND)])
        except Gone:
            self.is_cut = bool(self.connection.buffer)
        self.connection.close()

    def states(self):
        """All states that it was told or answered with, each with its instance, in their order."""
        for message in self.told + self.answers:
            parameters = message.get("parameters") or {}
            for state in parameters.get("states", [parameters["state"]] if "state" in parameters else []):
                yield state


class Schedule:
    """One seed: from a first start to the values of a second one."""

    def __init__(self, program, seed, library):
        self.random = random.Random(seed)
        self.program, self.library = program, library
        self.daemon = PrivateDaemon("")
        self.clients, self.faults, self.steps = [], [], []
        self.value = 0
        #: Of each control that is only set: what was sent.
        self.sent = {name: {0} for name in SET}
        self.reload_count = 0

    def chance(self, part):
        return self.random.random() < part

    # The configuration

    def configuration(self):
        """Different in what a reload may change; the same in what values there are."""
        pick = self.random.choice
        lines = [
            "[daemon]", f'save-after = "{pick([0, 20, 5000])}ms"', f'save-interval = "{pick([0, 50, 5000])}ms"',
            "[device.panel]", "virtual = true"]
        for name in SET:
            lines += [f"[control.{name}]", 'maximum = "none"']
            if self.chance(0.3):
                command = pick([["true"], ["sleep", "60"], ["sh", "-c", "trap '' TERM; sleep 60 & wait"], ["/nowhere"]])
                lines.append(f"on-change = {json.dumps(command)}")
        for number, name in enumerate(MOVED):
            lines += [f"[control.{name}]", f"continuous = {json.dumps(self.chance(0.5))}", 'rotate = "panel:dial"',
                      'repeat = { delay = "5ms", interval = "1ms" }']
            if number == 0:
                lines.append('increment = "panel:plus"')
        return "\n".join(lines) + "\n"

    def start(self):
        environment = {"SWIFT_BACKTRACE": "enable=no"}
        if self.library:
            environment |= {"LD_PRELOAD": self.library, "STEPPERD_FAULTS": f"{self.daemon.folder}/faults"}
        options = ["--record", f"{self.daemon.folder}/recording"] if self.chance(0.2) else []
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{self.daemon.folder}/recording")
        self.daemon.start(self.program, "--user", "--config", self.daemon.configuration, *options,
                          environment=environment, start_new_session=True)

    # What clients do

    def client(self, kind):
        """A new one. While the daemon stands still the queue of connections may be full, or the socket gone."""
        client = Client(Connection(self.daemon.socket, 0.5), kind)
        self.clients.append(client)
        return client

    def follow(self):
        """A client that follows everything, and reads."""
        client = self.client("follows")
        client.send(f"{CONTROL}.Subscribe", more=True, minimumIntervalMilliseconds=self.random.choice([0, 0, 10, 10_000]))
        client.take([client.connection.reply(BOUND)])
        return client

    def event(self):
        """Something happens; returns its name."""
        what = self.random.choice([
            self.set, self.set, self.set, self.move, self.move, self.hold, self.hold_device, self.save, self.follow_more,
            self.reload, self.leave, self.flood, self.change_file, self.connect_late, self.disk])
        what()
        self.steps.append(what.__name__)

    def some_client(self):
        """A client that calls: one of those there are, or a new one. While the daemon stands still a new one waits."""
        callers = [client for client in self.clients if client.kind == "calls" and not client.is_gone]
        if callers and self.chance(0.9):
            return self.random.choice(callers)
        return self.client("calls")

    def set(self):
        client = self.some_client()
        for _ in range(self.random.choice([1, 3, 40])):
            self.value += 1
            name = self.random.choice(SET)
            self.sent[name].add(self.value)
            client.send(f"{CONTROL}.Set", (name, self.value), oneway=self.chance(0.2), control=name, value=self.value)

    def move(self):
        client, name = self.some_client(), self.random.choice(MOVED)
        way = self.random.randrange(4)
        if way == 0:
            client.send(f"{DEVICE}.Turn", device="panel", input="dial", detents=self.random.randint(-9, 9))
        elif way == 1:
            client.send(f"{CONTROL}.Step", control=name, steps=self.random.randint(-5, 9))
        elif way == 2:
            client.send(f"{CONTROL}.Slide", control=name, hold="fader", position=self.random.random(), leaseMilliseconds=500)
        else:
            client.send(f"{CONTROL}.Turn", control=name, detents=self.random.randint(-9, 9), oneway=True)

    def hold(self):
        self.some_client().send(
            f"{CONTROL}.Press", control=self.random.choice(MOVED), action=self.random.choice(["increment", "decrement", "pageIncrement"]),
            hold=f"h{self.random.randrange(3)}", leaseMilliseconds=self.random.choice([5, 10_000]))

    def hold_device(self):
        self.some_client().send(f"{DEVICE}.{self.random.choice(['Press', 'Release'])}", device="panel", input="plus")

    def call_first(self):
        """A client that calls, and is served."""
        client = self.client("calls")
        client.send(f"{CONTROL}.Get", control="s0")
        client.take([client.connection.reply(BOUND)])

    def save(self):
        self.some_client().send(f"{MANAGER}.Save")

    def follow_more(self):
        """Others who follow: the end may come before their first reply."""
        method = self.random.choice([
            f"{CONTROL}.Subscribe", f"{CONTROL}.SubscribeMoments", f"{CONTROL}.SubscribeMoments", f"{DEVICE}.Subscribe", f"{DEVICE}.Monitor"])
        self.client("listens").send(method, more=True)

    def reload(self):
        self.change_file()
        self.some_client().send(f"{MANAGER}.Reload")

    def change_file(self):
        way = self.random.randrange(5)
        if way == 0:
            self.daemon.configure("this is no configuration")
        elif way == 1:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.daemon.socket)
        elif way == 2:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{self.daemon.folder}/state/stepperd/lock")
        else:
            self.daemon.configure(self.configuration())

    def leave(self):
        """A client goes, with calls on their way."""
        self.set()
        client = self.random.choice(self.clients)
        if client.kind != "calls":
            return
        if self.chance(0.5):
            client.connection.socket.shutdown(1)
        else:
            client.connection.close()
            self.clients.remove(client)
        client.is_gone = True

    def flood(self):
        """A client that calls much and reads nothing, and one whose call is never complete."""
        client = self.client("does not read")
        client.write(encoded(f"{CONTROL}.List", {}) * 2_000 + b'{"method":"org.')

    def connect_late(self):
        """Connections that may never be accepted."""
        for _ in range(self.random.choice([1, 10])):
            self.client("calls").send(f"{CONTROL}.Get", control="s0")

    def disk(self):
        """From now on the disk takes its time."""
        if self.library:
            with open(f"{self.daemon.folder}/faults", "w", encoding="ascii") as file:
                file.write(f"fsync {self.random.choice([0, 20, 150, 400])}\n")

    # Wakeups

    def wakeup(self, signals, frozen):
        """Some things happen, with signals between them; all in one wakeup if it is `frozen`."""
        if frozen:
            os.kill(self.daemon.pid, signal.SIGSTOP)
            os.waitpid(self.daemon.pid, os.WUNTRACED)
        actions = [self.event] * self.random.choice([0, 1, 4, 12])
        actions += [lambda number=number: os.kill(self.daemon.pid, number) for number in signals]
        # Signals of a running daemon come last: after the first that ends it nothing more can be asked.
        if frozen:
            self.random.shuffle(actions)
        for action in actions:
            with contextlib.suppress(TimeoutError, ConnectionRefusedError, FileNotFoundError):
                action()
        self.steps.append(f"{'frozen' if frozen else 'running'} {[signal.Signals(number).name for number in signals]}")
        if frozen:
            os.kill(self.daemon.pid, signal.SIGCONT)

    def run(self):
        """Returns the faults."""
        try:
            self.daemon.configure(self.configuration())
            self.start()
            self.daemon.connect(BOUND).close()
            follower = self.follow() if self.chance(0.7) else None
            # What comes from those who are connected already is in the same wakeup as the signal.
            for _ in range(self.random.randrange(4)):
                self.random.choice([self.follow_more, self.call_first])()
            for _ in range(self.random.randrange(3)):
                self.wakeup([signal.SIGHUP] * self.chance(0.4), frozen=self.chance(0.5))
                for client in self.clients:
                    if client.kind == "calls":
                        client.read()
            stops = self.random.choice([
                [signal.SIGTERM], [signal.SIGTERM], [signal.SIGINT], [signal.SIGHUP, signal.SIGTERM],
                [signal.SIGTERM, signal.SIGTERM], [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]])
            self.wakeup(stops, frozen=self.chance(0.8))
            self.finish(follower)
            self.check_next_start()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.daemon.pid, signal.SIGKILL)
            self.daemon.remove()
        return self.faults

    # What must be so

    def expect(self, condition, fault):
        if not condition:
            self.faults.append(fault() if callable(fault) else fault)

    def finish(self, follower):
        """Reads what there is to the end, and checks it with the file."""
        for client in self.clients:
            if client.kind != "does not read":
                client.read_to_end()
        self.ended()
        with contextlib.suppress(FileNotFoundError):
            with open(f"{self.daemon.folder}/state/stepperd/values.json", encoding="utf-8") as file:
                self.check_values(json.load(file)["values"], follower)
                return
        self.check_values({}, follower)

    def ended(self):
        """The exit status, and what is left."""
        try:
            status = self.daemon.process.wait(BOUND)
        except subprocess.TimeoutExpired:
            self.faults.append(f"it runs {BOUND} s after the stop")
            return
        self.expect(status == 0, f"exit status {status}")
        text = self.daemon.text()
        self.expect("Fatal" not in text and "bug:" not in text and "stopping" in text, lambda: f"it printed {text[-1000:]}")
        left = [pid for pid in os.listdir("/proc") if pid.isdigit() and session(pid) == self.daemon.pid]
        self.expect(not left, f"processes {left} are left")

    def check_values(self, saved, follower):
        """The file has what was answered and told."""
        found = {name: float(entry.get("number", 0)) for name, entry in saved.items()}
        last = {}
        for client in self.clients:
            for state in client.states():
                if state["sequence"] >= last.get(state["control"], state)["sequence"]:
                    last[state["control"]] = state
            asked = [method for method, _ in client.calls]
            # A connection that is refused has one answer, whether it has called or not.
            errors = [answer.get("error") for answer in client.answers]
            answerable = 1 if errors == [f"{MANAGER}.TooManyConnections"] else len(asked)
            self.expect(len(errors) <= answerable, lambda: f"answers with errors {errors} to {asked}")
            if client.kind in ("follows", "listens"):
                self.expect(not client.is_cut, f"a message of {asked} is cut off")
                self.expect(not client.told or errors in ([f"{asked[0].rpartition('.')[0]}.Stopping"],), lambda: f"{asked} ended with {errors}")
        for name in SET:
            # An answer later than what the file has was not kept; anything else was sent, or is what it began with.
            value = found.get(name, 0)
            self.expect(value in self.sent[name], f"{name} is {value}, which was never set")
            state = last.get(name)
            if state and value != state["value"]:
                answered = [note[1] for client in self.clients for (_, note), answer in zip(client.calls, client.answers)
                            if note and note[0] == name and "error" not in answer]
                self.expect(value not in answered and value > 0, f"{name} is {value}, but change {state['sequence']} made it {state['value']}")
        if follower:
            self.expect(bool(follower.answers), "who followed was not told of the end")
            view = {state["control"]: state["value"] for state in follower.states()}
            for name, value in view.items():
                self.expect(found.get(name, 0) == value, f"{name} is {found.get(name, 0)}, but who followed saw {value} last")
        self.found = found

    def check_next_start(self):
        """The values of the file, after one more stop at any moment of a start."""
        self.daemon.configure(self.configuration())
        if self.chance(0.3):
            self.start()
            with contextlib.suppress(subprocess.TimeoutExpired):
                # It may end before it has blocked the signal, too.
                self.daemon.process.wait(self.random.random() * 0.3)
            self.daemon.process.terminate()
            status = self.daemon.process.wait(BOUND)
            self.expect(status in (0, -signal.SIGTERM), f"exit status {status} of a stop while it started")
        self.start()
        client = self.daemon.connect(BOUND)
        for name in SET + MOVED:
            value = client.call(f"{CONTROL}.Get", control=name)["state"]["value"]
            self.expect(value == self.found.get(name, 0), f"the next start has {name} = {value}, and the file {self.found.get(name, 0)}")
        client.close()
        status = self.daemon.stop(timeout=BOUND)
        self.expect(status == 0, f"exit status {status} of the next start")


def session(pid):
    """The session of a process; None if it is gone, or only waits for its parent."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return None if fields[0] == "Z" else int(fields[3])
    except (FileNotFoundError, ProcessLookupError):
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=f"{ROOT}/.build/debug/stepperd")
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    options = parser.parse_args()
    failed, longest = 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/faults.so"
        subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", library, f"{ROOT}/Tests/Support/faults.c", "-ldl"], check=True)
        for seed in range(options.seed, options.seed + options.seeds):
            start = time.monotonic()
            schedule = Schedule(options.program, seed, library)
            faults = schedule.run()
            longest = max(longest, time.monotonic() - start)
            for fault in faults:
                print(f"seed {seed}: {fault}", flush=True)
            if faults:
                print(f"seed {seed}: {', '.join(schedule.steps)}\nagain with: {sys.argv[0]} --program {options.program} --seeds 1 --seed {seed}",
                      flush=True)
            failed += bool(faults)
    print(f"{options.seeds} stops from seed {options.seed} on, {failed} with faults; the longest took {longest:.1f} s with two starts")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
