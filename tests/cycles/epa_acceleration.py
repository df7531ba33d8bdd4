"""Cars of the public list from rest to 100 km/h or 60 mph, beside what makers and magazines publish.

`python -m tests.cycles.epa_acceleration` writes the table of the last list and the sums of all into docs/model.md; with
names of lists (`fitted`, `unseen`, `third`, `fourth`) it prints their tables. The cars are those of epa_cars.csv, with
their sheets and the rules of docs/guides/car.md for the road, which no cycle needs.
"""

import csv
import statistics
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from hilbridge.bench.drive.trace import KMH, MPH
from hilbridge.desk.perform.reading import after_roll_out, time_to_speed
from hilbridge.desk.perform.runs import accelerate, warm_up

from .epa_cars import PAGE, build
from .epa_draw import LISTS, Car, load
from .epa_rules import Sheet, on_the_road

PUBLISHED: Final = Path(__file__).with_name("epa_acceleration.csv")

BEGIN: Final = "<!-- written by tests/cycles/epa_acceleration.py -->\n"
END: Final = "<!-- end of accelerations -->\n"

SPEEDS: Final = {"to_100": (100.0 * KMH, "100 km/h"), "to_60_mph": (60.0 * MPH, "60 mph")}
"""[m/s], and what it is called."""

NEAR: Final = 7.0
"""[%] within which four of five are wanted."""


class Published(NamedTuple):
    """A published time [s] from rest to a speed, on a clock that begins after a way [m]; and what the sheet says."""

    name: str
    figure: str
    seconds: float
    roll_out: float
    source: str
    found: str  # page on which the time was found again; "": it is quoted from memory
    gearbox: str  # where the sheet calls it otherwise than EPA
    launch_rpm: float  # of launch control [1/min]; 0: there is none, or none was found
    pages: str  # with torque, mass and gears; "": they are quoted from memory
    sheet: Sheet

    def on_pages(self) -> bool:
        """Whether mass, torque and gears were found on pages, and are not quoted from memory or by rule."""
        return all(fact in self.pages for fact in ("mass", "torque", "gears"))


class Row(NamedTuple):
    """A car with its times from rest [s]."""

    car: Car
    measured: float
    published: Published

    def deviation(self) -> float:
        """By how many per cent more time it needs than is published."""
        return 100.0 * (self.measured / self.published.seconds - 1.0)

    def __str__(self) -> str:
        said = self.published
        mass = on_the_road(self.car, said.sheet)["body"]["mass"]
        specific = 1e3 * (said.sheet.power or self.car.power) / mass
        how = f"{SPEEDS[said.figure][1]}{', a foot of roll-out' if said.roll_out else ''}"
        found = "" if said.found else ", not found again"
        launch = "; launch control" if said.launch_rpm else ""
        return (
            f"| {self.car.name}{launch} | {specific:.0f} | {how}, {said.source}{found} | "
            f"{self.measured:.2f} of {said.seconds:g}: {self.deviation():+.0f} % |"
        )


def published() -> dict[str, Published]:
    """Return the published times, with what the sheet says, by the name of the car."""
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        lines = csv.DictReader(line for line in file if not line.startswith("#"))
        rows = [_published(row) for row in lines]
    return {row.name: row for row in rows}


def _published(row: dict[str, str]) -> Published:
    """Return a line of the table; where it is empty, the sheet is silent."""
    gears = tuple(float(ratio) for ratio in row["gears"].split())
    sheet = {name: _value(kind, row[name]) for name, kind in Sheet.__annotations__.items() if name != "gears"}
    rest = {name: _value(kind, row[name]) for name, kind in Published.__annotations__.items() if name != "sheet"}
    return Published(**rest, sheet=Sheet(**sheet, gears=gears))


def _value(kind: type, text: str) -> Any:
    return float(text or 0.0) if kind is float else text


def on_its_road(car: Car, sheet: Sheet) -> dict[str, Any]:
    """Return the vehicle file of a car with what its sheet says."""
    file = on_the_road(car, sheet)
    if (rpm := published()[car.name].launch_rpm) > 0.0:
        file["launch_control"] = {"enabled": True, "rpm": rpm}
    return file


def run(car: Car) -> Row:
    """Return a car with its time from rest."""
    said = published()[car.name]
    if said.gearbox:
        car = car._replace(gearbox=said.gearbox)
    with TemporaryDirectory() as folder:
        file = build(car, Path(folder), on_its_road, said.sheet)
    series, _ = accelerate(file.build, warm_up(file.build), ())
    time = after_roll_out(series, time_to_speed(series, SPEEDS[said.figure][0]), said.roll_out)
    if time is None:
        raise ValueError(f"{car.name} does not reach {SPEEDS[said.figure][1]}")
    return Row(car, time, said)


def measure(cars: list[Car]) -> list[Row]:
    """Return those of the cars of which a time is published, on all processors."""
    known = published()
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        return list(pool.map(run, [car for car in cars if car.name in known]))


def table(name: str, rows: list[Row], of: int) -> Iterator[str]:
    """Yield a list as a table, with its summary."""
    yield f"\n| {name} | power over mass, W/kg | from rest to | s |\n|---|---|---|---|\n"
    yield from (f"{row}\n" for row in rows)
    yield f"\n{summary(rows, of)}\n"


def summary(rows: list[Row], of: int) -> str:
    """Return how near a list is, and apart those whose mass, torque and gears were found on pages."""
    each = [row.deviation() for row in rows]
    near, missing = sum(abs(one) <= NEAR for one in each), of - len(each)
    known = [row.deviation() for row in rows if row.published.on_pages()]
    apart = f"{sum(abs(one) <= NEAR for one in known)} of the {len(known)} with mass, torque and gears from pages; "
    return (
        f"{near} of {len(each)} within {NEAR:.0f} %, {apart if known else ''}mean {statistics.fmean(each):+.1f} %, "
        f"standard deviation {statistics.stdev(each):.1f} %, farthest {max(each, key=abs):+.0f} %; "
        f"of {missing} no figure was found."
    )


def main(names: list[str]) -> None:
    """Print the tables of lists, or write the last one and the sums of all."""
    lists = dict(zip(LISTS, load(), strict=True))
    driven = {name: measure(lists[name]) for name in names or LISTS}
    tables = {name: "".join(table(name, rows, len(lists[name]))) for name, rows in driven.items()}
    if names:
        print("".join(tables.values()))
        return
    sums = "".join(f"- {name}: {summary(driven[name], len(lists[name]))}\n" for name in LISTS[:-1])
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    text = f"{before}{BEGIN}{tables[LISTS[-1]]}\n{sums}\n{END}{rest.split(END)[1]}"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
