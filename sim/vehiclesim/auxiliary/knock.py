"""Knock control of a petrol engine: ignition that is taken back where the fuel knocks, and given again slowly.

    knock where   advance - retard > limit,     limit = advance of the map + margin - 15°·fault
    margin        0 from 90 % load on, and 0.4° for each percent below: light loads do not knock
    at a knock    retard + 2.5°, at most once in 0.1 s, up to 15°
    without       retard - 0.75° a second
    torque        · 1 - 0.05·(retard/10°)²  of the best spark's (Heywood, Internal Combustion Engine Fundamentals, 15.3)

Some octane numbers less are as many degrees less of advance; steps and rates are those of engine controls in general
(Bosch, Automotive Handbook, knock control), and so is the retard a saw tooth. The map is laid out for the fuel that the
engine wants, so that without the fault nothing is taken back.
"""

from typing import ClassVar, Final

from vehiclesim.curves import clamp
from vehiclesim.state import Stateful

_FULL_LOAD: Final = 0.9
_MARGIN: Final = 40.0
"""[°] per load below it."""

_SPAN: Final = 15.0
"""[°] of the fault."""

_STEP: Final = 2.5
"""[°]"""

_PAUSE: Final = 0.1
"""[s]"""

_RECOVERY: Final = 0.75
"""[°/s]"""

MOST_RETARD: Final = 15.0
"""[°]"""

_LOSS: Final = 0.0005
"""[1/°²]"""


class KnockControl(Stateful):
    """The retard of one engine. `tendency` is the fault, 0..1."""

    state_vars: ClassVar[tuple[str, ...]] = ("retard", "_waited")

    def __init__(self) -> None:
        self.tendency: float = 0.0
        self.retard: float = 0.0  # [°]
        self._waited: float = 0.0  # [s] since the last step

    @property
    def torque_loss(self) -> float:
        """Share of the torque that the late spark costs."""
        return _LOSS * self.retard * self.retard

    def step(self, load: float, delta_time: float) -> None:
        """Advance by `delta_time` [s] at a load 0..1 of an engine that runs."""
        margin = _MARGIN * (_FULL_LOAD - load)
        limit = (margin if margin > 0.0 else 0.0) - _SPAN * clamp(self.tendency, 0.0, 1.0)  # over the map's advance
        self._waited += delta_time
        if -self.retard > limit and load > 0.0:
            if self._waited >= _PAUSE:
                self.retard = clamp(self.retard + _STEP, 0.0, MOST_RETARD)
                self._waited = 0.0
        elif self.retard > 0.0:
            self.retard = clamp(self.retard - _RECOVERY * delta_time, 0.0, MOST_RETARD)
