"""Identifiers of CAN frames in lists: one, or a range."""

from typing import Annotated, Any

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from hilbridge.base.common.errors import ConfigurationError, describe_value, quoted
from hilbridge.files.settings.common import Settings

HIGHEST = 0x1FFF_FFFF
"""The largest identifier of 29 bits."""


class IdentifierRange(Settings):
    """The identifiers from `first` to `last`: `0x3D0`, or `0x700-0x7FF` for a range.

    A number up to 0x7FF stands for the frame with 11 bits and for that with 29 bits.
    """

    first: Annotated[int, Field(ge=0, le=HIGHEST)]
    last: Annotated[int, Field(ge=0, le=HIGHEST)]

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            return {"first": value, "last": value}
        if isinstance(value, str):
            first, dash, last = value.partition("-")
            try:
                return {"first": int(first, 0), "last": int(last if dash else first, 0)}
            except ValueError:
                raise ConfigurationError(f"{quoted(value)} is no range such as 0x700-0x7FF") from None
        if not isinstance(value, dict | IdentifierRange):
            raise ConfigurationError(
                f"needs an identifier such as 0x3D0, or 0x700-0x7FF, found {describe_value(value)}"
            )
        return value

    @model_validator(mode="after")
    def _in_order(self) -> "IdentifierRange":
        if self.first > self.last:
            raise ConfigurationError(f"0x{self.first:X} is beyond 0x{self.last:X}")
        return self

    def __contains__(self, identifier: int) -> bool:
        return self.first <= identifier <= self.last

    def __str__(self) -> str:
        return f"0x{self.first:X}" if self.first == self.last else f"0x{self.first:X}-0x{self.last:X}"

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return a number or a text."""
        section = handler.resolve_ref_schema(handler(core_schema))
        return {"anyOf": [{"type": "integer"}, {"type": "string"}, section]}
