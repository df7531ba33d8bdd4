"""Electric cars of EPA's public list, driven on its cycles, beside its figures.

`python -m tests.cycles.epa_electric` writes the tables into docs/model.md; with names of lists (`fitted`, `unseen`) it
prints theirs. What the list has not follows from one rule for all, besides those of docs/guides/car.md:

| the list has not | rule |
|---|---|
| torque of a motor | that of its power at `BASE_RPM`; all together no more than tyres hold, `GRIP` |
| reduction gear | the speed of the motor over that of the car is said; a radius as in epa_rules.py |
| battery | `BATTERY`: its voltage and resistance matter little, and what it takes and gives bounds no cycle |
| recuperation | 1.5 m/s² with both pedals released: more than these cycles brake with |
| motor in front of an all-wheel drive | idle, it drags by its magnets if the list names some; else `BEARINGS` |
"""

import math
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import yaml

from hilbridge.bench.drive.cycles import find_cycle
from hilbridge.bench.drive.report import figures
from hilbridge.bench.drive.simulation import drive
from hilbridge.files.configuration.vehiclefile import VehicleFile, load_vehicle
from vehiclesim.parameters.body import AIR_DENSITY

from .epa_cars import PAGE, signed, summary
from .epa_electric_draw import LISTS, Car, load
from .epa_rules import GRAVITY, RADIUS, road

BEGIN: Final = "<!-- written by tests/cycles/epa_electric.py -->\n"
END: Final = "<!-- end of electric cars -->\n"

BASE_RPM: Final = 4250.0
"""[1/min] up to which a motor has its torque: the middle of 3283 (Nissan Leaf), 4248 (Tesla Model 3) and 4775 (BMW i3),
of the cars here, and of 3626 (Hyundai Kona), 3979 (Chevrolet Bolt), 4584 (Ioniq 5) and 4620 (VW ID.4), recalled.
"""

GRIP: Final = 1.1
"""Force at the wheels over the weight, as tyres and brakes of the guide have it."""

MAX_RPM: Final = 16_000.0

BEARINGS: Final = 0.0005
"""Torque that a rotor without field loses, over its highest: that of the source in losses.py."""

BATTERY: Final = {
    "capacity": 75.0,
    "voltage": 350.0,
    "internal_resistance": 0.05,
    "max_discharge": 1000.0,
    "max_charge": 150.0,
    "charging_efficiency": 0.875,
}


class Row(NamedTuple):
    """A car with what it took from the wall [kWh/100 km]."""

    car: Car
    udds: float
    hwfet: float

    def deviations(self) -> tuple[float, float]:
        """By how many per cent more it takes than the list has, in the city and on the highway."""
        return 100.0 * (self.udds / self.car.udds - 1.0), 100.0 * (self.hwfet / self.car.hwfet - 1.0)

    def __str__(self) -> str:
        car, (city, highway) = self.car, self.deviations()
        cells = (
            f"{self.udds:.1f} of {car.udds:.1f}: {signed(city)} % | "
            f"{self.hwfet:.1f} of {car.hwfet:.1f}: {signed(highway)} %"
        )
        return f"| {car.name} | {' and '.join(f'{power:.0f}' for power in car.powers)} kW | {cells} |"


def vehicle(car: Car) -> dict[str, Any]:
    """Return the vehicle file."""
    rolling, per_speed, per_square = road(car.force, car.per_speed, car.per_square)
    ratio = round(car.rpm_per_mps * 2.0 * math.pi / 60.0 * RADIUS, 4)
    layout = "front-wheel-drive" if car.front else "rear-wheel-drive"
    held = GRIP * car.mass * GRAVITY * RADIUS / ratio / sum(torque(power) for power in car.powers)
    *second, first = (motor(power, min(held, 1.0) * torque(power)) for power in car.powers)
    electric: dict[str, Any] = {"topology": "battery-electric", "motor": first, "battery": BATTERY}
    driveline: dict[str, Any] = {"layout": layout, "front": {"ratio": ratio}, "rear": {"ratio": ratio}}
    if second:
        driveline |= {"layout": "torque-splitter", "splitter": {"primary": "rear", "stiffness": 0.0}}
        electric["axle_motor"] = second[0]
        if not car.magnets:
            second[0]["drag_torque"] = round(BEARINGS * second[0]["max_torque"], 4)
    return {
        "name": car.name,
        "gearbox": {
            "type": "automatic",
            "ratios": [1.0],
            "reverse_ratios": [-1.0],
            "efficiency": 0.98,
            "inertia": 0.002,
            "shift_time": 0.1,
        },
        "driveline": driveline,
        "electric": electric | {"overrun_deceleration": 1.5, "braking_deceleration": 2.0},
        "wheels": {
            "radius": RADIUS,
            "inertia": round(0.9 * (RADIUS / 0.308) ** 4, 3),
            "rolling_resistance": round(rolling / (car.mass * GRAVITY), 6),
            "rolling_resistance_speed": round(per_speed / (car.mass * GRAVITY), 8),
        },
        "brakes": {"max_torque": round(1.1 * car.mass * GRAVITY * RADIUS / 2.0, 1), "front_bias": 0.7},
        "chassis": {"front_weight": 0.5},
        "body": {"mass": car.mass, "drag_area": round(2.0 * per_square / AIR_DENSITY, 4)},
        "published": {"udds_wall": car.udds, "hwfet_wall": car.hwfet},
    }


def torque(power: float) -> float:
    """Return the torque [N m] of a motor of a power [kW], T = P/w at `BASE_RPM`."""
    return 1e3 * power / (BASE_RPM * math.pi / 30.0)


def motor(power: float, most: float) -> dict[str, float]:
    """Return a motor of a power [kW] and a torque [N m]."""
    return {"max_torque": round(most, 1), "max_power": power, "max_rpm": MAX_RPM, "inertia": 0.03}


def build(car: Car, folder: Path) -> VehicleFile:
    """Return the car by rule."""
    file = folder / "vehicle.yaml"
    file.write_text(yaml.safe_dump(vehicle(car)), encoding="utf-8")
    return load_vehicle(str(file))


def run(car: Car) -> Row:
    """Return a car with what it took."""
    with TemporaryDirectory() as folder:
        file = build(car, Path(folder))
    driven = [drive(file.build(), find_cycle(cycle), ledger=False) for cycle in ("udds", "hwfet")]
    return Row(car, *(figures(each, file.settings)["wall_consumption_in_kwh_per_100_km"] for each in driven))


def table(name: str, rows: list[Row]) -> str:
    """Return a list as a table, with its summary."""
    head = f"\n| {name} | motors | UDDS, kWh/100 km | HWFET, kWh/100 km |\n|---|---|---|---|\n"
    return head + "".join(f"{row}\n" for row in rows) + f"\n{summary(rows)}\n"


def main(names: list[str]) -> None:
    """Print the tables of lists, or write those of both."""
    lists = dict(zip(LISTS, load(), strict=True))
    with ProcessPoolExecutor(max_workers=2, mp_context=get_context("spawn")) as pool:
        tables = [table(name, list(pool.map(run, lists[name]))) for name in names or LISTS]
    if names:
        print("".join(tables))
        return
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    PAGE.write_text(before + BEGIN + "".join(tables) + "\n" + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
