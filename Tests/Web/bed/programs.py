"""The real daemon and the real web program, each with a folder and addresses of its own."""

import json
import os
import signal
import socket
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, f"{ROOT}/Tests/Support")

from connection import Connection, Subscription  # noqa: E402
from private_daemon import PrivateDaemon  # noqa: E402
from waiting import eventually  # noqa: E402

from . import wire  # noqa: E402

STEPPERD = os.environ.get("STEPPERD", f"{ROOT}/.build/debug/stepperd")
STEPPERCTL = os.environ.get("STEPPERCTL", f"{os.path.dirname(STEPPERD)}/stepperctl")
STEPPERD_WEB = os.environ.get("STEPPERD_WEB_PROGRAM", f"{ROOT}/.build/debug/stepperd-web")
#: What is served at "/".
PANEL = os.environ.get("STEPPERD_PANEL", f"{ROOT}/Web/panel")
EXAMPLES = os.environ.get("STEPPERD_WEB_EXAMPLES", f"{ROOT}/Web/examples")
CONTROL = "org.stepperd.control"
#: A panel that no hardware is behind; each control of a test is bound to its dial, or to nothing.
DEVICE = "[device.panel]\nvirtual = true\n"


def control(name="volume", *lines, dial=True):
    """A control's table; it is turned by the dial of the virtual panel."""
    return "\n".join([f"[control.{name}]", *(['rotate = "panel:dial"'] if dial else []), *lines, ""])


def configuration(*tables):
    """A configuration with the virtual panel and these tables."""
    return "\n".join([DEVICE, *tables])


def free_port():
    """A port of the loopback address that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def suspend(pid):
    """Stops a process (SIGSTOP), and waits until it is stopped."""
    os.kill(pid, signal.SIGSTOP)

    def stopped():
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] == "T"
    eventually(stopped, f"process {pid} is stopped")


class WebProgram:
    """stepperd-web before a daemon. `options` are lines of its configuration; `pages` is {file: text or bytes}."""

    def __init__(self, daemon, options=(), pages=None, address=None, listen=None):
        self.daemon, self.address = daemon, address or daemon.socket
        self.port = free_port()
        self.folder = f"{daemon.folder}/web.{self.port}"
        self.pages = f"{self.folder}/pages"
        os.makedirs(self.pages)
        for name, content in (pages or {}).items():
            os.makedirs(os.path.dirname(f"{self.pages}/{name}"), exist_ok=True)
            with open(f"{self.pages}/{name}", "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        self.listen = listen or f"127.0.0.1:{self.port}"
        self.options = list(options)
        self.log = f"{self.folder}/log"
        self.process = None

    @property
    def origin(self):
        """Where a browser finds it."""
        return f"http://127.0.0.1:{self.port}"

    def configure(self):
        """Writes its configuration file and returns the path."""
        path = f"{self.folder}/stepperd-web.toml"
        lines = list(self.options)
        if not any(line.startswith("pages") for line in lines):
            lines.append(f'pages = "{self.pages}"')
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return path

    def spawn(self):
        """Starts it, and waits for nothing."""
        command = [os.path.abspath(STEPPERD_WEB), "--config", self.configure(), "--listen", self.listen,
                   "--address", self.address, "--files", os.path.abspath(PANEL)]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                                            env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})

    def start(self):
        """Starts it, and waits until it answers, and has found the daemon."""
        self.spawn()

        def listens():
            if self.process.poll() is not None:
                raise AssertionError(f"stepperd-web ended with {self.process.returncode}: {self.text()}")
            try:
                return wire.get(self.port, "/controls").status != 503
            except OSError:
                return False
        eventually(listens, lambda: f"stepperd-web listens; it printed: {self.text()}", 20)

    def text(self):
        """What it printed."""
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read().strip()

    def memory(self):
        """Its memory in bytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS:"))

    def processor_time(self):
        """What it has used of the processors, in seconds."""
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, number=signal.SIGTERM, timeout=15):
        """Ends it; its exit status."""
        self.process.send_signal(number)
        return self.process.wait(timeout)

    def end(self):
        """Kills it if it runs."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Bed:
    """A daemon with a web program before it; `change` is the Python client of tests, which is an administrator."""

    def __init__(self, tables, options=(), pages=None):
        self.daemon = PrivateDaemon(tables)
        self.web = WebProgram(self.daemon, options, pages)
        self.client = None

    def start(self):
        """Starts both; returns itself."""
        self.start_daemon()
        self.web.start()
        return self

    def start_daemon(self):
        """Starts the daemon, and connects to it."""
        self.daemon.start(STEPPERD)
        self.client = self.daemon.connect()

    def close(self):
        """Ends both, and removes their folder."""
        self.web.end()
        if self.client:
            self.client.close()
        self.daemon.remove()

    # What others do

    def turn(self, detents, device="panel", dial="dial"):
        """Turns the knob."""
        self.client.call("org.stepperd.device.Turn", device=device, input=dial, detents=detents)

    def get(self, name="volume"):
        """A control's state."""
        return self.client.call(f"{CONTROL}.Get", control=name)["state"]

    def value(self, name="volume"):
        """A control's value; None while it is unset."""
        return self.get(name).get("value")

    def set(self, value, name="volume", **more):
        """Sets a control: a number, or a text."""
        key = "text" if isinstance(value, str) else "value"
        return self.client.call(f"{CONTROL}.Set", control=name, **{key: value}, **more)["state"]

    def adjust(self, name="volume", **ends):
        """Changes the range."""
        return self.client.call(f"{CONTROL}.Adjust", control=name, **ends)

    def describe(self, name="volume", language=None):
        """What a reader says of it."""
        return self.client.call(f"{CONTROL}.Describe", control=name, language=language)["accessibility"]

    def reload(self, tables):
        """Has the daemon read another configuration."""
        self.daemon.configure(tables)
        self.client.call("org.stepperd.manager.Reload")

    def states(self, *names):
        """Follows controls; the snapshot is read already."""
        return Subscription(self.daemon.socket, f"{CONTROL}.Subscribe", match=list(names) or None)

    def moments(self, *names):
        """Follows moments."""
        return Moments(self.daemon.socket, names)

    def connection(self):
        """One more connection."""
        return Connection(self.daemon.socket)

    def has(self, method):
        """Whether the daemon has the method of the control interface."""
        reply = self.client.ask("org.varlink.service.GetInterfaceDescription", interface=CONTROL)
        return f"method {method}(" in reply["parameters"]["description"]

    def wait_for_value(self, value, name="volume", timeout=5.0):
        """Waits until the control has this value."""
        last = {}

        def is_there():
            last.update(self.get(name))
            return last.get("value") == value
        eventually(is_there, lambda: f"{name} is {value}: {last}", timeout)


class Moments(Subscription):
    """Moments as they come; `seen` has all of them."""

    def __init__(self, path, names):
        super().__init__(path, f"{CONTROL}.SubscribeMoments", match=list(names) or None)
        self.seen = []

    def until(self, accepts, what, timeout=10.0):
        """Reads on until `accepts` takes a moment, and returns that."""
        while True:
            try:
                reply = self.next(timeout)
            except TimeoutError:
                shown = [(moment["moment"], moment.get("text")) for moment in self.seen]
                raise AssertionError(f"{what} not within {timeout} s; there were {shown}") from None
            if reply["dropped"]:
                raise AssertionError(f"{reply['dropped']} moments were lost")
            self.seen += reply["moments"]
            for moment in reply["moments"]:
                if accepts(moment):
                    return moment

    def named(self, *names):
        """Those of these names so far."""
        return [moment for moment in self.seen if moment["moment"] in names]


def tried(profile, microseconds, *options):
    """What `stepperctl try` does with a hold of that time: the milliseconds of each change from the press on, and the text after it."""
    arguments = [STEPPERCTL, "try", "--profile", profile, "--hold", f"{microseconds / 1e6:.6f}s", "--json"]
    arguments += [word for option in options for word in ("--option", option)]
    lines = subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=20,
                           env={**os.environ, "STEPPERD_ADDRESS": "/nonexistent"}).stdout.splitlines()
    hold = json.loads(lines[0])
    return [event["milliseconds"] for event in hold["events"] if event["changed"]], hold["after"]
