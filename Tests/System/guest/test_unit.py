"""The unit: the sandbox while the daemon works, and the limits that are in force."""

import os
import re
import shutil

import flood
from harness import equal, test
from connection import Connection
from system import SOCKET, UNITS, Journal, connect, get, is_writable, look_at_sandbox, main_pid, plugged_in, properties, run, set_value, status_of, stepperctl, user, wait_for_value, wait_until_active
from uinput import REL_DIAL

#: Where the links to the socket are.
LINKS = ("/run/varlink/registry/org.stepperd.control", "/run/varlink/registry/org.stepperd.device",
         "/run/varlink/registry/org.stepperd.manager", "/run/systemd/report/org.stepperd")
#: Tenths, as --threshold= of systemd-analyze has them.
EXPOSURE = 10


def limit(name):
    """A file of the service's control group."""
    group = properties("stepperd", "ControlGroup")
    with open(f"/sys/fs/cgroup{group}/{name}", encoding="utf-8") as file:
        return file.read().strip()


@test
def exposure_while_it_works(stack):
    """systemd-analyze security says 1.0 or better of the service that reads a knob just now, without a capability."""
    knob = plugged_in(stack)
    look_at_sandbox("stepperd", EXPOSURE)
    knob.turn(REL_DIAL, 3)
    wait_for_value(23)


@test
def sandbox_is_in_force():
    """In its own view of the files nothing is writable but what it was given."""
    for path, wanted in (("/usr", False), ("/var/lib/stepperd", True), ("/var/lib", False)):
        equal(is_writable(main_pid(), path), wanted, f"{path} is writable")


@test
def limits_are_in_force():
    """Memory, processes and descriptors have the limits of the unit, and the daemon stays far below."""
    equal(limit("memory.max"), str(128 << 20), "memory.max")
    equal(limit("memory.swap.max"), "0", "memory.swap.max")
    equal(limit("pids.max"), "64", "pids.max")
    pid = main_pid()
    with open(f"/proc/{pid}/limits", encoding="utf-8") as file:
        equal(re.search(r"Max open files +(\d+) +(\d+)", file.read()).groups(), ("1024", "1024"), "open files")
    clients = [connect() for _ in range(30)]
    for client in clients:
        client.call("org.stepperd.control.List")
        client.close()
    resident = int(status_of(pid, "VmHWM").split()[0])
    print(f"at most {resident} kB of the daemon were in memory")
    equal(resident < 64 << 10, True, f"VmHWM {resident} kB is below 64 MB")


@test
def socket_is_registered():
    """Where programs look for interfaces and for metrics there is a link to the socket."""
    for link in LINKS:
        equal(os.path.realpath(link), SOCKET, link)
        with Connection(link) as connection:
            names = connection.call("org.varlink.service.GetInfo")["interfaces"]
        wanted = "io.systemd.Metrics" if "report" in link else os.path.basename(link)
        equal(wanted in names, True, f"{wanted} among the interfaces {names}")


@test
def removed_socket_is_reported():
    """Somebody removes the socket: the journal says what to do, and that mends it; no value is lost."""
    set_value(33)
    pid, journal = main_pid(), Journal()
    os.unlink(SOCKET)
    journal.wait_for("clients cannot connect: .* was removed; stop stepperd.service and stepperd.socket, then start both")
    for verb in ("stop", "start"):
        run("systemctl", verb, "stepperd.service", "stepperd.socket")
    wait_until_active(other_than=pid)
    equal(get()["value"], 33, "value")
    equal(stepperctl("get", "volume", by="alice").strip(), "33", "value for a member")


@test
def example_writes_metrics(stack):
    """The example units of the documentation, copied as they say, write the metrics for node_exporter."""
    folder, examples = "/var/lib/prometheus/node-exporter", "/usr/share/doc/stepperd/examples"
    stack.callback(run, "rm", "-rf", "/var/lib/prometheus")
    stack.callback(run, "userdel", "prometheus")
    run("useradd", "--system", "prometheus")
    os.makedirs(folder)
    run("chown", "prometheus:", folder)
    units = [f"{UNITS}/stepperd-metrics.{kind}" for kind in ("service", "timer")]
    stack.callback(run, "systemctl", "daemon-reload")
    for unit in units:
        shutil.copy(f"{examples}/{os.path.basename(unit)}", unit)
        stack.callback(os.unlink, unit)
    run("systemctl", "daemon-reload")
    run("systemctl", "start", "stepperd-metrics.service")
    with open(f"{folder}/stepperd.prom", encoding="utf-8") as file:
        equal("stepperd_up 1" in file.read().splitlines(), True, "stepperd_up 1 is in the file")


@test
def floods_of_clients_within_the_limits():
    """A member's floods on all connections that are his, in the unit's memory and with a fifth of a processor: another is answered."""
    run("usermod", "--append", "--groups", "stepperd", "alice")
    for name in ("unread_calls", "slow_names", "changes", "comers"):
        print(name)
        with flood.within_limits("stepperd"), connect() as healthy, flood.of(name, by=user("alice")):
            flood.answers(lambda client=healthy: client.call("org.stepperd.control.Get", control="volume"))
        set_value(33)
        equal(get()["value"], 33, "value after it")
