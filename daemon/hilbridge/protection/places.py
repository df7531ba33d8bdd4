"""From the places in the settings to positions in a frame: signals of its database, or bits."""

from collections.abc import Sequence

from cantools.database.can import Signal

from hilbridge.codec.codec import CompiledMessage
from hilbridge.codec.database import unknown
from hilbridge.codec.layout import occupied
from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.protection.position import Position
from hilbridge.settings.protection import BitField


class Places:
    """Finds places in one frame of `length` bytes; without `codec` all are given as bits."""

    def __init__(self, codec: CompiledMessage | None, length: int) -> None:
        self._codec = codec
        self._length = length

    def position(self, at: Sequence[BitField], place: KeyPath) -> Position:
        """The position of a number; ConfigurationError: no such signal, outside of the frame, parts that overlap."""
        parts = [self._part(one, place) for one in at]
        taken = 0
        for part in parts:
            if occupied(part) & taken:
                raise ConfigurationError("its parts overlap", place)
            taken |= occupied(part)
        if taken >> (8 * self._length):
            raise ConfigurationError(f"does not fit into {self._length} bytes", place)
        return Position(parts)

    def named(self, word: str, *, tail: bool) -> list[BitField] | None:
        """The only signal of that name, in capitals or not; with `tail` the only one whose name ends so."""
        names = self._codec.layouts if self._codec is not None else {}
        found = [
            BitField(signal=name)
            for name in names
            if (name.casefold().endswith(word) if tail else name.casefold() == word)
        ]
        return found if len(found) == 1 else None

    def signals(self, filled: Sequence[tuple[Position, KeyPath]]) -> frozenset[str]:
        """The database's signals that lie in the positions. ConfigurationError: one does in part only."""
        names: set[str] = set()
        for name, layout in (self._codec.layouts if self._codec is not None else {}).items():
            bits = occupied(layout)
            touching = [(position.occupied, place) for position, place in filled if position.occupied & bits]
            if not touching:
                continue
            if bits & ~sum(mask for mask, _ in touching):
                raise ConfigurationError(f"lies in signal {name}, but does not fill it", touching[0][1])
            names.add(name)
        return frozenset(names)

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
