"""Settings of the frames that are sent: what differs from the database."""

from typing import Annotated, Any

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from hilbridge.errors import ConfigurationError, found
from hilbridge.settings.common import Milliseconds, Settings, unit


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
        Field(description="a multiple of the tick; default: the database's cycle time", json_schema_extra=unit("ms")),
    ] = None
    signals: Annotated[dict[str, SignalMap], Field(description="by signal name: where the value comes from")] = {}
