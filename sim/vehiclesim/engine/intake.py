"""Throttle plate and manifold of a petrol engine: the pressure is a state, fed by the one, emptied by the cylinders.

    dp/dt = (n/120)·(V_d·η/V)·(q - (p - p_r))

p manifold pressure, V its volume, V_d displacement, η volumetric efficiency of the fresh charge, p_r the partial
pressure of the residual gas, n speed, and q the flow through the plate as the pressure p - p_r at which the cylinders
take as much:

    q = W·A·p_up·ψ(p/p_up)/n,   ψ = 1 up to p/p_up = ½ (choked), then 2·√(p/p_up·(1 - p/p_up))

A is the open share of the plate's area. Filling, emptying and ψ are the mean value model of Guzzella and Onder,
Introduction to Modeling and Control of Internal Combustion Engine Systems, 2.3 (ψ: their approximation for air), and of
Hendricks and Sorenson, SAE 900616. So behind a choked plate the pressure goes to its end with tau = 120·V/(V_d·η·n).

The plate is turned by a motor: its opening x, 0 closed .. 1 open, follows the command with a lag. Its area grows as
1 - cos(φ)/cos(φ0), φ0 the angle of a closed plate (Heywood, 7.6), whose start is A = (c·x + x²)/(1 + c) with
c = 2·tan(φ0)/(90° - φ0).
"""

from math import sqrt
from typing import ClassVar, Final

from vehiclesim.air import STANDARD_PRESSURE
from vehiclesim.engine.throttling import WIDE_OPEN
from vehiclesim.state import Stateful

_PLATE_TIME: Final = 0.035
"""[s], time constant of an electronic throttle: a full stroke to 90 % in 80 ms (as data sheets of such units state)."""

_CLOSED_SLOPE: Final = 0.253
"""c, of a plate that rests at 10°."""

_SIZE: Final = 1.0 / 0.199
"""Area of an open plate over what a choked one needs at top speed: 1/ψ(WIDE_OPEN), so that it loses less."""

_LEAK: Final = 1e-4
"""Open share of the area of a closed plate (assumed)."""

_NEAREST: Final = 1e-4
"""Least of 1 - p/p_up for the slope of ψ."""


def plate_flow(ratio: float) -> float:
    """ψ of the pressure ratio over the plate."""
    if ratio <= 0.5:
        return 1.0
    return 2.0 * sqrt(ratio * (1.0 - ratio)) if ratio < 1.0 else 0.0


class Intake(Stateful):
    """The manifold of one engine; one of no volume takes the pressure of its inflow at once."""

    state_vars: ClassVar[tuple[str, ...]] = ("opening", "command", "pressure", "inflow")

    def __init__(self, filling: float, max_rpm: float) -> None:
        """Take `filling` [s/min], tau·n of the manifold, 0 without a volume, and the engine's top speed [1/min]."""
        self.opening: float = 0.0  # x of the plate
        self.command: float = 0.0
        self.pressure: float = STANDARD_PRESSURE  # [kPa]
        self.inflow: float = 1.0  # flow through the plate over that into the cylinders
        self._filling: float = filling
        self._size: float = _SIZE * max_rpm  # W

    def area_for(self, pressure: float, residual: float, upstream: float, rpm: float) -> float:
        """Return the open share A with which the manifold comes to a pressure [kPa] at a speed [1/min]."""
        if pressure >= WIDE_OPEN * upstream:
            return 1.0
        area = (pressure - residual) * rpm / (self._size * upstream * plate_flow(pressure / upstream))
        return area if area < 1.0 else 1.0

    def step(self, area: float, rpm: float, residual: float, upstream: float, delta_time: float) -> None:
        """Advance by `delta_time` [s], at a speed [1/min], with residual gas and air before the plate [kPa].

        Implicit in the pressure, which stays between both at any step.
        """
        c = _CLOSED_SLOPE
        if area < _LEAK:
            area = _LEAK
        self.command = 0.5 * (sqrt(c * c + 4.0 * (1.0 + c) * area) - c)
        if self._filling > 0.0:
            self.opening += (self.command - self.opening) * delta_time / (_PLATE_TIME + delta_time)
            area = self.opening * (c + self.opening) / (1.0 + c)
        else:
            self.opening = self.command
        pressure = self.pressure
        ratio = pressure / upstream
        below = 1.0 - ratio
        if below < _NEAREST:
            below, ratio = _NEAREST, 1.0 - _NEAREST
        feed = self._size * area * plate_flow(ratio) / below  # q·n over the pressure that is missing
        if self._filling > 0.0:
            weight = delta_time / self._filling
            missing = rpm * (residual - pressure) + feed * (upstream - pressure)  # 0 at rest, to the last bit
            pressure += weight * missing / (1.0 + weight * (rpm + feed))
        else:
            pressure = (rpm * residual + feed * upstream) / (rpm + feed)
        self.pressure = pressure
        fresh = rpm * (pressure - residual)
        self.inflow = feed * (upstream - pressure) / fresh if fresh > 1.0 else 1.0


def full_load_share(pressure: float, residual: float, full: float) -> float:
    """Return the fresh charge at a pressure over that of full load, whose pressure before the plate is `full` [kPa]."""
    share = (pressure - residual) / (WIDE_OPEN * full - residual)
    return share if share < 1.0 else 1.0


def pressure_of(share: float, residual: float, full: float) -> float:
    """Return the pressure [kPa] with a share of the fresh charge of full load: the inverse of `full_load_share`."""
    return residual + share * (WIDE_OPEN * full - residual)
