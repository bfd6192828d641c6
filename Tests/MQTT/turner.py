#!/usr/bin/env python3
"""A hand at the virtual knob of a daemon, until its input ends: `turner.py SOCKET INPUT SEED`.

It turns in bursts of detents to and fro, as people do, and connects again where the daemon was killed. At the end it prints how far it
turned in all.
"""

import os
import random
import select
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Support"))

from connection import Connection, Gone  # pylint: disable=wrong-import-position


def main(address, place, seed):
    """Turns."""
    device, _, name = place.partition(":")
    generator = random.Random(int(seed))
    connection, count, left, direction = None, 0, 0, 1
    while True:
        if not left:
            left, direction = generator.randrange(1, 30), generator.choice((-1, 1))
        # 15 to 40 detents a second, and pauses between bursts.
        pause = generator.uniform(0.025, 0.07) if left > 1 else generator.uniform(0.1, 0.6)
        if select.select([0], [], [], pause)[0]:
            break
        left -= 1
        try:
            connection = connection or Connection(address)
            connection.call("org.stepperd.device.Turn", device=device, input=name, detents=direction)
            count += 1
        except (OSError, Gone):
            connection = None
    print(count)


if __name__ == "__main__":
    main(*sys.argv[1:])
