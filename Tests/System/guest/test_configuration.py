"""Reload and start with a configuration that is wrong."""

from harness import equal, test
from system import (Journal, configuration, configure, describe, get, main_pid, properties, run, set_value, stepperctl, wait_until_active)
from waiting import eventually

GOOD = """
[device.panel]
virtual = true

[control.volume]
rotate = "panel:dial"
maximum = 200
"""
BAD = GOOD.replace("200", '"much"')


@test
def reload_takes_a_new_configuration(stack):
    """systemctl reload takes over the file, in the same process."""
    stack.enter_context(configuration(GOOD))
    pid = main_pid()
    configure(GOOD.replace("200", "300"))
    run("systemctl", "reload", "stepperd")
    eventually(lambda: describe()["maximum"] == 300, "the new maximum", 20)
    equal((main_pid(), properties("stepperd", "ActiveState")), (pid, "active"), "process and state")


@test
def reload_of_a_broken_configuration_changes_nothing(stack):
    """The old one stays in use, the values stay, and the journal says what is wrong and where."""
    stack.enter_context(configuration(GOOD))
    set_value(150)
    pid, journal = main_pid(), Journal()
    configure(BAD)
    run("systemctl", "reload", "stepperd")
    journal.wait_for(r"stepperd\.toml:7.*maximum")
    journal.wait_for("nothing was changed")
    equal((main_pid(), properties("stepperd", "ActiveState")), (pid, "active"), "process and state")
    equal((describe()["maximum"], get()["value"]), (200, 150), "maximum and value")
    configure(GOOD)


@test
def start_with_a_broken_configuration(stack):
    """It fails once and says why; who connects is sent away at once, and it does not start again and again. With the
    configuration mended it starts."""
    stack.enter_context(configuration(GOOD))
    set_value(150)
    journal = Journal()
    configure(BAD)
    run("systemctl", "restart", "stepperd", status=None)
    eventually(lambda: properties("stepperd", "ActiveState") == "failed", "the service has failed", 30)
    equal(properties("stepperd", "Result", "ExecMainStatus"), ["exit-code", "78"], "result")
    equal("maximum" in run("systemctl", "status", "--no-pager", "stepperd", status=3), True, "systemctl status says why")
    said = stepperctl("get", "volume", by="alice", status=3)
    print(said)
    starts = [line for line in journal.text().splitlines() if line.startswith("Starting")]
    equal(len(starts) <= 3, True, f"starts for one restart and one client: {len(starts)}")
    equal(properties("stepperd", "ActiveState"), "failed", "state")
    equal(properties("stepperd.socket", "ActiveState"), "active", "state of the socket")
    configure(GOOD)
    equal(stepperctl("get", "volume", by="alice").strip(), "150", "value")
    wait_until_active()
