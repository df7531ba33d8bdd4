"""The fuel tank: what the engine burns is what the tank loses, to the last microlitre."""

from typing import ClassVar, Final

from vehiclesim.auxiliary.integral import Integral
from vehiclesim.parameters.auxiliary import TankSettings
from vehiclesim.state import Stateful

MICROLITRES: Final = 1_000_000
"""In a litre."""


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
        """Set the content [µl], held between empty and full."""
        self.left = max(0, min(left, self.capacity))
