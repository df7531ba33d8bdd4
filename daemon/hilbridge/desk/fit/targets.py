"""The targets file: what is published about an engine, and what is assumed where nothing is.

    name: roadster 2.0
    fuel: petrol
    torque: {value: 200, rpm: 4600}
    power: {value: 118, rpm: 6000}

Torque and power peak are needed; every further figure narrows the engine down. `tolerance` is the share of a figure
by which it may be missed: three standard deviations. A figure that is missed by more contradicts the others.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError
from hilbridge.base.resources import Kind, find
from hilbridge.desk.fit.parameters import FUEL, SHAPE, check_fixed, check_unknown
from hilbridge.files.configuration.csvfile import Column, CsvFile
from hilbridge.files.configuration.schema import Schema, schema_of
from hilbridge.files.configuration.validation import explain
from hilbridge.files.configuration.yamlfile import YamlFile
from hilbridge.files.settings.common import Settings, unit
from vehiclesim.block import RPM_TO_W

TITLE: Final = "hilbridge targets of a fit"


_Rpm = Annotated[float, Field(gt=0, le=100_000, json_schema_extra=unit("rpm"))]
_Torque = Annotated[float, Field(gt=0, le=1e6, json_schema_extra=unit("Nm"))]
_Power = Annotated[float, Field(gt=0, le=1e6, json_schema_extra=unit("kW"))]
_Consumption = Annotated[float, Field(gt=0, le=1e5, json_schema_extra=unit("g/kWh"))]
_Tolerance = Annotated[float, Field(gt=0, le=1, description="share by which the figure may be missed")]
_RpmTolerance = Annotated[float, Field(gt=0, le=1, description="share by which its speed may be missed")]


_LB_FT: Final = 1.3558179483
"""[N m] of one foot-pound."""


_COLUMNS: Final = {
    "rpm": Column({"": 1.0, "1/min": 1.0}, 100_000.0, lowest=1.0),
    "torque": Column({"nm": 1.0, "lb-ft": _LB_FT, "lbft": _LB_FT}, 1e6),
    "power": Column({"kw": 1.0, "ps": 0.73549875, "hp": 0.74569987}, 1e6),
}


def _two_speeds(schema: dict[str, Any]) -> None:
    """Let a schema of a speed take a list of two as well."""
    number = {key: schema.pop(key) for key in ("type", "exclusiveMinimum", "maximum")}
    schema["anyOf"] = [number, {"type": "array", "items": number, "minItems": 2, "maxItems": 2}]
    schema |= unit("rpm")


_Plateau = Annotated[
    float,
    Field(
        gt=0,
        le=100_000,
        description="where it is; a list of two, or the begin and 'until', for a plateau",
        json_schema_extra=_two_speeds,
    ),
]


class _Peak(Settings):
    """A highest value, at a speed or along a plateau, as makers publish it."""

    rpm: _Plateau
    until: Annotated[_Rpm | None, Field(description="where the plateau ends")] = None

    @model_validator(mode="before")
    @classmethod
    def _two_ends(cls, value: Any) -> Any:
        match value:
            case {"rpm": [begin, end], **others} if "until" not in others:
                return {**others, "rpm": begin, "until": end}
        return value

    @model_validator(mode="after")
    def _ascending(self) -> "_Peak":
        if self.until is not None and self.until <= self.rpm:
            raise ConfigurationError(f"{self.until:g} is not above rpm {self.rpm:g}", ("until",))
        return self

    @property
    def ends(self) -> tuple[float, ...]:
        """The speeds where the plateau begins and ends, or that of the peak."""
        return (self.rpm,) if self.until is None else (self.rpm, self.until)

    @property
    def middle(self) -> float:
        """The middle of the plateau, or the speed of the peak."""
        return 0.5 * (self.rpm + (self.until or self.rpm))


class TorqueTarget(_Peak):
    """The highest torque. A plateau or `capped` say that the engine management holds it there."""

    value: _Torque
    capped: Annotated[bool, Field(description="a torque cap whose end is not known")] = False
    tolerance: _Tolerance = 0.01
    rpm_tolerance: _RpmTolerance = 0.02


class PowerTarget(_Peak):
    """The highest power."""

    value: _Power
    tolerance: _Tolerance = 0.01
    rpm_tolerance: _RpmTolerance = 0.02


class PointTarget(Settings):
    """A point of the full-load curve, by torque or power."""

    rpm: _Rpm
    torque: _Torque | None = None
    power: _Power | None = None
    tolerance: _Tolerance = 0.03

    @model_validator(mode="after")
    def _one(self) -> "PointTarget":
        if (self.torque is None) == (self.power is None):
            raise ConfigurationError("needs either 'torque' or 'power'")
        return self


class ChartTarget(Settings):
    """A digitised dyno chart: CSV with the columns `rpm` and `torque Nm` (or lb-ft) or `power kW` (PS, hp)."""

    file: Annotated[str, Field(min_length=1, description="beside the targets file, or a path")]
    tolerance: _Tolerance = 0.03


class IdleTarget(Settings):
    """Idle speed, and the full-throttle torque there where it is known."""

    rpm: _Rpm
    torque: _Torque | None = None
    tolerance: _Tolerance = 0.02


class SpeedTarget(Settings):
    """A speed of the engine."""

    rpm: _Rpm
    tolerance: _Tolerance = 0.01


class BestConsumptionTarget(Settings):
    """The lowest specific fuel consumption at full throttle, and where it is."""

    value: _Consumption
    rpm: _Rpm | None = None
    tolerance: _Tolerance = 0.02
    rpm_tolerance: _RpmTolerance = 0.04


class ConsumptionTarget(Settings):
    """The specific fuel consumption at a speed and a torque, power or mean pressure; without these at full throttle."""

    rpm: _Rpm
    value: _Consumption
    torque: _Torque | None = None
    power: _Power | None = None
    mean_pressure: Annotated[
        float | None,
        Field(gt=0, le=100, description="brake mean effective pressure, 4π·T/V", json_schema_extra=unit("bar")),
    ] = None
    tolerance: _Tolerance = 0.02

    @model_validator(mode="after")
    def _one(self) -> "ConsumptionTarget":
        if sum(each is not None for each in (self.torque, self.power, self.mean_pressure)) > 1:
            raise ConfigurationError("needs one of 'torque', 'power' and 'mean_pressure', or none for full throttle")
        return self

    @property
    def full(self) -> bool:
        """Whether it is at full throttle."""
        return (self.torque, self.power, self.mean_pressure) == (None, None, None)


class FrictionTarget(Settings):
    """Engine brake: the torque or power that turns the engine without fuel, at a speed or at the limit speed."""

    rpm: _Rpm | Literal["idle", "limit"]
    torque: _Torque | None = None
    power: _Power | None = None
    tolerance: _Tolerance = 0.05

    @model_validator(mode="after")
    def _one(self) -> "FrictionTarget":
        if (self.torque is None) == (self.power is None):
            raise ConfigurationError("needs either 'torque' or 'power'")
        return self


class CoastDownTarget(Settings):
    """The time in which the engine, out of gear and without fuel, slows down by its friction."""

    from_rpm: _Rpm
    to_rpm: _Rpm
    time: Annotated[float, Field(gt=0, le=1000, json_schema_extra=unit("s"))]
    tolerance: _Tolerance = 0.05

    @model_validator(mode="after")
    def _descending(self) -> "CoastDownTarget":
        if self.to_rpm >= self.from_rpm:
            raise ConfigurationError(f"{self.to_rpm:g} is not below from_rpm {self.from_rpm:g}", ("to_rpm",))
        return self


class StallTarget(Settings):
    """The speed below which the engine stalls, and its friction then, with the extra friction of a stalled engine."""

    rpm: _Rpm
    friction: _Torque | None = None
    tolerance: _Tolerance = 0.02


class PriorSettings(Settings):
    """The expected value of a parameter that the targets do not determine."""

    value: float
    spread: Annotated[float, Field(gt=0, description="one standard deviation, in the parameter's unit")]


class TargetsSettings(Settings):
    """The published figures of one engine."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    fuel: Annotated[Literal["petrol", "diesel"], Field(description="decides what is assumed")] = "petrol"
    displacement: Annotated[
        float | None,
        Field(gt=0, le=1000, description="friction grows with it; none: by the torque", json_schema_extra=unit("l")),
    ] = None
    torque: TorqueTarget
    power: PowerTarget
    idle: Annotated[IdleTarget | None, Field(description="none: 800 rpm")] = None
    points: list[PointTarget] = Field(default_factory=list)
    chart: ChartTarget | None = None
    max_rpm: Annotated[SpeedTarget | None, Field(description="where the engine's own torque is zero")] = None
    limit_rpm: Annotated[SpeedTarget | None, Field(description="where combustion ends")] = None
    limiter_rpm: Annotated[_Rpm | None, Field(description="where the engine management cuts off; none: no limiter")] = (
        None
    )
    fuel_law: Annotated[
        Literal["efficiency", "charge"],
        Field(
            description="efficiency: a curve of the indicated efficiency, with a point at each speed for which a "
            "consumption is given; charge: a full charge has as much fuel at every speed"
        ),
    ] = "efficiency"
    best_consumption: BestConsumptionTarget | None = None
    consumption: list[ConsumptionTarget] = Field(default_factory=list)
    friction: list[FrictionTarget] = Field(default_factory=list)
    coast_down: list[CoastDownTarget] = Field(default_factory=list)
    stall: StallTarget | None = None
    fixed: dict[str, bool | float | str] = Field(
        default_factory=dict, description="engine parameters that are known, such as inertia"
    )
    bounds: dict[str, Annotated[list[float], Field(min_length=2, max_length=2)]] = Field(
        default_factory=dict, description="lowest and highest value of a parameter that is sought"
    )
    priors: dict[str, PriorSettings] = Field(
        default_factory=dict, description="what is expected in place of what is assumed for the fuel"
    )

    @model_validator(mode="after")
    def _known_parameters(self) -> "TargetsSettings":
        for name, value in self.fixed.items():
            check_fixed(name, value, ("fixed", name))
        for name in self.bounds:
            check_unknown(name, ("bounds", name))
        for name in self.priors:
            check_unknown(name, ("priors", name))
        return self

    @model_validator(mode="after")
    def _consistent(self) -> "TargetsSettings":
        for section in ("fixed", "bounds", "priors"):
            for name in getattr(self, section):
                self._check_effect(section, name)
        for name, (low, high) in self.bounds.items():
            if high <= low:
                raise ConfigurationError(f"{high:g} is not above {low:g}", ("bounds", name, 1))
        for number, point in enumerate(self.consumption):
            if point.mean_pressure is not None and self.displacement is None:
                raise ConfigurationError("needs 'displacement'", ("consumption", number, "mean_pressure"))
        return self

    def _check_effect(self, section: str, name: str) -> None:
        """Raise ConfigurationError for a parameter that nothing depends on."""
        place = (section, name)
        if self.has_plateau and (name in SHAPE or (name == "max_rpm" and section != "fixed")):
            raise ConfigurationError("has no effect beside a plateau, which makes a table", place)
        if name in FUEL.values() and name != FUEL[self.fuel_law]:
            raise ConfigurationError(f"has no effect with the fuel_law '{self.fuel_law}'", place)
        if section != "fixed" and name in self.fixed:
            raise ConfigurationError("is fixed already", place)

    @property
    def has_plateau(self) -> bool:
        """Whether torque or power is held over a range of speeds: then the full load is a table."""
        return self.torque.until is not None or self.power.until is not None


class CurvePoint(NamedTuple):
    """A point of the full-load curve."""

    rpm: float
    torque: float  # [Nm]


@dataclass(frozen=True, slots=True)
class Targets:
    """Targets, the file that they come from, and the points of their chart."""

    file: YamlFile
    settings: TargetsSettings
    chart: tuple[CurvePoint, ...] = ()


def load_targets(name: str) -> Targets:
    """Find and read a targets file, and the chart that it names.

    ConfigurationError when there is no such file, InvalidFileError with everything that is wrong with one.
    """
    file = YamlFile.load(find(Kind.ENGINE, name))
    settings = check_targets(file)
    return Targets(file, settings, _chart(file, settings))


def check_targets(file: YamlFile) -> TargetsSettings:
    """Return the settings of a targets file, whose chart is not read. InvalidFileError: all that is wrong with it."""
    try:
        return TargetsSettings.model_validate(file.data, strict=True)
    except ValidationError as error:
        reasons = explain(error, file.data, targets_schema())
        raise InvalidFileError(file.problem(reason.place, reason.message) for reason in reasons) from None


def _chart(file: YamlFile, settings: TargetsSettings) -> tuple[CurvePoint, ...]:
    """Return the points of the chart; InvalidFileError with the line that names a file that cannot be read."""
    if settings.chart is None:
        return ()
    try:
        return load_chart(file.path.parent / settings.chart.file)
    except InvalidFileError:
        raise
    except ConfigurationError as error:
        raise InvalidFileError([file.problem(("chart", "file"), error.message)]) from None


@cache
def targets_schema() -> Schema:
    """Return the JSON Schema of a targets file."""
    return schema_of(TypeAdapter(TargetsSettings), TITLE)


def load_chart(path: Path) -> tuple[CurvePoint, ...]:
    """Read a chart; T = P/w where it gives the power.

    InvalidFileError with everything that is wrong with it, ConfigurationError when it cannot be read at all.
    """
    file = CsvFile(path, "chart", _COLUMNS, needed=("rpm",))
    if not file.problems and ("torque" in file.values) == ("power" in file.values):
        file.refuse(1, "", "needs either a column 'torque' or a column 'power'")
    file.check_ascending("rpm", "1/min")
    file.verdict()
    speeds = file.values["rpm"]
    if "torque" in file.values:
        return tuple(map(CurvePoint, speeds, file.values["torque"]))
    return tuple(
        CurvePoint(rpm, 1e3 * power / (rpm * RPM_TO_W)) for rpm, power in zip(speeds, file.values["power"], strict=True)
    )
