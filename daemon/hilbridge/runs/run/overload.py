"""Whether the ticks of a run keep up with time; docs/overload.md says what a run does while they do not.

    overloaded   5 % of the ticks of a second were missed, or of several in turn, at three moments or more
    on time      fewer than 1 % were missed in a later second

A process that was stopped for a while is one moment: a gap, which is logged as a time jump.
"""

from typing import Final, NamedTuple

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.runs.loop import CatchUp

_BEGIN: Final = 0.05
_END: Final = 0.01
"""Shares of the ticks of a second that are missed."""

_MOMENTS: Final = 3
"""Ticks that had missed ones before them."""

_REMEDY: Final = "a lower rate or pace, fewer programs on its processors; hilbridge benchmark says what is possible"


class OverloadRow(NamedTuple):
    """The share of ticks missed now [%], how often and how long the run was overloaded, and what the model left out."""

    percent: int
    times: int
    seconds: float
    left_out_ms: float


class Overload:
    """The judgement of a run, once a second of it; ticks that are missed for a reload do not count."""

    def __init__(self, reporter: Reporter, catch_up: CatchUp, period: int) -> None:
        """`period` of a tick [ns]."""
        self._reporter: Final = reporter
        self._catch_up: Final = catch_up
        self._period: Final = period
        self._moments = 0
        self._ticks = 0
        self._missed = 0
        self._left_out = 0  # ticks that are logged already
        self._judged = 0  # [ns]
        self._begun: int | None = None  # [ns] of the overload that lasts
        self._missed_before = 0  # ticks, at its beginning
        self._times = 0
        self._lasted = 0  # [ns] of all that are over

    def note_late_tick(self) -> None:
        """Note that there were missed ticks before the tick at hand."""
        self._moments += 1

    def judge(self, t: int) -> None:
        """Judge the time since the last judgement, if that is a second or more before `t` [ns]; log what is new."""
        if t - self._judged < SECOND:
            return
        before, self._judged = self._judged, t
        done, missed = self._reporter.ticks - self._ticks, self._reporter.missed - self._missed
        self._ticks, self._missed = self._reporter.ticks, self._reporter.missed
        share = missed / max(1, done + missed)
        if share < _BEGIN:
            self._moments = 0
        if self._begun is None and self._moments >= _MOMENTS:
            self._begun, self._missed_before = before, self._missed - missed
            self._times += 1
            self._reporter.warning(t, "overloaded", missed_percent=round(100 * share), remedy=_REMEDY)
        elif self._begun is not None and share < _END:
            self._end(self._begun, before)
        self._reporter.overload = 0 if self._begun is None else max(1, round(100 * share))
        if self._begun is None:
            self._log_jump(t)

    def status(self) -> OverloadRow:
        """Return how the run keeps up, now and so far."""
        under_way = 0 if self._begun is None else self._judged - self._begun
        return OverloadRow(
            self._reporter.overload,
            self._times,
            round((self._lasted + under_way) / SECOND, 1),
            self._catch_up.left_out * self._period / MILLISECOND,
        )

    def _end(self, begun: int, t: int) -> None:
        self._lasted += t - begun
        self._begun = None
        self._reporter.info(
            self._judged,
            "on time again",
            after_s=round((t - begun) / SECOND, 1),
            missed_ticks=self._reporter.missed - self._missed_before,
        )

    def _log_jump(self, t: int) -> None:
        """Log what the model has left out; of an overload at its end, so that lines do not come every second."""
        left_out, self._left_out = self._catch_up.left_out - self._left_out, self._catch_up.left_out
        if left_out:
            self._reporter.warning(t, "time jump", skipped_ms=left_out * self._period / MILLISECOND)
