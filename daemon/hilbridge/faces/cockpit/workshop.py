"""The engine workshop: the parameters of an engine, the curves that changed values give, and their export as a file.

The numbers are those of `hilbridge engine`: curves from base/plots/engine_curves.py, the data sheet from the engine
itself. What a vehicle file may not say is refused here for the same reason.
"""

import math
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, dotted
from hilbridge.base.plots.engine_curves import engine_curves, marked_points, throttle_map
from hilbridge.base.resources import Kind, find, names
from hilbridge.faces.cockpit.consumption import consumption_map
from hilbridge.faces.cockpit.engine_file import EngineFile
from hilbridge.files.configuration.vehiclefile import air_path_of, engine_of
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import AirPathSettings, EngineSettings, Quantity, quantities
from vehiclesim.plausibility import implausible

_STEP: Final = 25
"""[1/min] between two points of the curves."""

_PEDALS: Final = (0.02, 0.25, 0.5, 0.75, 1.0)
"""Pedal positions whose lines are drawn; at the first one the idle torque is fully blended in."""

_BY_PARAMETERS: Final = (
    "peak_rpm", "idle_rpm_torque", "peak_rpm_torque", "idle_rpm_curve_bias", "peak_rpm_curve_bias",
    "friction_torque", "rotational_friction", "viscous_friction",
)  # fmt: skip
"""Parameters that a table of torque replaces."""

_OF_EFFICIENCY: Final = ("efficiency_rpm", "indicated_efficiency", "efficiency_loss")
"""Parameters of a curve of efficiency, which replaces the fuel of a revolution."""

_GROUPS: Final = {
    "Full load": (
        "idle_rpm", "idle_rpm_torque", "idle_rpm_curve_bias", "peak_rpm", "peak_rpm_torque", "peak_rpm_curve_bias",
        "max_rpm", "table_rpm", "table_torque",
    ),
    "Friction": ("friction_torque", "rotational_friction", "viscous_friction", "table_resistive_torque"),
    "Cap and limiter": (
        "torque_cap", "torque_cap_limit", "rpm_limiter", "rpm_limiter_max", "rpm_limiter_mode",
        "rpm_limiter_cutoff_time",
    ),
    "Fuel": (
        "max_fuel_per_rev", *_OF_EFFICIENCY, "fuel_density", "fuel_consumption_correction",
    ),
    "Pedal and idle": ("idle_control", "active_idle_range", "active_idle_bias", "max_idle_throttle"),
    "Start and stall": (
        "inertia", "cylinders", "can_stall", "stall_bias", "stalled_friction_torque", "starter_motor_bias",
    ),
}  # fmt: skip
"""The parameters in groups, in the order in which an engine is tuned."""

_TRAVEL: Final = 2.0
"""End of a slider, about, as a multiple of the engine's value: the bounds of a parameter are too wide for a hand."""

_ROUND: Final = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
_NOTCHES: Final = 200
"""Number of steps of a slider, about."""


class Workshop:
    """The engines of the packaged vehicles, and of the running one. `vehicle`: its file."""

    def __init__(self, vehicle: Path | None) -> None:
        own = {} if vehicle is None else {vehicle.stem: vehicle}
        self._files: Final = {name: find(Kind.VEHICLE, name) for name in names(Kind.VEHICLE)} | own
        self._running: Final = None if vehicle is None else vehicle.stem

    def vehicles(self) -> dict[str, Any]:
        """Return the names for JSON, and which of them runs."""
        return {"vehicles": list(self._files), "running": self._running}

    def engine(self, vehicle: str) -> dict[str, Any]:
        """Return title and engine parameters of a vehicle for JSON, in groups. ConfigurationError: there is none."""
        file = self._file(vehicle)
        settings = engine_of(file.section)
        return {"vehicle": vehicle, "title": file.title, "groups": list(_described(settings))}

    def measure(self, vehicle: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Return the figures of an engine with changed values for JSON. ConfigurationError: they are refused."""
        file = self._file(vehicle)
        try:
            settings = engine_of(file.section | dict(changes))
        except ConfigurationError as error:
            reason = f"{dotted(error.place)}: {error.message}" if error.place else error.message
            raise ConfigurationError(reason, error.place) from None
        result = measured(settings, air_path_of(file.air_path))
        return result | {"yaml": file.text(changes, _figures(result["sheet"]))}

    def measure_text(self, text: str) -> dict[str, Any]:
        """Return figures and title of the engine of a vehicle file for JSON. ConfigurationError: it is none."""
        with TemporaryDirectory(prefix="hilbridge-") as folder:
            path = Path(folder, "file")
            path.write_text(text, encoding="utf-8")
            try:
                file = EngineFile(path)
            except InvalidFileError as error:
                raise ConfigurationError(str(error).replace(f"{path}:", "line ")) from None
            return measured(engine_of(file.section), air_path_of(file.air_path)) | {"title": file.title}

    def check_drive(self, vehicle: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Return `measure` of what the running engine shall be. ConfigurationError: it cannot be that."""
        if vehicle != self._running:
            raise ConfigurationError(f"{self._running or 'no vehicle'} runs, not {vehicle}: choose the one that runs")
        return self.measure(vehicle, changes)

    def _file(self, vehicle: str) -> EngineFile:
        if vehicle not in self._files:
            raise ConfigurationError(f"there is no vehicle {vehicle!r}")
        return EngineFile(self._files[vehicle])


def measured(settings: EngineSettings, air: AirPathSettings) -> dict[str, Any]:
    """Return data sheet, curves, consumption and throttle map and marked points of an engine; None: not-a-number.

    `warnings` has what no engine has, each with the parameter that makes it.
    """
    curves = engine_curves(settings, _STEP)
    sheet = Engine(settings).specifications()
    return {
        "sheet": {name: _or_null(value) for name, value in sheet._asdict().items()},
        "warnings": [each._asdict() for each in implausible(settings, sheet, air)],
        "curves": {name: [_or_null(value) for value in values] for name, values in curves._asdict().items()},
        "consumption": consumption_map(settings, air),
        "throttle": [{"pedal": pedal, "share": throttle_map(settings, pedal, curves.rpm)} for pedal in _PEDALS],
        "points": marked_points(settings),
        "max_rpm": settings.max_rpm,
        "limiter": settings.rpm_limiter_max if settings.rpm_limiter else None,
        "capped": settings.torque_cap,
    }


def _figures(sheet: Mapping[str, Any]) -> str:
    """Return the figures of a data sheet as text."""
    torque = f"{sheet['max_torque_at_peak']:.1f} Nm at {sheet['peak_rpm']:.0f} rpm"
    power = f"{sheet['max_power_in_kw']:.1f} kW at {sheet['max_power_rpm']:.0f} rpm"
    best = sheet["specific_fuel_consumption"]
    return f"{torque}, {power}" if best is None else f"{torque}, {power}, best consumption {best:.0f} g/kWh"


def _described(settings: EngineSettings) -> Any:
    """Yield the groups with their parameters, without those that the engine does not use."""
    known = _all_parameters()
    unused = {
        *(_BY_PARAMETERS if settings.table_rpm else (name for name in known if name.startswith("table_"))),
        *(("max_fuel_per_rev",) if settings.efficiency_rpm else _OF_EFFICIENCY),
    }
    for title, members in _GROUPS.items():
        yield {
            "title": title,
            "parameters": [_parameter(name, known[name], settings) for name in members if name not in unused],
        }


def _all_parameters() -> dict[str, tuple[Any, Quantity | str | None, Any]]:
    """Return type, quantity (or text) and default of each parameter, by name."""
    return {entry.name: (kind, note, entry.default) for entry, kind, note in quantities(EngineSettings)}


def _parameter(name: str, about: tuple[Any, Quantity | str | None, Any], settings: EngineSettings) -> dict[str, Any]:
    kind, note, default = about
    value = getattr(settings, name)
    shown = {"name": name, "value": plain(value), "default": plain(default)}
    if not isinstance(note, Quantity):
        choices = [member.value for member in kind] if issubclass(kind, Enum) else None
        return shown | {"text": note, "choices": choices}
    numbers = value if isinstance(value, tuple) else (value, default)
    from_, to = _travel(note, numbers)
    return shown | {
        "text": note.text,
        "unit": "" if note.unit == "1" else note.unit,
        "minimum": note.minimum,
        "maximum": note.maximum,
        "from": from_,
        "to": to,
        "step": _rounded((to - from_) / _NOTCHES),
        "at": list(settings.efficiency_rpm if name in _OF_EFFICIENCY else settings.table_rpm)
        if isinstance(value, tuple)
        else None,
    }


def _travel(note: Quantity, numbers: Sequence[float]) -> tuple[float, float]:
    """Return the ends of a slider: inside the bounds, around the engine's values."""
    lowest = 0.0 - _rounded(-_TRAVEL * min(numbers))
    highest = _rounded(_TRAVEL * max(numbers)) or (0.0 if lowest else 1.0)
    return lowest, highest if note.maximum is None else min(highest, note.maximum)


def _rounded(value: float) -> float:
    """Return the next round number above."""
    if value <= 0.0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(one for factor in _ROUND if (one := round(factor * power, 10)) >= value * 0.999999)


def plain(value: Any) -> Any:
    """Return a parameter in YAML's types."""
    if isinstance(value, Enum):
        return value.value
    return list(value) if isinstance(value, tuple) else value


def _or_null(value: float | bool) -> float | bool | None:
    return value if math.isfinite(value) else None
