"""A series hybrid and a two-motor electric car from their data sheets, in the cycles of the United States.

`python -m tests.cycles.electric_sheets` writes the table into docs/model.md. The cars are `i3-rex` and `model-3` of
docs/guides/cars. The series hybrid is driven with a full battery, its engine off, and with its engine on: from two
charges at the lower end of its band, of which the fuel follows for a charge that is the same before and after (SAE
J1711 corrects so).
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from hilbridge.bench.drive.cycles import find_cycle
from hilbridge.bench.drive.report import figures
from hilbridge.bench.drive.simulation import drive
from hilbridge.bench.drive.trace import KMH, MPH
from hilbridge.desk.perform.reading import time_to_speed
from hilbridge.desk.perform.runs import accelerate, warm_up
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import Vehicle, VehicleSettings

from .data_sheets import CARS, build
from .epa_cars import PAGE

BEGIN: Final = "<!-- written by tests/cycles/electric_sheets.py -->\n"
END: Final = "<!-- end of electric sheets -->\n"

CYCLES: Final = ("udds", "hwfet")


def settings(name: str) -> VehicleSettings:
    """Return a car of docs/guides/cars; with an engine, that which fits its sheet."""
    sheet = CARS / f"{name}-engine.yaml"
    if not sheet.exists():
        return load_vehicle(str(CARS / f"{name}.yaml")).settings
    with TemporaryDirectory() as folder:
        return build(sheet, Path(folder)).settings


def with_charge(car: VehicleSettings, charge: float) -> VehicleSettings:
    """Return the car with another charge of its battery at the start."""
    battery = replace(car.electric.battery, initial_charge=charge)
    return replace(car, electric=replace(car.electric, battery=battery))


def driven(car: VehicleSettings, cycle: str) -> tuple[float, float, float]:
    """Return fuel [l], electricity from the battery [kWh] and from the wall [kWh], each for 100 km of a cycle."""
    values = figures(drive(Vehicle(car), find_cycle(cycle), ledger=False), car)
    electricity = values["electric_consumption_in_kwh_per_100_km"]
    return values["consumption_in_l_per_100_km"], electricity, electricity / car.electric.battery.charging_efficiency


def held(car: VehicleSettings, cycle: str) -> float:
    """Return the fuel [l/100 km] of a cycle that leaves the charge as it was, on the line through two others."""
    low = car.electric.hybrid.low_charge
    middle = 0.5 * (low + car.electric.hybrid.high_charge)
    (one, gained), (two, taken) = (
        driven(with_charge(car, charge), cycle)[:2] for charge in (low, 0.5 * (low + middle))
    )
    return at_zero(gained, one, taken, two)


def at_zero(x1: float, y1: float, x2: float, y2: float) -> float:
    """Return y at x = 0 of the line through two points."""
    return y1 - x1 * (y2 - y1) / (x2 - x1)


def from_rest(car: VehicleSettings, speed: float) -> float | None:
    """Return the time [s] to a speed [m/s]."""
    series, _ = accelerate(lambda: Vehicle(car), warm_up(lambda: Vehicle(car)), ())
    return time_to_speed(series, speed)


def row(name: str, what: str, here: float, unit: str, said: float, battery: str) -> str:
    """Return a line of the table."""
    beside = f"{said:g}: {100.0 * (here / said - 1.0):+.0f} %" if said else "–"
    return f"| {name} | {what} | {here:.2f} {unit} | {beside} | {battery} |\n"


def rows() -> Iterator[str]:
    """Yield the lines of the table."""
    for name, kind in (("model-3", "two motors"), ("i3-rex", "series hybrid")):
        car, first = settings(name), f"{name}, {kind}"
        for cycle in CYCLES:
            _, electricity, wall = driven(car, cycle)
            said = getattr(car.published, f"{cycle}_wall")
            yield row(first, cycle.upper(), wall, "kWh/100 km from the wall", said, f"{electricity:.2f} kWh/100 km")
            first = ""
        if car.electric.has_generator:
            for cycle in CYCLES:
                what, said = f"{cycle.upper()}, charge held", getattr(car.published, cycle)
                yield row("", what, held(car, cycle), "l/100 km", said, "0")
        to_60, to_100 = from_rest(car, 60.0 * MPH), from_rest(car, 100.0 * KMH)
        if to_60 is not None and to_100 is not None:
            yield row("", "0–60 mph", to_60, "s", car.published.to_60_mph, "–")
            yield row("", "0–100 km/h", to_100, "s", car.published.to_100, "–")


def main() -> None:
    """Write the table."""
    text = "| car | cycle | here | published | battery |\n|---|---|---|---|---|\n" + "".join(rows())
    sys.stdout.write(text)
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
