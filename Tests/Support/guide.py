"""Follows a page of Documentation/guides word by word.

A page has blocks, and comments ``<!-- guest: … -->``, which are what the hand does at this place: Python. Of the blocks

- ``toml`` is the configuration file from then on, or is appended to it where ``appends`` says so;
- ``console`` has commands in lines that begin with ``$``, which are run in a shell, and what each prints is what stands below it,
  where ``…`` is anything, and on a line of its own any lines or none;
- ``ini`` is the content of the file that the hand has named last with ``edit("PATH")``;
- ``sh`` has commands that must succeed, where the reader follows those too.
"""

import os
import re
import subprocess

from waiting import eventually, pace

HEADING = re.compile(r"^## (.*)$", re.MULTILINE)
BLOCK = re.compile(r"^```(?P<kind>toml|ini|console|sh)\n(?P<text>.*?)^```$|^<!-- guest: (?P<hand>.*?) -->$", re.DOTALL | re.MULTILINE)


class Reader:
    """Somebody with a terminal and a hand, who reads a page.

    `configuration` is the file that the page is about, `names` what his hand knows, `read_as` what he reads where the page has
    something else, {text: text}, and `process` how commands are run: subprocess.run's arguments. A page that is
    followed `with_scripts` has its blocks of ``sh`` run too.
    """

    def __init__(self, configuration, names, read_as, process, *, with_scripts=False, appends=False):
        self.configuration, self.read_as, self.process = configuration, read_as, process
        self.with_scripts, self.appends = with_scripts, appends
        self.names = {"pace": pace, "wait": self.wait, "type_next": self.type_next, "edit": self.edit, **names}
        self.hand = self.typed = self.edited = ""

    def wait(self, condition):
        """Waits until what the page says next is true."""
        eventually(condition, lambda: f"the hand's work is seen: {self.hand}", 20)

    def type_next(self, text):
        """What is typed while the next command runs, or the next block of ``sh``."""
        self.typed = text

    def edit(self, path):
        """The next block of ``ini`` is the content of this file."""
        self.edited = path

    def follow(self, path, after=None, only=None):
        """Reads the page from its beginning to its end, or `only` the section of a heading; returns the number of commands.

        `after` has what to look at behind a section, by its heading.
        """
        with open(path, encoding="utf-8") as file:
            page = file.read()
        for text, instead in self.read_as.items():
            page = page.replace(text, instead)
        first, *rest = HEADING.split(page)
        sections, commands = [("", first), *zip(rest[::2], rest[1::2])], 0
        missing = {*(after or {}), *([only] if only else [])} - {heading for heading, _ in sections}
        assert not missing, f"the page has no sections {missing}"
        for heading, text in sections:
            if only not in (None, heading):
                continue
            commands += sum(self._take(block) for block in BLOCK.finditer(text))
            (after or {}).get(heading, lambda: None)()
        return commands

    def _take(self, block):
        if block["hand"]:
            self.hand = block["hand"]
            exec(block["hand"], self.names)  # the repository's own text
        elif block["kind"] == "toml":
            self._write(self.configuration, block["text"], "a" if self.appends else "w")
        elif block["kind"] == "ini":
            self._write(self.edited, block["text"], "w")
        elif block["kind"] == "console":
            return self._converse(block["text"])
        elif self.with_scripts:
            return self._script(block["text"])
        return 0

    @staticmethod
    def _write(path, text, mode):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, mode, encoding="utf-8") as file:
            file.write(text)

    def _converse(self, text):
        """Runs the commands of a block, and compares what they print."""
        parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)[1:]
        for command, expected in zip(parts[::2], parts[1::2]):
            done = self._run(command)
            pattern = re.escape(expected).replace("…\\\n", "(?:.*\n)?").replace("…", ".*")
            if not re.fullmatch(pattern, done.stdout, re.DOTALL):
                raise AssertionError(f"$ {command}\nprinted {done.stdout!r}, and the guide has {expected!r}")
        return len(parts) // 2

    def _script(self, text):
        """Runs all commands of a block, up to the first that fails."""
        done = self._run("set -e\n" + text)
        if done.returncode:
            raise AssertionError(f"{text}\nended with {done.returncode} and printed {done.stdout!r}")
        return len(text.splitlines())

    def _run(self, command):
        typed, self.typed = self.typed, ""
        return subprocess.run(["/bin/sh", "-c", command], timeout=100, check=False, input=typed, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, **self.process)
