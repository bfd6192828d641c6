"""What udevd made of the input devices."""

import grp
import os
import stat
import subprocess

#: The number of the group "stepperd".
OUR_GROUP = grp.getgrnam("stepperd").gr_gid


def settle():
    """Waits until udevd is done with what has happened so far."""
    subprocess.run(["udevadm", "settle", "--timeout=10"], check=True)


def owner(node):
    """(mode, group) of a node, after udevd has set them."""
    settle()
    found = os.stat(node)
    return oct(stat.S_IMODE(found.st_mode)), grp.getgrgid(found.st_gid).gr_name


def properties(node):
    """udev's properties of a node."""
    settle()
    text = subprocess.run(["udevadm", "info", "--query=property", f"--name={node}"], check=True,
                          capture_output=True, text=True).stdout
    return dict(line.split("=", 1) for line in text.splitlines())
