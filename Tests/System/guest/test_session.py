"""The volume of a user's session: the guide with a daemon of her own, the user unit with the installed service."""

import os
import pwd
import re
import signal

import guide
from connection import Connection
from harness import equal, test
from system import (GUIDES, configuration, get, install, owner, plugged_in, powermate, purge, run, set_value, user,
                    wait_for_value)
from test_link import SCREEN, has_screen
from uinput import BTN_0, REL_DIAL
from waiting import eventually

UNIT = "stepperd-link"
NAME = "alice"
LINK = """
[device.knob]
match = { vendor = "077d", product = "0410" }
[control.volume]
rotate = "knob:REL_DIAL"
[control.mute]
kind = "toggle"
[link.speaker]
control = "volume"
mute = "mute"
to = "pulse:@DEFAULT_SINK@"
"""


def runtime():
    """The folder of her session."""
    return f"/run/user/{pwd.getpwnam(NAME).pw_uid}"


def process():
    """How her commands are run: as in a terminal of her session."""
    how = user(NAME)
    how["env"] |= {"XDG_RUNTIME_DIR": runtime(), "DBUS_SESSION_BUS_ADDRESS": f"unix:path={runtime()}/bus"}
    return how


def as_her(*command, status=0):
    """Runs a command of hers, and returns what it printed."""
    return run(*command, status=status, **process())


def property_of(unit, name):
    """What her service manager says of a unit."""
    return as_her("systemctl", "--user", "show", unit, f"--property={name}").strip().partition("=")[2]


def sink():
    """What the desktop shows of her default sink: "Volume: 0.33", with "[MUTED]"; nothing where there is none."""
    # Newer ones warn besides.
    found = re.search(r"^Volume: .*$", as_her("wpctl", "get-volume", "@DEFAULT_AUDIO_SINK@", status=None), re.MULTILINE)
    return found.group(0) if found else ""


def volume():
    """Its volume in per cent; -1: there is none."""
    words = sink().split()
    return round(float(words[1]) * 100) if words else -1


def is_muted():
    """Whether that is muted."""
    return "MUTED" in sink()


def slide(per_cent):
    """Moves the slider of her desktop; whether it is there."""
    as_her("wpctl", "set-volume", "@DEFAULT_AUDIO_SINK@", str(per_cent / 100), status=None)
    return volume() == per_cent


def follows(per_cent):
    """Sets the control, also again, until the sink follows."""
    def is_there():
        set_value(per_cent)
        return volume() == per_cent

    eventually(is_there, lambda: f"the sink is at {volume()}, not {per_cent}", 60)


def session(stack):
    """Her session with its sound server, while the test lasts."""
    run("usermod", "--append", "--groups", "stepperd,audio", NAME)
    run("loginctl", "enable-linger", NAME)

    def end():
        run("loginctl", "disable-linger", NAME)
        run("loginctl", "terminate-user", NAME, status=None)
        eventually(lambda: not os.path.exists(runtime()), "her session has ended", 60)
        run("rm", "-rf", *(f"{pwd.getpwnam(NAME).pw_dir}/{name}" for name in (".config", ".local", ".cache")))

    stack.callback(end)
    eventually(lambda: os.path.exists(f"{runtime()}/bus"), "her session has a bus", 60)
    eventually(lambda: slide(33), lambda: f"her sound server has a sink: {as_her('wpctl', 'status', status=None)}", 90)


@test
def volume_guide(stack):
    """The guide "A volume knob", word by word: her own daemon, ALSA's mixer first, then her session's sound."""
    install(UNIT)
    # The knob belongs to one daemon.
    stack.callback(run, "systemctl", "start", "stepperd.socket", "stepperd.service")
    stack.callback(run, "systemctl", "unmask", "--runtime", "stepperd.socket", "stepperd.service")
    run("systemctl", "mask", "--runtime", "--now", "stepperd.socket", "stepperd.service")
    session(stack)
    home = pwd.getpwnam(NAME).pw_dir
    run("install", "-d", "-o", NAME, "-g", NAME, f"{home}/.config", f"{home}/.config/stepperd")
    stack.callback(as_her, "systemctl", "--user", "stop", "stepper")
    as_her("systemd-run", "--user", "--unit=stepper", "stepperd", "--user")
    socket = f"{runtime()}/stepperd/org.stepperd"

    def value(control="volume"):
        with Connection(socket) as connection:
            return connection.call("org.stepperd.control.Get", control=control)["state"].get("value")

    def both_ways(knob):
        eventually(lambda: value() is not None and abs(value() - volume()) < 1 and volume() <= 40,
                   lambda: f"both begin at 40 at most: {value()}, {volume()}", 40)
        slide(35)
        eventually(lambda: abs(value() - 35) < 0.1, lambda: f"the control is at {value()}", 20)
        knob.turn(REL_DIAL, 1)
        eventually(lambda: volume() in (36, 37), lambda: f"the slider is at {volume()}", 20)
        knob.key(BTN_0, True)
        knob.key(BTN_0, False)
        eventually(is_muted, "it is muted", 20)

    knob = stack.enter_context(powermate())
    names = {"uinput": _Plugged(knob), "REL_DIAL": REL_DIAL, "EV_REL": 0, "EV_KEY": 0, "BTN_0": 0, "value": value,
             "both_ways": both_ways}
    reader = guide.Reader(f"{home}/.config/stepperd/stepperd.toml", names, {"/home/you": home}, process(), with_scripts=True)
    eventually(lambda: os.path.exists(socket), "her daemon runs", 30)
    commands = reader.follow(f"{GUIDES}/volume-knob.md")
    equal(commands > 7, True, f"{commands} commands")
    equal(property_of(UNIT, "ActiveState"), "active", "her links")
    as_her("systemctl", "--user", "disable", "--now", UNIT)


class _Plugged:
    """What the guide plugs in is in already."""

    def __init__(self, knob):
        self.knob = knob

    def Device(self, *_, **__):  # pylint: disable=invalid-name
        """The knob."""
        return self.knob


@test
def session_follows_the_service(stack):
    """With the installed daemon: the user unit keeps the volume and the mute of her session, through restarts of all."""
    install(UNIT)
    session(stack)
    stack.enter_context(configuration(LINK))
    stack.callback(as_her, "systemctl", "--user", "disable", "--now", UNIT)
    as_her("systemctl", "--user", "enable", "--now", UNIT)
    wait_for_value(33)
    knob = plugged_in(stack, 50)
    eventually(lambda: volume() == 50, lambda: f"the sink is at {volume()}", 20)
    knob.turn(REL_DIAL, 4)
    eventually(lambda: volume() == 54, lambda: f"the sink is at {volume()}", 20)
    slide(61)
    as_her("wpctl", "set-mute", "@DEFAULT_AUDIO_SINK@", "1")
    wait_for_value(61)
    wait_for_value(1, "mute")
    set_value(0, "mute")
    eventually(lambda: not is_muted(), "the sink is not muted", 20)
    pid = int(property_of(UNIT, "MainPID"))
    run("systemctl", "restart", "stepperd")
    # One after the other: if both sides begin anew together, the control's value counts.
    follows(60)
    as_her("systemctl", "--user", "restart", "pipewire", "pipewire-pulse")
    eventually(lambda: slide(27), "the sound server is back", 60)
    eventually(lambda: abs(get()["value"] - 27) < 0.01, lambda: f"volume is 27: {get()['value']}", 40)
    equal(int(property_of(UNIT, "MainPID")), pid, "its process")
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: int(property_of(UNIT, "MainPID")) not in (0, pid), "it is restarted", 30)
    follows(59)
    slide(26)
    eventually(lambda: abs(get()["value"] - 26) < 0.01, lambda: f"volume is 26: {get()['value']}", 40)
    set_value(28)
    eventually(lambda: volume() == 28, lambda: f"the sink is at {volume()}", 30)
    said = as_her("journalctl", "--quiet", "--output=cat", "--user-unit", UNIT, status=None) or run(
        "journalctl", "--quiet", "--output=cat", "_COMM=stepperd-link")
    equal(re.search("denied|not permitted|Failed to", said), None, "what the sandbox refused")
    as_her("systemctl", "--user", "stop", UNIT)
    equal(property_of(UNIT, "Result"), "success", "how it ended")


@test
def link_purge_leaves_nothing():
    """What came with it is gone, the screen is root's again, and the daemon stays."""
    purge(UNIT)
    if has_screen():
        equal(owner(f"{SCREEN}/brightness"), ("0o644", "root", "root"), "the brightness of the screen")
