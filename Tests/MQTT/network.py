"""Two network namespaces with a cable between them: that of the broker, which is this process's own, and that of a board.

Whoever uses them must be in a network namespace that is its own: `enter` starts the program again in one. Everything vanishes with the
processes. Needs unshare and nsenter of util-linux and ip of iproute2, and root or a kernel that lets others make namespaces.
"""

import os
import subprocess
import sys

from waiting import PATIENCE, eventually

BROKER_ADDRESS = "10.77.0.1"
BOARD_ADDRESS = "10.77.0.2"
#: Nobody has it: what is sent there is lost, and nobody is told.
NOBODY = "02:00:00:00:00:99"
MARK = "STEPPERD_NETWORK_IS_OWN"


def namespace(*arguments):
    """A command line that runs arguments in a new network namespace, and a new one for mounts."""
    user = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    return ["unshare", *user, "--net", "--mount", *arguments]


def obstacle():
    """Why there can be no namespaces here; None: there can."""
    for program in ("unshare", "nsenter", "ip"):
        if not any(os.access(f"{folder}/{program}", os.X_OK) for folder in os.get_exec_path()):
            return f"needs {program}: run Scripts/setup --test"
    probe = ["ip", "link", "add", "probe", "type", "veth", "peer", "name", "probe2"]
    done = subprocess.run(namespace(*probe), capture_output=True, text=True, check=False)
    return f"this machine lets nobody but root make network namespaces: {done.stderr.strip()}" if done.returncode else None


def enter():
    """Goes into a network namespace of its own with nothing but a loopback, by starting this program again; returns there."""
    if os.environ.get(MARK):
        ip("link", "set", "lo", "up")
        return
    os.environ[MARK] = os.readlink("/proc/self/ns/mnt")
    os.execvp("unshare", namespace(sys.executable, *sys.argv))


def is_own():
    """Whether this process has namespaces of its own, so that what is mounted here is mounted nowhere else."""
    return os.environ.get(MARK, os.readlink("/proc/self/ns/mnt")) != os.readlink("/proc/self/ns/mnt")


def ip(*arguments):
    """Runs ip here."""
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


class Cable:
    """Between the broker, here, and the board."""

    #: The ways to cut it. Down: the end of the board or of the broker has no link. Silent: the link is there, and what is sent in both
    #: directions, or in one of them, is lost.
    CUTS = ("board down", "broker down", "silent", "silent to broker", "silent to board")

    def __init__(self):
        # It lives until its input ends, which it does with this process.
        self.holder = subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE)
        own = os.readlink("/proc/self/ns/net")

        def is_there():
            return os.readlink(f"/proc/{self.holder.pid}/ns/net") != own

        eventually(is_there, "the board's network namespace", 10)
        self.under = ["nsenter", "--net", f"--target={self.holder.pid}"]
        ip("link", "add", "broker", "type", "veth", "peer", "name", "board", "netns", str(self.holder.pid))
        ip("addr", "add", f"{BROKER_ADDRESS}/24", "dev", "broker")
        ip("link", "set", "broker", "up")
        self.at_board("addr", "add", f"{BOARD_ADDRESS}/24", "dev", "board")
        self.at_board("link", "set", "board", "up")

    def at_board(self, *arguments):
        """Runs ip at the board."""
        subprocess.run([*self.under, "ip", *arguments], check=True, capture_output=True, text=True)

    def cut(self, how):
        """Cuts it."""
        if how == "board down":
            self.at_board("link", "set", "board", "down")
        elif how == "broker down":
            ip("link", "set", "broker", "down")
        if how in ("silent", "silent to broker"):
            self.at_board("neigh", "replace", BROKER_ADDRESS, "lladdr", NOBODY, "dev", "board", "nud", "permanent")
        if how in ("silent", "silent to board"):
            ip("neigh", "replace", BOARD_ADDRESS, "lladdr", NOBODY, "dev", "broker", "nud", "permanent")

    def mend(self, how):
        """Makes it whole again."""
        if how == "board down":
            self.at_board("link", "set", "board", "up")
        elif how == "broker down":
            ip("link", "set", "broker", "up")
        if how in ("silent", "silent to broker"):
            self.at_board("neigh", "del", BROKER_ADDRESS, "dev", "board")
        if how in ("silent", "silent to board"):
            ip("neigh", "del", BOARD_ADDRESS, "dev", "broker")

    def remove(self):
        """Ends it."""
        self.holder.stdin.close()
        self.holder.wait(10 * PATIENCE)
