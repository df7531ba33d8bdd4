"""Settings of a table of VSS: which values of a bench stand at which paths. The shipped table is config/vss.yaml."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Settings, completes

MOST: Final = 4000
"""Paths of a table; VSS 6.0 has 1267."""

LONGEST_PATH: Final = 1000
"""[characters] as Databroker takes them."""

Datatype = Literal[
    "boolean", "string", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double"
]
"""The datatypes of VSS that have one value; there are no arrays on the data bus."""

RANGES: Final[dict[str, tuple[int, int]]] = {
    f"{sign}int{bits}": (0, (1 << bits) - 1) if sign else (-(1 << bits - 1), (1 << bits - 1) - 1)
    for sign in ("", "u")
    for bits in (8, 16, 32, 64)
}
"""The lowest and the highest value of each datatype of whole numbers."""


class VssSignal(Settings):
    """A signal of VSS, as its release has it, and its value on a bench."""

    type: Annotated[Datatype, Field(description="its datatype there")]
    unit: Annotated[str, Field(description="its unit there", max_length=40)] = ""
    min: Annotated[float | None, Field(description="its lowest value there")] = None
    max: Annotated[float | None, Field(description="its highest value there")] = None
    value: Annotated[
        str,
        Field(
            min_length=1,
            description="an entry, or an expression of entries in the unit of the first of them; true unless 0",
            json_schema_extra=completes("entry"),
        ),
    ]
    states: Annotated[
        dict[str, Annotated[str, Field(min_length=1)]],
        Field(max_length=100, description="string: what it is in each state of the entry, or for each whole number"),
    ] = {}
    note: Annotated[str, Field(max_length=200, description="for people: what is assumed")] = ""

    @model_validator(mode="after")
    def _is_of_its_type(self) -> "VssSignal":
        is_number = self.type not in ("boolean", "string")
        if self.states and self.type != "string":
            raise ConfigurationError(f"a {self.type} has no states", ("states",))
        if self.type == "string" and not self.states:
            raise ConfigurationError("a string needs 'states'")
        if not is_number and (self.unit or self.min is not None or self.max is not None):
            raise ConfigurationError(f"a {self.type} has neither unit nor bounds")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ConfigurationError(f"is below 'min', {self.min:g}", ("max",))
        return self


class VssSettings(Settings):
    """A table: the release of VSS that it was written for, and its signals by path."""

    release: Annotated[str, Field(description="of VSS", max_length=40)]
    leaves: Annotated[int, Field(ge=1, description="signals that the release has, with a value on a bench or none")]
    signals: Annotated[
        dict[
            Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)+$", max_length=LONGEST_PATH)],
            VssSignal,
        ],
        Field(min_length=1, max_length=MOST, description="by path: `Vehicle.Speed`"),
    ]
