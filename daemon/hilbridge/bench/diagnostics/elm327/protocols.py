"""The protocols of an ELM327 by number, and the selection among them.

| number | protocol | identifier | bit rate |
|---|---|---|---|
| 0 | automatic | | |
| 1 … 5 | SAE J1850, ISO 9141-2, ISO 14230-4 | none: no CAN | |
| 6, 7 | ISO 15765-4 | 11, 29 bits | 500 kbit/s |
| 8, 9 | ISO 15765-4 | 11, 29 bits | 250 kbit/s |
| A | SAE J1939 | 29 bits | 250 kbit/s |
| B, C | user-defined (AT PB, PP 2C to 2F) | 11 bits | 125, 50 kbit/s |
| 31, 32 | ISO 11898, of an STN11xx (ST P) | 11, 29 bits | 500 kbit/s |
| 51, 52 | the same | 11, 29 bits | 125 kbit/s |
| 53, 54 | ISO 15765-4, of an STN11xx | 11, 29 bits | 125 kbit/s |
"""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple

AUTOMATIC: Final = "0"

SEARCH_ORDER: Final = "6879"
"""Order of the CAN protocols in an automatic search: OBD on CAN is nearly always the first one."""

USER_RATE: Final = 500_000
"""[bit/s] Bit rate that the divisor of AT PB divides."""


class DataFormat(IntEnum):
    """The format of the data of frames, by the number in AT PB."""

    NONE = 0
    ISO_15765 = 1  # with PCI bytes
    J1939 = 2


class CanProtocol(NamedTuple):
    """The layout of frames on the bus. `variable`: frames end with their data, without padding."""

    bitrate: int
    extended: bool
    format: DataFormat = DataFormat.ISO_15765
    variable: bool = False

    @property
    def formatted(self) -> bool:
        """Whether the data have PCI bytes."""
        return self.format is DataFormat.ISO_15765

    @property
    def description(self) -> str:
        """Bits of an identifier and bit rate [kbit/s]."""
        return f"CAN {29 if self.extended else 11}/{self.bitrate // 1000}"


CAN: Final = {
    "6": CanProtocol(500_000, extended=False),
    "7": CanProtocol(500_000, extended=True),
    "8": CanProtocol(250_000, extended=False),
    "9": CanProtocol(250_000, extended=True),
    "A": CanProtocol(250_000, extended=True, format=DataFormat.J1939),
    "B": CanProtocol(125_000, extended=False, format=DataFormat.NONE, variable=True),
    "C": CanProtocol(50_000, extended=False, format=DataFormat.NONE),
    "31": CanProtocol(500_000, extended=False, format=DataFormat.NONE, variable=True),
    "32": CanProtocol(500_000, extended=True, format=DataFormat.NONE, variable=True),
    "51": CanProtocol(125_000, extended=False, format=DataFormat.NONE, variable=True),
    "52": CanProtocol(125_000, extended=True, format=DataFormat.NONE, variable=True),
    "53": CanProtocol(125_000, extended=False),
    "54": CanProtocol(125_000, extended=True),
}

_NAMES: Final = {
    "1": "SAE J1850 PWM",
    "2": "SAE J1850 VPW",
    "3": "ISO 9141-2",
    "4": "ISO 14230-4 (KWP 5BAUD)",
    "5": "ISO 14230-4 (KWP FAST)",
    "A": "SAE J1939 ({})",
    "B": "USER1 ({})",
    "C": "USER2 ({})",
    **dict.fromkeys(("6", "7", "8", "9", "53", "54"), "ISO 15765-4 ({})"),
    **dict.fromkeys(("31", "32", "51", "52"), "ISO 11898 ({})"),
}

WITHOUT_CAN: Final = {"1": "NO DATA", "2": "NO DATA", **dict.fromkeys("345", "BUS INIT: ...ERROR")}
"""Answer to a request in a protocol whose wires do not exist here."""

_SENDS_11_BITS: Final = 0x80
_VARIABLE: Final = 0x40
_FASTER: Final = 0x10
_DATA_FORMAT: Final = 0x07


def user_protocol(options: int, divisor: int) -> CanProtocol | None:
    """Return a protocol as AT PB, or PP 2C and 2D, set it; None if there is none.

    Options: bit 7 for 11 bits, bit 6 for no padding, bit 4 for 8/7 of the bit rate, bits 0 to 2 the data format.
    """
    if divisor == 0 or options & _DATA_FORMAT > DataFormat.J1939:
        return None
    rate = USER_RATE * 8 // 7 if options & _FASTER else USER_RATE
    return CanProtocol(
        rate // divisor, not options & _SENDS_11_BITS, DataFormat(options & _DATA_FORMAT), bool(options & _VARIABLE)
    )


@dataclass(slots=True)
class ProtocolSelection:
    """The selected protocol. `active`: it is known to work, or a request has been sent with it."""

    number: str = AUTOMATIC
    automatic: bool = True
    active: bool = False
    bitrate: int | None = None  # ST PBR: instead of that of the protocol
    user: dict[str, CanProtocol] = field(default_factory=dict)  # protocols that the client has defined

    @property
    def can(self) -> CanProtocol | None:
        """Layout of the frames; None if the protocol is not known yet, or is no CAN protocol."""
        can = self.layout(self.number)
        return can if can is None or self.bitrate is None else can._replace(bitrate=self.bitrate)

    @property
    def description(self) -> str:
        """Answer to AT DP."""
        if self.number == AUTOMATIC:
            return "AUTO"
        can = self.can
        return ("AUTO, " if self.automatic else "") + _NAMES[self.number].format(can and can.description)

    @property
    def description_by_number(self) -> str:
        """Answer to AT DPN."""
        return ("A" if self.automatic else "") + self.number

    def layout(self, number: str) -> CanProtocol | None:
        """Return the layout of the frames of a protocol; None if it is no CAN protocol."""
        return self.user.get(number) or CAN.get(number)

    def choose(self, number: str, automatic: bool) -> None:
        """Select a protocol (AT SP, AT TP); the next request shows whether it works."""
        self.number = number
        self.automatic = automatic or number == AUTOMATIC
        self.active = False
        self.bitrate = None

    def candidates(self) -> list[str]:
        """Return the numbers that a search tries in this order: the last used protocol first."""
        return [number for number in dict.fromkeys((self.number, *SEARCH_ORDER)) if number != AUTOMATIC]
