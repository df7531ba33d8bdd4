"""Settings of a layout: where the values lie in the datagrams of a game, and which controls they set."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Milliseconds, Settings, completes
from hilbridge.files.settings.common import unit as measured_in
from hilbridge.files.settings.input_signals import InputSignal

LARGEST_DATAGRAM: Final = 8192
"""[bytes] More than any game sends: packets of numbers have some hundred, texts some thousand."""

LENGTHS: Final = {
    "u8": 1,
    "i8": 1,
    "u16": 2,
    "i16": 2,
    "u32": 4,
    "i32": 4,
    "u64": 8,
    "i64": 8,
    "f32": 4,
    "f64": 8,
}
"""[bytes] of the types of numbers."""

Line = Annotated[str, Field(min_length=1)]
Use = Literal["driver", "vehicle"]
_Byte = Annotated[int, Field(ge=0, lt=LARGEST_DATAGRAM)]
_Milliseconds = measured_in("ms")


class LayoutField(Settings):
    """A value of a datagram: value = (reading · scale) + add, in `unit`.

    The reading is a number or text at a place, some bits of it, a named value of a text, the length of a vector, a sum
    of others, or always the same.
    """

    offset: Annotated[
        _Byte | None, Field(description="binary: its first byte", json_schema_extra=measured_in("byte"))
    ] = None
    type: Annotated[
        Literal["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64", "text"],
        Field(description="binary: unsigned, signed or float; bits"),
    ] = "f32"
    length: Annotated[int, Field(ge=1, le=256, description="binary: of a text, which ends before its first byte 0")] = 1
    bit: Annotated[int | None, Field(ge=0, le=63, description="lowest bit of an unsigned number; 0 is the lowest")] = (
        None
    )
    bits: Annotated[int, Field(ge=1, le=32, description="with 'bit': how many")] = 1
    name: Annotated[
        Line | None, Field(description="text: its name there; truck.speed is 'speed' within 'truck'; default: the key")
    ] = None
    magnitude: Annotated[
        list[Line], Field(max_length=3, description="fields whose squares are summed up: the length of their vector")
    ] = []
    sum: Annotated[
        dict[Line, float], Field(description="fields that are added up, each times its number: {left: 1, right: 2}")
    ] = {}
    constant: Annotated[float | None, Field(description="a value that every datagram has")] = None
    scale: Annotated[float, Field(description="of the reading")] = 1.0
    add: Annotated[float, Field(description="added to the scaled reading")] = 0.0
    unit: Annotated[
        str | None,
        Field(description="of the value; default: the unit of what it sets", json_schema_extra=completes("unit")),
    ] = None
    range: Annotated[
        list[float] | None,
        Field(min_length=2, max_length=2, description="lowest and highest value; one beyond spoils the datagram"),
    ] = None
    hold: Annotated[
        Milliseconds | None,
        Field(
            description="a value that is not 0 stays for so long: of a lamp that blinks, or of a key that is tapped",
            json_schema_extra=_Milliseconds,
        ),
    ] = None

    @model_validator(mode="after")
    def _one_origin(self) -> "LayoutField":
        given = [key for key in ("offset", "name", "magnitude", "sum", "constant") if key in self.model_fields_set]
        if len(given) > 1:
            raise ConfigurationError(f"does not go with '{given[0]}'", (given[1],))
        if self.bit is not None and not self.type.startswith("u"):
            raise ConfigurationError("needs an unsigned type", ("bit",))
        if self.range is not None and self.range[0] > self.range[1]:
            raise ConfigurationError("the lowest value comes first", ("range",))
        return self

    @property
    def parts(self) -> list[str]:
        """The fields that it is made of."""
        return [*self.magnitude, *self.sum]

    @property
    def is_made(self) -> bool:
        """Whether it has no reading of its own."""
        return bool(self.parts) or self.constant is not None

    @property
    def end(self) -> int:
        """The byte behind it; 0 of a field without a place."""
        return 0 if self.offset is None else self.offset + LENGTHS.get(self.type, self.length)


class LayoutGap(Settings):
    """Bytes that datagrams of one size have in between: every field from `at` on lies `length` bytes further."""

    at: _Byte
    length: Annotated[int, Field(ge=1, lt=LARGEST_DATAGRAM)]


class LayoutSettings(Settings):
    """A layout of datagrams."""

    title: Annotated[Line, Field(description="what sends them")]
    sources: Annotated[list[Line], Field(min_length=1, description="where the facts were published")]
    notes: Annotated[list[Line], Field(description="what a user of the game must know")] = []
    form: Annotated[
        Literal["binary", "pairs", "csv", "json"],
        Field(description="binary: numbers at places; else a text as the formats of serial ports"),
    ] = "binary"
    byte_order: Annotated[Literal["little", "big"], Field(description="binary: lowest or highest byte first")] = (
        "little"
    )
    sizes: Annotated[
        list[Annotated[int, Field(ge=1, le=LARGEST_DATAGRAM)]],
        Field(description="binary: the lengths that a datagram may have; a field behind its end is absent"),
    ] = []
    gaps: Annotated[dict[Annotated[str, Field(pattern=r"^[0-9]+$")], LayoutGap], Field(description="by a size")] = {}
    columns: Annotated[list[Line], Field(description="csv: the names of the columns, in order")] = []
    fields: Annotated[dict[Line, LayoutField], Field(min_length=1, description="by a name of your choice")]
    when: Annotated[
        dict[Line, float],
        Field(description="by field: the value without which a datagram says nothing, as in a menu of the game"),
    ] = {}
    time: Annotated[
        Line | None,
        Field(
            description="field with the game's time in seconds: a datagram that is not newer than the last one counts "
            "as nothing; 0 says nothing, and more than a second backwards is a new start of the game"
        ),
    ] = None
    driver: Annotated[
        dict[str, InputSignal],
        Field(
            description="by control: what an input with 'use: driver' sets",
            json_schema_extra={"completes_keys": "control"},
        ),
    ] = {}
    vehicle: Annotated[
        dict[str, InputSignal],
        Field(
            description="by control: what an input with 'use: vehicle' sets",
            json_schema_extra={"completes_keys": "control"},
        ),
    ] = {}

    def uses(self, use: Use | None) -> dict[str, InputSignal]:
        """Return the controls of a use."""
        return {"driver": self.driver, "vehicle": self.vehicle}[use] if use is not None else {}

    @model_validator(mode="after")
    def _fields_fit_the_form(self) -> "LayoutSettings":
        binary = self.form == "binary"
        if binary and not self.sizes:
            raise ConfigurationError("needs 'sizes', the lengths of a datagram", ("form",))
        if self.form == "csv" and not self.columns:
            raise ConfigurationError("needs 'columns', the names of the values of a line", ("form",))
        for name, field in self.fields.items():
            place = ("fields", name)
            if binary and field.offset is None and not field.is_made:
                raise ConfigurationError("needs 'offset', the byte where it begins", place)
            if not binary and field.offset is not None:
                raise ConfigurationError("belongs to 'form: binary'", (*place, "offset"))
            if binary and field.end > max(self.sizes):
                raise ConfigurationError("lies behind the end of the longest datagram", (*place, "offset"))
            for part in field.parts:
                self._require_plain(part, place)
        for size in self.gaps:
            if int(size) not in self.sizes:
                raise ConfigurationError("is none of 'sizes'", ("gaps", size))
        return self

    @model_validator(mode="after")
    def _conditions_name_fields(self) -> "LayoutSettings":
        for name in self.when:
            self._require_plain(name, ("when", name))
        if self.time is not None:
            self._require_plain(self.time, ("time",))
        return self

    def _require_plain(self, name: str, place: tuple[str, ...]) -> None:
        field = self.fields.get(name)
        if field is None:
            raise ConfigurationError(f"no field {name!r} (known: {', '.join(self.fields)})", place)
        if field.is_made or field.hold is not None:
            raise ConfigurationError(f"{name!r} is made of others, or held", place)
