"""A first-order low-pass filter of readings that come when they come.

    y' = (x - y) / τ     exactly, over the Δt since the last reading:     y += (x - y) · (1 - e^(-Δt/τ))

The exponential is the model's own, so that every machine gives the same bits. Of several readings of one tick the
last one counts.
"""

from typing import Final

from vehiclesim.curves import relaxation


class LowPass:
    """`time_constant` τ [ns]."""

    __slots__ = ("_before", "_last", "_output", "_previous", "_time_constant")

    def __init__(self, time_constant: int) -> None:
        self._time_constant: Final = time_constant
        self._last: int | None = None  # [ns] of the last reading
        self._previous = 0  # [ns] of the one in the tick before that
        self._before = 0.0  # output after it
        self._output = 0.0

    def filter(self, x: float, t: int) -> float:
        """The output at `t` [ns]; the first reading passes as it is."""
        if self._last is None or t == self._previous:
            self._before, self._previous = x, t
        elif t != self._last:
            self._before, self._previous = self._output, self._last
        self._last = t
        step = (t - self._previous) / self._time_constant
        self._output = self._before + (x - self._before) * step * relaxation(step)
        return self._output

    def reset(self) -> None:
        """After a silence: the next reading passes as it is."""
        self._last = None
