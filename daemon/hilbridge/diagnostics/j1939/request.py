"""Request (PGN 59904) and Acknowledgement (PGN 59392), SAE J1939-21.

    Request           3 bytes: the PGN that is wanted, lowest byte first
    Acknowledgement   control, group function (FF), FF, FF, address of the requester, PGN

To everybody goes what everybody asked for; a request that was sent to one address only is never left without answer:
what is not supported is refused there (NACK). On a request to everybody there is no acknowledgement of any kind.
"""

from enum import IntEnum
from typing import Final

from hilbridge.codec.frame import Frame
from hilbridge.codec.pgn import GLOBAL, Identifier

REQUEST: Final = 0xEA00
ACKNOWLEDGEMENT: Final = 0xE800

_PRIORITY: Final = 6
_NONE: Final = 0xFF


class Control(IntEnum):
    """The first byte of an acknowledgement."""

    POSITIVE = 0
    NEGATIVE = 1
    ACCESS_DENIED = 2
    CANNOT_RESPOND = 3


def requested(data: bytes) -> int | None:
    """The PGN that a request asks for; None if it is none."""
    return int.from_bytes(data[:3], "little") & 0x3FFFF if len(data) >= 3 else None


def acknowledgement(control: Control, pgn: int, requester: int, source: int) -> Frame:
    """The frame that tells the `requester` of `pgn` what became of it; everybody may hear it."""
    data = bytes((control, _NONE, _NONE, _NONE, requester)) + pgn.to_bytes(3, "little")
    return Frame(Identifier(_PRIORITY, ACKNOWLEDGEMENT, GLOBAL, source).can_id, data)
