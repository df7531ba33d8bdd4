"""When the frames of an identifier are sent: period, jitter, send type.

    gap_i = t_(i+1) − t_i

A frame is cyclic if 9 gaps of 10 lie near their median; gaps of several periods are frames that were lost or pauses,
and do not count. It is cyclic and on change if the frames with unchanged content are cyclic, and those between them
are changes. The period is the mean of the gaps near the median, put to a round number within half a percent.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.base.common.units import MILLISECOND
from hilbridge.desk.learn.certainty import Certainty

_NEAR: Final = 0.3
"""Share of the period by which a gap may differ from it."""

_COARSE: Final = 0.6
"""[ms] by which it may differ at any rate: clocks of loggers have milliseconds."""

_MOST: Final = 0.9

_ROUND: Final = 0.005

_FEWEST: Final = 20
"""Frames that make a period sure."""


class Timing(NamedTuple):
    """The send type as text; `period`, `jitter` (standard deviation) and the `longest` gap [ms]."""

    kind: str
    period: float | None
    jitter: float | None
    longest: float | None
    certainty: Certainty
    evidence: str

    @property
    def cyclic(self) -> bool:
        return self.kind.startswith("cyclic")


def timing(times: NDArray[np.int64], changed: NDArray[np.bool_]) -> Timing:
    """Return the send type of a series; `changed`: whether each frame but the first has another content."""
    frames = len(times)
    if frames == 1:
        return Timing("once", None, None, None, Certainty.LIKELY, "1 frame")
    gaps = np.diff(times) / MILLISECOND
    longest = float(gaps.max())
    period = _cycle(gaps)
    if period is not None:
        near = gaps[_near(gaps, period)]
        enough = len(near) >= _FEWEST
        lost = int((gaps > 1.5 * period).sum())
        evidence = f"{frames} frames" + (f", {lost} longer gaps" if lost else "")
        certainty = Certainty.SURE if enough else Certainty.LIKELY if len(near) >= 3 else Certainty.UNKNOWN
        return Timing("cyclic", _round(float(near.mean())), float(near.std()), longest, certainty, evidence)
    unchanged = np.flatnonzero(~changed) + 1
    between = _cycle(np.diff(times[unchanged]) / MILLISECOND) if len(unchanged) > 5 else None
    early = gaps < (1 - _NEAR) * between if between is not None else np.zeros(len(gaps), np.bool_)
    if between is not None and early.any() and changed[early].mean() >= _MOST / 2:
        evidence = f"{frames} frames, {int(changed.sum())} with a change"
        return Timing("cyclic and on change", _round(between), None, longest, Certainty.LIKELY, evidence)
    share = float(changed.mean())
    evidence = f"{frames} frames, {share:.0%} of them with a change"
    if share >= _MOST and frames >= _FEWEST:
        return Timing("on change", None, None, longest, Certainty.LIKELY, evidence)
    return Timing("events", None, None, longest, Certainty.UNKNOWN, evidence)


def _cycle(gaps: NDArray[np.float64]) -> float | None:
    """Return the period that most gaps keep; None without one."""
    if not len(gaps):
        return None
    period = float(np.median(gaps))
    if period <= 0:
        return None
    short = gaps < 1.5 * period
    near = _near(gaps, period)
    if near.sum() < _MOST * short.sum() or near.sum() < len(gaps) / 2:
        return None
    return float(gaps[near].mean())


def _near(gaps: NDArray[np.float64], period: float) -> NDArray[np.bool_]:
    return np.abs(gaps - period) <= max(_NEAR * period, _COARSE)


def _round(period: float) -> float:
    """Return the roundest number of milliseconds within half a percent, or a thousandth of a millisecond."""
    for unit in (1000, 500, 100, 50, 10, 5, 1):
        nearest = round(period / unit) * unit
        if nearest and abs(nearest - period) <= _ROUND * period:
            return float(nearest)
    return round(period, 3)
