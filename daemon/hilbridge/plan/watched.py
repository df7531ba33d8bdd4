"""A frame that goes when its content changes: looked at in every tick.

States, with c the bytes now, s those sent last, F = last time sent + minimum delay (send_type.py has the words):

    c != s, t >= F        send; `repetitions` of it are to come, one every repetition period
    repetition due, t >= F  send; one less is to come
    cycle due, t >= F     send (cyclic-and-on-change)

One frame serves all that is due in a tick. What waits for F is not lost: a change is still one then, unless the
content has gone back to what the receivers know. So waits what a lost link does not take.
"""

from typing import Final

from hilbridge.bus.bus import Bus
from hilbridge.codec.sources import Channels
from hilbridge.common.units import NEVER
from hilbridge.plan.planned import PlannedFrame
from hilbridge.plan.selection import Outgoing


class WatchedFrame(PlannedFrame):
    """A frame that goes on change, in cycles too where it has a period."""

    __slots__ = ("_announced", "_cyclic", "_delay", "_free", "_left", "_repeat", "_repetition", "_sent")

    def __init__(self, outgoing: Outgoing, bus: Bus, channels: Channels, phase: int, tick: int) -> None:
        super().__init__(outgoing, bus, channels, phase, tick)
        sending = outgoing.sending
        self._cyclic: Final = sending.period is not None
        self._announced: Final = outgoing.wake_up or sending.kind == "on-change"
        self._delay: Final = sending.minimum_delay
        self._repetition: Final = sending.repetition_period
        self._sent: bytes | None = None
        self._free = 0
        self._left = 0
        self._repeat = NEVER

    def take_over(self, before: PlannedFrame, t: int) -> None:
        """The receivers know what was sent: it goes again if its content is another now."""
        super().take_over(before, t)
        if isinstance(before, WatchedFrame):
            self._sent, self._free = before._sent, before._free
            if (self._repetition, self._announced) == (before._repetition, before._announced):
                self._left, self._repeat = before._left, before._repeat

    def wake(self, t: int) -> None:
        """A frame that goes on change tells at once what it holds; a cycle tells it in its own time."""
        super().wake(t)
        self._sent = None if self._announced else self.encode(self._channels)
        self._left, self._repeat = 0, NEVER

    def poll(self, t: int) -> None:
        """Looks at the content, and sends what is due."""
        if not self.awake:
            return
        data = self.encode(self._channels)
        wanted = data != self._sent or t >= self.due or t >= self._repeat
        if wanted and t >= self._free and self._may_go():
            self._advance(data != self._sent, t)
            self._sent = data
            self._free = t + self._delay
            self.send(data, t)
        if t >= self.end and not self._cyclic and data == self._sent and not self._left:
            self.awake = False

    def _advance(self, changed: bool, t: int) -> None:
        """What is to come after the frame that goes at `t`."""
        if t >= self.due:
            self.turn(t)
        if changed:
            self._left = self.outgoing.sending.repetitions
            self._repeat = t + self._repetition if self._left else NEVER
        elif t >= self._repeat:
            self._left -= 1
            late = (t - self._repeat) % self._repetition
            self._repeat = t + self._repetition - late if self._left else NEVER
