"""How a script in Python answers --help and arguments that it does not know: as Scripts/shared/usage does for the others."""

import argparse
import sys


class Arguments(argparse.ArgumentParser):
    """The arguments of a script, whose help begins with its docstring."""

    def __init__(self):
        super().__init__(
            description=sys.modules["__main__"].__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message):
        self.exit(64, f"{sys.argv[0]}: {message}; see --help\n")
