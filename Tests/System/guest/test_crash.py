"""What ends or stops the daemon costs no value and keeps it from no client."""

import os
import signal
import subprocess
import time

from harness import equal, test
from system import (Journal, configuration, drop_in, get, knob_is_open, main_pid, plugged_in, properties, run, set_and_save, set_value, stepperctl,
                    wait_for_value, wait_until_active)
from uinput import REL_DIAL
from waiting import eventually


@test
def watchdog_ends_a_daemon_that_hangs(stack):
    """A daemon that stands still is ended and started again by systemd, with the values and the knob."""
    equal(properties("stepperd", "WatchdogUSec"), "30s", "the unit's own watchdog")
    knob = plugged_in(stack)
    # Long enough for an emulated processor that starts it.
    stack.enter_context(drop_in("[Service]\nWatchdogSec=8s\n"))
    eventually(knob_is_open, "the daemon reads the knob", 30)
    set_and_save(42)
    pid, journal = main_pid(), Journal()
    os.kill(pid, signal.SIGSTOP)
    journal.wait_for("atchdog timeout", 40)
    wait_until_active(other_than=pid)
    eventually(knob_is_open, "the daemon reads the knob", 30)
    equal(get()["value"], 42, "value")
    knob.turn(REL_DIAL, 1)
    wait_for_value(43)


@test
def killed_daemon_comes_back(stack):
    """After SIGKILL it is there again with the values; a client that calls meanwhile waits and is answered."""
    knob = plugged_in(stack)
    set_and_save(17)
    pid = main_pid()
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: not os.path.exists(f"/proc/{pid}"), "it is gone")
    equal(stepperctl("get", "volume", by="alice").strip(), "17", "value")
    equal(wait_until_active(other_than=pid) != pid, True, "it is another one")
    eventually(knob_is_open, "the daemon reads the knob", 30)
    knob.turn(REL_DIAL, 1)
    wait_for_value(18)


@test
def crash_loop_recovers():
    """Killed ten times as soon as it runs, it is there again, and at most once a second meanwhile."""
    set_and_save(23)
    before, start, pid = int(properties("stepperd", "NRestarts")), time.monotonic(), 0
    for _ in range(10):
        pid = wait_until_active(other_than=pid)
        os.kill(pid, signal.SIGKILL)
    wait_until_active(other_than=pid)
    taken = time.monotonic() - start
    equal(int(properties("stepperd", "NRestarts")) - before, 10, "restarts")
    equal(taken >= 10, True, f"ten restarts took {taken:.1f} s")
    equal((properties("stepperd.socket", "ActiveState"), get()["value"]), ("active", 23), "socket and value")


@test
def crash_at_the_start_recovers(stack):
    """A daemon that dies before it is ready, again and again, is tried once a second until it lives; clients that
    connect meanwhile are sent away, and neither they nor the socket are lost for good."""
    set_and_save(29)
    count, program = "/run/test-crashes", "/run/test-crash"
    # Ten times something else than the daemon, that ends as a crash does.
    with open(program, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nif [ $(wc -l <{count}) -lt 10 ]; then kill -SEGV $$; fi\n"
                   "exec /usr/bin/stepperd --system\n")
    os.chmod(program, 0o755)
    with open(count, "w", encoding="utf-8"):
        pass
    # "+": it counts outside of the sandbox.
    stack.enter_context(drop_in(
        f"[Service]\nExecStartPre=+/bin/sh -c 'echo >>{count}'\nExecStart=\nExecStart={program}\n", wait=False))
    start = time.monotonic()
    outcomes = set()
    while properties("stepperd", "ActiveState") != "active":
        equal(time.monotonic() - start < 120, True, "within two minutes")
        outcomes.add(subprocess.run(["stepperctl", "get", "volume", "--timeout", "5s"], capture_output=True).returncode)
    print(f"meanwhile stepperctl ended with {sorted(outcomes)}")
    # An answer, no connection, or none in time; nothing else.
    equal(outcomes <= {0, 3, 124}, True, f"outcomes {outcomes}")
    with open(count, encoding="utf-8") as file:
        equal(len(file.readlines()), 10, "starts")
    equal((get()["value"], properties("stepperd.socket", "ActiveState")), (29, "active"), "value and socket")


@test
def stop_loses_nothing(stack):
    """What was turned a moment before the service is stopped is there when it starts again."""
    knob = plugged_in(stack, 50)
    knob.turn(REL_DIAL, 4)
    wait_for_value(54)
    run("systemctl", "stop", "stepperd")
    equal(properties("stepperd", "Result"), "success", "result of the service")
    # It is the socket that starts it.
    equal(stepperctl("get", "volume", by="alice").strip(), "54", "value")


@test
def hungry_command_is_killed_and_the_daemon_is_not(stack):
    """MemoryMax= is in force: a command that eats memory is killed, and the daemon goes on."""
    stack.enter_context(configuration("""
[device.panel]
virtual = true

[control.volume]
rotate = "panel:dial"
on-change = { command = ["/usr/bin/python3", "-c", "x = b'x' * (400 << 20)"], timeout = "1m" }
"""))
    pid, journal = main_pid(), Journal()
    set_value(5)
    journal.wait_for("on-change: .*signal 9", 60)
    equal(main_pid(), pid, "process of the daemon")
    equal((properties("stepperd", "ActiveState"), get()["value"]), ("active", 5), "state and value")
