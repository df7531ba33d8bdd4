"""Frames as the datagrams of SocketCAN: struct can_frame (16 bytes) and struct canfd_frame (72 bytes); error frames.

    can_frame     u32 can_id, u8 length, 3 bytes unused, u8 data[8]
    canfd_frame   u32 can_id, u8 length, u8 flags, 2 bytes unused, u8 data[64]

in the byte order of the machine (linux/can.h). The size tells them apart. A remote request carries its length and no
data; as a Frame its data are that many zeros. By error frames a CAN controller reports its own state and the bus's
(linux/can/error.h):

    can_id     ERROR | classes
    data[1]    for the class CONTROLLER: its condition, for transmission and reception

A controller counts errors (ISO 11898-1): above 96 it warns, above 127 it is error passive, above 255 of its own frames
it leaves the bus: bus-off, until it is restarted.
"""

from struct import Struct
from typing import Final

from hilbridge.base.common.frame_lengths import frame_length
from hilbridge.boundary.links.link import LinkStatistics
from hilbridge.frames.codec.frame import FD, Frame

_CLASSIC: Final = Struct("=IB3x8s")
_FD: Final = Struct("=IBB2x64s")

CLASSIC_SIZE: Final = _CLASSIC.size
FD_SIZE: Final = _FD.size
LARGEST_REPORT: Final = 4096
"""[bytes] of a datagram that is no frame: a report of a helper process."""

CONTROLLER: Final = 0x04
BUS_OFF: Final = 0x40
RESTARTED: Final = 0x100

_WARNING: Final = 0x04 | 0x08
_PASSIVE: Final = 0x10 | 0x20


def pack_frame(frame: Frame) -> bytes:
    """Return the datagram of a frame; the rest of a CAN FD frame is zero."""
    can_id, data, flags = frame
    if flags & FD:
        return _FD.pack(can_id, frame_length(len(data)), flags, data)
    return _CLASSIC.pack(can_id, len(data), data)


def unpack_frame(datagram: bytes) -> Frame:
    """Return the frame in a datagram of CLASSIC_SIZE or FD_SIZE bytes."""
    if len(datagram) == FD_SIZE:
        can_id, length, flags, data = _FD.unpack(datagram)
        return Frame(can_id, data[:length], flags | FD)
    can_id, length, data = _CLASSIC.unpack(datagram)
    return Frame(can_id, data[:length])


def count_error_frame(frame: Frame, statistics: LinkStatistics) -> None:
    """Count an error frame, and the worst condition that it reports."""
    statistics.errors += 1
    condition = frame.data[1] if frame.can_id & CONTROLLER and len(frame.data) > 1 else 0
    if frame.can_id & BUS_OFF:
        statistics.bus_off += 1
    elif condition & _PASSIVE:
        statistics.error_passive += 1
    elif condition & _WARNING:
        statistics.error_warning += 1
