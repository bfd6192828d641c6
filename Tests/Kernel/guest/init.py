#!/usr/bin/python3
"""The guest's first process: prepares the machine, runs one test file, switches the machine off.

In User-Mode Linux the root is the host's own, read-only. What must be writable lies in memory: /run and /dev are new, /etc
and /tmp are the host's with changes kept in memory. The job directory, named on the kernel's command line as
``stepperd.job=``, is shared with the host. In QEMU the root is one of Debian's packages, all of whose changes are kept in
memory, /job is the job directory, and ``stepperd.project=`` says where the project is expected. In both ``job.json`` says
what to do, ``output`` gets what is printed, ``results`` is written by the test file, ``init.log`` says what went wrong here.
"""

import ctypes
import glob
import json
import os
import shutil
import subprocess
import sys
import traceback

MS_RDONLY, MS_BIND = 1, 4096
RB_POWER_OFF = 0x4321FEDC
GROUP, GROUP_ID = "stepperd", 989
#: What Debian's kernel loads when somebody needs it, and the tests need at once.
MODULES = ("evdev", "uinput", "uhid", "gpio_keys", "virtio_input", "virtio_console", "hid_generic", "hid_microsoft",
           "ledtrig_transient")
UDEVD = "/lib/systemd/systemd-udevd"

libc = ctypes.CDLL(None, use_errno=True)


def mount(source, target, kind, flags=0, data=""):
    """mount(2), unless something is mounted there."""
    os.makedirs(target, exist_ok=True)
    if os.path.ismount(target):
        return
    if libc.mount(source.encode(), target.encode(), kind.encode(), flags, data.encode()):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), f"mount {kind} {target}")


def make_writable(path):
    """Keeps changes below `path` in memory."""
    layers = f"/run/layers{path}"
    os.makedirs(f"{layers}/changes")
    os.makedirs(f"{layers}/work")
    mount("overlay", path, "overlay", 0,
          f"lowerdir={path},upperdir={layers}/changes,workdir={layers}/work")


def prepare():
    """Mounts what every guest has and returns the job."""
    mount("proc", "/proc", "proc")
    mount("sysfs", "/sys", "sysfs")
    mount("devtmpfs", "/dev", "devtmpfs")
    mount("devpts", "/dev/pts", "devpts")
    mount("tmpfs", "/dev/shm", "tmpfs")
    mount("tmpfs", "/run", "tmpfs", 0, "mode=755")
    with open("/proc/cmdline", encoding="utf-8") as line:
        words = dict(word.split("=", 1) for word in line.read().split() if "=" in word)
    if "stepperd.job" in words:
        mount("none", "/run/job", "hostfs", 0, words["stepperd.job"])
        make_writable("/etc")
        make_writable("/tmp")
    else:
        mount("/job", "/run/job", "none", MS_BIND)
        mount("project", words["stepperd.project"], "9p", MS_RDONLY, "trans=virtio,version=9p2000.L,msize=262144,cache=loose")
        subprocess.run(["/sbin/modprobe", "--all", *MODULES], check=True)
    os.makedirs("/dev/input", exist_ok=True)
    with open("/run/job/job.json", encoding="utf-8") as file:
        return json.load(file)


def add_group():
    """Makes the group of our udev rules known, as sysusers.d does on an installed system."""
    with open("/etc/group", encoding="utf-8") as file:
        known = any(line.startswith(f"{GROUP}:") for line in file)
    if not known:
        with open("/etc/group", "a", encoding="utf-8") as file:
            file.write(f"{GROUP}:x:{GROUP_ID}:\n")


def start_udev(project):
    """Starts the host's own systemd-udevd with our rules and our hardware database only."""
    add_group()
    rules, root = "/run/udev/rules.d", "/run/hwdb"
    ours = f"{project}/udev-rules"
    os.makedirs(rules)
    os.makedirs(f"{root}/etc/udev/hwdb.d")
    for path in glob.glob(f"{ours}/*.rules"):
        shutil.copy(path, rules)
    database = glob.glob(f"{ours}/*.hwdb")
    for path in database:
        shutil.copy(path, f"{root}/etc/udev/hwdb.d")
    if database:
        subprocess.run(["systemd-hwdb", f"--root={root}", "update"], check=True)
        os.makedirs("/etc/udev", exist_ok=True)
        shutil.copy(f"{root}/etc/udev/hwdb.bin", "/etc/udev/hwdb.bin")
    subprocess.run([UDEVD, "--daemon"], check=True)
    subprocess.run(["udevadm", "trigger", "--type=devices", "--action=add",
                    "--subsystem-match=input", "--subsystem-match=misc"], check=True)
    subprocess.run(["udevadm", "settle", "--timeout=20"], check=True)


def run():
    """Does the job."""
    job = prepare()
    os.environ.update(
        PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME="/run/home",
        TMPDIR="/tmp", LANG="C.UTF-8", PYTHONPATH=f"{job['project']}/Tests/Support", PYTHONDONTWRITEBYTECODE="1",
        PYTHONUNBUFFERED="1", STEPPERD_PATIENCE=str(job["patience"]))
    os.makedirs("/run/home")
    if job["udev"]:
        start_udev(job["project"])
    with open("/run/job/output", "ab") as output:
        done = subprocess.run([sys.executable, job["test"], *job["names"]], cwd="/run",
                              stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False)
    if done.returncode:
        raise RuntimeError(f"{job['test']} ended with {done.returncode}")


if __name__ == "__main__":
    try:
        run()
    except BaseException:  # whatever it is, the host must hear of it and the machine must stop
        with open("/run/job/init.log" if os.path.ismount("/run/job") else "/dev/console", "a",
                  encoding="utf-8") as log:
            traceback.print_exc(file=log)
    os.sync()
    libc.reboot(RB_POWER_OFF)
