"""Odometer, trip and pulse counters: integrals of the speed that is shown, so that no two of them disagree."""

from typing import ClassVar, Final

from vehiclesim.auxiliary.integral import Integral
from vehiclesim.parameters.auxiliary import DistanceSettings
from vehiclesim.state import Stateful

STANDSTILL: Final = 0.001
"""[m/s]. Below it the bus shows a speed of 0, and nothing counts."""

_STANDSTILL_SPIN: Final = 0.003
"""[rad/s]. The same for a wheel of 0.33 m."""

_TURN: Final = 6.283185307179586
"""[rad]"""

_MM_PER_KM: Final = 1_000_000


class Distances(Stateful):
    """way = ∫|v|·dt; pulses = pulses_per_metre·way; wheel pulses = teeth·∫|w|·dt/2π.

    The speed is that of the end of the step, which the bus shows. Backwards counts like forwards: sensors on a toothed
    ring do not tell the direction, and no odometer runs back.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("odometer", "trip_start", "pulses", "wheels")

    def __init__(self, settings: DistanceSettings) -> None:
        self.odometer: Integral = Integral(int(settings.initial_odometer * _MM_PER_KM + 0.5))  # [mm]
        self.trip_start: int = self.odometer.count
        self.pulses: Integral = Integral()
        self.wheels: list[Integral] = [Integral(), Integral(), Integral(), Integral()]
        self._per_metre: float = settings.pulses_per_metre
        self._per_radian: float = settings.pulses_per_turn / _TURN

    @property
    def trip(self) -> int:
        """Way since the last reset [mm]."""
        return self.odometer.count - self.trip_start

    def reset_trip(self) -> None:
        self.trip_start = self.odometer.count

    def step(self, speed: float, spins: list[float], delta_time: float) -> None:
        """Advance by `delta_time` [s] at a speed [m/s], with wheels that turn at `spins` [rad/s]."""
        v = speed if speed >= 0.0 else -speed
        if v >= STANDSTILL:
            way = v * delta_time
            self.odometer.add(1000.0 * way)
            self.pulses.add(self._per_metre * way)
        for k in range(4):
            w = spins[k] if spins[k] >= 0.0 else -spins[k]
            if w >= _STANDSTILL_SPIN:
                self.wheels[k].add(self._per_radian * w * delta_time)
