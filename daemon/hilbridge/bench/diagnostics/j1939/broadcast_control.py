"""Stop and start of broadcasts (SAE J1939-73, DM13, PGN 57088).

    byte 1, bits 1 and 0   this network: 00 stop, 01 start, 11 no change
            bits 7 and 6   the network that the message is on: the same
    byte 4, bits 7 to 4    hold: 0 all units, 1 those that were stopped
            bits 3 to 0    suspend: 0, 1 until started again; 2, 3 for a time
    bytes 5, 6             that time [s]

Stopped are the cycles of the plan and DM1; requests, claims and the transport protocol go on. A stop ends with a start,
with the ignition, after the time of a suspend, or when no hold has come for six seconds: a tool sends one every five.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.base.common.units import NEVER, SECOND

DM13: Final = 0xDF00

HOLD: Final = 6 * SECOND
"""[ns] after which a stop ends without a hold."""

_LENGTH: Final = 8
_STOP: Final = 0
_START: Final = 1
_TEMPORARY: Final = (2, 3)
_FOREVER: Final = (0, 1)
_SUSPENDS: Final = (0, 1, 2, 3)
_HOLDS: Final = (0, 1)
_HIGHEST_TIME: Final = 0xFAFF


class BroadcastControl:
    """Whether a control unit broadcasts; `switch` is called with True when it stops, with False when it starts."""

    def __init__(self, switch: Callable[[bool], None]) -> None:
        self.stopped = False
        self._switch: Final = switch
        self._until = NEVER  # [ns] end of the stop
        self._held = False  # the stop needs a hold from time to time

    def receive(self, data: bytes, t: int) -> None:
        """Take a DM13 to this unit or to all."""
        if len(data) < _LENGTH:
            return
        suspend, hold = data[3] & 0x0F, data[3] >> 4
        time = int.from_bytes(data[4:6], "little")
        commands = (data[0] & 0x03, data[0] >> 6)
        if _START in commands:
            self.start()
        elif _STOP in commands or (self.stopped and suspend in _SUSPENDS):
            self._stop(t, suspend, time)
        elif self.stopped and self._held and hold in _HOLDS:
            self._until = t + HOLD

    @property
    def due(self) -> int:
        """The time [ns] at which `poll` has something to do; NEVER: at none."""
        return self._until if self.stopped else NEVER

    def poll(self, t: int) -> None:
        """End a stop whose time is over at `t` [ns]."""
        if self.stopped and t >= self._until:
            self.start()

    def start(self) -> None:
        """Broadcast again."""
        if self.stopped:
            self.stopped = False
            self._switch(False)

    def _stop(self, t: int, suspend: int, time: int) -> None:
        self._held = suspend not in _SUSPENDS
        self._until = t + HOLD
        if suspend in _FOREVER:
            self._until = NEVER
        elif suspend in _TEMPORARY and time <= _HIGHEST_TIME:
            self._until = t + time * SECOND
        if not self.stopped:
            self.stopped = True
            self._switch(True)
