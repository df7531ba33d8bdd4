"""The memory between the tick process and the observer: one memfd, allocated in advance, handed over by descriptor.

    offset 0     header, then the shared 64-bit cells: one cache line of the writer, two of the reader
    256          `about`: facts of the run, written by the tick process at the start
    then         the histograms of lateness, step time and answer time
    then         the snapshot ring (newest state), the status of the recording, the frames that move needles of the
                 page, and the event ring

A memfd has no name that another process could remove, and no file system that could be full: posix_fallocate takes
all pages at the start, and seals prevent that the memory is shortened under a reader.
"""

import fcntl
import mmap
import os
import struct
from collections.abc import Iterator
from typing import Final, NamedTuple, Self

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.statistics import SIZE as HISTOGRAM_SIZE
from hilbridge.base.common.statistics import Histogram
from hilbridge.boundary.observe import carried_frames
from hilbridge.boundary.observe.event_ring import EventCells, EventReader, EventWriter
from hilbridge.boundary.observe.snapshot_ring import SnapshotRing, size_of

EVENT_CAPACITY: Final = 1 << 22
"""[byte] Size of the event ring: eleven seconds of 8,000 frames/s."""

RECORDING_SIZE: Final = 8192
"""[byte] of the record about the recording under way; a path has 4096 at most."""

_MAGIC: Final = b"hilring3"
_HEADER: Final = struct.Struct("<8sIIQ")  # magic, length of `about`, size of a snapshot, capacity of the event ring
_WRITER_LINE: Final = 64
_READER_LINE: Final = 128
_RECORDING_LINE: Final = 192
_ABOUT: Final = 256
_SEALS: Final = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


_HISTOGRAMS: Final = 3 * HISTOGRAM_SIZE


class Durations(NamedTuple):
    """The timing of a run: three histograms of durations [ns]."""

    lateness: Histogram
    """Time from a tick's deadline to its beginning, the ticks missed before it included."""
    step_time: Histogram
    """Time from a tick's beginning to its end."""
    answer_time: Histogram
    """Time from the beginning of the tick that read a diagnostic request to the end of that which begins the answer; of
    one answered between two ticks, from waking up for it to its answer."""

    def figures(self) -> Iterator[tuple[str, dict[str, float]]]:
        """Make p50, p99, p99.9 and maximum [µs] of each, by its name in statistics, one after the other."""
        for name, histogram in zip(("lateness_us", "tick_us", "answer_us"), self, strict=True):
            yield name, {figure: round(value / 1000, 1) for figure, value in histogram.summary().items()}


class Bookmarks(NamedTuple):
    """The state that an observer hands on to its successor: views of one 64-bit cell each."""

    seen: memoryview
    """Position of the event ring up to which events were printed."""
    unrecorded: memoryview
    """Number of records that the recording lacks."""
    unwritten: memoryview
    """Number of these since the last record that it has."""
    damaged: memoryview
    """Number of times that unreadable records were skipped."""
    stored: memoryview
    """Position after the beginning of the newest STATE event that is on the disk."""
    unstored: memoryview
    """The same of the newest one that could not be stored."""
    incomplete: memoryview
    """1 if a recording could not be begun, or was closed and lacks something."""
    size: memoryview
    """[byte] Size of the recording."""
    left: memoryview
    """[byte] that are left on the disk of the recording, while it is nearly full; 0: it is not."""
    pulse: memoryview
    """A counter that grows as long as the observer makes progress."""


class Rings:
    """The rings as each process sees them: made by `create`, found again through their descriptor.

    `origin` is the cell for the time of t = 0 on the monotonic clock [ns]; 0 until the first tick.
    ValueError: the descriptor is not one of rings.
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
        self.durations = Durations(
            *(Histogram(self._part(offset + i * HISTOGRAM_SIZE, HISTOGRAM_SIZE)) for i in range(3))
        )
        self.lateness, self.step_time, self.answer_time = self.durations
        offset = _aligned(offset + _HISTOGRAMS, 64)
        slots = self._part(offset, size_of(snapshot))
        self.snapshots = SnapshotRing(slots, self._cell(_WRITER_LINE), snapshot)
        offset += size_of(snapshot)
        recording = self._part(offset, size_of(RECORDING_SIZE))
        self.recording = SnapshotRing(recording, self._cell(_RECORDING_LINE), RECORDING_SIZE)
        offset += size_of(RECORDING_SIZE)
        carried = self._part(offset, size_of(carried_frames.SIZE))
        self.carried = SnapshotRing(carried, self._cell(_WRITER_LINE + 32), carried_frames.SIZE)
        self._events = self._part(_aligned(offset + size_of(carried_frames.SIZE), mmap.PAGESIZE), capacity)
        self._cells = EventCells(
            written=self._cell(_WRITER_LINE + 8), lost=self._cell(_WRITER_LINE + 16), released=self._cell(_READER_LINE)
        )
        self.origin = self._cell(_WRITER_LINE + 24)
        self.bookmarks = Bookmarks(
            seen=self._cell(_READER_LINE + 8),
            unrecorded=self._cell(_READER_LINE + 16),
            unwritten=self._cell(_READER_LINE + 24),
            damaged=self._cell(_READER_LINE + 32),
            incomplete=self._cell(_READER_LINE + 40),
            stored=self._cell(_READER_LINE + 48),
            unstored=self._cell(_READER_LINE + 56),
            size=self._cell(_RECORDING_LINE + 8),
            pulse=self._cell(_RECORDING_LINE + 16),
            left=self._cell(_RECORDING_LINE + 24),
        )

    @classmethod
    def create(cls, about: bytes, snapshot: int, capacity: int = EVENT_CAPACITY) -> Self:
        """Create rings for snapshots of `snapshot` bytes and `capacity` bytes of events.

        ConfigurationError: the machine has no memory, or the process no descriptor, for them.
        """
        offset = _aligned(_aligned(_ABOUT + len(about), 64) + _HISTOGRAMS, 64)
        state = size_of(snapshot) + size_of(RECORDING_SIZE) + size_of(carried_frames.SIZE)
        size = _aligned(offset + state, mmap.PAGESIZE) + capacity
        try:
            descriptor = allocated(size, "hilbridge-rings")
            try:
                os.pwrite(descriptor, _HEADER.pack(_MAGIC, len(about), snapshot, capacity), 0)
                os.pwrite(descriptor, about, _ABOUT)
                fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
                return cls(descriptor)
            except BaseException:
                os.close(descriptor)
                raise
        except OSError as error:
            reason = f"no {size / 1e6:.1f} MB of shared memory: {error.strerror}"
            raise ConfigurationError(reason, may_pass=True) from error

    def event_writer(self) -> EventWriter:
        """Return the writing end of the event ring, of which there is one."""
        return EventWriter(self._events, self._cells)

    def event_reader(self) -> EventReader:
        """Return the reading end of the event ring, of which there is one at a time."""
        return EventReader(self._events, self._cells)

    def close(self) -> None:
        """Unmap the memory; no part of it may be used afterwards."""
        for histogram in self.durations:
            histogram.release()
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


def allocated(size: int, name: str) -> int:
    """Create a memfd with all its pages, never as 0, 1 or 2, into which the observer would print. OSError: no room."""
    lowest = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        descriptor = fcntl.fcntl(lowest, fcntl.F_DUPFD_CLOEXEC, 3)
    finally:
        os.close(lowest)
    try:
        os.posix_fallocate(descriptor, 0, size)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
