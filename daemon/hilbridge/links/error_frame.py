"""Error frames of SocketCAN: what a CAN controller reports about itself and the bus.

    can_id     ERROR | classes
    data[1]    for the class CONTROLLER: its condition, for transmission and reception

A controller counts errors (ISO 11898-1): above 96 it warns, above 127 it is error passive, above 255 of its own frames
it leaves the bus: bus-off, until it is restarted. Source: linux/can/error.h.
"""

from typing import Final

from hilbridge.codec.frame import Frame
from hilbridge.links.link import LinkStatistics

CONTROLLER: Final = 0x04
BUS_OFF: Final = 0x40
RESTARTED: Final = 0x100

_WARNING: Final = 0x04 | 0x08
_PASSIVE: Final = 0x10 | 0x20


def count(frame: Frame, statistics: LinkStatistics) -> None:
    """Counts an error frame, and the worst condition that it reports."""
    statistics.errors += 1
    condition = frame.data[1] if frame.can_id & CONTROLLER and len(frame.data) > 1 else 0
    if frame.can_id & BUS_OFF:
        statistics.bus_off += 1
    elif condition & _PASSIVE:
        statistics.error_passive += 1
    elif condition & _WARNING:
        statistics.error_warning += 1
