"""Frames as the datagrams of SocketCAN: struct can_frame (16 bytes) and struct canfd_frame (72 bytes).

    can_frame     u32 can_id, u8 length, 3 bytes unused, u8 data[8]
    canfd_frame   u32 can_id, u8 length, u8 flags, 2 bytes unused, u8 data[64]

in the byte order of the machine (linux/can.h). The size tells which one it is. A remote request carries its length and
no data; as a Frame its data are that many zeros.
"""

from struct import Struct
from typing import Final

from hilbridge.codec.frame import FD, Frame
from hilbridge.common.frame_lengths import frame_length

_CLASSIC: Final = Struct("=IB3x8s")
_FD: Final = Struct("=IBB2x64s")

CLASSIC_SIZE: Final = _CLASSIC.size
FD_SIZE: Final = _FD.size
LARGEST_REPORT: Final = 4096
"""[bytes] of a datagram that is no frame: a helper process has something to say."""


def pack_frame(frame: Frame) -> bytes:
    """The datagram of a frame; what remains of a CAN FD frame is zero."""
    can_id, data, flags = frame
    if flags & FD:
        return _FD.pack(can_id, frame_length(len(data)), flags, data)
    return _CLASSIC.pack(can_id, len(data), data)


def unpack_frame(datagram: bytes) -> Frame:
    """The frame in a datagram of CLASSIC_SIZE or FD_SIZE bytes."""
    if len(datagram) == FD_SIZE:
        can_id, length, flags, data = _FD.unpack(datagram)
        return Frame(can_id, data[:length], flags | FD)
    can_id, length, data = _CLASSIC.unpack(datagram)
    return Frame(can_id, data[:length])
