"""A frame that is sent once each time that its terminals come on: units, language, a car's configuration.

    terminals on        send, and `repetitions` times more, one every repetition period
    terminals off       what is left is dropped

A bus that is not armed, or whose link accepts no frame, is waited for: the frame would not come again.
"""

from typing import Final

from hilbridge.base.common.units import NEVER
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.sources import Channels
from hilbridge.frames.plan.planned import PlannedFrame
from hilbridge.frames.plan.selection import Outgoing


class OnceFrame(PlannedFrame):
    """A frame of send type once; `due` as of a cyclic one."""

    __slots__ = ("_left", "_tick")

    def __init__(self, outgoing: Outgoing, bus: Bus, channels: Channels, phase: int, tick: int) -> None:
        super().__init__(outgoing, bus, channels, phase, tick)
        self._tick: Final = tick
        self._left = 0

    def take_over(self, before: PlannedFrame, t: int) -> None:
        """Continue as above; what was sent is not sent again."""
        super().take_over(before, t)
        if isinstance(before, OnceFrame):
            self._left = before._left
        else:
            self.due = NEVER

    def switch(self, on: int, t: int) -> None:
        """Apply the set of terminals that are `on` from `t` [ns]."""
        if not self.outgoing.terminals & on:
            self.awake, self.due = False, NEVER
        elif not self.awake:
            self.awake = True
            self._left = 1 + self.outgoing.sending.repetitions
            self.due = t

    def send_due(self, t: int) -> None:
        """Send the frame, which is due, as soon as it reaches someone."""
        if not self.bus.is_armed or not self._may_go():
            self.due = t + self._tick
            return
        self._left -= 1
        self.due = t + self.outgoing.sending.repetition_period if self._left else NEVER
        self.send(self.encode(self._channels), t)
