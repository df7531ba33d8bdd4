"""Replies to frames of others: a raw frame with `replies_to` goes when one of these is heard.

    heard at t                          the reply goes at t + reply_after
    nothing heard for reply_anyway      it goes by itself, and again after as long

So a node of a ring (OSEK NM 2.5.3) takes part: it passes the message on when it is its turn, and begins anew where the
ring has broken. A reply is bytes and signals, never an answer that is worked out from a challenge: what asks for a key
gets none.
"""

from typing import Final

from hilbridge.base.common.units import MILLISECOND, NEVER
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.request_patterns import Pattern
from hilbridge.files.settings.traffic import RawFrame
from hilbridge.frames.codec.frame import EXTENDED, STANDARD_MASK, Frame
from hilbridge.frames.plan.plan import FramePlan
from hilbridge.frames.plan.planned import PlannedFrame


class Reply:
    """One frame that replies: a node of its bus."""

    def __init__(self, settings: RawFrame, frame: PlannedFrame) -> None:
        self._frame: Final = frame
        self._after: Final = round(settings.reply_after * MILLISECOND)
        anyway = settings.reply_anyway
        self._anyway: Final = NEVER if anyway is None else round(anyway * MILLISECOND)
        self._patterns: Final[dict[int, list[Pattern]]] = {}
        for one in settings.replies_to:
            can_id = one.id | (EXTENDED if one.id > STANDARD_MASK else 0)
            self._patterns.setdefault(can_id, []).append(one.pattern)
        self._due = NEVER  # [ns] of the reply
        self._broken: int | None = None  # [ns] when it goes by itself; None: not awake

    @property
    def hears(self) -> frozenset[int]:
        """The identifiers that it replies to."""
        return frozenset(self._patterns)

    def receive(self, frame: Frame, t: int) -> None:
        """Take a frame of another sender."""
        if any(pattern.matches(frame.data) for pattern in self._patterns[frame.can_id]):
            self._due = min(self._due, t + self._after)

    def poll(self, t: int) -> None:
        """Send what is due at `t` [ns]."""
        if not self._frame.awake:
            self._due, self._broken = NEVER, None
            return
        if self._broken is None:
            self._broken = t + self._anyway
        if t >= min(self._due, self._broken):
            self._frame.send_on_request(t)
            self._due, self._broken = NEVER, t + self._anyway

    def take_over(self, before: "Reply") -> None:
        """Continue in the place of another one, after a reload."""
        self._due, self._broken = before._due, before._broken


class Dialogue:
    """The replies of all buses."""

    def __init__(self, settings: BenchSettings, plan: FramePlan) -> None:
        self._replies: Final[dict[tuple[str, str], Reply]] = {}
        for frame in plan.frames:
            raw = settings.buses[frame.bus.name].raw.get(frame.outgoing.message)
            if raw is not None and raw.replies_to:
                reply = self._replies[frame.bus.name, frame.outgoing.message] = Reply(raw, frame)
                frame.bus.attach(reply, reply.hears)
        self._polled: Final = tuple(self._replies.values())

    def poll(self, t: int) -> None:
        """Send the replies that are due, after the frames of the tick."""
        for reply in self._polled:
            reply.poll(t)

    def take_over(self, before: "Dialogue") -> None:
        """Continue in the place of another one, after a reload."""
        for key, reply in self._replies.items():
            if key in before._replies:
                reply.take_over(before._replies[key])
