"""The web program's package, beside the daemon's: it serves, in its sandbox, and leaves nothing."""

import json
import os
import time
import urllib.error
import urllib.request

import files
import flood
from harness import equal, test
from system import Journal, get, install, look_at_sandbox, properties, purge, run, set_value, wait_for_value
from waiting import eventually

API = "http://127.0.0.1:8383/api/v1"
CONFIGURATION = "/etc/stepperd/stepperd-web.toml"
#: Tenths, as --threshold= of systemd-analyze has them: it has a port, which the daemon has not.
EXPOSURE = 12


def ask(path, body=None, timeout=20, **headers):
    """(status, text) of a request, as a program of this machine makes it."""
    request = urllib.request.Request(f"{API}{path}", None if body is None else json.dumps(body).encode(),
                                     {"Content-Type": "application/json", "X-Stepper": "1", **headers})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def serves():
    """Whether it answers with the state of a control."""
    try:
        return ask("/controls/volume")[0] == 200
    except OSError:
        return False


@test
def web_package_serves():
    """apt installs and starts it; a step over HTTP moves the control, and a change is told to a page within its time."""
    install("stepperd-web")
    eventually(serves, lambda: run("systemctl", "status", "--no-pager", "stepperd-web", status=None), 60)
    equal(properties("stepperd-web.service", "ActiveState", "UnitFileState", "User"), ["active", "enabled", "stepperd-web"], "service")
    set_value(20)
    status, text = ask("/controls/volume/step", {"steps": 2})
    equal((status, json.loads(text)["state"]["value"]), (200, 22), "a step")
    hold = {"hold": "h" * 22, "control": "volume", "action": "increment"}
    equal(ask("/holds", hold)[0], 201, "a press")
    wait_for_value(23)
    equal(ask(f"/holds/{hold['hold']}/release", {})[0], 200, "its release")
    with urllib.request.urlopen("http://127.0.0.1:8383/", timeout=20) as page:
        equal("stepper" in page.read().decode(), True, "the page")


@test
def web_sandbox_is_in_force():
    """systemd-analyze security, no capability, no privileges, and no network but the loopback."""
    look_at_sandbox("stepperd-web", EXPOSURE)
    equal(set(properties("stepperd-web", "IPAddressAllow").split()), {"127.0.0.0/8", "::1/128"}, "addresses that it may use")


@test
def web_needs_a_token_for_others(stack):
    """Without a token it does not listen for the network: the journal says so, and it is not tried again."""
    stack.callback(run, "systemctl", "restart", "stepperd-web")
    stack.callback(os.unlink, CONFIGURATION)
    journal = Journal("stepperd-web")
    with open(CONFIGURATION, "w", encoding="utf-8") as file:
        file.write('listen = ["0.0.0.0:8383"]\n')
    run("systemctl", "restart", "stepperd-web", status=None)
    journal.wait_for("token-file")
    eventually(lambda: properties("stepperd-web", "ActiveState") == "failed", "the unit has failed", 20)


@test
def web_takes_its_tokens_as_a_credential(stack):
    """/etc/credstore/web-tokens: it listens for the network, with these tokens alone."""
    folder, token = "/etc/credstore", "t" * 22
    stack.callback(eventually, serves, "it serves everybody again", 30)
    stack.callback(run, "systemctl", "restart", "stepperd-web")
    stack.callback(os.unlink, CONFIGURATION)
    with open(CONFIGURATION, "w", encoding="utf-8") as file:
        file.write('listen = ["0.0.0.0:8383"]\n')
    stack.callback(run, "rm", "-rf", f"{folder}/web-tokens" if os.path.isdir(folder) else folder)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    with open(os.open(f"{folder}/web-tokens", os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        file.write(f"view {token}\n")
    run("systemctl", "restart", "stepperd-web")
    eventually(lambda: ask("/controls/volume", Authorization=f"Bearer {token}")[0] == 200, "an answer to the token", 30)
    equal(ask("/controls/volume")[0], 401, "without it")


@test
def web_starts_with_the_first_browser(stack):
    """The socket unit holds the port, and the first request starts the service."""
    def ordinary():
        run("systemctl", "disable", "--now", "stepperd-web.socket")
        run("systemctl", "enable", "--now", "stepperd-web.service")
        eventually(serves, "it serves again", 30)
    stack.callback(ordinary)
    run("systemctl", "disable", "--now", "stepperd-web.service")
    run("systemctl", "enable", "--now", "stepperd-web.socket")
    equal(properties("stepperd-web.service", "ActiveState"), "inactive", "before the request")
    equal(ask("/controls/volume")[0], 200, "the first request")
    equal(properties("stepperd-web.service", "ActiveState"), "active", "after it")


@test
def web_follows_a_restart_of_the_daemon():
    """The daemon is restarted: the web program stays, and serves the new one."""
    pid = properties("stepperd-web", "MainPID")
    set_value(31)
    run("systemctl", "restart", "stepperd")

    def is_back():
        status, text = ask("/controls/volume")
        return status == 200 and json.loads(text)["state"]["value"] == get()["value"]
    eventually(is_back, "it serves the new daemon", 30)
    equal(properties("stepperd-web", "MainPID"), pid, "its process")


@test
def web_stops_soon():
    """It ends within two seconds of being told to, also while a page follows."""
    with urllib.request.urlopen(f"{API}/events", timeout=20) as stream:
        equal(stream.readline().decode().startswith(("event:", "id:", "retry:", ":")), True, "the stream")
        begun = time.monotonic()
        run("systemctl", "stop", "stepperd-web")
        print(f"it took {time.monotonic() - begun:.1f} s")
        equal(properties("stepperd-web", "Result"), "success", "how it ended")
    run("systemctl", "start", "stepperd-web")
    eventually(serves, "it serves again", 30)


def withstands(name):
    """A flood from one address, in the unit's memory and with a fifth of a processor: a program at another address is answered."""
    with flood.within_limits("stepperd-web"), flood.of(name):
        flood.answers(lambda: equal(ask("/controls/volume", timeout=flood.bound())[0], 200, "an answer"))
    eventually(serves, "it serves after it", 60)
    set_value(34)
    equal(json.loads(ask("/controls/volume")[1])["state"]["value"], 34, "value after it")


@test
def web_withstands_unread_answers():
    """Pipelined requests whose answers nobody reads."""
    withstands("unread_answers")


@test
def web_withstands_heads():
    """Requests whose bodies never come."""
    withstands("heads")


@test
def web_withstands_slow_headers():
    """Headers that are slow to compare."""
    withstands("slow_headers")


@test
def web_withstands_streams():
    """Streams of events without end."""
    withstands("streams")


@test
def web_withstands_posts():
    """Changes as fast as they are taken."""
    withstands("posts")


@test
def web_purge_leaves_nothing():
    """What came with it is gone, and the daemon stays."""
    purge("stepperd-web")
    equal([path for path in files.differences() if "stepper-web" in path], [], "what is left")
