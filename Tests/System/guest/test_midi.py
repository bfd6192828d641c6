"""The package of MIDI: its service, its sandbox, and a controller on a virtual cable of the kernel."""

import contextlib
import glob
import os
import select
import struct

from harness import Skipped, equal, test
from system import (Journal, configuration, devices, get, install, look_at_sandbox, properties, purge, run, set_value, stepperctl,
                    wait_for_value)
from waiting import eventually, pace

UNIT = "stepperd-midi"
#: Tenths, as --threshold= of systemd-analyze has them. installation.md says it.
EXPOSURE = 10
DRIVER = "/root/snd-virmidi.ko"
#: The name of the first port of snd-virmidi.
PORT = "VirMIDI*-0"
#: That of snd-seq-dummy, where what one program plays is heard by others.
THROUGH = "Midi Through*"
BOARD = f"""
[daemon]
providers = ["user:{UNIT}"]
[midi.desk]
port = "{PORT}"
MORE
[midi.others]
port = "*"
ignore = true
[device.desk]
match = {{ provider = "midi" }}
[control.volume]
BINDING
pickup = "jump"
"""


def table(more, binding):
    """The configuration of one controller."""
    return BOARD.replace("MORE", more).replace("BINDING", binding)


class Cable:
    """The controller's end of the virtual cable: bytes of MIDI both ways."""

    def __init__(self):
        self.descriptor, self.came = os.open(sorted(glob.glob("/dev/snd/midiC*D0"))[0], os.O_RDWR | os.O_NONBLOCK), b""

    def send(self, *messages, pause=0.002):
        """Messages one after the other, as a cable brings them."""
        for message in messages:
            rest = bytes(message)
            while rest:
                with contextlib.suppress(BlockingIOError):
                    rest = rest[os.write(self.descriptor, rest):]
            pace(pause)

    def wait_for(self, message):
        """Waits until the controller was sent this."""
        def is_there():
            while select.select([self.descriptor], [], [], 0)[0]:
                self.came += os.read(self.descriptor, 4096)
            return bytes(message) in self.came

        eventually(is_there, lambda: f"{bytes(message).hex()} in {self.came[-200:].hex()}", 20)


def plugged_in(stack, more, binding):
    """A configuration, the service and the cable."""
    if not os.path.exists(DRIVER):
        raise Skipped("this machine's kernel has no virtual cable")
    run("insmod", DRIVER, "midi_devs=1")
    stack.callback(run, "rmmod", "snd_virmidi", status=None)
    stack.enter_context(configuration(table(more, binding)))
    stack.callback(run, "systemctl", "stop", UNIT, status=None)
    run("systemctl", "start", UNIT)
    eventually(lambda: glob.glob("/dev/snd/midiC*D0"), "the cable", 20)
    # What is sent before the port is read is lost.
    eventually(lambda: " of 1 ports" in stepperctl("status"), lambda: stepperctl("status"), 40)
    cable = Cable()
    stack.callback(os.close, cable.descriptor)
    return cable


def plug(way):
    """The cable with its card is plugged in (bind) or pulled out (unbind)."""
    with open(f"/sys/bus/platform/drivers/snd_virmidi/{way}", "w", encoding="ascii") as file:
        file.write("snd_virmidi.0")


def has_a_button():
    """Whether a device of MIDI has its first button."""
    found = (device["capabilities"] for device in devices().values() if device.get("provider") == "midi")
    return any("BTN_0" in str(capabilities) for capabilities in found)


def wait_for_device(count=1):
    """Waits until stepperd has so many devices of MIDI."""
    eventually(lambda: sum((device.get("provider"), device["state"]) == ("midi", "open") for device in devices().values()) == count,
               lambda: f"{devices()}: {stepperctl('status')}", 40)


@test
def midi_package_installs():
    """apt installs it; it is neither enabled nor started before somebody wants it."""
    install(UNIT)
    equal(properties(UNIT, "UnitFileState", "ActiveState", "User"), ["disabled", "inactive", UNIT], "service")
    equal("audio" in run("id", "--name", "--groups", UNIT).split(), True, "it is in the group of the sequencer")


@test
def midi_finds_a_knob(stack):
    """A knob that nobody has described turns a control when it was moved a little, and after a restart at once. Nothing is refused to the
    service."""
    journal = Journal(UNIT)
    cable = plugged_in(stack, "", 'rotate = "desk:REL_DIAL"')
    eventually(lambda: "nothing was moved on it yet" in stepperctl("status"), lambda: stepperctl("status"), 40)
    # Running status: one controller, three times the same value.
    cable.send([0xb0, 16, 1, 16, 1])
    wait_for_device()
    set_value(before := 10)
    cable.send([0xb0, 16, 1], [0xb0, 16, 127], [0xb0, 16, 2])
    wait_for_value(before + 2)
    eventually(lambda: os.path.exists("/var/lib/stepperd-midi/inputs.json"), "what was found is kept", 20)
    for number, way in enumerate(("reload", "restart")):
        since = Journal(UNIT)
        run("systemctl", way, UNIT)
        # A reload of a file that has not changed changes nothing.
        if way == "restart":
            since.wait_for("the sequencer of MIDI is open")
        wait_for_device()
        cable.send([0xb0, 16, 1])
        wait_for_value(before + 3 + number)
    look_at_sandbox(UNIT, EXPOSURE)
    equal("denied" in journal.text(), False, "what the sandbox refused")


@test
def midi_moves_a_motor(stack):
    """A Mackie Control: its fader is moved by hand and by others, and its display and ring show the control."""
    cable = plugged_in(stack, 'protocol = "mackie"', 'title = "Volume"\nabsolute = "desk:ABS_X"\nrotate = "desk:REL_DIAL"\nlight = "desk:ring-1"')
    wait_for_device()
    # What it was told before the cable was open has not come here.
    set_value(50)
    cable.wait_for([0xe0, 0x00, 0x40])
    set_value(100)
    cable.wait_for([0xe0, 0x7f, 0x7f])
    cable.wait_for([0xb0, 48, 0x2b])
    cable.wait_for(b"\xf0\x00\x00\x66\x14\x12\x00Volume \xf7")
    cable.wait_for(b"\xf0\x00\x00\x66\x14\x12\x38100    \xf7")
    # A hand takes it to the lower end.
    cable.send([0x90, 104, 127], [0xe0, 0x00, 0x40], [0xe0, 0x00, 0x00])
    wait_for_value(0)
    cable.send([0x90, 104, 0])
    cable.wait_for([0xe0, 0x00, 0x00])


@test
def midi_withstands_floods(stack):
    """A message of a manufacturer of a megabyte, bytes without sense and 100,000 turns: the service is the same process, and what comes
    afterwards counts."""
    cable = plugged_in(stack, 'knobs = ["cc-1-16"]\nencoding = "complement"', 'rotate = "desk:REL_DIAL"\nmaximum = 1000000')
    cable.send([0xb0, 16, 1], [0xb0, 16, 1])
    wait_for_device()
    before = properties(UNIT, "MainPID", "NRestarts")
    cable.send(b"\xf0" + b"\x7d" * (1 << 20) + b"\xf7", b"\x00\x7f\xff\xf4\xf5\x80" * 1000, [0xb0, 16, 1] * 100_000, pause=0)
    set_value(5)

    def counts():
        cable.send([0xb0, 16, 1], pause=0.1)
        return get()["value"] > 5

    eventually(counts, lambda: f"a turn after the flood: {get()}", 60)
    equal(properties(UNIT, "MainPID", "NRestarts"), before, "the process")


@test
def midi_follows_the_cable(stack):
    """A controller that is pulled out holds nothing, and comes back by itself."""
    cable = plugged_in(stack, "", 'increment = "desk:BTN_0"')
    cable.send([0x90, 60, 100], [0x90, 60, 0])
    eventually(has_a_button, lambda: f"no button was found: {devices()}", 20)
    # The kernel waits until the card's files are closed.
    os.close(cable.descriptor)
    plug("unbind")
    wait_for_device(0)
    plug("bind")
    wait_for_device()
    cable.descriptor = os.open(sorted(glob.glob("/dev/snd/midiC*D0"))[0], os.O_RDWR | os.O_NONBLOCK)
    set_value(5)
    cable.send([0x90, 60, 100], [0x90, 60, 0])
    wait_for_value(6)


@test
def midi_hears_a_program(stack):
    """What a program plays on the sequencer's own port, where the kernel has no virtual cable."""
    with open("/proc/asound/seq/clients", encoding="ascii") as file:
        if "Midi Through" not in file.read():
            raise Skipped("this machine's kernel has a virtual cable instead")
    stack.enter_context(configuration(table('knobs = ["cc-1-16"]\nencoding = "complement"', 'rotate = "desk:REL_DIAL"').replace(PORT, THROUGH)))
    stack.callback(run, "systemctl", "stop", UNIT, status=None)
    run("systemctl", "start", UNIT)
    eventually(lambda: " of 1 ports" in stepperctl("status"), lambda: stepperctl("status"), 40)
    path = "/run/turn.mid"
    stack.callback(run, "rm", "-f", path)

    def play(*values):
        track = b"".join(bytes([0, 0xb0, 16, value]) for value in values) + b"\0\xff\x2f\0"
        with open(path, "wb") as file:
            file.write(b"MThd" + struct.pack(">IHHH", 6, 0, 1, 96) + b"MTrk" + struct.pack(">I", len(track)) + track)
        run("aplaymidi", "--port=Midi Through", path)

    play(1, 1)
    wait_for_device()
    set_value(10)
    play(1, 127, 2)
    wait_for_value(12)


@test
def midi_purge_leaves_nothing():
    """Nor its user, nor what was found."""
    purge(UNIT)
    equal(os.path.exists("/var/lib/stepperd-midi"), False, "its state")
