"""The frames of the transport protocol (SAE J1939-21, 5.10), its limits and its times.

Connection management (PGN 60416); the last three bytes are the PGN of the message, lowest byte first:

    10  request to send (RTS)     length (2 bytes), packets, most packets for one CTS
    11  clear to send (CTS)       packets, number of the first one, FF, FF; 0 packets: hold the connection
    13  end of message            length (2 bytes), packets, FF
    20  broadcast (BAM)           length (2 bytes), packets, FF
    FF  abort                     reason, FF, FF, FF

Data transfer (PGN 60160): number of the packet, 1…255, and seven bytes; the last packet is padded with FF.

Times and the abort reasons 1 to 5 and 250 agree with those of j1939-84, the compliance test of the Equipment and Tool
Institute; reasons 7 and 9 are those of other implementations.
"""

from enum import IntEnum
from typing import Final, NamedTuple

from hilbridge.base.common.units import MILLISECOND
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.codec.pgn import Identifier

CONNECTION: Final = 0xEC00
DATA: Final = 0xEB00

PACKET: Final = 7
"""[byte] Message bytes in one packet."""
SHORTEST: Final = 9
LONGEST: Final = 255 * PACKET
"""[byte]"""

BROADCAST_GAP: Final = 50 * MILLISECOND
"""[ns] Time between two packets of a broadcast; the standard allows 50 to 200 ms."""
T1: Final = 750 * MILLISECOND
"""[ns] Time-out of a receiver for the next packet."""
T2: Final = 1250 * MILLISECOND
"""[ns] Time-out of a receiver for the first packet after its CTS."""
T3: Final = 1250 * MILLISECOND
"""[ns] Time-out of a sender for CTS or end of message after its RTS or the last packet."""
T4: Final = 1050 * MILLISECOND
"""[ns] Time-out of a sender after a CTS that holds the connection."""

_PRIORITY: Final = 7


class ConnectionControl(IntEnum):
    """The first byte of a connection management frame."""

    RTS = 0x10
    CTS = 0x11
    END = 0x13
    BAM = 0x20
    ABORT = 0xFF


class AbortReason(IntEnum):
    """The reason of an abort."""

    ALREADY_CONNECTED = 1
    NO_RESOURCES = 2
    TIMEOUT = 3
    CTS_WHILE_SENDING = 4
    TOO_MANY_RETRANSMISSIONS = 5
    BAD_SEQUENCE = 7
    TOO_LONG = 9
    OTHER = 250


class Route(NamedTuple):
    """The source and destination address of a message, and its PGN."""

    source: int
    destination: int
    pgn: int

    def connection(self, control: ConnectionControl, *arguments: int) -> Frame:
        """Return a connection management frame; missing arguments are FF."""
        data = bytes((control, *arguments)).ljust(5, b"\xff") + self.pgn.to_bytes(3, "little")
        return Frame(Identifier(_PRIORITY, CONNECTION, self.destination, self.source).can_id, data)

    def packet(self, number: int, payload: bytes) -> Frame:
        """Return packet `number` of a message."""
        part = payload[(number - 1) * PACKET : number * PACKET]
        data = bytes((number,)) + part.ljust(PACKET, b"\xff")
        return Frame(Identifier(_PRIORITY, DATA, self.destination, self.source).can_id, data)

    @property
    def back(self) -> "Route":
        """The route in the opposite direction."""
        return Route(self.destination, self.source, self.pgn)


def packets(length: int) -> int:
    """Return the number of packets of a message of `length` bytes."""
    return -(-length // PACKET)


def announced(length: int, count: int) -> bytes:
    """Return length and number of packets, as in RTS, BAM and end of message."""
    return length.to_bytes(2, "little") + bytes((count,))
