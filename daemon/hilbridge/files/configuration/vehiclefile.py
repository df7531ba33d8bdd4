"""The vehicle file: YAML to vehiclesim's VehicleSettings, errors with file and line.

Nothing about a parameter is said here: names, units, bounds, defaults and rules come from the dataclasses in
vehiclesim.parameters, which are turned into pydantic models of the same shape.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, is_dataclass
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError
from hilbridge.base.resources import Kind, find
from hilbridge.files.configuration.changes import change
from hilbridge.files.configuration.extensions import load_extensions
from hilbridge.files.configuration.schema import Schema, schema_of
from hilbridge.files.configuration.validation import explain
from hilbridge.files.configuration.yamlfile import YamlFile
from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.full_load import FullLoad
from vehiclesim.engine.torque_curve import TorqueCurve, make_curve
from vehiclesim.parameters import AirPathSettings, EngineSettings, Quantity, VehicleSettings, quantities
from vehiclesim.plausibility import implausible
from vehiclesim.vehicle import Vehicle

TITLE: Final = "hilbridge vehicle file"

_SCAN: Final = 2000
"""Points of the torque curve at which an engine is looked at before it is accepted."""


@dataclass(frozen=True, slots=True)
class VehicleFile:
    """A vehicle and where it comes from. `changed`: it is another one than its file says."""

    file: YamlFile
    settings: VehicleSettings
    changed: bool = False

    @property
    def path(self) -> Path:
        """The vehicle file."""
        return self.file.path

    def build(self) -> Vehicle:
        """Return the vehicle itself, a new one each time, with the parts of the user's that its file names."""
        return Vehicle(self.settings, load_extensions(self.settings, self.path.parent))

    def warnings(self) -> list[str]:
        """Return what no real vehicle has in this one, with file and line."""
        settings = self.settings
        sheet = Engine(settings.engine, settings.clutch).specifications()
        found = implausible(settings.engine, sheet, settings.auxiliary.air_path)
        return [str(self.file.problem(("engine", each.parameter), each.reason)) for each in found]


def load_vehicle(
    name: str, beside: Path | None = None, changes: Mapping[str, Any] = MappingProxyType({})
) -> VehicleFile:
    """Find and read a vehicle file; `beside` is the file that names it, `changes` are values in place of its own.

    ConfigurationError when there is no such file, InvalidFileError with everything that is wrong with it.
    """
    file = YamlFile.load(find(Kind.VEHICLE, name, beside))
    change(file, changes)
    try:
        settings: VehicleSettings = _adapter().validate_python(file.data, strict=True)
    except ValidationError as error:
        reasons = explain(error, file.data, vehicle_schema())
        raise InvalidFileError(file.problem(reason.place, reason.message) for reason in reasons) from None
    vehicle = VehicleFile(file, settings, changed=bool(changes))
    try:
        _check_parts_together(vehicle)
    except ConfigurationError as error:
        raise InvalidFileError([file.problem(error.place, error.message)]) from None
    return vehicle


def engine_of(section: dict[str, Any]) -> EngineSettings:
    """Return the engine of a section `engine`, checked as in a file. ConfigurationError: the first problem."""
    engine: EngineSettings = _checked(_section_adapter(EngineSettings), section)
    return engine


def air_path_of(section: dict[str, Any]) -> AirPathSettings:
    """Return the air path of a section `air_path`, checked as in a file. ConfigurationError: the first problem."""
    air_path: AirPathSettings = _checked(_section_adapter(AirPathSettings), section)
    return air_path


def _checked(adapter: TypeAdapter[Any], section: dict[str, Any]) -> Any:
    try:
        return adapter.validate_python(section, strict=True)
    except ValidationError as error:
        raise explain(error, section, schema_of(adapter, TITLE))[0] from None


@cache
def vehicle_schema() -> Schema:
    """Return the JSON Schema of a vehicle file."""
    return schema_of(_adapter(), TITLE)


@cache
def _adapter() -> TypeAdapter[VehicleSettings]:
    return TypeAdapter(_section(VehicleSettings))


@cache
def _section_adapter(parameters: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(_section(parameters))


def _section(parameters: type[Any]) -> Any:
    """Return the type of a section: keys named as the fields of `parameters`, which become such an object."""
    keys: Any = {entry.name: (_value(kind, note), _default(entry)) for entry, kind, note in quantities(parameters)}
    model = create_model(
        parameters.__name__,
        __config__=ConfigDict(extra="forbid", allow_inf_nan=False, defer_build=True),
        __doc__=parameters.__doc__,
        **keys,
    )
    return Annotated[model, AfterValidator(lambda values: _build(parameters, values))]


def _value(kind: Any, note: Quantity | str | None) -> Any:
    """Return the type of one key, with what the dataclass says about it."""
    if is_dataclass(kind) and isinstance(kind, type):
        return _section(kind)
    if isinstance(note, str) and type(None) in get_args(kind):  # a section that may be left out
        return Annotated[_section(get_args(kind)[0]) | None, Field(description=note)]
    if isinstance(kind, type) and issubclass(kind, Enum):
        kind = Literal[tuple(member.value for member in kind)]
    if not isinstance(note, Quantity):
        if get_origin(kind) is tuple:
            kind = list[_section(get_args(kind)[0])]  # type: ignore[misc]  # made at run time
        return Annotated[kind, Field(description=note)]
    bounds = Field(ge=note.minimum, le=note.maximum, gt=note.above, lt=note.below)
    about = Field(description=note.text, json_schema_extra={"unit": note.unit} if note.unit else None)
    if get_origin(kind) is tuple:
        return Annotated[list[Annotated[get_args(kind)[0], bounds]], about]  # type: ignore[misc]  # made at run time
    return Annotated[kind, bounds, about]


def _default(entry: Any) -> Any:
    """Return the default of a dataclass field as pydantic wants it, in YAML's types; ... for none."""
    if entry.default_factory is not MISSING:
        return Field(default_factory=entry.default_factory)
    if entry.default is MISSING:
        return ...
    if isinstance(entry.default, Enum):
        return entry.default.value
    return list(entry.default) if isinstance(entry.default, tuple) else entry.default


def _build(parameters: type[Any], values: BaseModel) -> Any:
    """Return the parameter object; what it or the part made from it refuses becomes an error at the key in question."""
    arguments = {entry.name: _as_field(kind, getattr(values, entry.name)) for entry, kind, _ in quantities(parameters)}
    try:
        built = parameters(**arguments)
    except ValueError as error:  # "field: reason", by the convention of vehiclesim.parameters
        name, _, reason = str(error).partition(": ")
        raise ConfigurationError(reason, (name,)) from None
    if isinstance(built, EngineSettings):
        _check_engine(built)
    return built


def _as_field(kind: Any, value: Any) -> Any:
    """Convert YAML's types to those of the dataclass."""
    if get_origin(kind) is tuple:
        return tuple(value)
    return kind(value) if isinstance(kind, type) and issubclass(kind, Enum) else value


def _check_parts_together(vehicle: VehicleFile) -> None:
    """Raise ConfigurationError for parts that do not fit: shift speeds and ratios, shafts that lead nowhere."""
    try:
        vehicle.build()
    except ConfigurationError:
        raise
    except ValueError as error:  # "field: reason", of the section that says when to shift, or of the shafts
        name, colon, reason = str(error).partition(": ")
        if not colon:
            raise ConfigurationError(str(error), ("shafts",)) from None
        raise ConfigurationError(reason, (name,) if name == "shafts" else ("shifting", name)) from None


@lru_cache(maxsize=8)
def _check_engine(settings: EngineSettings) -> None:
    """Raise ConfigurationError for an engine that brakes at full throttle somewhere between idle and max_rpm.

    Measured torque may rise again after its peak: there are full-load curves with two humps.
    """
    curve = make_curve(settings)
    if curve.malformed:
        raise _without_end(settings, curve)
    torque = FullLoad(curve, settings).torque
    step = (settings.max_rpm - settings.idle_rpm) / (_SCAN - 0.5)  # max_rpm itself is no point of the scan
    lowest = min((settings.idle_rpm + i * step for i in range(1, _SCAN)), key=torque)
    if torque(lowest) < 0.0:
        raise ConfigurationError(
            f"the torque at full throttle is {torque(lowest):.1f} Nm at {lowest:.0f} rpm, but must not be negative "
            "below max_rpm; raise the torques or lower the friction",
            ("table_torque",) if settings.table_rpm else (),
        )


def _without_end(settings: EngineSettings, curve: TorqueCurve) -> ConfigurationError:
    """Why the combustion of an engine does not end where max_rpm wants it to."""
    if settings.table_rpm:
        return ConfigurationError(
            f"from {settings.table_rpm[-2]:g} rpm to max_rpm the friction grows as much as the torque falls, or more; "
            "so the engine is not at its end there",
            ("table_resistive_torque",),
        )
    if settings.max_rpm <= settings.peak_rpm:
        return ConfigurationError(f"{settings.max_rpm:g} is not above peak_rpm {settings.peak_rpm:g}", ("max_rpm",))
    friction = curve.friction(settings.max_rpm * RPM_TO_W)
    raw = curve.raw_torque(settings.peak_rpm)
    return ConfigurationError(
        f"the friction at max_rpm ({friction:.1f} Nm) is not below the raw combustion torque at peak_rpm "
        f"({raw:.1f} Nm), so the engine cannot reach max_rpm; lower the friction or max_rpm"
    )
