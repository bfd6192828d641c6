"""The real daemon."""

import json
import os
import re
import signal
import socket
import subprocess

from connection import Subscription
from private_daemon import PrivateDaemon
from waiting import eventually

with open("/run/job/job.json", encoding="utf-8") as _file:
    PROGRAMS = json.load(_file)["programs"]
PROGRAM = os.path.join(PROGRAMS, "stepperd")
#: Somebody who may do nothing that his groups do not allow.
NOBODY = 65534


#: The test devices of uinput.py by their names in a configuration, and what they do to `volume`.
DEVICES = {"knob": ("Test Knob", ["rotate"]), "front": ("Test Buttons", ["increment", "decrement"]),
           "panel": ("Test Panel", ["rotate", "increment", "decrement"])}
INPUTS = {"rotate": "REL_DIAL", "increment": "KEY_VOLUMEUP", "decrement": "KEY_VOLUMEDOWN"}


def configuration(*devices, each="", volume="", match=None):
    """Test devices that all drive `volume`: `each` is more for their tables, `volume` for the control's.

    `match` is the name of the device if it is not the one in DEVICES.
    """
    tables = "".join(f'[device.{device}]\nmatch = {{ name = "{match or DEVICES[device][0]}" }}\n{each}\n' for device in devices)
    bindings = "".join(f'{way} = "{device}:{INPUTS[way]}"\n' for device in devices for way in DEVICES[device][1])
    return f"{tables}\n[control.volume]\n{bindings}{volume}\n"


class Daemon(PrivateDaemon):
    """The daemon with a configuration of its own; None: the one built in.

    `groups` runs it as nobody, in these groups besides; `notify` listens to what it notifies a service manager of;
    `runtime` is an earlier daemon's directory for its socket.
    """

    def __init__(self, configuration, groups=None, notify=False, runtime=None):
        super().__init__(configuration, parent="/run", runtime=runtime)
        environment, program, user = {}, PROGRAM, {}
        if groups is not None:
            program = reachable(environment)
            for place in self.PLACES:
                os.chown(f"{self.folder}/{place}", NOBODY, NOBODY)
            user = {"user": NOBODY, "group": NOBODY, "extra_groups": groups}
        self.notifications = None
        if notify:
            self.notifications = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self.notifications.bind(f"{self.folder}/notify")
            environment["NOTIFY_SOCKET"] = f"{self.folder}/notify"
        self.start(program, environment=environment, **user)
        self.client = self.connect()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        self.client.close()
        print(f"daemon's log:\n{self.text()}")

    def kill(self, number):
        """Sends it a signal."""
        os.kill(self.pid, number)

    def pause(self):
        """Stops its process (SIGSTOP), and waits until it is stopped."""
        self.kill(signal.SIGSTOP)
        eventually(lambda: self.status_field("State").startswith("T"), "the daemon is stopped")

    def resume(self):
        """Lets it go on."""
        self.kill(signal.SIGCONT)

    def wakeups(self):
        """How often it went to sleep so far: an idle daemon sleeps on."""
        return int(self.status_field("voluntary_ctxt_switches")) + int(self.status_field("nonvoluntary_ctxt_switches"))

    def get(self, control="volume"):
        """A control's state."""
        return self.client.call("org.stepperd.control.Get", control=control)["state"]

    def set(self, value, control="volume"):
        """Sets a control."""
        return self.client.call("org.stepperd.control.Set", control=control, value=value)["state"]

    def status(self):
        """The manager's numbers."""
        return self.client.call("org.stepperd.manager.GetStatus")

    def subscribe(self, *names):
        """Follows controls; the snapshot is read already."""
        return Subscription(self.socket, "org.stepperd.control.Subscribe", match=list(names) or None)

    def devices(self):
        """{name: device}."""
        return {device["device"]: device for device in self.client.call("org.stepperd.device.List")["devices"]}

    def wait_for_device(self, name, *states, timeout=5.0):
        """Waits until the device is in one of `states` ("open", unless given), and returns it."""
        wanted, found = states or ("open",), {}

        def is_there():
            found.clear()
            found.update(self.devices())
            return name in found and found[name]["state"] in wanted and found[name]

        def otherwise():
            shown = {key: (device["state"], device.get("problem")) for key, device in found.items()}
            return f"device {name} is {' or '.join(wanted)}: {shown}"

        return eventually(is_there, otherwise, timeout)

    def wait_for_value(self, value, control="volume", timeout=5.0):
        """Waits until the control has this value."""
        last = {}

        def is_there():
            last.update(self.get(control))
            return last.get("value") == value

        eventually(is_there, lambda: f"{control} is {value}: {last}", timeout)

    def wait_for_hold(self, before, press, release, direction=1):
        """Waits until a hold has moved `volume` from `before` as far as its time allows; returns the value.

        `press` and `release` are the kernel's times in microseconds. Where the machine held the daemon up for so
        long that it counted a stall, it may be fewer steps, but at least one.
        """
        steps, last = steps_of_hold(press, release), {}
        print(f"held {(release - press) / 1000} ms: {steps} steps")

        def over():
            last.update(self.get())
            moved = direction * (last["value"] - before)
            fell_short = 0 < moved < steps and not last["editing"]
            return moved == steps or fell_short and self.status()["stalls"] > 0

        eventually(over, lambda: f"volume went {steps} steps from {before}: {last}")
        return last["value"]

    def wait_until_stepped(self, before, steps, control="volume"):
        """Waits until the control has moved by at least so many steps, to either side: how long a test holds a button."""
        eventually(lambda: abs(self.get(control)["value"] - before) >= steps, f"{control} moves by {steps} from {before}", 20)

    def rests_and_steps(self, device, key, watch, by):
        """Fails unless `volume`, which `watch` follows, comes to rest and the next press of `key` is one step."""
        while not watch.quiet(0.8):  # the replies that were under way
            pass
        value = self.get()["value"]
        device.key(key, True)
        device.key(key, False)
        self.wait_for_value(value + by)


def reachable(environment):
    """A way to the program that leads through no private home directory, for a daemon that is not root."""
    libraries = subprocess.run(["ldd", PROGRAM], check=True, capture_output=True, text=True).stdout
    private = sorted({os.path.dirname(os.path.realpath(path))
                      for path in re.findall(r"=> (/\S+)", libraries)
                      if not path.startswith(("/lib", "/usr"))})
    places = [f"/run/program/{number}" for number in range(len(private) + 1)]
    for source, place in zip([PROGRAMS, *private], places):
        if not os.path.ismount(place):
            os.makedirs(place, exist_ok=True)
            subprocess.run(["mount", "--bind", source, place], check=True)
    environment["LD_LIBRARY_PATH"] = ":".join(places[1:])
    return f"{places[0]}/stepperd"


def steps_of_hold(press, release):
    """How many steps a hold makes with UIStepper's schedule, from the kernel's times in microseconds.

    0, 500, 1000, 1500, 2000 ms and then every 100 ms. A repeat that is due at the very moment of the release
    comes before it.
    """
    held, due, steps = release - press, 0, 0
    while due <= held:
        steps += 1
        due += 500_000 if due < 2_000_000 else 100_000
    return steps
