"""Counters that lose nothing: distance and wheel pulses, running time and revolutions, fuel in the tank."""

from typing import ClassVar, Final

from vehiclesim.parameters.auxiliary import DistanceSettings, TankSettings
from vehiclesim.state import Stateful

_MOST: Final = 4503599627370496.0
"""2^52: larger amounts have no fraction to carry."""


class Integral(Stateful):
    """sum = count + fraction, with 0 <= fraction < 1 in the unit that is counted.

    A float that has summed up a day of milliseconds has lost their last digits; here the float stays below the amount
    of one step, so its rounding is that of one step. The count has no upper bound and never falls.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("count", "fraction")

    def __init__(self, count: int = 0) -> None:
        self.count: int = count
        self.fraction: float = 0.0

    def add(self, amount: float) -> int:
        """Add an amount and return by how many whole units the count grew; what is not positive adds nothing."""
        if not 0.0 < amount < _MOST:
            return 0
        total = self.fraction + amount
        if total < 1.0:
            self.fraction = total
            return 0
        whole = int(total)
        self.fraction = total - whole
        self.count += whole
        return whole

    def start_from(self, count: int, fraction: float) -> None:
        """Continue from a sum that was stored."""
        self.count = count
        self.fraction = fraction


STANDSTILL: Final = 0.001
"""[m/s]. Below it the bus shows a speed of 0, and no counter advances."""

_STANDSTILL_SPIN: Final = 0.003
"""[rad/s]. The same for a wheel of 0.33 m."""

_TURN: Final = 6.283185307179586
"""[rad]"""

_MM_PER_KM: Final = 1_000_000


class Distances(Stateful):
    """way = ∫|v|·dt; pulses = pulses_per_metre·way; wheel pulses = teeth·∫|w|·dt/2π.

    The speed is that of the end of the step, which the bus shows. Backwards counts like forwards: sensors on a toothed
    ring do not measure the direction, and no odometer runs back.
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

    def step(self, speed: float, spins: tuple[float, float, float, float], delta_time: float) -> None:
        """Advance by `delta_time` [s] at a speed [m/s], with wheels that turn at `spins` [rad/s]."""
        v = speed if speed >= 0.0 else -speed
        if v >= STANDSTILL:
            way = v * delta_time
            self.odometer.add(1000.0 * way)
            self.pulses.add(self._per_metre * way)
        front_left, front_right, rear_left, rear_right = spins
        self._turn(0, front_left, delta_time)
        self._turn(1, front_right, delta_time)
        self._turn(2, rear_left, delta_time)
        self._turn(3, rear_right, delta_time)

    def _turn(self, wheel: int, spin: float, delta_time: float) -> None:
        w = spin if spin >= 0.0 else -spin
        if w >= _STANDSTILL_SPIN:
            self.wheels[wheel].add(self._per_radian * w * delta_time)


_MICROHOURS_PER_SECOND: Final = 1e6 / 3600.0


class RunTime(Stateful):
    """Run time since start [ms], engine hours [1e-6 h] and revolutions.

    The run time grows while the engine runs, stands while it is stalled, and begins anew when the key is switched on
    (SAE J1979, PID 1F). Hours and revolutions (SAE J1939-71, PGN 65253) only ever grow.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("since_start", "hours", "revolutions", "_key_on")

    def __init__(self) -> None:
        self.since_start: Integral = Integral()
        self.hours: Integral = Integral()
        self.revolutions: Integral = Integral()
        self._key_on: bool = False

    def step(self, key_on: bool, running: bool, rpm: float, delta_time: float) -> None:
        """Advance by `delta_time` [s] at an engine speed [1/min]."""
        if key_on and not self._key_on:
            self.since_start = Integral()
        self._key_on = key_on
        if running:
            self.since_start.add(1000.0 * delta_time)
            self.hours.add(_MICROHOURS_PER_SECOND * delta_time)
        self.revolutions.add(rpm * delta_time / 60.0)


MICROLITRES: Final = 1_000_000
"""Microlitres per litre."""


class Tank(Stateful):
    """left + used = constant, in whole microlitres; used = ∫flow·dt until the tank is empty."""

    state_vars: ClassVar[tuple[str, ...]] = ("left", "used")

    def __init__(self, settings: TankSettings) -> None:
        self.capacity: int = int(settings.capacity * MICROLITRES + 0.5)
        self.left: int = int(settings.initial_share * self.capacity + 0.5)
        self.used: Integral = Integral()
        self._endless: bool = settings.endless

    @property
    def share(self) -> float:
        """Fill level, 0..1."""
        return self.left / self.capacity

    def step(self, flow: float, delta_time: float) -> None:
        """Draw a flow [l/s]; the step that empties the tank draws the remaining fuel."""
        drawn = self.used.add(flow * delta_time * MICROLITRES)
        if self._endless:
            return
        self.left -= drawn
        if self.left < 0:
            self.used.count += self.left
            self.left = 0

    def fill(self, left: int) -> None:
        """Set the content [µl], held between empty and full."""
        self.left = max(0, min(left, self.capacity))
