"""The web program ends while everything happens at once: Tests/Stress/ends.py, which needs no browser."""

import os
import subprocess
import sys
import unittest

from waiting import eventually

from bed import wire
from bed.case import PanelTest, quick
from bed.disk import HungFolder
from bed.programs import ROOT, STEPPERD


class Ends(unittest.TestCase):
    """Random schedules; a failure has the command that repeats one."""

    alone = False

    @quick
    def test_43_a_stop_ends_with_status_0_and_keeps_what_was_answered(self):
        """Requests, streams and halves of requests come while it is told to stop."""
        result = subprocess.run(
            [sys.executable, f"{ROOT}/Tests/Stress/ends.py", "web", "--seeds", "20"], check=False, capture_output=True, text=True, timeout=600,
            env={**os.environ, "STEPPERD_BUILD": os.path.dirname(os.path.abspath(STEPPERD))})
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class Disk(PanelTest):
    """Pages on a disk that hangs."""

    def test_43_a_disk_of_pages_that_hangs(self):
        """The panel, a press and the end of the program do not wait for it."""
        web = self.bed.web
        with open(f"{web.pages}/page.html", "w", encoding="utf-8") as file:
            file.write("page")
        try:
            disk = HungFolder(web.pages)
        except PermissionError as error:
            self.skipTest(str(error))
        page = wire.Exchange(web.port)
        try:
            page.request("GET", "/pages/page.html")
            eventually(disk.count, "a read hangs")
            self.assertEqual(200, wire.ask(web.port, path="/", timeout=2).status)
            press = {"hold": "h", "control": "volume", "action": "increment"}
            self.assertEqual(201, wire.post(web.port, "/holds", press, timeout=2).status)
            self.assertEqual(200, wire.post(web.port, "/holds/h/release", {}, timeout=2).status)
            self.bed.wait_for_value(1)
            self.assertEqual(0, web.stop(timeout=5))
        finally:
            disk.release()
            page.socket.close()
