"""`hilbridge lockstep`: what firmware needs that the virtual clock waits for."""

import argparse
import sys
from importlib import resources
from typing import Final

from hilbridge.boundary.lockstep.backends import BACKENDS

_HEADER: Final = "hilbridge_lockstep.h"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is printed."""
    parser.add_argument(
        "what",
        choices=("header", "backends"),
        help=f"header: {_HEADER}, which the CAN driver of the firmware includes; backends: what runs firmware here",
    )


def run(options: argparse.Namespace) -> int:
    """Print the header, or a line for each backend; exit status 0."""
    if options.what == "header":
        header = resources.files("hilbridge.boundary.lockstep") / _HEADER
        sys.stdout.write(header.read_text(encoding="utf-8"))
        return 0
    for name, backend in BACKENDS.items():
        print(f"{name:<10}  {backend.summary}")
    return 0
