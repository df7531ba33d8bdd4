"""Settings of the sources of the driver's controls."""

from collections.abc import Hashable
from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.addresses import LOOPBACK, is_loopback
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.files.settings.common import IpAddress, Milliseconds, Name, Settings, completes, unit
from hilbridge.files.settings.input_signals import InputSignal
from hilbridge.files.settings.layouts import Use
from hilbridge.files.settings.protection import ProtectionSettings

_BoundSignals = Annotated[
    dict[str, InputSignal],
    Field(
        min_length=1,
        description="by control: Throttle, Key, settings.AbsOverride, request.EngineTorqueLimit ...",
        json_schema_extra={"completes_keys": "control"},
    ),
]
_Timeout = Annotated[
    Milliseconds,
    Field(description="silence after which the source counts as lost; two ticks or more", json_schema_extra=unit("ms")),
]
_Recovery = Annotated[
    float,
    Field(
        ge=0,
        le=3_600_000,
        description="how long a source that was lost must be back, without a gap, before it counts again",
        json_schema_extra=unit("ms"),
    ),
]


def timeout_problem(timeout: float, tick: int) -> str | None:
    """Why a time-out [ms] cannot work with ticks of `tick` [ns]: one late tick must not look like a silence."""
    if round(timeout * MILLISECOND) >= 2 * tick:
        return None
    return f"{timeout:g} ms is less than two ticks ({2 * tick / MILLISECOND:g} ms)"


class CanInput(Settings):
    """Controls received in a message of a bus's database."""

    source: Literal["can"]
    bus: Annotated[Name, Field(description="one of 'buses'")]
    message: Annotated[str, Field(description="message of the bus's database")]
    protection: Annotated[
        list[ProtectionSettings], Field(description="counters and checksums; a frame that breaks one is not believed")
    ] = []
    timeout: _Timeout = 500.0
    recovery: _Recovery = 100.0
    signals: _BoundSignals


class BinaryField(Settings):
    """A number inside a binary frame."""

    name: Annotated[str, Field(min_length=1)]
    type: Annotated[
        Literal["u8", "i8", "u16", "i16", "u32", "i32", "f32"], Field(description="unsigned, signed or float; bits")
    ]
    offset: Annotated[
        int | None,
        Field(ge=0, lt=256, description="first byte; default: behind the field before", json_schema_extra=unit("byte")),
    ] = None
    byte_order: Annotated[Literal["little", "big"], Field(description="lowest or highest byte first")] = "little"


class SerialInput(Settings):
    """Controls received from a serial port, as lines or as binary frames."""

    source: Literal["serial"]
    port: Annotated[
        str,
        Field(description="device path, or pty: a pseudo terminal made at start", min_length=1, pattern=r"^[^\x00]*$"),
    ]
    baudrate: Annotated[
        int, Field(gt=0, le=10_000_000, description="as the sender's", json_schema_extra=unit("bit/s"))
    ] = 115200
    format: Annotated[
        Literal["pairs", "csv", "json", "nmea", "cobs"],
        Field(
            description='pairs: throttle=512 key=1; csv: 512,1; json: {"throttle": 512}; nmea: $HB,512,1*hh;'
            " cobs: binary frames, COBS-coded, with a CRC at their end"
        ),
    ] = "pairs"
    columns: Annotated[list[str], Field(description="csv and nmea: the names of the columns, in order")] = []
    sentence: Annotated[
        str, Field(pattern=r"^[A-Za-z0-9]{1,8}$", description="nmea: the word after the $; other sentences are ignored")
    ] = "HB"
    fields: Annotated[list[BinaryField], Field(description="cobs: the numbers of a frame")] = []
    crc: Annotated[
        Literal["crc16", "crc32"],
        Field(description="cobs: CRC-16/CCITT (0x1021, start 0xFFFF) or CRC-32 (0x04C11DB7, reflected) of the fields"),
    ] = "crc16"
    crc_byte_order: Annotated[Literal["little", "big"], Field(description="cobs: as in 'fields'")] = "little"
    timeout: _Timeout = 500.0
    recovery: _Recovery = 100.0
    signals: _BoundSignals

    @property
    def endpoint(self) -> Hashable:
        """The endpoint that is opened: a reload cannot change it."""
        return self.port, self.baudrate

    @model_validator(mode="after")
    def _keys_of_the_format(self) -> "SerialInput":
        if self.format in ("csv", "nmea") and not self.columns:
            raise ConfigurationError("needs 'columns', the names of the values of a line", ("format",))
        if self.format == "cobs" and not self.fields:
            raise ConfigurationError("needs 'fields', the numbers of a frame", ("format",))
        for keys, formats in _KEYS_OF_FORMATS:
            for key in keys:
                if key in self.model_fields_set and self.format not in formats:
                    raise ConfigurationError(f"belongs to 'format: {' or '.join(formats)}'", (key,))
        return self


_KEYS_OF_FORMATS = (
    (("columns",), ("csv", "nmea")),
    (("sentence",), ("nmea",)),
    (("fields", "crc", "crc_byte_order"), ("cobs",)),
)


class EvdevInput(Settings):
    """Controls received from an input device of Linux: a wheel, pedals, a gamepad, a button box."""

    source: Literal["evdev"]
    device: Annotated[
        str,
        Field(
            description="its name or a part of it, its vendor:product such as 046d:c24f, or a path such as "
            "/dev/input/by-id/...-event-joystick; `hilbridge doctor` lists them",
            min_length=1,
            pattern=r"^[^\x00]*$",
        ),
    ]
    signals: _BoundSignals

    @property
    def endpoint(self) -> Hashable:
        """The endpoint that is opened: a reload cannot change it."""
        return self.device


class UdpInput(Settings):
    """Controls received in datagrams, as games send them. By default from programs of this machine alone."""

    source: Literal["udp"]
    address: Annotated[IpAddress, Field(description="IP address to listen at; all but loopback needs 'senders'")] = (
        LOOPBACK
    )
    port: Annotated[int, Field(ge=1, le=65535, description="UDP port, as it is entered in the game")]
    senders: Annotated[
        list[IpAddress],
        Field(
            description="IP addresses of the machines whose datagrams count; one can be forged, so this is for a "
            "network that you trust; default: this machine"
        ),
    ] = []
    layout: Annotated[
        str,
        Field(
            description="name of a file in config/layouts, or a path: where the values lie in a datagram",
            json_schema_extra=completes("layout"),
        ),
    ]
    use: Annotated[
        Use | None,
        Field(
            description="the layout's own signals: driver: the pedals and levers of the game move those of our car; "
            "vehicle: speed, engine speed, gear and lamps are those of the game's car; default: none"
        ),
    ] = None
    timeout: _Timeout = 500.0
    recovery: _Recovery = 100.0
    signals: Annotated[
        dict[str, InputSignal],
        Field(
            description="by control: in place of those of 'use', or beside them",
            json_schema_extra={"completes_keys": "control"},
        ),
    ] = {}

    @property
    def endpoint(self) -> Hashable:
        """The endpoint that is opened: a reload cannot change it."""
        return self.address, self.port, tuple(self.senders)

    @model_validator(mode="after")
    def _names_its_senders(self) -> "UdpInput":
        if not is_loopback(self.address) and not self.senders:
            raise ConfigurationError(
                f"a port at {self.address} takes datagrams from the network: name 'senders', the addresses of the "
                "machines with the game",
                ("address",),
            )
        return self


class DemoDriverInput(Settings):
    """A driver that drives a short loop by itself while no other source speaks."""

    source: Literal["demo-driver"]
    keep_ignition: Annotated[
        float,
        Field(
            ge=0,
            le=3600,
            description="so long after the last request of a tester it does not turn the key off, so that no scan tool "
            "loses the car; one that asks while the key is off gets it on; 0: it turns the key as it comes",
            json_schema_extra=unit("s"),
        ),
    ] = 0.0


class BoardInput(Settings):
    """Controls that a board measures: pulses, voltages, switches."""

    source: Literal["board"]
    board: Annotated[Name, Field(description="one of 'boards'; a field is one of its 'measures'")]
    timeout: _Timeout = 500.0
    recovery: _Recovery = 100.0
    signals: _BoundSignals

    @property
    def endpoint(self) -> Hashable:
        """The endpoint that is opened: a reload cannot change it."""
        return self.board


PORT_INPUTS: Final = (SerialInput, BoardInput, EvdevInput, UdpInput)
"""The sources that have a port of their own, whose bytes are recorded by its number among them."""

InputSource = Annotated[
    CanInput | SerialInput | BoardInput | EvdevInput | UdpInput | DemoDriverInput, Field(discriminator="source")
]
