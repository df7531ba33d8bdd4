"""Settings of the entries that a bench declares by itself."""

from typing import Annotated, Final

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Name, Settings, completes

MOST: Final = 64
"""Entries that a bench may declare: they have their places in every snapshot."""

GREATEST: Final = 2_000_000.0
"""Values are kept in thousandths, ratios in ten-thousandths, and in 32 bits."""

_GREATEST_RATIO: Final = 200_000.0


class CustomEntry(Settings):
    """An entry `custom.NAME` of the data bus: set from outside as a control is, or computed in every tick."""

    unit: Annotated[
        str,
        Field(description="as in databases; '1' is a ratio, none a number", json_schema_extra=completes("unit")),
    ] = ""
    range: Annotated[
        list[float] | None,
        Field(
            min_length=2,
            max_length=2,
            description="[lowest, highest] value that may be set, or comes of the expression",
        ),
    ] = None
    codes: Annotated[
        dict[Annotated[str, Field(pattern=r"^-?\d{1,6}$")], Annotated[str, Field(min_length=1)]],
        Field(description="in place of a range: {0: good, 1: low}, the states by their numbers"),
    ] = {}
    default: Annotated[
        float | str | None,
        Field(description="until somebody sets it, or the name of a code; default: 0 if that can be, else the lowest"),
    ] = None
    meaning: Annotated[str, Field(description="for people")] = ""
    expression: Annotated[
        str | None,
        Field(min_length=1, description="computes it from other entries in every tick; then nothing sets it"),
    ] = None

    @property
    def limits(self) -> tuple[float, float] | None:
        """The lowest and the highest value; None of a computed entry that has no range."""
        if self.codes:
            numbers = [int(code) for code in self.codes]
            return float(min(numbers)), float(max(numbers))
        return None if self.range is None else (self.range[0], self.range[1])

    @property
    def start(self) -> float:
        """The value until someone sets it."""
        lowest, highest = self.limits or (0.0, 0.0)
        if isinstance(self.default, str):
            return next(float(code) for code, state in self.codes.items() if state.lower() == self.default.lower())
        if self.default is None:
            return 0.0 if lowest <= 0.0 <= highest else lowest
        return self.default

    @model_validator(mode="after")
    def _has_a_range(self) -> "CustomEntry":
        if self.codes and (self.unit or self.range is not None):
            raise ConfigurationError("states have neither unit nor range", ("codes",))
        if self.range is not None:
            lowest, highest = self.range
            greatest = _GREATEST_RATIO if self.unit == "1" else GREATEST
            if not -greatest <= lowest < highest <= greatest:
                raise ConfigurationError(f"must ascend, within -{greatest:g} and {greatest:g}", ("range",))
        if self.expression is None and self.limits is None:
            raise ConfigurationError("needs 'range' or 'codes' to be set, or 'expression' to be computed")
        return self

    @model_validator(mode="after")
    def _begins_inside(self) -> "CustomEntry":
        if self.default is None:
            return self
        if self.expression is not None:
            raise ConfigurationError("a computed entry has no default", ("default",))
        lowest, highest = self.limits or (0.0, 0.0)
        if isinstance(self.default, str):
            if self.default.lower() not in (state.lower() for state in self.codes.values()):
                raise ConfigurationError(f"{self.default!r} is not among the codes", ("default",))
        elif not lowest <= self.default <= highest:
            raise ConfigurationError(f"{self.default:g} is not within {lowest:g}..{highest:g}", ("default",))
        return self


CustomEntries = Annotated[
    dict[Name, CustomEntry],
    Field(max_length=MOST, description="entries of your own, by name: `custom.NAME` of the data bus"),
]
