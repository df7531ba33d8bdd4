"""The newest frames that move needles of the page, in shared memory: the page reads them as often as it draws.

    record = [ number of frames (8 bit) | frames ]        of SIZE bytes, the rest is 0
    frame  = [ t [ns] (64) | can_id with flags (32) | bus, length (8 each) | data (64 byte) ]

The tick copies bytes that it has, some thirty times a second, of buses that a page watches; what they say the page
works out.
"""

import struct
from collections.abc import Iterable
from itertools import islice
from typing import Final, NamedTuple

MOST: Final = 8
"""Frames of a record; the signals of needles lie in fewer."""

_FRAME: Final = struct.Struct("<qIBB64s")

SIZE: Final = 1 + MOST * _FRAME.size
"""[byte] Size of a record."""


class CarriedFrame(NamedTuple):
    """A frame that was on the bus with index `bus`, at `t` [ns]."""

    t: int
    can_id: int
    bus: int
    data: bytes


def encode(frames: Iterable[CarriedFrame]) -> bytes:
    """Return the record of the first MOST frames."""
    packed = [_FRAME.pack(t, can_id, bus, len(data), data) for t, can_id, bus, data in islice(frames, MOST)]
    return (bytes((len(packed),)) + b"".join(packed)).ljust(SIZE, b"\0")


def decode(record: bytes) -> list[CarriedFrame]:
    """Return the inverse of `encode`."""
    frames = (_FRAME.unpack_from(record, 1 + i * _FRAME.size) for i in range(record[0]))
    return [CarriedFrame(t, can_id, bus, data[:length]) for t, can_id, bus, length, data in frames]
