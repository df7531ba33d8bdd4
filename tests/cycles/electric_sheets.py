"""Hybrids of three kinds and a two-motor electric car from their data sheets, in cycles and from rest.

`python -m tests.cycles.electric_sheets` writes the table into docs/model.md. The cars are `prius-zvw50` and
`ioniq-hybrid`, which ship, and `i3-rex` and `model-3` of docs/guides/cars. The series hybrid is driven with a full
battery, its engine off, and with its engine on. Where the charge is held, a cycle is driven from two charges of the
battery, of which the fuel follows for one that is the same before and after (SAE J1711 corrects so). FTP-75 is 0.43 of
a cold and 0.57 of a warm UDDS (40 CFR 1066.815).
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
from vehiclesim.parameters import ElectricTopology

from .data_sheets import CARS, build
from .epa_cars import PAGE

BEGIN: Final = "<!-- written by tests/cycles/electric_sheets.py -->\n"
END: Final = "<!-- end of electric sheets -->\n"

CYCLES: Final = ("udds", "hwfet")

PRIUS: Final = "prius-zvw50"

COLD, HOT = 0.43, 0.57

TESTED: Final = 1415.0 + 80.0
"""[kg] of the Prius that edmunds.com tested in April 2016, 3119 lb, and of a driver (assumed)."""

TESTED_TIMES: Final = {30: 3.5, 45: 6.3, 60: 10.1, 75: 15.3}
"""[s] from rest to these speeds in mph, without roll-out, by the same test."""

IONIQ: Final = "ioniq-hybrid"

IONIQ_TIMES: Final = (("0–60 mph", 60.0 * MPH, 9.8), ("0–100 km/h", 100.0 * KMH, 9.85))
"""[s] that drivingelectric.com (reviews/1754) measured, and testers in Korea (autoevolution.com, news 105696)."""


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


def driven(car: VehicleSettings, cycle: str, *, warm: bool = False) -> tuple[float, float, float]:
    """Return fuel [l], electricity from the battery [kWh] and from the wall [kWh], each for 100 km of a cycle."""
    trace = find_cycle(cycle)
    values = figures(drive(Vehicle(car), replace(trace, warm=warm or trace.warm), ledger=False), car)
    electricity = values["electric_consumption_in_kwh_per_100_km"]
    return values["consumption_in_l_per_100_km"], electricity, electricity / car.electric.battery.charging_efficiency


def held(car: VehicleSettings, cycle: str, *, warm: bool = False) -> float:
    """Return the fuel [l/100 km] of a cycle that leaves the charge as it was, on the line through two others.

    They start where a series hybrid's engine comes on, or at the middle of the band and where it is spared most.
    """
    low, high = car.electric.hybrid.low_charge, car.electric.hybrid.high_charge
    middle = 0.5 * (low + high)
    series = car.electric.topology is ElectricTopology.SERIES_HYBRID
    charges = (low, 0.5 * (low + middle)) if series else (middle, high)
    (one, gained), (two, taken) = (driven(with_charge(car, charge), cycle, warm=warm)[:2] for charge in charges)
    return at_zero(gained, one, taken, two)


def without_warm_up(car: VehicleSettings) -> VehicleSettings:
    """Return the car with an engine that rests while it is cold, too."""
    return replace(car, electric=replace(car.electric, hybrid=replace(car.electric.hybrid, warm_up=-50.0)))


def shipped_rows() -> Iterator[str]:
    """Yield the lines of the cars that ship, the power split and the P2 hybrid."""
    car = load_vehicle(PRIUS).settings
    published, litres, first = car.published, "l/100 km", f"{PRIUS}, power split"
    warm = held(car, "udds", warm=True)
    for what, one in (("", car), (", no warm-up", without_warm_up(car))):
        fuel = COLD * held(one, "udds") + HOT * warm
        yield row(first, f"FTP-75, charge held{what}", fuel, litres, published.udds, "0")
        first = ""
    for cycle in ("hwfet", "nedc", "wltc"):
        what = f"{cycle.upper()}, charge held"
        yield row("", what, held(car, cycle), litres, getattr(published, cycle), "0")
    tested = replace(car, body=replace(car.body, mass=TESTED))
    for mph, time in TESTED_TIMES.items():
        here = from_rest(tested, mph * MPH)
        if here is not None:
            yield row("", f"0–{mph} mph, mass of a tested car", here, "s", time, "–")
    ioniq, first = load_vehicle(IONIQ).settings, f"{IONIQ}, P2"
    for what, speed, time in IONIQ_TIMES:
        here = from_rest(ioniq, speed)
        if here is not None:
            yield row(first, what, here, "s", time, "–")
            first = ""


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
    yield from shipped_rows()
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
