"""A parser of the lines of a text format, the table of its cases, and the numbers that formats share."""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS
from hilbridge.boundary.logs.frames import LogFrame

Parsed = LogFrame | str | None
"""A frame, the reason why a line that is one is left out, or nothing: a head, a comment."""

_NANO_DIGITS: Final = 9

_TRUTHS: Final = {"true": True, "1": True, "t": True, "false": False, "0": False, "f": False, "": False}

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
        return self.sized or len(frame.data) == CLASSIC_LENGTH or len(frame.data) == FRAME_LENGTHS[-1]


class TableParser(Parser):
    """Reads a table whose first line names its columns, and may come again. `places`: of the columns by their names."""

    def __init__(self, head: Sequence[str]) -> None:
        super().__init__(head)
        self.places: Final = {name: place for place, name in enumerate(columns(head[0]))}
        self._names: Final = head[0].strip()

    def parse(self, line: str) -> Parsed:
        return None if not line.strip() or line.strip() == self._names else self.row(cells(line))

    def row(self, words: list[str]) -> Parsed:
        """Read the cells of a line; errors as those of `parse`."""
        raise NotImplementedError


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
    return [word.casefold() for word in cells(line)]


def cells(line: str) -> list[str]:
    """Return the cells of a line of a table."""
    return [word.strip().strip('"') for word in line.replace(";", ",").replace("\t", ",").split(",")]


def is_true(word: str) -> bool:
    """Return whether a cell says yes. KeyError: it says neither yes nor no."""
    return _TRUTHS[word.casefold()]
