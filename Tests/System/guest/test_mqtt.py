"""The package of the bridge to MQTT: a guide, its service and its sandbox with the credentials that are there and that are not."""

import contextlib
import glob
import json
import os
import re
import signal

import broker
import flood
import guide
from harness import equal, test
from system import (CONFIGURATION, GUIDES, Journal, configuration, configure, devices, get, install, is_writable, look_at_sandbox,
                    main_pid, member, owner, plugged_in, properties, purge, run, set_value, stepperctl, sudo,
                    wait_for_value, wait_until_active)
from uinput import REL_DIAL
from waiting import eventually

UNIT = "stepperd-mqtt"
#: Tenths, as --threshold= of systemd-analyze has them: it has a network, at any address. installation.md says it.
EXPOSURE = 13
CREDENTIALS = "/etc/credstore"
CONFIGURATION_FOLDER = os.path.dirname(CONFIGURATION)
#: The file of controls that were sent.
SENT = "/var/lib/stepperd-mqtt/config/stepperd.toml"
BOARD = f"""
[device.knob]
match = {{ vendor = "077d", product = "0410" }}
[control.volume]
rotate = "knob:REL_DIAL"
[mqtt]
broker = "mqtts://{broker.HOST}"
id = "kitchen"
user = "kitchen"
"""


def keep_folder(stack):
    """Leaves the folder of the credentials, which newer Debians have, as it was found."""
    if not os.path.isdir(CREDENTIALS):
        stack.callback(run, "rm", "-rf", CREDENTIALS)


def credential(stack, name, content):
    """A credential where the guide puts them."""
    keep_folder(stack)
    os.makedirs(CREDENTIALS, mode=0o700, exist_ok=True)
    path = f"{CREDENTIALS}/{name}"
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(content)
    stack.callback(run, "rm", "-f", path)


def authority():
    """The certificate of the broker's authority."""
    with open(broker.AUTHORITY, encoding="utf-8") as file:
        return file.read()


def line(by="root"):
    """What stepperctl status shows of the bridge."""
    found = re.search(r"^mqtt +(.*)$", stepperctl("status", by=by), re.MULTILINE)
    return found.group(1) if found else ""


def wait_for_line(pattern):
    """Waits until it is that."""
    eventually(lambda: re.search(pattern, line()), lambda: f"the status is {pattern!r}: {line()!r}", 40)


def prepare(stack):
    """The broker with the user of the board, and the board's configuration; the bridge is not started."""
    broker.let_in(stack, kitchen="open sesame", house="of bricks")
    stack.enter_context(configuration(BOARD))
    stack.callback(run, "systemctl", "stop", UNIT, status=None)


def bridged(stack):
    """All of it at work; returns the other side."""
    prepare(stack)
    credential(stack, "mqtt-password", "open sesame\n")
    credential(stack, "mqtt-ca", authority())
    run("systemctl", "restart", UNIT)
    wait_for_line("^online at ")
    return broker.Client("house", "of bricks")


@test
def home_assistant_guide(stack):
    """The guide "Home Assistant in five minutes", word by word, from the package's installation."""
    stack.enter_context(sudo())
    keep_folder(stack)
    stack.callback(run, "rm", "-f", "/etc/mosquitto/passwords", "/etc/mosquitto/acl", "/etc/mosquitto/conf.d/boards.conf",
                   f"{CREDENTIALS}/mqtt-password", f"{CREDENTIALS}/mqtt-ca")
    broker.make(stack)
    stack.enter_context(configuration("[control.volume]\ntitle = \"Volume\"\n"))
    home = "/run/test-home"
    stack.callback(run, "rm", "-rf", home)
    os.makedirs(f"{home}/.build/packages")
    os.symlink("/job/stepperd-mqtt.deb", f"{home}/.build/packages/stepperd-mqtt_1_amd64.deb")
    names = {"value": lambda: get()["value"], "set": lambda value: set_value(value), "authority": authority,
             "listens": broker.start, "line": line}
    # Its broker has an authority of its own.
    read_as = {"--tls-use-os-certs -u": f"--cafile {broker.AUTHORITY} -u"}
    commands = guide.Reader(CONFIGURATION, names, read_as, {"cwd": home}, with_scripts=True, appends=True).follow(
        f"{GUIDES}/home-assistant.md")
    equal(commands > 10, True, f"{commands} commands")


@test
def mqtt_package_installs():
    """apt installs it; it is neither enabled nor started before somebody wants it, and its program finds all that it needs."""
    install(UNIT)
    equal(properties(UNIT, "UnitFileState", "ActiveState", "User"), ["disabled", "inactive", UNIT], "service")


@test
def mqtt_brings_a_knob(stack):
    """A Zigbee knob behind the broker moves a control, once the user of the bridge may attach devices."""
    house = bridged(stack)
    knobs = lambda: [device for device in devices().values() if (device.get("provider"), device["state"]) == ("mqtt", "open")]
    knob = '[mqtt.remote.desk]\ntopic = "zigbee2mqtt/desk"\nkind = "tuya"\n[device.desk]\nmatch = { provider = "mqtt" }\n'
    board = BOARD.replace("knob:REL_DIAL", "desk:REL_DIAL") + knob
    configure(board)
    stepperctl("reload")
    wait_for_line("stepperd does not take the device.*add \"user:stepperd-mqtt\" to providers")
    configure(f'[daemon]\nproviders = ["user:{UNIT}"]\n{board}')
    stepperctl("reload")
    eventually(knobs, "the knob", 40)
    before = get()["value"]
    house.publish("zigbee2mqtt/desk", '{"action":"rotate_right","linkquality":90}')
    wait_for_value(before + 1)
    run("systemctl", "kill", "--signal=KILL", UNIT)
    eventually(lambda: not knobs(), "the knob is gone", 40)


@test
def mqtt_works_in_its_sandbox(stack):
    """Both sides move the control, over TLS with a password; nothing is refused to the service."""
    # systemd forgets how a unit ended that nothing refers to.
    stack.callback(run, "systemctl", "disable", UNIT)
    run("systemctl", "enable", UNIT)
    journal = Journal(UNIT)
    house = bridged(stack)
    knob = plugged_in(stack, 20)
    knob.turn(REL_DIAL, 3)
    wait_for_value(23)
    house.wait_for("stepperd/kitchen/volume", "23")
    house.publish("stepperd/kitchen/volume/set", "64")
    wait_for_value(64)
    house.wait_for("stepperd/kitchen/status", "online")
    member("alice")
    equal(line(by="alice"), f"online at mqtts://{broker.HOST}:{broker.PORT} as kitchen", "stepperctl status of a member")
    look_at_sandbox(UNIT, EXPOSURE)
    pid = main_pid(UNIT)
    for path, wanted in (("/usr", False), ("/var/lib", False), ("/var/lib/stepperd-mqtt", True), ("/run/stepperd-mqtt", True)):
        equal(is_writable(pid, path), wanted, f"{path} is writable")
    equal(sorted(os.listdir(f"/run/credentials/{UNIT}.service")), ["mqtt-ca", "mqtt-password"], "credentials")
    equal(owner("/var/lib/stepperd-mqtt"), ("0o755", UNIT, UNIT), "its folder")
    equal(owner("/var/lib/stepperd-mqtt/config"), ("0o755", UNIT, UNIT), "the folder of configurations that were sent")
    said = journal.text()
    print(said)
    equal(re.search("denied|not permitted|sesame", said, re.IGNORECASE), None, "what the sandbox refused, and the password")
    run("systemctl", "stop", UNIT)
    equal(properties(UNIT, "Result", "ExecMainCode", "ExecMainStatus"), ["success", "1", "0"], "how it ended")
    house.wait_for("stepperd/kitchen/status", "offline")
    equal(line(), "", "stepperctl status without it")


@test
def mqtt_says_which_credentials_are_wrong(stack):
    """No credential at all, no authority, another authority, a wrong password: each is said, and the right ones help."""
    prepare(stack)
    equal(glob.glob(f"{CREDENTIALS}/*"), [], "credentials before")
    cases = [
        ({}, "authority|certificate"),
        ({"mqtt-ca": authority()}, "kitchen.*password-file"),
        ({"mqtt-ca": authority(), "mqtt-password": "close sesame\n"}, "kitchen.*password"),
    ]
    for credentials, pattern in cases:
        with contextlib.ExitStack() as files:
            for name, content in credentials.items():
                credential(files, name, content)
            journal = Journal(UNIT)
            run("systemctl", "restart", UNIT)
            wait_for_line(pattern)
            text = journal.text()
            print(line(), text, sep="\n")
            equal(re.search(pattern, text) is not None, True, f"{pattern!r} in the journal: {text}")
            equal(properties(UNIT, "ActiveState"), "active", "the unit")
            equal(stepperctl("set", "volume", "30").split()[:2], ["volume", "30"], "the control goes on")
    journal = Journal(UNIT)
    credential(stack, "mqtt-ca", "no certificate\n")
    run("systemctl", "restart", UNIT, status=None)
    journal.wait_for("mqtt-ca is not a file in PEM format")
    eventually(lambda: properties(UNIT, "ActiveState", "ExecMainStatus") == ["failed", "78"], "the unit has failed", 20)
    credential(stack, "mqtt-ca", authority())
    credential(stack, "mqtt-password", "open sesame\n")
    run("systemctl", "restart", UNIT)
    wait_for_line("^online at ")


@test
def mqtt_takes_a_credential_from_elsewhere(stack):
    """A drop-in with LoadCredential=mqtt-password:/PATH, as stepperd-mqtt(8) says."""
    prepare(stack)
    credential(stack, "mqtt-ca", authority())
    with open(os.open("/root/mqtt.secret", os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        file.write("open sesame\n")
    stack.callback(os.unlink, "/root/mqtt.secret")
    restart_with(stack, "LoadCredential=mqtt-password:/root/mqtt.secret")
    wait_for_line("^online at ")


@test
def mqtt_takes_an_encrypted_credential(stack):
    """From the store of encrypted credentials, and from the drop-in itself, as installation.md says."""
    prepare(stack)
    credential(stack, "mqtt-ca", authority())
    store = "/etc/credstore.encrypted"
    stack.callback(run, "rm", "-rf", f"{store}/mqtt-password" if os.path.isdir(store) else store)
    os.makedirs(store, mode=0o700, exist_ok=True)
    encrypt = "printf 'open sesame\\n' | systemd-creds encrypt --with-key=host --name=mqtt-password"
    run("sh", "-c", f"{encrypt} - {store}/mqtt-password")
    with contextlib.ExitStack() as first:
        restart_with(first, "LoadCredentialEncrypted=mqtt-password")
        wait_for_line("^online at ")
    os.unlink(f"{store}/mqtt-password")
    restart_with(stack, run("sh", "-c", f"{encrypt} --pretty - - 2>/dev/null"))
    wait_for_line("^online at ")


def restart_with(stack, setting):
    """Restarts the service with a setting of a drop-in, which is taken away at the end."""
    folder = f"/etc/systemd/system/{UNIT}.service.d"

    def clean():
        run("rm", "-r", folder)
        run("systemctl", "daemon-reload")

    os.makedirs(folder)
    stack.callback(clean)
    with open(f"{folder}/password.conf", "w", encoding="utf-8") as file:
        file.write(f"[Service]\n{setting}\n")
    run("systemctl", "daemon-reload")
    run("systemctl", "restart", UNIT)


@test
def mqtt_follows_restarts(stack):
    """The bridge is killed, the daemon and the broker are restarted: each finds the others again, and all agree."""
    house = bridged(stack)
    house.wait_for("stepperd/kitchen/status", "online")
    pid = main_pid(UNIT)
    os.kill(pid, signal.SIGKILL)
    pid = wait_until_active(pid, UNIT)
    set_value(51)
    house.wait_for("stepperd/kitchen/volume", "51")
    run("systemctl", "restart", "stepperd")
    house.wait_for("stepperd/kitchen/status", "online")
    house.publish("stepperd/kitchen/volume/set", "52")
    wait_for_value(52)
    run("systemctl", "stop", "mosquitto")
    wait_for_line("^(?!online)")
    set_value(53)
    broker.start()
    wait_for_line("^online at ")
    house.wait_for("stepperd/kitchen/volume", "53")
    equal(main_pid(UNIT), pid, "its process")


@test
def mqtt_takes_controls_over_the_air(stack):
    """What the operator has signed the bridge writes as its user and the daemon reads as its own. What takes the knob away from the
    board is taken back, what somebody else has signed is not read, and both know what was confirmed after a restart."""
    keys = "/run/test-keys"
    os.makedirs(keys)
    stack.callback(run, "rm", "-rf", keys, f"{CONFIGURATION_FOLDER}/fleet.pub", SENT)
    for name in ("fleet", "other"):
        run("openssl", "genpkey", "-algorithm", "ed25519", "-out", f"{keys}/{name}.pem")
    run("openssl", "pkey", "-in", f"{keys}/fleet.pem", "-pubout", "-out", f"{keys}/fleet.pub")
    run("install", "-m", "644", f"{keys}/fleet.pub", CONFIGURATION_FOLDER)
    house = bridged(stack)
    knob = plugged_in(stack, 20)
    mqtt = BOARD[BOARD.index("[mqtt]"):]
    configure(f"""[daemon]
include = "{SENT}"
[control.volume]
{mqtt}config-key-file = "{CONFIGURATION_FOLDER}/fleet.pub"
config-health-time = "20s"
""")
    run("systemctl", "restart", "stepperd", UNIT)
    wait_for_line("^online at ")

    def send(version, product, key="fleet"):
        with open(f"{keys}/controls.toml", "w", encoding="utf-8") as file:
            file.write(f'[device.knob]\nmatch = {{ vendor = "077d", product = "{product}" }}\n'
                       '[control.lamp]\nrotate = "knob:REL_DIAL"\n')
        house.publish("stepperd/kitchen/config/set", run(
            UNIT, "sign-config", "--key", f"{keys}/{key}.pem", "--board", "kitchen", "--version", str(version), f"{keys}/controls.toml"))

    def wait_for_result(state, version, confirmed):
        last = {}

        def is_there():
            last["text"] = house.retained("stepperd/kitchen/config")
            found = json.loads(last["text"] or "{}")
            return [found.get(member) for member in ("state", "version", "confirmed")] == [state, version, confirmed]

        eventually(is_there, lambda: f"version {version} is {state}: {last['text']}", 120)

    send(1, "0410")
    wait_for_result("confirmed", 1, 1)
    equal(owner(SENT)[1:], (UNIT, UNIT), "the file that was sent")
    knob.turn(REL_DIAL, 3)
    wait_for_value(3, "lamp")
    send(2, "ffff")
    wait_for_result("rolledBack", 2, 1)
    journal = Journal(UNIT)
    send(3, "ffff", key="other")
    journal.wait_for("its signature is not by the key in config-key-file")
    knob.turn(REL_DIAL, 2)
    wait_for_value(5, "lamp")
    wait_for_result("rolledBack", 2, 1)
    run("systemctl", "restart", "stepperd", UNIT)
    wait_for_line("^online at ")
    wait_for_result("rolledBack", 2, 1)
    knob.turn(REL_DIAL, 1)
    wait_for_value(6, "lamp")
    equal(is_writable(main_pid(), SENT), False, "the daemon may write it")


@test
def mqtt_floods_within_the_limits(stack):
    """Commands, nonsense and long messages from the broker, in the unit's memory and with a fifth of a processor: what a knob does
    is at the broker within its time, and the values that were asked for are those of the board."""
    house = bridged(stack)
    knob = plugged_in(stack, 20)
    # The broker keeps up to 1,000 messages for a client, and its acknowledgements come behind them: what it has at the end of the flood
    # must pass an emulated processor in the time of a test.
    with flood.within_limits(UNIT), flood.within_limits("stepperd"), house.pouring(
            {"volume/target": '{"value":50}', "volume/set": "no number", "nothing/set": "x" * 4000, flood.RUN[:9000]: "1",
             "volume/step": "x" * (1 << 16)}):
        knob.turn(REL_DIAL, 1)
        house.wait_for("stepperd/kitchen/status", "online")
        flood.answers(lambda: equal(line().startswith("online"), True, f"the status is {line()}"))
    set_value(61)
    house.wait_for("stepperd/kitchen/volume", "61")


@test
def mqtt_refuses_wrong_configuration(stack):
    """An error in [mqtt] and a file without it: the journal says what and where, and it is not tried again."""
    stack.callback(run, "systemctl", "reset-failed", UNIT, status=None)
    stack.enter_context(configuration("[control.volume]\n"))
    for text, pattern in (("[control.volume]\n", r"there is no \[mqtt\]"),
                          (BOARD.replace("mqtts:", "amqp:"), r"stepperd\.toml:\d+:\d+: error: mqtt\.broker")):
        configure(text)
        journal = Journal(UNIT)
        run("systemctl", "restart", UNIT, status=None)
        journal.wait_for(pattern)
        eventually(lambda: properties(UNIT, "ActiveState", "ExecMainStatus") == ["failed", "78"], "the unit has failed", 20)


@test
def mqtt_removal_stops_it(stack):
    """Its package is purged while it works: it ends in order before its program goes, and leaves nothing."""
    house = bridged(stack)
    pid = main_pid(UNIT)
    purge(UNIT)
    equal(os.path.exists(f"/proc/{pid}"), False, "the bridge runs")
    house.wait_for("stepperd/kitchen/status", "offline")
