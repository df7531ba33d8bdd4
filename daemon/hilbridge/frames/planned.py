"""A frame of the plan while it runs: when it is due, what it sends, how often it went.

A frame is awake while one of its terminals is on, and for its after-run beyond. Its times are absolute,

    due = phase + k * period,

whether it was awake before or not. One that is late goes once, its later times stay what they were, and the cycles
that passed meanwhile are counted as skipped. The last frame of an after-run is the first one due at its end or later:
there always is one that shows the terminals off.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.frames.bus import Bus
from hilbridge.frames.frame import Frame
from hilbridge.frames.punctuality import Punctuality
from hilbridge.frames.selection import Outgoing
from hilbridge.frames.sources import Channels

NEVER: Final = 1 << 62
"""[ns] 146 years: later than any run."""


class PlannedFrame:
    """A frame that goes whenever it is `due` [ns].

    `period` and `phase` in ns; a frame without a cycle has the period NEVER and is never due. `end` is that of the
    after-run. `encode` is exchanged while a bulb check lasts. `sent`, `skipped`, `withheld` (the link took
    none) and `last` [ns] are for the status.
    """

    __slots__ = (
        "_channels",
        "_protect",
        "awake",
        "bus",
        "can_id",
        "due",
        "encode",
        "end",
        "flags",
        "last",
        "outgoing",
        "period",
        "phase",
        "punctuality",
        "sent",
        "skipped",
        "withheld",
    )

    def __init__(self, outgoing: Outgoing, bus: Bus, channels: Channels, phase: int, tick: int) -> None:
        self.outgoing: Final = outgoing
        self.can_id: Final = outgoing.can_id
        self.flags: Final = outgoing.flags
        self.bus: Final = bus
        self.period: Final = outgoing.sending.period or NEVER
        self.phase: Final = phase
        self.punctuality: Final = Punctuality(self.period, tick)
        self.encode = outgoing.encode
        self.awake = False
        self.due = self.end = NEVER
        self.sent = 0
        self.skipped = 0
        self.withheld = 0
        self.last: int | None = None
        self._channels: Final = channels
        protector = outgoing.protector
        self._protect: Final[Callable[[bytearray], None] | None] = protector.protect if protector is not None else None

    def switch(self, on: int, t: int) -> None:
        """The terminals `on` are on, from `t` [ns]."""
        if self.outgoing.clamps & on:
            self.end = NEVER
            if not self.awake:
                self.awake = True
                self.wake(t)
        elif self.awake and self.end == NEVER:
            self.end = t + self.outgoing.after_run

    def wake(self, t: int) -> None:
        """One of its terminals came on at `t` [ns]: it is due at once, or from its next time on."""
        self.punctuality.pause()
        if self.period != NEVER:
            self.due = t if self.outgoing.wake_up else self._after(t - 1)

    def go(self, t: int) -> None:
        """Sends the frame, which is due; a cycle in which its link takes none passes without."""
        self.turn(t)
        if self.bus.accepts(self.can_id):
            self.send(self.encode(self._channels), t)
        else:
            self.withheld += 1

    def turn(self, t: int) -> None:
        """A cycle ends at `t`: those that passed are counted, and the next one begins, if there is one."""
        late = t - self.due
        if late >= self.period:
            self.skipped += late // self.period
        self.punctuality.record(t)
        if t < self.end:
            self.due = self._after(t)
        else:
            self.awake = False
            self.due = NEVER

    def send(self, data: bytes, t: int) -> None:
        """Protects the bytes and puts the frame on its bus."""
        if self._protect is not None:
            buffer = bytearray(data)
            self._protect(buffer)
            data = bytes(buffer)
        self.sent += 1
        self.last = t
        self.bus.transmit(Frame(self.can_id, data, self.flags), None)

    def _after(self, t: int) -> int:
        """[ns] the first of its times that is later than `t`."""
        return t + self.period - (t - self.phase) % self.period
