"""A newer package takes over while it is in use."""

import threading

from connection import Connection, Gone, VarlinkError
from harness import equal, test
from system import (SOCKET, configuration, connect, describe, get, main_pid, properties, run, set_value, wait_for_device, wait_until_active,
                    powermate)
from uinput import REL_DIAL
from system import wait_for_value

CONFIGURATION = """
[device.knob]
match = { name = "Griffin PowerMate" }

[control.volume]
rotate = "knob:REL_DIAL"
maximum = 500
"""


class Caller(threading.Thread):
    """A client that connects and asks, again and again, and remembers what went wrong."""

    def __init__(self):
        super().__init__(daemon=True)
        self.calls, self.refused, self.cut, self.end = 0, [], 0, threading.Event()

    def run(self):
        while not self.end.wait(0.05):
            try:
                with Connection(SOCKET) as connection:
                    connection.call("org.stepperd.control.Get", control="volume")
                    self.calls += 1
            except (ConnectionRefusedError, FileNotFoundError, PermissionError) as error:
                self.refused.append(error)
            except (Gone, VarlinkError):
                # The daemon that accepted it ends: it has to come again.
                self.cut += 1


@test
def upgrade_keeps_everything(stack):
    """The new daemon has the values, also one that was not saved yet, and the configuration; nobody is refused."""
    knob = stack.enter_context(powermate())
    stack.enter_context(configuration(CONFIGURATION))
    wait_for_device("knob")
    pid = main_pid()
    follower = connect()
    stack.callback(follower.close)
    follower.send("org.stepperd.control.Subscribe", more=True)
    follower.receive()
    caller = Caller()
    caller.start()
    set_value(321)
    run("apt-get", "install", "--yes", "--no-install-recommends", "/job/next.deb")
    wait_until_active(other_than=pid)
    caller.end.set()
    caller.join(40)
    print(f"{caller.calls} calls, {caller.cut} cut off, {len(caller.refused)} refused")
    equal(caller.refused, [], "refused connections")
    equal(run("dpkg-query", "--show", "--showformat=${Version}", "stepperd").endswith("+next"), True, "the new version")
    equal((get()["value"], describe()["maximum"]), (321, 500), "value and maximum")
    equal(properties("stepperd.socket", "ActiveState"), "active", "socket")
    last = None
    try:
        while True:
            follower.receive()
    except VarlinkError as error:
        last = error.error
    equal(last, "org.stepperd.control.Stopping", "the end of a subscription")
    wait_for_device("knob")
    knob.turn(REL_DIAL, 1)
    wait_for_value(322)


@test
def reinstallation_keeps_what_is_disabled():
    """A service that the administrator disabled stays so."""
    run("systemctl", "disable", "--now", "stepperd.service", "stepperd.socket")
    run("apt-get", "install", "--yes", "--reinstall", "/job/next.deb")
    equal(properties("stepperd.service", "UnitFileState", "ActiveState"), ["disabled", "inactive"], "service")
    equal(properties("stepperd.socket", "UnitFileState", "ActiveState"), ["disabled", "inactive"], "socket")
    run("systemctl", "enable", "--now", "stepperd.service", "stepperd.socket")
    wait_until_active()
