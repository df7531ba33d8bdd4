"""The protocols of an ELM327 by number, and which of them the interpreter is set to.

| number | what it is | identifier | bit rate |
|---|---|---|---|
| 0 | automatic | | |
| 1 … 5 | SAE J1850, ISO 9141-2, ISO 14230-4 | none: no CAN | |
| 6, 7 | ISO 15765-4 | 11, 29 bits | 500 kbit/s |
| 8, 9 | ISO 15765-4 | 11, 29 bits | 250 kbit/s |
| A | SAE J1939, as raw frames | 29 bits | 250 kbit/s |
| B, C | the user's (AT PB) | 11 bits | 125, 50 kbit/s |
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

AUTOMATIC: Final = "0"

SEARCH_ORDER: Final = "6879"
"""In which an automatic search tries the CAN protocols: OBD on CAN is nearly always the first one."""

USER_RATE: Final = 500_000
"""[bit/s] that the divisor of AT PB divides."""


class CanProtocol(NamedTuple):
    """How frames look on the bus. `formatted`: they are those of ISO 15765-4, with PCI bytes."""

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
"""What comes of a request in a protocol whose wires are not there."""

_SENDS_11_BITS: Final = 0x80
_DATA_FORMAT: Final = 0x07
_ISO_15765_4: Final = 0x01


def user_protocol(options: int, divisor: int) -> CanProtocol | None:
    """What AT PB makes of protocol B: bit 7 of the options is "11 bits", bits 0 to 2 are the format of the data."""
    if divisor == 0:
        return None
    return CanProtocol(
        USER_RATE // divisor, not options & _SENDS_11_BITS, formatted=options & _DATA_FORMAT == _ISO_15765_4
    )


@dataclass(slots=True)
class ProtocolSelection:
    """The protocol in use. `active`: it is known to work, or a request has been made in it."""

    number: str = AUTOMATIC
    automatic: bool = True
    active: bool = False
    user: CanProtocol = CAN["B"]

    @property
    def can(self) -> CanProtocol | None:
        """How frames look; None where that is not known yet, or is no CAN."""
        return self.layout(self.number)

    @property
    def description(self) -> str:
        """The answer to AT DP."""
        if self.number == AUTOMATIC:
            return "AUTO"
        can = self.can
        layout = f"{29 if can.extended else 11}/{can.bitrate // 1000}" if can is not None else ""
        return ("AUTO, " if self.automatic else "") + _NAMES[self.number].format(layout)

    @property
    def description_by_number(self) -> str:
        """The answer to AT DPN."""
        return ("A" if self.automatic else "") + self.number

    def layout(self, number: str) -> CanProtocol | None:
        """How frames of a protocol look."""
        return self.user if number == "B" else CAN.get(number)

    def choose(self, number: str, automatic: bool) -> None:
        """AT SP and AT TP: the next request finds out whether it works."""
        self.number = number
        self.automatic = automatic or number == AUTOMATIC
        self.active = False

    def candidates(self) -> str:
        """What a search tries, one after another: the one last used first."""
        return "".join(dict.fromkeys(self.number + SEARCH_ORDER)).replace(AUTOMATIC, "")
