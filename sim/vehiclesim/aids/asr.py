"""Anti-spin regulation (ASR), which brakes the spinning wheel of a driven axle, so that the other gets torque too."""

from collections.abc import Sequence

from vehiclesim.aids.slip import SlipMeter
from vehiclesim.block import W_TO_RPM
from vehiclesim.chassis.chassis import FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT
from vehiclesim.curves import clamp
from vehiclesim.parameters.aids import AsrSettings


class AntiSpin:
    """T = T_max·(|n_1 - n_2| - n_min)/(n_max - n_min), held in 0..T_max, on the faster wheel of each driven axle.

    An open differential gives both wheels the torque of the one that finds less resistance; the brake adds to it.
    It must slip beyond its tyre's peak: where the other wheel is the slower one because it is braked, none is.
    """

    def __init__(self, settings: AsrSettings, meters: list[SlipMeter], driven: Sequence[int]) -> None:
        self._meters: list[SlipMeter] = meters
        self._front: bool = FRONT_LEFT in driven and FRONT_RIGHT in driven
        self._rear: bool = REAR_LEFT in driven and REAR_RIGHT in driven
        self._start: float = settings.minimum_difference
        self._range: float = settings.maximum_difference - settings.minimum_difference
        self._torque: float = settings.torque
        self._maximum_speed: float = settings.maximum_speed

    def brake(self, added: list[float], speed: float, throttle: float) -> bool:
        """Add to the brake torques [N m], at a speed [m/s] with the pedal; return whether it brakes."""
        if throttle <= 0.0 or not -self._maximum_speed < speed < self._maximum_speed:
            return False
        front = self._front and self._brake_axle(added, FRONT_LEFT, FRONT_RIGHT)
        rear = self._rear and self._brake_axle(added, REAR_LEFT, REAR_RIGHT)
        return front or rear

    def _brake_axle(self, added: list[float], left: int, right: int) -> bool:
        difference = (abs(self._meters[left].wheel.spin) - abs(self._meters[right].wheel.spin)) * W_TO_RPM
        if -self._start <= difference <= self._start:
            return False
        faster = left if difference > 0.0 else right
        if not self._meters[faster].is_spinning():
            return False
        share = clamp((abs(difference) - self._start) / self._range, 0.0, 1.0)
        added[faster] += share * self._torque
        return True
