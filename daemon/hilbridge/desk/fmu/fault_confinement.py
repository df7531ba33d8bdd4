"""The fault confinement of a CAN node: what its error counters come to, from the errors that it is told.

| event | counter |
|---|---|
| an error in a frame that this node sends | transmit + 8 |
| the same, no node acknowledges, and this one is error passive | none |
| an error in a frame that it receives | receive + 1; + 8 more if it was the first to detect it |
| a frame that it has sent was acknowledged | transmit - 1 |
| a frame that it has received is right | receive - 1, and not above 127 |

A node is error passive while a counter is above 127, and off the bus when the transmit counter comes above 255. It
comes back, with both counters at 0, after 128 times 11 recessive bits.

Source: ISO 11898-1, fault confinement.
"""

from typing import Final

from hilbridge.base.common.units import SECOND
from hilbridge.desk.fmu.bus_operations import ACKNOWLEDGE_ERROR, BusError, Status

_PASSIVE: Final = 127
_OFF: Final = 255
_STEP: Final = 8
_RECOVERY: Final = 128 * 11
"""Recessive bits."""
DEFAULT_RATE: Final = 500_000
"""[bit/s] of a bus that does not say its rate; for the time of recovery alone."""


class FaultConfinement:
    """The counters of one node, and its `state`."""

    def __init__(self, bitrate: int | None) -> None:
        """`bitrate` [bit/s] of the arbitration phase."""
        self.state = Status.ERROR_ACTIVE
        self.transmit = 0
        self.receive = 0
        self._recovery: Final = SECOND * _RECOVERY // (bitrate or DEFAULT_RATE)
        self._back: int | None = None  # [ns]

    def error(self, error: BusError) -> bool:
        """Count an error; return whether the state has changed."""
        if self.state is Status.BUS_OFF:
            return False
        if not error.is_sender:
            self.receive += 1 + (_STEP if error.primary else 0)
        elif error.code != ACKNOWLEDGE_ERROR or self.state is Status.ERROR_ACTIVE:
            self.transmit += _STEP
        return self._judge()

    def sent(self) -> bool:
        """Count an acknowledged frame; return whether the state has changed."""
        self.transmit = max(0, self.transmit - 1)
        return self._judge()

    def received(self) -> bool:
        """Count a frame that is right; return whether the state has changed."""
        self.receive = max(0, min(self.receive, _PASSIVE + 1) - 1)
        return self._judge()

    def recover(self, t: int) -> bool:
        """Come back to the bus at `t` [ns] if the time for it is over; return whether the state has changed.

        The bus is taken to be silent meanwhile: so this is the shortest time of a real controller.
        """
        if self.state is not Status.BUS_OFF:
            return False
        if self._back is None:
            self._back = t + self._recovery
        if t < self._back:
            return False
        self._back, self.transmit, self.receive = None, 0, 0
        self.state = Status.ERROR_ACTIVE
        return True

    def _judge(self) -> bool:
        before = self.state
        if before is not Status.BUS_OFF:
            passive = self.transmit > _PASSIVE or self.receive > _PASSIVE
            self.state = Status.ERROR_PASSIVE if passive else Status.ERROR_ACTIVE
            if self.transmit > _OFF:
                self.state = Status.BUS_OFF
        return self.state is not before
