"""Where a counter or checksum lies in a frame, and straight-line code that writes and reads it.

A number may be split: its parts, lowest bits first, lie anywhere. Within a part the bits are those of a signal, in
the numbering that layout.py explains.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from cantools.database.can import Signal

from hilbridge.codec.generated import function
from hilbridge.codec.layout import extent, occupied


class Piece(NamedTuple):
    """Neighbouring bits: `width` bits of the number from its bit `source`, in byte `byte` from its bit `target`."""

    byte: int
    target: int
    source: int
    width: int

    @property
    def mask(self) -> int:
        """The bits of the byte that it takes."""
        return ((1 << self.width) - 1) << self.target


class Position:
    """The bits of one number. `occupied` has bit b of the frame as its bit b; `width` [bit]; `highest` number.

    `write(data, number)` leaves all other bits as they are and takes the lowest bits of a number that is too large.
    """

    __slots__ = ("highest", "occupied", "pieces", "read", "width", "write")

    def __init__(self, parts: Sequence[Signal]) -> None:
        self.occupied: Final = sum(occupied(part) for part in parts)
        self.width: Final = sum(part.length for part in parts)
        self.highest: Final = (1 << self.width) - 1
        pieces = _pieces([bit for part in parts for bit in _bits(part)])
        self.pieces: Final = tuple(pieces)
        self.write: Final[Callable[[bytearray, int], None]] = function(
            "data, number", "None", {}, "; ".join(map(_writing, pieces))
        )
        self.read: Final[Callable[[bytes | bytearray], int]] = function("data", " | ".join(map(_reading, pieces)), {})

    def taken(self, byte: int) -> int:
        """The bits of a byte that belong to the number, as a mask."""
        return self.occupied >> (8 * byte) & 0xFF


def _bits(part: Signal) -> list[int]:
    """The frame's bits from the lowest of a signal upwards."""
    first, last = extent(part)
    if part.byte_order == "little_endian":
        return list(range(first, last + 1))
    return [bit ^ 7 for bit in range(last, first - 1, -1)]


def _pieces(bits: list[int]) -> list[Piece]:
    starts = [0, *(i + 1 for i, (one, other) in enumerate(pairwise(bits)) if other != one + 1 or other % 8 == 0)]
    return [
        Piece(bits[start] // 8, bits[start] % 8, start, end - start) for start, end in pairwise([*starts, len(bits)])
    ]


def _writing(piece: Piece) -> str:
    part = f"number >> {piece.source}" if piece.source else "number"
    if piece.width == 8:
        return f"data[{piece.byte}] = {part} & 255"
    placed = f"({part}) << {piece.target}" if piece.target else part
    return f"data[{piece.byte}] = data[{piece.byte}] & {piece.mask ^ 0xFF} | {placed} & {piece.mask}"


def _reading(piece: Piece) -> str:
    text = f"data[{piece.byte}]"
    if piece.width != 8:
        text = f"({text} & {piece.mask})"
    if piece.target:
        text = f"({text} >> {piece.target})"
    return f"{text} << {piece.source}" if piece.source else text
