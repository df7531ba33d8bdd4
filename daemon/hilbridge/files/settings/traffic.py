"""Settings of the frames that no database describes: raw frames, and a rest bus from a log."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS
from hilbridge.files.settings.common import Milliseconds, Settings, unit
from hilbridge.files.settings.frames import SendSettings, SignalMap
from hilbridge.files.settings.identifiers import HIGHEST, IdentifierRange
from hilbridge.files.settings.protection import ProtectionSettings
from hilbridge.files.settings.request_patterns import Pattern, parse_bytes_pattern

_STANDARD_HIGHEST = 0x7FF


class SignalPlace(Settings):
    """Where a signal lies in a frame that no database describes, and what its numbers mean."""

    bit: Annotated[
        int, Field(ge=0, le=511, description="start bit as a DBC file numbers it: Motorola from the top bit")
    ]
    width: Annotated[int, Field(gt=0, le=64, description="of the number", json_schema_extra=unit("bit"))]
    order: Annotated[Literal["little", "big"], Field(description="Intel or Motorola")] = "little"
    signed: Annotated[bool, Field(description="the number may be negative: two's complement")] = False
    scale: Annotated[float, Field(description="value of one step, in the signal's unit")] = 1
    offset: Annotated[float, Field(description="value of the number 0, in the signal's unit")] = 0


class RawSignal(SignalPlace, SignalMap):
    """A signal of a raw frame: where it lies, what its numbers mean, and where its value comes from.

    value = number · scale + offset; a value beyond what the bits hold is limited.
    """

    page: Annotated[
        float | None,
        Field(description="lies only in the frames in which the signal with 'in_turn' has this number"),
    ] = None

    @model_validator(mode="after")
    def _without_range(self) -> "RawSignal":
        if self.range is not None:
            raise ConfigurationError("belongs to a database; here a value goes up to what the bits hold", ("range",))
        return self


class PlacedFrame(SendSettings):
    """Bytes that are sent as given, but for the signals that the bench file places in them."""

    data: Annotated[str, Field(description='the bytes in hexadecimal, in quotes: "01 0A FF"')] = ""
    signals: Annotated[
        dict[str, RawSignal],
        Field(description="by a name of your choice: bits that change, in place of those in 'data'"),
    ] = {}

    @property
    def pages(self) -> str | None:
        """The signal whose numbers are pages, if there are pages."""
        return next((name for name, one in self.signals.items() if one.in_turn), None) if self._paged else None

    @property
    def _paged(self) -> dict[str, float]:
        return {name: one.page for name, one in self.signals.items() if one.page is not None}

    @model_validator(mode="after")
    def _pages_exist(self) -> Self:
        turning = [name for name, one in self.signals.items() if one.in_turn]
        for name, page in self._paged.items():
            place = ("signals", name, "page")
            if len(turning) != 1:
                found = f"{' and '.join(turning)} have it" if turning else "there is none"
                raise ConfigurationError(f"needs one signal with 'in_turn', which has the pages: {found}", place)
            if page not in self.signals[turning[0]].in_turn:
                raise ConfigurationError(f"{turning[0]} has no {page:g} 'in_turn'", place)
            if name == turning[0]:
                raise ConfigurationError("the signal that says which page it is lies on all of them", place)
        return self

    @property
    def content(self) -> bytes:
        """The bytes."""
        return hexadecimal(self.data, "data")


def hexadecimal(text: str, key: str) -> bytes:
    """Return the bytes of a text. ConfigurationError, with the key: it is not in hexadecimal."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise ConfigurationError(f"{quoted(text)} is not in hexadecimal, two digits for each byte", (key,)) from None


class HeardFrame(Settings):
    """A frame of another sender that is replied to."""

    id: Annotated[int, Field(ge=0, le=HIGHEST, description="identifier; above 0x7FF it has 29 bits")]
    data: Annotated[
        str, Field(description="its bytes in hexadecimal: `..` for any one, `*` for all further ones: '40 02 *'")
    ] = "*"

    @property
    def pattern(self) -> Pattern:
        """The bytes that are replied to. ConfigurationError, with its key: it is no pattern."""
        try:
            return parse_bytes_pattern(self.data)
        except ConfigurationError as error:
            raise ConfigurationError(error.message, ("data",)) from None

    @model_validator(mode="after")
    def _has_a_pattern(self) -> "HeardFrame":
        _ = self.pattern
        return self


class RawFrame(PlacedFrame):
    """A frame that is sent as given, but for its signals, counters and checksums."""

    replies_to: Annotated[
        list[HeardFrame],
        Field(max_length=16, description="goes when one of these is heard, beside its period if it has one"),
    ] = []
    reply_after: Annotated[
        float, Field(ge=0, le=60_000, description="from what is heard to the reply", json_schema_extra=unit("ms"))
    ] = 0.0
    reply_anyway: Annotated[
        Milliseconds | None,
        Field(
            description="goes by itself after so long without, as a ring of network management begins anew",
            json_schema_extra=unit("ms"),
        ),
    ] = None

    id: Annotated[int, Field(ge=0, le=HIGHEST, description="identifier")]
    extended: Annotated[bool, Field(description="29 bits; default: above 0x7FF")] = False
    fd: Annotated[bool, Field(description="a CAN FD frame; default: above 8 bytes")] = False

    @model_validator(mode="after")
    def _replies_fit(self) -> "RawFrame":
        for key in ("reply_after", "reply_anyway"):
            if getattr(self, key) and not self.replies_to:
                raise ConfigurationError("belongs to 'replies_to'", (key,))
        return self

    @property
    def is_reply(self) -> bool:
        """Whether it goes as a reply alone."""
        return bool(self.replies_to) and self.send is None and self.period is None

    @model_validator(mode="after")
    def _possible(self) -> "RawFrame":
        length = len(self.content)
        if length not in FRAME_LENGTHS:
            raise ConfigurationError(f"there is no CAN frame of {length} bytes", ("data",))
        return self

    @property
    def is_extended(self) -> bool:
        return self.extended or self.id > _STANDARD_HIGHEST

    @property
    def is_fd(self) -> bool:
        return self.fd or len(self.content) > CLASSIC_LENGTH


class ProtectedFrame(Settings):
    """A frame of a log whose counters and checksums are made anew, so that they continue where the log starts again."""

    id: Annotated[int, Field(ge=0, le=HIGHEST, description="identifier")]
    protection: Annotated[list[ProtectionSettings], Field(min_length=1, description="as of a message")]


class RestBusSettings(Settings):
    """A log that is played beside the model's frames, at the pace of its time stamps.

    What the bench sends itself is left out of it.
    """

    file: Annotated[
        str,
        Field(
            min_length=1,
            description="a log of another program (docs/log-formats.md): candump, ASC, BLF, TRC, MF4, CSV of many; "
            "packed or not; from the bench file's folder",
        ),
    ]
    loop: Annotated[bool, Field(description="starts again at its end")] = True
    channel: Annotated[str | int | None, Field(description="of a log of several, as the file calls it")] = None
    only: Annotated[list[IdentifierRange] | None, Field(description="identifiers that are played; default: all")] = None
    exclude: Annotated[list[IdentifierRange], Field(description="identifiers that are not played")] = []
    protection: Annotated[list[ProtectedFrame], Field(description="frames with new counters and checksums")] = []
