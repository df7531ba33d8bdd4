"""Settings of the driver's controls and where they come from."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from hilbridge.errors import ConfigurationError
from hilbridge.settings.common import Milliseconds, Name, Settings, unit


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
    Milliseconds, Field(description="silence after which the source counts as lost", json_schema_extra=unit("ms"))
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
        int, Field(gt=0, le=10_000_000, description="as the sender's", json_schema_extra=unit("bit/s"))
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
