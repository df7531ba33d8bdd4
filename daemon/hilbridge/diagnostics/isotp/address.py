"""Who is meant: the identifiers of a tester and an ECU, and the byte that some of them put before every frame.

| addressing (ISO 15765-2:2016, 10.3) | request | answer | to all | first byte |
|---|---|---|---|---|
| normal, 11-bit (ISO 15765-4) | 7E0 … 7E7 | 8 above the request | 7DF | |
| normal, 29-bit | any | any | any | |
| normal fixed, 29-bit | 18DA TA SA | 18DA SA TA | 18DB 33 SA | |
| extended | any | any | any | target address |
| mixed, 11-bit | any | any | any | address extension |
| mixed, 29-bit | 18CE TA SA | 18CE SA TA | 18CD 33 SA | address extension |

TA is the target address, SA the source address of the request: the ECU and the tester.
"""

from typing import Final, NamedTuple

from hilbridge.codec.frame import EXTENDED

TESTER: Final = 0xF1
"""Source address of an external tester."""

ALL_11BIT: Final = 0x7DF
"""Functional requests of OBD, 11-bit."""

ALL_ECUS: Final = 0x33
"""Target address of functional requests of OBD, 29-bit."""

_NORMAL_FIXED: Final = 0x18DA0000 | EXTENDED
_NORMAL_FIXED_FUNCTIONAL: Final = 0x18DB0000 | EXTENDED
_MIXED: Final = 0x18CE0000 | EXTENDED
_MIXED_FUNCTIONAL: Final = 0x18CD0000 | EXTENDED


class Address(NamedTuple):
    """Seen from the ECU: it hears requests and functional requests, and answers with responses.

    Identifiers carry their EXTENDED flag. A prefix (none or one byte) stands before every frame of its direction.
    """

    request_id: int
    response_id: int
    functional_id: int | None = None  # None: only physical requests are heard
    request_prefix: bytes = b""
    response_prefix: bytes = b""
    functional_prefix: bytes = b""

    @classmethod
    def normal_11bit(cls, request_id: int, response_id: int, functional_id: int | None = ALL_11BIT) -> "Address":
        return cls(request_id, response_id, functional_id)

    @classmethod
    def normal_29bit(cls, request_id: int, response_id: int, functional_id: int | None = None) -> "Address":
        functional = None if functional_id is None else functional_id | EXTENDED
        return cls(request_id | EXTENDED, response_id | EXTENDED, functional)

    @classmethod
    def normal_fixed_29bit(cls, source: int, target: int, functional: int = ALL_ECUS) -> "Address":
        """Of requests from `source`, the tester, to `target`, the ECU."""
        return cls(
            _NORMAL_FIXED | target << 8 | source,
            _NORMAL_FIXED | source << 8 | target,
            _NORMAL_FIXED_FUNCTIONAL | functional << 8 | source,
        )

    @classmethod
    def extended(
        cls, request_id: int, response_id: int, source: int, target: int, functional: int | None = None
    ) -> "Address":
        """Identifiers with their EXTENDED flag; the target address of a functional request tells it from others."""
        return cls(
            request_id,
            response_id,
            None if functional is None else request_id,
            bytes((target,)),
            bytes((source,)),
            b"" if functional is None else bytes((functional,)),
        )

    @classmethod
    def mixed_11bit(
        cls, request_id: int, response_id: int, extension: int, functional_id: int | None = None
    ) -> "Address":
        prefix = bytes((extension,))
        return cls(request_id, response_id, functional_id, prefix, prefix, prefix)

    @classmethod
    def mixed_29bit(cls, source: int, target: int, extension: int, functional: int = ALL_ECUS) -> "Address":
        prefix = bytes((extension,))
        return cls(
            _MIXED | target << 8 | source,
            _MIXED | source << 8 | target,
            _MIXED_FUNCTIONAL | functional << 8 | source,
            prefix,
            prefix,
            prefix,
        )

    def mirrored(self) -> "Address":
        """Seen from the tester, who hears the ECU's answers and nothing that is meant for all."""
        return Address(self.response_id, self.request_id, None, self.response_prefix, self.request_prefix)
