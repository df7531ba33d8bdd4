"""The recording of a run of a campaign or of a branch: what `hilbridge run --record` makes, without an observer.

It lies under another name until it is whole, so that one that was cut off is never taken for a recording.
"""

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench import status
from hilbridge.bench.bench import Bench
from hilbridge.boundary.observe.events import encode_statistics
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary_records import END
from hilbridge.boundary.record.segments import SegmentWriter
from hilbridge.boundary.record.state import StateData
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.runs.run.preparation import begin_recording, recording_facts

_AT_ONCE: Final = 4096
"""Records that wait for the disk."""


def unfinished(directory: Path) -> Path:
    """Return where a recording lies until it is whole."""
    return directory.with_name(f"{directory.name}.unfinished")


class RunRecording:
    """A recording under way; it listens at the boundary of the bench from its first tick on."""

    def __init__(
        self, directory: Path, file: BenchFile, bench: Bench, *, stored: bool = False, kept: StateData | None = None
    ) -> None:
        """`stored`: control units wait for writings; `kept`: the state that the run begins with.

        ConfigurationError: the directory cannot be written to.
        """
        self._directory: Final = directory
        self._unfinished: Final = unfinished(directory)
        shutil.rmtree(self._unfinished, ignore_errors=True)
        facts = recording_facts(file, bench, "virtual") | {"stored": stored}
        begin_recording(self._unfinished, facts, file, kept or {})
        self._missing: Final = memoryview(bytearray(16)).cast("q")
        self._segments: Final = SegmentWriter(self._unfinished, self._missing[:1], self._missing[1:])
        self._bench: Final = bench
        self._records = 0
        bench.boundary.listen(self._put)

    def end(self, t: int, ticks: int, missed: int = 0) -> None:
        """End the recording with the run, whose last tick was that of time `t` [ns].

        ConfigurationError: the disk did not take all of it; nothing is left of it then.
        """
        self._put(END, t, encode_statistics({"ticks": ticks, "missed_ticks": missed, **status.statistics(self._bench)}))
        try:
            self._segments.close()
            if self._missing[1]:
                raise OSError(self._segments.cause_of_loss)
            facts = {"complete": True, "duration": t / 1e9, "frames": self._segments.frames, "missing": []}
            manifest.update(self._unfinished, facts)
            self._unfinished.replace(self._directory)
        except OSError as error:
            shutil.rmtree(self._unfinished, ignore_errors=True)
            reason = f"cannot record {self._directory.name}: {error.strerror or error}"
            raise ConfigurationError(reason) from None

    def abandon(self) -> None:
        """Remove what was recorded."""
        with suppress(OSError):
            self._segments.close()
        shutil.rmtree(self._unfinished, ignore_errors=True)

    def _put(self, kind: int, t: int, payload: bytes) -> bool:
        self._records += 1
        self._segments.add(self._records, t, kind, payload)
        if self._records % _AT_ONCE == 0:
            self._segments.write()
        return True
