"""Somebody who follows Documentation/guides/home-assistant.md word by word, on a machine of their own.

The machine is this one, with its own copy of what the guide changes (/etc, /var/lib, /usr/share/doc), its own /run and its own loopback. It
has the real stepperd and the real mosquitto. Three programs are stand-ins, as there is no service manager here: `sudo`, which runs what it
is given, `apt`, which installs what was built, and `systemctl`, which starts the service as its unit says.
"""

import os
import re
import signal
import subprocess

import guide
import network
from bed import BUILD
from certificates import openssl
from loopback import listens
from waiting import eventually

PROJECT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
CONFIGURATION = "/etc/stepperd/stepperd.toml"
#: What the guide takes for granted: TLS for boards, and no TLS for Home Assistant on the same machine.
LISTENERS = """\
listener 8883
certfile /etc/mosquitto/certs/broker.crt
keyfile /etc/mosquitto/certs/broker.key
listener 1883 127.0.0.1
"""
STAND_INS = {
    "sudo": '#!/bin/sh\nexec env "$@"\n',
    "apt": """#!/bin/sh
# What a package of that name would bring.
case "$1 $2" in "install ./.build/packages/stepperd-mqtt_"*) ;; *) echo "apt: $*" >&2; exit 100 ;; esac
ln -s "$STRANGER_BUILD/stepperd-mqtt" "$STRANGER_PROGRAMS/stepperd-mqtt"
mkdir -p /usr/share/doc/stepperd-mqtt/examples
cp "$STRANGER_PROJECT/systemd/examples/mqtt-acl.txt" /usr/share/doc/stepperd-mqtt/examples/
""",
    "systemctl": """#!/bin/bash
# The unit has the command line, and the folders.
unit=$STRANGER_PROJECT/systemd/stepperd-mqtt.service.in
case "$*" in
"restart mosquitto")
  if [ -e /run/mosquitto.pid ]; then kill "$(cat /run/mosquitto.pid)"; tail --pid="$(cat /run/mosquitto.pid)" -f /dev/null; fi
  mosquitto -c /etc/mosquitto/mosquitto.conf >/dev/null 2>&1 <&- &
  echo $! >/run/mosquitto.pid
  ;;
"enable --now stepperd-mqtt")
  mkdir -p "/run/$(sed -n 's/^RuntimeDirectory=//p' "$unit")"
  for folder in $(sed -n 's/^StateDirectory=//p' "$unit"); do mkdir -p "/var/lib/$folder"; done
  export CREDENTIALS_DIRECTORY=/etc/credstore RUNTIME_DIRECTORY="/run/$(sed -n 's/^RuntimeDirectory=//p' "$unit")"
  command=$(sed -n "s|^ExecStart=@bindir@|$STRANGER_PROGRAMS|p" "$unit")
  $command >>/run/bridge.log 2>&1 <&- &
  echo $! >/run/bridge.pid
  ;;
"daemon-reload") ;;
"reload mosquitto") kill -HUP "$(cat /run/mosquitto.pid)" ;;
"disable --now stepperd-mqtt") kill "$(cat /run/bridge.pid)" && tail --pid="$(cat /run/bridge.pid)" -f /dev/null ;;
*) echo "systemctl: $*" >&2; exit 1 ;;
esac
""",
}


def run(*arguments):
    """Runs a command that must succeed."""
    subprocess.run(arguments, check=True, capture_output=True)


class Stranger:
    """One machine; the program must be in namespaces of its own (network.py)."""

    def __init__(self, folder, controls, listeners=LISTENERS):
        self.folder, self.programs = folder, f"{folder}/programs"
        self.daemon = None
        os.mkdir(self.programs)
        self.own_files()
        for name, text in STAND_INS.items():
            with open(f"{self.programs}/{name}", "w", encoding="ascii") as file:
                file.write(text)
            os.chmod(f"{self.programs}/{name}", 0o755)
        os.symlink(f"{BUILD}/stepperctl", f"{self.programs}/stepperctl")
        self.environment = {**os.environ, "HOME": folder, "PATH": f"{self.programs}:/usr/sbin:/usr/bin:/sbin:/bin", "STRANGER_PROJECT": PROJECT,
                            "STRANGER_BUILD": BUILD, "STRANGER_PROGRAMS": self.programs}
        for variable in ("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "STEPPERD_ADDRESS"):
            self.environment.pop(variable, None)
        self.start_daemon(controls)
        self.make_broker(listeners)

    def own_files(self):
        """Copies of what is changed, that nobody else sees."""
        assert network.is_own(), "these would be the machine's own files"
        place = f"{self.folder}/files"
        os.mkdir(place)
        run("mount", "-t", "tmpfs", "tmpfs", place)
        for path in ("/etc", "/var/lib", "/usr/share/doc"):
            name = f"{place}/{path.replace('/', '_')}"
            os.makedirs(f"{name}/work")
            os.makedirs(f"{name}/files")
            run("mount", "-t", "overlay", "overlay", "-o", f"lowerdir={path},upperdir={name}/files,workdir={name}/work", path)
        for path in ("/run", "/var/log/mosquitto", "/var/lib/mosquitto", "/etc/stepperd", "/var/lib/stepperd"):
            os.makedirs(path, exist_ok=True)
            run("mount", "-t", "tmpfs", "tmpfs", path)

    def start_daemon(self, controls):
        """The system's, with controls."""
        os.makedirs("/run/stepperd")
        with open(CONFIGURATION, "w", encoding="utf-8") as file:
            file.write(controls)
        with open(f"{self.folder}/daemon.log", "wb") as log:
            self.daemon = subprocess.Popen([f"{BUILD}/stepperd", "--system"], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                           env=self.environment)
        eventually(lambda: os.path.exists("/run/stepperd/org.stepperd"), "the daemon's socket", 20)

    def make_broker(self, listeners):
        """Debian's mosquitto with its own files, as broker.example, whose certificate the system trusts; it is not started."""
        with open("/etc/hosts", "a", encoding="ascii") as file:
            file.write("127.0.0.1 broker.example\n")
        folder = self.folder
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        openssl(folder, "req", "-x509", *curve, "-days", "2", "-subj", "/CN=authority", "-keyout", "authority.key", "-out", "authority.crt")
        openssl(folder, "req", *curve, "-subj", "/CN=broker.example", "-keyout", "broker.key", "-out", "broker.csr")
        with open(f"{folder}/names", "w", encoding="ascii") as file:
            file.write("subjectAltName=DNS:broker.example")
        openssl(folder, "x509", "-req", "-in", "broker.csr", "-CA", "authority.crt", "-CAkey", "authority.key", "-CAcreateserial", "-days", "2",
                "-extfile", "names", "-out", "broker.crt")
        shown = subprocess.run(["openssl", "x509", "-hash", "-noout", "-in", f"{folder}/authority.crt"], check=True, capture_output=True)
        run("cp", f"{folder}/authority.crt", f"/etc/ssl/certs/{shown.stdout.decode().strip()}.0")
        run("install", "-o", "mosquitto", "-m", "600", f"{folder}/broker.crt", f"{folder}/broker.key", "/etc/mosquitto/certs")
        run("install", "-d", "-o", "mosquitto", "/run/mosquitto", "/var/log/mosquitto", "/var/lib/mosquitto")
        with open("/etc/mosquitto/conf.d/listeners.conf", "w", encoding="ascii") as file:
            file.write(listeners)

    def follow(self, page, after=None, only=None, **more):
        """Reads the page from its beginning to its end; the number of commands. `after` and `only` are as guide.Reader has them, and what
        `more` there is are further names."""
        names = {"line": self.line, "listens": self.wait_for_broker, "authority": self.authority,
                 "value": lambda: float(self.shell("stepperctl get volume")[1]), "add": self.add,
                 "has": lambda control: self.shell(f"stepperctl get {control}")[0] == 0,
                 "published": lambda topic: self.shell(f"mosquitto_sub -C 1 -W 1 -t '{topic}'")[1], **more}
        process = {"env": self.environment, "cwd": self.folder}
        reader = guide.Reader(CONFIGURATION, names, {}, process, with_scripts=True, appends=True)
        return reader.follow(page, after, only)

    @staticmethod
    def add(table, line):
        """Writes a line into a table of the configuration."""
        with open(CONFIGURATION, encoding="utf-8") as file:
            text = file.read()
        if f"{table}\n" not in text:
            text += f"\n{table}\n"
        with open(CONFIGURATION, "w", encoding="utf-8") as file:
            file.write(text.replace(f"{table}\n", f"{table}\n{line}\n", 1))

    def line(self):
        """What `stepperctl status` shows of the bridge."""
        found = re.search(r"^mqtt +(.*)$", self.shell("stepperctl status")[1], re.MULTILINE)
        return found[1] if found else self.log()

    def authority(self):
        """The certificate of the broker's authority."""
        with open(f"{self.folder}/authority.crt", encoding="ascii") as file:
            return file.read()

    def wait_for_broker(self):
        """Until it takes connections."""
        eventually(lambda: listens(8883), "the broker's port", 20)

    def shell(self, command):
        """What a command prints, and its status."""
        done = subprocess.run(["/bin/bash", "-c", command], env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, timeout=60,
                              check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def log(self):
        """What the bridge has logged."""
        try:
            with open("/run/bridge.log", encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return "the bridge was not started"

    def kill_bridge(self):
        """Ends the bridge as a lost board does."""
        with open("/run/bridge.pid", encoding="ascii") as file:
            pid = int(file.read())
        os.kill(pid, signal.SIGKILL)

    def stop(self):
        """Ends everything."""
        try:
            self.kill_bridge()
        except (FileNotFoundError, ProcessLookupError):
            pass
        try:
            with open("/run/mosquitto.pid", encoding="ascii") as file:
                os.kill(int(file.read()), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass
        if self.daemon and self.daemon.poll() is None:
            self.daemon.kill()
            self.daemon.wait()
        run("umount", "--lazy", f"{self.folder}/files")
