"""A pedal with two sensors: what counts while they agree, while they differ, and after they differed too long.

    agree      |a - b| <= tolerance                       a counts
    differ     for less than `time`                       the smaller one counts
    failed     they differed for `time`                   the smaller one counts, but no more than `limp`

a and b are shares of the travel, each by its own calibration. A track that the sample does not hold differs, and
counts as released. The failure ends when they have agreed for `recovery` and the pedal is released then.
"""

import math
from collections.abc import Sequence
from typing import Final

from hilbridge.common.units import MILLISECOND
from hilbridge.inputs.calibration import calibrate_share
from hilbridge.inputs.controls import Control
from hilbridge.inputs.signal_conditioner import GARBAGE, OUT_OF_RANGE, Reading, Sensor
from hilbridge.inputs.smoothing import LowPass
from hilbridge.settings import InputSignal
from vehiclesim.curves import clamp

_HAIR: Final = 1e-9
"""Of the travel: what rounding may add to a difference."""


class PedalTracks:
    """`failed`, `failures` (how often so far) and `control` are for monitors; `changed` until the source saw it."""

    def __init__(self, control: Control, settings: InputSignal) -> None:
        self.control: Final = control
        self.failed = False
        self.failures = 0
        self.changed = False
        self._ends: Final = [(track.minimum, track.maximum) for track in settings.tracks]
        self._tolerance: Final = settings.tolerance + _HAIR
        self._time: Final = round(settings.time * MILLISECOND)
        self._limp: Final = settings.limp
        self._recovery: Final = round(settings.recovery * MILLISECOND)
        self._since: int | None = None  # [ns] when they last began to agree or to differ
        self._agree = True
        low_pass = None if settings.smoothing is None else LowPass(round(settings.smoothing * MILLISECOND))
        self._pedal: Final = Sensor(control, calibrate_share(control, settings), low_pass)

    def refuses(self, readings: Sequence[Reading | None]) -> str | None:
        """A damaged track is this class's business, words and infinities are not."""
        for reading in readings:
            if isinstance(reading, str):
                return GARBAGE
            if reading is not None and not math.isfinite(reading):
                return OUT_OF_RANGE
        return None

    def to_bus(self, readings: Sequence[Reading | None], t: int) -> int | None:
        a, b = map(_share, readings, self._ends)
        return self._pedal.to_bus((self._combine(a, b, t),), t)

    def reset(self) -> None:
        """Nobody knows how they were during the silence; a failure stays."""
        self._since = None
        self._pedal.reset()

    def _combine(self, a: float | None, b: float | None, t: int) -> float:
        """The share of the travel that counts."""
        smaller = 0.0 if a is None or b is None else min(a, b)
        agree = a is not None and b is not None and abs(a - b) <= self._tolerance
        if self._since is None or agree != self._agree:
            self._since, self._agree = t, agree
        lasted = t - self._since
        if not self.failed and not agree and lasted >= self._time:
            self._turn(failed=True)
        elif self.failed and agree and lasted >= self._recovery and smaller <= self._tolerance:
            self._turn(failed=False)
        if self.failed:
            return min(smaller, self._limp)
        return a if agree and a is not None else smaller

    def _turn(self, *, failed: bool) -> None:
        self.failed = failed
        self.failures += failed
        self.changed = True


def _share(reading: Reading | None, ends: tuple[float, float]) -> float | None:
    """The share of a sensor's way that is behind it; None without a number."""
    if not isinstance(reading, float | int):
        return None
    minimum, maximum = ends
    return clamp((reading - minimum) / (maximum - minimum), 0.0, 1.0)
