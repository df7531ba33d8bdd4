"""Which engine parameters a fit may seek, and which may be given."""

from dataclasses import fields, replace
from enum import Enum
from typing import Any, Final, get_origin, get_type_hints

from hilbridge.base.common.errors import ConfigurationError, KeyPath, describe_value, nearest
from vehiclesim.parameters import EngineSettings, Quantity, quantities

SOUGHT: Final = (
    "peak_rpm",
    "max_rpm",
    "idle_rpm_torque",
    "peak_rpm_torque",
    "idle_rpm_curve_bias",
    "peak_rpm_curve_bias",
    "friction_torque",
    "rotational_friction",
    "viscous_friction",
    "max_fuel_per_rev",
    "indicated_efficiency",
    "efficiency_loss",
    "stall_bias",
    "stalled_friction_torque",
)
"""Parameters that targets determine.

The loss of efficiency only where full and part load are known, the last two where something is known of the stalled
engine.
"""

FUEL: Final = {"charge": "max_fuel_per_rev", "efficiency": "indicated_efficiency"}
"""The parameters of the fuel that are sought, by its law."""

SHAPE: Final = (
    "peak_rpm",
    "idle_rpm_torque",
    "peak_rpm_torque",
    "idle_rpm_curve_bias",
    "peak_rpm_curve_bias",
)
"""Parameters of the full-load curve, which a table replaces."""

FRICTION: Final = ("friction_torque", "rotational_friction", "viscous_friction")
"""Parameters of the friction, which a table has in its rows."""

_GIVEN_BY_TARGETS: Final = {
    "idle_rpm": "idle",
    "torque_cap": "torque",
    "torque_cap_limit": "torque",
    "rpm_limiter": "limiter_rpm",
    "rpm_limiter_max": "limiter_rpm",
}
"""Parameters that are figures themselves, and the key that has the figure."""

_TYPES: Final = get_type_hints(EngineSettings)
_NOTES: Final = {entry.name: note for entry, _, note in quantities(EngineSettings)}


def with_values(settings: EngineSettings, values: dict[str, Any]) -> EngineSettings:
    """Return the settings with other values, enumerations by their words; ValueError as the settings raise it."""
    changes = {
        name: _TYPES[name](value) if isinstance(value, str) and issubclass(_TYPES[name], Enum) else value
        for name, value in values.items()
    }
    return replace(settings, **changes)


def check_fixed(name: str, value: bool | float | str, place: KeyPath) -> None:
    """Raise ConfigurationError for no parameter of an engine, one with a key of its own, or a wrong value."""
    if name in _GIVEN_BY_TARGETS:
        raise ConfigurationError(f"stands in '{_GIVEN_BY_TARGETS[name]}', not here", place)
    scalars = [entry.name for entry in fields(EngineSettings) if get_origin(_TYPES[entry.name]) is None]
    if name not in scalars:
        raise ConfigurationError(f"no parameter of an engine{_suggestion(name, scalars)}", place)
    kind = _TYPES[name]
    if isinstance(value, str) != issubclass(kind, Enum) or isinstance(value, bool) != (kind is bool):
        raise ConfigurationError(f"cannot be {describe_value(value)}", place)
    problem = None
    if isinstance(value, str):
        words = [member.value for member in kind]
        problem = None if value in words else f"must be one of {', '.join(words)}, found {describe_value(value)}"
    elif isinstance(note := _NOTES[name], Quantity):
        problem = note.problem(value)
    if problem:
        raise ConfigurationError(problem, place)


def check_unknown(name: str, place: KeyPath) -> None:
    """Raise ConfigurationError for a parameter that is not sought."""
    if name not in SOUGHT:
        raise ConfigurationError(f"no parameter that is sought{_suggestion(name, SOUGHT)}", place)


def _suggestion(name: str, known: Any) -> str:
    meant = nearest(name, known)
    return f"; did you mean '{meant}'?" if meant else f"; known: {', '.join(known)}"
