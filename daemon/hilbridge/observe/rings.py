"""The memory between the tick process and the observer: one memfd, allocated in advance, handed over by descriptor.

    offset 0     what lies where, then the shared 64-bit cells: one cache line the writer's, one the reader's
    192          `about`: what the run is, as the tick process wrote it at the start
    then         the histograms of lateness and step time
    then         the snapshot ring (newest state) and the event ring (everything that happened)

A memfd has no name that another process could remove, and no file system that could be full: posix_fallocate takes
all pages at the start, and seals keep anybody from cutting the memory short under a reader.
"""

import fcntl
import mmap
import os
import struct
from typing import Final, NamedTuple, Self

from hilbridge.observe.event_ring import EventCells, EventReader, EventWriter
from hilbridge.observe.snapshot_ring import SnapshotRing, size_of
from hilbridge.statistics import SIZE as HISTOGRAM_SIZE
from hilbridge.statistics import Histogram

EVENT_CAPACITY: Final = 1 << 22
"""[byte] of the event ring: eleven seconds of 8,000 frames/s."""

_MAGIC: Final = b"hilring1"
_HEADER: Final = struct.Struct("<8sIIQ")  # magic, length of `about`, size of a snapshot, capacity of the event ring
_WRITER_LINE: Final = 64
_READER_LINE: Final = 128
_ABOUT: Final = 192
_SEALS: Final = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


class Bookmarks(NamedTuple):
    """What an observer that starts in the middle must know of the one before it: views of one 64-bit cell each."""

    seen: memoryview
    """Position of the event ring up to which events were printed."""
    unrecorded: memoryview
    """Records that the recording lacks."""
    unwritten: memoryview
    """Of these: since the last record that it has."""
    damaged: memoryview
    """Times that unreadable records were given up."""
    incomplete: memoryview
    """1 when the recording was closed and lacks something."""


class Rings:
    """The rings as one of the two processes sees them: made by `create`, found again through their descriptor.

    ValueError when the descriptor leads to something else.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        size = os.fstat(descriptor).st_size
        self._map = mmap.mmap(descriptor, size, flags=mmap.MAP_SHARED | mmap.MAP_POPULATE)
        self._memory = memoryview(self._map)
        self._views: list[memoryview] = []
        magic, about, snapshot, capacity = _HEADER.unpack_from(self._memory)
        if magic != _MAGIC:
            raise ValueError("this descriptor does not lead to rings")
        self.about = self._memory[_ABOUT : _ABOUT + about].tobytes()

        offset = _aligned(_ABOUT + about, 64)
        self.lateness = Histogram(self._part(offset, HISTOGRAM_SIZE))
        self.step_time = Histogram(self._part(offset + HISTOGRAM_SIZE, HISTOGRAM_SIZE))
        offset = _aligned(offset + 2 * HISTOGRAM_SIZE, 64)
        slots = self._part(offset, size_of(snapshot))
        self.snapshots = SnapshotRing(slots, self._cell(_WRITER_LINE), snapshot)
        self._events = self._part(_aligned(offset + size_of(snapshot), mmap.PAGESIZE), capacity)
        self._cells = EventCells(
            written=self._cell(_WRITER_LINE + 8), lost=self._cell(_WRITER_LINE + 16), released=self._cell(_READER_LINE)
        )
        self.bookmarks = Bookmarks(
            seen=self._cell(_READER_LINE + 8),
            unrecorded=self._cell(_READER_LINE + 16),
            unwritten=self._cell(_READER_LINE + 24),
            damaged=self._cell(_READER_LINE + 32),
            incomplete=self._cell(_READER_LINE + 40),
        )

    @classmethod
    def create(cls, about: bytes, snapshot: int, capacity: int = EVENT_CAPACITY) -> Self:
        """New rings for snapshots of `snapshot` bytes and `capacity` bytes of events; OSError without memory."""
        offset = _aligned(_aligned(_ABOUT + len(about), 64) + 2 * HISTOGRAM_SIZE, 64)
        size = _aligned(offset + size_of(snapshot), mmap.PAGESIZE) + capacity
        lowest = os.memfd_create("hilbridge-rings", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        # Never 0, 1 or 2, which may be free: the observer would print into its rings.
        descriptor = fcntl.fcntl(lowest, fcntl.F_DUPFD_CLOEXEC, 3)
        os.close(lowest)
        try:
            os.posix_fallocate(descriptor, 0, size)
            os.pwrite(descriptor, _HEADER.pack(_MAGIC, len(about), snapshot, capacity), 0)
            os.pwrite(descriptor, about, _ABOUT)
            fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
            return cls(descriptor)
        except BaseException:
            os.close(descriptor)
            raise

    def event_writer(self) -> EventWriter:
        """The writer's end of the event ring; there is one."""
        return EventWriter(self._events, self._cells)

    def event_reader(self) -> EventReader:
        """The reader's end of the event ring; there is one at a time."""
        return EventReader(self._events, self._cells)

    def close(self) -> None:
        """Unmaps the memory; nothing that came from here may be used afterwards."""
        self.lateness.release()
        self.step_time.release()
        for view in reversed(self._views):
            view.release()
        self._memory.release()
        self._map.close()
        os.close(self.descriptor)

    def _part(self, offset: int, size: int) -> memoryview:
        self._views.append(self._memory[offset : offset + size])
        return self._views[-1]

    def _cell(self, offset: int) -> memoryview:
        self._views.append(self._part(offset, 8).cast("Q"))
        return self._views[-1]


def _aligned(offset: int, unit: int) -> int:
    return -(-offset // unit) * unit
