"""`hilbridge engine VEHICLE`: the data sheet of a vehicle's engine, and its curves over speed."""

import argparse
import json
import math
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from hilbridge.configuration.vehiclefile import load_vehicle
from vehiclesim.engine import Engine
from vehiclesim.parameters import VehicleSettings
from vehiclesim.specifications import EngineSpecifications

_JSON_STEP: Final = 50
"""[1/min] between two points of the curves in JSON."""

_ROWS: Final = 16
"""Lines of the printed curves, about."""

_SHEET: Final = (
    ("maximum torque", "max_torque_at_peak", "Nm", "peak_rpm"),
    ("maximum power", "max_power_in_kw", "kW", "max_power_rpm"),
    ("", "max_power_in_hp", "hp", None),
    ("best fuel consumption", "specific_fuel_consumption", "g/kWh", "specific_fuel_consumption_rpm"),
    ("torque at idle", "max_torque_at_idle", "Nm", "idle_rpm"),
    ("friction at idle", "friction_torque_at_idle", "Nm", "idle_rpm"),
    ("friction at maximum torque", "friction_torque_at_peak", "Nm", "peak_rpm"),
    ("friction at the limit", "friction_torque_at_limit", "Nm", "limit_rpm"),
    ("friction when stalled", "friction_torque_at_stall", "Nm", "stall_rpm"),
)
"""Lines of the data sheet: text, specification, unit, specification of the speed that belongs to it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The vehicle, and the form of the answer."""
    parser.add_argument("vehicle", metavar="VEHICLE", help="name of a vehicle, or path of a vehicle file")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Prints the sheet; exit status 0."""
    vehicle = load_vehicle(args.vehicle).settings
    engine = Engine(vehicle.engine, vehicle.clutch)
    specifications = engine.specifications()
    if args.json:
        print(json.dumps(_report(vehicle, specifications, _curves(engine, vehicle, _JSON_STEP)), indent=2))
    else:
        step = 100 * math.ceil((vehicle.engine.max_rpm - vehicle.engine.idle_rpm) / _ROWS / 100)
        _print(vehicle, specifications, _curves(engine, vehicle, step))
    return 0


def _curves(engine: Engine, vehicle: VehicleSettings, step: int) -> dict[str, list[float]]:
    """Full-throttle curves at whole multiples of `step` between idle and maximum speed, and at these two.

    rpm [1/min], torque, friction_torque [Nm], power_in_kw [kW], specific_fuel_consumption [g/kWh, NaN without power].
    """
    idle, top = vehicle.engine.idle_rpm, vehicle.engine.max_rpm
    inner = range(math.floor(idle / step) + 1, math.ceil(top / step))
    speeds = [idle, *(float(count * step) for count in inner), top]
    return {
        "rpm": speeds,
        "torque": [engine.calculate_torque(rpm) for rpm in speeds],
        "power_in_kw": [engine.calculate_power_in_kw(rpm) for rpm in speeds],
        "friction_torque": [-engine.calculate_torque(rpm, 0.0) for rpm in speeds],
        "specific_fuel_consumption": [engine.calculate_specific_fuel_consumption(rpm) for rpm in speeds],
    }


def _report(
    vehicle: VehicleSettings, specifications: EngineSpecifications, curves: dict[str, list[float]]
) -> dict[str, Any]:
    """What --json prints; null stands for not-a-number."""
    return {
        "vehicle": vehicle.name,
        "specifications": {name: _or_null(value) for name, value in specifications._asdict().items()},
        "curves": {name: [_or_null(value) for value in values] for name, values in curves.items()},
    }


def _or_null(value: float | bool) -> float | bool | None:
    return value if math.isfinite(value) else None


def _print(vehicle: VehicleSettings, specifications: EngineSpecifications, curves: dict[str, list[float]]) -> None:
    console = Console(highlight=False)
    console.print(vehicle.name, style="bold", markup=False)
    sheet = Table(box=None, show_header=False, padding=(0, 1))
    for column in ("left", "right", "left", "right", "left"):
        sheet.add_column(justify=column)
    for text, name, unit, speed in _SHEET:
        at = (f"{getattr(specifications, speed):.0f}", "rpm") if speed else ("", "")
        sheet.add_row(text, _number(getattr(specifications, name)), unit, *at)
    console.print(sheet)
    console.print()

    table = Table(box=None, padding=(0, 1))
    for heading in ("rpm", "torque Nm", "power kW", "friction Nm", "fuel g/kWh"):
        table.add_column(heading, justify="right", header_style="bold")
    for rpm, *values in zip(*curves.values(), strict=True):
        table.add_row(f"{rpm:.0f}", *map(_number, values))
    console.print(table)


def _number(value: float) -> str:
    return f"{round(value, 1) + 0.0:.1f}" if math.isfinite(value) else "-"  # + 0.0: no "-0.0"
