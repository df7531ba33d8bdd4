"""The pump current of a wide-band oxygen sensor over lambda: PID 34 tells both.

Straight lines between the points that the data sheet of Bosch's LSU 4.2 gives; free air ends the curve.
"""

from itertools import pairwise
from typing import Final

_POINTS: Final = (
    (0.65, -2.22),
    (0.70, -1.82),
    (0.80, -1.11),
    (0.90, -0.50),
    (1.016, 0.0),
    (1.18, 0.33),
    (1.43, 0.67),
    (1.70, 0.94),
    (2.42, 1.38),
    (10.0, 2.54),
)
"""Lambda, current [mA]."""


def pump_current(ratio: float) -> float:
    """[mA] at lambda `ratio`; NaN for NaN."""
    if ratio != ratio:
        return ratio
    for (low, at_low), (high, at_high) in pairwise(_POINTS):
        if ratio <= high:
            return at_low + (at_high - at_low) * max(0.0, ratio - low) / (high - low)
    return _POINTS[-1][1]
