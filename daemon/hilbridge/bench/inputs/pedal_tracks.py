"""A pedal with two sensors: what counts while they agree, while they differ, and after they differed too long.

    agree      |a - b| <= tolerance                       a counts
    differ     for less than `time`                       the smaller one counts
    failed     they differed for `time`                   the smaller one counts, but no more than `limp`

a and b are shares of the travel, each by its own calibration. A track that the sample does not hold, or that is far
beyond its ends, differs and counts as released. The failure ends when they have agreed for `recovery` and the pedal is
released then.
"""

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.inputs.controls import Control
from hilbridge.bench.inputs.signal_conditioner import (
    GARBAGE,
    OUT_OF_RANGE,
    LowPass,
    Reading,
    Refused,
    Sensor,
    calibrate_share,
    plausible_range,
)
from hilbridge.files.settings import InputSignal
from vehiclesim.curves import clamp

Shares: TypeAlias = tuple[float | None, float | None]
"""Share of the travel that each track shows, None for a track that the sample does not hold."""

_ROUNDING: Final = 1e-9
"""Share of the travel that rounding may add to a difference."""


class PedalTracks:
    """A pedal with two sensors; `failures` counts how often they failed so far.

    `changed` is set when `failed` changes; the source clears it.
    """

    def __init__(self, control: Control, settings: InputSignal) -> None:
        self.control: Final = control
        self.failed = False
        self.failures = 0
        self.changed = False
        self._ends: Final = [(track.minimum, track.maximum) for track in settings.tracks]
        self._tolerance: Final = settings.tolerance + _ROUNDING
        self._time: Final = round(settings.time * MILLISECOND)
        self._limp: Final = settings.limp
        self._recovery: Final = round(settings.recovery * MILLISECOND)
        self._since: int | None = None  # [ns] when they last began to agree or to differ
        self._agree = True
        low_pass = None if settings.smoothing is None else LowPass(round(settings.smoothing * MILLISECOND))
        self._pedal: Final = Sensor(control, calibrate_share(control, settings), low_pass)

    def evaluate(self, readings: Sequence[Reading | None]) -> Shares | None:
        """Return the share of each track; a track that is absent differs, a word or an infinity is refused."""
        for reading in readings:
            if isinstance(reading, str):
                raise Refused(GARBAGE)
            if reading is not None and not math.isfinite(reading):
                raise Refused(OUT_OF_RANGE)
        a, b = map(_share, readings, self._ends)
        return None if a is None and b is None else (a, b)

    def to_bus(self, value: Shares, t: int) -> int:
        """Return the bus integer of the share that counts."""
        return self._pedal.to_bus(self._combine(*value, t), t)

    def reset(self) -> None:
        """Restart the times of agreement and difference, which a silence interrupts; a failure stays."""
        self._since = None
        self._pedal.reset()

    def _combine(self, a: float | None, b: float | None, t: int) -> float:
        """Return the share of the travel that counts."""
        smaller = 0.0 if a is None or b is None else min(a, b)
        agree = a is not None and b is not None and abs(a - b) <= self._tolerance
        if self._since is None or agree != self._agree:
            self._since, self._agree = t, agree
        lasted = t - self._since
        if not self.failed and not agree and lasted >= self._time:
            self._set_failed(failed=True)
        elif self.failed and agree and lasted >= self._recovery and smaller <= self._tolerance:
            self._set_failed(failed=False)
        if self.failed:
            return min(smaller, self._limp)
        return a if agree and a is not None else smaller

    def _set_failed(self, *, failed: bool) -> None:
        self.failed = failed
        self.failures += failed
        self.changed = True


def _share(reading: Reading | None, ends: tuple[float, float]) -> float | None:
    """Return how much of a sensor's way a reading shows; None without a number, or with one far beyond the ends."""
    if not isinstance(reading, float | int):
        return None
    minimum, maximum = ends
    lowest, highest = plausible_range(minimum, maximum)
    if not lowest <= reading <= highest:
        return None
    return clamp((reading - minimum) / (maximum - minimum), 0.0, 1.0)
