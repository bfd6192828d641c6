"""The package of serial lines: its service, its sandbox, and a board at the end of a pseudoterminal."""

import os
import termios
import tty

from harness import equal, test
from system import (Journal, configuration, devices, get, install, look_at_sandbox, properties, purge, run, stepperctl, wait_for_value)
from waiting import eventually

UNIT = "stepperd-serial"
#: Tenths, as --threshold= of systemd-analyze has them. installation.md says it.
EXPOSURE = 10
PORT = "/run/test-board"
BOARD = f"""
[daemon]
providers = ["user:{UNIT}"]
[serial.desk]
port = "{PORT}"
[device.desk]
match = {{ provider = "serial" }}
[control.volume]
rotate = "desk:REL_DIAL"
"""


def wait_for_status(text):
    """Waits until stepperctl says this of the serial lines."""
    eventually(lambda: text in stepperctl("status"), lambda: f"{text!r}: {stepperctl('status')}", 40)


@test
def serial_package_installs():
    """apt installs it; it is neither enabled nor started before somebody wants it."""
    install(UNIT)
    equal(properties(UNIT, "UnitFileState", "ActiveState", "User"), ["disabled", "inactive", UNIT], "service")
    equal("dialout" in run("id", "--name", "--groups", UNIT).split(), True, "it is in the group of serial ports")


@test
def serial_ends_without_a_line(stack):
    """Without a serial line in the configuration it ends with success, and says so."""
    stack.enter_context(configuration("[control.volume]\n"))
    run("systemctl", "start", UNIT)
    eventually(lambda: properties(UNIT, "ActiveState", "Result") == ["inactive", "success"], "it has ended", 30)
    equal("there is no [serial.NAME]" in run("journalctl", "--unit", UNIT, "--output=cat"), True, "that is said")


@test
def serial_refuses_the_console(stack):
    """A board would take the kernel's messages for its own."""
    with open("/sys/class/tty/console/active", encoding="ascii") as file:
        console = file.read().split()[-1]
    stack.enter_context(configuration(BOARD.replace(PORT, f"/dev/{console}")))
    stack.callback(run, "systemctl", "stop", UNIT, status=None)
    run("systemctl", "start", UNIT)
    eventually(lambda: "serial" in stepperctl("status"), "a status", 30)
    wait_for_status("is a console of this machine" if os.stat(f"/dev/{console}").st_mode & 0o060 == 0o060 else "may not be opened")


@test
def serial_works_in_its_sandbox(stack):
    """A board at a port that its unit may open turns a control; nothing is refused to the service."""
    journal = Journal(UNIT)
    stack.enter_context(configuration(BOARD))
    board, port = os.openpty()
    stack.callback(os.close, board)
    stack.callback(os.close, port)
    tty.setraw(port, termios.TCSANOW)
    name = os.ttyname(port)
    run("chown", "root:dialout", name)
    os.chmod(name, 0o660)
    os.symlink(name, PORT)
    stack.callback(os.unlink, PORT)
    stack.callback(run, "systemctl", "stop", UNIT, status=None)
    run("systemctl", "start", UNIT)
    wait_for_status("nothing was heard from a board")
    os.write(board, b"hello desk\nknob dial\n")
    eventually(lambda: [device for device in devices().values() if (device.get("provider"), device["state"]) == ("serial", "open")], "the board", 40)
    before = get()["value"]
    os.write(board, b"dial +2\n")
    wait_for_value(before + 2)
    look_at_sandbox(UNIT, EXPOSURE)
    equal("denied" in journal.text(), False, "what the sandbox refused")


@test
def serial_purge_leaves_nothing():
    """Nor its user."""
    purge(UNIT)
