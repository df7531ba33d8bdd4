"""A frame in which signals take their numbers in turn: the pages of a rotating multiplexer."""

from typing import Final

from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.sources import Channels
from hilbridge.frames.codec.turns import Turns
from hilbridge.frames.plan.planned import PlannedFrame
from hilbridge.frames.plan.selection import Outgoing


class TurningFrame(PlannedFrame):
    """A cyclic frame whose pages go on with each frame that is sent."""

    __slots__ = ("_turns",)

    def __init__(self, outgoing: Outgoing, bus: Bus, channels: Channels, phase: int, tick: int) -> None:
        super().__init__(outgoing, bus, channels, phase, tick)
        self._turns: Final = tuple(one for one in outgoing.memories.values() if isinstance(one, Turns))

    def send(self, data: bytes, t: int) -> None:
        """Send the frame, and go on to the next page."""
        super().send(data, t)
        for turns in self._turns:
            turns.advance()
