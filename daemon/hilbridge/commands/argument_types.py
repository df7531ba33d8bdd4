"""Types of arguments of the command line."""

import argparse
import math
from typing import Final

_LEAST: Final = 1e-3
_MOST: Final = 1e9
"""Greatest duration in seconds (30 years), and greatest pace."""


def positive(text: str) -> float:
    """Return a number above 0. ArgumentTypeError: it is none, or beyond what a duration or pace can be."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not _LEAST <= value <= _MOST:  # not-a-number is neither
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from {_LEAST:g} to {_MOST:g}")
    return value


def number_or_word(text: str) -> float | str:
    """Return a number, or the text where it is none."""
    try:
        return float(text)
    except ValueError:
        return text


def whole(text: str) -> int:
    """Return a whole number from 0 on. ArgumentTypeError: it is none."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 on")
    return int(text)
