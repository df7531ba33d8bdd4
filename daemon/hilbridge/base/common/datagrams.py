"""Datagrams one behind the other in one string of bytes, each with its length before it: so their borders are kept."""

from collections.abc import Iterable, Iterator
from typing import Final

_LENGTH: Final = 2
"""[bytes] of the length before a datagram, lowest byte first."""


def pack(datagrams: Iterable[bytes]) -> bytes:
    """Return datagrams of less than 64 KiB in one string."""
    return b"".join(len(one).to_bytes(_LENGTH, "little") + one for one in datagrams)


def unpack(data: bytes) -> Iterator[bytes]:
    """Yield the datagrams; one that was cut off at the end is none."""
    position = 0
    while position + _LENGTH <= len(data):
        end = position + _LENGTH + int.from_bytes(data[position : position + _LENGTH], "little")
        if end > len(data):
            return
        yield data[position + _LENGTH : end]
        position = end
