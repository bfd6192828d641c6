"""The simulated boards, and the dashboard that watches them: the program `fleet` and what it prints."""

import json
import subprocess
import threading

from brokers import memory


def options(broker):
    """Those of `fleet` for the certificates of clients of a broker."""
    names = ("--authority", "--certificate", "--key")
    return [word for pair in zip(names, broker.certificates or []) for word in pair]


class Program:
    """One process of `fleet`, steered by lines; what it prints is kept."""

    def __init__(self, program, *arguments):
        self.events = []
        self.condition = threading.Condition()
        # It is ended by its standard input, which is closed when this process ends.
        self.process = subprocess.Popen([program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        """Takes its lines to the end."""
        for line in self.process.stdout:
            with self.condition:
                self.events.append(json.loads(line))
                self.condition.notify_all()

    def tell(self, *words):
        """A command without an answer."""
        self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
        self.process.stdin.flush()

    def ask(self, event, *words, timeout=120):
        """A command; the event that answers it."""
        before = len(self.events)
        self.tell(*words)
        return self.wait(event, before, timeout)

    def wait(self, event, since, timeout=120):
        """The first event of this name since that number of events."""
        return self.wait_for(lambda entry: entry["event"] == event, since, timeout, event)

    def reach(self, key, number, since, timeout):
        """The first event since that number of events in which this is at least so much."""
        return self.wait_for(lambda entry: entry.get(key, -1) >= number, since, timeout, f"{key} of {number}")

    def wait_for(self, fits, since, timeout, what):
        """The first event since that number of events that fits."""
        def found():
            for entry in self.events[since:]:
                if entry["event"] == "error":
                    raise AssertionError(entry["message"])
                if fits(entry):
                    return entry
            return None

        with self.condition:
            if not self.condition.wait_for(found, timeout):
                raise AssertionError(f"no {what} within {timeout} s; the last were {self.events[-3:]}")
            return found()

    def latest(self, key):
        """The last number of a sample."""
        with self.condition:
            for entry in reversed(self.events):
                if key in entry:
                    return entry[key]
        return 0

    def samples(self, key, since):
        """(seconds since then, number) of all samples since that time, and at its beginning."""
        with self.condition:
            samples = [(entry["time"] - since, entry[key]) for entry in self.events if entry["event"] == "sample"]
        return [(0.0, ([y for x, y in samples if x < 0] or [0])[-1])] + [(x, y) for x, y in samples if x >= 0]

    def memory(self):
        """Resident, in bytes."""
        return memory(self.process.pid)

    def kill(self):
        """Ends it without a chance."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Ends it."""
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


class Load(Program):
    """A part of the boards."""

    def __init__(self, program, first, count, source, broker, qos):
        addresses = [word for address in broker.addresses for word in ("--broker", address)]
        super().__init__(program, "kiosks", "--first", str(first), "--count", str(count), "--source", source, "--qos", str(qos), *addresses,
                         *options(broker))
        self.first, self.count, self.source, self.broker, self.program, self.qos = first, count, source, broker, program, qos

    def again(self):
        """A new process for the same boards, with other values."""
        return Load(self.program, self.first, self.count, self.source, self.broker, self.qos)


class Dashboard(Program):
    """The one who sees all."""

    def __init__(self, program, broker):
        super().__init__(program, "watch", "--source", "127.0.0.4", "--broker", broker.addresses[0], *options(broker))

    def subscribe(self, timeout):
        """Forgets everything and subscribes again; the number of events before those of the new subscription."""
        entry = self.ask("subscribed", "subscribe", timeout=timeout)
        return self.events.index(entry)
