"""A CAN frame as every room of the daemon hands it on."""

from struct import Struct
from typing import Final, NamedTuple

EXTENDED: Final = 0x80000000
"""Set in `can_id` for a 29-bit identifier (as in SocketCAN's can_id)."""
REMOTE: Final = 0x40000000
"""Set in `can_id` for a remote request."""
ERROR: Final = 0x20000000
"""Set in `can_id` for an error report of the controller."""

FD: Final = 0x04
"""In `flags`: a CAN FD frame (up to 64 bytes; as in SocketCAN's canfd_frame.flags)."""
BRS: Final = 0x01
"""In `flags`: the data phase runs at the higher bit rate."""

STANDARD_MASK: Final = 0x7FF
EXTENDED_MASK: Final = 0x1FFFFFFF

LOGGED: Final = Struct("<qIBB")
"""The head of a frame in a log in memory: time [ns], identifier with flag bits, flags, length; its data follow."""


class Frame(NamedTuple):
    """`can_id` with its flag bits, the data bytes, and the CAN FD flags (0 for a classic frame)."""

    can_id: int
    data: bytes
    flags: int = 0

    @property
    def identifier(self) -> int:
        """The 11-bit or 29-bit identifier without flag bits."""
        return self.can_id & EXTENDED_MASK

    @property
    def is_extended(self) -> bool:
        return bool(self.can_id & EXTENDED)
