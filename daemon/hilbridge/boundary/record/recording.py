"""A recording as it is read: its manifest, its bench, and the records of the boundary in order.

What cannot be read of it, such as a half-written record of a killed process or a byte that was changed since, is passed
over: a record of kind GAP takes its place, and the records behind it follow.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary_records import FRAME, FRAME_LAYOUT, defect
from hilbridge.boundary.record.packed import open_segment, segment_size, size_on_disk
from hilbridge.boundary.record.seek import offset_of
from hilbridge.boundary.record.segments import (
    GAP,
    GAP_LAYOUT,
    HEADER,
    Read,
    frames_before,
    segment_numbers,
    segment_path,
    stretches,
    whole_records,
)

_BUS: Final = 4
"""The byte of a frame's payload that has its bus."""

_FIRST: Final = 4096
"""[byte] of a segment in which its first record is looked for; a longer one, a part of a reload, has no time here."""

_DISORDER: Final = SECOND
"""[ns] by which a record may be older than one in front of it: several processes write, each as soon as it can."""

_LATER: Final = 3
"""Records in a row behind a span at which its reading ends: one alone may have a wrong time."""

LATEST: Final = 100 * 365 * 86400 * SECOND
"""[ns] A later time is damage: formats of other tools hold no year beyond 2100."""


class BoundaryRecord(NamedTuple):
    """One record: its time [ns], its kind and its content."""

    t: int
    kind: int
    payload: bytes


class Recording:
    """A directory that `hilbridge run --record` has made. ConfigurationError: it is no recording.

    After `records` was read to its end, `damage` names the first place of the files that cannot be read, or is empty;
    `gaps` counts the places where records are missing: none where the damage is the end of the files.
    """

    def __init__(self, directory: Path) -> None:
        self.directory: Final = directory
        self.damage = ""
        self.gaps = 0
        self._t = 0  # [ns] of the last record
        try:
            self.manifest: Final = manifest.read_foreign(directory)
            self.segments: Final = segment_numbers(directory)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else f"{manifest.MANIFEST}: {error}"
            raise ConfigurationError(f"{directory} is no recording: {reason}") from error
        if not self.segments:
            raise ConfigurationError(f"{directory} is no recording: there is no record.000000")

    @property
    def bench(self) -> Path:
        """The bench file, with its vehicle and databases beside it."""
        return self.directory / manifest.BENCH / manifest.BENCH_FILE

    @property
    def lacks_beginning(self) -> str:
        """Reason why it does not begin with the run; empty when it does. Only then can it be replayed."""
        if since := self.manifest.get("since", 0.0):
            return f"begins {since:g} s after the start of the run: only one from the start can be replayed"
        if self.segments[0] != 0:
            return "has lost its beginning: its bench asks for less to be kept, see 'recording'"
        return ""

    @property
    def size(self) -> int:
        """[byte] Size of all segments, as they are read; on the disk those that are packed take less."""
        return sum(segment_size(segment_path(self.directory, number)) for number in self.segments)

    @property
    def stored(self) -> int:
        """[byte] What they take of the disk."""
        return sum(size_on_disk(segment_path(self.directory, number)) for number in self.segments)

    def records(self, progress: Callable[[int], None] | None = None) -> Iterator[BoundaryRecord]:
        """Read all records in order; those of kind GAP are counted and returned.

        `progress` is called now and then with the number of the `size` bytes that were read.
        """
        return self._read(self.segments, progress)

    def between(
        self, since: int, until: int, progress: Callable[[int], None] | None = None
    ) -> Iterator[BoundaryRecord]:
        """Read the records from time `since` to `until` [ns], both included, as `records` does.

        A segment is opened only if a time between can be in it, by the times at which segments begin, and the first one
        is read from there on; a record may be a second older than one in front of it. `damage` and `gaps` are those
        behind the last record before `since`.
        """
        first = self._first_with(since - _DISORDER)
        skipped = sum(segment_size(segment_path(self.directory, number)) for number in self.segments[:first])
        shown = None if progress is None else lambda read: progress(skipped + read)
        begun, later = False, 0
        begin = offset_of(segment_path(self.directory, self.segments[first]), since - _DISORDER)
        for record in self._read(self.segments[first:], shown, begin):
            later = later + 1 if record.t > until + _DISORDER else 0
            if later == _LATER:
                return
            if since <= record.t <= until:
                begun = True
                yield record
            elif not begun and record.t < since and record.kind != GAP:
                self.damage, self.gaps = "", 0

    def _first_with(self, since: int) -> int:
        """Return the place of the segment in which the first time from `since` on can be.

        It is the last one that begins before, of those in front of the first that does not. One whose beginning cannot
        be read, or is before that of another in front of it, tells nothing.
        """
        first, latest = 0, -1
        for index, number in enumerate(self.segments):
            begin = self._begin(number)
            if begin is None or begin < latest:
                continue
            if begin >= since:
                break
            first, latest = index, begin
        return first

    def _begin(self, number: int) -> int | None:
        """Return the time of the first record of a segment [ns]; None: it cannot be read."""
        with open_segment(segment_path(self.directory, number)) as file:
            content = file.read(HEADER.size + _FIRST)
        found, _ = whole_records(content[HEADER.size :], HEADER.size)
        if frames_before(content, number) is None or not found:
            return None
        t = found[0][2]
        return t if 0 <= t <= LATEST else None

    def _read(
        self, segments: Sequence[int], progress: Callable[[int], None] | None, begin: int = HEADER.size
    ) -> Iterator[BoundaryRecord]:
        """Read the records of segments that follow each other, of the first one from the offset `begin` on."""
        read = 0
        self.damage, self.gaps, self._t = "", 0, 0
        for index, number in enumerate(segments):
            if index and number != segments[index - 1] + 1:
                self.gaps += 1
                yield self._hole(f"segment {number - 1} is missing")
            end = 0
            for end, found in self._of_segment(number, HEADER.size if index else begin):
                for record in found:
                    self._t = record.t
                    self.gaps += record.kind == GAP
                    yield record
                if progress is not None:
                    progress(read + end)
            read += end

    def _of_segment(self, number: int, first: int) -> Iterator[tuple[int, Iterable[BoundaryRecord]]]:
        """Read the records of a segment from offset `first` on, in stretches, each with the offset of its end."""
        path = segment_path(self.directory, number)
        with open_segment(path) as file:
            head, is_last = file.read(HEADER.size), number == self.segments[-1]
            if frames_before(head, number) is None:
                hole = self._hole(f"{path.name} does not begin as a segment")
                if len(head) == HEADER.size or not is_last:
                    yield len(head), [hole]
            file.seek(first)
            for begin, end, found in stretches(file, first):
                if end is None:
                    hole = self._hole(f"{path.name} is unreadable from byte {begin} on")
                    if not is_last:
                        yield begin, [hole]
                elif found is None:
                    yield end, [self._hole(f"{path.name} is unreadable from byte {begin} to {end}")]
                else:
                    yield end, self._believed(path.name, found)

    def _believed(self, name: str, found: Iterable[Read]) -> Iterator[BoundaryRecord]:
        """Return records that were read as they were written; a hole in the place of one that cannot be."""
        buses = len(self.manifest["buses"])
        least, most = FRAME_LAYOUT.size, FRAME_LAYOUT.size + CLASSIC_LENGTH
        for begin, _, t, kind, payload in found:
            # nearly all are frames of up to 8 bytes, of which this is all that `defect` looks at
            if kind == FRAME and 0 <= t <= LATEST and least <= len(payload) <= most and payload[_BUS] < buses:
                yield BoundaryRecord(t, kind, payload)
            elif reason := self._defect(t, kind, payload):
                yield self._hole(f"the record of {name} at byte {begin} is damaged: {reason}")
            else:
                yield BoundaryRecord(t, kind, payload)

    def _hole(self, reason: str) -> BoundaryRecord:
        """Return the record in place of those that cannot be read."""
        self.damage = self.damage or reason
        return BoundaryRecord(self._t, GAP, GAP_LAYOUT.pack(0))

    def _defect(self, t: int, kind: int, payload: bytes) -> str:
        """Return why the next record cannot be one, though it was read as it was written; empty: it can."""
        if not 0 <= t <= LATEST:
            return f"its time is {t / SECOND:g} s"
        return "" if kind == GAP else defect(kind, payload, len(self.manifest["buses"]))
