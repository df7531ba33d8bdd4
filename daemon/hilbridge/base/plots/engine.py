"""An engine's graph: torque and power, friction and raw torque, fuel, throttle map.

| line | meaning |
|---|---|
| green | torque at full throttle, marked at its peak; dashed: as it would be without torque cap |
| blue | power, marked at its peak |
| red | friction |
| orange, dotted | raw combustion torque: torque and friction together |
| orange, dashed, upright | rpm limiter |
| circles | the points that the parameters give |
| purple, dashed | specific fuel consumption |
| grey, dotted | what pedal positions ask for |
"""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from hilbridge.base.plots.engine_curves import engine_curves, marked_points, throttle_map
from hilbridge.base.plots.style import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, finish, label_point, save
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.full_load import EngineSpecifications
from vehiclesim.parameters import EngineSettings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STEP: Final = 20
"""[1/min] between two points."""

_PEDALS: Final = (0.02, 0.25, 0.5, 0.75, 1.0)
"""Positions whose lines are drawn; the first is where the torque that holds idle is fully there."""

_WORST_SHOWN: Final = 2.5
"""Multiple of the best consumption at which its panel ends."""


class Panels(NamedTuple):
    """The axes of a graph, so that more can be drawn into them."""

    torque: "Axes"  # [Nm]
    power: "Axes"  # [kW]
    consumption: "Axes"  # [g/kWh]
    throttle: "Axes"


def plot_engine(settings: EngineSettings, title: str, path: Path) -> None:
    """Write the graph; equal engines give equal files."""
    figure, _ = draw_engine(settings, title)
    save(figure, path)


def draw_engine(settings: EngineSettings, title: str) -> tuple["Figure", Panels]:
    """Return the graph, not yet written."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 9), layout="constrained")
    torque, consumption, throttle = figure.subplots(3, 1, sharex=True, height_ratios=(5, 2, 2))
    figure.suptitle(title)
    panels = Panels(torque, torque.twinx(), consumption, throttle)
    sheet = Engine(settings).specifications()
    _draw_curves(panels, settings)
    _draw_marks(panels, settings, sheet)
    _draw_throttle_map(throttle, settings)
    handles, labels = (
        [*one, *two]
        for one, two in zip(torque.get_legend_handles_labels(), panels.power.get_legend_handles_labels(), strict=True)
    )
    finish(torque, "torque, Nm")
    torque.legend(handles, labels, loc="upper left", ncols=3, frameon=False)
    finish(consumption, "fuel, g/kWh")
    finish(throttle, "torque share", legend=True)
    throttle.set_xlabel("engine speed, rpm")
    figure.draw_without_rendering()
    _label_marks(panels, sheet)
    return figure, panels


def _draw_curves(panels: Panels, settings: EngineSettings) -> None:
    curves = engine_curves(settings, _STEP)
    torque = panels.torque
    torque.plot(curves.rpm, curves.raw_torque, color=ORANGE, linestyle=":", label="raw torque")
    if settings.torque_cap:
        torque.plot(curves.rpm, curves.uncapped_torque, color=GREEN, linestyle="--", label="without cap")
    torque.plot(curves.rpm, curves.torque, color=GREEN, label="torque")
    torque.plot(curves.rpm, curves.friction_torque, color=RED, label="friction")
    torque.set_ylim(0.0, 1.25 * max(curves.raw_torque))
    panels.power.plot(curves.rpm, curves.power_in_kw, color=BLUE, label="power")
    panels.power.set_ylabel("power, kW")
    panels.power.set_ylim(0.0, 1.25 * max(curves.power_in_kw))
    panels.consumption.plot(curves.rpm, curves.specific_fuel_consumption, color=PURPLE, linestyle="--")
    best = min(value for value in curves.specific_fuel_consumption if math.isfinite(value))
    if best > 0.0:
        panels.consumption.set_ylim(0.9 * best, _WORST_SHOWN * best)


def _draw_marks(panels: Panels, settings: EngineSettings, sheet: EngineSpecifications) -> None:
    """Return the peaks, the points of the parameters, and the limiter."""
    for axes, rpm, value, colour in (
        (panels.torque, sheet.peak_rpm, sheet.max_torque_at_peak, GREEN),
        (panels.power, sheet.max_power_rpm, sheet.max_power_in_kw, BLUE),
    ):
        axes.plot([rpm], [value], color=colour, marker="|", markersize=14, linestyle="none")
    points = marked_points(settings)
    panels.torque.plot(
        [rpm for rpm, _ in points], [torque for _, torque in points],
        color=GREY, marker="o", markerfacecolor="none", linestyle="none", label="parameters", clip_on=False,
    )  # fmt: skip
    if settings.rpm_limiter:
        for axes in (panels.torque, panels.consumption, panels.throttle):
            label = "limiter" if axes is panels.torque else None
            axes.axvline(settings.rpm_limiter_max, color=ORANGE, linestyle="--", linewidth=1.0, label=label)


def _label_marks(panels: Panels, sheet: EngineSpecifications) -> None:
    """Return the figures of the peaks, and of the best consumption."""
    for axes, rpm, value, unit, colour, beside in (
        (panels.torque, sheet.peak_rpm, sheet.max_torque_at_peak, "Nm", GREEN, (panels.power,)),
        (panels.power, sheet.max_power_rpm, sheet.max_power_in_kw, "kW", BLUE, (panels.torque,)),
        (panels.consumption, sheet.specific_fuel_consumption_rpm, sheet.specific_fuel_consumption, "g/kWh", PURPLE, ()),
    ):
        label_point(axes, (rpm, value), f"{value:.1f} {unit} @ {rpm:.0f}", colour, beside)


def _draw_throttle_map(axes: "Axes", settings: EngineSettings) -> None:
    speeds = engine_curves(settings, _STEP).rpm
    for number, pedal in enumerate(_PEDALS):
        label = "pedal at 2, 25, 50, 75 and 100 %" if number == 0 else None
        axes.plot(speeds, throttle_map(settings, pedal, speeds), color=GREY, linestyle=":", label=label)
    axes.set_ylim(0.0, 1.35)
