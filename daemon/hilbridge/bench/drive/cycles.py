"""The cycles that have a name: the NEDC from its table of operations, others from the tables of installed packages."""

import csv
from collections.abc import Iterable
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, nearest, quoted
from hilbridge.base.common.lasting_files import is_file
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.bench.drive.trace import KMH, Trace, load_trace


class Operation(NamedTuple):
    """One operation of a cycle: how long, to which speed in an even way, in which gear."""

    seconds: int
    speed: int  # [km/h] at its end
    gear: int = 0  # 0 = neutral ("PM": gearbox in neutral, clutch engaged)
    declutched: bool = False  # "K1": first gear, clutch disengaged


URBAN: Final = (
    Operation(6, 0),
    Operation(5, 0, 1, declutched=True),
    Operation(4, 15, 1),
    Operation(8, 15, 1),
    Operation(2, 10, 1),
    Operation(3, 0, 1, declutched=True),
    Operation(16, 0),
    Operation(5, 0, 1, declutched=True),
    Operation(5, 15, 1),
    Operation(2, 15, 2),  # gear change
    Operation(5, 32, 2),
    Operation(24, 32, 2),
    Operation(8, 10, 2),
    Operation(3, 0, 2, declutched=True),
    Operation(16, 0),
    Operation(5, 0, 1, declutched=True),
    Operation(5, 15, 1),
    Operation(2, 15, 2),  # gear change
    Operation(9, 35, 2),
    Operation(2, 35, 3),  # gear change
    Operation(8, 50, 3),
    Operation(12, 50, 3),
    Operation(8, 35, 3),
    Operation(13, 35, 3),
    Operation(2, 32, 2),  # gear change
    Operation(7, 10, 2),
    Operation(3, 0, 2, declutched=True),
    Operation(7, 0),
)
"""Elementary urban cycle, 195 s: UN Regulation No. 83, Annex 4a, Table A4a/1. The driver changes gears in the 2 s of
the operation that has the new gear first.

Speeds, times and gears agree with those of CO2MPAS, the European Commission's simulation, but for the last change of
gear: it holds 35 km/h there. With 32 km/h the cycle is nearer to the regulation's 1.013 km: 1.015 against 1.018.
"""

EXTRA_URBAN: Final = (
    Operation(20, 0, 1, declutched=True),
    Operation(5, 15, 1),
    Operation(2, 15, 2),  # gear change
    Operation(9, 35, 2),
    Operation(2, 35, 3),  # gear change
    Operation(8, 50, 3),
    Operation(2, 50, 4),  # gear change
    Operation(13, 70, 4),
    Operation(50, 70, 5),
    Operation(4, 60, 5),
    Operation(4, 50, 4),
    Operation(69, 50, 4),
    Operation(13, 70, 4),
    Operation(50, 70, 5),
    Operation(35, 100, 5),
    Operation(30, 100, 5),
    Operation(20, 120, 5),
    Operation(10, 120, 5),
    Operation(16, 80, 5),
    Operation(8, 50, 5),
    Operation(10, 0, 5, declutched=True),
    Operation(20, 0),
)
"""Extra-urban cycle, 400 s: the same, Table A4a/2; 6.955 km, as the regulation and CO2MPAS have it."""

NEDC: Final = (*URBAN, *URBAN, *URBAN, *URBAN, *EXTRA_URBAN)

_PACKAGE: Final = "fastsim"
_TABLES: Final = {"wltc": "wltc_3b.csv", "udds": "udds.csv", "hwfet": "hwfet.csv"}
"""Cycles that the package has, in resources/cycles: WLTC for vehicles of class 3b (UN GTR No. 15), and two of 40 CFR
Part 86 and 600. A column of seconds, a column of m/s."""

_REGULATIONS: Final = {
    "wltc": "UN GTR No. 15, Annex 1 (class 3b)",
    "udds": "40 CFR Part 86, Appendix I (a)",
    "hwfet": "40 CFR Part 600, Appendix I",
}
"""Where the tables are published."""

_WARM: Final = ("hwfet",)
"""Cycles that begin with a warm engine: another HWFET comes before (40 CFR 600.111)."""

WRITTEN_HERE: Final = ("nedc",)
"""Cycles for which nothing needs to be read."""

NAMES: Final = (*WRITTEN_HERE, *_TABLES)


def find_cycle(name: str) -> Trace:
    """Return the cycle of that name, or else the trace in the file of that name."""
    key = name.lower()
    if key == "nedc":
        return from_operations(key, NEDC)
    if key in _TABLES:
        return _from_package(key)
    path = Path(name)
    if is_file(path):
        return load_trace(path)
    meant = nearest(key, NAMES)
    hint = f" (did you mean '{meant}'?)" if meant else ""
    raise ConfigurationError(f"no cycle and no file {quoted(name, 300)}{hint}; known cycles: {', '.join(NAMES)}")


def from_operations(name: str, operations: Iterable[Operation]) -> Trace:
    """Return a trace that begins at rest, with the gear and clutch column of the operations."""
    steps = list(operations)
    return Trace(
        name,
        tuple(float(time) for time in accumulate((step.seconds for step in steps), initial=0)),
        (0.0, *(step.speed * KMH for step in steps)),
        (*(step.gear for step in steps), steps[-1].gear),
        (*(step.declutched for step in steps), steps[-1].declutched),
    )


def installed_cycles() -> tuple[str, ...]:
    """Return the names of the cycles that can be driven here."""
    return (*WRITTEN_HERE, *(name for name in _TABLES if any(file.is_file() for file in _files(name))))


def _files(name: str) -> list[Path]:
    """Return where the table of a cycle would lie, found without importing what else is in the package."""
    package = find_spec(_PACKAGE)
    places = [] if package is None else package.submodule_search_locations or []
    return [Path(place, "resources", "cycles", _TABLES[name]) for place in places]


def _from_package(name: str) -> Trace:
    """Read the table of a cycle."""
    places = _files(name)
    for file in places:
        if file.is_file():
            with file.open(encoding="utf-8-sig", newline="") as table:
                rows = [(float(row["cycSecs"]), float(row["cycMps"])) for row in csv.DictReader(table)]
            times, speeds = zip(*rows, strict=True)
            return Trace(name, times, speeds, warm=name in _WARM)
    lacks = f"the {_PACKAGE} that is installed does not have it" if places else f"{_PACKAGE} is not installed"
    raise ConfigurationError(
        f"the table of the cycle '{name}' comes with the package {_PACKAGE} 2, but {lacks}: {extra_remedy('cycles')}; "
        f"or copy it from {_REGULATIONS[name]} into a file of your own, {name}.csv, with 'time s,speed km/h' in its "
        f"first line, and drive that: --cycle {name}.csv"
    )
