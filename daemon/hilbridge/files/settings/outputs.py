"""Settings of the outputs: values of the data bus on a serial line, for a display or a board."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Milliseconds, Settings, unit
from hilbridge.files.settings.inputs import BinaryField
from hilbridge.files.settings.origin import Origin

OutputFormat = Literal["pairs", "csv", "json", "nmea", "cobs", "binary", "ardustim"]


class BoardLayout(Settings):
    """The packets of a board that is on the market: bytes before the fields, and the fields."""

    head: str
    fields: list[BinaryField]


KNOWN_BOARDS: Final = {
    "ardustim": BoardLayout(head="66", fields=[BinaryField(name="rpm", type="u16")]),
}
"""By the format's name. ardustim: the letter f and the speed [rpm], lowest byte first, at 115200 bit/s; the board
ignores less than 10 rpm (speeduino/Ardu-Stim: UI/renderer.js, ardustim/ardustim/comms.cpp)."""


class OutputValue(Origin):
    """The origin of a value that goes out: an entry of the data bus, an expression or a constant.

    Short form: the entry alone, `rpm: vehicle.EngineRpm`.
    """

    scale: Annotated[float, Field(description="the value is multiplied by it")] = 1.0
    offset: Annotated[float, Field(description="added to the scaled value")] = 0.0
    decimals: Annotated[
        int | None, Field(ge=0, le=6, description="in text; default: 2, of an entry of whole numbers 0")
    ] = None


class OutputSettings(Settings):
    """Values of the data bus on a serial line, as text or as binary frames, one packet each period."""

    port: Annotated[
        str,
        Field(description="device path, or pty: a pseudo terminal made at start", min_length=1, pattern=r"^[^\x00]*$"),
    ]
    baudrate: Annotated[
        int, Field(gt=0, le=10_000_000, description="as the receiver's", json_schema_extra=unit("bit/s"))
    ] = 115200
    armed: Annotated[
        bool, Field(description="whether it sends from the start; a pty does, hardware waits for `hilbridge ctl arm`")
    ] = False
    period: Annotated[
        Milliseconds,
        Field(description="from packet to packet: a multiple of the tick, so 1 at least", json_schema_extra=unit("ms")),
    ] = 20.0
    format: Annotated[
        OutputFormat,
        Field(
            description='pairs: rpm=812 kmh=0.00; csv: 812,0.00; json: {"rpm": 812}; nmea: $HB,812,0.00*hh; cobs: '
            "`fields`, a CRC, COBS and a 0; binary: the bytes of `head` and `fields`; ardustim: the rpm of an Ardu-Stim"
        ),
    ] = "pairs"
    sentence: Annotated[str, Field(pattern=r"^[A-Za-z0-9]{1,8}$", description="nmea: the word after the $")] = "HB"
    head: Annotated[
        str, Field(pattern=r"^([0-9A-Fa-f]{2} ?){0,16}$", description="binary: bytes before the fields, hexadecimal")
    ] = ""
    fields: Annotated[
        list[BinaryField],
        Field(
            max_length=64,
            description="cobs and binary: the numbers of a frame; what is beyond a field's type is held at its end",
        ),
    ] = []
    crc: Annotated[Literal["crc16", "crc32"], Field(description="cobs: of the fields, as of a serial input")] = "crc16"
    crc_byte_order: Annotated[Literal["little", "big"], Field(description="cobs: as in 'fields'")] = "little"
    values: Annotated[
        dict[Annotated[str, Field(pattern=r"^[^\s,;=$*\"\\]{1,40}$")], OutputValue],
        Field(
            min_length=1,
            max_length=64,
            description="by the receiver's name, in the order of the columns; while one is not available it is left "
            "out of pairs, null in JSON, an empty column, all ones in binary (NaN, or the lowest number with a sign)",
        ),
    ]

    @property
    def is_hardware(self) -> bool:
        """Something real listens: nothing is sent before it is armed."""
        return self.port != "pty"

    @property
    def layout(self) -> BoardLayout:
        """The fields of a binary packet, and the bytes before them."""
        return KNOWN_BOARDS.get(self.format) or BoardLayout(head=self.head, fields=self.fields)

    @model_validator(mode="after")
    def _keys_of_the_format(self) -> "OutputSettings":
        for key, formats in _KEYS_OF_FORMATS.items():
            if key in self.model_fields_set and self.format not in formats:
                raise ConfigurationError(f"belongs to 'format: {' or '.join(formats)}'", (key,))
        if self.format in _KEYS_OF_FORMATS["fields"] and not self.fields:
            raise ConfigurationError("needs 'fields', the numbers of a frame", ("format",))
        return self


_KEYS_OF_FORMATS: Final = {
    "sentence": ("nmea",),
    "head": ("binary",),
    "fields": ("cobs", "binary"),
    "crc": ("cobs",),
    "crc_byte_order": ("cobs",),
}
