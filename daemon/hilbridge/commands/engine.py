"""`hilbridge engine VEHICLE`: the data sheet of a vehicle's engine, and its curves over speed."""

import argparse
import json
import math
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from hilbridge.base.common.console import make_console
from hilbridge.base.plots.engine import plot_engine
from hilbridge.base.plots.engine_curves import EngineCurves, engine_curves
from hilbridge.base.plots.style import check_plot
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.full_load import EngineSpecifications
from vehiclesim.parameters import VehicleSettings

_JSON_STEP: Final = 50
"""[1/min] Distance of two points of the curves in JSON."""

_ROWS: Final = 16
"""Number of lines of the printed curves, about."""

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
    """Add the vehicle and the form of the answer."""
    parser.add_argument("vehicle", metavar="VEHICLE", help="name of a vehicle, or path of a vehicle file")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw torque, power, fuel and throttle: .svg or .png")


def run(args: argparse.Namespace) -> int:
    """Print the data sheet; exit status 0."""
    if args.plot is not None:
        check_plot(args.plot)
    file = load_vehicle(args.vehicle)
    vehicle, warnings = file.settings, file.warnings()
    specifications = Engine(vehicle.engine, vehicle.clutch).specifications()
    if args.plot is not None:
        plot_engine(vehicle.engine, vehicle.name, args.plot)
    if args.json:
        report = _report(vehicle, specifications, engine_curves(vehicle.engine, _JSON_STEP))
        print(json.dumps(report | {"warnings": warnings}, indent=2))
    else:
        step = 100 * math.ceil((vehicle.engine.max_rpm - vehicle.engine.idle_rpm) / _ROWS / 100)
        console = make_console()
        _print(console, vehicle, specifications, engine_curves(vehicle.engine, step))
        for warning in warnings:
            console.print(f"warning: {warning}", style="yellow", markup=False, soft_wrap=True)
    return 0


def _report(vehicle: VehicleSettings, specifications: EngineSpecifications, curves: EngineCurves) -> dict[str, Any]:
    """Return the data sheet for JSON; None for not-a-number."""
    return {
        "vehicle": vehicle.name,
        "specifications": {name: _or_null(value) for name, value in specifications._asdict().items()},
        "curves": {name: [_or_null(value) for value in values] for name, values in curves._asdict().items()},
    }


def _or_null(value: float | bool) -> float | bool | None:
    return value if math.isfinite(value) else None


def _print(
    console: Console, vehicle: VehicleSettings, specifications: EngineSpecifications, curves: EngineCurves
) -> None:
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
    columns = (curves.torque, curves.power_in_kw, curves.friction_torque, curves.specific_fuel_consumption)
    for rpm, *values in zip(curves.rpm, *columns, strict=True):
        table.add_row(f"{rpm:.0f}", *map(_number, values))
    console.print(table)


def _number(value: float) -> str:
    return f"{round(value, 1) + 0.0:.1f}" if math.isfinite(value) else "-"  # + 0.0: no "-0.0"
