"""From the event ring into a recording.

A frame may be overwritten in the ring only when it is in the file (or counted as dropped). So the ring is released up
to the first frame that is still pending, and an observer that takes over after a crash finds the rest there: the
file does not show how often that happened.
"""

from pathlib import Path

from hilbridge.observe.event_ring import Event
from hilbridge.observe.events import FRAME, FrameRecord
from hilbridge.record import manifest
from hilbridge.record.blf import FrameFile


class Recorder:
    """Writes the FRAME events of a run into the directory that `manifest.create` prepared.

    `dropped` is a 64-bit cell that outlives this process. `held_back` [byte] is how much of the ring pending frames
    may keep from being released; a block that would need more is cut short. OSError when the file cannot be opened.
    """

    def __init__(self, directory: Path, dropped: memoryview, held_back: int) -> None:
        self.directory = directory
        self._most_held_back = held_back
        self._file = FrameFile(directory / manifest.FRAMES, dropped)
        self._oldest_pending = 0

    @property
    def trouble(self) -> str:
        """Why the latest frames could not be written; empty when they were."""
        return self._file.trouble

    @property
    def dropped(self) -> int:
        """Frames of the run that the file lacks."""
        return self._file.dropped

    @property
    def frames(self) -> int:
        """Frames in the file."""
        return self._file.frames

    def take(self, event: Event) -> None:
        """Records a frame; any other event tells how far the run has come."""
        if event.kind != FRAME:
            self._file.advance(event.t)
            return
        ordinal, bus, received, frame = FrameRecord.decode(event.payload)
        self._file.add(event.t, ordinal, bus, frame, received=received)
        if self._file.pending == 1:
            self._oldest_pending = event.position

    def releasable(self, position: int) -> int:
        """How far the ring may be released when everything before `position` was taken."""
        if self._file.pending and position - self._oldest_pending > self._most_held_back:
            self._file.write_block()
        return self._oldest_pending if self._file.pending else position

    def close(self, t: int, missing: list[str]) -> list[str]:
        """Writes the rest; the run came to `t` [ns]. `missing` and the result: what the recording lacks, in words."""
        self._file.write_block()
        if self._file.dropped:
            missing = [*missing, f"{self._file.dropped} frames were not written to the file"]
        facts = {"complete": not missing, "duration": t / 1e9, "frames": self._file.frames, "missing": missing}
        manifest.update(self.directory, facts)
        return missing
