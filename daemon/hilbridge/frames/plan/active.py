"""A frame that goes in cycles while a signal of it is active: differs from the number that the database calls inactive.

A cycle without an active signal passes without a frame (cyclicIfActive with GenSigInactiveValue of Vector's tools).
"""

from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.sources import Channels
from hilbridge.frames.plan.planned import PlannedFrame
from hilbridge.frames.plan.selection import Outgoing


class ActiveFrame(PlannedFrame):
    """A frame of send type cyclic-if-active."""

    __slots__ = ("_bits", "_mask")

    def __init__(self, outgoing: Outgoing, bus: Bus, channels: Channels, phase: int, tick: int) -> None:
        super().__init__(outgoing, bus, channels, phase, tick)
        self._mask, self._bits = outgoing.inactive

    def send_due(self, t: int) -> None:
        """Send the frame, which is due, if a signal is active."""
        if int.from_bytes(self.encode(self._channels), "little") & self._mask != self._bits:
            super().send_due(t)
        else:
            self.end_cycle(t)
