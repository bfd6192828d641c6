"""Commands of hooks: in the sandbox, as the daemon's user, with no more rights than others."""

import os
import re

from harness import equal, test
from system import Journal, configuration, drop_in, get, set_value
from waiting import eventually

HOOK = """
[device.panel]
virtual = true

[control.volume]
rotate = "panel:dial"
on-change = {{ command = ["/bin/sh", "-c", "{command}"], timeout = "1m" }}

[control.other]
"""
#: Opens a socket of the internet, and looks for the group that the example names.
NETWORK = "/usr/bin/python3 /run/test-hook.py"
SCRIPT = """
import os, socket
try:
    socket.socket(socket.AF_INET)
    word = "yes"
except OSError as error:
    word = os.strerror(error.errno)
print("groups", sorted(os.getgroups()), "network:", word, flush=True)
"""
EXAMPLE = "/usr/share/doc/stepperd/examples/hooks.conf"


@test
def command_runs_in_the_sandbox(stack):
    """A command runs as the daemon's user, may write its own folders only, and has no network."""
    stack.enter_context(configuration(HOOK.format(command=(
        "id -un; touch /var/lib/stepperd/hook && echo state; touch /etc/stepperd/hook || echo refused; "
        "cat /dev/uinput || echo closed"))))
    stack.callback(lambda: os.path.exists("/var/lib/stepperd/hook") and os.unlink("/var/lib/stepperd/hook"))
    journal = Journal()
    set_value(3)
    for word in ("stepperd$", "state$", "refused$", "closed$"):
        journal.wait_for(f"hook: volume on-change.*{word}", 40)


@test
def example_opens_the_sandbox(stack):
    """examples/hooks.conf, with the lines for the network, gives a command just that; without it, it has none."""
    with open("/run/test-hook.py", "w", encoding="utf-8") as file:
        file.write(SCRIPT)
    stack.enter_context(configuration(HOOK.format(command=NETWORK)))
    journal = Journal()
    set_value(4)
    journal.wait_for("network: Address family not supported", 60)
    with open(EXAMPLE, encoding="utf-8") as file:
        text = re.sub(r"^#(RestrictAddressFamilies|IPAddress)", r"\1", file.read(), flags=re.MULTILINE)
    stack.enter_context(drop_in(text, name="hooks"))
    set_value(5)
    journal.wait_for("network: yes", 60)
    equal(get()["value"], 5, "value")


@test
def command_is_no_administrator(stack):
    """A command of a hook may set controls, but neither reload the daemon nor move its virtual inputs."""
    stack.enter_context(configuration(HOOK.format(command=(
        "stepperctl set other 9; stepperctl reload || echo no reload; stepperctl click panel:plus || echo no click"))))
    journal = Journal()
    set_value(6)
    journal.wait_for("hook: volume on-change.*no reload", 60)
    journal.wait_for("hook: volume on-change.*no click", 60)
    eventually(lambda: get("other")["value"] == 9, "the command has set a control", 20)
