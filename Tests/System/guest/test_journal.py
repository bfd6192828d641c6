"""What an operator sees: status and journal, and nothing that somebody else wrote there."""

import json
import socket

from harness import equal, test
from system import SOCKET, Journal, connect, powermate, run, stepperctl
from uinput import EV_KEY, EV_REL, REL_DIAL, Device
from waiting import eventually


def status_text():
    """What systemctl status says."""
    return run("systemctl", "status", "--no-pager", "stepperd", status=None)


@test
def status_line_counts(stack):
    """systemctl status says how many devices, controls and clients there are."""
    stack.enter_context(powermate())
    client = connect()
    stack.callback(client.close)
    eventually(lambda: 'Status: "2 devices, 1 control, 1 client"' in status_text(), "the line of the status", 30)


@test
def knob_is_in_the_journal(stack):
    """The journal says which knob came, at which node, and that it went."""
    journal = Journal()
    with powermate() as knob:
        journal.wait_for(f"Griffin PowerMate.*{knob.node}")
    journal.wait_for("is lost: No such device")


@test
def message_has_a_priority():
    """Each message of the daemon has the priority that journalctl filters by."""
    entries = [entry for entry in Journal.all() if entry.get("_COMM") == "stepperd"]
    equal(len(entries) > 0, True, "messages")
    found = {entry.get("PRIORITY") for entry in entries}
    equal(found <= {"3", "4", "5", "6"}, True, f"priorities {found}")
    equal([entry["MESSAGE"] for entry in entries if str(entry["MESSAGE"]).startswith("<")], [], "prefixes that were left")


@test
def nothing_is_forged(stack):
    """A device's name and a client's text with line ends and escapes make no line and no colour of their own."""
    journal = Journal()
    forged = "Evil\n<0>daemon: forged line\x1b[31m\r\x9bdevice: forged too"
    stack.enter_context(Device(forged, {EV_REL: [REL_DIAL], EV_KEY: [0x100]}, vendor=0x077D, product=0x0410))
    journal.wait_for("Evil")
    client = connect()
    stack.callback(client.close)
    for method in ("org.stepperd.control.Get", "org.stepperd.manager.Check", "org.stepperd.control.Set\r\n<0>daemon: forged"):
        client.socket.sendall(json.dumps({"method": method, "parameters": {
            "control": "x\n<0>daemon: forged line", "text": "a\x1b[31m = \u202e\r\n<0>forged", "file": "x\n<0>forged"}}).encode() + b"\0")
    # Garbage that closes the connection, which is logged with what was found.
    for garbage in (b"\n<0>daemon: forged\x1b[31m\0", b'{"method":"a\\u001b[31m\\n<0>daemon: forged"}\0'):
        with socket.socket(socket.AF_UNIX) as other:
            other.connect(SOCKET)
            other.sendall(garbage)
            other.settimeout(20)
            other.recv(65536)
    shown = stepperctl("devices") + status_text()
    for text in (journal.text(), shown):
        for line in text.splitlines():
            equal("forged" in line and line.lstrip().startswith(("daemon: forged", "device: forged", "<0>")), False,
                  f"a forged line {line!r}")
        equal([sign for sign in "\x1b\r\x9b\u202e" if sign in text], [], f"raw signs in {text!r}")
    equal([entry for entry in journal.entries() if int(entry["PRIORITY"]) < 3], [], "messages of a forged priority")
