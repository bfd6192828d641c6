"""The package of the links: its service, its sandbox, and a guide, with a screen, a light and a sound card of the kernel."""

import glob
import os
import re
import signal

import flood
import guide
from harness import Skipped, equal, test
from system import (CONFIGURATION, GUIDES, Journal, configuration, get, install, is_writable, look_at_sandbox, main_pid, owner,
                    powermate, properties, run, set_value, sudo, wait_for_value, wait_until_active)
from uinput import REL_DIAL
from waiting import eventually

UNIT = "stepperd-link"
#: Tenths, as --threshold= of systemd-analyze has them: it has devices and writes to files of the kernel.
EXPOSURE = 10
SCREEN = "/sys/class/backlight/acpi_video0"
#: Where the driver of the guest's sound card is told to let go of it.
CARD_DRIVER, CARD = "/sys/bus/platform/drivers/snd_dummy", "snd_dummy.0"
LOCAL_RULES = "/etc/udev/rules.d/72-local.rules"


def has_screen():
    """Whether this machine has the screen of `guest/screen.asl`."""
    return os.path.exists(SCREEN)


def needs_a_screen():
    """An emulated board has neither a screen nor a keyboard with lights."""
    if not has_screen():
        raise Skipped("this machine has no screen")


def light():
    """The light of the guest's keyboard, which has one level."""
    needs_a_screen()
    return glob.glob("/sys/class/leds/*::capslock")[0]


def links():
    """A configuration with a screen, a light and a mixer, each with a control."""
    return f"""
[control.volume]
[control.brightness]
[control.light]
[link.screen]
control = "brightness"
to = "backlight:acpi_video0"
curve = "raw"
[link.light]
control = "light"
to = "led:{os.path.basename(light())}"
[link.mixer]
control = "volume"
to = "alsa:default/Master"
"""


def write(path, text):
    """Writes to a file of the kernel, as another program does."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def level(path):
    """The brightness of a screen or a light."""
    with open(f"{path}/brightness", encoding="utf-8") as file:
        return int(file.read())


def mixer():
    """The volume of the sound card in per cent, as alsamixer shows it."""
    return int(re.search(r"\[(\d+)%\]", run("amixer", "--mapped-volume", "sget", "Master")).group(1))


def status():
    """What systemctl status shows of the links."""
    return properties(UNIT, "StatusText")


def wait_for_status(pattern):
    """Waits until the links are so."""
    eventually(lambda: re.search(pattern, status()), lambda: f"the status is {pattern!r}: {status()!r}", 30)


def writable_in_sysfs(pid):
    """The files of sysfs that the service may write. Of what is mounted in it, such as security modules, the kernel decides itself."""
    found = run("nsenter", f"--mount=/proc/{pid}/ns/mnt", "setpriv", f"--reuid={UNIT}", f"--regid={UNIT}", "--groups=stepperd,audio",
                "find", "/sys", "-xdev", "-type", "f", "-writable", "-print", status=None)
    return sorted(line for line in found.splitlines() if line.startswith("/sys/"))


def linked(stack):
    """The daemon and the links with `links()`, which is taken back in the end; the connected ones are there."""
    # When the configuration is gone.
    stack.callback(run, "systemctl", "restart", UNIT)
    stack.enter_context(configuration(links()))
    run("systemctl", "restart", UNIT)
    wait_for_status("[23] of 3 links connected")


def allow_light(stack):
    """Copies the rule for lights that the package has as an example, with the name of the light."""
    with open("/usr/lib/udev/rules.d/71-stepperd-link.rules", encoding="utf-8") as file:
        rule = file.read().partition("72-local.rules:\n#\n")[2]
    rule = "".join(re.sub("^#   ", "", line) + "\n" for line in rule.splitlines())
    write(LOCAL_RULES, rule.replace("front::status", os.path.basename(light())))
    stack.callback(os.unlink, LOCAL_RULES)
    run("udevadm", "control", "--reload")
    run("udevadm", "trigger", "--settle", "--action=add", "--subsystem-match=leds")


@test
def link_package_installs():
    """apt installs it, the screen that was there is given to its group, and without a link the service ends with success."""
    install(UNIT)
    equal(properties(UNIT, "UnitFileState", "User", "Result"), ["enabled", UNIT, "success"], "service")
    eventually(lambda: properties(UNIT, "ActiveState") == "inactive", "it has ended", 30)
    equal("there is no [link.NAME]" in run("journalctl", "--unit", UNIT, "--output=cat"), True, "that is said")
    if has_screen():
        equal(owner(f"{SCREEN}/brightness"), ("0o664", "root", UNIT), "the brightness of the screen")
        equal(owner(f"{light()}/brightness"), ("0o644", "root", "root"), "that of a light")
    equal(os.path.exists("/etc/systemd/user/default.target.wants/stepperd-link.service"), False, "the user unit is enabled")


@test
def link_works_in_its_sandbox(stack):
    """Screen, light and mixer follow their controls, and the controls follow them; nothing is refused to the service."""
    journal = Journal(UNIT)
    allow_light(stack)
    linked(stack)
    wait_for_status("3 of 3 links connected")
    for value, on in ((80, 1), (20, 0)):
        for control in ("brightness", "light", "volume"):
            set_value(value, control)
        eventually(lambda: (level(SCREEN), level(light()), mixer()) == (value, on, value),
                   lambda: f"all are at {value}: {level(SCREEN)}, {level(light())}, {mixer()}", 20)
    write(f"{SCREEN}/brightness", "66")
    write(f"{light()}/brightness", "1")
    run("amixer", "--mapped-volume", "sset", "Master", "45%")
    wait_for_value(66, "brightness")
    wait_for_value(100, "light")
    eventually(lambda: abs(get()["value"] - 45) < 1, lambda: f"volume is 45: {get()['value']}", 20)
    look_at_sandbox(UNIT, EXPOSURE)
    pid = main_pid(UNIT)
    for path, wanted in (("/usr", False), ("/var/lib", False), ("/sys/devices", True)):
        equal(is_writable(pid, path), wanted, f"{path} is writable")
    equal(writable_in_sysfs(pid), sorted(os.path.realpath(f"{path}/brightness") for path in (SCREEN, light())), "what it may write")
    said = journal.text()
    print(said)
    equal(re.search("denied|not permitted|refus|read-only|failed", said, re.IGNORECASE), None, "what the sandbox refused")


@test
def link_says_what_it_may_not(stack):
    """A light without a rule: the status and the journal say so, the other links work, and it is found when it is allowed."""
    allowed = light()
    write(f"{allowed}/brightness", "1")
    run("chgrp", "root", f"{allowed}/brightness")
    run("chmod", "g-w", f"{allowed}/brightness")
    journal = Journal(UNIT)
    linked(stack)
    wait_for_status("2 of 3 links connected; light: the outside is disconnected: .*/brightness cannot be written: permission denied")
    set_value(20, "light")
    set_value(31, "brightness")
    eventually(lambda: level(SCREEN) == 31, lambda: f"the screen is at {level(SCREEN)}", 20)
    equal(get("light")["value"], 20, "its control goes on")
    equal(len(re.findall("permission denied", journal.text())), 1, "how often it is said")
    allow_light(stack)
    # It begins with the value of the light.
    wait_for_status("3 of 3 links connected")
    wait_for_value(100, "light")


@test
def link_waits_for_what_was_pulled_out(stack):
    """The screen's and the card's drivers let go of them: that is said, the controls go on, and they come back."""
    allow_light(stack)
    linked(stack)
    wait_for_status("3 of 3")
    journal, pid = Journal(UNIT), main_pid(UNIT)
    run("rmmod", "video")
    write(f"{CARD_DRIVER}/unbind", CARD)
    journal.wait_for(f"screen: the outside is disconnected: .*{os.path.basename(SCREEN)}")
    journal.wait_for("mixer: the outside is disconnected: ")
    set_value(12, "brightness")
    set_value(13)
    set_value(100, "light")
    eventually(lambda: level(light()) == 1, "the light is on", 20)
    run("insmod", "/root/video.ko", "register_backlight_delay=1")
    write(f"{CARD_DRIVER}/bind", CARD)
    wait_for_status("3 of 3")
    # The outside begins.
    write(f"{SCREEN}/brightness", "71")
    wait_for_value(71, "brightness")
    set_value(72, "brightness")
    eventually(lambda: level(SCREEN) == 72, lambda: f"the screen is at {level(SCREEN)}", 20)
    set_value(35)
    eventually(lambda: mixer() == 35, lambda: f"the mixer is at {mixer()}", 20)
    equal(main_pid(UNIT), pid, "its process")
    said = journal.text()
    print(said)
    equal(len(re.findall("mixer: the outside is disconnected", said)) <= 2 and "ALSA lib" not in said, True, "it is said once")


@test
def link_follows_restarts(stack):
    """The daemon is restarted, the links are killed, the links are stopped: each finds the others again."""
    linked(stack)
    set_value(40, "brightness")
    eventually(lambda: level(SCREEN) == 40, "the screen is at 40", 20)
    pid = main_pid(UNIT)
    run("systemctl", "restart", "stepperd")
    write(f"{SCREEN}/brightness", "41")
    wait_for_value(41, "brightness")
    equal(main_pid(UNIT), pid, "its process")
    os.kill(pid, signal.SIGKILL)
    wait_until_active(pid, UNIT)
    set_value(42, "brightness")
    eventually(lambda: level(SCREEN) == 42, "the screen is at 42", 20)
    run("systemctl", "stop", UNIT)
    equal(properties(UNIT, "Result", "ExecMainCode", "ExecMainStatus"), ["success", "1", "0"], "how it ended")


@test
def link_floods_within_the_limits(stack):
    """Coprocesses that write values, nonsense and one endless line, in the unit's memory and with a fifth of a processor: the
    screen follows its control beside them, and the daemon answers."""
    stack.callback(run, "systemctl", "restart", UNIT)
    commands = {"values": '["yes", "value 50"]', "nonsense": '["yes", "\u0301\u0323"]', "endless": '["cat", "/dev/zero"]'}
    text = links()
    for name, command in commands.items():
        text += f'[control.{name}]\n[link.{name}]\ncontrol = "{name}"\ncommand = {command}\n'
    stack.enter_context(configuration(text))
    run("systemctl", "restart", UNIT)
    wait_for_status(" of 6 links connected")
    with flood.within_limits(UNIT), flood.within_limits("stepperd"):
        flood.answers(get)
        for value in (41, 42):
            set_value(value, "brightness")
            eventually(lambda wanted=value: level(SCREEN) == wanted, lambda: f"the screen is at {level(SCREEN)}", 60)


@test
def link_refuses_wrong_configuration(stack):
    """An error in a link: the journal has the line, and it is not tried again."""
    stack.callback(run, "systemctl", "restart", UNIT)
    stack.enter_context(configuration(links()))
    write(CONFIGURATION, links().replace("backlight:", "screen:"))
    journal = Journal(UNIT)
    run("systemctl", "restart", UNIT, status=None)
    journal.wait_for(r"stepperd\.toml:\d+:\d+: error: link\.screen\.to")
    eventually(lambda: properties(UNIT, "ActiveState", "ExecMainStatus") == ["failed", "78"], "the unit has failed", 20)
    write(CONFIGURATION, links())


@test
def brightness_guide(stack):
    """The guide "Brightness", word by word."""
    needs_a_screen()
    stack.enter_context(sudo())
    stack.callback(run, "systemctl", "restart", "stepperd", UNIT)
    stack.callback(os.unlink, CONFIGURATION)
    write(f"{SCREEN}/brightness", "50")
    knob = stack.enter_context(powermate())
    names = {"knob": knob, "REL_DIAL": REL_DIAL, "value": lambda control: get(control)["value"], "level": lambda: level(SCREEN)}
    reader = guide.Reader(CONFIGURATION, names, {"intel_backlight": "acpi_video0"}, {}, with_scripts=True)
    commands = reader.follow(f"{GUIDES}/brightness.md")
    equal(commands > 5, True, f"{commands} commands")
