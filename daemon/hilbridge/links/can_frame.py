"""Frames as the datagrams of SocketCAN: struct can_frame (16 bytes) and struct canfd_frame (72 bytes).

    can_frame     u32 can_id, u8 length, 3 bytes unused, u8 data[8]
    canfd_frame   u32 can_id, u8 length, u8 flags, 2 bytes unused, u8 data[64]

in the byte order of the machine (linux/can.h). The size tells which one it is. A remote request carries its length and
no data; as a Frame its data are that many zeros.
"""

from struct import Struct
from typing import Final

from hilbridge.frames.frame import FD, Frame

_CLASSIC: Final = Struct("=IB3x8s")
_FD: Final = Struct("=IBB2x64s")

CLASSIC_SIZE: Final = _CLASSIC.size
FD_SIZE: Final = _FD.size
LARGEST_REPORT: Final = 4096
"""[bytes] of a datagram that is no frame: a helper process has something to say."""

FD_LENGTHS: Final = (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64)
"""Data bytes of a CAN FD frame by its data length code (ISO 11898-1)."""
FD_CODES: Final = tuple(
    next(code for code, length in enumerate(FD_LENGTHS) if length >= count) for count in range(FD_LENGTHS[-1] + 1)
)
"""The smallest data length code with room for 0..64 bytes; what remains of the frame is zero."""


def pack_frame(frame: Frame) -> bytes:
    """The datagram of a frame."""
    can_id, data, flags = frame
    if flags & FD:
        return _FD.pack(can_id, FD_LENGTHS[FD_CODES[len(data)]], flags, data)
    return _CLASSIC.pack(can_id, len(data), data)


def unpack_frame(datagram: bytes) -> Frame:
    """The frame in a datagram of CLASSIC_SIZE or FD_SIZE bytes."""
    if len(datagram) == FD_SIZE:
        can_id, length, flags, data = _FD.unpack(datagram)
        return Frame(can_id, data[:length], flags | FD)
    can_id, length, data = _CLASSIC.unpack(datagram)
    return Frame(can_id, data[:length])
