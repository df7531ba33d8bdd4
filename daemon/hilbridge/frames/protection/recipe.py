"""A preset or an E2E profile written out: the settings that a user could have given, and constant fields."""

from typing import NamedTuple

from hilbridge.files.settings.protection import BitField, ChecksumSettings, CounterSettings


class ConstantField(NamedTuple):
    """A field of the frame that is always the same: the length or the data id of an E2E header."""

    at: BitField
    number: int


class Recipe(NamedTuple):
    """One counter with its checksum."""

    counter: CounterSettings | None
    checksum: ChecksumSettings | None
    constants: tuple[ConstantField, ...] = ()


def bits(start: int, width: int) -> BitField:
    """Return an Intel field that starts at bit `start`, counted from bit 0 of byte 0 upwards."""
    return BitField(bit=start, width=width)


def big_endian(byte: int, width: int) -> BitField:
    """Return a Motorola field of whole bytes, beginning at byte `byte`."""
    return motorola(8 * byte + 7, width)


def motorola(start: int, width: int) -> BitField:
    """Return a Motorola field by its highest bit, as a DBC file numbers it."""
    return BitField(bit=start, width=width, order="big")
