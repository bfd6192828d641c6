#!/usr/bin/python3
"""From a moment of a control to what is felt, heard and seen: the real daemon on devices that note what is written."""

import glob
import os
import signal
import subprocess
import time

import harness
from harness import equal, test
from outputs import DIAL_LED, FF_GAIN, FF_RUMBLE, GAMEPAD, RADIAL, RADIAL_DETENTS, HIDOutputs, Light, OutputDevice
from connection import Connection
from stepperd import PROGRAMS, Daemon
from udev import OUR_GROUP, settle
from uinput import BTN_0, EV_FF, EV_KEY, EV_LED, EV_MSC, EV_REL, EV_SND, REL_DIAL, node_named
from waiting import eventually, pace

GUEST = {"udev": True}

SND_CLICK, SND_TONE = 0, 2
LED_MUTE, LED_MISC = 7, 8
MSC_PULSELED = 1
#: Seconds between two turns of a hand, longer than an effect is: one that comes while another plays is dropped.
HAND = 0.1
KNOB = {EV_REL: [REL_DIAL], EV_KEY: [BTN_0]}
#: The kernel's force feedback of a device that a program makes is used where it is named.
VOLUME = '[control.volume]\nrotate = "knob:REL_DIAL"\noutputs = "knob"\n'
MOMENTS = ("increment", "decrement", "limit", "minimum", "maximum", "wrap", "press", "release", "short-press",
           "double-press", "triple-press", "long-press", "reset", "set", "connect", "disconnect", "end")


def reload(daemon, text):
    """Has the daemon read another configuration."""
    daemon.configure(text)
    daemon.client.call("org.stepperd.manager.Reload")


def device(stack, name, has):
    """A device of ours that notes what is written to it."""
    return stack.enter_context(OutputDevice(name, has))


def tables(name, grab=False):
    """The device table of a test device."""
    return f'[device.{name}]\nmatch = {{ name = "Test {name}" }}\n' + ("grab = true\n" if grab else "")


@test
def knob_under_the_grab_is_felt(stack):
    """Each change is a light impact, the end a stronger one; the knob is grabbed, and its effects erased at the end."""
    knob = device(stack, "Test knob", {**KNOB, EV_FF: [FF_RUMBLE]})
    with Daemon(tables("knob", grab=True) + """
[control.volume]
maximum = 2
rotate = "knob:REL_DIAL"
outputs = "knob"
""") as daemon:
        daemon.wait_for_device("knob", "grabbed")
        equal(daemon.devices()["knob"]["outputs"], ["rumble"], "outputs")
        knob.turn(REL_DIAL, 1)
        knob.wait((EV_FF, 0, 1))
        pace(HAND)
        knob.turn(REL_DIAL, 1)
        eventually(lambda: len(knob.written) >= 2, "the change and the end")
        pace(HAND)
        knob.turn(REL_DIAL, 1)
        eventually(lambda: len(knob.uploads) == 3, "light, medium and rigid")
        equal([effect.length for effect in knob.uploads], [12, 20, 10], "milliseconds of light, medium and rigid")
    eventually(lambda: sorted(knob.erased) == [0, 1, 2], "everything was erased")


@test
def knob_here_and_buzzer_there(stack):
    """Effects go to the outputs that the control names, on other devices, all of them."""
    knob = device(stack, "Test knob", {**KNOB, EV_SND: [SND_TONE]})
    buzzer = device(stack, "Test buzzer", {EV_SND: [SND_CLICK, SND_TONE]})
    lamp = device(stack, "Test lamp", {EV_LED: [LED_MUTE]})
    daemon = stack.enter_context(Daemon(tables("knob") + tables("buzzer") + tables("lamp") + """
[control.volume]
rotate = "knob:REL_DIAL"
outputs = ["buzzer:tone", "lamp"]
feedback = { increment = "heavy" }
"""))
    for name in ("knob", "buzzer", "lamp"):
        daemon.wait_for_device(name)
    knob.turn(REL_DIAL, 1)
    buzzer.wait((EV_SND, SND_TONE, 800), (EV_SND, SND_TONE, 0))
    lamp.wait((EV_LED, LED_MUTE, 1), (EV_LED, LED_MUTE, 0))
    equal(knob.written, [], "what the knob itself was told")


@test
def every_moment_can_be_felt(stack):
    """Each moment, alone, with an effect of its own: what was not asked for stays silent."""
    knob = device(stack, "Test knob", {**KNOB, EV_SND: [SND_TONE]})
    daemon = stack.enter_context(Daemon(tables("knob") + "[control.volume]\nrotate = \"knob:REL_DIAL\"\n"))
    daemon.wait_for_device("knob")

    def turn(*detents):
        return lambda: knob.turn(REL_DIAL, *detents)

    def push(*, until=lambda: True):
        knob.key(BTN_0, True)
        eventually(until, "something for a button that is held")
        knob.key(BTN_0, False)

    ways = {"increment": (5, turn(1)), "decrement": (5, turn(-1)), "limit": (10, turn(1)), "minimum": (1, turn(-1)),
            "maximum": (9, turn(1)), "wrap": (10, turn(1)), "press": (5, push), "release": (5, push),
            "short-press": (5, push), "long-press": (5, lambda: push(until=lambda: knob.written)), "reset": (7, push),
            "set": (5, lambda: daemon.set(6)), "end": (5, turn(1))}
    for moment, (value, way) in ways.items():
        wraps = "true" if moment == "wrap" else "false"
        delay = "500ms" if moment == "long-press" else "60s"  # a busy machine makes no long press of a short one

        def configure(felt):
            effects = ", ".join(f'{each} = "{"selection" if each == felt else "none"}"' for each in MOMENTS)
            reload(daemon, tables("knob") + f"""
[control.volume]
maximum = 10
initial = 5
wraps = {wraps}
rotate = "knob:REL_DIAL"
push = {{ input = "knob:BTN_0", short = "reset", long = "page-mode", delay = "{delay}" }}
feedback = {{ {effects} }}
""")

        configure(None)
        daemon.set(value)
        eventually(lambda: not daemon.get()["editing"], "the gesture before is over")
        configure(moment)
        way()
        eventually(lambda: len(knob.written) >= 2, f"something for {moment}")
        equal(knob.written, [(EV_SND, SND_TONE, 2000), (EV_SND, SND_TONE, 0)], moment)
        knob.written.clear()
        pace(HAND)


@test
def coming_and_going_can_be_felt(stack):
    """The device that is left tells of the one that went: a buzzer for a knob."""
    buzzer = device(stack, "Test buzzer", {EV_SND: [SND_TONE]})
    daemon = stack.enter_context(Daemon(tables("knob") + tables("buzzer") + """
[control.volume]
rotate = "knob:REL_DIAL"
outputs = "buzzer"
feedback = { connect = "light", disconnect = "heavy" }
"""))
    daemon.wait_for_device("buzzer")
    knob = OutputDevice("Test knob", KNOB)
    with knob:
        daemon.wait_for_device("knob")
        buzzer.wait((EV_SND, SND_TONE, 1600), (EV_SND, SND_TONE, 0))
    buzzer.wait((EV_SND, SND_TONE, 800), (EV_SND, SND_TONE, 0))


@test
def lights_follow_values(stack):
    """A light is as bright as the value is high, and a client may have it for a while."""
    knob = device(stack, "Test knob", {**KNOB, EV_LED: [LED_MUTE], EV_MSC: [MSC_PULSELED]})
    daemon = stack.enter_context(Daemon(tables("knob") + """
[control.volume]
rotate = "knob:REL_DIAL"
feedback = false
light = "knob:MSC_PULSELED"

[control.mute]
kind = "toggle"
push = "knob:BTN_0"
feedback = false
light = "knob:LED_MUTE"
"""))
    daemon.wait_for_device("knob")

    def shown():
        """The last brightness of each light."""
        last = {}
        for kind, code, value in knob.written:
            last[kind] = value & 0xFF
        return last

    knob.turn(REL_DIAL, 50)
    eventually(lambda: shown().get(EV_MSC) in (127, 128), f"half bright: {shown()}")
    knob.key(BTN_0, True)
    eventually(lambda: shown().get(EV_LED) == 1, "the light of the toggle")
    client = Connection(daemon.socket)
    try:
        client.call("org.stepperd.device.SetLight", device="knob", light="MSC_PULSELED", brightness=1)
        eventually(lambda: shown().get(EV_MSC) == 255, "a client's brightness")
        knob.turn(REL_DIAL, 10)
        daemon.wait_for_value(60)
        equal(shown()[EV_MSC], 255, "while the client has it")
    finally:
        client.close()
    eventually(lambda: shown()[EV_MSC] == 153, f"60 % again: {shown()}")


@test
def light_without_a_control_goes_out(stack):
    """A light that no control has any more after a reload goes out; one that a client holds stays."""
    knob = device(stack, "Test knob", {**KNOB, EV_LED: [LED_MUTE, LED_MISC]})
    control = '[control.volume]\nrotate = "knob:REL_DIAL"\nfeedback = false\ninitial = 100\n'
    daemon = stack.enter_context(Daemon(tables("knob") + control + 'light = ["knob:LED_MUTE", "knob:LED_MISC"]\n'))
    eventually(lambda: len(knob.written) == 2, "both lights")
    knob.wait((EV_LED, LED_MUTE, 1), (EV_LED, LED_MISC, 1))
    with Connection(daemon.socket) as client:
        client.call("org.stepperd.device.SetLight", device="knob", light="LED_MISC", brightness=1)
        reload(daemon, tables("knob") + control)
        knob.wait((EV_LED, LED_MUTE, 0))
        reload(daemon, tables("knob") + control + 'light = "knob:LED_MUTE"\n')
        knob.wait((EV_LED, LED_MUTE, 1))
    knob.wait((EV_LED, LED_MISC, 0))


@test
def light_is_held_by_several(stack):
    """The last connection that set a light has it; when that closes, the one before it has it again."""
    knob = device(stack, "Test knob", {**KNOB, EV_MSC: [MSC_PULSELED]})
    daemon = stack.enter_context(Daemon(tables("knob") + """
[control.volume]
rotate = "knob:REL_DIAL"
feedback = false
light = "knob:MSC_PULSELED"
"""))
    eventually(lambda: [value & 0xFF for *_, value in knob.written] == [0], "the value's brightness")
    first, second, third = (stack.enter_context(Connection(daemon.socket)) for _ in range(3))

    def hold(client, brightness):
        client.call("org.stepperd.device.SetLight", device="knob", light="MSC_PULSELED", brightness=brightness)

    def shown(level):
        eventually(lambda: knob.written and knob.written[-1][2] & 0xFF == level, f"brightness {level}: {knob.written}")

    hold(first, 0.2)
    hold(second, 0.4)
    hold(third, 0.6)
    shown(153)
    hold(first, 0.8)
    shown(204)
    count = len(knob.written)
    second.close()  # it had the light before, and others have it now
    first.close()
    shown(153)
    equal(len(knob.written), count + 1, "writes")
    third.close()
    shown(0)


@test
def light_of_the_led_class_comes_back(stack):
    """A light that is removed and made again shows the value at once; meanwhile it is absent."""
    light = stack.enter_context(Light("test::ring"))
    daemon = stack.enter_context(Daemon("""
[device.panel]
virtual = true
[device.ring]
led = "test::ring"
[control.volume]
rotate = "panel:dial"
light = "ring"
"""))
    daemon.wait_for_device("ring")
    daemon.set(100)
    light.wait(255)
    light.remove()
    equal("/sys/class/leds/test::ring does not exist" in daemon.wait_for_device("ring", "absent")["problem"], True, "the problem")
    again = stack.enter_context(Light("test::ring"))
    again.wait(255)
    equal(daemon.wait_for_device("ring").get("problem"), None, "the problem")


@test
def haptics_come_later(stack):
    """Haptics whose node may not be opened at first are added to the outputs, and nothing else of them changes."""
    dial = stack.enter_context(HIDOutputs("Test Dial", RADIAL + DIAL_LED, 0x045E, 0x091B))
    node = eventually(lambda: dial.read() or node_named("Test Dial System Multi Axis"), "the dial's node")
    settle()
    hidraw = "/dev/" + os.path.basename(glob.glob(f"/sys/class/input/{os.path.basename(node)}/device/device/hidraw/*")[0])
    os.chown(node, 0, OUR_GROUP)
    os.chmod(node, 0o660)
    os.chmod(hidraw, 0o600)
    daemon = stack.enter_context(Daemon("""
[device.dial]
match = { name = "Test Dial System Multi Axis" }
[control.volume]
initial = 100
push = "dial:BTN_0"
feedback = false
light = "dial"
""", groups=[OUR_GROUP]))
    found = daemon.wait_for_device("dial")
    equal((found["outputs"], found["lights"]), (["led"], ["LED_MUTE"]), "outputs and lights")
    dial.wait(bytes((4, 1)))
    os.chown(hidraw, 0, OUR_GROUP)
    os.chmod(hidraw, 0o660)
    eventually(lambda: daemon.devices()["dial"]["outputs"] == ["haptic", "led"], "its haptics", 20)
    equal(dial.read(), [], "reports to the light")


def detents(count, felt):
    """The feature report of a turn with `count` detents."""
    return bytes((1, *count.to_bytes(2, "little"), 4 if felt else 2))


def dial_node(dial):
    """Waits for the node of a dial, and answers the kernel meanwhile."""
    return eventually(lambda: (dial.read(), node_named("Test Dial System Multi Axis"))[1], "the dial's node")


@test
def dial_makes_its_detents(stack):
    """A HID knob makes the detents that its table says, none at an end, and in the end what it made before."""
    dial = stack.enter_context(HIDOutputs("Test Dial", RADIAL_DETENTS, 0x045E, 0x091B, features={1: bytes((1, 0, 0, 1))}))
    dial_node(dial)
    settle()

    def wait(report, what):
        eventually(lambda: (dial.read(), dial.features[1] == report)[1], lambda: f"{what}: {report.hex()}, not {dial.features[1].hex()}")

    def table(more="detents-per-turn = 24\n", control=""):
        return ('[device.dial]\nmatch = { name = "Test Dial System Multi Axis" }\n' + more + '[control.volume]\nmaximum = 10\ninitial = 5\n'
                + control + 'rotate = "dial:REL_DIAL"\nfeedback = false\n')

    before = dial.features[1]
    daemon = stack.enter_context(Daemon(table()))
    daemon.wait_for_device("dial")
    wait(detents(24, True), "within the range")
    daemon.set(10)
    wait(detents(24, False), "at the end")
    daemon.set(9)
    wait(detents(24, True), "away from the end")
    daemon.set(0)
    wait(detents(24, False), "at the other end")
    reload(daemon, table(control="wraps = true\n"))
    wait(detents(24, True), "at the end of a range that wraps")
    reload(daemon, table("detents-per-turn = 36\n"))
    wait(detents(36, False), "another number")
    reload(daemon, table(""))
    wait(before, "without the key")
    reload(daemon, table())
    wait(detents(24, False), "with it again")
    daemon.kill(signal.SIGTERM)
    wait(before, "in the end")
    daemon.end()


@test
def dial_that_does_not_answer_delays_nothing(stack):
    """The daemon goes on while its order waits for a dial, says that it failed, and orders nothing more."""
    dial = stack.enter_context(HIDOutputs("Test Dial", RADIAL_DETENTS, 0x045E, 0x091B, features={1: bytes((1, 0, 0, 1))}))
    dial_node(dial)
    settle()
    dial.answers = False
    daemon = stack.enter_context(Daemon("""
[device.dial]
match = { name = "Test Dial System Multi Axis" }
detents-per-turn = 24
[control.volume]
maximum = 10
rotate = "dial:REL_DIAL"
"""))
    daemon.wait_for_device("dial")
    eventually(lambda: daemon.threads() > 1, "a thread that waits for the dial")
    for value in range(1, 11):
        equal(daemon.set(value)["value"], value, "the value meanwhile")
    equal(daemon.threads(), 2, "threads meanwhile")
    eventually(lambda: "its haptics make no detents" in daemon.text(), "the log of the failure", 20)
    eventually(lambda: any("make no detents" in problem for problem in daemon.status()["problems"]), "the problem of the status")
    daemon.set(5)
    equal(daemon.stop(), 0, "the exit status")


@test
def dial_that_cannot_make_detents_says_so(stack):
    """A key that has no effect is a misfit of its device."""
    dial = stack.enter_context(HIDOutputs("Test Dial", RADIAL, 0x045E, 0x091B))
    dial_node(dial)
    settle()
    daemon = stack.enter_context(Daemon("""
[device.dial]
match = { name = "Test Dial System Multi Axis" }
detents-per-turn = 24
[control.volume]
rotate = "dial:REL_DIAL"
"""))
    daemon.wait_for_device("dial")
    eventually(lambda: "detents-per-turn has no effect" in daemon.text(), "the misfit in the log")


@test
def device_that_may_only_be_read_says_so(stack):
    """Outputs that are not the daemon's to write are a problem, told once; with the permission they are used."""
    knob = device(stack, "Test knob", {**KNOB, EV_SND: [SND_TONE]})
    plain = device(stack, "Test plain", KNOB)
    settle()
    for each in (knob, plain):
        os.chmod(each.node, 0o444)
    daemon = stack.enter_context(Daemon(
        tables("knob") + tables("plain") + '[control.volume]\nrotate = "knob:REL_DIAL"\n', groups=[OUR_GROUP]))
    found = daemon.wait_for_device("knob")
    equal((found["outputs"], "udev rule" in found.get("problem", "")), ([], True), f"the problem {found.get('problem')!r}")
    equal(daemon.wait_for_device("plain").get("problem"), None, "the problem of a knob without outputs")
    equal(daemon.text().count("device: knob: its outputs are not used"), 1, "times it was told")
    knob.turn(REL_DIAL, 1)
    daemon.wait_for_value(1)
    os.chmod(knob.node, 0o666)
    daemon.client.call("org.stepperd.manager.Reload")
    found = daemon.wait_for_device("knob")
    equal((found["outputs"], found.get("problem")), (["tone"], None), "outputs and problem with the permission")


@test
def strength_is_the_gain_of_the_device(stack):
    """`strength` sets FF_GAIN, also at a reload; without it nothing is set."""
    knob = device(stack, "Test knob", {**KNOB, EV_FF: [FF_RUMBLE, FF_GAIN]})
    control = VOLUME + "feedback = false\n"
    daemon = stack.enter_context(Daemon(tables("knob") + control))
    daemon.wait_for_device("knob")
    reload(daemon, tables("knob") + "strength = 0.5\n" + control)
    knob.wait((EV_FF, FF_GAIN, 0x7FFF))
    reload(daemon, tables("knob") + control)
    knob.wait((EV_FF, FF_GAIN, 0xFFFF))
    daemon.stop()
    knob.wait((EV_FF, FF_GAIN, 0xFFFF))
    stack.enter_context(Daemon(tables("knob") + "strength = 0\n" + control))
    knob.wait((EV_FF, FF_GAIN, 0))


@test
def program_that_does_not_answer_delays_no_knob(stack):
    """The kernel waits 30 s for a uinput device's program to take an effect: it is asked only where it is named."""
    knob = device(stack, "Test knob", {**KNOB, EV_FF: [FF_RUMBLE], EV_SND: [SND_TONE]})
    knob.answers = False
    daemon = stack.enter_context(Daemon(tables("knob") + '[control.volume]\nrotate = "knob:REL_DIAL"\n'))
    equal(daemon.wait_for_device("knob")["outputs"], ["tone"], "outputs")
    knob.turn(REL_DIAL, 1)
    eventually(lambda: (EV_SND, SND_TONE, 1600) in knob.written, "the tone")
    daemon.wait_for_value(1)
    equal("force feedback" in daemon.text(), True, "it is told")
    knob.answers = True
    reload(daemon, tables("knob") + VOLUME)
    equal(daemon.devices()["knob"]["outputs"], ["rumble", "tone"], "outputs when it is named")
    reload(daemon, tables("knob") + VOLUME.replace('"knob"', '"knob:tone"'))
    equal(daemon.devices()["knob"]["outputs"], ["tone"], "outputs when another one is named")


@test
def driver_is_used_by_default(stack):
    """The motors of a driver in the kernel need not be named."""
    pad = stack.enter_context(HIDOutputs("Test pad", GAMEPAD, 0x045E, 0x02FD))
    eventually(lambda: pad.read() or node_named("Test pad"), "the pad's node")
    daemon = stack.enter_context(Daemon(tables("pad") + '[control.volume]\nincrement = "pad:BTN_SOUTH"\n'))
    equal(daemon.wait_for_device("pad")["outputs"], ["rumble", "periodic"], "outputs")
    played = daemon.client.call("org.stepperd.device.PlayEffect", device="pad", effect="heavy")
    equal(played, {"played": "rumble"}, "where")
    pad.wait(bytes((3, 3, 0, 0, 89, 80, 255, 0, 255)), bytes((3, 3, 0, 0, 0, 0, 255, 0, 255)))


@test
def failing_output_is_told_once(stack):
    """A driver that refuses makes the daemon use the next output; the knob goes on."""
    knob = device(stack, "Test knob", {**KNOB, EV_FF: [FF_RUMBLE], EV_SND: [SND_TONE]})
    knob.refuse = 5
    daemon = stack.enter_context(Daemon(tables("knob") + VOLUME))
    daemon.wait_for_device("knob")
    equal(daemon.devices()["knob"]["outputs"], ["rumble", "tone"], "outputs")
    knob.turn(REL_DIAL, 1)
    eventually(lambda: (EV_SND, SND_TONE, 1600) in knob.written, "the tone instead")
    equal(daemon.devices()["knob"]["outputs"], ["tone"], "outputs that are left")
    knob.turn(REL_DIAL, 1)
    daemon.wait_for_value(2)
    equal(daemon.text().count("is disabled"), 1, "times it was told")


@test
def every_effect_can_be_tried(stack):
    """`stepperctl feedback test` plays every effect by name, and shows each light."""
    knob = device(stack, "Test knob", {**KNOB, EV_FF: [FF_RUMBLE], EV_LED: [LED_MUTE]})
    daemon = stack.enter_context(Daemon(tables("knob") + VOLUME))
    daemon.wait_for_device("knob")
    run = subprocess.run([f"{PROGRAMS}/stepperctl", "feedback", "test", "knob", "--pause", "500ms", "--address", daemon.socket],
                         capture_output=True, text=True, check=True)
    effects = ["light", "medium", "heavy", "soft", "rigid", "selection", "success", "warning", "error"]
    equal([line.split() for line in run.stdout.splitlines()], [[effect, "rumble"] for effect in effects] + [["full", "LED_MUTE"]],
          "what it printed")
    # The second pulse of success, 30 ms, is omitted where it would be late.
    equal([effect.length for effect in knob.uploads if effect.length != 30], [12, 20, 35, 45, 10, 8, 60, 50], "milliseconds of the uploads")
    eventually(lambda: (EV_LED, LED_MUTE, 0) in knob.written, "the light goes out after its time")
    equal([event for event in knob.written if event[0] == EV_LED], [(EV_LED, LED_MUTE, 1), (EV_LED, LED_MUTE, 0)], "the light")


@test
def spinning_queues_nothing(stack):
    """A thousand detents, a millisecond apart: no queue of buzzes, and the value is exact."""
    knob = device(stack, "Test knob", {**KNOB, EV_FF: [FF_RUMBLE]})
    daemon = stack.enter_context(Daemon(tables("knob") + """
[control.volume]
maximum = 100000
rotate = "knob:REL_DIAL"
outputs = "knob"
"""))
    daemon.wait_for_device("knob")
    begin = time.monotonic()
    for value in range(25, 1001, 25):  # fewer than the kernel keeps for a daemon that a busy machine lets wait
        knob.turn(REL_DIAL, *[1] * 25, pause=0.001)
        daemon.wait_for_value(value)
    plays, seconds = len(knob.written), time.monotonic() - begin
    eventually(lambda: not daemon.get()["editing"], "the gesture is over")
    equal(len(knob.written) - plays <= 1, True, "nothing was queued")
    equal(plays <= seconds / 0.032 + 2, True, f"{plays} plays in {seconds:.1f} s")
    equal((len(knob.uploads), daemon.devices()["knob"]["overruns"]), (1, 0), "uploads and losses")


@test
def change_is_told_before_it_is_felt(stack):
    """Subscribers have a change while the device has not yet taken its effect, and programs that it starts run on."""
    knob = device(stack, "Test knob", {**KNOB, EV_FF: [FF_RUMBLE], EV_LED: [LED_MUTE]})
    daemon = stack.enter_context(Daemon(tables("knob") + VOLUME + """
light = "knob:LED_MUTE"
on-change = ["/bin/sleep", "60"]
"""))
    daemon.wait_for_device("knob")
    watch = stack.enter_context(daemon.subscribe("volume"))
    before = knob.requested
    knob.may_answer.clear()
    knob.turn(REL_DIAL, 1)
    watch.states(until=lambda state: state["origin"] == "device")
    eventually(lambda: knob.requested > before, "its effect is asked for")
    knob.may_answer.set()
    eventually(lambda: any(kind == EV_FF and value for kind, _, value in knob.written), "its effect is played")
    knob.turn(REL_DIAL, 1)
    daemon.wait_for_value(2)


if __name__ == "__main__":
    harness.main()
