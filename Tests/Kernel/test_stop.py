#!/usr/bin/python3
"""How the daemon starts, reloads and ends, with real devices in use."""

import os
import signal

import harness
from harness import equal, test
from connection import Subscription, VarlinkError
from stepperd import Daemon, configuration
from uinput import KEY_VOLUMEUP, REL_DIAL, panel
from waiting import eventually

GUEST = {"udev": True}

CONFIGURATION = configuration("panel", each="grab = true", volume="initial = 10")


def last_word(subscription):
    """Reads on until the subscription ends, and returns the name of the error it ends with."""
    try:
        for _ in subscription:
            pass
    except VarlinkError as error:
        return error.error
    except EOFError:
        return "no word"
    return None


def ends_in_good_order(stack, number):
    """Signals a daemon that has a button held and subscribers."""
    device = stack.enter_context(panel())
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    daemon.wait_for_device("panel", "grabbed")
    volume = stack.enter_context(daemon.subscribe("volume"))
    devices = stack.enter_context(Subscription(daemon.socket, "org.stepperd.device.Subscribe"))
    device.key(KEY_VOLUMEUP, True)
    volume.states(until=lambda state: state["value"] == 12)
    equal(daemon.stop(number), 0, "exit status")
    equal(last_word(volume), "org.stepperd.control.Stopping", "end of the controls' subscription")
    equal(last_word(devices), "org.stepperd.device.Stopping", "end of the devices' subscription")
    equal(os.path.exists(daemon.socket), False, "the socket is left behind")


@test
def sigterm_while_held(stack):
    """SIGTERM ends it in good order, and tells the subscribers."""
    ends_in_good_order(stack, signal.SIGTERM)


@test
def sigint_while_held(stack):
    """So does Ctrl-C."""
    ends_in_good_order(stack, signal.SIGINT)


@test
def tells_the_service_manager(stack):
    """READY=1 when it can be used, STOPPING=1 when it ends."""
    daemon = stack.enter_context(Daemon(CONFIGURATION, notify=True))
    daemon.notifications.settimeout(5)
    words = []
    while "READY=1" not in words:
        words += daemon.notifications.recv(4096).decode().split("\n")
    equal(daemon.stop(), 0, "exit status")
    while "STOPPING=1" not in words:
        words += daemon.notifications.recv(4096).decode().split("\n")


@test
def sighup_reloads(stack):
    """A new configuration is taken while the device stays in use; a bad one changes nothing."""
    device = stack.enter_context(panel())
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    daemon.wait_for_device("panel", "grabbed")
    watch = stack.enter_context(daemon.subscribe())
    daemon.configure(CONFIGURATION + '\n[control.second]\ninitial = 5\nrotate = "panel:REL_DIAL"\n')
    daemon.kill(signal.SIGHUP)
    reply = watch.next()
    while not reply["snapshot"]:
        reply = watch.next()
    equal(sorted(state["control"] for state in reply["states"]), ["second", "volume"], "controls")
    equal(reply["instance"] == watch.first["instance"], False, "the instance is the old one")
    daemon.wait_for_device("panel", "grabbed")
    device.turn(REL_DIAL, 3)
    daemon.wait_for_value(13)
    daemon.wait_for_value(8, "second")
    daemon.configure("[control.volume]\nmaximum = \"much\"\n")
    daemon.kill(signal.SIGHUP)
    eventually(lambda: "maximum" in daemon.text(), "the problem is in the log")
    device.turn(REL_DIAL, 1)
    daemon.wait_for_value(14)


@test
def reload_while_held(stack):
    """A button that is held over a reload does not go on for ever."""
    device = stack.enter_context(panel())
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    daemon.wait_for_device("panel", "grabbed")
    watch = stack.enter_context(daemon.subscribe("volume"))
    device.key(KEY_VOLUMEUP, True)
    watch.states(until=lambda state: state["value"] == 12)
    daemon.client.call("org.stepperd.manager.Reload")
    device.key(KEY_VOLUMEUP, False)
    daemon.rests_and_steps(device, KEY_VOLUMEUP, watch, by=1)


@test
def killed_and_started_again(stack):
    """After a crash a new daemon takes over the socket that was left behind, and the device."""
    device = stack.enter_context(panel())
    daemon = stack.enter_context(Daemon(CONFIGURATION))
    daemon.wait_for_device("panel", "grabbed")
    daemon.kill(signal.SIGKILL)
    daemon.process.wait()
    again = stack.enter_context(Daemon(CONFIGURATION, runtime=daemon.runtime))
    again.wait_for_device("panel", "grabbed")
    device.turn(REL_DIAL, 1)
    again.wait_for_value(11)


if __name__ == "__main__":
    harness.main()
