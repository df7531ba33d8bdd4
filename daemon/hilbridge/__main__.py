"""`python -m hilbridge` is the command `hilbridge`."""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the working directory, where modules of anybody may lie

    from hilbridge.commands.cli import main

    sys.exit(main())
