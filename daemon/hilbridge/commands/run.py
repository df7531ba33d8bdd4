"""`hilbridge run`: a bench in real time, or as fast as the machine can on the virtual clock."""

import argparse
import math
import sys
from pathlib import Path
from typing import Final

from hilbridge.configuration.benchfile import load_bench
from hilbridge.errors import ConfigurationError

_LEAST: Final = 1e-3
_MOST: Final = 1e9
"""Of seconds (30 years) and of paces."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bench", nargs="?", default="demo", metavar="BENCH", help="bench file or name (default: demo)")
    parser.add_argument(
        "--clock", choices=("real", "virtual"), default="real", help="virtual: no waiting, no ports, repeatable"
    )
    parser.add_argument("--pace", type=_positive, metavar="X", help="X times real time, with open ports")
    parser.add_argument("--duration", type=_positive, metavar="S", help="end after S seconds of the run")
    parser.add_argument("--record", type=Path, metavar="DIR", help="write a recording into DIR, which holds none yet")


def run(options: argparse.Namespace) -> int:
    sys.modules.setdefault("asammdf", None)  # type: ignore[arg-type]  # python-can would import it, and numpy with it
    from hilbridge import lifecycle

    virtual = options.clock == "virtual" and options.pace is None
    if virtual and options.duration is None:
        raise ConfigurationError("the virtual clock does not end by itself: say for how long with --duration")
    file = load_bench(options.bench)
    record = None if options.record is None else options.record.absolute()
    try:
        return lifecycle.run(
            file, lifecycle.RunOptions(None if virtual else options.pace or 1.0, options.duration, record)
        )
    except ConfigurationError as error:
        raise file.locate(error) from error


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not _LEAST <= value <= _MOST:  # not-a-number is neither
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from {_LEAST:g} to {_MOST:g}")
    return value
