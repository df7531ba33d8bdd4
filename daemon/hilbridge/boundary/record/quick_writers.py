"""The writers of python-can with a shorter way for frames of classic CAN, nearly all there are: the same bytes, sooner.

They take a frame as it lies in a recording. What is no data frame of classic CAN goes the writers' own way.
"""

import struct
from typing import Final

import can

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.record.boundary_records import FRAME_LAYOUT
from hilbridge.frames.codec.frame import BRS, ERROR, EXTENDED, EXTENDED_MASK, FD, REMOTE

ESI: Final = 0x02
"""Flag of a frame whose sender is error passive (as in SocketCAN's canfd_frame.flags)."""

_SIZE: Final = FRAME_LAYOUT.size
_ERROR_LINE: Final = "20000080#"
"""A frame that only says of a bus that it had an error (CAN_ERR_FLAG, CAN_ERR_BUSERROR)."""

_OBJECT: Final = struct.Struct("<4sHHIIIHHQHBBI8s")
"""A CAN_MESSAGE of a BLF file: base header, header of version 1, message."""

_CAN_MESSAGE: Final = 1
_NANOSECONDS: Final = 2
_HEADER: Final = 32
_SENT: Final = 1

HALF: Final = 0.5 / SECOND
"""[s] added to each time: the writer of BLF cuts off below the nanosecond."""


def message(timestamp: float, payload: bytes) -> can.Message:
    """Return a frame as python-can has it; bus n is its channel n."""
    can_id, bus, received, flags = FRAME_LAYOUT.unpack_from(payload)
    data = payload[_SIZE:]
    return can.Message(
        timestamp,
        can_id & EXTENDED_MASK,
        bool(can_id & EXTENDED),
        bool(can_id & REMOTE),
        bool(can_id & ERROR),
        bus,
        len(data),
        None if can_id & REMOTE else data,
        bool(flags & FD),
        bool(received),
        bool(flags & BRS),
        bool(flags & ESI),
    )


class QuickBlf(can.BLFWriter):
    """Times from 0: run time is no date, so the dates of the header stay empty."""

    def frame(self, t: int, payload: bytes) -> None:
        """Write a frame of time `t` [ns]."""
        if self.start_timestamp is None:
            self.start_timestamp = 0.0
        can_id, bus, received, flags = FRAME_LAYOUT.unpack_from(payload)
        timestamp = HALF + t / SECOND
        if flags & FD or can_id & (ERROR | REMOTE):
            self.on_message_received(message(timestamp, payload))
            return
        self.stop_timestamp = timestamp
        identifier = can_id & (EXTENDED | EXTENDED_MASK)
        length = len(payload) - _SIZE
        self._buffer.append(
            _OBJECT.pack(
                b"LOBJ", _HEADER, 1, _OBJECT.size, _CAN_MESSAGE,
                _NANOSECONDS, 0, 0, int(timestamp * 1e9),
                bus + 1, 0 if received else _SENT, length, identifier, payload[_SIZE:],
            )
        )  # fmt: skip
        self._buffer_size += _OBJECT.size
        self.object_count += 1
        if self._buffer_size >= self.max_container_size:
            self._flush()


class QuickAsc(can.ASCWriter):
    """Times from the first frame."""

    def frame(self, t: int, payload: bytes) -> None:
        """Write a frame of time `t` [ns]."""
        can_id, bus, received, flags = FRAME_LAYOUT.unpack_from(payload)
        timestamp = t / SECOND
        if flags & FD or can_id & (ERROR | REMOTE) or not self.header_written:
            self.on_message_received(message(timestamp, payload))
            return
        if timestamp >= self.started:
            timestamp -= self.started
        name = f"{can_id & EXTENDED_MASK:X}x" if can_id & EXTENDED else f"{can_id & EXTENDED_MASK:X}"
        data = payload[_SIZE:]
        way = "Rx" if received else "Tx"
        self.file.write(f"{timestamp: 9.6f} {bus + 1}  {name:<15} {way}   d {len(data):x} {data.hex(' ').upper()}\n")


class QuickCandump(can.CanutilsLogWriter):
    """Channels are the names of buses."""

    buses: tuple[str, ...] = ()

    def frame(self, t: int, payload: bytes) -> None:
        """Write a frame of time `t` [ns]."""
        can_id, bus, received, flags = FRAME_LAYOUT.unpack_from(payload)
        timestamp = t / SECOND
        if self.last_timestamp is None:
            self.last_timestamp = timestamp
        channel = self.buses[bus]
        data = payload[_SIZE:].hex().upper()
        name = f"{can_id & EXTENDED_MASK:08X}#" if can_id & EXTENDED else f"{can_id & EXTENDED_MASK:03X}#"
        end = " R\n" if received else " T\n"
        if can_id & ERROR:
            name, end = _ERROR_LINE, "\n"
        elif can_id & REMOTE:
            data = "R"
        elif flags & FD:
            data = f"#{flags & (BRS | ESI):X}{data}"
        when = max(timestamp, self.last_timestamp)
        self.file.write(f"({when:f}) {f'can{channel}' if channel.isdigit() else channel} {name}{data}{end}")
