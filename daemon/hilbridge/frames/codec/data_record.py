"""Data records: the bytes of a data identifier or a PID, made of fields, with the encoders of frames.

field      a number of the data bus, an expression or a constant; or bytes that stay
position   given, or behind the field before it; bits without a field are 0
number     saturates at the ends of its field
record     not available while the number of one of its fields is not, and has no substitute
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from cantools.database.can import Message, Signal
from cantools.database.conversion import BaseConversion

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.words import counted
from hilbridge.files.settings.data_records import ContentSettings, FieldSettings
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.layout import extent, occupied
from hilbridge.frames.codec.mapping import assign_origin
from hilbridge.frames.codec.signals import SignalCodec
from hilbridge.frames.codec.sources import Channels, EntrySource, FixedSource, SignalSource
from vehiclesim.entries import STANDARD, Entries


class PlacedBytes(NamedTuple):
    """Bytes of a record that stay."""

    name: str
    start: int
    content: bytes


@lru_cache(maxsize=512)
def _message(signals: tuple[Signal, ...], length: int) -> Message:
    """Return the layout of a record as a message, the same one for the same signals, so that it is compiled once."""
    return Message(0, "record", length, [*signals], strict=False)


class DataRecord:
    """The bytes of a data identifier or a PID; `codec` has those fields that are numbers, `signals` their places."""

    def __init__(
        self,
        signals: Sequence[Signal],
        sources: Mapping[str, SignalSource],
        constants: Sequence[PlacedBytes] = (),
        length: int | None = None,
        place: KeyPath = (),
    ) -> None:
        """`length` [byte]: default as long as the fields need.

        ConfigurationError, with the key path `place` and the field: two fields overlap, or one does not fit.
        """
        self.length: Final = _checked(signals, constants, length, place)
        self.signals: Final = tuple(signals)
        self.constants: Final = tuple(constants)
        self.codec: Final = compile_message(_message(self.signals, self.length))
        content = bytearray(self.length)
        for one in constants:
            content[one.start : one.start + len(one.content)] = one.content
        self._content: Final = int.from_bytes(content, "big")
        fields = [(one.name, _first_bit(one), one.length) for one in signals]
        fields += [(one.name, 8 * one.start, 8 * len(one.content)) for one in constants]
        self._fields: Final = sorted(fields, key=lambda field: field[1])
        self._encode: Final = self.codec.bus_encoder(sources)
        self.is_pure: Final = all(getattr(source, "memory", None) is None for source in sources.values())
        """Whether the bytes depend on nothing but the channels, if no source was made for one vehicle."""

        self._needed: Final = [
            source.read if isinstance(source, EntrySource) else source.value
            for source in sources.values()
            if not isinstance(source, FixedSource) and source.substitute is None
        ]

    def describe(self) -> str:
        """Return length and fields for people: each begins at the bit of the byte, both counted as in settings."""
        fields = [f"{name} {start // 8}.{7 - start % 8}, {width} bit" for name, start, width in self._fields]
        return f"{counted(self.length, 'byte')}: {'; '.join(fields)}"

    def is_available(self, channels: Channels) -> bool:
        """Return whether all numbers are available."""
        return not any((value := read(channels)) != value for read in self._needed)

    def read(self, channels: Channels) -> bytes | None:
        """Return the present bytes; None while a number is not available."""
        return self.joined(self._encode(channels)) if self.is_available(channels) else None

    def joined(self, numbers: bytes) -> bytes:
        """Return the bytes of the numbers with those that stay."""
        if not self._content:
            return numbers
        return (int.from_bytes(numbers, "big") | self._content).to_bytes(self.length, "big")


def build_record(
    fields: Mapping[str, FieldSettings], length: int | None, place: KeyPath = (), entries: Entries = STANDARD
) -> DataRecord:
    """Return the record of some fields; `place` is their key path.

    ConfigurationError: fields overlap or do not fit, a constant is out of its range; no such entry or unit; an
    expression that cannot be understood.
    """
    fields = repeated(fields, place)
    signals, constants = lay_out(fields, place)
    sources = {one.name: source_of(one, fields[one.name], (*place, one.name), entries) for one in signals}
    return DataRecord(signals, sources, constants, length, place)


def repeated(fields: Mapping[str, FieldSettings], place: KeyPath) -> Mapping[str, FieldSettings]:
    """Return the fields, those with `times` as so many: Cell1, Cell2. ConfigurationError: another has such a name."""
    if all(field.times == 1 for field in fields.values()):
        return fields
    whole: dict[str, FieldSettings] = {}
    for name, field in fields.items():
        next_one = field.model_copy(update={"byte": None, "bit": None})
        for number in range(1, field.times + 1):
            own = name if field.times == 1 else f"{name}{number}"
            if own in whole or (own != name and own in fields):
                raise ConfigurationError(f"{own} is a field of its own", (*place, name))
            whole[own] = field if number == 1 else next_one
    return whole


def lay_out(fields: Mapping[str, FieldSettings], place: KeyPath) -> tuple[list[Signal], list[PlacedBytes]]:
    """Return the layout of the numbers, and the bytes that stay. ConfigurationError: see `build_record`."""
    signals: list[Signal] = []
    constants: list[PlacedBytes] = []
    end = 0
    for name, field in fields.items():
        start = end if field.byte is None else 8 * field.byte + 7 - (7 if field.bit is None else field.bit)
        end = start + field.width
        content = field.content
        if (content is not None or field.order == "little") and start % 8:
            raise ConfigurationError("needs whole bytes: it does not begin at one", (*place, name))
        if content is not None:
            constants.append(PlacedBytes(name, start // 8, content))
        else:
            signals.append(numeric_signal(name, field, start))
    return signals, constants


def single_record(name: str, number: ContentSettings, place: KeyPath = (), entries: Entries = STANDARD) -> DataRecord:
    """Return the record of one number; `place` is the key path of its settings. ConfigurationError: see above."""
    signal = numeric_signal(name, number, 0)
    return DataRecord([signal], {name: source_of(signal, number, place, entries)})


def numeric_signal(name: str, field: ContentSettings, start: int) -> Signal:
    """Return the layout of a number whose most significant bit is number `start` of the record, from 0."""
    return _signal(
        name, start, field.width, field.order == "little", field.signed, field.scale, field.offset, field.floating
    )


@lru_cache(maxsize=4096, typed=True)
def _signal(
    name: str, start: int, width: int, little: bool, signed: bool, scale: float, offset: float, floating: bool
) -> Signal:
    """Return the layout of a number, the same one for the same field, so that `_message` knows it again."""
    return Signal(
        name,
        start if little else start ^ 7,
        width,
        "little_endian" if little else "big_endian",
        is_signed=signed,
        conversion=BaseConversion.factory(scale, offset, None, floating),
    )


def source_of(signal: Signal, field: ContentSettings, place: KeyPath, entries: Entries) -> SignalSource:
    """Return the source of a number. ConfigurationError: see `build_record`."""
    assignment = assign_origin(SignalCodec(signal), field, place, entries)
    if isinstance(assignment.source, FixedSource) and assignment.warning is not None:
        raise ConfigurationError(assignment.warning.message, assignment.warning.place)
    return assignment.source


def _first_bit(signal: Signal) -> int:
    """Return the first bit of a number in the record, counted from the most significant bit of byte 0."""
    first, _ = extent(signal)
    return first if signal.byte_order == "big_endian" else first // 8 * 8


def _checked(signals: Sequence[Signal], constants: Sequence[PlacedBytes], length: int | None, place: KeyPath) -> int:
    """Return the length of a record, after a check that every bit belongs to one field."""
    masks = {one.name: occupied(one) for one in signals}
    masks |= {one.name: (1 << 8 * len(one.content)) - 1 << 8 * one.start for one in constants}
    taken: dict[str, int] = {}
    for name, mask in masks.items():
        if other := next((other for other, bits in taken.items() if bits & mask), None):
            raise ConfigurationError(f"overlaps with {other}", (*place, name))
        if length is not None and mask >> 8 * length:
            raise ConfigurationError(f"does not fit into {length} bytes", (*place, name))
        taken[name] = mask
    needed = -(-max((mask.bit_length() for mask in masks.values()), default=8) // 8)
    return needed if length is None else length
