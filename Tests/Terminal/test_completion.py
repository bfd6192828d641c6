#!/usr/bin/python3
"""The completion of stepperctl in bash, zsh and fish, as somebody types at a terminal.

    test_completion.py STEPPERD STEPPERCTL [TEST...]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from terminal import Terminal, eventually

from private_daemon import PrivateDaemon

CONFIGURATION = """
[device.panel]
virtual = true
[control.volume]
increment = "panel:plus"
decrement = "panel:minus"
rotate = "panel:dial"
[control.mode]
choices = ["fm", "am", "FM stereo"]
[control.mute]
kind = "toggle"
push = "panel:push"
"""

# Each with what is typed of it, in which a backslash stands before what means something to a shell.
WORDS = {
    "Q$(touch executed)": "Q", "R`touch executed`": "R", "$(touch executed)": r"\$", "`touch executed`": r"\`",
    "S;touch executed": "S", "don't": "don", 'say "hi"': "sa", "back\\slash": "ba", r"\first": r"\\",
    "a:b c": "a:", "x:$(touch executed)": "x:", "-5 $HOME": "-5", "pa*": "pa", "~root": r"\~", "wow! &|<>(){}[]?#^%": "wo",
}
CONFIGURATION += f"[control.words]\nchoices = {json.dumps(list(WORDS))}\n"

PROMPT = "ready> "


class CompletionTests:
    """What each shell must do; the classes below start their shell."""

    programs = ()

    def setUp(self):
        self.daemon = PrivateDaemon(CONFIGURATION)
        self.addCleanup(self.daemon.remove)
        self.daemon.start(self.programs[0])
        self.daemon.connect().close()
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        inherited = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
        self.environment = {
            **inherited, "PATH": f"{os.path.dirname(self.programs[1])}:/usr/bin:/bin", "HOME": self.folder,
            "TERM": "xterm", "LANG": "C.UTF-8", "STEPPERD_ADDRESS": self.daemon.socket, "PS1": PROMPT}
        script = subprocess.run([self.programs[1], "--generate-completion-script", self.shell], check=True,
                                capture_output=True, text=True, env=self.environment).stdout
        self.terminal = self.start(script)
        self.addCleanup(self.terminal.close)
        self.terminal.expect(lambda lines: any(line.startswith(PROMPT.strip()) for line in lines), 30)

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def line(self, lines):
        """The command line: what stands behind the last prompt."""
        lines = [line for line in lines if line.startswith(PROMPT.strip())]
        return lines[-1][len(PROMPT):] if lines else ""

    def complete(self, typed, expected):
        """Types and expects what the line becomes."""
        self.terminal.type(typed)
        self.terminal.expect(lambda lines: self.line(lines).rstrip() == expected.rstrip(), 20)

    def clear(self):
        self.terminal.type("\x15")
        self.terminal.expect(lambda lines: self.line(lines).strip() == "")

    def test_names_of_controls(self):
        self.complete("stepperctl get vol\t", "stepperctl get volume")
        self.clear()
        self.complete("stepperctl watch mod\t", "stepperctl watch mode")

    def test_inputs_have_a_colon(self):
        self.complete("stepperctl press pan\t", "stepperctl press panel:")
        self.complete("pl\t", "stepperctl press panel:plus")
        self.clear()
        self.complete("stepperctl turn panel:d\t", "stepperctl turn panel:dial")

    def test_values_of_choices_and_toggles(self):
        self.complete("stepperctl set mode f\t", "stepperctl set mode fm")
        self.clear()
        self.complete("stepperctl set mute tog\t", "stepperctl set mute toggle")
        self.clear()
        self.complete("stepperctl set --clamp mute of\t", "stepperctl set --clamp mute off")
        self.clear()
        self.complete("stepperctl set mute on vol\t", "stepperctl set mute on volume")
        self.clear()
        self.complete("stepperctl --json set mute tog\t", "stepperctl --json set mute toggle")
        self.clear()
        self.complete("stepperctl set mode FM\t", f"stepperctl set mode {self.quoted}")

    def test_controls_that_toggle_changes(self):
        self.complete("stepperctl toggle m\t", "stepperctl toggle mute")

    def test_a_number_is_no_name(self):
        self.complete("stepperctl set volume vol\t", "stepperctl set volume vol")
        self.complete("!", "stepperctl set volume vol!")

    def expect_word(self, word):
        """Runs the line and expects that the control has the word; nothing of it was executed."""
        self.terminal.type("\r")
        eventually(lambda: self.state() == word, lambda: f"{word} and not {self.state()}; the screen is:\n{self.terminal.text()}", 20)
        self.assertFalse(os.path.exists(f"{self.folder}/executed"), word)
        self.terminal.type("\x0c")

    def state(self):
        with self.daemon.connect() as connection:
            return connection.call("org.stepperd.control.Get", control="words")["state"]["text"]

    def test_words_of_the_daemon_are_data(self):
        self.terminal.type("cd\r\x0c")
        for word, typed in WORDS.items():
            self.clear()
            self.terminal.type(f"stepperctl set words {typed}\t")
            self.terminal.expect(lambda lines, typed=typed: len(self.line(lines).rstrip()) > len(f"stepperctl set words {typed}"), 20)
            self.expect_word(word)
        self.clear()
        self.terminal.type("stepperctl set words \t\t")
        self.terminal.expect(lambda lines: any("first" in line for line in lines), 20)
        self.assertFalse(os.path.exists(f"{self.folder}/executed"))

    def test_all_values_are_listed(self):
        self.terminal.type("stepperctl set mute \t\t")
        self.terminal.expect(lambda lines: all(any(word in line.split() for line in lines) for word in ("on", "off", "toggle")), 20)


class BashTests(CompletionTests, unittest.TestCase):
    shell = "bash"
    quoted = r"FM\ stereo"

    def start(self, script):
        rc = self.write("rc", script + f"\nPS1='{PROMPT}'\nbind 'set bell-style none'\nset +o histexpand\n")
        return Terminal(["/bin/bash", "--noprofile", "--rcfile", rc, "-i"], self.environment)

    def test_files(self):
        self.write("own.toml", "")
        self.complete(f"stepperctl check {self.folder}/ow\t", f"stepperctl check {self.folder}/own.toml")
        self.clear()
        self.complete(f"stepperctl profile list --config {self.folder}/ow\t",
                      f"stepperctl profile list --config {self.folder}/own.toml")
        self.clear()
        self.write("recordings/one.recording", "")
        self.complete(f"stepperctl replay {self.folder}/rec\t", f"stepperctl replay {self.folder}/recordings/")
        self.complete("o\t", f"stepperctl replay {self.folder}/recordings/one.recording")


@unittest.skipUnless(os.path.exists("/usr/bin/zsh"), "needs Scripts/setup --test")
class ZshTests(CompletionTests, unittest.TestCase):
    shell = "zsh"
    quoted = r"FM\ stereo"

    def start(self, script):
        self.write("functions/_stepperctl", script)
        self.write(".zshrc", f"PS1='{PROMPT}'\nfpath=({self.folder}/functions $fpath)\nautoload -U compinit\ncompinit -u -D\n"
                   "unsetopt beep zle_bracketed_paste prompt_sp\n")
        return Terminal(["/usr/bin/zsh", "-i"], {**self.environment, "ZDOTDIR": self.folder})


@unittest.skipUnless(os.path.exists("/usr/bin/fish"), "needs Scripts/setup --test")
class FishTests(CompletionTests, unittest.TestCase):
    shell = "fish"
    quoted = r"FM\ stereo"

    def start(self, script):
        self.write(".config/fish/completions/stepperctl.fish", script)
        self.write(".config/fish/config.fish", f"function fish_prompt\n  printf '{PROMPT}'\nend\nset fish_greeting\n"
                   "set -g fish_autosuggestion_enabled 0\n")
        return Terminal(["/usr/bin/fish", "-i"], self.environment)


if __name__ == "__main__":
    CompletionTests.programs = tuple(os.path.abspath(path) for path in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
