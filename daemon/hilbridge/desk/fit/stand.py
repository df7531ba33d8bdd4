"""An engine on the test stand: the figures that data sheets publish, as smooth functions of its parameters.

`Engine.specifications` scans in steps; here every landmark is then narrowed down between two steps, so that a solver
sees it move when a parameter moves by a millionth.
"""

import math
from collections.abc import Callable
from functools import cached_property
from typing import Final, Literal, NamedTuple

from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.full_load import EngineSpecifications
from vehiclesim.parameters import EngineSettings

_STEPS: Final = 64
_GOLDEN: Final = 0.6180339887498949
_NARROWINGS: Final = 36
"""Each leaves 0.618 of the interval: 36 of them 3e-8, about what the digits of a float can tell at a peak."""

_HALVINGS: Final = 40
_COAST_STEPS: Final = 100


class Peak(NamedTuple):
    """An extreme value and its speed [1/min]."""

    value: float
    rpm: float


class Stand:
    """A test stand for an engine of given settings; each figure is measured when it is first asked for."""

    def __init__(self, settings: EngineSettings) -> None:
        self.settings = settings
        self._engine = Engine(settings)
        self._step = max((settings.max_rpm - settings.idle_rpm) / _STEPS, 1.0)

    def speed(self, at: float | Literal["idle", "limit"]) -> float:
        """Return a speed [1/min], or that of a landmark."""
        if at == "idle":
            return self.settings.idle_rpm
        return self.sheet.limit_rpm if at == "limit" else at

    def torque(self, rpm: float) -> float:
        """Return the full-throttle torque [Nm]."""
        return self._engine.calculate_torque(rpm)

    def power(self, rpm: float) -> float:
        """Return the full-throttle power [kW]."""
        return self._engine.calculate_power_in_kw(rpm)

    def consumption(self, rpm: float, torque: float = math.inf) -> float:
        """Return the specific fuel consumption [g/kWh] at a torque [N m], full load at most; infinite without work."""
        value = self._engine.calculate_specific_fuel_consumption(rpm, torque)
        return value if math.isfinite(value) else math.inf

    def friction(self, rpm: float) -> float:
        """Return the torque that turns the engine without fuel [Nm]."""
        return -self._engine.calculate_torque(rpm, 0.0)

    def coast_down(self, from_rpm: float, to_rpm: float) -> float:
        """Return ∫ I/Tf dw [s] by Simpson's rule: the time in which friction alone slows the engine down."""
        width = (from_rpm - to_rpm) / _COAST_STEPS
        total = 0.0
        for step in range(_COAST_STEPS + 1):
            weight = 1 if step in {0, _COAST_STEPS} else 4 if step % 2 else 2
            total += weight / max(self.friction(to_rpm + step * width), 1e-6)
        return self.settings.inertia * total * width * RPM_TO_W / 3.0

    @cached_property
    def sheet(self) -> EngineSpecifications:
        """The data sheet, its peaks only to the step of the scan."""
        return self._engine.specifications(self._step)

    @cached_property
    def max_torque(self) -> Peak:
        """The highest torque; where a cap holds it, the first speed."""
        rpm = self.sheet.peak_rpm
        if self._at_cap(rpm):
            rpm = _edge(self._at_cap, rpm, max(rpm - self._step, self.settings.idle_rpm))
            return Peak(self.settings.torque_cap_limit, rpm)
        return self._highest(self.torque, rpm)

    @cached_property
    def max_power(self) -> Peak:
        """The highest power [kW]."""
        return self._highest(self.power, self.sheet.max_power_rpm)

    @cached_property
    def best_consumption(self) -> Peak:
        """The lowest specific consumption [g/kWh]."""
        best = self._highest(lambda rpm: -self.consumption(rpm), self.sheet.specific_fuel_consumption_rpm)
        return Peak(-best.value, best.rpm)

    @cached_property
    def lowest_torque(self) -> float:
        """The lowest torque [Nm] between idle and maximum speed, both excluded; by a coarse scan."""
        idle = self.settings.idle_rpm
        return min(self.torque(idle + step * self._step) for step in range(1, _STEPS))

    def _at_cap(self, rpm: float) -> bool:
        return self.settings.torque_cap and self.torque(rpm) >= self.settings.torque_cap_limit

    def _highest(self, value: Callable[[float], float], near: float) -> Peak:
        """Golden section search between the neighbours of a scanned peak."""
        low = max(near - self._step, self.settings.idle_rpm)
        high = min(near + self._step, self.settings.max_rpm)
        one, two = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        at_one, at_two = value(one), value(two)
        for _ in range(_NARROWINGS):
            if at_one > at_two:
                high, two, at_two = two, one, at_one
                one = high - _GOLDEN * (high - low)
                at_one = value(one)
            else:
                low, one, at_one = one, two, at_two
                two = low + _GOLDEN * (high - low)
                at_two = value(two)
        rpm = 0.5 * (low + high)
        return Peak(value(rpm), rpm)


def _edge(holds: Callable[[float], bool], inside: float, outside: float) -> float:
    """Return the point between both where a condition ceases to hold."""
    for _ in range(_HALVINGS):
        middle = 0.5 * (inside + outside)
        if holds(middle):
            inside = middle
        else:
            outside = middle
    return inside
