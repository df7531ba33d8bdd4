"""Draws the cars of epa_cars.csv from the public lists of the US Environmental Protection Agency, by lot.

    python -m tests.cycles.epa_draw 2022-testcar.csv 2022-vehicles.csv 2018-testcar.csv 2018-vehicles.csv

The first of a year is the *test car list* (epa.gov, "Data on Cars used for Testing Fuel Economy"), the second the list
behind fueleconomy.gov, which says what the first does not: whether an engine is charged and stops at rest, and what is
a hybrid. What is drawn is neither looked at nor changed: of all that qualifies, one car for each engine and make, in
the order of their names, a shuffle by `SEED` is cut. The first part serves to find rules, the second to test them, and
the third to test what was changed after the second. An engine that two makes sell can be in several. The fourth part is
drawn from another year, of engines that the other three and docs/guides/cars have not, to test cars from their sheets.
"""

import csv
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

CARS: Final = Path(__file__).with_name("epa_cars.csv")

SEED: Final = 37

SIZE: Final = 20

LISTS: Final = ("fitted", "unseen", "third", "fourth")

FOURTH: Final = 25
"""Cars of the fourth list."""

GUIDE: Final = (("Bmw", 2.0), ("Porsche", 3.0), ("Subaru", 2.4), ("Toyota", 1.8), ("Jeep", 3.0), ("Chrysler", 3.6))
"""Makes and displacements [l] of docs/guides/cars."""

SAME: Final = 0.06
"""[l] by which displacements of one engine differ in the lists."""

POUND: Final = 0.45359237
"""[kg]"""

POUND_FORCE: Final = 4.4482216153
"""[N]"""

MPH: Final = 0.44704
"""[m/s]"""

HORSEPOWER: Final = 0.74569987
"""[kW]"""

MPG: Final = 235.214583
"""[l/100 km] of one mile per US gallon."""

FUELS: Final = {"Tier 2 Cert Gasoline": "petrol", "Federal Cert Diesel 7-15 PPM Sulfur": "diesel"}

GEARBOXES: Final = {
    "M": "manual",
    "A": "automatic",
    "SA": "automatic",
    "AM": "dual-clutch",
    "AMS": "dual-clutch",
    "CVT": "continuous",
    "SCV": "continuous",
}

AXLES: Final = {"F": "front-wheel-drive", "R": "rear-wheel-drive", "A": "all-wheel-drive"}
"""The codes 4 and P are left out: which axles turned is not said. Part-time cars tested on one axle (F, R) are in."""

Key: TypeAlias = tuple[str, ...]
"""Make, model, identifier and configuration of a test vehicle."""


class Car(NamedTuple):
    """What the lists say about a car, in SI units but for the usual ones of speed, power and consumption."""

    name: str
    fuel: str
    displacement: float  # [l]
    power: float  # [kW]
    charged: bool
    stops: bool  # at rest
    gearbox: str
    gears: int  # of a continuous one 1
    layout: str
    axle: float
    rpm_per_mps: float  # [1/min per m/s] in the longest gear
    mass: float  # [kg] as tested
    force: float  # [N] of the road load F + G·v + H·v²
    per_speed: float  # [N s/m]
    per_square: float  # [N s²/m²]
    ftp: float  # [l/100 km]
    hwfet: float  # [l/100 km]


def number(text: str) -> float:
    """Return a number of a list, 0 where it has none."""
    return float(text) if text.strip() else 0.0


def qualifying(tests: Iterable[dict[str, str]], labels: list[dict[str, str]]) -> Iterator[tuple[Key, Car]]:
    """Yield the cars with both cycles measured, road load and gears, burning one fuel only, with no motor."""
    both: dict[Key, dict[str, list[dict[str, str]]]] = {}
    for test in tests:
        name = (test["Represented Test Veh Make"], test["Represented Test Veh Model"], test["Test Vehicle ID"])
        if test["Test Fuel Type Description"] in FUELS and "Cold" not in test["Test Procedure Description"]:
            both.setdefault((*name, test["Test Veh Configuration #"]), {}).setdefault(test["Test Category"], []).append(
                test
            )
    for key, cycles in sorted(both.items()):
        if {"FTP", "HWY"} <= cycles.keys() and (label := _label(cycles["FTP"][0], labels)):
            car = _car(" ".join(key[:2]), cycles, label)
            if car is not None:
                yield key, car


def _car(name: str, cycles: dict[str, list[dict[str, str]]], label: dict[str, str]) -> Car | None:
    """Return the car, or None where a value is missing or cannot be."""
    test = cycles["FTP"][0]
    gears = int(number(test["# of Gears"]))
    gearbox, layout = GEARBOXES.get(test["Tested Transmission Type Code"]), AXLES.get(test["Drive System Code"])
    ratio, axle = number(test["N/V Ratio"]), number(test["Axle Ratio"])
    mean = {
        kind: sum(number(each["RND_ADJ_FE"]) for each in cycles[kind]) / len(cycles[kind]) for kind in ("FTP", "HWY")
    }
    road = [number(test[f"Target Coef {each}"]) for each in ("A (lbf)", "B (lbf/mph)", "C (lbf/mph**2)")]
    plausible = 15.0 <= ratio <= 45.0 and 2.0 <= axle <= 6.0 and (gears >= 5) == (gearbox != "continuous")
    measured = all(5.0 < each < 100.0 for each in mean.values()) and road[0] > 0.0 and road[2] > 0.0
    if gearbox is None or layout is None or not plausible or not measured:
        return None
    return Car(
        name=name.title(),
        fuel=FUELS[test["Test Fuel Type Description"]],
        displacement=number(test["Test Veh Displacement (L)"]),
        power=round(number(test["Rated Horsepower"]) * HORSEPOWER, 1),
        charged=bool(label["tCharger"] or label["sCharger"]),
        stops=label["startStop"] == "Y",
        gearbox=gearbox,
        gears=gears,
        layout=layout,
        axle=axle,
        rpm_per_mps=round(ratio / MPH, 2),
        mass=round(number(test["Equivalent Test Weight (lbs.)"]) * POUND, 1),
        force=round(road[0] * POUND_FORCE, 2),
        per_speed=round(road[1] * POUND_FORCE / MPH, 4),
        per_square=round(road[2] * POUND_FORCE / MPH**2, 5),
        ftp=round(MPG / mean["FTP"], 2),
        hwfet=round(MPG / mean["HWY"], 2),
    )


def _label(test: dict[str, str], labels: list[dict[str, str]]) -> dict[str, str] | None:
    """Return the entry of fueleconomy.gov of the same engine and name, if all that have it agree."""
    make, model = test["Represented Test Veh Make"].lower(), test["Represented Test Veh Model"].lower()
    found = [
        each
        for each in labels
        if each["make"].lower() == make
        and each["baseModel"].lower() in model
        and abs(number(each["displ"]) - number(test["Test Veh Displacement (L)"])) < 0.06
        and number(each["cylinders"]) == number(test["# of Cylinders and Rotors"])
    ]
    said = {(each["tCharger"], each["sCharger"], each["startStop"], each["atvType"]) for each in found}
    return found[0] if len(said) == 1 and found[0]["atvType"] in ("", "Diesel", "FFV") else None


def draw(cars: Iterable[tuple[Key, Car]]) -> list[list[Car]]:
    """Return three lists of `SIZE` cars."""
    lot = _lot(cars)
    random.Random(SEED).shuffle(lot)
    return [lot[SIZE * each : SIZE * (each + 1)] for each in range(len(LISTS) - 1)]


def draw_again(cars: Iterable[tuple[Key, Car]], drawn: list[Car]) -> list[Car]:
    """Return `FOURTH` cars of engines, and names, that are neither in the guide nor in those `drawn` before."""
    known = [*GUIDE, *((car.name.split()[0], car.displacement) for car in drawn)]
    lot = [car for car in _lot(cars) if not any(_same(car, *each) for each in known)]
    random.Random(SEED).shuffle(lot)
    names = {car.name for car in drawn}
    each: dict[str, Car] = {}
    for car in lot:
        if car.name not in names:
            each.setdefault(car.name, car)
    return list(each.values())[:FOURTH]


def _lot(cars: Iterable[tuple[Key, Car]]) -> list[Car]:
    """Return one car for each make, displacement and power, the last by its key, in the order of their names."""
    return sorted({(car.name.split()[0], car.displacement, car.power): car for _, car in sorted(cars)}.values())


def _same(car: Car, make: str, displacement: float) -> bool:
    return car.name.split()[0] == make and abs(car.displacement - displacement) < SAME


def read(path: str) -> list[dict[str, str]]:
    """Return the rows of a list."""
    with Path(path).open(encoding="latin-1", newline="") as file:
        return list(csv.DictReader(file))


def load() -> list[list[Car]]:
    """Return the drawn cars by `LISTS`: those for finding rules, for testing them, and for testing what was changed."""
    lists: list[list[Car]] = [[] for _ in LISTS]
    with CARS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            lists[LISTS.index(row.pop("list"))].append(Car(**{name: _value(name, text) for name, text in row.items()}))
    return lists


def _value(name: str, text: str) -> Any:
    kind = Car.__annotations__[name]
    return text == "True" if kind is bool else kind(text)


def main(tests: str, labels: str, other_tests: str, other_labels: str) -> None:
    """Write the lists."""
    parts = draw(qualifying(read(tests), read(labels)))
    others = qualifying(read(other_tests), read(other_labels))
    parts.append(draw_again(others, [car for part in parts for car in part]))
    with CARS.open("w", encoding="utf-8", newline="") as file:
        file.write(
            "# US Environmental Protection Agency: test car list and fueleconomy.gov, 2022; the fourth list 2018; "
            "drawn by epa_draw.py\n"
        )
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("list", *Car._fields))
        for name, part in zip(LISTS, parts, strict=True):
            table.writerows((name, *car) for car in part)


if __name__ == "__main__":
    main(*sys.argv[1:])
