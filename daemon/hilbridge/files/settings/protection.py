"""Settings of counters and checksums: what protects a frame against loss, repetition and damage."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from hilbridge.base.common.errors import ConfigurationError, describe_value
from hilbridge.files.settings.common import Settings, UserFunction, unit

Preset = Literal[
    "bmw-e",
    "bmw-f",
    "chrysler",
    "fca-giorgio",
    "ford",
    "honda",
    "hyundai",
    "hyundai-canfd",
    "j1939",
    "j1939-xbr",
    "psa",
    "rivian",
    "subaru",
    "tesla",
    "toyota",
    "vw-mlb",
    "vw-mqb",
    "vw-pq",
]
E2EProfile = Literal["1A", "1B", "1C", "2", "4", "5", "6", "7", "11A", "11C"]
Algorithm = Literal[
    "sum8",
    "nibble-sum",
    "field-sum",
    "xor8",
    "nibble-xor",
    "parity",
    "crc8",
    "crc16",
    "crc32",
    "crc64",
    "j1939",
    "j1939-xbr",
    "hook",
]
Byte = Annotated[int, Field(ge=0, le=255)]
Term = Byte | Literal["identifier", "length", "data-id"]


class BitField(Settings):
    """Where a number lies in the frame: a signal of the database, or bits.

    A list of places, lowest bits first, where it is split. Short form: the signal alone, `at: CHECKSUM`.
    """

    signal: Annotated[str | None, Field(description="signal of the database")] = None
    bit: Annotated[
        int | None, Field(ge=0, le=511, description="start bit as a DBC file numbers it: Motorola from the top bit")
    ] = None
    width: Annotated[int | None, Field(gt=0, le=64, description="of the number", json_schema_extra=unit("bit"))] = None
    order: Annotated[Literal["little", "big"], Field(description="Intel or Motorola")] = "little"

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        return {"signal": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _one_place(self) -> "BitField":
        if (self.bit is None) != (self.width is None):
            raise ConfigurationError("'bit' and 'width' belong together; one of them is missing")
        if (self.signal is None) == (self.bit is None):
            raise ConfigurationError("needs either 'signal', or 'bit' and 'width'")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Accept a signal alone."""
        section = handler.resolve_ref_schema(handler(core_schema))
        return {"anyOf": [{"type": "string"}, section]}


def as_list(value: Any) -> Any:
    """Return an item alone as a list."""
    return value if isinstance(value, list) else [value]


class OneOrMore:
    """In the JSON Schema: an item alone is as good as a list."""

    @staticmethod
    def __get_pydantic_json_schema__(core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        array = handler(core_schema)
        return {"anyOf": [array["items"], array]}


Places = Annotated[
    list[BitField],
    BeforeValidator(as_list),
    OneOrMore,
    Field(min_length=1),
]


class NumberSettings(Settings):
    """Numbers that advance by `step` from `minimum` to `maximum` and begin again."""

    at: Places | None = None
    minimum: Annotated[int, Field(ge=0)] = 0
    maximum: Annotated[int | None, Field(ge=0, description="default: what its bits hold")] = None
    start: Annotated[int | None, Field(ge=0, description="of the first frame; default: the minimum")] = None
    step: Annotated[int, Field(description="may be negative")] = 1
    values: Annotated[
        list[Annotated[int, Field(ge=0)]], Field(description="the numbers themselves, in order, in place of a range")
    ] = []
    lost: Annotated[
        int | None, Field(ge=0, description="received: frames that may be lost in a row; default: 2, or fewer if short")
    ] = None
    resume: Annotated[int, Field(ge=0, description="received: frames in sequence that are refused after a jump")] = 0

    @model_validator(mode="after")
    def _moves(self) -> "NumberSettings":
        if self.values:
            for key in ("minimum", "maximum", "start", "step"):
                if key in self.model_fields_set:
                    raise ConfigurationError("does not go with 'values'", (key,))
            if len(set(self.values)) < max(len(self.values), 2):
                raise ConfigurationError("needs two numbers or more, each once", ("values",))
        elif self.maximum is not None and self.maximum <= self.minimum:
            raise ConfigurationError(f"must be greater than the minimum, {self.minimum}", ("maximum",))
        return self


class SecondCounterSettings(NumberSettings):
    """Another counter of the same frame."""

    advance: Annotated[
        Literal["frame", "round"], Field(description="goes on with every frame, or when the first has gone round")
    ] = "frame"


class CounterSettings(NumberSettings):
    """A counter that advances with every frame. Short form `counter: none`: that of the preset is left out."""

    second: SecondCounterSettings | None = None
    left_out: Annotated[bool, Field(description="the frame lacks the counter that the preset would send")] = False

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        return {"left_out": True} if value == "none" else value

    @model_validator(mode="after")
    def _left_out_alone(self) -> "CounterSettings":
        if self.left_out and (others := self.model_fields_set - {"left_out"}):
            raise ConfigurationError("does not go with 'left_out'", (min(others),))
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Accept the word none."""
        section = handler.resolve_ref_schema(handler(core_schema))
        return {"anyOf": [{"const": "none"}, section]}


class ChecksumSettings(Settings):
    """A number calculated from the frame's bytes without its own bits, and from terms before and after them.

    Or from the numbers of some of its fields.
    """

    at: Places | None = None
    algorithm: Annotated[
        Algorithm | None,
        Field(
            description="sums and xor keep as many bits as the checksum has; parity: one bit that makes the ones of "
            "the frame even, with `initial: 1` odd; field-sum adds 'fields'; hook: 'function'"
        ),
    ] = None
    polynomial: Annotated[
        int | None, Field(gt=0, description="crc only; default: 0x1D, 0x1021, 0x04C11DB7, 0x42F0E1EBA9EA3693")
    ] = None
    initial: Annotated[
        int | None, Field(ge=0, description="what it starts from; default: all ones in a crc, else 0")
    ] = None
    xor_out: Annotated[
        int | None, Field(ge=0, description="applied at the end; default: all ones in a crc (crc16: 0), else 0")
    ] = None
    reflect: Annotated[bool | None, Field(description="crc only: lowest bit first; default: crc32 and crc64 do")] = None
    negate: Annotated[bool, Field(description="sums only: initial − sum in place of initial + sum")] = False
    fold: Annotated[
        bool, Field(description="sums only: the carry beyond 8 bits is added back; with 4 bits again beyond 4")
    ] = False
    fields: Annotated[
        list[BitField],
        Field(description="field-sum only: signals or bits whose numbers are added, each without a sign"),
    ] = []
    backwards: Annotated[bool, Field(description="crc only: the last byte goes first")] = False
    first: Annotated[int, Field(ge=0, le=63, description="first byte that counts")] = 0
    last: Annotated[int | None, Field(ge=0, le=63, description="last byte that counts; default: the frame's")] = None
    exclude: Annotated[list[Annotated[int, Field(ge=0, le=63)]], Field(description="bytes that do not count")] = []
    before: Annotated[
        list[Term],
        Field(
            description="terms before the bytes: numbers, identifier (its 2 or 4 bytes, lowest first), length, data-id"
        ),
    ] = []
    after: Annotated[list[Term], Field(description="terms after the bytes")] = []
    data_ids: Annotated[
        list[Byte], Field(description="the term data-id, by the counter's number, round and round")
    ] = []
    function: Annotated[
        UserFunction | None,
        Field(
            description="FILE.py:FUNCTION beside the bench file, or MODULE:FUNCTION, called with (bytes, identifier, "
            "count)"
        ),
    ] = None

    @model_validator(mode="after")
    def _fits_the_algorithm(self) -> "ChecksumSettings":
        if self.algorithm is None:
            return self
        crc = self.algorithm.startswith("crc")
        plain_sum, of_fields = self.algorithm in _PLAIN_SUMS, self.algorithm == "field-sum"
        fitting = {"polynomial": crc, "reflect": crc, "backwards": crc, "negate": plain_sum or of_fields}
        fitting |= {"fold": plain_sum, "fields": of_fields} | dict.fromkeys(_OF_BYTES, not of_fields)
        for key, fits in fitting.items():
            if getattr(self, key) and not fits:
                raise ConfigurationError(f"does not go with {self.algorithm}", (key,))
        if of_fields and not self.fields:
            raise ConfigurationError("is missing: what is added", ("fields",))
        if self.fold and self.negate:
            raise ConfigurationError("does not go with 'negate'", ("fold",))
        if (self.function is None) == (self.algorithm == "hook"):
            raise ConfigurationError("'algorithm: hook' and 'function' belong together", ("function",))
        if ("data-id" in (*self.before, *self.after)) != bool(self.data_ids):
            raise ConfigurationError("the term data-id (in 'before' or 'after') and 'data_ids' belong together")
        return self


_PLAIN_SUMS = ("sum8", "nibble-sum")
_OF_BYTES = ("first", "last", "exclude", "before", "after")


class E2ESettings(Settings):
    """An AUTOSAR E2E profile."""

    profile: Annotated[E2EProfile, BeforeValidator(lambda value: str(value) if type(value) is int else value)]
    data_id: Annotated[
        int | None, Field(ge=0, le=0xFFFF_FFFF, description="all profiles but 2; 16 bits, in 4 and 7 32 bits")
    ] = None
    data_ids: Annotated[list[Byte], Field(description="profile 2: 16 numbers, one for each count")] = []
    offset: Annotated[
        int, Field(ge=0, le=62, description="of the header; not in profile 2", json_schema_extra=unit("byte"))
    ] = 0

    @model_validator(mode="after")
    def _identified(self) -> "E2ESettings":
        if self.profile == "2":
            if len(self.data_ids) != 16 or self.data_id is not None:
                raise ConfigurationError("profile 2 needs 16 'data_ids' and no 'data_id'", ("data_ids",))
            if self.offset:
                raise ConfigurationError("the header of profile 2 stands at the frame's beginning", ("offset",))
            return self
        if self.data_id is None or self.data_ids:
            raise ConfigurationError(f"profile {self.profile} needs a 'data_id' and no 'data_ids'", ("data_id",))
        widest = {"4": 32, "7": 32, "1C": 12, "11C": 12}.get(self.profile, 16)
        if self.data_id >> widest:
            raise ConfigurationError(f"profile {self.profile} has data ids of {widest} bits", ("data_id",))
        return self


class ProtectionSettings(Settings):
    """A counter, a checksum, or both: a preset, an AUTOSAR E2E profile, or key by key.

    With a preset, `counter` and `checksum` hold what differs from it. A preset finds the database's signals COUNTER and
    CHECKSUM by their names, else the places that are usual with this maker. Short form: the preset alone.
    """

    preset: Annotated[
        Preset | None,
        Field(description="a maker's usual counter and checksum: [PRESETS.md](../PRESETS.md), `hilbridge presets`"),
    ] = None
    e2e: E2ESettings | None = None
    counter: CounterSettings | None = None
    checksum: ChecksumSettings | None = None

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"preset": value}
        if not isinstance(value, dict | ProtectionSettings):
            raise ConfigurationError(f"needs a preset, or keys with values, found {describe_value(value)}")
        return value

    @model_validator(mode="after")
    def _left_out_of_a_preset(self) -> "ProtectionSettings":
        if self.preset is None and self.counter is not None and self.counter.left_out:
            raise ConfigurationError("leaves out the counter of a preset, and there is no preset", ("counter",))
        return self

    @model_validator(mode="after")
    def _complete(self) -> "ProtectionSettings":
        if self.e2e is not None:
            for key in ("preset", "counter", "checksum"):
                if getattr(self, key) is not None:
                    raise ConfigurationError("does not go with 'e2e'", (key,))
        elif self.preset is None:
            if self.counter is None and self.checksum is None:
                raise ConfigurationError("needs 'preset', 'e2e', 'counter' or 'checksum'")
            if self.counter is not None and self.counter.at is None:
                raise ConfigurationError("is missing (where the counter lies)", ("counter", "at"))
            if self.checksum is not None and self.checksum.at is None:
                raise ConfigurationError("is missing (where the checksum lies)", ("checksum", "at"))
            if self.checksum is not None and self.checksum.algorithm is None:
                raise ConfigurationError("is missing", ("checksum", "algorithm"))
        if self.counter is not None and self.counter.second is not None and self.counter.second.at is None:
            raise ConfigurationError("is missing (where the second counter lies)", ("counter", "second", "at"))
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Accept a preset alone."""
        section = handler.resolve_ref_schema(handler(core_schema))
        return {"anyOf": [section["properties"]["preset"]["anyOf"][0], section]}
