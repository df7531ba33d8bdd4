"""The fitted engine as a vehicle file with the origin of every parameter, and as a picture.

The picture is the graph of the engine, and the targets as crosses with their tolerance.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import write_output
from hilbridge.base.plots.engine import Panels, draw_engine
from hilbridge.base.plots.style import BLACK, save
from hilbridge.desk.fit.parameters import FRICTION, FUEL, SHAPE
from hilbridge.desk.fit.priors import efficiency_at
from hilbridge.desk.fit.result import FitResult
from hilbridge.desk.fit.stand import Stand
from hilbridge.files.configuration.yamltext import VEHICLE_COLUMN, comment_text, commented, flow
from vehiclesim.block import RPM_TO_W
from vehiclesim.parameters import EngineSettings, quantities

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_REPLACED: Final = (*SHAPE, *FRICTION, "torque_cap", "torque_cap_limit")
"""Parameters that say nothing beside a table."""

_BY_FUEL: Final = ("inertia", "fuel_density", "efficiency_loss")


def write_engine(result: FitResult, path: Path) -> None:
    """Write the file; ConfigurationError when it cannot be written."""
    try:
        write_output(path, "\n".join(_lines(result)) + "\n")
    except OSError as error:
        raise ConfigurationError(f"the engine {path} cannot be written: {error.strerror}") from None


def _lines(result: FitResult) -> Iterator[str]:
    settings = result.targets.settings
    file = comment_text(result.targets.file.path.name)
    yield f"# Fitted by hilbridge to {file}; a comment says where a value comes from."
    yield ""
    yield f"name: {flow(settings.name)}"
    yield ""
    yield "engine:"
    replaced: tuple[str, ...] = _REPLACED if result.engine.table_rpm else ()
    if result.engine.efficiency_rpm:
        replaced += (FUEL["charge"],)
    for entry, _, _ in quantities(EngineSettings):
        value = getattr(result.engine, entry.name)
        if value != () and entry.name not in replaced:
            yield from commented(f"  {entry.name}: {flow(value)}", _source(result, entry.name), VEHICLE_COLUMN)


def _source(result: FitResult, name: str) -> str:
    targets = result.targets.settings
    if name == "table_resistive_torque":
        sources = {each: _source(result, each) for each in FRICTION}
        return "; ".join(f"{each}: {source}" for each, source in sources.items())
    if name == FUEL["efficiency"]:
        return "; ".join(_source(result, efficiency_at(rpm)) for rpm in result.engine.efficiency_rpm)
    if name == "efficiency_rpm":
        return "target" if targets.consumption or targets.best_consumption else "assumed"
    if name.startswith("table_"):
        return "target" if targets.idle is not None and targets.idle.torque is not None else "target; assumed at idle"
    for parameter in result.parameters:
        if parameter.name == name:
            return f"{'assumed' if parameter.assumed else 'fitted'}, ±{parameter.deviation:g}"
    if name in targets.fixed:
        return "given"
    keys = {"idle_rpm": targets.idle, "rpm_limiter": targets.limiter_rpm, "rpm_limiter_max": targets.limiter_rpm}
    if keys.get(name) is not None or (name.startswith("torque_cap") and targets.torque.capped):
        return "target"
    if name in _BY_FUEL:
        return f"assumed for {targets.fuel}"
    return "assumed" if name in {"idle_rpm", "max_rpm", "can_stall", "starter_motor_bias"} else "default"


def plot(result: FitResult, path: Path) -> None:
    """Write the picture; equal results give equal files."""
    settings = result.targets.settings
    figure, panels = draw_engine(result.engine, settings.name)
    _draw_curve(panels, result)
    _draw_friction(panels, result)
    for point in settings.consumption:
        if point.full:
            _cross(panels.consumption, point.rpm, point.value, point.tolerance)
    if (best := settings.best_consumption) is not None:
        _cross(panels.consumption, best.rpm or Stand(result.engine).best_consumption.rpm, best.value, best.tolerance)
    save(figure, path)


def _draw_curve(panels: Panels, result: FitResult) -> None:
    """Draw peaks, points and chart."""
    settings = result.targets.settings
    torque, power = settings.torque, settings.power
    _cross(panels.torque, torque.rpm, torque.value, torque.tolerance)
    if torque.until is not None:
        _cross(panels.torque, torque.until, torque.value, torque.tolerance)
    _cross(panels.power, power.rpm, power.value, power.tolerance)
    if power.until is not None:
        _cross(panels.power, power.until, power.value, power.tolerance)
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


def _draw_friction(panels: Panels, result: FitResult) -> None:
    """Draw the engine brake, as torque also where its power is given: T = P/w."""
    stand = Stand(result.engine)
    for target in result.targets.settings.friction:
        rpm = stand.speed(target.rpm)
        torque = target.torque or 1e3 * (target.power or 0.0) / (rpm * RPM_TO_W)
        _cross(panels.torque, rpm, torque, target.tolerance)


def _cross(axes: "Axes", rpm: float, value: float, share: float) -> None:
    axes.errorbar([rpm], [value], yerr=[share * value], color=BLACK, marker="x", linewidth=1.0)
