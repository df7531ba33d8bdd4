"""A fit as a picture: the graph of the engine, and the targets as crosses with their tolerance."""

from pathlib import Path
from typing import TYPE_CHECKING

from hilbridge.fit.result import Result
from hilbridge.fit.stand import Stand
from hilbridge.plots.engine import Panels, draw_engine
from hilbridge.plots.style import BLACK, save
from vehiclesim.block import RPM_TO_W

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot(result: Result, path: Path) -> None:
    """Writes the picture; equal results give equal files."""
    settings = result.targets.settings
    figure, panels = draw_engine(result.engine, settings.name)
    _draw_curve(panels, result)
    _draw_friction(panels, result)
    for point in settings.consumption:
        _cross(panels.consumption, point.rpm, point.value, point.tolerance)
    if (best := settings.best_consumption) is not None:
        _cross(panels.consumption, best.rpm or Stand(result.engine).best_consumption.rpm, best.value, best.tolerance)
    save(figure, path)


def _draw_curve(panels: Panels, result: Result) -> None:
    """Peaks, points and chart."""
    settings = result.targets.settings
    torque, power = settings.torque, settings.power
    _cross(panels.torque, torque.rpm, torque.value, torque.tolerance)
    if torque.until is not None:
        _cross(panels.torque, torque.until, torque.value, torque.tolerance)
    _cross(panels.power, power.rpm, power.value, power.tolerance)
    if (idle := settings.idle) is not None and idle.torque is not None:
        _cross(panels.torque, idle.rpm, idle.torque, idle.tolerance)
    for point in settings.points:
        if point.torque is not None:
            _cross(panels.torque, point.rpm, point.torque, point.tolerance)
        if point.power is not None:
            _cross(panels.power, point.rpm, point.power, point.tolerance)
    if settings.chart is not None:
        for rpm, value in result.targets.chart:
            _cross(panels.torque, rpm, value, settings.chart.tolerance)


def _draw_friction(panels: Panels, result: Result) -> None:
    """Engine brake, as torque also where its power is given: T = P/w."""
    stand = Stand(result.engine)
    for target in result.targets.settings.friction:
        rpm = stand.speed(target.rpm)
        torque = target.torque or 1e3 * (target.power or 0.0) / (rpm * RPM_TO_W)
        _cross(panels.torque, rpm, torque, target.tolerance)


def _cross(axes: "Axes", rpm: float, value: float, share: float) -> None:
    axes.errorbar([rpm], [value], yerr=[share * value], color=BLACK, marker="x", linewidth=1.0)
