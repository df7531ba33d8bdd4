"""`hilbridge demo`: the packaged demo bench in real time, with its page in a browser of this machine."""

import argparse
import os
from typing import Final

from hilbridge.commands import run as run_command
from hilbridge.commands.argument_types import positive

_SCREENS: Final = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
"""Variables of the environment that say that a browser can be seen."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add how long, and that no browser opens."""
    parser.add_argument("--duration", type=positive, metavar="S", help="end after S seconds; default: with Ctrl-C")
    parser.add_argument("--no-open", dest="open", action="store_false", help="print the page's address alone")


def run(options: argparse.Namespace) -> int:
    """Run the demo as `hilbridge run demo` does; return its exit status."""
    words = ["demo"]
    if options.duration is not None:
        words += ["--duration", repr(options.duration)]
    if options.open and any(map(os.environ.get, _SCREENS)):
        words.append("--open")
    parser = argparse.ArgumentParser()
    run_command.add_arguments(parser)
    return run_command.run(parser.parse_args(words))
