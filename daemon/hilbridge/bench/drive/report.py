"""The results of a drive: figures for programs and for people, and a picture."""

import math
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from hilbridge.base.plots.style import BLUE, GREY, LINE, ORANGE, PALE, RED, finish, save
from hilbridge.bench.drive.charge_balance import owed
from hilbridge.bench.drive.simulation import TOLERANCE, DriveResult
from hilbridge.bench.drive.trace import KMH
from vehiclesim.energy import EnergyReport
from vehiclesim.fuel import fuel_of
from vehiclesim.parameters import ElectricTopology, EngineSettings, VehicleSettings

_LEAST_WAY: Final = 1.0
"""[m]. Fuel per distance means nothing on less."""


def figures(drive: DriveResult, vehicle: VehicleSettings) -> dict[str, Any]:
    """Return the figures in SI units, others in the names; None for what has no meaning here."""
    litres = _litres(drive.fuel, vehicle.engine)
    electricity = None if drive.electricity is None else drive.electricity / 3.6e6
    moved = drive.distance >= _LEAST_WAY
    debt = owed(vehicle, *drive.charge)
    return {
        "vehicle": vehicle.name,
        "cycle": drive.trace.name,
        "complete": drive.interrupted_at is None,
        "time": drive.time,
        "distance": drive.distance,
        "trace_distance": drive.trace.distance,
        "fuel_in_g": drive.fuel,
        "fuel_in_l": litres,
        "fuel_in_mj": fuel_energy(drive.fuel, vehicle),
        "consumption_in_l_per_100_km": litres / drive.distance * 1e5 if moved else None,
        "charge_at_start": drive.charge[0],
        "charge_at_end": drive.charge[1],
        "consumption_at_equal_charge_in_l_per_100_km": (
            (litres + debt) / drive.distance * 1e5 if moved and debt is not None else None
        ),
        "electricity_in_kwh": electricity,
        "electric_consumption_in_kwh_per_100_km": (
            electricity / drive.distance * 1e5 if moved and electricity is not None else None
        ),
        "wall_consumption_in_kwh_per_100_km": (
            electricity / drive.distance * 1e5 / vehicle.electric.battery.charging_efficiency
            if moved and electricity is not None and plugs_in(vehicle)
            else None
        ),
        "published_consumption_in_l_per_100_km": _published(drive, vehicle),
        "largest_deviation_in_kmh": drive.largest_deviation / KMH,
        "largest_deviation_at": drive.largest_deviation_at,
        "rms_deviation_in_kmh": math.sqrt(drive.squared_deviation / drive.time) / KMH,
        "time_outside_tolerance": drive.time_outside,
        "energy": None if drive.energy is None else _energy(drive.energy),
    }


def print_figures(drive: DriveResult, vehicle: VehicleSettings, console: Console) -> None:
    """Print a sheet of the figures, and the energy ledger below it."""
    values = figures(drive, vehicle)
    consumption = values["consumption_in_l_per_100_km"]
    published = values["published_consumption_in_l_per_100_km"]
    equal = values["consumption_at_equal_charge_in_l_per_100_km"]
    electric = values["electric_consumption_in_kwh_per_100_km"]
    wall = values["wall_consumption_in_kwh_per_100_km"]
    rows = (
        ("time", f"{values['time']:.0f}", "s"),
        ("distance", f"{values['distance'] / 1000:.3f}", "km"),
        ("distance of the trace", f"{values['trace_distance'] / 1000:.3f}", "km"),
        ("fuel", f"{values['fuel_in_g']:.1f}", "g"),
        ("", f"{values['fuel_in_l']:.3f}", "l"),
        ("", f"{values['fuel_in_mj']:.2f}", "MJ"),
        ("consumption", "-" if consumption is None else f"{consumption:.2f}", "l/100 km"),
        *([("at equal charge", f"{equal:.2f}", "l/100 km")] if equal is not None else []),
        *([("published consumption", f"{published:.2f}", "l/100 km")] if published is not None else []),
        *([("charge of the 12 V battery", _charges(drive), "%")] if equal is not None else []),
        *([("from the battery", f"{values['electricity_in_kwh']:.3f}", "kWh")] if electric is not None else []),
        *([("", f"{electric:.2f}", "kWh/100 km")] if electric is not None else []),
        *([("from the wall", f"{wall:.2f}", "kWh/100 km")] if wall is not None else []),
        ("largest deviation", f"{values['largest_deviation_in_kmh']:+.2f}", "km/h"),
        ("at", f"{values['largest_deviation_at']:.1f}", "s"),
        ("outside ±2 km/h and ±1 s", f"{values['time_outside_tolerance']:.1f}", "s"),
    )
    console.print(f"{vehicle.name}, {drive.trace.name}", style="bold", markup=False)
    if not values["complete"]:
        console.print(f"interrupted: {drive.time:.1f} s of {drive.trace.duration:.0f} s", style="yellow")
    sheet = Table(box=None, show_header=False, padding=(0, 1))
    sheet.add_column()
    sheet.add_column(justify="right")
    sheet.add_column()
    for row in rows:
        sheet.add_row(*row)
    console.print(sheet)
    if drive.energy is not None:
        console.print()
        _print_energy(drive.energy, console)


def _charges(drive: DriveResult) -> str:
    start, end = drive.charge
    return f"{100.0 * start:.1f} to {100.0 * end:.1f}"


def plugs_in(vehicle: VehicleSettings) -> bool:
    """Return whether it drives by electricity from the wall alone."""
    return vehicle.electric.topology is ElectricTopology.BATTERY_ELECTRIC


def _litres(fuel: float, engine: EngineSettings) -> float:
    """Return mass / density, by the same correction as all other volumes of fuel; 3.6 is none."""
    return fuel / 1000 / engine.fuel_density * 3.6 / engine.fuel_consumption_correction


def fuel_energy(fuel: float, vehicle: VehicleSettings) -> float:
    """Return the lower heating value [MJ] of a mass of fuel [g], by the kind that the vehicle's air path burns."""
    return fuel * fuel_of(vehicle.auxiliary.air_path.fuel).heating_value / 1e6


def _published(drive: DriveResult, vehicle: VehicleSettings) -> float | None:
    """Return the published consumption [l/100 km] in the whole cycle, if the vehicle file has it."""
    if drive.interrupted_at is not None:
        return None
    return getattr(vehicle.published, drive.trace.name, None) or None


def _energy(ledger: EnergyReport) -> dict[str, Any]:
    return {
        "supply": ledger.supply,
        "losses": ledger.losses,
        "stored": ledger.stored,
        "throughput": ledger.throughput,
        "residual": ledger.residual,
    }


def _print_energy(ledger: EnergyReport, console: Console) -> None:
    """Print the energy supplied, lost and stored, and the share of each."""
    table = Table(box=None, padding=(0, 1))
    table.add_column("energy", header_style="bold")
    table.add_column("kJ", justify="right", header_style="bold")
    table.add_column("%", justify="right", header_style="bold")
    percent = 100 / ledger.throughput if ledger.throughput > 0.0 else math.nan
    for group in (ledger.supply, ledger.losses, ledger.stored):
        for name, energy in group.items():
            if energy != 0.0:
                table.add_row(name, f"{energy / 1000:.1f}", f"{energy * percent:.1f}")
    table.add_row("residual", f"{ledger.residual / 1000:.1g}", f"{ledger.residual * percent:.1g}")
    console.print(table)


def plot(drive: DriveResult, title: str, path: Path) -> None:
    """Write the picture; equal drives give equal files."""
    from matplotlib.figure import Figure

    data = drive.series
    figure = Figure(figsize=(12, 9), layout="constrained")
    speed, engine, pedals, fuel = figure.subplots(4, 1, sharex=True, height_ratios=(3, 2, 2, 1))
    figure.suptitle(title)

    target = [value / KMH for value in data.target]
    band = TOLERANCE / KMH
    speed.fill_between(data.time, [v - band for v in target], [v + band for v in target], color=PALE, label="±2 km/h")
    speed.plot(data.time, target, color=GREY, linewidth=1.0, label="trace")
    speed.plot(data.time, [value / KMH for value in data.speed], color=BLUE, linewidth=LINE, label="vehicle")
    finish(speed, "speed, km/h", legend=True)

    engine.plot(data.time, data.rpm, color=BLUE, linewidth=LINE)
    finish(engine, "engine, rpm")
    gear = engine.twinx()
    gear.step(data.time, data.gear, where="post", color=GREY, linewidth=LINE)
    gear.set_ylabel("gear")
    gear.set_ylim(-0.5, max(data.gear, default=0) + 1.5)

    pedals.plot(data.time, data.throttle, color=BLUE, linewidth=LINE, label="throttle")
    pedals.plot(data.time, data.brake, color=RED, linewidth=LINE, label="brake")
    pedals.plot(data.time, data.clutch, color=ORANGE, linewidth=LINE, label="clutch")
    pedals.set_ylim(-0.05, 1.05)
    finish(pedals, "pedals", legend=True)

    fuel.plot(data.time, data.fuel, color=BLUE, linewidth=LINE)
    finish(fuel, "fuel, g")
    fuel.set_xlabel("time, s")
    save(figure, path)
