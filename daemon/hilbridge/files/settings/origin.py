"""Where a value comes from: an entry of the data bus, an expression of several, or a constant."""

import re
from typing import Annotated, Any, ClassVar, Final

from pydantic import BeforeValidator, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from hilbridge.base.common.errors import ConfigurationError, describe_value
from hilbridge.files.settings.common import Settings, completes, paired, require_curve

_CALCULATION: Final = re.compile(r"[-+*/%<>=()!&|?]")
"""A character that no name of an entry has."""


class Origin(Settings):
    """The origin of a value: an entry of the data bus, an expression or a constant; the value in place of NaN.

    Short form: the entry alone, `EngineSpeed: vehicle.EngineRpm`.
    """

    origins: ClassVar[dict[str, str]] = {"from": "'from' (a data bus entry)", "expression": "", "constant": ""}
    """The keys of which exactly one is given, with words for those that need them."""

    source: Annotated[
        str | None,
        Field(alias="from", description="data bus entry, e.g. vehicle.EngineRpm", json_schema_extra=completes("entry")),
    ] = None
    expression: Annotated[
        str | None,
        Field(
            min_length=1,
            description="computed from data bus entries, in the signal's unit, e.g. vehicle.EngineRpm * 0.25 + 3",
        ),
    ] = None
    constant: Annotated[float | None, Field(description="a fixed value, in the signal's unit")] = None
    table: Annotated[
        list[Annotated[tuple[float, float], BeforeValidator(paired)]],
        Field(
            description="points [value of the entry or expression, value of the signal], straight lines between them, "
            "held beyond them; e.g. of a fuel sender [[0, 625], [0.5, 3600], [1, 9700]]"
        ),
    ] = []
    substitute: Annotated[float | None, Field(description="sent while the value is not available")] = None
    unit: Annotated[
        str | None,
        Field(
            description="the signal's unit, where the database does not name it", json_schema_extra=completes("unit")
        ),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"from": value}
        if not isinstance(value, dict | Origin):
            raise ConfigurationError(f"needs a data bus entry such as vehicle.EngineRpm, found {describe_value(value)}")
        return value

    @property
    def given(self) -> list[str]:
        """Those of `origins` that are given."""
        values = {key: getattr(self, "source" if key == "from" else key) for key in self.origins}
        return [key for key, value in values.items() if value is not None and value not in ([], {})]

    @model_validator(mode="after")
    def _one_origin(self) -> "Origin":
        given = self.given
        if not given:
            words = [text or f"'{key}'" for key, text in self.origins.items()]
            raise ConfigurationError(f"needs one of {', '.join(words[:-1])} or {words[-1]}")
        if len(given) > 1:
            raise ConfigurationError(f"has {' and '.join(map(repr, given))}: one only")
        if self.source is not None and _CALCULATION.search(self.source):
            raise ConfigurationError(f"is a calculation, not an entry: write {{expression: {self.source}}}", ("from",))
        if self.unit is not None and self.source is None:
            raise ConfigurationError("belongs to 'from'; here the value is in the signal's unit already", ("unit",))
        return self

    @model_validator(mode="after")
    def _curve_fits(self) -> "Origin":
        require_curve(self.table, "table")
        for key in ("constant", "unit"):
            if self.table and getattr(self, key) is not None:
                raise ConfigurationError("does not go with 'table'", (key,))
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Accept a data bus entry alone."""
        section = handler.resolve_ref_schema(handler(core_schema))
        return {"anyOf": [{"type": "string", **completes("entry")}, section]}
