"""From the event ring into a recording.

The ring is released only behind what is in the file (or counted as missing), so an observer that takes over after a
crash finds the rest there: the recording does not show how often that happened.
"""

from pathlib import Path
from typing import Final

from hilbridge.observe.event_ring import GAP, RingEvent
from hilbridge.observe.rings import Bookmarks
from hilbridge.record import manifest
from hilbridge.record.boundary_records import END, RECORDED
from hilbridge.record.segments import SegmentLimits, SegmentWriter

MOST_IN_BLF: Final = 2_000_000
"""Frames of which frames.blf is made at the end: some ten seconds of work."""


class Recorder:
    """Writes what crossed the boundary into the directory that `manifest.create` prepared.

    OSError when it cannot be written to at all.
    """

    def __init__(self, directory: Path, bookmarks: Bookmarks, limits: SegmentLimits) -> None:
        self.directory = directory
        self._bookmarks = bookmarks
        self._segments = SegmentWriter(directory, bookmarks.unwritten, bookmarks.unrecorded, limits)

    @property
    def trouble(self) -> str:
        """Why the latest records could not be written; empty when they were."""
        return self._segments.trouble

    @property
    def frames(self) -> int:
        """Frames in the recording."""
        return self._segments.frames

    @property
    def size(self) -> int:
        """[byte] of the segments that are kept."""
        return self._segments.kept

    def take(self, event: RingEvent) -> None:
        """Takes what belongs into the recording."""
        if event.kind in RECORDED or event.kind == GAP:
            self._segments.add(event.position, event.t, event.kind, event.payload)

    def end(self, event: RingEvent) -> None:
        """Takes the event that stopped it in mid-run: the recording ends as if the run did."""
        self._segments.add(event.position, event.t, END, event.payload)

    def write(self) -> None:
        """Hands what was taken to the system. Afterwards the ring may be released."""
        self._segments.write()

    def close(self, t: int, missing: list[str]) -> list[str]:
        """Writes the rest; it lasted `t` [ns]. `missing` and the result: what the recording lacks, in words."""
        try:
            self._segments.close()
        except OSError as error:
            missing = [*missing, f"the end may not be on the disk: {error.strerror}"]
        if unrecorded := self._bookmarks.unrecorded[0]:
            missing = [*missing, f"{unrecorded} records were not written"]
        facts = {"complete": not missing, "duration": t / 1e9, "frames": self.frames, "missing": missing}
        manifest.update(self.directory, facts)
        return missing
