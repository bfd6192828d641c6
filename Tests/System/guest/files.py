"""What is on the disk, before the package and after it."""

import hashlib
import os

#: Not on the disk, or meant to change.
ELSEWHERE = ("/dev", "/proc", "/sys", "/tmp", "/job", "/run/systemd", "/run/udev", "/run/log", "/run/credentials",
             "/run/lock", "/run/mount", "/run/user", "/run/changes", "/run/work", "/run/sudo",
             "/var/log", "/var/lib/dpkg", "/var/lib/apt", "/var/lib/systemd", "/var/cache", "/var/tmp", "/root")

_before = {}


def _found():
    """{path: what is in it}; the content only below /etc and for the hardware database."""
    result = {}
    for folder, folders, names in os.walk("/"):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in ELSEWHERE]
        for name in [*folders, *names]:
            path = os.path.join(folder, name)
            if "__pycache__" not in path:
                result[path] = _content(path) if path.startswith("/etc/") or name == "hwdb.bin" else ""
    return result


def _content(path):
    if os.path.islink(path):
        return os.readlink(path)
    if not os.path.isfile(path):
        return ""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def remember():
    """Takes what is there now for the beginning."""
    _before.update(_found())


def differences():
    """What came, went or changed since then."""
    now = _found()
    return sorted(path for path in _before.keys() | now.keys() if _before.get(path) != now.get(path))
