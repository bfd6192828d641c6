"""The web program ends while everything happens at once: Tests/Stress/ends.py, which needs no browser."""

import os
import subprocess
import sys
import unittest

from bed.case import quick
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
