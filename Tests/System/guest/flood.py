"""Floods against the installed services, and what is asked of a service beside one.

As a program, `flood.py NAME…` makes the floods of these names until it is ended; as a module it is used by the tests. A flood
comes from the loopback address `FLOODER`, so that what is limited for an address is not taken from the tests.
"""

import contextlib
import errno
import itertools
import json
import os
import select
import socket
import subprocess
import sys
import time

from harness import equal
from system import SOCKET, properties, run
import waiting

WEB = ("127.0.0.1", 8383)
FLOODER = "127.0.0.9"
#: Seconds that a flood lasts.
DURATION = 12.0
#: A sorted run of combining characters, which is the slowest to compare for what compares characters instead of bytes.
RUN = "a" + "\u0301" * 7000 + "\u0323" * 7000


# What a test does.

def bound():
    """Seconds that a healthy client waits at most for one answer beside a flood: an emulated processor, of which the service has a
    fifth, is a hundred times slower than a processor of its own."""
    return 40.0 * waiting.PATIENCE


@contextlib.contextmanager
def within_limits(unit):
    """The service with a fifth of a processor while the block lasts. At its end it is the same process, and the kernel has
    killed none for its memory."""
    group = f"/sys/fs/cgroup{properties(unit, 'ControlGroup')}"

    def kills():
        with open(f"{group}/memory.events", encoding="ascii") as file:
            return [line for line in file if line.startswith("oom_kill ")]

    before = properties(unit, "MainPID", "NRestarts"), kills()
    run("systemctl", "set-property", "--runtime", unit, "CPUQuota=20%")
    try:
        yield
    finally:
        run("systemctl", "set-property", "--runtime", unit, "CPUQuota=")
        # Debian 12's kernel does not have it.
        if os.path.exists(f"{group}/memory.peak"):
            with open(f"{group}/memory.peak", encoding="ascii") as file:
                print(f"{unit}: at most {int(file.read()) >> 10} KiB in its group")
    equal((properties(unit, "MainPID", "NRestarts"), kills()), before, f"process, restarts and kills of {unit}")


@contextlib.contextmanager
def of(*names, by=None):
    """The floods of these names while the block lasts; `by` says who makes them, as `system.user` does. One over the network has as
    much of the emulated processor as the service: the kernel's share of a connection would leave nothing for anybody else."""
    share = [] if by else ["systemd-run", "--quiet", "--scope", "--property=CPUQuota=20%"]
    with subprocess.Popen([*share, sys.executable, __file__, *names], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          **(by or {})) as process:
        try:
            # The first line: it has begun.
            line = process.stdout.readline()
            if not line:
                raise AssertionError(f"the flood {names} ended at once")
            yield
            if process.poll() is not None:
                raise AssertionError(f"the flood {names} ended with {process.returncode}")
        finally:
            process.stdin.close()
            print(process.stdout.read().strip())


def answers(ask):
    """Asks again and again while a flood lasts; returns the longest time that an answer took, in seconds."""
    begun, longest, count = time.monotonic(), 0.0, 0
    while time.monotonic() - begun < DURATION:
        start = time.monotonic()
        ask()
        longest, count = max(longest, time.monotonic() - start), count + 1
    print(f"{count} answers beside it, the slowest after {longest:.2f} s")
    if longest > bound():
        raise AssertionError(f"an answer took {longest:.1f} s")
    return longest


# What a flood does. Each is a generator that does a little at each step.

def _connect(make, count):
    """As many connections as are accepted, at most `count`."""
    found = []
    for _ in range(count):
        try:
            found.append(make())
        except TimeoutError:
            break
        except OSError as error:
            if error.errno not in (errno.ECONNREFUSED, errno.EAGAIN, errno.ECONNRESET, errno.ETIMEDOUT):
                raise
            break
    return found


def _unix():
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(5)
    connection.connect(SOCKET)
    connection.setblocking(False)
    return connection


def _web():
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(5)
    connection.bind((FLOODER, 0))
    connection.connect(WEB)
    connection.setblocking(False)
    return connection


def _write(connection, data, offset):
    """Writes as much of it as is taken, from `offset` on; returns where to go on, nothing if the connection has ended."""
    try:
        return (offset + connection.send(data[offset:])) % len(data)
    except BlockingIOError:
        return offset
    except OSError:
        connection.close()
        return None


def _pressed(make, count, data, reads=False):
    """Connections that write `data` again and again, and read nothing, or read all; those that end are made again."""
    offsets = {}
    for turn in itertools.count():
        if turn % 64 == 0:
            offsets |= dict.fromkeys(_connect(make, count - len(offsets)), 0)
        readable, writable, _ = select.select(offsets if reads else [], offsets, [], 0.1)
        for connection in readable:
            with contextlib.suppress(OSError):
                connection.recv(1 << 16)
        for connection in writable:
            offsets[connection] = _write(connection, data, offsets[connection])
        offsets = {connection: offset for connection, offset in offsets.items() if offset is not None}
        yield len(writable)


def _call(method, **parameters):
    return json.dumps({"method": method, "parameters": parameters}, ensure_ascii=False).encode() + b"\0"


def _request(line, *headers, body=b""):
    head = [line, f"Host: {WEB[0]}:{WEB[1]}", "X-Stepper: 1", "Content-Type: application/json", *headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def unread_calls():
    """Calls with long replies, of which none is read."""
    yield from _pressed(_unix, 32, _call("org.varlink.service.GetInterfaceDescription", interface="org.stepperd.control") * 32)


def slow_names():
    """Calls of a method whose name is a sorted run of combining characters."""
    yield from _pressed(_unix, 32, _call(RUN), reads=True)


def changes():
    """Changes as fast as they are taken."""
    yield from _pressed(_unix, 32, b"".join(_call("org.stepperd.control.Set", control="volume", value=value) for value in (10, 11)) * 16,
                        reads=True)


def comers():
    """Connections that come and go."""
    while True:
        for connection in _connect(_unix, 8):
            connection.close()
        yield 8


def unread_answers():
    """Pipelined requests on 256 connections, of whose answers none is read."""
    yield from _pressed(_web, 256, _request("GET /stepper.js HTTP/1.1") * 20)


def heads():
    """Heads of requests whose bodies never come, on 256 connections, made again as soon as they are closed."""
    yield from _pressed(_web, 256, _request("POST /api/v1/session HTTP/1.1", "Content-Length: 100"))


def slow_headers():
    """Requests whose headers are sorted runs of combining characters."""
    run = RUN[:3500] + RUN[-3500:]
    yield from _pressed(_web, 16, _request("GET /api/v1/controls HTTP/1.1", f"Origin: {run}"), reads=True)


def streams():
    """Streams of events, each opened again as soon as it is closed."""
    yield from _pressed(_web, 64, _request("GET /api/v1/events HTTP/1.1"), reads=True)


def posts():
    """Changes over HTTP as fast as they are taken."""
    body = b'{"value":12}'
    yield from _pressed(_web, 16, _request("POST /api/v1/controls/volume/set HTTP/1.1", f"Content-Length: {len(body)}", body=body) * 8,
                        reads=True)


FLOODS = {flood.__name__: flood for flood in (unread_calls, slow_names, changes, comers, unread_answers, heads, slow_headers, streams, posts)}


def main(names):
    """Makes the floods in turn until the input ends."""
    running, steps = [(name, FLOODS[name]()) for name in names], dict.fromkeys(names, 0)
    for name, flood in running:
        steps[name] += next(flood)
    print("begun", flush=True)
    while not select.select([sys.stdin], [], [], 0)[0]:
        for name, flood in running:
            steps[name] += next(flood)
    print(", ".join(f"{name}: {count} times" for name, count in steps.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
