"""The event ring: records of any length, in order, from one writer to one reader; no loss goes unnoticed.

Positions are 64-bit byte counts since the start of the run; position p lies at offset p mod capacity, and a record may
wrap around the end. A record is

    [ length of the body | CRC-32 | body ]        body = [ t | kind | payload ]

The checksum starts from the record's own position, so bytes of an earlier lap are never taken for a record.

The writer moves `written`, the reader moves `released`; what lies between belongs to the reader. In real time a record
that does not fit is counted and left out, and the next one that fits is preceded by a GAP record with the number of
missing records and the time of the first. On the virtual clock the writer waits for room instead.

The positions are aligned 64-bit cells, stored whole on 64-bit machines. The reader reads them twice and checks every
record, so it needs no ordering of stores.
"""

import struct
import zlib
from collections.abc import Callable
from typing import Final, NamedTuple

GAP: Final = 0
"""Kind of the ring's own record: `t` is the time of the first record left out, the payload is a GAP_LAYOUT."""

GAP_LAYOUT: Final = struct.Struct("<Q")
"""Number of records left out; 0: not known (records were found damaged)."""

LARGEST: Final = 1 << 20
"""[byte] Size of the largest record, a state with some 2,000 trouble codes; a larger one counts as left out."""

CHUNK: Final = 1 << 16
"""[byte] What is read at once, unless one record is larger."""

_FRAMING: Final = struct.Struct("<II")
_HEAD: Final = struct.Struct("<qB")
_SEED: Final = 0xFFFFFFFF

MOST_UNFINISHED: Final = 200
"""Number of reads that may find the same record unfinished before it counts as damaged."""


class RingEvent(NamedTuple):
    """A record as it was written: position of its beginning, time [ns], kind and content."""

    position: int
    t: int
    kind: int
    payload: bytes


class EventCells(NamedTuple):
    """The 64-bit cells shared by writer and reader, each a view of one cell."""

    written: memoryview
    """Position after the newest record; written by the writer."""
    lost: memoryview
    """Number of records left out since the start; written by the writer."""
    released: memoryview
    """Position up to which the writer may overwrite; written by the reader."""


class EventWriter:
    """The writing end, in the tick process.

    `make_room` is called when a record does not fit; it returns True to try again. Without it, no call ever waits.
    """

    def __init__(self, memory: memoryview, cells: EventCells) -> None:
        self.make_room: Callable[[], bool] | None = None
        self.lost = 0
        self._memory = memory
        self._cells = cells
        self._capacity = memory.nbytes
        self._largest = min(LARGEST, memory.nbytes)
        self._position = cells.written[0]
        self._released = cells.released[0]
        self._missing = 0
        self._missing_since = 0

    def put(self, kind: int, t: int, payload: bytes) -> bool:
        """Append a record; return False if there was no room, which is counted."""
        if self._missing and self._append(GAP, self._missing_since, GAP_LAYOUT.pack(self._missing)):
            self._missing = 0
        if not self._missing and self._append(kind, t, payload):
            return True
        if not self._missing:
            self._missing_since = t
        self._missing += 1
        self.lost += 1
        self._cells.lost[0] = self.lost
        return False

    @property
    def position(self) -> int:
        """Position of the next record, or of a GAP before it."""
        return self._position

    @property
    def released(self) -> int:
        """Position up to which the reader has released the ring."""
        return self._cells.released[0]

    def _append(self, kind: int, t: int, payload: bytes) -> bool:
        body = _HEAD.pack(t, kind) + payload
        position = self._position
        size = _FRAMING.size + len(body)
        end = position + size
        if size > self._largest or (end - self._released > self._capacity and not self._has_room(end)):
            return False
        record = _FRAMING.pack(len(body), zlib.crc32(body, position & _SEED)) + body
        start = position % self._capacity
        stop = start + size
        if stop <= self._capacity:
            self._memory[start:stop] = record
        else:
            first = self._capacity - start
            self._memory[start:] = record[:first]
            self._memory[: stop - self._capacity] = record[first:]
        self._position = end
        self._cells.written[0] = end
        return True

    def _has_room(self, end: int) -> bool:
        while True:
            self._released = self._cells.released[0]
            if end - self._released <= self._capacity:
                return True
            if self.make_room is None or not self.make_room():
                return False


class EventReader:
    """The reading end, in the observer. It begins at the released position, so a new reader loses nothing."""

    def __init__(self, memory: memoryview, cells: EventCells) -> None:
        self.capacity = memory.nbytes
        self.position = cells.released[0]
        self._memory = memory
        self._cells = cells
        self._unfinished = 0
        self._t = 0

    @property
    def lost(self) -> int:
        """Number of records left out by the writer since the start."""
        return self._cells.lost[0]

    def read(self) -> list[RingEvent]:
        """Return the next records in order, about CHUNK bytes of them at most; empty: none at present.

        A record that stays unreadable is damaged: everything up to the writer's position is skipped, and a GAP of
        unknown length takes its place.
        """
        written = self.written
        begin = self.position
        chunk = self._copy(begin, min(written, begin + CHUNK))
        if len(chunk) == CHUNK and (size := _FRAMING.size + _FRAMING.unpack_from(chunk)[0]) <= LARGEST:
            chunk = self._copy(begin, min(written, begin + max(size, CHUNK)))
        events: list[RingEvent] = []
        offset = 0
        while offset + _FRAMING.size <= len(chunk):
            length, check = _FRAMING.unpack_from(chunk, offset)
            after = offset + _FRAMING.size + length
            if after > len(chunk) and offset > 0:
                break  # continues behind this chunk
            body = chunk[offset + _FRAMING.size : after]
            if not _HEAD.size <= length == len(body) or zlib.crc32(body, (begin + offset) & _SEED) != check:
                return events or self._wait_or_give_up(written)
            t, kind = _HEAD.unpack_from(body)
            events.append(RingEvent(begin + offset, t, kind, body[_HEAD.size :]))
            offset = after
            self.position = begin + after
            self._t = t
            self._unfinished = 0
        return events

    def release(self, position: int) -> None:
        """Release everything before `position` to the writer."""
        self._cells.released[0] = position

    @property
    def written(self) -> int:
        """The position of the writer."""
        while True:
            written = self._cells.written[0]
            if written == self._cells.written[0]:
                return written

    def _copy(self, begin: int, end: int) -> bytes:
        start, stop = begin % self.capacity, end - begin + begin % self.capacity
        if stop <= self.capacity:
            return self._memory[start:stop].tobytes()
        return self._memory[start:].tobytes() + self._memory[: stop - self.capacity].tobytes()

    def _wait_or_give_up(self, written: int) -> list[RingEvent]:
        self._unfinished += 1
        if self._unfinished < MOST_UNFINISHED:
            return []
        self._unfinished = 0
        position, self.position = self.position, written
        return [RingEvent(position, self._t, GAP, GAP_LAYOUT.pack(0))]
