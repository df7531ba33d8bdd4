"""Settings of the conditions under which a diagnostic service is done."""

from typing import Annotated, Any, Final

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from hilbridge.base.common.errors import ConfigurationError, describe_value
from hilbridge.files.settings.common import Settings

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
