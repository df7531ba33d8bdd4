"""The position of a counter or checksum in a frame: writes and reads its number.

A number may be split: its parts, lowest bits first, lie anywhere. Within a part the bits are those of a signal, in
the numbering that layout.py explains.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from cantools.database.can import Signal

from hilbridge.codec.layout import extent, occupied


class BitRun(NamedTuple):
    """Neighbouring bits of a number, from its bit `source`: in `byte` from its bit `target`, those of `mask`."""

    byte: int
    target: int
    source: int
    mask: int


class Position:
    """The bits of one number. `occupied` has bit b of the frame as its bit b; `width` [bit]; `highest` number."""

    __slots__ = ("highest", "occupied", "pieces", "width")

    def __init__(self, parts: Sequence[Signal]) -> None:
        self.occupied: Final = sum(occupied(part) for part in parts)
        self.width: Final = sum(part.length for part in parts)
        self.highest: Final = (1 << self.width) - 1
        self.pieces: Final = tuple(_pieces([bit for part in parts for bit in _bits(part)]))

    def write(self, data: bytearray, number: int) -> None:
        """Write the lowest bits of `number`; all other bits of the frame stay as they are."""
        for byte, target, source, mask in self.pieces:
            data[byte] = data[byte] & ~mask | number >> source << target & mask

    def read(self, data: bytes | bytearray) -> int:
        """Return the number."""
        number = 0
        for byte, target, source, mask in self.pieces:
            number |= (data[byte] & mask) >> target << source
        return number

    def taken(self, byte: int) -> int:
        """The bits of a byte that belong to the number, as a mask."""
        return self.occupied >> (8 * byte) & 0xFF


def _bits(part: Signal) -> list[int]:
    """The frame's bits from the lowest of a signal upwards."""
    first, last = extent(part)
    if part.byte_order == "little_endian":
        return list(range(first, last + 1))
    return [bit ^ 7 for bit in range(last, first - 1, -1)]


def _pieces(bits: list[int]) -> list[BitRun]:
    starts = [0, *(i + 1 for i, (one, other) in enumerate(pairwise(bits)) if other != one + 1 or other % 8 == 0)]
    return [
        BitRun(bits[start] // 8, bits[start] % 8, start, ((1 << end - start) - 1) << bits[start] % 8)
        for start, end in pairwise([*starts, len(bits)])
    ]
