"""systemd's own Varlink client, where there is one (systemd 255 and later)."""

import json
import shutil
import subprocess

import harness
from harness import equal, test
from system import SOCKET, Journal, member, run, set_value, user
from waiting import eventually

INTERFACES = ("org.stepperd.control", "org.stepperd.device", "org.stepperd.manager", "io.systemd.Metrics", "io.systemd.service")


def varlinkctl(*arguments, status=0, by="alice"):
    """Runs varlinkctl as a user: a member of the group who is no administrator, or root."""
    if not shutil.which("varlinkctl"):
        raise harness.Skipped("this systemd has no varlinkctl")
    return run("varlinkctl", *arguments, status=status, **(user(by) if by == "root" else member(by)))


@test
def varlinkctl_describes():
    """info, list-interfaces, list-methods and introspect understand what the daemon says of itself."""
    equal("stepperd" in varlinkctl("info", SOCKET), True, "the vendor")
    listed = varlinkctl("list-interfaces", SOCKET).split()
    equal([name for name in INTERFACES if name not in listed], [], "missing interfaces")
    for name in INTERFACES:
        equal(f"interface {name}" in varlinkctl("introspect", SOCKET, name), True, f"description of {name}")
    equal("org.stepperd.control.Get" in varlinkctl("list-methods", SOCKET), True, "methods")


@test
def varlinkctl_calls():
    """call sets, reads, and shows errors by their names."""
    parameters = json.dumps({"control": "volume", "value": 12})
    equal(json.loads(varlinkctl("call", "--json=short", SOCKET, "org.stepperd.control.Set", parameters))
          ["state"]["text"], "12", "answer")
    found = json.loads(varlinkctl("call", "--json=short", SOCKET, "org.stepperd.control.Get", '{"control":"volume"}'))
    equal(found["state"]["text"], "12", "text")
    said = varlinkctl("call", SOCKET, "org.stepperd.control.Get", '{"control":"volum"}', status=1)
    equal("org.stepperd.control.NoSuchControl" in said, True, f"the error: {said}")


@test
def varlinkctl_reads_metrics():
    """call --more gets the metrics by the link where systemd-report looks, and introspect accepts their description."""
    link = "/run/systemd/report/org.stepperd"
    equal("method Describe" in varlinkctl("introspect", link, "io.systemd.Metrics"), True, "description")
    # In a sequence of JSON texts each may begin with a separator.
    for method in ("List", "Describe"):
        text = varlinkctl("call", "--more", "--json=short", link, f"io.systemd.Metrics.{method}", "{}").replace("\x1e", "")
        names = [json.loads(line)["name"] for line in text.splitlines()]
        equal([name for name in names if not name.startswith("org.stepperd.")], [], f"foreign names in {method}")
        equal("org.stepperd.controls" in names, True, f"controls in {method}")


@test
def varlinkctl_sets_the_log_level(stack):
    """io.systemd.service: everybody may ping and ask for the level; the level and the environment are for administrators."""
    def call(method, parameters="{}", **how):
        said = varlinkctl("call", "--json=short", SOCKET, f"io.systemd.service.{method}", parameters, **how)
        return None if how.get("status") else json.loads(said)

    equal(call("Ping"), {}, "an answer")
    usual = call("GetLogLevel")
    for method, parameters in (("SetLogLevel", '{"level":7}'), ("GetEnvironment", "{}")):
        call(method, parameters, status=1)
    equal(call("GetLogLevel"), usual, "the level after a refused call")
    call("SetLogLevel", '{"level":8}', status=1, by="root")
    journal = Journal()
    stack.callback(call, "SetLogLevel", '{"level":null}', by="root")
    call("SetLogLevel", '{"level":7}', by="root")
    equal(call("GetLogLevel"), {"level": 7}, "the level")
    journal.wait_for("calls io.systemd.service.GetLogLevel")
    call("SetLogLevel", '{"level":null}', by="root")
    equal(call("GetLogLevel"), usual, "the level of the configuration")
    environment = call("GetEnvironment", by="root")["environment"]
    equal("STATE_DIRECTORY=/var/lib/stepperd" in environment, True, f"the state directory in {environment}")
    # It is for services on D-Bus, as stepperd(8) says.
    run("systemctl", "service-log-level", "stepperd", "debug", status=1)


@test
def varlinkctl_follows(stack):
    """call --more follows the changes."""
    varlinkctl("--version")
    process = stack.enter_context(subprocess.Popen(
        ["stdbuf", "--output=L", "varlinkctl", "call", "--more", "--json=short", SOCKET, "org.stepperd.control.Subscribe", "{}"],
        stdout=open("/run/test-varlinkctl", "wb"), **member("alice")))
    stack.callback(process.kill)

    def replies():
        with open("/run/test-varlinkctl", encoding="utf-8") as file:
            return [json.loads(line) for line in file.read().replace("\x1e", "").splitlines() if line.endswith("}")]

    eventually(lambda: len(replies()) == 1, "the snapshot", 30)
    set_value(77)
    eventually(lambda: any(state["text"] == "77" for reply in replies()[1:] for state in reply["states"]), "the change", 30)
