"""The gear of a power-split or series hybrid: one ratio, always in mesh; P, R, N and D are a matter of its motors."""

from typing import Final

from vehiclesim.parameters import GearboxSettings, ShiftingSettings
from vehiclesim.transmission.gearbox import BLOCKING_SPEED, Gearbox
from vehiclesim.transmission.shifting import GearMode, Powertrain

_GROUND: Final = 1e12
"""[kg m²] of a shaft that the pawl holds."""


class FixedGear(Gearbox):
    """w_in = N·w_out in every position of the lever, N the ratio of first gear; in P a pawl holds both shafts.

    `sensor_gear` is the direction in which the motors are to drive, after `shift_time`; 0 in N and P. In R the input
    shaft turns backward: of `reverse_ratios` only their number counts.
    """

    def __init__(self, settings: GearboxSettings, shifting: ShiftingSettings, powertrain: Powertrain) -> None:
        super().__init__(settings, shifting, powertrain)
        ratio = settings.gears[0]
        self._ratios = [ratio for _ in self._ratios]
        self._mesh.engage(ratio)

    def compute_state_upstream(self) -> None:
        """Report the shaft; held by the pawl it does not turn, whatever the torque."""
        super().compute_state_upstream()
        if self.sensor_mode == GearMode.PARK:
            self._shaft.I, self._shaft.L, self._shaft.Tr = _GROUND, 0.0, 0.0

    def evaluate_torque_downstream(self) -> None:
        if self.sensor_mode != GearMode.PARK:
            super().evaluate_torque_downstream()
            return
        output, delta_time = self._output, self.step_time.delta_time
        self._mesh.torque = -self._mesh.momentum / delta_time
        output.out_td = -(output.L / delta_time + output.Tr)

    def _begin(self, target: int) -> None:
        self._target = target
        self._target_ratio = self._mesh.ratio
        self.sensor_shifting = target != 0
        self._time_left = self._shift_time
        self.sensor_gear = 0

    def _end(self) -> None:
        self.sensor_gear = self._target
        self.sensor_shifting = False

    def _blocked(self) -> bool:
        """Return whether the target is against the motion."""
        forward = self._output.L if self._target > 0 else -self._output.L
        return forward <= -BLOCKING_SPEED * self._output.I
