"""Settings of the serial buses beside CAN: lines of telegrams, such as the K-bus, and LIN as master or slave.

A layout of telegrams is data:

    order     [source, length, destination, data, checksum]       the parts, each but the data one byte
    length    bytes of the data + `length_adds`
"""

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Milliseconds, Name, Settings, completes, unit
from hilbridge.files.settings.frames import Terminal
from hilbridge.files.settings.request_patterns import Pattern, parse_bytes_pattern
from hilbridge.files.settings.traffic import PlacedFrame

Parity: TypeAlias = Literal["none", "even", "odd"]
Part: TypeAlias = Literal["source", "length", "destination", "data", "checksum"]
Checksum: TypeAlias = Literal["xor", "sum"]
LinChecksum: TypeAlias = Literal["classic", "enhanced"]

Byte = Annotated[int, Field(ge=0, le=255)]

MOST_DATA: Final = 64
"""[byte] of a telegram; a longer one is not believed."""

_LIN_DATA: Final = 8

DIAGNOSTIC_IDS: Final = (0x3C, 0x3D)
"""Frames of LIN diagnostics: 8 bytes, and the classic checksum on every node (LIN 2.2A, 2.3.1.5 and 2.3.3.4)."""

_MASTER_REQUEST: Final = 0x3C


class _Line(Settings):
    """The port of a serial bus."""

    profile: Annotated[
        str | None,
        Field(
            description="a receiver with a line of this name, which is taken over as a bus is: name of a file in "
            "config/clusters, or a path",
            json_schema_extra=completes("profile"),
        ),
    ] = None
    port: Annotated[
        str,
        Field(description="device path, or pty: a pseudo terminal made at start", min_length=1, pattern=r"^[^\x00]*$"),
    ]
    armed: Annotated[
        bool, Field(description="whether it sends from the start; a pty does, hardware waits for `hilbridge ctl arm`")
    ] = False
    echo: Annotated[
        bool | None,
        Field(
            description="whether what is sent is heard too, as on one wire; it is then compared; default: on hardware"
        ),
    ] = None

    @property
    def is_hardware(self) -> bool:
        """Something real listens: nothing is sent before it is armed."""
        return self.port != "pty"

    @property
    def echoes(self) -> bool:
        """Whether bytes that are sent come back."""
        return self.is_hardware if self.echo is None else self.echo


class Telegram(PlacedFrame):
    """A telegram that is sent as given, but for its signals: `data` is all between address and checksum."""

    source: Annotated[Byte, Field(description="address of its sender")] = 0
    destination: Annotated[Byte, Field(description="address of its receiver; 0xBF and 0xFF of a K-bus: all")] = 0
    replies_to: Annotated[
        list[str],
        Field(
            max_length=16,
            description="goes when one of these telegrams is heard, whole and without the checksum: bytes in "
            "hexadecimal, `..` for any, `*` for any number: '80 .. D0 01'",
        ),
    ] = []

    @property
    def patterns(self) -> list[Pattern]:
        """The telegrams to which it is a reply. ConfigurationError, with its key: one is no pattern."""
        found = []
        for index, text in enumerate(self.replies_to):
            try:
                found.append(parse_bytes_pattern(text))
            except ConfigurationError as error:
                raise ConfigurationError(error.message, ("replies_to", index)) from None
        return found

    @model_validator(mode="after")
    def _possible(self) -> "Telegram":
        if not 1 <= len(self.content) <= MOST_DATA:
            raise ConfigurationError(f"needs 1 to {MOST_DATA} bytes", ("data",))
        if self.events is not None:
            raise ConfigurationError("belongs to frames on CAN", ("events",))
        _ = self.patterns
        return self


class TelegramLine(_Line):
    """A serial bus of telegrams, by default a K-bus (I-bus): listened to before each telegram, and read back."""

    protocol: Annotated[Literal["telegrams"], Field(description="telegrams with a length and a checksum")]
    baudrate: Annotated[
        int, Field(ge=300, le=1_000_000, description="of the line", json_schema_extra=unit("bit/s"))
    ] = 9600
    parity: Annotated[Parity, Field(description="of each byte; one that breaks it is heard as 00")] = "even"
    order: Annotated[
        list[Part], Field(min_length=2, max_length=5, description="the parts of a telegram; each once, 'length' too")
    ] = ["source", "length", "destination", "data", "checksum"]
    length_adds: Annotated[
        int,
        Field(
            ge=-8,
            le=8,
            description="the byte 'length' is that of the data plus so many",
            json_schema_extra=unit("byte"),
        ),
    ] = 2
    checksum: Annotated[Checksum, Field(description="of all bytes before it: exclusive or, or sum")] = "xor"
    quiet: Annotated[
        Milliseconds, Field(description="silence before a telegram is sent", json_schema_extra=unit("ms"))
    ] = 10.0
    attempts: Annotated[
        int, Field(ge=1, le=20, description="how often a telegram is sent that collides or is not heard back")
    ] = 4
    telegrams: Annotated[dict[Name, Telegram], Field(max_length=64, description="by a name of your choice")] = {}

    @model_validator(mode="after")
    def _order_fits(self) -> "TelegramLine":
        if len(set(self.order)) != len(self.order) or not {"length", "data", "checksum"} <= {*self.order}:
            raise ConfigurationError("needs 'length', 'data' and 'checksum', and each part once", ("order",))
        if self.order[-1] != "checksum" or self.order.index("length") > self.order.index("data"):
            raise ConfigurationError("has the length before the data, and the checksum at its end", ("order",))
        for name, one in self.telegrams.items():
            if not 0 <= len(one.content) + self.length_adds <= 255:
                raise ConfigurationError("its length does not fit into a byte", ("telegrams", name, "data"))
        return self


class LinFrame(PlacedFrame):
    """A frame of a LIN: with `data` this node answers its header; with `length` another node does."""

    id: Annotated[int, Field(ge=0, le=0x3D, description="identifier without parity")]
    length: Annotated[int | None, Field(ge=1, le=_LIN_DATA, description="of a frame of another node")] = None
    checksum: Annotated[LinChecksum | None, Field(description="default: that of the line")] = None

    @property
    def is_sent(self) -> bool:
        """Whether this node answers the header."""
        return self.length is None

    @model_validator(mode="after")
    def _possible(self) -> "LinFrame":
        if (self.length is None) == (not self.data):
            raise ConfigurationError("needs 'data', or 'length' where another node answers")
        if len(self.content) > _LIN_DATA:
            raise ConfigurationError(f"has {_LIN_DATA} bytes at most", ("data",))
        if self.id in DIAGNOSTIC_IDS and (self.length or len(self.content)) != _LIN_DATA:
            key = "data" if self.is_sent else "length"
            raise ConfigurationError(f"a diagnostic frame (0x{self.id:02X}) has {_LIN_DATA} bytes", (key,))
        if not self.is_sent and self.signals:
            raise ConfigurationError("belongs to a frame with 'data'", ("signals",))
        for key in ("send", "period", "phase", "events", "wake_up"):
            if getattr(self, key):
                raise ConfigurationError("goes by the headers of its line's master", (key,))
        return self


class LinSlot(Settings):
    """A place of the schedule."""

    frame: Annotated[Name, Field(description="one of 'frames'")]
    time: Annotated[Milliseconds, Field(description="from this header to the next one", json_schema_extra=unit("ms"))]


class LinLine(_Line):
    """A LIN: the bench is its master, which sends the headers of a schedule, or a slave, and answers its own frames."""

    protocol: Annotated[Literal["lin"], Field(description="LIN 2.x")]
    master: Annotated[
        bool, Field(description="false: another node sends the headers, such as a cluster; there is no 'schedule' then")
    ] = True
    baudrate: Annotated[int, Field(ge=1000, le=20_000, description="of the line", json_schema_extra=unit("bit/s"))] = (
        19200
    )
    checksum: Annotated[
        LinChecksum, Field(description="classic: of the data (LIN 1.x); enhanced: of identifier and data")
    ] = "enhanced"
    terminals: Annotated[
        list[Terminal],
        Field(
            min_length=1,
            description="while one of them is on a master sends headers, and a slave answers; then a master sends the "
            "nodes to sleep",
        ),
    ] = [30]
    frames: Annotated[dict[Name, LinFrame], Field(max_length=64, description="by a name of your choice")] = {}
    schedule: Annotated[list[LinSlot], Field(max_length=256, description="again and again, in this order")] = []

    @property
    def parity(self) -> Parity:
        """That of a byte of LIN."""
        return "none"

    @model_validator(mode="after")
    def _schedule_fits(self) -> "LinLine":
        known: dict[int, str] = {}
        for name, one in self.frames.items():
            if one.id in known:
                raise ConfigurationError(f"is the identifier of {known[one.id]} too", ("frames", name, "id"))
            known[one.id] = name
            if one.id == _MASTER_REQUEST and one.is_sent and not self.master:
                raise ConfigurationError(
                    "only the master sends data with this identifier; give it a 'length'", ("frames", name, "id")
                )
        for index, slot in enumerate(self.schedule):
            if slot.frame not in self.frames:
                known_names = ", ".join(self.frames) or "none"
                raise ConfigurationError(f"there is no such frame (known: {known_names})", ("schedule", index, "frame"))
        if self.master and not self.schedule:
            raise ConfigurationError("needs 'schedule', or 'master: false'")
        if not self.master and self.schedule:
            raise ConfigurationError("is for the master of the LIN to say", ("schedule",))
        return self


SerialBus = Annotated[TelegramLine | LinLine, Field(discriminator="protocol")]
