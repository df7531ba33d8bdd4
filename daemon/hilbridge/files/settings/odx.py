"""Settings of a diagnostic database: an ODX file that gives a control unit its services."""

from typing import Annotated, Any

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from hilbridge.files.settings.common import Settings


class OdxSettings(Settings):
    """A PDX package, or an ODX document, that a control unit takes services, identifiers, sessions and codes from.

    Short form: the file alone. What it has no values for is 0, or the lowest value it allows, until the bench says
    otherwise; `hilbridge check` lists what could not be read.
    """

    file: Annotated[str, Field(min_length=1, max_length=4096, description="beside the bench file, or a path")]
    variant: Annotated[
        str | None,
        Field(min_length=1, description="short name of an ECU variant or base variant; default: the only ECU variant"),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        return {"file": value} if isinstance(value, str) else value

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Accept the file alone."""
        return {"anyOf": [{"type": "string"}, handler.resolve_ref_schema(handler(core_schema))]}
