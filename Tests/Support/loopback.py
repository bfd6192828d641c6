"""Ports of the loopback, for servers of tests."""

import random
import socket


def free_port():
    """A port of the loopback that nobody uses now; none of those that the kernel gives to connections."""
    for port in random.sample(range(10_000, 32_000), 100):
        try:
            for address in ("127.0.0.1", "127.0.0.2"):
                with socket.socket() as probe:
                    probe.bind((address, port))
            return port
        except OSError:
            continue
    raise AssertionError("the loopback has no free port")


def listens(port):
    """Whether somebody takes connections there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
