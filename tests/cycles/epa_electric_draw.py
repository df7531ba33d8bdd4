"""Draws the electric cars of epa_electric.csv from the public lists of EPA, by lot, as epa_draw.py does the others.

    python -m tests.cycles.epa_electric_draw 2022-testcar.csv 2022-vehicles.csv

The test car list has mass, road load, the motor's speed over that of the car, rated power and electricity from the
wall in both cycles; that of fueleconomy.gov has the power of each motor, its kind, and the same figures again: *UCity*
and *UHighway*, before they are adjusted for the window sticker. The first list writes them without a mark in miles per
gallon of 33.705 kWh, in kWh per 100 miles, or adjusted; so a car counts only where both lists agree within `AGREE`.

One motor for each driven axle, of which both lists agree, one gear, and a power that is the rated one within `POWER`.
One car of each make and
motors, the last by its key; without those driven before there was this lot. The shuffle by `SEED` is cut in halves.
"""

import csv
import random
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from .epa_draw import HORSEPOWER, MPH, POUND, POUND_FORCE, Key, number, read

CARS: Final = Path(__file__).with_name("epa_electric.csv")

SEED: Final = 41

LISTS: Final = ("fitted", "unseen")

AGREE: Final = 0.03

POWER: Final = 0.3

GALLON: Final = 33.705
"""[kWh]"""

KWH: Final = 100.0 * GALLON / 1.609344
"""[kWh/100 km] of one mile per gallon."""

KINDS: Final = {"Charge Depleting UDDS": "udds", "Charge Depleting Highway": "hwfet"}

AXLES: Final = {
    "F": "Front-Wheel Drive",
    "R": "Rear-Wheel Drive",
    "A": "All-Wheel Drive",
    "4": "All-Wheel Drive",
}
"""What the second list writes of the first one's code."""

DRIVEN_BEFORE: Final = (("NISSAN", "110"), ("Tesla", "98 195"))
"""Make and motors [kW] of `leaf-ze1` and of the guide's `model-3`."""

_MOTORS: Final = re.compile(r"([\d.]+)(?:\s*(?:kw)?\s*(?:and|,)\s*([\d.]+))?\s*kw\b", re.IGNORECASE)
_MAGNETS: Final = re.compile(r"PM", re.IGNORECASE)


class Car(NamedTuple):
    """What the lists say about an electric car."""

    name: str
    motors: str  # [kW] of each, that of the front axle first
    magnets: bool  # the kind is said to have permanent magnets
    front: bool  # one motor, on the front axle
    rpm_per_mps: float  # [1/min per m/s] of the motor
    mass: float  # [kg] as tested
    force: float  # [N] of the road load F + G·v + H·v²
    per_speed: float  # [N s/m]
    per_square: float  # [N s²/m²]
    udds: float  # [kWh/100 km] from the wall
    hwfet: float  # [kWh/100 km] from the wall

    @property
    def powers(self) -> list[float]:
        """Power [kW] of each motor."""
        return [float(each) for each in self.motors.split()]


def qualifying(tests: Iterable[dict[str, str]], labels: list[dict[str, str]]) -> Iterator[tuple[Key, Car]]:
    """Yield the cars with both cycles, road load and motors, on which both lists agree."""
    both: dict[Key, dict[str, list[dict[str, str]]]] = {}
    for test in tests:
        kind = KINDS.get(test["Test Procedure Description"])
        if kind and test["Test Fuel Type Description"] == "Electricity" and number(test["RND_ADJ_FE"]) > 0.0:
            key: Key = (
                test["Represented Test Veh Make"],
                test["Represented Test Veh Model"],
                test["Test Vehicle ID"],
                test["Test Veh Configuration #"],
            )
            both.setdefault(key, {}).setdefault(kind, []).append(test)
    for key, cycles in sorted(both.items()):
        car = _car(key, cycles, labels) if len(cycles) == len(KINDS) else None
        if car is not None:
            yield key, car


def _car(key: Key, cycles: dict[str, list[dict[str, str]]], labels: list[dict[str, str]]) -> Car | None:
    """Return the car, or None where a value is missing, cannot be, or differs in the other list."""
    test = cycles["udds"][0]
    mean = [sum(per_gallon(number(each["RND_ADJ_FE"])) for each in rows) / len(rows) for rows in cycles.values()]
    found = dict(zip(cycles, mean, strict=True))
    label = _label(key, found["udds"], found["hwfet"], labels)
    motors = label and _MOTORS.search(label["evMotor"])
    if label is None or not motors:
        return None
    powers = [each for each in motors.groups() if each]
    rated, ratio = number(test["Rated Horsepower"]) * HORSEPOWER, number(test["N/V Ratio"])
    road = [number(test[f"Target Coef {each}"]) for each in ("A (lbf)", "B (lbf/mph)", "C (lbf/mph**2)")]
    fits = (
        label["drive"] == AXLES.get(test["Drive System Code"])
        and len(powers) == (2 if label["drive"].startswith("All") else 1)
        and abs(sum(map(float, powers)) / rated - 1.0) <= POWER
        and test["# of Gears"] == "1"
        and 60.0 <= ratio <= 180.0
        and road[0] > 0.0
        and road[2] > 0.0
    )
    if not fits:
        return None
    return Car(
        name=f"{label['make']} {label['model']}",
        motors=" ".join(powers),
        magnets=bool(_MAGNETS.search(label["evMotor"])),
        front=label["drive"] == "Front-Wheel Drive",
        rpm_per_mps=round(ratio / MPH, 2),
        mass=round(number(test["Equivalent Test Weight (lbs.)"]) * POUND, 1),
        force=round(road[0] * POUND_FORCE, 2),
        per_speed=round(road[1] * POUND_FORCE / MPH, 4),
        per_square=round(road[2] * POUND_FORCE / MPH**2, 5),
        udds=round(KWH / found["udds"], 2),
        hwfet=round(KWH / found["hwfet"], 2),
    )


def per_gallon(value: float) -> float:
    """Return miles per gallon; less than 60 are kWh per 100 miles."""
    return value if value >= 60.0 else 100.0 * GALLON / value


def _label(key: Key, udds: float, hwfet: float, labels: list[dict[str, str]]) -> dict[str, str] | None:
    """Return the entry of fueleconomy.gov whose figures are the nearest, if within `AGREE`."""
    name = " ".join(key[:2]).lower()

    def apart(each: dict[str, str]) -> float:
        said = (number(each["UCity"]), number(each["UHighway"]))
        return max(abs(one / other - 1.0) for one, other in zip(said, (udds, hwfet), strict=True))

    near = [each for each in labels if each["atvType"] == "EV" and each["make"].lower().split("-")[0] in name]
    found = min(near, key=apart, default=None)
    return found if found is not None and apart(found) <= AGREE else None


def draw(cars: Iterable[tuple[Key, Car]]) -> list[list[Car]]:
    """Return two lists, one car for each make and motors in both together; shuffled."""
    each = {(car.name.split()[0], car.motors): car for _, car in sorted(cars)}
    before = {(make.lower(), motors) for make, motors in DRIVEN_BEFORE}
    lot = sorted(car for (make, motors), car in each.items() if (make.lower(), motors) not in before)
    random.Random(SEED).shuffle(lot)
    half = (len(lot) + 1) // 2
    return [lot[:half], lot[half:]]


def load() -> list[list[Car]]:
    """Return the drawn cars by `LISTS`."""
    lists: list[list[Car]] = [[] for _ in LISTS]
    with CARS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            text = [row[name] for name in Car._fields]
            flags, numbers = (each == "True" for each in text[2:4]), (float(each) for each in text[4:])
            lists[LISTS.index(row["list"])].append(Car(text[0], text[1], *flags, *numbers))
    return lists


def main(tests: str, labels: str) -> None:
    """Write the lists."""
    parts = draw(qualifying(read(tests), read(labels)))
    with CARS.open("w", encoding="utf-8", newline="") as file:
        file.write(
            "# US Environmental Protection Agency: test car list and fueleconomy.gov, 2022; by epa_electric_draw.py\n"
        )
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("list", *Car._fields))
        for name, part in zip(LISTS, parts, strict=True):
            table.writerows((name, *car) for car in part)


if __name__ == "__main__":
    main(*sys.argv[1:])
