"""Settings of the fields of a data record: what a data identifier or a PID is made of."""

from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.files.settings.common import unit
from hilbridge.files.settings.origin import Origin

Text = Annotated[str, Field(pattern=r"^[ -~]+$", max_length=256)]

_OF_NUMBERS: Final = ("order", "signed", "floating", "scale", "offset", "table", "substitute")
_PLACE: Final = frozenset(("byte", "bit", "bits", "length", "order", "signed", "floating", "scale", "offset"))
_USUAL: Final = 2
_FLOATS: Final = (4, 8)
_LONGEST_NUMBER: Final = 8


def content_of(text: str | None, data: str | None) -> bytes:
    """Return the bytes of a text in ASCII, or of data in hexadecimal. ConfigurationError: it is none."""
    if text is not None:
        return text.encode("ascii")
    try:
        content = bytes.fromhex(data or "")
    except ValueError:
        reason = f"{quoted(data or '')} is not in hexadecimal, two digits for each byte"
        raise ConfigurationError(reason, ("data",)) from None
    if not content:
        raise ConfigurationError("holds no byte", ("data",))
    return content


class ContentSettings(Origin):
    """A number, or bytes, in a data record.

    raw = (value in the unit - offset) / scale, rounded, held inside the field; a float is not rounded
    """

    origins: ClassVar[dict[str, str]] = {**Origin.origins, "text": "", "data": ""}

    text: Annotated[Text | None, Field(description="a constant in ASCII")] = None
    data: Annotated[str | None, Field(description='a constant in hexadecimal, in quotes: "01 0A FF"')] = None
    length: Annotated[
        int | None,
        Field(
            ge=1,
            le=4093,
            description="of a number 1 to 8, default 2, of a float 4 or 8, default 4; a shorter text or data is filled "
            "up with 00",
            json_schema_extra=unit("byte"),
        ),
    ] = None
    order: Annotated[Literal["big", "little"], Field(description="most or least significant byte first")] = "big"
    signed: Annotated[bool, Field(description="two's complement")] = False
    floating: Annotated[bool, Field(alias="float", description="IEEE 754, of 4 or 8 bytes")] = False
    scale: Annotated[float, Field(gt=0, description="value of one bit, in the unit")] = 1.0
    offset: Annotated[float, Field(description="value of raw 0, in the unit")] = 0.0

    @property
    def content(self) -> bytes | None:
        """The bytes of text or data, filled up; None of a number."""
        if self.text is None and self.data is None:
            return None
        return content_of(self.text, self.data).ljust(self.length or 0, b"\0")

    @property
    def width(self) -> int:
        """The bits that it takes."""
        if (content := self.content) is not None:
            return 8 * len(content)
        return 8 * (self.length or (_FLOATS[0] if self.floating else _USUAL))

    @model_validator(mode="after")
    def _number_or_bytes(self) -> "ContentSettings":
        kind = self.given[0]
        if kind in ("text", "data"):
            self.require_no_number(kind)
            content = content_of(self.text, self.data)
            if self.length is not None and len(content) > self.length:
                raise ConfigurationError(f"{kind} is longer", ("length",))
        elif kind in Origin.origins:
            if self.floating and (self.signed or self.length not in (None, *_FLOATS)):
                raise ConfigurationError("a float has 4 or 8 bytes and a sign", ("float",))
            if (self.length or 0) > _LONGEST_NUMBER:
                raise ConfigurationError(f"a number has {_LONGEST_NUMBER} bytes at most", ("length",))
        return self

    def require_no_number(self, kind: str) -> None:
        """Refuse keys of numbers beside what is none."""
        if others := [key for key in _OF_NUMBERS if key in self.model_fields_set]:
            raise ConfigurationError(f"does not go with '{kind}'", (_key(others[0]),))


def _key(attribute: str) -> str:
    return "float" if attribute == "floating" else attribute


class FieldSettings(ContentSettings):
    """A field of a data record: where it lies, what its numbers mean, and where its value comes from.

    A field lies behind the one before it, from the most significant bit on.
    """

    byte: Annotated[
        int | None, Field(ge=0, le=4092, description="its first byte, from 0; default: behind the field before it")
    ] = None
    bit: Annotated[
        int | None, Field(ge=0, le=7, description="with 'byte': its most significant bit there; default: 7")
    ] = None
    bits: Annotated[int | None, Field(ge=1, le=64, description="in place of 'length': its width")] = None
    times: Annotated[int, Field(ge=1, le=512, description="so often, one behind the other, such as cell voltages")] = 1

    @property
    def width(self) -> int:
        """The bits that it takes."""
        return super().width if self.bits is None else self.bits

    @property
    def is_placed(self) -> bool:
        """Whether anything says where it lies, or how its number is written."""
        return not self.model_fields_set.isdisjoint(_PLACE)

    @model_validator(mode="after")
    def _lies_somewhere(self) -> "FieldSettings":
        if self.bits is not None:
            for key in ("length", "floating", "text", "data"):
                if getattr(self, key):
                    raise ConfigurationError(f"does not go with '{_key(key)}'", ("bits",))
        if self.bit is not None and self.byte is None:
            raise ConfigurationError("needs 'byte'", ("bit",))
        if self.order == "little" and (self.width % 8 or self.bit not in (None, 7)):
            raise ConfigurationError("needs whole bytes", ("order",))
        return self
