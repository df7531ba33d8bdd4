"""Settings of the routines of service 31, and of the conditions under which a service is done."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from hilbridge.common.errors import ConfigurationError, describe_value
from hilbridge.settings.common import Settings, UserFunction, unit
from hilbridge.settings.data_records import FieldSettings
from hilbridge.settings.uds_keys import Level

_CONDITIONS_NOT_CORRECT: Final = 0x22


class ConditionSettings(Settings):
    """A condition, and the code of the negative response while it does not hold, or is not available.

    Short form: the expression alone, which refuses with 22, conditions not correct.
    """

    holds: Annotated[
        str, Field(min_length=1, description="expression of data bus entries that is true, or not 0: it may go on")
    ]
    refusal: Annotated[
        int, Field(ge=0x10, le=0xFF, description="code of the negative response, e.g. 0x88, vehicle speed too high")
    ] = _CONDITIONS_NOT_CORRECT

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"holds": value}
        if not isinstance(value, dict | ConditionSettings):
            raise ConfigurationError(f"needs an expression such as vehicle.Speed == 0, found {describe_value(value)}")
        return value

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Accept an expression alone."""
        section = handler.resolve_ref_schema(handler(core_schema))
        return {"anyOf": [{"type": "string"}, section]}


class RoutineSettings(Settings):
    """A routine: a built-in `kind`, or answers made of fields, or what a function of yours returns.

    The built-in self-test counts the codes whose last test failed, in 2 s and at rest; the consumption measures fuel
    and distance between start and stop.

    The function is called in the tick as that of a data identifier: `def routine(value, function, option) -> bytes`,
    with 1 for start, 2 for stop and 3 for results, and the bytes that followed in the request.
    """

    kind: Annotated[
        Literal["self-test", "consumption"] | None, Field(description="a built-in routine; it has no other keys")
    ] = None
    start: Annotated[dict[str, FieldSettings], Field(description="fields of the answer to 01, start")] = {}
    stop: Annotated[
        dict[str, FieldSettings] | None, Field(description="fields of the answer to 02, stop; default: not supported")
    ] = None
    results: Annotated[
        dict[str, FieldSettings] | None,
        Field(description="fields of the answer to 03, request results; default: not supported"),
    ] = None
    hook: Annotated[
        UserFunction | None, Field(description="FILE.py:FUNCTION that returns the bytes in place of the fields")
    ] = None
    duration: Annotated[
        float,
        Field(ge=0, le=600_000, description="of a start; 78 is answered while it runs", json_schema_extra=unit("ms")),
    ] = 0.0
    option: Annotated[
        int, Field(ge=0, le=4092, description="that follow in a start", json_schema_extra=unit("bytes"))
    ] = 0
    conditions: Annotated[
        list[ConditionSettings], Field(description="must hold at the start, and while it runs; the first one refuses")
    ] = []
    security: Level = 0

    @model_validator(mode="after")
    def _of_one_kind(self) -> "RoutineSettings":
        """Refuse a key that nobody would read."""
        if self.kind is not None:
            others = [key for key in type(self).model_fields if key in self.model_fields_set - {"kind", "security"}]
            if others:
                raise ConfigurationError("does not go with 'kind'", (others[0],))
        for key in ("start", "stop", "results"):
            if self.hook is not None and getattr(self, key):
                raise ConfigurationError("the function makes its bytes: it has no fields", (key,))
        return self
