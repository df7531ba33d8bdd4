"""The snapshot ring: the newest state of the run in records of fixed size, for any number of readers.

Record n lies in slot n mod `slots` and carries a checksum over its number and its content:

    slot = [ CRC-32 | n | content ]

The writer fills the slot and then announces n. A reader takes the slot of the announced number and checks it; a slot
that was overwritten meanwhile (the reader slept through all slots), or is being written, fails the check, and the
reader tries again. One that wants every record takes them by number, from a ring of many slots.
"""

import struct
import zlib
from typing import Final

SLOTS: Final = 4
"""Slots of a ring whose readers want the newest record alone."""

_CHECK: Final = struct.Struct("<I")
_NUMBER: Final = struct.Struct("<Q")
_OVERHEAD: Final = _CHECK.size + _NUMBER.size
_ATTEMPTS: Final = 100


def size_of(content: int, slots: int = SLOTS) -> int:
    """Return the size [byte] of a ring for records of `content` bytes."""
    return slots * (_OVERHEAD + content)


class SnapshotRing:
    """Both ends of a ring. `number` is the cell that announces the newest record; 0: there is none yet."""

    def __init__(self, memory: memoryview, number: memoryview, content: int, slots: int = SLOTS) -> None:
        self._memory = memory
        self._slots = slots
        self._announced = number
        self._content = content
        self._stride = _OVERHEAD + content
        self._number = number[0]

    def put(self, content: bytes) -> None:
        """Write one record; never wait."""
        number = self._number = self._number + 1
        body = _NUMBER.pack(number) + content
        start = (number % self._slots) * self._stride
        self._memory[start : start + self._stride] = _CHECK.pack(zlib.crc32(body)) + body
        self._announced[0] = number

    @property
    def newest(self) -> int:
        """Number of the newest record, from 1 on; 0 while there is none."""
        newest: int = self._announced[0]
        return newest

    def get(self) -> bytes | None:
        """Return the newest record; None while there is none (or none could be read whole in many attempts)."""
        for _ in range(_ATTEMPTS):
            number = self.newest
            if number == 0:
                return None
            record = self.at(number)
            if record is not None:
                return record
        return None

    def at(self, number: int) -> bytes | None:
        """Return a record by its number; None: it has been overwritten, or is being written."""
        start = (number % self._slots) * self._stride
        record = self._memory[start : start + self._stride].tobytes()
        body = record[_CHECK.size :]
        if _CHECK.unpack_from(record)[0] == zlib.crc32(body) and _NUMBER.unpack_from(body)[0] == number:
            return body[_NUMBER.size :]
        return None
