"""One frame of a plan by itself: its bytes are set by the test, its times noted in ticks of 1 ms."""

from collections.abc import Mapping
from typing import Any

from hilbridge.base.common.units import MILLISECOND
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.plan.plan import kind_of_frame
from hilbridge.frames.plan.planned import WatchedFrame
from hilbridge.frames.plan.selection import Outgoing
from hilbridge.frames.plan.send_type import Sending
from hilbridge.frames.plan.terminals import BITS, IGNITION

from ....benches import KeepingLink

ON, OFF = BITS[30] | IGNITION, BITS[30]


class Solo:
    """A frame of terminal 15. `play` runs ticks; what goes is noted as (tick, first byte)."""

    def __init__(self, kind: Any, *, phase: int = 0, after_run: int = 0, wake_up: bool = False, **times: Any) -> None:
        """Times in ms, as in Sending."""
        self.content = 0
        self.sent: list[tuple[int, int]] = []
        counts = {key: value if key == "repetitions" else value * MILLISECOND for key, value in times.items()}
        sending = Sending(kind, counts.pop("period", None), **counts)
        outgoing = Outgoing(
            message="M", can_id=1, flags=0, length=1, sending=sending, terminals=IGNITION, wake_up=wake_up,
            after_run=after_run * MILLISECOND, encode=lambda channels: bytes([self.content]), place=(),
        )  # fmt: skip
        self.bus = Bus("a")
        self.bus.attach_observer(lambda t, _bus, _received, frame: self.sent.append((t // MILLISECOND, frame.data[0])))
        self.line = KeepingLink()
        self.bus.attach_link(self.line)
        self.frame = kind_of_frame(outgoing)(outgoing, self.bus, [], phase * MILLISECOND, MILLISECOND)

    def play(
        self, ticks: Any, contents: Mapping[int, int] | None = None, key: Mapping[int, bool] | None = None
    ) -> None:
        """The ticks that take place; the content and the ignition change in the ticks given."""
        for tick in ticks:
            t = tick * MILLISECOND
            self.content = (contents or {}).get(tick, self.content)
            if (key or {0: True}).get(tick) is not None:
                self.frame.switch(ON if (key or {0: True})[tick] else OFF, t)
            if isinstance(self.frame, WatchedFrame):
                self.frame.poll(t)
            elif t >= self.frame.due:
                self.frame.send_due(t)
            self.bus.exchange(t)

    @property
    def times(self) -> list[int]:
        return [tick for tick, _ in self.sent]
