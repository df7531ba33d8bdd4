"""The torque splitter of an all-wheel drive: one axle driven rigidly, the other through a viscous coupling."""

from vehiclesim.parameters import SplitterSettings
from vehiclesim.transmission.driveline import Divider


class TorqueSplitter(Divider):
    """Output 1 is the primary axle, w_in = i·w1; output 2, the secondary, gets what the viscous coupling moves.

    T1 = T - T_c and T2 = T_c: the primary axle loses what the secondary gets. `gear` is the ratio between the outputs
    and the wheels, see `Divider`.
    """

    def __init__(
        self,
        settings: SplitterSettings = SplitterSettings(),  # noqa: B008 - frozen
        gear: float = 1.0,
    ) -> None:
        super().__init__(settings.ratio, 1.0, settings.stiffness, gear)

    def capacity(self, torque: float) -> float:
        return 0.0
