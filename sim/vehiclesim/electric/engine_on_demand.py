"""Engine on demand: when the engine of a hybrid runs, and when its motor drives alone."""

from typing import ClassVar, Final

from vehiclesim.engine.stop_start import CRANK, RUN, STOP
from vehiclesim.parameters.electric import HybridSettings
from vehiclesim.state import Stateful

_LEAST_RUN: Final = 3.0
"""[s] for which a started engine runs (assumed)."""

_LEAVING: Final = 0.8
"""Share of a limit below which a running engine is no longer needed, so that it does not come and go."""

_LONGEST_CRANKING: Final = 5.0
"""[s] after which the starter gives up."""

_PAUSE: Final = 10.0
"""[s] until it tries again."""


class EngineOnDemand(Stateful):
    """The states of the engine: stopped, cranking, running. The attributes up to `running` are inputs.

    It is needed above `electric_speed` or `electric_power`, for more torque than the motor can give, and for the
    battery: from `low_charge` until the middle of the band, but only on the move, where it can charge it; and it warms
    up, until the coolant has `warm_up`. Without fuel, and out of gear, it is not needed.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("command", "_time")

    def __init__(self, settings: HybridSettings) -> None:
        self.in_gear: bool = False  # ready to drive, and a gear is engaged; or where else it can be started
        self.held: bool = False  # nothing starts or stops it now
        self.fuel: bool = True
        self.speed: float = 0.0  # [m/s]
        self.power: float = 0.0  # that the driver asks for, at the gearbox [W]
        self.enough: bool = True  # the motor can give the torque alone
        self.charge: float = 1.0
        self.charging: bool = False  # the gearbox turns fast enough for the engine to charge the battery
        self.coolant: float = 20.0  # [°C]
        self.running: bool = False
        self.command: int = STOP
        self._low: float = settings.low_charge
        self._middle: float = 0.5 * (settings.low_charge + settings.high_charge)
        self._speed: float = settings.electric_speed
        self._power: float = settings.electric_power * 1e3
        self._warm: float = settings.warm_up
        self._time: float = _PAUSE  # [s] since the last change of state

    @property
    def warms_up(self) -> bool:
        """True while the coolant is too cold for the engine to rest."""
        return self.coolant < self._warm

    def step(self, delta_time: float) -> None:
        """Advance by `delta_time` [s]."""
        self._time += delta_time
        if self.command == STOP:
            if self._time >= _PAUSE and self._is_needed(1.0, self._low):
                self._go_to(CRANK)
        elif self.command == CRANK:
            if self.running:
                self._go_to(RUN)
            elif self._time >= _LONGEST_CRANKING or not self.in_gear:
                self._go_to(STOP)
        elif not self.running or (self._may_stop() and not self._is_needed(_LEAVING, self._middle)):
            self._go_to(STOP)
            self._time = _PAUSE

    def _go_to(self, command: int) -> None:
        self.command = command
        self._time = 0.0

    def _may_stop(self) -> bool:
        return self._time >= _LEAST_RUN and not self.held

    def _is_needed(self, share: float, least_charge: float) -> bool:
        """Return whether a limit, or `share` of it, is exceeded, or the charge is below the least."""
        if not self.in_gear or not self.fuel:
            return False
        if not self.enough or self.power > share * self._power or self.speed > share * self._speed:
            return True
        if self.warms_up:
            return True
        return self.charging and self.charge < least_charge
