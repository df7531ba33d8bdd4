"""The fuel tank: what the engine burns is what the tank loses, to the last microlitre."""

from typing import Final, NamedTuple

from vehiclesim.auxiliary.integral import Integral, IntegralState
from vehiclesim.parameters.auxiliary import TankSettings

MICROLITRES: Final = 1_000_000
"""In a litre."""


class TankState(NamedTuple):
    """What is left [µl] and what has been used [µl]."""

    left: int
    used: IntegralState


class Tank:
    """left + used = constant, in whole microlitres; used = ∫flow·dt until the tank is empty."""

    def __init__(self, settings: TankSettings) -> None:
        self.capacity: int = int(settings.capacity * MICROLITRES + 0.5)
        self.left: int = int(settings.initial_share * self.capacity + 0.5)
        self.used: Integral = Integral()
        self._endless: bool = settings.endless

    @property
    def share(self) -> float:
        """How full it is, 0..1."""
        return self.left / self.capacity

    def step(self, flow: float, delta_time: float) -> None:
        """The engine draws a flow [l/s]. In the step that empties the tank it gets what there is."""
        drawn = self.used.add(flow * delta_time * MICROLITRES)
        if self._endless:
            return
        self.left -= drawn
        if self.left < 0:
            self.used.count += self.left
            self.left = 0

    def fill(self, left: int) -> None:
        """Sets the content [µl], held between empty and full."""
        self.left = max(0, min(left, self.capacity))

    def get_state_vars(self) -> TankState:
        return TankState(self.left, self.used.get_state_vars())

    def set_state_vars(self, state: TankState) -> None:
        self.left = state.left
        self.used.set_state_vars(state.used)
