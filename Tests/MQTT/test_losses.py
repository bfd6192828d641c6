#!/usr/bin/env python3
"""Everything is lost in turn, under turning: the broker, the daemon, the bridge, and the network between bridge and broker.

A hand turns the knob all the while (`turner.py`), and a person at a dashboard sets another control (`person.py`). After each round every
retained topic is the board's own again, its status is right, and nothing is lost that the person saw. STEPPERD_MQTT_ROUNDS is how
many rounds there are, STEPPERD_TEST_SEED begins their random numbers. Needs what test_bridge.py needs, and network namespaces.
"""

import os
import random
import socket
import statistics
import subprocess
import sys
import time
import unittest

from bed import Bed  # it knows where the modules of all tests are
import network
from person import Person
from test_bridge import Case, P
from waiting import PATIENCE, eventually, pace

CONTROLS = """\
[daemon]
save-after = "0s"
save-interval = "0s"

[device.panel]
virtual = true

[control.volume]
rotate = "panel:dial"
maximum = 1000
initial = 500

[control.source]
choices = ["radio", "usb", "line", "phono"]

[control.mute]
kind = "toggle"
"""
KEEP_ALIVE = 5
#: The broker looks for boards that are silent every few seconds.
OFFLINE_WITHIN = 1.5 * KEEP_ALIVE + 7
#: The longest pause between two attempts to connect is 60 s; an attempt during a cut may take as long as the cut.
ONLINE_WITHIN = 120


class Addresses(Case):
    """A name of the broker has several."""

    def test_the_first_one_is_silent(self):
        """Its host has no power: the next one is tried after some seconds, and not after the two minutes of the kernel."""
        cable = network.Cable()
        self.addCleanup(cable.remove)
        # It is preferred to the broker's, for the board's own differs from it in the last bit alone.
        cable.at_board("neigh", "replace", "10.77.0.3", "lladdr", network.NOBODY, "dev", "board", "nud", "permanent")
        hosts = f"{self.bed.folder}/hosts"
        with open(hosts, "w", encoding="ascii") as file:
            file.write(f"10.77.0.3 broker.example\n{network.BROKER_ADDRESS} broker.example\n127.0.0.1 localhost\n")
        subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
        self.addCleanup(subprocess.run, ["umount", "/etc/hosts"], check=True)
        with socket.create_server((network.BROKER_ADDRESS, 0)) as listener:
            listener.settimeout(30 * PATIENCE)
            self.bed.daemon.configure(self.plain(f"mqtt://broker.example:{listener.getsockname()[1]}"))
            self.bed.under = cable.under
            begin = time.monotonic()
            self.bed.start_bridge()
            connection, _ = listener.accept()
            with connection:
                self.assertGreater(time.monotonic() - begin, 5, "the silent one was not tried")
                self.assertEqual(connection.recv(1000)[8], 5)


class Losses(Case):
    """One board for all rounds."""

    def setUp(self):
        seed = int(os.environ.get("STEPPERD_TEST_SEED", "13"))
        self.generator = random.Random(seed)
        self.cable = network.Cable()
        self.addCleanup(self.cable.remove)
        self.bed = Bed(f'keep-alive = "{KEEP_ALIVE}s"', CONTROLS, network.BROKER_ADDRESS, self.cable.under)
        self.addCleanup(self.bed.stop)
        self.bed.start()
        self.person = Person(self.bed.house, P, "source", ["radio", "usb", "line", "phono"], seed)
        self.turner, self.turned, self.outage = None, 0, None
        self.figures = {}

    def start_turning(self):
        """A hand takes the knob."""
        command = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "turner.py"), self.bed.daemon.socket,
                   "panel:dial", str(self.generator.randrange(1 << 30))]
        self.turner = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.turner.stdout.close)

    def stop_turning(self):
        """It lets go."""
        self.turned += int(self.turner.communicate(timeout=30 * PATIENCE)[0])

    def note(self, figure, since):
        """How long something took."""
        self.figures.setdefault(figure, []).append(time.monotonic() - since)

    def expect_status(self, status, within, figure=None):
        """Waits until the broker says so."""
        since = time.monotonic()
        self.bed.house.expect(f"{P}/status", status, within)
        if figure:
            self.note(figure, since)

    # The losses

    def lose_broker(self, end):
        """It is away for a while."""
        end()
        pace(self.generator.uniform(0, 3))
        self.bed.broker.start()

    def lose_daemon(self):
        """It is started again at once, or when everybody knows."""
        killed = time.monotonic()
        self.bed.kill(self.bed.daemon.process)
        if self.generator.random() < 0.5:
            self.expect_status("offline", 10)
        self.bed.start_daemon()
        self.outage = (killed, time.monotonic())

    def lose_bridge(self, is_reachable=True):
        """The broker says so for it."""
        self.bed.kill(self.bed.bridge)
        if is_reachable and self.generator.random() < 0.5:
            self.expect_status("offline", 10)
        self.bed.start_bridge()

    def lose_network(self, how):
        """For a shorter time than the broker waits, or until it says that the board is offline; something else may be lost meanwhile."""
        is_long = self.generator.random() < 0.5
        self.cable.cut(how)
        since = time.monotonic()
        other = self.generator.choice((None, None, self.lose_daemon_unseen, lambda: self.lose_bridge(False)))
        if other:
            other()
        if is_long:
            self.bed.house.expect(f"{P}/status", "offline", OFFLINE_WITHIN)
            self.note(f"offline ({how})", since)
            pace(self.generator.uniform(0, 4))
        else:
            pace(self.generator.uniform(0.1, KEEP_ALIVE))
        self.cable.mend(how)

    def lose_daemon_unseen(self):
        """While nobody hears of it."""
        killed = time.monotonic()
        self.bed.kill(self.bed.daemon.process)
        self.bed.start_daemon()
        self.outage = (killed, time.monotonic())

    # A round

    def losses(self):
        """What is lost, in turn."""
        broker = self.bed.broker
        kinds = [("broker killed", lambda: self.lose_broker(broker.kill)), ("broker stopped", lambda: self.lose_broker(broker.stop)),
                 ("daemon killed", self.lose_daemon), ("bridge killed", self.lose_bridge)]
        return kinds + [(f"network cut: {how}", lambda how=how: self.lose_network(how)) for how in network.Cable.CUTS]

    def check_person(self):
        """What it saw done is done."""
        acceptable = self.person.acceptable(self.outage)
        value = self.bed.value("source")
        if acceptable is not None:
            self.assertIn(value, acceptable, f"sets {self.person.sets[-8:]}, the daemon was away {self.outage}")

    def round(self, loss):
        """Turns, loses something, and looks at everything when it is at rest again."""
        self.start_turning()
        self.person.start()
        pace(self.generator.uniform(0, 11))
        loss()
        since = time.monotonic()
        self.expect_status("online", ONLINE_WITHIN)
        pace(self.generator.uniform(0, 0.3))
        self.stop_turning()
        self.person.stop()
        eventually(self.bed.house.client.is_connected, "the dashboard is connected", 30)
        self.check_equal()
        self.check_person()
        self.note("whole again", since)
        self.assertIsNone(self.bed.bridge.poll())

    def test_everything_is_lost_in_turn(self):
        """Each kind in a random order, again and again."""
        rounds, order = int(os.environ.get("STEPPERD_MQTT_ROUNDS", "9")), []
        start = time.monotonic()
        for number in range(1, rounds + 1):
            if not order:
                order = self.losses()
                self.generator.shuffle(order)
            name, loss = order.pop()
            try:
                self.round(loss)
            except AssertionError as error:
                raise AssertionError(f"round {number}, {name}: {error}\n{self.bed.bridge_log()}") from error
            if os.environ.get("STEPPERD_MQTT_VERBOSE"):
                print(f"{time.monotonic() - start:6.0f} s  round {number}: {name}", flush=True)
        self.report(rounds, time.monotonic() - start)

    def report(self, rounds, seconds):
        """What was seen."""
        print(f"{rounds} rounds in {seconds:.0f} s: {self.turned} detents, {len(self.person.sets)} sets by a person, of which "
              f"{self.person.answered} were done and the person was told of {self.person.told} that they may not be")
        for figure, times in sorted(self.figures.items()):
            print(f"  {figure}: {len(times)} times, median {statistics.median(times):.1f} s, longest {max(times):.1f} s")


if __name__ == "__main__":
    reason = network.obstacle()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(0)
    network.enter()
    unittest.main()
