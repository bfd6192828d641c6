#!/usr/bin/python3
"""That the engine does the same on every machine: recordings of devices lead to the same steps and values, byte by byte."""

import glob
import os
import subprocess

import harness
from harness import equal, test
from stepperd import PROGRAMS

GUEST = {"board": True}
FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "StepperRecordingTests/Recordings")


@test
def recordings_lead_to_the_same():
    """Each recording, replayed by this machine's stepperctl, prints what is kept in the repository."""
    recordings = sorted(glob.glob(f"{FOLDER}/*.recording"))
    equal(bool(recordings), True, "there are recordings")
    for recording in recordings:
        name = recording.removesuffix(".recording")
        replayed = subprocess.run([f"{PROGRAMS}/stepperctl", "replay", recording, "--config", f"{name}.toml"],
                                  check=True, capture_output=True, text=True)
        with open(f"{name}.expected", encoding="utf-8") as file:
            equal(replayed.stdout, file.read(), os.path.basename(recording))


if __name__ == "__main__":
    harness.main()
