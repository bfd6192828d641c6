"""Runs the tests in the guest, from the installation of the package to its removal."""

import json
import sys

import connection
import harness
import system
import waiting
import test_install  # first
import test_access
import test_unit
import test_crash
import test_configuration
import test_hooks
import test_journal
import test_varlinkctl
import test_upgrade
import test_remove  # last

__all__ = [name for name in dir() if name.startswith("test_")]


def explain():
    """What the service and the machine said last."""
    print(system.run("systemctl", "status", "--no-pager", "--lines=0", "stepperd", status=None))
    print(system.run("journalctl", "--no-pager", "--lines=60", "--output=short-monotonic", status=None))


if __name__ == "__main__":
    harness.RESULTS = "/job/results"
    harness.LIMIT = 120
    with open("/job/job.json", encoding="utf-8") as file:
        job = json.load(file)
    names, waiting.PATIENCE = job["names"], job["patience"]
    connection.TIMEOUT = 20.0 * waiting.PATIENCE
    sys.argv[1:] = [test_install.package_installs.__name__, *names] if names else []
    system.wait_until_booted()
    harness.main(explain)
