"""The way from the event ring into a recording.

The ring is released only behind records that are in the file (or counted as missing), so an observer that takes over
after a crash finds the rest there: the recording is the same as without the crash.
"""

from pathlib import Path
from typing import Final

from hilbridge.base.common.words import counted
from hilbridge.boundary.observe.event_ring import GAP, RingEvent
from hilbridge.boundary.observe.rings import Bookmarks
from hilbridge.boundary.observe.room import Room
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary_records import END, RECORDED
from hilbridge.boundary.record.packer import Packer
from hilbridge.boundary.record.segments import SegmentLimits, SegmentWriter

MOST_IN_BLF: Final = 2_000_000
"""Most frames for which frames.blf is made at the end: some ten seconds of work."""


class Recorder:
    """A writer of boundary records into the directory that `manifest.create` prepared.

    OSError when it cannot be written to at all.
    """

    def __init__(self, directory: Path, bookmarks: Bookmarks, limits: SegmentLimits) -> None:
        self.directory = directory
        self._bookmarks = bookmarks
        self.room: Final = Room(directory)
        self._segments = SegmentWriter(
            directory, bookmarks.unwritten, bookmarks.unrecorded, limits, self.room.refusal, Packer()
        )

    @property
    def trouble(self) -> str:
        """Reason why the latest records could not be written; empty when they were."""
        return self._segments.trouble

    @property
    def frames(self) -> int:
        """Number of frames in the recording."""
        return self._segments.frames

    @property
    def removed(self) -> int:
        """Number of the oldest segments that were removed for the bounds."""
        return self._segments.removed

    @property
    def unremoved(self) -> str:
        """Reason why the oldest segment could not be removed, so that the recording is beyond its bounds."""
        return self._segments.unremoved

    @property
    def size(self) -> int:
        """[byte] Size of the segments that are kept."""
        return self._segments.kept

    def take(self, event: RingEvent) -> None:
        """Take an event if it belongs into the recording."""
        if event.kind in RECORDED or event.kind == GAP:
            self._segments.add(event.position, event.t, event.kind, event.payload)

    def end(self, event: RingEvent) -> None:
        """Take the event that stopped the recording in mid-run, as the END of the recording."""
        self._segments.add(event.position, event.t, END, event.payload)

    def write(self) -> None:
        """Write what was taken to the file. Afterwards the ring may be released."""
        self._segments.write()

    def close(self, t: int, missing: list[str]) -> list[str]:
        """Write the rest of a recording of `t` [ns], and its manifest.

        `missing` and the result: what the recording lacks, as text.
        """
        try:
            self._segments.close()
        except OSError as error:
            missing = [*missing, f"the end may not be on the disk: {error.strerror}"]
        if unrecorded := self._bookmarks.unrecorded[0]:
            missing = [*missing, f"not written: {counted(unrecorded, 'record')}"]
        facts = {"complete": not missing, "duration": t / 1e9, "frames": self.frames, "missing": missing}
        manifest.update(self.directory, facts)
        return missing
