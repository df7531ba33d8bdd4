"""Settings of the memory of a control unit, and of its programming (ISO 14229-1, services 23, 3D and 34 to 37)."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Settings, UserFile, unit
from hilbridge.files.settings.data_records import Text, content_of
from hilbridge.files.settings.uds_keys import IdentifierKey, Level

LARGEST: Final = 4 << 20
"""[byte] Memory of a control unit in all."""

_KINDS: Final = ("text", "data", "identifier", "image")
_OF_IDENTIFIERS: Final = ("length", "fill", "write", "flash")
_Bytes = unit("byte")
_Milliseconds = unit("ms")


class MemorySettings(Settings):
    """A region of memory: what it holds at first, and who may read (23, 35), write (3D) and program it (34, 36).

    What testers write and program is kept over restarts, until `image` or another key gives it other content.
    """

    address: Annotated[
        int | None, Field(ge=0, le=0xFF_FFFF_FFFF, description="of its first byte; of a HEX or S-record file: its own")
    ] = None
    length: Annotated[
        int | None, Field(ge=1, le=LARGEST, description="default: of its content", json_schema_extra=_Bytes)
    ] = None
    text: Annotated[Text | None, Field(description="content in ASCII")] = None
    data: Annotated[str | None, Field(description='content in hexadecimal, in quotes: "01 0A FF"')] = None
    identifier: Annotated[
        IdentifierKey | None,
        Field(description="content: the bytes of a data identifier with 'text' or 'data'; in quotes"),
    ] = None
    image: Annotated[
        UserFile | None,
        Field(
            description="content: a file beside the bench file, Intel HEX, Motorola S-record or, as .bin, bytes; with "
            "'length' what of it lies in the region"
        ),
    ] = None
    fill: Annotated[int, Field(ge=0, le=0xFF, description="byte where there is no content, and of erased flash")] = 0xFF
    read: Annotated[bool, Field(description="services 23 and 35 read it")] = True
    write: Annotated[bool, Field(description="service 3D writes it; 34 needs no erasure before it, as of RAM")] = False
    flash: Annotated[bool, Field(description="31 FF00 erases it, then 34 programs it: needs 'programming'")] = False
    security: Level = 0
    write_security: Annotated[
        Level | None, Field(description="level for writing, erasing and programming; default: 'security'")
    ] = None

    @model_validator(mode="after")
    def _of_one_kind(self) -> "MemorySettings":
        given = [kind for kind in _KINDS if getattr(self, kind) is not None]
        if len(given) != 1 and (given or self.length is None):
            raise ConfigurationError(f"needs one of {', '.join(map(repr, _KINDS))}", tuple(given[1:2]))
        others = [key for key in _OF_IDENTIFIERS if key in self.model_fields_set]
        if self.identifier is not None and others:
            raise ConfigurationError("does not go with 'identifier'", (others[0],))
        if self.address is None and (self.image is None or self.length is not None):
            raise ConfigurationError("is missing", ("address",))
        if self.length is not None and len(self.content) > self.length:
            raise ConfigurationError(f"is shorter than the content of {len(self.content)} bytes", ("length",))
        if self.write and self.flash:
            raise ConfigurationError("does not go with 'flash': flash is erased and programmed", ("write",))
        return self

    @property
    def content(self) -> bytes:
        """The bytes of text or data; none of the other kinds."""
        return content_of(self.text, self.data) if self.text is not None or self.data is not None else b""

    @property
    def writing_level(self) -> int:
        """The level of security access for writing."""
        return self.security if self.write_security is None else self.write_security


class CrcSettings(Settings):
    """A CRC by its parameters, as catalogues list them."""

    algorithm: Literal["crc16", "crc32"] = "crc32"
    polynomial: Annotated[int | None, Field(ge=0, le=0xFFFF_FFFF, description="default: CCITT, Ethernet")] = None
    initial: Annotated[int | None, Field(ge=0, le=0xFFFF_FFFF, description="default: FFFF, FFFFFFFF")] = None
    xor_out: Annotated[int | None, Field(ge=0, le=0xFFFF_FFFF, description="default: 0, FFFFFFFF")] = None
    reflect: Annotated[bool | None, Field(description="input and output; default: no, yes")] = None

    @model_validator(mode="after")
    def _fits(self) -> "CrcSettings":
        for key in ("polynomial", "initial", "xor_out"):
            if self.algorithm == "crc16" and (getattr(self, key) or 0) > 0xFFFF:
                raise ConfigurationError("is wider than the CRC", (key,))
        return self


class TransferExitSettings(CrcSettings):
    """Bytes that follow in request 37 after a download, or in its answer; by default nothing."""

    length: Annotated[
        int,
        Field(
            ge=0,
            le=4092,
            description="of a record of the maker, whose content is not looked at",
            json_schema_extra=_Bytes,
        ),
    ] = 0
    crc: Annotated[
        Literal["sent", "answered"] | None,
        Field(description="the CRC of the download: sent by the tester and compared (another one: 72), or answered"),
    ] = None

    @model_validator(mode="after")
    def _of_one_kind(self) -> "TransferExitSettings":
        if self.crc == "sent" and self.length:
            raise ConfigurationError("is that of the CRC", ("length",))
        if self.crc is None and (others := self.model_fields_set & {*CrcSettings.model_fields}):
            raise ConfigurationError("needs 'crc'", (min(others),))
        return self


FormatKey = Annotated[str, Field(pattern=r"^([0-9A-F][1-9A-F]|[1-9A-F]0)$")]


class ImageCheckSettings(CrcSettings):
    """A routine that compares the CRC of what was programmed with one that the tester sends, or that lies behind it.

        31 01 routine, then either  the CRC                               of the last download
                            or      addressAndLengthFormat, address, length, the CRC
        crc: stored                 nothing: the CRC is the last bytes of each flash region

    The answer is 00 for equal and 01 for different.
    """

    routine: Annotated[IdentifierKey, Field(description="its identifier; some makers use FF02; in quotes")] = "0202"
    crc: Annotated[Literal["sent", "stored"], Field(description="where the wanted CRC is, high byte first")] = "sent"


ERASE: Final = "FF00"
CHECK_DEPENDENCIES: Final = "FF01"


class ProgrammingSettings(Settings):
    """The programming session (10 02) with services 34 to 37, and the routines FF00 (erase) and FF01 (dependencies)."""

    block_length: Annotated[
        int, Field(ge=3, le=4095, description="longest request 36, with service and counter", json_schema_extra=_Bytes)
    ] = 1026
    erase_time: Annotated[
        float, Field(ge=0, le=600_000, description="of FF00, with 78 meanwhile", json_schema_extra=_Milliseconds)
    ] = 500.0
    write_time: Annotated[
        float, Field(ge=0, le=60_000, description="of each block", json_schema_extra=_Milliseconds)
    ] = 0.0
    formats: Annotated[
        list[FormatKey],
        Field(
            max_length=255,
            description="of data that 34 takes besides 00, by two digits: compression and encryption; what comes is "
            "kept as it is, and complete when the tester says so",
        ),
    ] = []
    exit: Annotated[TransferExitSettings, Field(description="record of service 37")] = TransferExitSettings()
    check: Annotated[
        ImageCheckSettings | None, Field(description="default: a download is valid when it is complete")
    ] = None
    bootloader: Annotated[
        bool,
        Field(
            description="once flash is erased only the services of a boot loader are there, and no OBD-II, over "
            "restarts too, until FF01 finds all flash valid"
        ),
    ] = False
    lowest_voltage: Annotated[
        float | None,
        Field(
            ge=0,
            le=60,
            description="of the battery; below it 34, 36 and FF00 are refused with 93",
            json_schema_extra=unit("V"),
        ),
    ] = None

    @property
    def routines(self) -> tuple[str, ...]:
        """The keys of its routines."""
        return (ERASE, CHECK_DEPENDENCIES, *(() if self.check is None else (self.check.routine,)))

    @model_validator(mode="after")
    def _differ(self) -> "ProgrammingSettings":
        if len({*self.routines}) < len(self.routines):
            raise ConfigurationError("has another meaning already", ("check", "routine"))
        return self
