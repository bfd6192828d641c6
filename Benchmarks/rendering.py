"""Documents and curves that are made from results: writing them, and saying which are not what the results give."""

import glob
import os


def contents(path):
    """The text of a file; nothing if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def settle(files, curves, only_check, remark):
    """Writes `files`, {path: text}, and removes the other pictures of the folder `curves`; whether something differed with `only_check`.

    With `only_check` nothing is written, and `remark` is printed behind the path of each that differs.
    """
    stale = [path for path in glob.glob(f"{curves}/*.svg") if path not in files]
    if only_check:
        differing = [path for path in files if contents(path) != files[path]] + stale
        for path in differing:
            print(f"{os.path.relpath(path, os.path.dirname(os.path.dirname(curves)))} {remark}")
        return bool(differing)
    os.makedirs(curves, exist_ok=True)
    for path in stale:
        os.remove(path)
    for path, text in files.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return False
