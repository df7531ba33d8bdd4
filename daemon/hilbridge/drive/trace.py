"""The speed trace: which speed at which time, and which gear and clutch where the trace prescribes them.

A file is CSV with a header line; a column is a quantity and its unit:

    time s, speed km/h, gear, clutch
    0, 0, 0, 0
    11, 0, 1, 1
    15, 15, 1, 0

`time` counts in seconds, `speed` is in km/h, m/s or mph. `gear` (0 = neutral) and `clutch` (1 = pedal down) may be
left out; then the driver chooses.
"""

import csv
import math
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.errors import ConfigurationError, InvalidFileError, Problem, quoted

KMH: Final = 1.0 / 3.6
"""[m/s]"""

_MPH: Final = 0.44704
"""[m/s], by the international mile of 1609.344 m."""

_UNITS: Final = {
    "time": {"": 1.0, "s": 1.0},
    "speed": {"km/h": KMH, "kmh": KMH, "kph": KMH, "m/s": 1.0, "mps": 1.0, "mph": _MPH, "mi/h": _MPH},
    "gear": {"": 1.0},
    "clutch": {"": 1.0},
}
"""The columns, and for each the units that it may have."""

_HIGHEST: Final = {"time": 1e6, "speed": 200.0, "gear": 30.0, "clutch": 1.0}
"""What nobody drives: twelve days, 720 km/h."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Speeds at times, straight lines in between; gear and clutch hold from their time to the next."""

    name: str
    times: tuple[float, ...]  # [s], ascending from 0
    speeds: tuple[float, ...]  # [m/s]
    gears: tuple[int, ...] | None = None  # 0 = neutral
    clutches: tuple[bool, ...] | None = None  # True: the pedal is down

    @property
    def duration(self) -> float:
        """How long it takes [s]."""
        return self.times[-1]

    @property
    def distance(self) -> float:
        """[m], the area under the lines."""
        points = zip(self.times, self.speeds, strict=True)
        return sum(0.5 * (v1 + v2) * (t2 - t1) for (t1, v1), (t2, v2) in pairwise(points))

    def speed(self, t: float) -> float:
        """[m/s]; before the start and after the end, that of the start and of the end."""
        after = bisect_right(self.times, t)
        if after == 0 or after == len(self.times):
            return self.speeds[0 if after == 0 else -1]
        t1, t2 = self.times[after - 1], self.times[after]
        v1, v2 = self.speeds[after - 1], self.speeds[after]
        return v1 + (v2 - v1) * (t - t1) / (t2 - t1)

    def bounds(self, start: float, end: float) -> tuple[float, float]:
        """Lowest and highest speed [m/s] between two times [s]."""
        corners = self.speeds[bisect_right(self.times, start) : bisect_right(self.times, end)]
        speeds = (self.speed(start), *corners, self.speed(end))
        return min(speeds), max(speeds)

    def gear(self, t: float) -> int | None:
        """The prescribed gear; None: the driver's choice."""
        return None if self.gears is None else self.gears[self._row(t)]

    def clutch_down(self, t: float) -> bool:
        """The clutch pedal is prescribed to be down."""
        return self.clutches is not None and self.clutches[self._row(t)]

    def _row(self, t: float) -> int:
        return max(0, bisect_right(self.times, t) - 1)


def load_trace(path: Path) -> Trace:
    """Reads a trace file.

    InvalidFileError with everything that is wrong with it, ConfigurationError when it cannot be read at all.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, skipinitialspace=True)
            rows = [_Row(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except (OSError, UnicodeError, csv.Error) as error:
        raise ConfigurationError(f"the trace {path} cannot be read: {error}") from None
    reading = _Reading(str(path), rows)
    if reading.problems:
        raise InvalidFileError(reading.problems)
    times, gears, clutches = (reading.values.get(name) for name in ("time", "gear", "clutch"))
    assert times is not None  # noqa: S101 - without a column of times there is a problem
    return Trace(
        path.stem,
        tuple(time - times[0] for time in times),
        tuple(reading.values["speed"]),
        None if gears is None else tuple(int(gear) for gear in gears),
        None if clutches is None else tuple(clutch > 0.0 for clutch in clutches),
    )


class _Row(NamedTuple):
    """A line of the file that is not empty."""

    line: int
    cells: list[str]


class _Column(NamedTuple):
    """What the header says of a column."""

    name: str
    unit: float


class _Reading:
    """The values of each column in SI units, and all that is wrong."""

    def __init__(self, file: str, rows: list[_Row]) -> None:
        self.values: dict[str, list[float]] = {}
        self.problems: list[Problem] = []
        self._file: Final = file
        if not rows:
            self._refuse(1, "", "the file is empty; the first line names the columns")
            return
        columns = list(self._header(rows[0]))
        for name in ("time", "speed"):
            if not self.problems and name not in self.values:
                self._refuse(rows[0].line, "", f"there is no column '{name}'")
        if self.problems:
            return
        for row in rows[1:]:
            self._take(row, columns)
        if len(rows) < 3:
            self._refuse(rows[-1].line, "", "a trace has at least two lines below its header")
        if not self.problems:
            self._check_times(rows[1:])

    def _header(self, row: _Row) -> Iterator[_Column]:
        for cell in row.cells:
            name, _, unit = re.sub(r"[\s_()\[\]]+", " ", cell.strip().lower()).strip().partition(" ")
            if name not in _UNITS:
                self._refuse(row.line, "", f"unknown column {quoted(cell)}; known: {', '.join(_UNITS)}")
            elif name in self.values:
                self._refuse(row.line, name, "this column is there twice")
            elif unit not in _UNITS[name]:
                wanted = " or ".join(filter(None, _UNITS[name]))
                found = f"the unit {quoted(unit)}" if unit else "no unit"
                self._refuse(row.line, name, f"{found}, but {wanted or 'none'} is expected")
            else:
                self.values[name] = []
                yield _Column(name, _UNITS[name][unit])

    def _take(self, row: _Row, columns: list[_Column]) -> None:
        if len(row.cells) != len(columns):
            self._refuse(row.line, "", f"{len(row.cells)} values for {len(columns)} columns")
            return
        for cell, (name, unit) in zip(row.cells, columns, strict=True):
            try:
                value = float(cell) * unit
            except ValueError:
                self._refuse(row.line, name, f"{quoted(cell)} is not a number")
                continue
            if not (math.isfinite(value) and abs(value) <= _HIGHEST[name]) or (value < 0.0 and name != "time"):
                self._refuse(row.line, name, f"{cell.strip()} is out of range")
            elif name in {"gear", "clutch"} and value != int(value):
                self._refuse(row.line, name, f"{cell.strip()} is not a whole number")
            self.values[name].append(value)

    def _check_times(self, rows: list[_Row]) -> None:
        for (one, two), row in zip(pairwise(self.values["time"]), rows[1:], strict=True):
            if two <= one:
                self._refuse(row.line, "time", f"{two:g} s after {one:g} s; times ascend")

    def _refuse(self, line: int, column: str, reason: str) -> None:
        self.problems.append(Problem(self._file, line, (column,) if column else (), reason))
