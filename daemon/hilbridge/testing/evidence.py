"""The evidence of a test: its log, and the files that explain its failure."""

import json
from array import array
from collections.abc import Iterable, Mapping
from heapq import merge
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.units import SECOND
from hilbridge.base.plots.courses import SampledQuantity
from hilbridge.bench.scenario.sampler import ALWAYS
from hilbridge.boundary.record.boundary_records import COMMAND, FRAME, FrameRecord
from hilbridge.boundary.record.command_history import command_spans
from hilbridge.boundary.record.recording import BoundaryRecord
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.codec.sources import EntryId
from hilbridge.testing.history import History
from vehiclesim.entries import Entries


class Evidence:
    """The commands that a test has given, and the entries that it has named."""

    def __init__(self, entries: Entries) -> None:
        """`entries`: of the bench."""
        self._entries: Final = entries
        self._commands: Final[list[BoundaryRecord]] = []
        self._named: Final = {place: None for path in ALWAYS if (place := entries.find(path)) is not None}

    def name(self, entries: Iterable[EntryId]) -> None:
        """Remember entries that the test is about."""
        self._named.update(dict.fromkeys(entries))

    def note(self, t: int, command: str, keys: Mapping[str, Any]) -> None:
        """Remember a command that was given at `t` [ns]."""
        given = {key: value for key, value in keys.items() if value is not None}
        self._commands.append(BoundaryRecord(t, COMMAND, json.dumps({"command": command, **given}).encode()))
        if (place := self._entries.find(str(given.get("entry")))) is not None:
            self.name([place])

    def write_frames(self, heard: Mapping[str, Iterable[tuple[int, Frame]]], path: Path, since: int) -> int:
        """Write the frames heard on each bus from `since` [ns] on to a new file; return how many."""

        def records(bus: int, frames: Iterable[tuple[int, Frame]]) -> list[BoundaryRecord]:
            return [
                BoundaryRecord(t, FRAME, FrameRecord(bus, True, frame).encode()) for t, frame in frames if t >= since
            ]

        from hilbridge.boundary.record.export import export  # takes python-can

        buses = [records(number, frames) for number, frames in enumerate(heard.values())]
        return export(merge(*buses, key=lambda record: record.t), list(heard), path).frames

    def write_log(self, path: Path) -> Path:
        """Write what the test has done, a line each; return the file."""
        lines = (f"{record.t / SECOND:10.3f}  {record.payload.decode()}\n" for record in self._commands)
        path.write_text("".join(lines), encoding="utf-8")
        return path

    def draw(self, history: History, path: Path, since: int) -> Path | None:
        """Draw the values from `since` [ns] on, below the commands; return the file.

        None: matplotlib is not installed, or no time has passed.
        """
        courses = {place: history.course(*place, since) for place in self._named}
        times = next(iter(courses.values())).times
        if find_spec("matplotlib") is None or not times:
            return None
        from hilbridge.base.plots.recording import draw_recording
        from hilbridge.base.plots.style import save

        entries = {place: self._entries.at(place) for place in courses}
        quantities = [
            SampledQuantity(entries[place].path, entries[place].unit, array("d", course.values))
            for place, course in courses.items()
        ]
        codes = {entry.path: dict(entry.codes) for entry in entries.values() if entry.codes}
        save(draw_recording(path.parent.name, times, quantities, command_spans(self._commands), codes), path)
        return path
