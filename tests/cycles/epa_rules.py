"""A car of the public list as a vehicle file: the rules of docs/guides/car.md, and those for what the list has not.

The list says neither torque nor speeds of the engine, neither single gears nor tyres. One rule for all cars of a kind:

| the list has not | rule |
|---|---|
| torque, speeds | `engine`: 100 Nm/l without charger, a plateau with one |
| gears | the longest is said by speed and axle; the span of `SPANS`, in progressive steps (Naunheimer, 6.2) |
| shift lines | `shift_map`: the longest gear with enough torque |
| tyre | 0.33 m: no more than brakes and slip hang on it, as speed over speed is said; `on_the_road`: its grip |
| body | wheelbase and height of a usual car: they matter in no cycle |
"""

import math
import re
from itertools import pairwise
from typing import Any, Final, NamedTuple

from vehiclesim.parameters.body import AIR_DENSITY

from .epa_draw import Car

SPANS: Final = {
    ("manual", 5): 4.7,
    ("manual", 6): 5.8,
    ("manual", 7): 6.4,
    ("dual-clutch", 6): 6.3,
    ("dual-clutch", 7): 7.2,
    ("dual-clutch", 8): 7.9,
    ("automatic", 5): 5.0,
    ("automatic", 6): 6.1,
    ("automatic", 7): 6.4,
    ("automatic", 8): 7.6,
    ("automatic", 9): 8.9,
    ("automatic", 10): 7.8,
    ("continuous", 1): 6.8,
}
"""Of the shortest ratio over the longest, by gearbox and number of gears: the middle of what makers publish."""

PROGRESSION: Final = 1.04
"""Of a step over the next one."""

RADIUS: Final = 0.33
"""[m]"""

GRAVITY: Final = 9.80665

MULTIPLIER: Final = (1.0, 0.9917, 1.0, 1.0594, 1.1105, 1.1866, 1.2543, 1.441, 1.780)
"""The default table of a converter's capacity factor, over that when stalled."""

SLIPS: Final = (0.02, 0.05, 0.1, 0.15, 0.3)
ALONG: Final = (0.42, 0.84, 1.07, 1.1, 1.01)
ACROSS: Final = (0.34, 0.69, 0.9, 0.94, 0.92)
"""Friction over slip, along the wheel and across it."""

SPORTING: Final = 150.0
"""[W/kg]"""

SPORT: Final = 1.14

CREW: Final = 90.0
"""[kg] of a driver, 75 kg by ISO 2416, and of instruments (assumed)."""

HYPOID: Final = 0.955
"""Power out per power in of an axle's hypoid gears (40 CFR 1037.550), which a transverse engine in front spares."""

BOOST_TIME: Final = 0.6
"""[s], the time constant of the boost at 1500 1/min of the cars in config/vehicles."""

FRONT_WEIGHT: Final = {"mid": 0.42, "rear": 0.38}
"""Share of the weight on the front axle, where the engine is not in front."""

EFFICIENCY: Final = {"manual": 0.95, "dual-clutch": 0.95, "automatic": 0.92, "continuous": 0.88}


class Sheet(NamedTuple):
    """What a car's data sheet says beside the lists; 0 or nothing where it is silent."""

    power: float = 0.0  # [kW]
    torque: float = 0.0  # [Nm], the highest
    from_rpm: float = 0.0  # [1/min] of the highest torque
    to_rpm: float = 0.0
    power_rpm: float = 0.0  # [1/min] of the highest power
    last_power_rpm: float = 0.0
    gears: tuple[float, ...] = ()  # ratios, shortest first, over the axle of the list
    tyre: str = ""  # of the driven wheels, as 245/40R18
    kerb: float = 0.0  # [kg]
    layout: str = ""
    engine: str = "front"  # front, mid or rear
    front_weight: float = 0.0  # share on the front axle


SILENT: Final = Sheet()


def engine(car: Car, sheet: Sheet = SILENT) -> dict[str, Any]:
    """Return the targets file of `hilbridge fit`, with P = T·w at the highest power.

    Petrol without charger has 100 Nm/l, and 88 % of it at the highest power. Charged petrol has its torque up to
    4500 1/min, and its power from 5500 on, as if at 4700 with that torque. A diesel has 1.2 times the torque that it
    has at 3800 1/min, and its power at 4000.
    """
    car = car._replace(power=sheet.power or car.power)
    watts = 1e3 * car.power
    if car.fuel == "diesel":
        torque, plateau, rated = 1.2 * watts / _speed(3800.0), (1600.0, 2600.0), 4000.0
    elif car.charged:
        torque, plateau, rated = watts / _speed(4700.0), (1700.0, 4400.0), 5500.0
    else:
        torque = 100.0 * car.displacement
        rated = min(max(watts / (0.88 * torque) * 30.0 / math.pi, 4800.0), 7500.0)
        torque = max(torque, 1.02 * watts / _speed(rated))
        plateau = (0.66 * rated, 0.66 * rated)
    if sheet.torque > 0.0:
        torque, plateau = sheet.torque, (sheet.from_rpm, sheet.to_rpm)
    rated = sheet.power_rpm or rated
    last = sheet.last_power_rpm or rated
    return {
        "name": car.name,
        "fuel": car.fuel,
        "displacement": car.displacement,
        "torque": {"value": round(torque, 1), "rpm": _range(*plateau)},
        "power": {"value": car.power, "rpm": _range(rated, last)},
        "idle": {"rpm": 750 if car.fuel == "diesel" else 700},
        "limiter_rpm": round(1.08 * last),
    }


def _range(first: float, last: float) -> int | list[int]:
    """Return both speeds, or one where they are the same."""
    speeds = [round(first), round(last)]
    return speeds if speeds[0] < speeds[1] else speeds[0]


def _speed(rpm: float) -> float:
    return rpm * math.pi / 30.0


def radius(car: Car, sheet: Sheet = SILENT) -> float:
    """Return that of the wheels [m]: of the tyre, else, where the sheet says the gears, from speed over speed.

    A tyre rolls 3.05 times its outer diameter in a turn (ETRTO).
    """
    if sheet.tyre:
        width, aspect, rim = (float(part) for part in re.split("[/R]", sheet.tyre))
        return 3.05 / (2.0 * math.pi) * (0.0254 * rim + 2e-5 * width * aspect)
    return sheet.gears[-1] * car.axle * 30.0 / (math.pi * car.rpm_per_mps) if sheet.gears else RADIUS


def ratios(car: Car, sheet: Sheet = SILENT) -> list[float]:
    """Return the gears, shortest first: i_k = i_z·f^(z-k)·q^((z-k)(z-k-1)/2), with the span i_1/i_z."""
    if sheet.gears:
        return list(sheet.gears)
    longest = car.rpm_per_mps * 2.0 * math.pi / 60.0 * radius(car, sheet) / car.axle
    span = SPANS[car.gearbox, car.gears]
    if car.gearbox == "continuous":
        return [round(span * longest, 4), round(longest, 4)]
    steps = car.gears - 1
    step = (span / PROGRESSION ** (steps * (steps - 1) / 2)) ** (1.0 / steps)
    return [
        round(longest * step**each * PROGRESSION ** (each * (each - 1) / 2), 4) for each in reversed(range(car.gears))
    ]


def vehicle(car: Car, sheet: Sheet = SILENT) -> dict[str, Any]:
    """Return the rest of the vehicle file."""
    targets, wheel = engine(car, sheet), radius(car, sheet)
    torque, speeds = targets["torque"]["value"], targets["power"]["rpm"]
    rated, last = (float(speed) for speed in (speeds if isinstance(speeds, list) else (speeds, speeds)))
    rolling, per_speed, per_square = road(car.force, car.per_speed, car.per_square)
    rear = car.layout == "rear-wheel-drive"
    file: dict[str, Any] = {
        "accessories": {"alternator_efficiency": 0.67},
        "cold": {"friction_exponent": 3.5, "enrichment": car.fuel == "petrol"},
        "stop_start": {"enabled": car.stops},
        "clutch": {"type": "friction-disc", "max_torque_transfer": round(1.5 * torque, 1)},
        "gearbox": {
            "type": "manual" if car.gearbox == "manual" else "automatic",
            "ratios": ratios(car, sheet),
            "efficiency": EFFICIENCY[car.gearbox],
        },
        "driveline": {"layout": car.layout, "front": {"ratio": car.axle}, "rear": {"ratio": car.axle}},
        "wheels": {
            "radius": round(wheel, 4),
            "inertia": round(0.9 * (wheel / 0.308) ** 4, 3),
            "rolling_resistance": round(rolling / (car.mass * GRAVITY), 6),
            "rolling_resistance_speed": round(per_speed / (car.mass * GRAVITY), 8),
        },
        "brakes": {"max_torque": round(1.1 * car.mass * GRAVITY * wheel / 2.0, 1), "front_bias": 0.7},
        "chassis": {"front_weight": 0.52 if rear else 0.6},
        "body": {"mass": car.mass, "drag_area": round(2.0 * per_square / AIR_DENSITY, 4)},
        "published": {"udds": car.ftp, "hwfet": car.hwfet},
    }
    if car.gearbox in ("automatic", "continuous"):
        stall = (2000.0 if car.fuel == "diesel" else 2200.0) / math.sqrt(torque)
        file["clutch"] |= {
            "type": "hydrodynamic-converter",
            "capacity_factor": [round(stall * each, 1) for each in MULTIPLIER],
            "lock_up": True,
            "lock_rpm": 1200.0,
        }
    if car.gearbox == "continuous":
        file["gearbox"]["ratio_change"] = "continuous"
        file["shifting"] = {"demand_pedal": [0.0, 0.75, 1.0], "demand_rpm": [1200.0, 1200.0, rated]}
    elif car.gearbox != "manual":
        lowest = lowest_speed(car.gearbox, targets["idle"]["rpm"], rated)
        lines = shift_map(file["gearbox"]["ratios"], wheel / car.axle, lowest, rated, last)
        file["shifting"] = {"up_rpm": rated, "down_rpm": 0.5 * rated, "shift_map": lines}
        if car.gearbox == "dual-clutch":
            file["gearbox"]["ratio_change"] = "dual-clutch"
    return file


def on_the_road(car: Car, sheet: Sheet = SILENT) -> dict[str, Any]:
    """Return the vehicle file with what docs/guides/car.md has for the road, and no dynamometer shows.

    Both slip and friction of tyres are 1.14 times as high from 150 W/kg on: such cars have summer tyres. All-wheel
    drive has a centre differential that biases torque, as Torsen's and clutches to the second axle do.
    """
    car = car._replace(layout=sheet.layout or car.layout)
    mass = sheet.kerb + CREW if sheet.kerb > 0.0 else car.mass
    grip = SPORT if 1e3 * (sheet.power or car.power) / mass >= SPORTING else 1.0

    def both_signs(values: tuple[float, ...]) -> list[float]:
        scaled = [round(grip * value, 3) for value in values]
        return [*(-value for value in reversed(scaled)), 0.0, *scaled]

    slips = both_signs(SLIPS)
    tyre = {
        "longitudinal_slip": slips,
        "longitudinal_friction": both_signs(ALONG),
        "lateral_slip": slips,
        "lateral_friction": both_signs(ACROSS),
    }
    file = vehicle(car, sheet)
    file["body"]["mass"] = mass
    file["auxiliary"] = {"air_path": _air(car, sheet)}
    if car.layout != "front-wheel-drive":
        file["gearbox"]["efficiency"] = round(HYPOID * file["gearbox"]["efficiency"], 4)
    file["chassis"]["front_weight"] = sheet.front_weight or FRONT_WEIGHT.get(
        sheet.engine, file["chassis"]["front_weight"]
    )
    if car.layout == "all-wheel-drive":
        file["driveline"]["centre"] = {"type": "torque-bias"}
    return file | {"tyre": tyre, "aids": {"tcs": {"enabled": True}}}


def _air(car: Car, sheet: Sheet) -> dict[str, Any]:
    """Return the air's way into the engine: of the intake's volume and of the boost, which comes later than the pedal.

    The intake is as large as the displacement (Crossley and Cook); the boost is 1 bar for 10 bar of mean pressure
    beyond the first 10.
    """
    air: dict[str, Any] = {"fuel": car.fuel, "displacement": car.displacement}
    if car.fuel == "petrol":
        air["intake_volume"] = car.displacement
    if car.charged or car.fuel == "diesel":
        torque = engine(car, sheet)["torque"]["value"]
        pressure = 4.0 * math.pi * torque / (100.0 * car.displacement)  # [bar]
        air |= {"max_boost": round(max(10.0 * (pressure - 10.0), 20.0), 1), "boost_time": BOOST_TIME}
    return air


def shift_map(
    gears: list[float], metres: float, lowest: float, rated: float, last: float
) -> list[dict[str, list[float]]]:
    """Return the shift lines: a light foot wants the longest gear that still has the torque, a heavy one the power.

    `metres` is the way for each radian before the gears; speeds are 1/min. The next gear comes where it turns at the
    lowest speed, and so it stays up to a pedal of 0.9/step: the same power then asks for 0.9 of the torque in the next
    gear, the margin of safety of UN GTR No. 15. From there the lines lead to the last speed of the highest power, and
    back to half of the first.
    """
    lines = []
    for ratio, following in pairwise(gears):
        light = min(0.9 * following / ratio, 0.75)
        up, top = (metres * _speed(rpm) / each for rpm, each in ((lowest, following), (last, ratio)))
        down, bottom = 0.95 * up, min(metres * _speed(0.5 * rated) / following, 0.95 * top)
        lines.append(
            {
                "pedal": [0.0, round(light, 3), 0.95],
                "up": [round(each, 2) for each in (up, up, max(up, top))],
                "down": [round(each, 2) for each in (down, down, max(down, bottom))],
            }
        )
    return lines


def lowest_speed(gearbox: str, idle: float, rated: float) -> float:
    """Return the speed [1/min] at which a gear begins with a light foot.

    With a converter that at which it locks, 1200; else an eighth of the way from idle to rated speed (UN GTR No. 15).
    """
    return 1200.0 if gearbox == "automatic" else idle + 0.125 * (rated - idle)


def road(force: float, per_speed: float, per_square: float) -> tuple[float, float, float]:
    """Return a road load with no part that falls with the speed: the same force at 15 and 30 m/s."""
    if per_speed >= 0.0:
        return force, per_speed, per_square
    low, high = (force + per_speed * v + per_square * v * v for v in (15.0, 30.0))
    square = (high - low) / (30.0**2 - 15.0**2)
    return low - square * 15.0**2, 0.0, square
