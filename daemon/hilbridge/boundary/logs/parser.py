"""A parser of the lines of a text format, the table of its cases, and the numbers that formats share."""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from hilbridge.boundary.logs.frames import CLASSIC, LogFrame

Parsed = LogFrame | str | None
"""A frame, the reason why a line that is one is left out, or nothing: a head, a comment."""

_NANO_DIGITS: Final = 9

_WHOLE_BYTE: Final = re.compile(r"(?:[0-9A-Fa-f]{2}|=|[A-Za-z0-9+/]{4})$")
"""The end of a line of bytes: hexadecimal, or in base64."""


class Parser:
    """Reads the lines of one log. `notes`: assumptions about it, for the user.

    `sized`: lines have the number of their bytes; None: and a byte has no fixed number of digits.
    """

    sized: bool | None = True

    def __init__(self, head: Sequence[str]) -> None:
        """`head`: the first lines of the log."""
        self.notes: list[str] = []

    def parse(self, line: str) -> Parsed:
        """Read a line. ValueError, IndexError, KeyError: it is not of the format. LogError: the rest is lost too."""
        raise NotImplementedError

    def is_whole(self, line: str, frame: LogFrame) -> bool:
        """Return whether a last line without an end cannot be a part of a longer one with another frame."""
        if self.sized is None or _WHOLE_BYTE.search(line) is None:
            return False
        return self.sized or len(frame.data) == CLASSIC or len(frame.data) == FD_LENGTHS[-1]


class Case(NamedTuple):
    """A log of few lines and what is read of it: documentation, and a test.

    `frames` are as in `candump -L` with the time in seconds from the file: `1.5 can0 123#1122`; `left_out`: reasons.
    """

    about: str
    text: str
    frames: Sequence[str]
    left_out: Sequence[str] = ()


class TextFormat(NamedTuple):
    """A text format: its name, who writes it, whether the first lines are of it, its parser and its cases."""

    name: str
    writer: str
    begins: Callable[[Sequence[str]], bool]
    parser: type[Parser]
    cases: Sequence[Case]


def nanoseconds(text: str, exponent: int = _NANO_DIGITS) -> int:
    """Return a decimal number of units of 10^exponent ns as whole nanoseconds, exactly; what is finer is cut off."""
    text = text.strip()
    negative = text.startswith("-")
    whole, _, fraction = text.lstrip("+-").replace(",", ".").partition(".")
    if not (whole or fraction) or not (whole + fraction).isdecimal() or not text.isascii():
        raise ValueError(text)
    number = int(whole or "0") * int(10**exponent) + int(fraction[:exponent].ljust(exponent, "0") or "0")
    return -number if negative else number


def bytes_of(words: Sequence[str], count: int, base: int = 16) -> bytes:
    """Return the bytes of `count` words. ValueError: there are fewer, or one is no byte."""
    if len(words) < count:
        raise ValueError("fewer bytes than the length says")
    return bytes(int(word, base) for word in words[:count])


def columns(line: str) -> list[str]:
    """Return the names of the columns of a table, small; separated by commas, semicolons or tabs."""
    return [word.strip().strip('"').casefold() for word in line.replace(";", ",").replace("\t", ",").split(",")]


def cells(line: str) -> list[str]:
    """Return the cells of a line of a table."""
    return [word.strip().strip('"') for word in line.replace(";", ",").replace("\t", ",").split(",")]


def is_true(word: str) -> bool:
    """Return whether a cell says yes. ValueError: it says neither yes nor no."""
    known = {"true": True, "1": True, "t": True, "false": False, "0": False, "f": False, "": False}
    return known[word.casefold()]


FD_LENGTHS: Final = (*range(9), 12, 16, 20, 24, 32, 48, 64)
"""[byte] of a CAN FD frame by its length code (ISO 11898-1)."""
