"""The consent of the user to code that is not trusted here: asked for on a terminal, or given by `--trust`."""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.trust import gate, store
from hilbridge.base.trust.code import Code
from hilbridge.base.trust.installed import Installed

_YES: Final = ("y", "yes")


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Add the option `--trust`."""
    parser.add_argument(
        "--trust",
        action="store_true",
        help="trust the Python code that its files name, as it is now, and remember that",
    )


def with_consent(run: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    """Run a command, and run it again each time that the user trusts what it was refused.

    Benches and vehicles are read before a command does anything. ConfigurationError: as of the command.
    """
    gate.take_refused()
    while True:
        try:
            return run(options)
        except ConfigurationError:
            refused = gate.take_refused()
            if not refused or not (getattr(options, "trust", False) or _consents(refused)):
                raise
            store.add(refused)


def _consents(codes: Sequence[Code | Installed]) -> bool:
    """Ask, where someone can answer."""
    if not (sys.stdin and sys.stderr and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write("This is code that nobody has trusted here. It would run with all your rights:\n")
    for code in codes:
        sys.stderr.write(f"  {code.label!r}\n")
    sys.stderr.write("Trust it as it is now? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in _YES
