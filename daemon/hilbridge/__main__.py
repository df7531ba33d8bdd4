"""`python -m hilbridge` is the command `hilbridge`."""

import sys

from hilbridge.cli import main

if __name__ == "__main__":
    sys.exit(main())
