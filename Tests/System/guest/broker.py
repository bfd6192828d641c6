"""The broker of these tests: mosquitto's own unit with TLS on the loopback, as broker.example."""

import contextlib
import os
import subprocess
import threading

from system import run
from waiting import eventually

HOST, PORT = "broker.example", 8883
AUTHORITY = "/run/test-broker/authority.crt"
FOLDER = os.path.dirname(AUTHORITY)
SETTINGS = "/etc/mosquitto/conf.d/listener.conf"


def _openssl(*arguments):
    run("openssl", *arguments, cwd=FOLDER)


def make(stack):
    """The broker with a certificate of its own authority, which nobody may use yet; it is started with `start`."""
    os.makedirs(FOLDER, exist_ok=True)
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    _openssl("req", "-x509", *curve, "-days", "2", "-subj", "/CN=authority", "-keyout", "authority.key", "-out", "authority.crt")
    _openssl("req", *curve, "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", "broker.key",
             "-out", "broker.csr")
    _openssl("x509", "-req", "-in", "broker.csr", "-CA", "authority.crt", "-CAkey", "authority.key", "-CAcreateserial",
             "-days", "2", "-copy_extensions", "copy", "-out", "broker.crt")
    run("chown", "--recursive", "mosquitto:", FOLDER)
    with open(SETTINGS, "w", encoding="utf-8") as file:
        file.write(f"listener {PORT}\ncertfile {FOLDER}/broker.crt\nkeyfile {FOLDER}/broker.key\n")
    stack.callback(run, "rm", "-rf", FOLDER, SETTINGS, "/run/mosquitto", "/var/lib/mosquitto/mosquitto.db")
    # Not every Debian has that file.
    path = "/etc/hosts"
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            stack.callback(_write, path, file.read())
    else:
        stack.callback(os.unlink, path)
    _write(path, f"127.0.0.1 localhost {HOST}\n")
    stack.callback(run, "systemctl", "stop", "mosquitto")


def _write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def let_in(stack, **passwords):
    """The users with these passwords, who may do everything, and nobody else; starts the broker."""
    make(stack)
    path, settings = "/etc/mosquitto/passwords", "/etc/mosquitto/conf.d/users.conf"
    stack.callback(run, "rm", "-f", path, settings)
    _write(path, "")
    for name, password in passwords.items():
        run("mosquitto_passwd", "-b", path, name, password)
    run("chown", "mosquitto:", path)
    _write(settings, f"password_file {path}\nallow_anonymous false\n")
    start()


def start():
    """Starts it, and waits until it listens."""
    run("systemctl", "restart", "mosquitto")
    eventually(lambda: f":{PORT:04X} " in _listening(), "the broker's port", 30)


def _listening():
    with open("/proc/net/tcp", encoding="ascii") as file:
        return file.read()


class Client:
    """The other side: a user of the broker who sees and sets."""

    def __init__(self, name, password):
        self.options = ["-h", HOST, "-p", str(PORT), "--cafile", AUTHORITY, "-u", name, "-P", password]

    def retained(self, topic):
        """What the broker retains there; nothing if there is nothing."""
        done = subprocess.run(["mosquitto_sub", *self.options, "-t", topic, "-C", "1", "-W", "5", "--retained-only"], check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.stdout.strip() if done.returncode in (0, 27) else f"exit status {done.returncode}: {done.stdout}"

    def wait_for(self, topic, text):
        """Waits until the broker retains this there."""
        last = {}

        def is_there():
            last["text"] = self.retained(topic)
            return last["text"] == text

        eventually(is_there, lambda: f"{topic} is {text!r}: {last['text']!r}", 60)

    def publish(self, topic, text):
        """Publishes once, acknowledged."""
        run("mosquitto_pub", *self.options, "-q", "1", "-t", topic, "-m", text)

    @contextlib.contextmanager
    def pouring(self, messages):
        """Publishes these texts at these topics of the board as fast as the broker takes them, while the block lasts."""
        with contextlib.ExitStack() as ends:
            for topic, text in messages.items():
                process = ends.enter_context(subprocess.Popen(
                    ["mosquitto_pub", *self.options, "-q", "0", "-t", f"stepperd/kitchen/{topic}", "-l"], stdin=subprocess.PIPE))
                thread = threading.Thread(target=_pour, args=(process, text.encode() + b"\n"))
                ends.callback(thread.join)
                ends.callback(process.terminate)
                thread.start()
            yield


def _pour(process, line):
    """Writes the line again and again until the program ends."""
    with contextlib.suppress(OSError):
        while True:
            os.write(process.stdin.fileno(), line)
