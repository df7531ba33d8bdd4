"""What a format of serial data must do: say where a packet ends, and what a packet holds."""

import re
from collections.abc import Sequence
from typing import Final, Protocol, TypeAlias

from hilbridge.inputs.signal_conditioner import Reading

Readings: TypeAlias = Sequence[Reading | None]
"""One per wanted field, None for what the packet does not hold."""

INCOMPLETE: Final = "incomplete"
"""No wanted field, or not as many cells as columns."""
CHECKSUM: Final = "wrong_checksum"
"""Damaged on its way."""

LINE_ENDS: Final = b"\r\n"

_LONGEST_QUOTE: Final = 40


class Refused(Exception):  # noqa: N818 - expected of any sender, and counted
    """A packet that cannot be used: the reason by which it is counted, and what is told about it."""

    def __init__(self, reason: str, what: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.what = what


class Format(Protocol):
    """One way to write readings."""

    ends: bytes
    """The bytes that end a packet, each by itself."""

    def decode(self, packet: bytes) -> Readings | None:
        """The readings of a packet without its end, None for one that is meant for others. Refused."""


_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?")
"""Narrower than float(): no nan, inf, 1_000 or 0x10."""


def reading(cell: bytes) -> Reading:
    """A number where the cell is one, else a word."""
    text = cell.decode("ascii", errors="replace")
    return float(text) if _NUMBER.fullmatch(text) else text


def shown(packet: bytes) -> str:
    """A line of the sender inside a message."""
    return repr(packet[:_LONGEST_QUOTE].decode("ascii", errors="replace"))
