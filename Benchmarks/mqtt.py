#!/usr/bin/env python3
"""How long a set at a broker takes until its value and its state are published: by stepperd-mqtt, and by a plain client that
answers each set with both.

    mqtt.py PROGRAMS COUNT

Prints the times of both in milliseconds as JSON. Needs mosquitto, and paho-mqtt as Scripts/setup --test installs it.
"""

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import tempfile
import time

import paho.mqtt.client as mqtt

sys.path.append(f"{os.path.dirname(os.path.abspath(__file__))}/../Tests/Support")
from loopback import free_port, listens  # noqa: E402
from private_daemon import PrivateDaemon  # noqa: E402
from waiting import eventually, pace  # noqa: E402

#: Where there are two processors, the client that measures has one and all others share the other, as in programs.py.
MEASURING, MEASURED = {0}, {min(1, os.cpu_count() - 1)}
BOARDS = {"floor": "bench/floor", "stepperd": "bench/stepperd"}
#: Before each set: of each control 20 states a second are published.
PAUSE = 0.06


def on_measured():
    """What a child does before it becomes another program."""
    os.sched_setaffinity(0, MEASURED)


class Client:
    """A client of the broker without a thread."""

    def __init__(self, port, topic, take):
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self.client.on_socket_open = lambda _client, _data, opened: opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.client.on_message = lambda _client, _data, message: take(self, message.topic, message.payload)
        self.is_subscribed = False
        self.client.on_subscribe = lambda *_: setattr(self, "is_subscribed", True)
        self.client.connect("127.0.0.1", port)
        self.client.subscribe(topic, 1)
        self.work(lambda: self.is_subscribed)

    def publish(self, topic, payload, retain=True):
        """With quality of service 1."""
        self.client.publish(topic, payload, 1, retain)

    def work(self, is_done):
        """Until something is so, ten seconds at most."""
        end = time.monotonic() + 10
        while not is_done():
            if time.monotonic() > end:
                raise SystemExit("mqtt.py: nothing came for ten seconds")
            connection = self.client.socket()
            waiting = [connection] if self.client.want_write() else []
            readable, writable, _ = select.select([connection], waiting, [], 1)
            if writable:
                self.client.loop_write()
            if readable:
                self.client.loop_read()
            self.client.loop_misc()


def serve_floor(port):
    """The plain client, until the process is ended."""
    def take(client, topic, payload):
        board = topic.removesuffix("/volume/set")
        client.publish(f"{board}/volume", payload)
        client.publish(f"{board}/volume/state", b'{"value":%s,"text":"%s"}' % (payload, payload))

    client = Client(port, f"{BOARDS['floor']}/+/set", take)
    client.publish(f"{BOARDS['floor']}/status", "online")
    while True:
        client.client.loop(60)


@contextlib.contextmanager
def child(*command, **options):
    """A process on the processor of what is measured."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=on_measured, **options)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def broker(folder):
    """mosquitto as the guides have it, without TLS; its port."""
    port = free_port()
    with open(f"{folder}/broker.conf", "w", encoding="ascii") as file:
        file.write(f"listener {port} 127.0.0.1\nallow_anonymous true\nuser root\nset_tcp_nodelay true\nlog_type error\n")
    with child("/usr/sbin/mosquitto", "-c", f"{folder}/broker.conf"):
        eventually(lambda: listens(port), "mosquitto listens")
        yield port


@contextlib.contextmanager
def boards(folder, programs, port):
    """The floor, and stepperd with its bridge."""
    daemon = PrivateDaemon('[control.volume]\nmaximum = 100\nrestore = false\n'
                           f'[mqtt]\nbroker = "mqtt://127.0.0.1:{port}"\nprefix = "bench"\nid = "stepperd"\n', folder)
    environment = {**os.environ, "XDG_RUNTIME_DIR": daemon.runtime, "XDG_STATE_HOME": f"{daemon.folder}/state"}
    daemon.start(f"{programs}/stepperd", "--user", "--log-level", "error", preexec_fn=on_measured)
    try:
        daemon.connect().close()
        bridge = [f"{programs}/stepperd-mqtt", "run", "--config", daemon.configuration, "--address", daemon.socket]
        with child(sys.executable, os.path.abspath(__file__), "floor", str(port)), child(*bridge, env=environment, stderr=subprocess.DEVNULL):
            yield
    finally:
        daemon.remove()


def measure(port, count):
    """The times by board, one set after the other, in turns."""
    seen = {}
    client = Client(port, "bench/#", lambda _client, topic, payload: seen.update({topic: payload}))
    client.work(lambda: all(seen.get(f"{board}/status") == b"online" for board in BOARDS.values()))
    times = {name: [] for name in BOARDS}
    # What is the first of its kind is not counted.
    for number in range(count + 3):
        for name in sorted(BOARDS, reverse=number % 2 == 1):
            board, value = BOARDS[name], str(number % 50 + 1).encode()
            pace(PAUSE)
            begin = time.perf_counter()
            client.publish(f"{board}/volume/set", value, retain=False)
            client.work(lambda: seen.get(f"{board}/volume") == value and seen.get(f"{board}/volume/state", b"").find(b'"text":"%s"' % value) >= 0)
            if number >= 3:
                times[name].append((time.perf_counter() - begin) * 1_000)
    return times


def main(programs, count):
    """Measures, and prints."""
    os.sched_setaffinity(0, MEASURING)
    with tempfile.TemporaryDirectory(prefix="bench.") as folder, broker(folder) as port, boards(folder, programs, port):
        print(json.dumps(measure(port, int(count))))


if __name__ == "__main__":
    if sys.argv[1] == "floor":
        serve_floor(int(sys.argv[2]))
    main(*sys.argv[1:])
