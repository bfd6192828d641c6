#!/usr/bin/python3
"""What devices can do to be felt, heard and seen: force feedback, sounds, lights, HID haptics, the LED class."""

import errno
import os
import time

import harness
from harness import equal, test
from outputs import (FF_CONSTANT, FF_GAIN, FF_PERIODIC, FF_RUMBLE, FF_SINE, GAMEPAD, RADIAL, HIDOutputs, Light,
                     OutputDevice, Probe)
from uinput import (BTN_0, EV_FF, EV_KEY, EV_LED, EV_MSC, EV_REL, EV_SND, EVENT, REL_DIAL, Reader, node_named)
from waiting import eventually, pace

SND_CLICK, SND_BELL, SND_TONE = 0, 1, 2
LED_CAPSL, LED_MUTE, LED_MISC = 1, 7, 8
MSC_PULSELED = 1
KNOB = {EV_REL: [REL_DIAL], EV_KEY: [BTN_0]}


def forced(*codes, effects=16):
    """A knob with force feedback."""
    return OutputDevice("Test Forced Knob", {**KNOB, EV_FF: codes}, effects=effects)


def watched(probe, command, seconds):
    """Gives a command, and keeps asking the probe something for so many seconds; returns what the command is answered.

    And how many seconds at most the probe stood still meanwhile: what should have begun and ended in these is left out.
    """
    asked, still = time.monotonic(), 0
    answer = probe(command)
    end = time.monotonic() + seconds

    def is_over():
        nonlocal asked, still
        again = time.monotonic()
        probe("outputs")
        asked, still = again, max(still, time.monotonic() - asked)
        return asked >= end

    eventually(is_over, f"{seconds} s are over", 60)
    return answer, still


def plays(probe, command, where):
    """Plays an effect, again and again while its output is busy; fails unless `where` takes it then."""
    equal(eventually(lambda: (answer := probe(command)) != "nothing" and answer, command), where, "where")


def storm(probe, effect, count, milliseconds):
    """Plays an effect so many times in so many milliseconds; returns how often it was felt, and how often it may be at most."""
    played, _, _, _, taken, _ = probe(f"storm {effect} {count} {milliseconds}").split()
    return int(played), float(taken) // 28 + 1


@test
def rumble_is_uploaded_once_and_erased(stack):
    """An effect is uploaded at its first play and erased at the end; the device is grabbed by us."""
    device = stack.enter_context(forced(FF_RUMBLE, FF_GAIN))
    probe = stack.enter_context(Probe(device.node, "--grab"))
    equal(probe.ready, "ready grabbed=true kinds=rumble lights=", "outputs")
    for _ in range(3):
        plays(probe, "play heavy", "rumble")
        device.wait((EV_FF, 0, 1))
    effect = device.uploads[0]
    equal((effect.kind, effect.numbers, effect.length), (FF_RUMBLE, (0xE665, 0xCCCC), 35), "the effect")
    equal((len(device.uploads), device.erased), (1, []), "uploads and erased")
    probe("close")
    equal((device.erased, device.effects), ([0], {}), "erased and left")
    equal([line for line in probe.lines if line.startswith("frame")], [], "what it read of its own writing")


@test
def several_pulses_come_in_time(stack):
    """An error is three buzzes, each begun by us and ended by the device."""
    device = stack.enter_context(forced(FF_RUMBLE))
    probe = stack.enter_context(Probe(device.node))
    start = time.monotonic()
    where, still = watched(probe, "play error", 0.4)
    equal(where, "rumble", "where")
    eventually(lambda: len(device.written) >= (3 if still < 0.05 else 1), f"buzzes; it stood still for {still} s")
    equal((set(device.written), len(device.written) <= 3), ({(EV_FF, 0, 1)}, True), f"written: {device.written}")
    times = [round(1000 * (moment - start)) for moment in device.times]
    equal(all(moment >= 120 * index for index, moment in enumerate(times)), True, f"milliseconds: {times}")
    equal([effect.length for effect in device.uploads], [50], "uploads")


@test
def other_forces(stack):
    """A device without motors has periodic effects or a constant force."""
    with forced(FF_PERIODIC, FF_SINE) as device, Probe(device.node) as probe:
        # The kernel offers rumble on top of it, and makes it periodic.
        equal(probe.ready, "ready grabbed=false kinds=rumble,periodic lights=", "outputs")
        equal((probe("play rigid"), probe("play rigid periodic")), ("rumble", "periodic"), "where")
        device.wait((EV_FF, 0, 1), (EV_FF, 1, 1))
        equal([(effect.kind, effect.numbers) for effect in device.uploads],
              [(FF_PERIODIC, (FF_SINE, 50, 0xFFFF // 3 + 0xFFFF // 6)), (FF_PERIODIC, (FF_SINE, 10, 0x7FFF))], "effects")
    with forced(FF_CONSTANT) as device, Probe(device.node) as probe:
        equal(probe("play rigid rumble"), "constant", "where")
        device.wait((EV_FF, 0, 1))
        equal((device.uploads[0].kind, device.uploads[0].numbers), (FF_CONSTANT, (0x7FFF,)), "effect")


@test
def stronger_replaces_weaker(stack):
    """A stronger effect stops a weaker one; a weaker or equal one is dropped."""
    device = stack.enter_context(forced(FF_RUMBLE))
    probe = stack.enter_context(Probe(device.node))
    start = time.monotonic()
    where = [probe(f"play {effect}") for effect in ("warning", "error", "warning", "error")]
    taken = time.monotonic() - start
    equal(where[:2], ["rumble", "rumble"], "where")
    eventually(lambda: (EV_FF, 1, 1) in device.written, "the stronger one")
    if taken < 0.16:  # else the second pulse of the first may have begun, and any of them may be over
        equal(where[2:], ["nothing", "nothing"], "where the others")
        equal(device.written[:3], [(EV_FF, 0, 1), (EV_FF, 0, 0), (EV_FF, 1, 1)], "written")


@test
def storm_is_bounded(stack):
    """A thousand plays in a second are few buzzes, one upload, and nothing that follows."""
    device = stack.enter_context(forced(FF_RUMBLE))
    probe = stack.enter_context(Probe(device.node, "--grab"))
    played, most = storm(probe, "selection", 1000, 1000)
    equal(2 <= played <= most, True, f"plays: {played}, at most {most}")
    eventually(lambda: len(device.written) == played, "all of them")
    count = len(device.written)
    device.turn(REL_DIAL, 1)  # the device goes on being read, and lost nothing
    probe.line("frame EV_REL REL_DIAL=1")
    equal((len(device.written), len(device.uploads)), (count, 1), "writes and uploads")
    equal(probe("overruns"), "0 wakeups 1", "overruns, and wakeups by our own writing")


@test
def full_device_makes_room(stack):
    """When a device has no room for one more effect, what was used longest ago is erased."""
    device = stack.enter_context(forced(FF_RUMBLE, effects=2))
    probe = stack.enter_context(Probe(device.node))
    for effect in ("selection", "light", "medium", "heavy"):
        equal(probe(f"play {effect}"), "rumble", "where")
        pace(0.06)  # a hand's pause, or the effect would be replaced by the next, which is stronger
    equal((device.erased, [effect.identifier for effect in device.uploads]), ([0, 1], [0, 1, 0, 1]), "erased, uploaded")
    probe("close")
    equal(device.effects, {}, "left")


@test
def gain(stack):
    """FF_GAIN where there is one, else weaker effects."""
    with forced(FF_RUMBLE, FF_GAIN) as device, Probe(device.node) as probe:
        probe("gain 0.5")
        probe("play rigid")
        device.wait((EV_FF, FF_GAIN, 0x7FFF), (EV_FF, 0, 1))
        equal(device.uploads[0].numbers, (0xFFFF, 0xFFFF), "effect")
        probe("close")
        device.wait((EV_FF, 0, 0), (EV_FF, 0, 0), (EV_FF, FF_GAIN, 0xFFFF))
    with forced(FF_RUMBLE) as device, Probe(device.node) as probe:
        probe("gain 0.5")
        probe("play rigid")
        device.wait((EV_FF, 0, 1))
        equal(device.uploads[0].numbers, (0x7FFF, 0x7FFF), "effect")


@test
def failing_output_falls_back(stack):
    """A device that refuses uploads beeps instead; the failure is told once, and the device goes on."""
    device = stack.enter_context(OutputDevice(
        "Test Broken Knob", {**KNOB, EV_FF: [FF_RUMBLE, FF_CONSTANT], EV_SND: [SND_TONE]}))
    device.refuse = errno.EIO
    probe = stack.enter_context(Probe(device.node))
    equal(probe("play heavy"), "tone", "where")
    probe.line(f"problem rumble {errno.EIO}")
    equal(probe("outputs"), "=tone lights=", "outputs")
    device.wait((EV_SND, SND_TONE, 800), (EV_SND, SND_TONE, 0))
    plays(probe, "play heavy rumble", "tone")
    device.turn(REL_DIAL, 2)
    probe.line("frame EV_REL REL_DIAL=2")
    equal(len([line for line in probe.lines if line.startswith("problem")]), 1, "problems told")


@test
def sounds_end(stack):
    """Clicks, tones and bells are switched off after their time, under our grab and at the end."""
    device = stack.enter_context(OutputDevice(
        "Test Beeper", {**KNOB, EV_SND: [SND_CLICK, SND_BELL, SND_TONE]}))
    probe = stack.enter_context(Probe(device.node, "--grab"))
    equal(probe.ready, "ready grabbed=true kinds=click,tone,bell lights=", "outputs")
    equal(probe("play light"), "click", "where")
    device.wait((EV_SND, SND_CLICK, 1), (EV_SND, SND_CLICK, 0))
    equal(probe("play light tone"), "tone", "where")
    device.wait((EV_SND, SND_TONE, 1600), (EV_SND, SND_TONE, 0))
    equal(probe("play light bell"), "bell", "where")
    device.wait((EV_SND, SND_BELL, 1), (EV_SND, SND_BELL, 0))
    probe("play heavy tone")
    probe("close")
    device.wait((EV_SND, SND_TONE, 800), (EV_SND, SND_TONE, 0))


@test
def others_are_locked_out_by_the_grab(stack):
    """While we hold the grab, what another program writes does nothing and what we write does."""
    device = stack.enter_context(OutputDevice("Test Lights", {**KNOB, EV_LED: [LED_MUTE]}))
    probe = stack.enter_context(Probe(device.node, "--grab"))
    with open(device.node, "wb", buffering=0) as other:
        other.write(EVENT.pack(0, 0, EV_LED, LED_MUTE, 1))
    equal(probe("light LED_MUTE 0.5"), "true", "whether it is there")
    device.wait((EV_LED, LED_MUTE, 1))
    equal(probe("light LED_MUTE 0.6"), "true", "no change")
    probe("light LED_MUTE 0.49")
    device.wait((EV_LED, LED_MUTE, 0))


@test
def led_flashes_and_is_left_as_found(stack):
    """An effect flashes a light that is not the keyboard's, and the end leaves lights as they were."""
    device = stack.enter_context(OutputDevice("Test Lights", {**KNOB, EV_LED: [LED_CAPSL, LED_MUTE, LED_MISC]}))
    with open(device.node, "wb", buffering=0) as other:
        other.write(EVENT.pack(0, 0, EV_LED, LED_MUTE, 1))
    device.wait((EV_LED, LED_MUTE, 1))
    probe = stack.enter_context(Probe(device.node, "--grab"))
    equal(probe.ready, "ready grabbed=true kinds=led lights=LED_CAPSL,LED_MUTE,LED_MISC", "outputs")
    equal(probe("play light"), "led", "where")
    device.wait((EV_LED, LED_MUTE, 0), (EV_LED, LED_MUTE, 1))
    probe("light LED_MUTE 0")
    probe("light LED_MISC 1")
    device.wait((EV_LED, LED_MUTE, 0), (EV_LED, LED_MISC, 1))
    equal(probe("light LED_NUML 1"), "false", "a light that is not there")
    probe("close")
    device.wait((EV_LED, LED_MUTE, 1), (EV_LED, LED_MISC, 0))


@test
def lights_do_not_disturb_reading(stack):
    """A light that follows a fast knob fills nobody's queue: not ours, which masks it, nor another reader's."""
    device = stack.enter_context(OutputDevice("Griffin PowerMate", {**KNOB, EV_MSC: [MSC_PULSELED]}))
    other = stack.enter_context(Reader(device.node))
    probe = stack.enter_context(Probe(device.node))
    equal(probe.ready, "ready grabbed=false kinds=pulse-led lights=MSC_PULSELED", "outputs")
    for step in range(256):
        probe(f"light MSC_PULSELED {step / 255}")
        other.read()
    device.turn(REL_DIAL, 1)
    probe.line("frame EV_REL REL_DIAL=1")
    equal(probe("overruns"), "0 wakeups 1", "overruns and wakeups")
    device.wait(*[(EV_MSC, MSC_PULSELED, level | 255 << 8 | 1 << 19) for level in range(256)])
    probe("close")
    device.wait((EV_MSC, MSC_PULSELED, 0x80 | 255 << 8 | 1 << 19))


@test
def read_only_device_has_none(stack):
    """Without permission to write there are no outputs, and the device is read."""
    device = stack.enter_context(forced(FF_RUMBLE))
    os.chmod(device.node, 0o444)
    probe = stack.enter_context(Probe(device.node, user=65534))
    equal(probe.ready, "ready grabbed=false kinds= lights=", "outputs")
    equal(probe("play heavy"), "nothing", "where")
    device.turn(REL_DIAL, 1)
    probe.line("frame EV_REL REL_DIAL=1")


@test
def unplugged_while_playing(stack):
    """A device that goes in the middle of an effect ends as any does."""
    device = stack.enter_context(forced(FF_RUMBLE))
    probe = stack.enter_context(Probe(device.node))
    probe("play error")
    device.unplug()
    probe.line(f"ended {errno.ENODEV}")
    equal(probe.process.wait(5), 0, "exit status")


@test
def motors_of_a_real_driver(stack):
    """Rumble reaches the motors through the kernel's own ff-memless and hid-microsoft, and ends by itself."""
    pad = stack.enter_context(HIDOutputs("Test Pad", GAMEPAD, 0x045E, 0x02FD))
    node = eventually(lambda: pad.read() or node_named("Test Pad"), "the pad's node")
    probe = stack.enter_context(Probe(node, "--grab"))
    # The kernel offers periodic effects on top of it, and makes them rumble.
    equal(probe.ready, "ready grabbed=true kinds=rumble,periodic lights=", "outputs")
    start = time.monotonic()
    equal(probe("play heavy"), "rumble", "where")
    pad.wait(bytes((3, 3, 0, 0, 89, 80, 255, 0, 255)), bytes((3, 3, 0, 0, 0, 0, 255, 0, 255)))
    print(f"on and off within {1000 * (time.monotonic() - start):.0f} ms")
    probe("gain 0.5")
    plays(probe, "play heavy", "rumble")
    pad.wait(bytes((3, 3, 0, 0, 44, 39, 255, 0, 255)), bytes((3, 3, 0, 0, 0, 0, 255, 0, 255)))


@test
def haptics_by_hidraw(stack):
    """A dial with HID haptics, which has no EV_FF, clicks by the output report its descriptor describes."""
    dial = stack.enter_context(HIDOutputs("Test Dial", RADIAL, 0x045E, 0x091B))
    node = eventually(lambda: dial.read() or node_named("Test Dial System Multi Axis"), "the dial's node")
    probe = stack.enter_context(Probe(node, "--haptic", "--grab"))
    equal(probe.ready, "ready grabbed=true kinds=haptic lights=", "outputs")
    click = bytes((1, 0, 4, 0, 0))
    equal(probe("play medium"), "haptic", "where")
    dial.wait(click)
    played, most = storm(probe, "selection", 200, 200)
    equal(1 <= played <= most, True, f"plays: {played}, at most {most}")
    dial.wait(*[click] * played)


@test
def haptics_that_are_not_there(stack):
    """A device without haptics has none, which is no error; one whose hidraw node is root's has none for us."""
    knob = stack.enter_context(forced(FF_RUMBLE))
    probe = stack.enter_context(Probe(knob.node, "--haptic"))
    equal((probe.ready, probe.lines[:-1]), ("ready grabbed=false kinds=rumble lights=", []), "outputs")
    dial = stack.enter_context(HIDOutputs("Test Dial", RADIAL, 0x045E, 0x091B))
    node = eventually(lambda: dial.read() or node_named("Test Dial System Multi Axis"), "the dial's node")
    os.chmod(node, 0o666)
    probe = stack.enter_context(Probe(node, "--haptic", user=65534))
    equal((probe.ready, probe.lines[:-1]), ("ready grabbed=false kinds= lights=", [f"haptic {errno.EACCES}"]), "outputs")


@test
def light_of_the_led_class(stack):
    """Its brightness follows a value, an effect flashes it, and the end leaves it as found."""
    light = stack.enter_context(Light("test::ring", 200))
    probe = stack.enter_context(Probe("-", "--light", light.sysfs))
    equal(probe.ready, "ready grabbed=false kinds=class-led lights=test::ring", "outputs")
    probe("light test::ring 0.25")
    light.wait(50)
    equal(probe("play light"), "class-led", "where")
    light.wait(50)  # the kernel tells of it again only after another brightness
    probe("close")
    light.wait(0)


@test
def vibrator_with_the_transient_trigger(stack):
    """A vibrator of the LED class ends each pulse by the kernel's timer, and gets its trigger back."""
    vibrator = stack.enter_context(Light("test:vibrator", 255))
    probe = stack.enter_context(Probe("-", "--vibrator", vibrator.sysfs))
    equal(probe.ready, "ready grabbed=false kinds=vibrator lights=", "outputs")
    equal("[transient]" in vibrator.attribute("trigger"), True, "the trigger")
    equal(probe("play heavy"), "vibrator", "where")
    vibrator.wait(0)  # the kernel tells of it only after another level, here and below
    equal((vibrator.attribute("duration"), vibrator.attribute("state")), ("35", "1"), "duration and state")
    probe("play error")
    probe("close")
    vibrator.wait(0)
    equal("[none]" in vibrator.attribute("trigger"), True, "the trigger at the end")


if __name__ == "__main__":
    harness.main()
