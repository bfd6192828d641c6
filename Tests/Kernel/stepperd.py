"""The real daemon."""

import json
import os
import re
import signal
import socket
import subprocess
import tempfile

from connection import Connection, Subscription
from harness import eventually

with open("/run/job/job.json", encoding="utf-8") as _file:
    PROGRAMS = json.load(_file)["programs"]
PROGRAM = os.path.join(PROGRAMS, "stepperd")
#: Somebody who may do nothing that his groups do not allow.
NOBODY = 65534


class Daemon:
    """The daemon with a configuration of its own; None: the one built in.

    `groups` runs it as nobody, in these groups besides; `notify` listens for what it tells a service manager;
    `runtime` is an earlier daemon's directory for its socket.
    """

    def __init__(self, configuration, groups=None, notify=False, runtime=None):
        self.directory = tempfile.mkdtemp(prefix="daemon.", dir="/run")
        os.chmod(self.directory, 0o755)
        self.configuration = f"{self.directory}/stepperd.toml"
        self.runtime = runtime or f"{self.directory}/runtime"
        self.socket = f"{self.runtime}/stepperd/org.stepperd"
        self.log = f"{self.directory}/log"
        environment = dict(os.environ, XDG_RUNTIME_DIR=self.runtime, XDG_STATE_HOME=f"{self.directory}/state",
                           XDG_CONFIG_HOME=f"{self.directory}/config", HOME=f"{self.directory}/home")
        for path in ("runtime", "state", "config", "home"):
            os.mkdir(f"{self.directory}/{path}", 0o700)
        arguments, program = [], PROGRAM
        if configuration is not None:
            self.configure(configuration)
            arguments = ["--config", self.configuration]
        user = {}
        if groups is not None:
            program = reachable(environment)
            for path in ("runtime", "state", "config", "home"):
                os.chown(f"{self.directory}/{path}", NOBODY, NOBODY)
            user = {"user": NOBODY, "group": NOBODY, "extra_groups": groups}
        self.notifications = None
        if notify:
            self.notifications = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self.notifications.bind(f"{self.directory}/notify")
            environment["NOTIFY_SOCKET"] = f"{self.directory}/notify"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([program, *arguments], stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log, env=environment, cwd="/", **user)
        self.pid = self.process.pid
        self.client = eventually(self._connect, "the daemon's socket", 20)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.client.close()
        print(f"daemon's log:\n{self.text()}")

    def _connect(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the daemon ended with {self.process.returncode}: {self.text()}")
        try:
            return Connection(self.socket)
        except (FileNotFoundError, ConnectionRefusedError):
            return None

    def configure(self, text):
        """Writes the configuration file."""
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(text)

    def text(self):
        """What it printed."""
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read().strip()

    def kill(self, number):
        """Sends it a signal."""
        os.kill(self.pid, number)

    def stop(self, number=signal.SIGTERM, timeout=5.0):
        """Ends it in good order; returns its exit status."""
        self.kill(number)
        return self.process.wait(timeout)

    def pause(self):
        """Stops it where it is, and waits until it stands."""
        self.kill(signal.SIGSTOP)
        eventually(lambda: self._status("State").startswith("T"), "the daemon stands still")

    def resume(self):
        """Lets it go on."""
        self.kill(signal.SIGCONT)

    def _status(self, key):
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as file:
            return re.search(rf"^{key}:\s*(.*)$", file.read(), re.MULTILINE).group(1)

    def wakeups(self):
        """How often it went to sleep so far: an idle daemon sleeps on."""
        return int(self._status("voluntary_ctxt_switches")) + int(self._status("nonvoluntary_ctxt_switches"))

    def descriptors(self):
        """How many files it has open."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

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
        """Waits until the device stands in one of `states` ("open", unless given), and returns it."""
        found = {}

        def stands():
            found.clear()
            found.update(self.devices())
            return name in found and found[name]["state"] in (states or ("open",)) and found[name]

        try:
            return eventually(stands, "", timeout)
        except AssertionError:
            shown = {key: (device["state"], device.get("problem")) for key, device in found.items()}
            raise AssertionError(f"device {name} is not {' or '.join(states or ('open',))}: {shown}") from None

    def wait_for_value(self, value, control="volume", timeout=5.0):
        """Waits until the control has this value."""
        last = {}

        def there():
            last.update(self.get(control))
            return last.get("value") == value

        try:
            eventually(there, "", timeout)
        except AssertionError:
            raise AssertionError(f"{control} did not become {value}, it is {last}") from None

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

        try:
            eventually(over, "")
        except AssertionError:
            raise AssertionError(f"volume did not go {steps} steps from {before}, it is {last}") from None
        return last["value"]

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
