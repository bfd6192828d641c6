"""The brokers that a fleet is tried with: mosquitto alone, and a cluster of three NATS servers. On the loopback only."""

import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Support"))

from certificates import make_certificates  # noqa: E402
from loopback import free_port, listens  # noqa: E402
from waiting import eventually  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def memory(pid):
    """Resident memory in bytes."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * PAGE


def processor_time(pid):
    """Seconds, of the system and the program together."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Node:
    """A broker's process with its files."""

    def __init__(self, folder, command, port, log):
        self.folder, self.command, self.port, self.log = folder, command, port, log
        self.process = None

    def start(self):
        """Returns when it listens."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder)
        eventually(lambda: listens(self.port), lambda: f"{self.command[0]} at {self.port}; see {self.log}", 30)

    def kill(self):
        """Ends it as a loss of power does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def is_alive(self):
        """Whether it runs."""
        return self.process is not None and self.process.poll() is None


class Mosquitto:
    """One broker that keeps its retained messages on the disk."""

    name = "mosquitto"
    #: Whether a subscriber is told of everything: what was published before, and what is published after.
    is_strict = True
    #: Of clients: the authority, their certificate, its key; None: without TLS.
    certificates = None

    def __init__(self, folder, queued, has_tls=False):
        """`queued` messages wait for a slow subscriber; of more the newest are dropped. With TLS it takes only who has a certificate."""
        self.folder = f"{folder}/mosquitto"
        os.makedirs(self.folder)
        port = free_port()
        encryption = ""
        if has_tls:
            make_certificates(self.folder)
            self.certificates = [f"{self.folder}/{name}" for name in ("authority.crt", "client.crt", "client.key")]
            encryption = f"""\
cafile {self.folder}/authority.crt
certfile {self.folder}/broker.crt
keyfile {self.folder}/broker.key
require_certificate true
"""
        with open(f"{self.folder}/broker.conf", "w", encoding="ascii") as file:
            file.write(f"""\
listener {port} 127.0.0.1
{encryption}allow_anonymous true
user root
persistence true
persistence_location {self.folder}/
autosave_interval 5
max_queued_messages {queued}
max_connections -1
set_tcp_nodelay true
log_type error
log_type warning
""")
        self.nodes = [Node(self.folder, ["/usr/sbin/mosquitto", "-c", f"{self.folder}/broker.conf"], port, f"{self.folder}/log")]

    def start(self):
        """All of it."""
        for node in self.nodes:
            node.start()

    def version(self):
        """As it says it."""
        text = subprocess.run(["/usr/sbin/mosquitto", "-h"], capture_output=True, text=True, check=False).stdout
        return text.splitlines()[0].strip()

    def stop(self):
        """Ends it, and forgets what it has."""
        for node in self.nodes:
            if node.is_alive():
                node.kill()
        shutil.rmtree(self.folder)

    @property
    def pids(self):
        """Of those that run."""
        return [node.process.pid for node in self.nodes if node.is_alive()]

    @property
    def addresses(self):
        """`HOST:PORT` of each."""
        return [f"127.0.0.1:{node.port}" for node in self.nodes]


class Nats(Mosquitto):
    """Three servers with JetStream, in which retained messages and sessions are kept three times."""

    name = "nats"
    #: A message of another node that is published while a client subscribes may come too late for its retained messages.
    is_strict = False

    def __init__(self, folder, replicas=3):
        # pylint: disable=super-init-not-called
        self.folder = f"{folder}/nats"
        os.makedirs(self.folder)
        routes = [free_port() for _ in range(3)]
        self.nodes = []
        for number, route in enumerate(routes):
            client, port, monitor = free_port(), free_port(), free_port()
            place = f"{self.folder}/{number}"
            os.makedirs(place)
            with open(f"{place}/server.conf", "w", encoding="ascii") as file:
                file.write(f"""\
server_name: n{number}
listen: 127.0.0.1:{client}
http: 127.0.0.1:{monitor}
jetstream {{ store_dir: "{place}/store", max_memory_store: 1GB, max_file_store: 8GB }}
cluster {{ name: fleet, listen: 127.0.0.1:{route}, routes: [{", ".join(f'"nats://127.0.0.1:{other}"' for other in routes)}] }}
mqtt {{ listen: 127.0.0.1:{port}, stream_replicas: {replicas}, consumer_replicas: 1, consumer_memory_storage: true }}
""")
            node = Node(place, ["/usr/sbin/nats-server", "-c", f"{place}/server.conf"], port, f"{place}/log")
            node.monitor = monitor
            self.nodes.append(node)

    def start(self):
        """All of them, which form a cluster."""
        for node in self.nodes:
            node.start()
        eventually(lambda: self.leader() is not None, "a leader of the cluster", 60)

    def leader(self):
        """The server that leads the cluster; None: there is none yet."""
        import json
        import urllib.request
        for node in self.nodes:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{node.monitor}/jsz", timeout=5) as reply:
                    name = json.load(reply).get("meta_cluster", {}).get("leader")
            except OSError:
                continue
            if name:
                return name
        return None

    def version(self):
        """As it says it."""
        return subprocess.run(["/usr/sbin/nats-server", "--version"], capture_output=True, text=True, check=True).stdout.strip()
