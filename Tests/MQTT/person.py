"""Somebody at a dashboard, who sets a control and waits for the answer, again and again."""

import json
import random
import threading
import time

from waiting import eventually, pace

PATIENCE = 25.0
#: Seconds that a daemon may take to save a change while all tests share the processors.
SAVING = 6


class Person:
    """Publishes sets with ids, one after the other.

    Of each it must hear: by its result; or by the board's status, which is published after it; or because its own connection to the
    broker was lost. Otherwise it is left in the dark, which is a failure.
    """

    def __init__(self, house, base, control, values, seed):
        self.house, self.base, self.control, self.values = house, base, control, values
        self.generator = random.Random(seed)
        self.lock = threading.Lock()
        #: (value, when it was sent, time of the result; None: it was told otherwise), in their order.
        self.sets = []
        self.answered, self.told, self.failure = 0, 0, None
        self.is_over = threading.Event()
        self.thread = None

    def start(self):
        """Begins to set it."""
        self.is_over.clear()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        """Sets it until it is told to stop."""
        try:
            while not self.is_over.is_set():
                self.set(len(self.sets) + 1, self.generator.choice(self.values))
                pace(self.generator.uniform(0.02, 0.5))
        except AssertionError as error:
            self.failure = str(error)

    def set(self, number, value):
        """Sets it once."""
        losses, before = self.house.losses, len(self.house.log)
        was_online = self.house.text(f"{self.base}/status") == "online"
        with self.lock:
            self.sets.append((value, time.monotonic(), None))
        topic = f"{self.base}/{self.control}"
        self.house.client.publish(f"{topic}/set", json.dumps({"text": value, "id": number}), 1)

        def outcome():
            news = self.house.log[before:]
            for seen, payload, _ in news:
                if seen == f"{topic}/result" and json.loads(payload).get("id") == number:
                    return payload
            is_told = self.house.losses != losses or any(seen == f"{self.base}/status" for seen, _, _ in news)
            return "" if is_told or not was_online else None

        found = eventually(lambda: [outcome()] if outcome() is not None else None,
                           lambda: f"the set {number} of {self.control} has no result, and nobody says why", PATIENCE)[0]
        with self.lock:
            if found and json.loads(found).get("ok"):
                self.answered += 1
                self.sets[-1] = (*self.sets[-1][:2], time.monotonic())
            else:
                self.told += 1

    def acceptable(self, outage):
        """What the control may be now. `outage`: when the daemon was killed last, which may lose what it had no time to save, and when it was
        started again. A result that comes after it was killed may be that of a set before."""
        with self.lock:
            latest = len(self.sets)
            for index in reversed(range(len(self.sets))):
                _, sent, done = self.sets[index]
                if done is not None and (outage is None or sent > outage[1] or done < outage[0] - SAVING):
                    latest = index
                    break
            else:
                return None
            return {value for value, _, _ in self.sets[latest:]}

    def stop(self):
        """Ends it, when its last set is answered."""
        self.is_over.set()
        self.thread.join(2 * PATIENCE)
        assert not self.thread.is_alive(), "the person waits without end"
        assert self.failure is None, self.failure
