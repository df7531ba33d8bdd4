"""How long and how often the engine has turned."""

from typing import ClassVar, Final

from vehiclesim.auxiliary.integral import Integral
from vehiclesim.state import Stateful

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
