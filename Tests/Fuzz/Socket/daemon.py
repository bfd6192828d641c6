"""The real stepperd under fire, and what can be seen of it from outside."""

import glob
import os
import re
import sys

from calls import FORGERY

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.append(f"{ROOT}/Tests/Support")
from private_daemon import PrivateDaemon  # noqa: E402

#: What keeps every value in its range whatever Adjust does; a control that has it not is not looked at.
STRICT = 'range-change = "clamp"\nbounds = "enforced"\nrange-conflict = "minimum-wins"\n'


def profiles():
    """The names of those that are built in and of numbers."""
    names = []
    for path in sorted(glob.glob(f"{ROOT}/Sources/StepperConfiguration/Profiles/*.toml")):
        with open(path, encoding="utf-8") as file:
            names += re.findall(r'^\[profile\.?"?([^]"]+)"?\]', file.read(), re.MULTILINE)
    return [name for name in names if name != "picker"]


class Configurations(list):
    """Some to change between, most of them good; `path` is where the daemon reads the one in use."""

    def __init__(self, path, profiles):
        super().__init__()
        self.path = path
        devices = "".join(f"[device.{name}]\nvirtual = true\n" for name in ("panel", "side"))
        healthy = "[control.healthy]\nmaximum = 1000\n"
        controls = [self._control(f"c-{name.replace('/', '-')}", f'profile = "{name}"\nminimum = 0\nmaximum = 100\n{STRICT}', index)
                    for index, name in enumerate(profiles)]
        controls += [
            self._control("choice", 'choices = ["a", "b", "c"]\n', 1),
            self._control("toggle", 'kind = "toggle"\n', 2),
            '[control.button]\nkind = "button"\npush = "side:push"\n',
            self._control("money", f'format = "currency"\ncurrency = "EUR"\nstep = 0.01\nexpressions = true\n{STRICT}', 3),
            self._control("late", f"continuous = false\n{STRICT}", 4),
            self._control("loose", 'profile = "winui"\nminimum = "none"\nmaximum = "none"\n', 5, fader=False),
            self._control("fast", f'repeat = {{ delay = "1ms", interval = "1ms" }}\nwraps = true\n{STRICT}', 6),
        ]
        full = devices + healthy + "".join(controls)
        narrow = full.replace("maximum = 1000", "maximum = 999").replace("[control.late]", "[control.late]\nmaximum = 5")
        self += [full, full, narrow, devices + healthy + controls[0] + controls[1], full + "[control.broken]\nminimum = \n"]
        self.pieces = [devices, healthy, *controls]

    @staticmethod
    def _control(name, options, index, fader=True):
        device = ("panel", "side")[index % 2]
        bindings = f'increment = "{device}:plus"\ndecrement = "{device}:minus"\nrotate = "{device}:dial"\n'
        if fader:
            bindings += f'absolute = "{device}:fader"\n'
        return f"[control.{name}]\n{options}{bindings}"


class Daemon(PrivateDaemon):
    """The program that is attacked."""

    def __init__(self, program):
        super().__init__("")
        self.configurations = Configurations(self.configuration, profiles())
        self.configure(self.configurations[0])
        self.start(program, "--user", "--log-level", "debug", environment={
            "SWIFT_BACKTRACE": "enable=yes,color=no,images=none,registers=none,threads=crashed"})
        with self.connect() as client:
            client.call("org.varlink.service.GetInfo")
            self.descriptors_at_rest = self.descriptors() - 1

    def last_words(self):
        """What it printed when it ended, as far as it says why."""
        lines = self.text().splitlines()
        first = next((number for number, line in enumerate(lines) if re.search(r"Fatal error|assert|crashed|ERROR:", line)),
                     max(len(lines) - 30, 0))
        return "\n".join(lines[first:first + 40])

    def strays(self):
        """Lines of the log that somebody else than the daemon wrote."""
        strays = []
        with open(self.log, "rb") as file:
            for line in file.read().splitlines():
                text = line.decode(errors="replace")
                if text.lstrip("<>0123456789 ").startswith(FORGERY):
                    strays.append(f"a forged line: {text[:200]!r}")
                elif any(ord(character) < 32 or 127 <= ord(character) < 160 or character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
                         for character in text):
                    strays.append(f"a line with control characters: {text[:200]!r}")
        return strays
