"""The speed trace: which speed at which time, and which gear and clutch where the trace prescribes them.

A file is CSV with a header line; a column is a quantity and its unit:

    time s, speed km/h, gear, clutch
    0, 0, 0, 0
    11, 0, 1, 1
    15, 15, 1, 0

`time` counts in seconds, `speed` is in km/h, m/s or mph. `gear` (0 = neutral) and `clutch` (1 = pedal down) may be
left out; then the driver chooses.
"""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from hilbridge.files.configuration.csvfile import Column, CsvFile

KMH: Final = 1.0 / 3.6
"""[m/s]"""

MPH: Final = 0.44704
"""[m/s], by the international mile of 1609.344 m."""

_COLUMNS: Final = {
    "time": Column({"": 1.0, "s": 1.0}, 1e6, lowest=-1e6),
    "speed": Column({"km/h": KMH, "kmh": KMH, "kph": KMH, "m/s": 1.0, "mps": 1.0, "mph": MPH, "mi/h": MPH}, 200.0),
    "gear": Column({"": 1.0}, 30.0, whole=True),
    "clutch": Column({"": 1.0}, 1.0, whole=True),
}
"""The columns in SI units. Twelve days and 720 km/h are beyond any drive."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Speeds at times, straight lines in between; gear and clutch hold from their time to the next."""

    name: str
    times: tuple[float, ...]  # [s], ascending from 0
    speeds: tuple[float, ...]  # [m/s]
    gears: tuple[int, ...] | None = None  # 0 = neutral
    clutches: tuple[bool, ...] | None = None  # True: the pedal is down
    warm: bool = False  # it begins with a warm engine; else with one as cold as the air

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
        """Return the speed [m/s]; before the start and after the end, that of the start and of the end."""
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
        """Return the prescribed gear; None: the driver's choice."""
        return None if self.gears is None else self.gears[self._row(t)]

    def clutch_down(self, t: float) -> bool:
        """Return whether the clutch pedal is prescribed to be down."""
        return self.clutches is not None and self.clutches[self._row(t)]

    def _row(self, t: float) -> int:
        return max(0, bisect_right(self.times, t) - 1)


def load_trace(path: Path) -> Trace:
    """Read a trace file.

    InvalidFileError with everything that is wrong with it, ConfigurationError when it cannot be read at all.
    """
    file = CsvFile(path, "trace", _COLUMNS, needed=("time", "speed"))
    file.check_ascending("time", "s")
    file.verdict()
    times, gears, clutches = file.values["time"], file.values.get("gear"), file.values.get("clutch")
    return Trace(
        path.stem,
        tuple(time - times[0] for time in times),
        tuple(file.values["speed"]),
        None if gears is None else tuple(int(gear) for gear in gears),
        None if clutches is None else tuple(clutch > 0.0 for clutch in clutches),
    )
