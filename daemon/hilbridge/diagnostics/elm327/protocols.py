"""The protocols of an ELM327 by number, and the selection among them.

| number | protocol | identifier | bit rate |
|---|---|---|---|
| 0 | automatic | | |
| 1 … 5 | SAE J1850, ISO 9141-2, ISO 14230-4 | none: no CAN | |
| 6, 7 | ISO 15765-4 | 11, 29 bits | 500 kbit/s |
| 8, 9 | ISO 15765-4 | 11, 29 bits | 250 kbit/s |
| A | SAE J1939, as raw frames | 29 bits | 250 kbit/s |
| B, C | user-defined (AT PB) | 11 bits | 125, 50 kbit/s |
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

AUTOMATIC: Final = "0"

SEARCH_ORDER: Final = "6879"
"""Order of the CAN protocols in an automatic search: OBD on CAN is nearly always the first one."""

USER_RATE: Final = 500_000
"""[bit/s] Bit rate that the divisor of AT PB divides."""


class CanProtocol(NamedTuple):
    """The layout of frames on the bus. `formatted`: they are ISO 15765-4 frames, with PCI bytes."""

    bitrate: int
    extended: bool
    formatted: bool = True


CAN: Final = {
    "6": CanProtocol(500_000, extended=False),
    "7": CanProtocol(500_000, extended=True),
    "8": CanProtocol(250_000, extended=False),
    "9": CanProtocol(250_000, extended=True),
    "A": CanProtocol(250_000, extended=True, formatted=False),
    "B": CanProtocol(125_000, extended=False, formatted=False),
    "C": CanProtocol(50_000, extended=False, formatted=False),
}

_NAMES: Final = {
    "1": "SAE J1850 PWM",
    "2": "SAE J1850 VPW",
    "3": "ISO 9141-2",
    "4": "ISO 14230-4 (KWP 5BAUD)",
    "5": "ISO 14230-4 (KWP FAST)",
    "6": "ISO 15765-4 (CAN {})",
    "7": "ISO 15765-4 (CAN {})",
    "8": "ISO 15765-4 (CAN {})",
    "9": "ISO 15765-4 (CAN {})",
    "A": "SAE J1939 (CAN {})",
    "B": "USER1 (CAN {})",
    "C": "USER2 (CAN {})",
}

WITHOUT_CAN: Final = {"1": "NO DATA", "2": "NO DATA", **dict.fromkeys("345", "BUS INIT: ...ERROR")}
"""Answer to a request in a protocol whose wires do not exist here."""

_SENDS_11_BITS: Final = 0x80
_DATA_FORMAT: Final = 0x07
_ISO_15765_4: Final = 0x01


def user_protocol(options: int, divisor: int) -> CanProtocol | None:
    """Return protocol B as set by AT PB: bit 7 of the options means 11 bits, bits 0 to 2 are the data format."""
    if divisor == 0:
        return None
    return CanProtocol(
        USER_RATE // divisor, not options & _SENDS_11_BITS, formatted=options & _DATA_FORMAT == _ISO_15765_4
    )


@dataclass(slots=True)
class ProtocolSelection:
    """The selected protocol. `active`: it is known to work, or a request has been sent with it."""

    number: str = AUTOMATIC
    automatic: bool = True
    active: bool = False
    user: CanProtocol = CAN["B"]

    @property
    def can(self) -> CanProtocol | None:
        """Layout of the frames; None if the protocol is not known yet, or is no CAN protocol."""
        return self.layout(self.number)

    @property
    def description(self) -> str:
        """Answer to AT DP."""
        if self.number == AUTOMATIC:
            return "AUTO"
        can = self.can
        layout = f"{29 if can.extended else 11}/{can.bitrate // 1000}" if can is not None else ""
        return ("AUTO, " if self.automatic else "") + _NAMES[self.number].format(layout)

    @property
    def description_by_number(self) -> str:
        """Answer to AT DPN."""
        return ("A" if self.automatic else "") + self.number

    def layout(self, number: str) -> CanProtocol | None:
        """Return the layout of the frames of a protocol; None if it is no CAN protocol."""
        return self.user if number == "B" else CAN.get(number)

    def choose(self, number: str, automatic: bool) -> None:
        """Select a protocol (AT SP, AT TP); the next request shows whether it works."""
        self.number = number
        self.automatic = automatic or number == AUTOMATIC
        self.active = False

    def candidates(self) -> str:
        """Return the numbers that a search tries in this order: the last used protocol first."""
        return "".join(dict.fromkeys(self.number + SEARCH_ORDER)).replace(AUTOMATIC, "")
