"""The results of a measurement: figures for programs and for people, and a picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.table import Table

from hilbridge.base.plots.style import BLUE, GREY, LINE, ORANGE, RED, finish, save
from hilbridge.bench.drive.trace import KMH
from hilbridge.desk.perform.assumptions import Effect, Sensitivity
from hilbridge.desk.perform.measurement import BATTERY, WALL, Figure, Measurement
from vehiclesim.parameters import GRAVITY, PublishedSettings, Quantity, VehicleSettings, quantities

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_QUANTITIES: Final = {
    entry.name: note for entry, _, note in quantities(PublishedSettings) if isinstance(note, Quantity)
}

_SHOWN: Final = 60.0
"""[s] of a run in the picture."""

_MARKED: Final = (("to_100", 100.0), ("to_160", 160.0), ("to_200", 200.0))
"""Published times in the picture, and the speed [km/h] of each."""


_TOLD: Final = 0.001
"""Share of the fuel or electricity below which nothing hangs on a value."""


def figures(
    measured: Measurement, vehicle: VehicleSettings, sensitivities: Sequence[Sensitivity] = ()
) -> dict[str, Any]:
    """Return the figures, each in its unit; None for what is not published, or not reached."""
    return {
        "vehicle": vehicle.name,
        "complete": measured.complete,
        "figures": [
            {**figure._asdict(), "unit": _unit(figure), "deviation": figure.deviation} for figure in measured.figures
        ],
        "cycles": measured.cycles,
        "assumptions": {each.cycle: _hanging(each) for each in sensitivities},
    }


def _hanging(found: Sensitivity) -> dict[str, Any]:
    """Return what hangs on each assumed value, as shares of the fuel or electricity."""
    effects = [
        {"key": each.assumption.key, "spread": each.assumption.spread, "lower": each.lower, "higher": each.higher}
        for each in found.effects
    ]
    return {"complete": found.complete, "together": found.together, "effects": effects}


def print_figures(measured: Measurement, vehicle: VehicleSettings, console: Console) -> None:
    """Print a line for each figure: measured, published, and how far they are apart."""
    console.print(vehicle.name, style="bold", markup=False)
    if not measured.complete:
        console.print("interrupted: the figures until then", style="yellow")
    table = Table(box=None, padding=(0, 1))
    table.add_column("")
    for heading in ("measured", "published"):
        table.add_column(heading, justify="right", header_style="bold")
    table.add_column("")
    table.add_column("deviation", justify="right", header_style="bold")
    for figure in measured.figures:
        apart = "" if figure.deviation is None else f"{100.0 * figure.deviation:+.1f} %"
        table.add_row(_text(figure), _number(figure.measured), _number(figure.published), _unit(figure), apart)
    console.print(table)
    _print_charge(measured, vehicle, console)


def _print_charge(measured: Measurement, vehicle: VehicleSettings, console: Console) -> None:
    """Print what the 12 V battery gave or took, where its current costs fuel."""
    if vehicle.auxiliary.electrics.alternator_control.enabled:
        console.print(
            "at standstill the alternator rests, and the battery feeds the consumers, until it is to be charged"
        )
    for name, values in measured.cycles.items():
        equal = values["consumption_at_equal_charge_in_l_per_100_km"]
        if equal is not None:
            start, end = 100.0 * values["charge_at_start"], 100.0 * values["charge_at_end"]
            console.print(f"{name}: 12 V battery {start:.1f} to {end:.1f} %; at equal charge {equal:.2f} l/100 km")


def print_sensitivity(found: Sensitivity, console: Console) -> None:
    """Print how the fuel or electricity of a cycle changes with each assumed value, and what hangs on all of them."""
    energy = "electricity" if found.electric else "fuel"
    console.print(f"\nassumed, and the {energy} of {found.cycle}", style="bold", markup=False)
    if not found.complete:
        console.print("interrupted: those until then", style="yellow")
    table = Table(box=None, padding=(0, 1))
    table.add_column("")
    for heading in ("value", "±", "lower", "higher"):
        table.add_column(heading, justify="right", header_style="bold")
    told = [each for each in found.effects if each.largest >= _TOLD]
    for each in told:
        table.add_row(*_effect(each))
    console.print(table)
    rest = len(found.effects) - len(told)
    if rest:
        console.print(f"{rest} more change it by less than {100.0 * _TOLD:.1f} %")
    console.print(f"together, where they are independent: ±{100.0 * found.together:.0f} %", style="bold")


def _effect(effect: Effect) -> tuple[str, ...]:
    key, value, spread = effect.assumption
    values = (f"{len(value)} values", f"{100.0 * spread:.0f} %") if isinstance(value, tuple) else None
    shares = ("-" if each is None else f"{100.0 * each:+.1f} %" for each in (effect.lower, effect.higher))
    return (key, *(values or (f"{value:g}", f"{spread:.3g}")), *shares)


def _unit(figure: Figure) -> str:
    if figure.name in _QUANTITIES:
        return _QUANTITIES[figure.name].unit
    return "kWh/100 km" if figure.name.endswith((BATTERY, WALL)) else "l/100 km"


def _text(figure: Figure) -> str:
    """Return what a vehicle file says of the figure, and of a cycle of one's own its name."""
    if figure.name not in _QUANTITIES:
        for end, where in ((BATTERY, "out of the traction battery"), (WALL, "from the wall")):
            if figure.name.endswith(end):
                return f"energy {where}, in {figure.name.removesuffix(end)}"
        return f"consumption in {figure.name}"
    text = _QUANTITIES[figure.name].text.partition(";")[0]
    return text if figure.gear is None else text.replace("each gear", f"gear {figure.gear}")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def plot(measured: Measurement, vehicle: VehicleSettings, path: Path) -> None:
    """Write the picture; equal measurements give equal files."""
    from matplotlib.figure import Figure as Picture

    picture = Picture(figsize=(12, 9), layout="constrained")
    picture.suptitle(vehicle.name, parse_math=False)
    rest, gears, way, circle = picture.subplots(2, 2).flat
    _draw_acceleration(rest, measured, vehicle.published)
    for name, series in measured.runs.items():
        if name.startswith("gear "):
            _draw_speed(gears, series.time, series.speed, name, None)
    finish(gears, "speed in each gear, km/h", legend=bool(gears.lines))
    gears.set_xlabel("time, s")
    for name, colour in (("braking", RED), ("coasting", GREY)):
        if name in measured.runs:
            series = measured.runs[name]
            way.plot(series.distance, [v / KMH for v in series.speed], color=colour, linewidth=LINE, label=name)
    way.set_xscale("log")
    way.set_xlim(1.0, None)
    finish(way, "speed, km/h")
    if way.lines:
        way.legend(loc="lower left", frameon=False)
    way.set_xlabel("way, m")
    if "circle" in measured.runs:
        series = measured.runs["circle"]
        lateral = [abs(value) / GRAVITY for value in series.lateral_acceleration]
        circle.plot(lateral, [abs(angle) for angle in series.steering_wheel], color=BLUE, linewidth=LINE)
    finish(circle, "steering wheel in the circle, °")
    circle.set_xlabel("lateral acceleration, g")
    save(picture, path)


def _draw_acceleration(axes: "Axes", measured: Measurement, published: PublishedSettings) -> None:
    """Draw the speed from rest and after a kick-down, with published times as points."""
    for name, colour in (("acceleration", BLUE), ("kick-down", ORANGE)):
        if name in measured.runs:
            _draw_speed(axes, measured.runs[name].time, measured.runs[name].speed, name, colour)
    points = [(getattr(published, name), speed) for name, speed in _MARKED if getattr(published, name) > 0.0]
    if points:
        axes.plot(*zip(*points, strict=True), color=GREY, marker="o", linestyle="none", label="published")
    finish(axes, "speed, km/h", legend=bool(axes.lines))
    axes.set_xlabel("time, s")


def _draw_speed(axes: "Axes", time: list[float], speed: list[float], label: str, colour: str | None) -> None:
    count = sum(t <= _SHOWN for t in time)
    axes.plot(time[:count], [v / KMH for v in speed[:count]], color=colour, linewidth=LINE, label=label)
