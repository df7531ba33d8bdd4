"""Anti-lock braking system (ABS), which lowers the brake pressure of wheels that slip beyond their tyres' peak."""

from typing import Final

from vehiclesim.aids.slip import SlipMeter
from vehiclesim.curves import clamp
from vehiclesim.parameters.aids import AbsMode, AbsSettings

_STEPS: Final = 3
"""Number of steps of the multi-position valve from full to lowest pressure: two positions between apply and release."""


class AntiLock:
    """p = 1 - (1 - p_min)·f(x) of the pedal's pressure, with x = (slip - peak - e_min)/(e_max - e_min) in 0..1.

        continuous       f = x
        multi-position   f = x, rounded down to thirds
        simple           f = 1 from x = 1 on, until x = 0 again

    A brake that at p_min still holds more than the road does locks its wheel all the same: on ice, unless p_min is 0.
    """

    def __init__(self, settings: AbsSettings, meters: list[SlipMeter]) -> None:
        self._meters: list[SlipMeter] = meters
        self._simple: bool = settings.mode is AbsMode.SIMPLE
        self._continuous: bool = settings.mode is AbsMode.CONTINUOUS
        self._start: float = settings.minimum_slip
        self._range: float = settings.maximum_slip - settings.minimum_slip
        self._travel: float = 1.0 - settings.minimum_pressure
        self._minimum_speed: float = settings.minimum_speed

    def excess(self, place: int) -> float:
        """Return x of a wheel: 0 = within the range that its tyre can use .. 1 = about to lock."""
        meter = self._meters[place]
        return clamp((meter.braking() - meter.braking_peak() - self._start) / self._range, 0.0, 1.0)

    def lower(self, pressure: list[float], speed: float, brake: float) -> bool:
        """Update the pressures from the last ones, at a speed [m/s] with the pedal; return whether one is lowered."""
        engaged = False
        acts = brake > 0.0 and not -self._minimum_speed < speed < self._minimum_speed
        for place in range(4):
            share = self._share(self.excess(place), pressure[place]) if acts else 0.0
            pressure[place] = 1.0 - self._travel * share
            if share > 0.0:
                engaged = True
        return engaged

    def _share(self, excess: float, pressure: float) -> float:
        """Return f; in the simple mode it depends on the pressure of the last step."""
        if self._continuous:
            return excess
        if self._simple:
            return 1.0 if excess >= 1.0 or (excess > 0.0 and pressure < 1.0) else 0.0
        return int(excess * _STEPS) / _STEPS
