"""The position of a counter or checksum in a frame: writes and reads its number.

A number may be split: its parts, lowest bits first, lie anywhere. Within a part the bits are those of a signal, in
the numbering that layout.py explains.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from cantools.database.can import Signal

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.words import counted
from hilbridge.files.settings.protection import BitField
from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.codec.database import unknown
from hilbridge.frames.codec.layout import extent, occupied


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

    @property
    def words(self) -> str:
        """Where it lies, for people: "byte 7", "byte 6, bits 0 to 3"; its parts from the lowest bits on."""
        return " and ".join(map(_words, self.pieces))

    def taken(self, byte: int) -> int:
        """Return the bits of a byte that belong to the number, as a mask."""
        return self.occupied >> (8 * byte) & 0xFF


def _words(run: BitRun) -> str:
    first, last = run.target, run.mask.bit_length() - 1
    bits = "" if (first, last) == (0, 7) else f", bit {first}" if first == last else f", bits {first} to {last}"
    return f"byte {run.byte}{bits}"


def _bits(part: Signal) -> list[int]:
    """Return the frame's bits from the lowest of a signal upwards."""
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


class Places:
    """A finder of positions in one frame of `length` bytes; without `codec` all are given as bits."""

    def __init__(self, codec: CompiledMessage | None, length: int) -> None:
        self._codec = codec
        self._length = length

    def position(self, at: Sequence[BitField], place: KeyPath) -> Position:
        """Return the position of a number. ConfigurationError: unknown signal, outside of the frame, parts overlap."""
        parts = [self._part(one, place) for one in at]
        taken = 0
        for part in parts:
            if occupied(part) & taken:
                raise ConfigurationError("its parts overlap", place)
            taken |= occupied(part)
        if taken >> (8 * self._length):
            raise ConfigurationError(f"does not fit into {counted(self._length, 'byte')}", place)
        return Position(parts)

    def named(self, word: str, *, tail: bool) -> list[BitField] | None:
        """Return the only signal of that name, in capitals or not; with `tail` the only one whose name ends so."""
        names = self._codec.layouts if self._codec is not None else {}
        found = [
            BitField(signal=name)
            for name in names
            if (name.casefold().endswith(word) if tail else name.casefold() == word)
        ]
        return found if len(found) == 1 else None

    def signals(self, filled: Sequence[tuple[Position, KeyPath]]) -> frozenset[str]:
        """Return the database's signals that lie in the positions. ConfigurationError: one does in part only."""
        names: set[str] = set()
        for name, layout in (self._codec.layouts if self._codec is not None else {}).items():
            bits = occupied(layout)
            touching = [(position.occupied, place) for position, place in filled if position.occupied & bits]
            if not touching:
                continue
            filled_bits = sum(mask for mask, _ in touching)
            if bits & ~filled_bits:
                if self._has_rival(name, filled_bits):
                    continue
                raise ConfigurationError(f"lies in signal {name}, but does not fill it", touching[0][1])
            names.add(name)
        return frozenset(names)

    def _has_rival(self, name: str, filled: int) -> bool:
        """Return whether a signal that overlaps with this one lies in the bits that are filled: one name of them."""
        codec = self._codec
        if codec is None:
            return False
        return any(not occupied(codec.layouts[other]) & ~filled for other in codec.overlaps.get(name, ()))

    def _part(self, at: BitField, place: KeyPath) -> Signal:
        if at.signal is None:
            return Signal("", at.bit or 0, at.width or 0, "little_endian" if at.order == "little" else "big_endian")
        if self._codec is None:
            raise ConfigurationError(f"no database tells where {at.signal} lies: give 'bit' and 'width'", place)
        if at.signal not in self._codec.layouts:
            raise unknown(f"signal of {self._codec.name}", at.signal, self._codec.layouts, place)
        signal = self._codec.layouts[at.signal]
        if signal.multiplexer_signal is not None:
            raise ConfigurationError(f"{at.signal} is multiplexed: not every frame has it", place)
        return signal
