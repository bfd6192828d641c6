#!/usr/bin/env python3
"""Takes fleets of simulated boards through storms and losses at real brokers; Scripts/suites/fleet starts it.

Exits 0 when the invariant held after every scenario, else 1.
"""

import dataclasses
import datetime
import json
import os
import shutil
import signal
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, f"{ROOT}/Tests/Support", f"{ROOT}/Benchmarks", f"{ROOT}/Scripts/shared"]

from arguments import Arguments  # noqa: E402
import report  # noqa: E402
import scenarios  # noqa: E402
from bed import Bed  # noqa: E402
from brokers import Mosquitto, Nats  # noqa: E402
from results import machine  # noqa: E402

RESULTS = f"{ROOT}/.build/fleet/results.json"
#: For a dashboard that subscribes to everything a message of each topic waits: about ten a board.
QUEUED_PER_BOARD = 20


@dataclasses.dataclass
class Run:
    """A fleet at a broker."""
    name: str
    boards: int
    broker: object
    scenarios: object
    #: The quality of service of the boards' subscriptions.
    qos: int = 1
    #: Gestures a second, of nine detents each, and for how long.
    gestures: float = 100
    seconds: int = 120
    #: Seconds over which the first storm is spread.
    first: float = 0
    #: Boards a second that begin in the storm with jitter.
    spread: float = 200
    real: int = 3
    #: Whether it is known to reach a limit of the broker: that is a figure, and no failure.
    has_limit: bool = False

    def go(self, build):
        """The figures; raises when the invariant does not hold."""
        with tempfile.TemporaryDirectory(prefix="stepperd-fleet.") as folder:
            broker = self.broker(folder, self.boards)
            print(f"{self.name}: {self.boards:,} boards at {broker.version()}", flush=True)
            bed = None
            try:
                broker.start()
                bed = Bed(self, build, folder, broker)
                self.scenarios(bed, self)
            except AssertionError as failure:
                if not self.has_limit or bed is None:
                    raise
                print(f"  {bed.scenario}: does not hold: {failure}"[:2000], flush=True)
                bed.rows.append({"scenario": bed.scenario, "measure": "the invariant", "value": "does not hold", "unit": ""})
            finally:
                if bed:
                    bed.stop()
                broker.stop()
            return {"name": self.name, "boards": self.boards, "date": datetime.date.today().isoformat(), "machine": machine(), "version": broker.version(), "rows": bed.rows, "curves": bed.curves}


def up_to_sets(bed, run):
    """What every fleet goes through first."""
    scenarios.first_storm(bed, run.first)
    scenarios.dashboard(bed)
    scenarios.turning(bed, run.seconds, run.gestures)
    scenarios.group_set(bed)


def everything(bed, run):
    """All scenarios."""
    up_to_sets(bed, run)
    scenarios.birth(bed)
    if len(bed.broker.nodes) == 1:
        scenarios.broker_killed(bed)
    else:
        scenarios.node_killed(bed)
    scenarios.wills(bed)
    scenarios.second_storm(bed, max(2.0, bed.count / run.spread))


def without_birth(bed, run):
    """What does not need everybody to publish at once."""
    up_to_sets(bed, run)
    scenarios.node_killed(bed)
    scenarios.wills(bed)


def subscriptions(bed, run):
    """What depends on the quality of service of subscriptions."""
    scenarios.first_storm(bed, run.first)
    scenarios.dashboard(bed)
    scenarios.group_set(bed)


def mosquitto(folder, boards):
    """With room for what a dashboard is sent."""
    return Mosquitto(folder, QUEUED_PER_BOARD * boards)


def mosquitto_with_tls(folder, boards):
    """Which takes only boards with a certificate."""
    return Mosquitto(folder, QUEUED_PER_BOARD * boards, has_tls=True)


def small_mosquitto(folder, _boards):
    """As it is without settings."""
    return Mosquitto(folder, 1000)


def nats(folder, _boards):
    """Three servers."""
    return Nats(folder)


WHOLE = [
    Run("mosquitto", 10_000, mosquitto, everything, gestures=500, seconds=240),
    Run("mosquitto with TLS", 10_000, mosquitto_with_tls, everything, gestures=500, seconds=60),
    Run("NATS", 2_000, nats, everything, qos=0, gestures=20),
    Run("NATS with jitter", 10_000, nats, without_birth, qos=0, gestures=20, seconds=30, first=100, has_limit=True),
    Run("NATS with QoS 1", 500, nats, subscriptions),
    Run("mosquitto with defaults", 500, small_mosquitto, scenarios.small_queue, real=0),
]
QUICK = [
    Run("mosquitto", 500, mosquitto, everything, seconds=5, real=1),
    Run("mosquitto with TLS", 200, mosquitto_with_tls, everything, seconds=5, real=1),
    Run("NATS", 500, nats, everything, qos=0, gestures=20, seconds=5, real=1),
]


def main():
    """The program."""
    parser = Arguments()
    parser.add_argument("--build", help="where the programs are")
    parser.add_argument("--quick", action="store_true", help="500 boards")
    parser.add_argument("--boards", type=int, help="another number of them")
    parser.add_argument("--only", metavar="NAME", help="only the runs of this name")
    parser.add_argument("--results", metavar="FILE", help="write the figures there")
    parser.add_argument("--report", action="store_true", help="render the document from the figures of the last whole run")
    parser.add_argument("--check", action="store_true", help="with --report: only say what differs")
    options = parser.parse_args()
    if options.report:
        if not options.check and os.path.exists(RESULTS):
            shutil.copy(RESULTS, report.RESULTS)
        return report.render(options.check)
    # So that what was started is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    runs = QUICK if options.quick else WHOLE
    if options.only and options.only not in [run.name for run in runs]:
        parser.error(f"no run {options.only!r}; there are: {', '.join(run.name for run in runs)}")
    for run in runs:
        if options.only in (None, run.name):
            run.boards = options.boards or run.boards
            keep(run.go(os.path.abspath(options.build)), options.results)
    return 0


def lines(runs):
    """JSON with a line for each row of a run, and one for what a run begins with."""
    texts = []
    for run in runs:
        head = json.dumps({key: value for key, value in run.items() if key != "rows"})
        rows = ",\n".join("  " + json.dumps(row) for row in run["rows"])
        texts.append(f'{head[:-1]}, "rows": [\n{rows}]}}')
    return "[\n" + ",\n".join(texts) + "]\n"


def keep(figures, path):
    """Writes the figures of a run, in the place of its former ones if there are any."""
    if not path:
        return
    former = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            former = [run for run in json.load(file) if run["name"] != figures["name"]]
    order = [run.name for run in WHOLE]
    runs = sorted([*former, figures], key=lambda run: order.index(run["name"]))
    with open(path, "w", encoding="utf-8") as file:
        file.write(lines(runs))


if __name__ == "__main__":
    sys.exit(main())
