"""The parts of a J1939 identifier (SAE J1939-21).

    bits 28..26  priority, 0 is the highest
    bits 25..24  extended data page, data page
    bits 23..16  PDU format (PF)
    bits 15..8   PDU specific: below PF 240 (PDU1) the destination address, else (PDU2) part of the group's number
    bits 7..0    source address

The parameter group number (PGN) is bits 25..8, with 0 in place of a destination.
"""

from typing import Final, NamedTuple

from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK

GLOBAL: Final = 0xFF
"""The destination of a broadcast."""
NULL_ADDRESS: Final = 0xFE
"""The source of a node without an address, and the placeholder for an address in databases."""
HIGHEST_ADDRESS: Final = 0xFD
"""The last address that a control unit can have."""

GROUP_MASK: Final = ~(0x7 << 26 | 0xFF)
"""A mask that keeps group and destination: all but priority and source address."""

_LAST_PDU1: Final = 0xEF


class Identifier(NamedTuple):
    """The parts of an identifier: priority, group, addresses; `destination` is GLOBAL for a broadcast."""

    priority: int
    pgn: int
    destination: int
    source: int

    @property
    def can_id(self) -> int:
        """The identifier with its flag for 29 bits."""
        group = self.pgn | (self.destination if is_addressed(self.pgn) else 0)
        return EXTENDED | self.priority << 26 | group << 8 | self.source


def is_addressed(pgn: int) -> bool:
    """Return whether frames of the group have a destination (PDU1)."""
    return pgn >> 8 & 0xFF <= _LAST_PDU1


def split(can_id: int) -> Identifier:
    """Return the parts of a 29-bit identifier."""
    identifier = can_id & EXTENDED_MASK
    priority, group, source = identifier >> 26, identifier >> 8 & 0x3FFFF, identifier & 0xFF
    if is_addressed(group):
        return Identifier(priority, group & 0x3FF00, group & 0xFF, source)
    return Identifier(priority, group, GLOBAL, source)


def with_source(can_id: int, address: int) -> int:
    """Return the identifier with another source address."""
    return can_id & ~0xFF | address
