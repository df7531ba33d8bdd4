"""Bulb check: lamps are lit for a while after terminal 15 came on, so that the driver sees that they work.

    elapsed < duration of a lamp      its signal is sent as 1
    else                              its signal is sent as it is

A message has an encoder for every set of lamps that shine together.
"""

from collections.abc import Sequence
from typing import Final

from hilbridge.base.common.units import NEVER
from hilbridge.frames.codec.variant import Encoder
from hilbridge.frames.plan.planned import PlannedFrame


class BulbCheck:
    """The bulb check of one frame. `stages`: until when [ns after terminal 15] which encoder is used, in order."""

    def __init__(self, frame: PlannedFrame, stages: Sequence[tuple[int, Encoder]]) -> None:
        self._frame: Final = frame
        self._stages: Final = stages
        self._usual: Final = frame.encode

    def advance(self, elapsed: int | None) -> int:
        """Set the lamps for `elapsed` ns after terminal 15 came on (None: it is off).

        Return the time [ns after terminal 15] until which they stay so.
        """
        if elapsed is not None:
            for end, encode in self._stages:
                if elapsed < end:
                    self._frame.encode = encode
                    return end
        self._frame.encode = self._usual
        return NEVER


class BulbChecks:
    """The bulb checks of all frames; `due` [ns] is the time at which the next lamp goes out."""

    def __init__(self, checks: Sequence[BulbCheck]) -> None:
        self.due = NEVER
        self._checks: Final = checks
        self._since: int | None = None

    def take_over(self, before: "BulbChecks", t: int) -> None:
        """Continue at `t` [ns] with the time that has passed since terminal 15 came on."""
        self._since = before._since
        self.advance(t)

    def ignition(self, on: bool, t: int) -> None:
        """Switch terminal 15 on or off, from `t` [ns]."""
        if on != (self._since is not None):
            self._since = t if on else None
            self.advance(t)

    def advance(self, t: int) -> None:
        """Set the lamps for the time `t` [ns]."""
        since = self._since
        elapsed = None if since is None else t - since
        ends = [check.advance(elapsed) for check in self._checks]
        self.due = min(NEVER, *((since or 0) + end for end in ends)) if ends else NEVER
