"""The bench file: every setting, its type, bounds and default.

The classes mirror the YAML file key by key. They are read once at start; what the tick needs is copied into the
objects it works with. `hilbridge schema` prints the same classes as JSON Schema, and config/README.md is made from
them. What only shows when several settings are seen together is checked in consistency.py.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from hilbridge.errors import ConfigurationError, found

NANOSECONDS: Final = 1_000_000_000
MILLISECOND: Final = 1_000_000
"""[ns]"""

RATES: Final = tuple(rate for rate in range(10, 1001) if NANOSECONDS % rate == 0)
"""[Hz] whose period is a whole number of nanoseconds."""


def _unit(unit: str) -> dict[str, Any]:
    return {"unit": unit}


def _whole_period(rate: int) -> int:
    if rate not in RATES:
        lower = max((known for known in RATES if known < rate), default=RATES[0])
        upper = min((known for known in RATES if known > rate), default=RATES[-1])
        raise ConfigurationError(f"{rate} Hz has no period in whole nanoseconds; nearest rates: {lower} and {upper}")
    return rate


Milliseconds = Annotated[float, Field(gt=0, le=3_600_000)]
Rate = Annotated[int, Field(ge=RATES[0], le=RATES[-1]), AfterValidator(_whole_period)]
NAME_RULE: Final = "letters, digits, '_' and '-', beginning with a letter"
Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")]


class Settings(BaseModel):
    """Frozen; a key that nobody knows is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


# -- frames out ---------------------------------------------------------------------------------------------------


class SignalMap(Settings):
    """Where a signal's value comes from: an entry of the data bus or a constant, and what stands in for NaN.

    Short form: the entry alone, `EngineSpeed: vehicle.EngineRpm`.
    """

    source: Annotated[str | None, Field(alias="from", description="data bus entry, e.g. vehicle.EngineRpm")] = None
    constant: Annotated[float | None, Field(description="a fixed value, in the signal's unit")] = None
    unit: Annotated[str | None, Field(description="the signal's unit, where the database does not name it")] = None
    substitute: Annotated[float | None, Field(description="sent while the value is not available")] = None

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"from": value}
        if not isinstance(value, dict | SignalMap):
            raise ConfigurationError(f"needs a data bus entry such as vehicle.EngineRpm, found {found(value)}")
        return value

    @model_validator(mode="after")
    def _one_origin(self) -> "SignalMap":
        if (self.source is None) == (self.constant is None):
            raise ConfigurationError("needs either 'from' (a data bus entry) or 'constant'")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """A data bus entry alone is enough."""
        section = handler.resolve_ref_schema(handler(core_schema))
        return {"anyOf": [{"type": "string"}, section]}


class MessageMap(Settings):
    """What differs from the database for one message."""

    period: Annotated[
        Milliseconds | None,
        Field(description="a multiple of the tick; default: the database's cycle time", json_schema_extra=_unit("ms")),
    ] = None
    signals: Annotated[dict[str, SignalMap], Field(description="by signal name: where the value comes from")] = {}


# -- buses --------------------------------------------------------------------------------------------------------


class BusSettings(Settings):
    """One CAN bus: how it is reached, and which messages of which database are sent on it."""

    interface: Annotated[
        str, Field(description="embedded, socketcan, or any interface name of python-can", pattern=r"^[a-z0-9_-]+$")
    ]
    channel: Annotated[str | int | None, Field(description="e.g. vcan0; not for embedded")] = None
    bitrate: Annotated[
        int | None, Field(gt=0, description="for interfaces that set it", json_schema_extra=_unit("bit/s"))
    ] = None
    fd: Annotated[bool, Field(description="CAN FD frames may be sent and received")] = False
    options: Annotated[
        dict[str, str | int | float | bool], Field(description="further parameters, handed to python-can as they are")
    ] = {}
    slcan: Annotated[
        int | None, Field(ge=0, le=65535, description="embedded only: loopback TCP port for SLCAN clients (0: any)")
    ] = None
    database: Annotated[str | None, Field(description="file in dbc/, or a path (DBC, KCD, ARXML, SYM)")] = None
    transmit: Annotated[list[str], Field(description="nodes of the database whose messages are sent")] = []
    messages: Annotated[
        dict[str, MessageMap], Field(description="by message name: what differs from the database")
    ] = {}

    @model_validator(mode="after")
    def _consistent(self) -> "BusSettings":
        if self.interface == "embedded":
            for key in ("channel", "bitrate", "options"):
                if getattr(self, key) not in (None, {}):
                    raise ConfigurationError(f"an embedded bus has no {key}", (key,))
        else:
            if self.slcan is not None:
                raise ConfigurationError("only an embedded bus has an SLCAN port", ("slcan",))
            if self.channel is None:
                raise ConfigurationError(f"interface {self.interface} needs a channel, e.g. can0", ("channel",))
        if self.database is None:
            for key in ("transmit", "messages"):
                if getattr(self, key):
                    raise ConfigurationError("needs a 'database' that describes the messages", (key,))
        return self


# -- inputs -------------------------------------------------------------------------------------------------------


class InputSignal(Settings):
    """One control of the driver, from a signal of a message or a field of a line.

    share = (raw - minimum) / (maximum - minimum), held inside 0..1, of the control's travel, where minimum and
    maximum are given (maximum may be the smaller one: an inverted track); otherwise the raw value as it is.
    """

    field: Annotated[str | None, Field(description="signal or field name; default: the control's own name")] = None
    minimum: Annotated[float | None, Field(description="raw value of the released end")] = None
    maximum: Annotated[float | None, Field(description="raw value of the pressed end")] = None
    dead_zone: Annotated[float, Field(ge=0, lt=0.5, description="share of the travel ignored at each end")] = 0.0
    safe: Annotated[
        float | Literal["hold"] | None,
        Field(description="value after a time-out; default: pedals go to 0, levers hold"),
    ] = None

    @model_validator(mode="after")
    def _both_ends(self) -> "InputSignal":
        if (self.minimum is None) != (self.maximum is None):
            raise ConfigurationError("'minimum' and 'maximum' belong together; one of them is missing")
        if self.minimum is not None and self.minimum == self.maximum:
            raise ConfigurationError("'minimum' and 'maximum' are equal", ("maximum",))
        if self.dead_zone and self.minimum is None:
            raise ConfigurationError("needs 'minimum' and 'maximum'", ("dead_zone",))
        return self


_BoundSignals = Annotated[
    dict[str, InputSignal],
    Field(min_length=1, description="by control: Throttle, Brake, Clutch, Key, settings.AbsOverride ..."),
]
_Timeout = Annotated[
    Milliseconds, Field(description="silence after which the source counts as lost", json_schema_extra=_unit("ms"))
]


class CanInput(Settings):
    """Controls received in a message of a bus's database."""

    source: Literal["can"]
    bus: Annotated[Name, Field(description="one of 'buses'")]
    message: Annotated[str, Field(description="message of the bus's database")]
    timeout: _Timeout = 500.0
    signals: _BoundSignals


class SerialInput(Settings):
    """Controls received as lines from a serial port."""

    source: Literal["serial"]
    port: Annotated[
        str,
        Field(description="device path, or pty: a pseudo terminal made at start", min_length=1, pattern=r"^[^\x00]*$"),
    ]
    baudrate: Annotated[
        int, Field(gt=0, le=10_000_000, description="as the sender's", json_schema_extra=_unit("bit/s"))
    ] = 115200
    format: Annotated[Literal["pairs", "csv"], Field(description="pairs: throttle=512 key=1; csv: 512,1")] = "pairs"
    columns: Annotated[list[str], Field(description="csv only: the names of the columns, in order")] = []
    timeout: _Timeout = 500.0
    signals: _BoundSignals

    @model_validator(mode="after")
    def _columns_for_csv(self) -> "SerialInput":
        if self.format == "csv" and not self.columns:
            raise ConfigurationError("needs 'columns', the names of the values of a line", ("format",))
        if self.columns and self.format != "csv":
            raise ConfigurationError("belongs to 'format: csv'", ("columns",))
        return self


class DemoDriverInput(Settings):
    """A driver that drives a short loop by itself while no other source speaks."""

    source: Literal["demo-driver"]


InputSource = Annotated[CanInput | SerialInput | DemoDriverInput, Field(discriminator="source")]


# -- diagnostics --------------------------------------------------------------------------------------------------


class ObdSettings(Settings):
    """An OBD-II server (ISO 15765-4, 11-bit: requests 7DF and 7E0, answers 7E8)."""

    bus: Annotated[Name, Field(description="one of 'buses'")]


class DiagnosticsSettings(Settings):
    """Diagnostic servers; they need a rate of 100 Hz or more."""

    obd: Annotated[ObdSettings | None, Field(description="OBD-II server")] = None


# -- the whole ----------------------------------------------------------------------------------------------------


class BenchSettings(Settings):
    """A bench: one vehicle, its buses and its inputs."""

    name: Annotated[Name, Field(description=NAME_RULE)]
    rate: Annotated[
        Rate, Field(description="ticks per second", json_schema_extra={"unit": "Hz", "enum": list(RATES)})
    ] = 1000
    seed: Annotated[int, Field(ge=0, description="for everything random, and written into the manifest")] = 0
    vehicle: Annotated[str, Field(description="name of a file in config/vehicles, or a path")]
    buses: Annotated[dict[Name, BusSettings], Field(description="by a name of your choice: the CAN buses")] = {}
    inputs: Annotated[list[InputSource], Field(description="the driver's controls, highest priority first")] = []
    diagnostics: Annotated[DiagnosticsSettings, Field(description="diagnostic servers")] = DiagnosticsSettings()

    @property
    def period(self) -> int:
        """[ns] of one tick."""
        return NANOSECONDS // self.rate

    def period_problem(self, milliseconds: float) -> str | None:
        """Why a frame cannot be sent with this period [ms], or None: a period is a whole number of ticks."""
        nanoseconds = round(milliseconds * MILLISECOND)
        if nanoseconds and nanoseconds % self.period == 0:
            return None
        tick = self.period / MILLISECOND
        below = nanoseconds // self.period
        nearest = " or ".join(f"{count * tick:g} ms" for count in (below, below + 1) if count)
        return f"{milliseconds:g} ms is no multiple of the tick ({tick:g} ms at {self.rate} Hz); nearest: {nearest}"
