"""Addresses of ISO-TP connections: the CAN identifiers of tester and ECU, and the byte that precedes every frame.

| addressing (ISO 15765-2:2016, 10.3) | request | answer | functional request | first byte |
|---|---|---|---|---|
| normal, 11-bit (ISO 15765-4) | 7E0 … 7E7 | 8 above the request | 7DF | |
| normal, 29-bit | any | any | any | |
| normal fixed, 29-bit | 18DA TA SA | 18DA SA TA | 18DB 33 SA | |
| extended | any | any | any | target address |
| mixed, 11-bit | any | any | any | address extension |
| mixed, 29-bit | 18CE TA SA | 18CE SA TA | 18CD 33 SA | address extension |

TA is the target address of the request (the ECU), SA its source address (the tester).
"""

from typing import Final, NamedTuple

from hilbridge.codec.frame import EXTENDED

TESTER: Final = 0xF1
"""Source address of an external tester."""

ALL_11BIT: Final = 0x7DF
"""Identifier of functional requests of OBD, 11-bit."""

ALL_ECUS: Final = 0x33
"""Target address of functional requests of OBD, 29-bit."""

_NORMAL_FIXED: Final = 0x18DA0000 | EXTENDED
_NORMAL_FIXED_FUNCTIONAL: Final = 0x18DB0000 | EXTENDED


class Address(NamedTuple):
    """The address of an ECU: the identifiers that it receives requests on, and the one that it answers on.

    Identifiers include their EXTENDED flag. A prefix (no or one byte) precedes the data of every frame of its
    direction.
    """

    request_id: int
    response_id: int
    functional_id: int | None = None  # None: physical requests only
    request_prefix: bytes = b""
    response_prefix: bytes = b""
    functional_prefix: bytes = b""

    @classmethod
    def normal_11bit(cls, request_id: int, response_id: int, functional_id: int | None = ALL_11BIT) -> "Address":
        """Return an address of 11-bit identifiers without prefix."""
        return cls(request_id, response_id, functional_id)

    @classmethod
    def normal_fixed_29bit(cls, source: int, target: int, functional: int = ALL_ECUS) -> "Address":
        """Return the address for requests from `source`, the tester, to `target`, the ECU."""
        return cls(
            _NORMAL_FIXED | target << 8 | source,
            _NORMAL_FIXED | source << 8 | target,
            _NORMAL_FIXED_FUNCTIONAL | functional << 8 | source,
        )

    def mirrored(self) -> "Address":
        """Return the address of the tester: it receives the answers of the ECU, and no functional requests."""
        return Address(self.response_id, self.request_id, None, self.response_prefix, self.request_prefix)
