"""`hilbridge lockstep`: what firmware needs that the virtual clock waits for."""

import argparse
import sys
from importlib import resources
from typing import Final

from hilbridge.boundary.lockstep.backends import BACKENDS

_SOURCES: Final = {
    "header": "hilbridge_lockstep.h",
    "python": "hilbridge_lockstep.py",
    "rust": "hilbridge_lockstep.rs",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is printed."""
    sources = ", ".join(f"{what}: {file}" for what, file in _SOURCES.items())
    parser.add_argument(
        "what",
        choices=(*_SOURCES, "backends"),
        help=f"{sources}, each of which a CAN driver includes; backends: what runs firmware here",
    )


def run(options: argparse.Namespace) -> int:
    """Print a source, or a line for each backend; exit status 0."""
    if options.what in _SOURCES:
        source = resources.files("hilbridge.boundary.lockstep") / _SOURCES[options.what]
        sys.stdout.write(source.read_text(encoding="utf-8"))
        return 0
    for name, backend in BACKENDS.items():
        print(f"{name:<10}  {backend.summary}")
    return 0
