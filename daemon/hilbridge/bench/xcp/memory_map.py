"""The memory that an XCP master sees: the entries of the data bus at addresses that never change.

    address = (channel + 1) * 10000h + 4 * id        one signed 32-bit integer, least significant byte first

The integers of the data bus have 64 bits. One beyond -2147483646 to 2147483647 is shown as that end of the range: a
counter stops there, and only what is not available is NAN.

Ids are only ever appended, so an entry has one address on all benches; those of `custom.` are in the order of the
bench file. The address extension is 0. Nothing lies between the channels.
"""

import struct
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import Final, NamedTuple

from vehiclesim.channels import NAN
from vehiclesim.entries import SIZES, Entries, Entry

SIZE: Final = 4
"""[byte] of an entry."""

_CHANNEL: Final = 16
"""Bits of an address below its channel."""

_OFFSETS: Final = tuple(SIZE * start for start in accumulate((0, *SIZES)))

SAMPLE: Final = struct.Struct(f"<q{sum(SIZES)}q")
"""A sample: the time of its tick [ns], then all channels in their order."""

LARGEST: Final = 2**31 - 1
_LEAST: Final = NAN + 1
_IMAGE: Final = struct.Struct(f"<{sum(SIZES)}i")


class Place(NamedTuple):
    """A range of the image of all channels, which begins at an address."""

    offset: int
    length: int
    address: int


def encode_sample(t: int, channels: Sequence[Sequence[int]]) -> bytes:
    """Return the sample of a tick at `t` [ns]."""
    return SAMPLE.pack(t, *chain.from_iterable(channels))


def time_and_image(sample: bytes) -> tuple[int, bytes]:
    """Return the time [ns] of a sample, and the image of all channels."""
    t, *values = SAMPLE.unpack(sample)
    if max(values) > LARGEST or min(values) < NAN:
        values = [value if NAN <= value <= LARGEST else LARGEST if value > 0 else _LEAST for value in values]
    return t, _IMAGE.pack(*values)


def address_of(channel: int, index: int) -> int:
    """Return the address of an entry by channel and id."""
    return (channel + 1) << _CHANNEL | SIZE * index


class MemoryMap:
    """The addresses of the entries of one bench."""

    def __init__(self, entries: Entries) -> None:
        self.entries: Final = entries

    def place(self, address: int, length: int) -> Place | None:
        """Return where `length` bytes from an address on lie in the image; None: not all of them have entries."""
        channel, below = (address >> _CHANNEL) - 1, address & ((1 << _CHANNEL) - 1)
        if not 0 <= channel < len(self.entries.channels):
            return None
        if below + length > SIZE * len(self.entries.channels[channel]):
            return None
        return Place(_OFFSETS[channel] + below, length, address)

    def entries_at(self, address: int, length: int) -> list[Entry] | None:
        """Return the entries that a range of addresses has; None: it does not consist of whole ones."""
        if length == 0 or length % SIZE or address % SIZE or self.place(address, length) is None:
            return None
        first = (address & ((1 << _CHANNEL) - 1)) // SIZE
        return list(self.entries.channels[(address >> _CHANNEL) - 1][first : first + length // SIZE])

    def addresses(self) -> Iterator[tuple[int, Entry]]:
        """Yield every entry with its address."""
        for channel, entries in enumerate(self.entries.channels):
            for index, entry in enumerate(entries):
                yield address_of(channel, index), entry
