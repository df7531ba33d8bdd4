"""Stop and start: who stops the engine of a standing vehicle with its key on, and starts it again."""

from typing import ClassVar, Final

from vehiclesim.parameters.operation import StopStartSettings
from vehiclesim.state import Stateful

RUN: Final = 0
STOP: Final = -1
CRANK: Final = 1
"""Commands to the engine, as its `stop_start` takes them: none, no fuel, starter motor."""

_STANDING: Final = 0.1
"""[m/s] below which the vehicle stands."""

_ROLLING: Final = 1.0
"""[m/s] above which a stopped engine starts, since servo brake and steering need it."""

_TOUCHED: Final = 0.02
"""Travel of a pedal from which a foot is on it."""

_HELD: Final = 0.1
"""Travel of the brake pedal from which it holds the vehicle."""

_CHARGE_MARGIN: Final = 0.05

_LONGEST_CRANKING: Final = 5.0
"""[s] after which the starter gives up: the engine then stands as after any failed start."""


class StopStart(Stateful):
    """The states of stop and start: running, stopped, cranking. The attributes up to `charge` are inputs.

    The engine stops after `delay` at a standstill, if it runs with the key on, is warm, the battery is charged, the
    vehicle has been driven since the last start, and the driver waits: with an automatic gearbox his foot is on the
    brake and none on the throttle, with a manual one the gear is neutral and no foot is on the clutch. It starts again
    as soon as he no longer does, the battery drains, the vehicle rolls, or `longest` is over.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("command", "_time", "_driven")

    def __init__(self, settings: StopStartSettings, *, manual: bool) -> None:
        self.allowed: bool = True
        self.key: int = 0  # -1 off, 0 on, 1 start
        self.running: bool = False
        self.speed: float = 0.0  # [m/s]
        self.throttle: float = 0.0  # pedals: 0 released .. 1
        self.brake: float = 0.0
        self.clutch: float = 0.0
        self.gear: int = 0
        self.coolant: float = 20.0  # [°C]
        self.charge: float = 1.0

        self.command: int = RUN
        self._manual: bool = manual
        self._delay: float = settings.delay
        self._longest: float = settings.longest
        self._least_speed: float = settings.speed
        self._least_coolant: float = settings.coolant
        self._least_charge: float = settings.charge
        self._time: float = 0.0  # [s] of standstill, of the stop, or of cranking
        self._driven: bool = False

    @property
    def sensor_active(self) -> bool:
        """True from the stop until the engine runs again."""
        return self.command != RUN

    def step(self, delta_time: float) -> None:
        """Advance by `delta_time` [s]; a key that is turned ends it."""
        speed = self.speed if self.speed >= 0.0 else -self.speed
        if speed >= self._least_speed:
            self._driven = True
        if self.key != 0:
            self._go_to(RUN)
        elif self.command == RUN:
            self._time = self._time + delta_time if self._waits(speed) else 0.0
            if self._time >= self._delay and self.running:
                self._go_to(STOP)
        elif self.command == STOP:
            self._time += delta_time
            if self._must_start(speed):
                self._go_to(CRANK)
        else:
            self._time += delta_time
            if self.running or self._time >= _LONGEST_CRANKING:
                self._driven = False
                self._go_to(RUN)

    def _go_to(self, command: int) -> None:
        self.command = command
        self._time = 0.0

    def _waits(self, speed: float) -> bool:
        """Return whether everything allows a stop but the time."""
        ready = self.allowed and self._driven and self.running and speed < _STANDING
        if not ready or self.coolant < self._least_coolant or self.charge < self._least_charge:
            return False
        if self._manual:
            return self.gear == 0 and self.clutch < _TOUCHED
        return self.brake >= _HELD and self.throttle < _TOUCHED and self.gear >= 0

    def _must_start(self, speed: float) -> bool:
        left = self.clutch >= _TOUCHED if self._manual else self.brake < _TOUCHED or self.throttle >= _TOUCHED
        drained = self.charge < self._least_charge - _CHARGE_MARGIN
        return left or drained or not self.allowed or speed > _ROLLING or self._time >= self._longest
