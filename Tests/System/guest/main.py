"""Runs the tests in the guest, from the installation of the package to its removal."""

import importlib
import json
import os
import sys

import connection
import harness
import system
import waiting
import test_install  # first

# Then in this order; the removal last. What is beside the daemon is tested where its package is.
for part in ("access", "unit", "crash", "configuration", "hooks", "doctor", "journal", "varlinkctl", "board", "web", "link", "session",
             "mqtt", "serial", "midi", "upgrade", "remove"):
    package = system.PACKAGE_OF.get(part)
    if package is None or os.path.exists(f"/job/{package}.deb"):
        importlib.import_module(f"test_{part}")


def explain():
    """What the service and the machine said last."""
    print(system.run("systemctl", "status", "--no-pager", "--lines=0", "stepperd*", status=None))
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
