"""Forty cars of the public list of the US Environmental Protection Agency, driven on its cycles, beside its figures.

`python -m tests.cycles.epa_cars` writes the tables into docs/model.md; with names of lists (`fitted`, `unseen`) it
prints theirs.

The city figure is that of the FTP-75 (40 CFR 1066.801): a UDDS with a cold engine, its first `BAG` once more with a
warm one, and of these beginnings the cold one weighs `COLD`. The HWFET begins warm.
"""

import statistics
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, Protocol

import yaml

from hilbridge.bench.drive.cycles import find_cycle
from hilbridge.bench.drive.simulation import drive
from hilbridge.bench.drive.trace import Trace
from hilbridge.desk.fit.output import write_engine
from hilbridge.desk.fit.result import fit
from hilbridge.desk.fit.targets import load_targets
from hilbridge.files.configuration.vehiclefile import VehicleFile, load_vehicle

from .epa_draw import Car, load
from .epa_rules import SILENT, Sheet, engine, vehicle

PAGE: Final = Path(__file__).parents[2] / "docs" / "model.md"

BEGIN: Final = "<!-- written by tests/cycles/epa_cars.py -->\n"
END: Final = "<!-- end -->\n"

COLD: Final = 0.43
"""Share of the cold beginning."""

BAG: Final = 505.0
"""[s] of the beginning, which goes into a bag of its own."""

LISTS: Final = ("fitted", "unseen")

DRIVEN_BEFORE: Final = {"Jeep Gladiator 4X4": "driven before with another rule (docs/guides/cars/gladiator.yaml)"}
"""Cars of the second list that are shown, and not counted as unseen, with the reason."""


class Row(NamedTuple):
    """A car with what it burnt [l/100 km]."""

    car: Car
    ftp: float
    hwfet: float

    def deviations(self) -> tuple[float, float]:
        """By how many per cent more it burns than the list has, in the city and on the highway."""
        return 100.0 * (self.ftp / self.car.ftp - 1.0), 100.0 * (self.hwfet / self.car.hwfet - 1.0)

    def __str__(self) -> str:
        car, (city, highway) = self.car, self.deviations()
        kind = f"{car.fuel}{', charged' if car.charged and car.fuel == 'petrol' else ''}, {car.gearbox}"
        cells = (
            f"{self.ftp:.1f} of {car.ftp:.1f}: {signed(city)} % | "
            f"{self.hwfet:.1f} of {car.hwfet:.1f}: {signed(highway)} %"
        )
        return f"| {car.name} | {car.displacement:.1f} l {kind} | {cells} |"


def signed(percent: float) -> str:
    """Return whole per cent with their sign, nothing without one."""
    return f"{round(percent):+d}" if round(percent) else "0"


def build(
    car: Car, folder: Path, rest: Callable[[Car, Sheet], dict[str, Any]] = vehicle, sheet: Sheet = SILENT
) -> VehicleFile:
    """Return the car: the engine that fits the list and its sheet, and the `rest` by rule."""
    targets, made, whole = (folder / f"{name}.yaml" for name in ("targets", "engine", "vehicle"))
    targets.write_text(yaml.safe_dump(engine(car, sheet)), encoding="utf-8")
    write_engine(fit(load_targets(str(targets))), made)
    whole.write_text(made.read_text(encoding="utf-8") + yaml.safe_dump(rest(car, sheet)), encoding="utf-8")
    return load_vehicle(str(whole))


def burnt(file: VehicleFile, trace: Trace) -> Callable[[float, float], float]:
    """Drive a new car along a trace; return a function that gives what it burnt between two times [l/100 km]."""
    driven = drive(file.build(), trace, ledger=False)
    series = driven.series

    def between(start: float, end: float) -> float:
        first, last = (min(bisect_left(series.time, each), len(series.time) - 1) for each in (start, end))
        litres = (series.fuel[last] - series.fuel[first]) / file.settings.engine.fuel_density / 1e3
        return 1e5 * litres / (series.distance[last] - series.distance[first])

    return between


def run(car: Car) -> Row:
    """Return a car with what it burnt."""
    city, highway = find_cycle("udds"), find_cycle("hwfet")
    with TemporaryDirectory() as folder:
        file = build(car, Path(folder))
    cold, warm = burnt(file, city), burnt(file, _until(city, BAG))
    way = [city.distance - _until(city, BAG).distance, _until(city, BAG).distance]
    second = cold(BAG, city.duration)
    bags = [COLD * cold(0.0, BAG) + (1.0 - COLD) * warm(0.0, BAG), second]
    ftp = (bags[0] * way[1] + bags[1] * way[0]) / city.distance
    return Row(car, ftp, burnt(file, highway)(0.0, highway.duration))


def _until(trace: Trace, end: float) -> Trace:
    """Return the beginning of a trace, with a warm engine."""
    rows = bisect_right(trace.times, end)
    return Trace(trace.name, trace.times[:rows], trace.speeds[:rows], warm=True)


def measure(cars: list[Car]) -> list[Row]:
    """Return the cars with what they burnt, on all processors."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        return list(pool.map(run, cars))


class Compared(Protocol):
    """A car beside a list."""

    def deviations(self) -> tuple[float, float]: ...


def summary(rows: Sequence[Compared]) -> str:
    """Return how near they are, and how they spread."""
    text = []
    for name, number in (("city", 0), ("highway", 1)):
        each = [row.deviations()[number] for row in rows]
        near, far = (sum(abs(one) <= limit for one in each) for limit in (10.0, 20.0))
        text.append(
            f"{name}: {near} of {len(each)} within 10 %, {far} within 20 %, mean {statistics.fmean(each):+.1f} %, "
            f"standard deviation {statistics.stdev(each):.1f} %, farthest {signed(max(each, key=abs))} %"
        )
    return "; ".join(text) + "."


def table(name: str, rows: list[Row]) -> str:
    """Return a list as a table, with its summary."""
    head = f"\n| {name} | engine and gearbox | FTP-75, l/100 km | HWFET, l/100 km |\n|---|---|---|---|\n"
    counted = [row for row in rows if name == "fitted" or row.car.name not in DRIVEN_BEFORE]
    others = [f"{row.car.name}, {DRIVEN_BEFORE[row.car.name]}" for row in rows if row not in counted]
    end = f" Not counted: {'; '.join(others)}." if others else ""
    return head + "".join(f"{row}\n" for row in rows) + f"\n{summary(counted)}{end}\n"


def main(names: list[str]) -> None:
    """Print the tables of lists, or write those of both."""
    lists = dict(zip(LISTS, load(), strict=False))
    tables = [table(name, measure(lists[name])) for name in names or LISTS]
    if names:
        print("".join(tables))
        return
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    PAGE.write_text(before + BEGIN + "".join(tables) + "\n" + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
