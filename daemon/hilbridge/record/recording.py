"""A recording as it is read: its manifest, its bench, and the records of the boundary in order.

It is read up to the first damage: a half-written record of a killed process, or a byte that was changed since.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.common.errors import ConfigurationError
from hilbridge.common.units import SECOND
from hilbridge.record import manifest
from hilbridge.record.boundary_records import defect
from hilbridge.record.segments import BODY, GAP, HEADER, LARGEST, bodies, frames_before, segment_numbers, segment_path

_CHUNK: Final = 4 << 20

_LATEST: Final = 100 * 365 * 86400 * SECOND
"""[ns] A later time is damage: formats of other tools hold no year beyond 2100."""


class BoundaryRecord(NamedTuple):
    """One record: its time [ns], its kind and its content."""

    t: int
    kind: int
    payload: bytes


class Recording:
    """A directory that `hilbridge run --record` has made. ConfigurationError: it is no recording.

    After `records` was read to its end, `damage` is the reason why it ended before the end of the files, or empty;
    `gaps` counts the places where records are missing.
    """

    def __init__(self, directory: Path) -> None:
        self.directory: Final = directory
        self.damage = ""
        self.gaps = 0
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
        """[byte] Size of all segments."""
        return sum(segment_path(self.directory, number).stat().st_size for number in self.segments)

    def records(self, progress: Callable[[int], None] | None = None) -> Iterator[BoundaryRecord]:
        """Read all records in order; those of kind GAP are counted and returned.

        `progress` is called before each record with the number of the `size` bytes that were read.
        """
        read = 0
        self.damage, self.gaps = "", 0
        for index, number in enumerate(self.segments):
            if index and number != self.segments[index - 1] + 1:
                self.damage = f"segment {number - 1} is missing"
                return
            end = 0
            for end, record in self._of_segment(number):
                if progress is not None:
                    progress(read + end)
                yield record
            read += end
            if self.damage:
                return

    def _of_segment(self, number: int) -> Iterator[tuple[int, BoundaryRecord]]:
        """Read the records of a segment, each with the offset of its end in the file."""
        path = segment_path(self.directory, number)
        with path.open("rb") as file:
            if frames_before(file.read(HEADER.size), number) is None:
                self.damage = f"{path.name} does not begin as a segment"
                return
            offset, rest = HEADER.size, b""
            while len(rest) <= LARGEST and (chunk := file.read(_CHUNK)):
                content, begin = memoryview(rest + chunk), offset
                for end, body in bodies(content, begin):
                    _, t, kind = BODY.unpack_from(body)
                    payload = bytes(body[BODY.size :])
                    if reason := self._defect(t, kind, payload):
                        self.damage = f"the record of {path.name} at byte {offset} is damaged: {reason}"
                        return
                    offset = end
                    self.gaps += kind == GAP
                    yield end, BoundaryRecord(t, kind, payload)
                rest = bytes(content[offset - begin :])
        if rest:
            self.damage = f"{path.name} is unreadable from byte {offset} on"

    def _defect(self, t: int, kind: int, payload: bytes) -> str:
        """Return why the next record cannot be one, though it was read as it was written; empty: it can."""
        if not 0 <= t <= _LATEST:
            return f"its time is {t / SECOND:g} s"
        return "" if kind == GAP else defect(kind, payload, len(self.manifest["buses"]))
