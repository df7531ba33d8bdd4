"""Assumptions about an engine where the targets say nothing: expected values, spreads and bounds by fuel.

Friction and fuel are a bent Willans line. With x the mean effective pressure of the fuel's energy, p that at the
flywheel and c the mean piston speed,

    p = B·x - A·x² - C        B = a + b·c + d·c²        C = l + m·c²

so B is the indicated efficiency of a small charge, C friction and pumping, A what rich mixture, late ignition and
knocking take as the charge grows. The coefficients are those with which CO2MPAS, the European Commission's simulation,
begins with an engine of which it knows nothing (JRCSTU/CO2MPAS-TA, co2mpas/defaults.py). The stroke is 90 mm.

But C of a petrol engine without charger: CO2MPAS begins with 2.4 bar, the highest of all engines, and so 2.0 l at idle
and 2 bar would burn what engines of the nineties did. Instead C is what motored engines have (Heywood, Internal
Combustion Engine Fundamentals, 13.6: 0.97 + 0.15·N + 0.05·N² bar, N in 1000/min) and the pumping of a throttle:
0.65 bar, as at 2 bar the manifold has some 36 kPa. Over speed that is 1.8 + 0.0079·c² within 0.13 bar.
"""

import math
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.fit.parameters import FUEL, SHAPE, SOUGHT, with_values
from hilbridge.desk.fit.targets import TargetsSettings
from vehiclesim.block import RPM_TO_W
from vehiclesim.parameters import EngineSettings, Quantity, quantities
from vehiclesim.plausibility import mean_pressure

IDLE_RPM: Final = 800.0


class FuelPrior(NamedTuple):
    """The figures that engines for one fuel share."""

    torque_per_litre: float  # [Nm/l]
    idle_torque: float  # share of the highest torque
    consumption: float  # best [g/kWh]
    density: float  # [kg/l]
    inertia: float  # [kg m² per litre], flywheel included


FUELS: Final = {
    "petrol": FuelPrior(100.0, 0.55, 245.0, 0.745, 0.08),
    "diesel": FuelPrior(190.0, 0.45, 205.0, 0.85, 0.13),
}
"""Passenger cars; a diesel is charged."""


class WillansLine(NamedTuple):
    """Coefficients over pressures in bar and the mean piston speed in m/s."""

    a: float
    b: float
    d: float
    bend: float  # A
    l: float  # noqa: E741 - as it is published
    m: float

    def efficiency(self, speed: float) -> float:
        """Return B at a mean piston speed [m/s]."""
        return self.a + (self.b + self.d * speed) * speed

    def loss(self, speed: float, pressure: float) -> float:
        """Return the share of the efficiency that is lost at a full charge, by what is lost at half of it.

        `pressure` [bar] is that of the whole charge, friction included; at a half beyond the top of the line the loss
        is that of the top, 1.
        """
        efficiency = self.efficiency(speed)
        half = min(0.5 * pressure, efficiency * efficiency / (4.0 * self.bend))
        x = (efficiency - math.sqrt(efficiency * efficiency - 4.0 * self.bend * half)) / (2.0 * self.bend)
        return 2.0 * (1.0 - half / (x * efficiency))


_PISTON_SPEED: Final = 0.003
"""[m/s] of mean piston speed per 1/min, with a stroke of 90 mm."""

_USUAL: Final = 2000.0 * _PISTON_SPEED
"""[m/s], for which efficiency and loss are taken: cars are driven there."""

_WILLANS: Final = {
    "petrol": WillansLine(0.4851, 0.01193, -0.00065, 0.00385, 1.8, 0.0079),
    "charged petrol": WillansLine(0.468678, 0.011859, -0.00069, 0.00266, 2.14063, 0.0025),
    "diesel": WillansLine(0.391197, 0.028604, -0.00196, 0.0012, 1.55291, 0.0076),
}

_CHARGED_FROM: Final = 15.1
"""[bar], the highest mean effective pressure of a petrol engine without supercharger (vehiclesim.plausibility)."""


class Unknown(NamedTuple):
    """A parameter that is sought: between bounds, and expected at a value give or take a spread."""

    name: str
    low: float
    high: float
    expected: float
    spread: float

    def value(self, deviation: float) -> float:
        """Return the value at a deviation from the expected one, in spreads."""
        return min(max(self.expected + deviation * self.spread, self.low), self.high)

    def deviation(self, value: float) -> float:
        """Return the inverse of `value`."""
        return (value - self.expected) / self.spread


def given_settings(targets: TargetsSettings) -> EngineSettings:
    """Return the engine with all that needs no search; the rest has the values expected of it.

    ConfigurationError for values that are fixed and do not fit together.
    """
    fuel = FUELS[targets.fuel]
    values: dict[str, bool | float | str] = {
        "efficiency_loss": _loss(targets),
        "idle_rpm": idle_rpm(targets),
        "inertia": fuel.inertia * litres(targets),
        "fuel_density": fuel.density,
        "can_stall": True,
        "starter_motor_bias": 1.0,
        "torque_cap": targets.torque.capped and not targets.has_plateau,
        "torque_cap_limit": targets.torque.value,
        "rpm_limiter": targets.limiter_rpm is not None,
    }
    if targets.limiter_rpm is not None:
        values["rpm_limiter_max"] = targets.limiter_rpm
    expected = {name: value for name, (value, _) in _expected(targets, idle_rpm(targets)).items()}
    del expected[FUEL["efficiency"]]  # a curve, which a model of the fit draws
    sought = {each.name: each.expected for each in unknowns(targets) if each.name in expected}
    try:
        return with_values(EngineSettings(), values | expected | sought | targets.fixed)
    except ValueError as error:  # "field: reason", by the convention of vehiclesim.parameters
        name, _, reason = str(error).partition(": ")
        raise ConfigurationError(reason, ("fixed", name)) from None


def willans(targets: TargetsSettings) -> WillansLine:
    """Return the line of engines of its kind; one with more torque than others draw in by themselves is charged."""
    if targets.fuel == "petrol" and mean_pressure(targets.torque.value, litres(targets)) > _CHARGED_FROM:
        return _WILLANS["charged petrol"]
    return _WILLANS[targets.fuel]


def _loss(targets: TargetsSettings) -> float:
    line = willans(targets)
    friction = line.l + line.m * _USUAL * _USUAL
    most = _quantities()["efficiency_loss"].maximum
    return min(line.loss(_USUAL, mean_pressure(targets.torque.value, litres(targets)) + friction), most or 1.0)


def _quantities() -> dict[str, Quantity]:
    """Return unit and bounds of each parameter of an engine."""
    return {entry.name: note for entry, _, note in quantities(EngineSettings) if isinstance(note, Quantity)}


def idle_rpm(targets: TargetsSettings) -> float:
    """Return the idle speed [1/min]."""
    return IDLE_RPM if targets.idle is None else targets.idle.rpm


def litres(targets: TargetsSettings) -> float:
    """Return the displacement [l]: as given, else the usual one for the torque."""
    return targets.displacement or targets.torque.value / FUELS[targets.fuel].torque_per_litre


def efficiency_speeds(targets: TargetsSettings) -> tuple[float, ...]:
    """Return the speeds [1/min] at which the indicated efficiency is sought: those of consumptions, or one for all."""
    if targets.fuel_law == "charge":
        return ()
    best = targets.best_consumption
    speeds = {point.rpm for point in targets.consumption} | ({best.rpm} if best and best.rpm else set())
    return tuple(sorted(speeds)) or (targets.torque.rpm,)


def efficiency_at(rpm: float) -> str:
    """Return the name of the unknown that is the indicated efficiency at a speed."""
    return f"indicated_efficiency at {rpm:g} rpm"


def unknowns(targets: TargetsSettings) -> tuple[Unknown, ...]:
    """Return the parameters that are sought, in a fixed order. ConfigurationError for bounds that leave no room."""
    idle = idle_rpm(targets)
    expected = _expected(targets, idle)
    lowest = {"peak_rpm": 1.02 * idle, "max_rpm": 1.02 * targets.power.rpm}
    notes = _quantities()
    result = []
    for name in SOUGHT:
        if name in targets.fixed or name not in expected or (targets.has_plateau and name in (*SHAPE, "max_rpm")):
            continue
        if name in FUEL.values() and name != FUEL[targets.fuel_law]:
            continue
        value, spread = expected[name]
        if (prior := targets.priors.get(name)) is not None:
            value, spread = prior.value, prior.spread
        low, high = targets.bounds.get(name, (notes[name].minimum or 0.0, notes[name].maximum or math.inf))
        low = max(low, lowest.get(name, 0.0))
        if high <= low:
            raise ConfigurationError(
                f"{high:g} is not above {low:g}, the least that other targets allow", ("bounds", name)
            )
        names = [efficiency_at(rpm) for rpm in efficiency_speeds(targets)] if name == FUEL["efficiency"] else [name]
        result += [Unknown(each, low, high, min(max(value, low), high), spread) for each in names]
    return tuple(result)


def _expected(targets: TargetsSettings, idle: float) -> dict[str, tuple[float, float]]:
    """Value and spread of each parameter before any target is looked at."""
    fuel = FUELS[targets.fuel]
    torque, power = targets.torque, targets.power
    top = torque.middle
    span = max(power.middle - top, 0.1 * power.middle)
    end = max(1.25 * power.middle, 1.12 * (targets.limiter_rpm or 0.0))
    if targets.has_plateau:
        end = 1.25 * max(power.ends[-1], targets.limiter_rpm or 0.0)
    if targets.max_rpm or targets.limit_rpm:
        end = targets.max_rpm.rpm if targets.max_rpm else 0.98 * targets.limit_rpm.rpm  # type: ignore[union-attr]
    line = willans(targets)
    per_bar = 100.0 * litres(targets) / (4.0 * math.pi)  # 1 bar·l = 100 N m
    constant = line.l * per_bar
    viscous = math.sqrt(line.m * per_bar) * _PISTON_SPEED / RPM_TO_W
    efficiency = line.efficiency(_USUAL)
    per_rev = fuel.consumption * torque.value * 2.0 * math.pi / 3.6e6
    expected = {
        "peak_rpm": (max(top + 0.3 * span, 1.1 * idle), 0.5 * span + 0.1 * power.middle),
        "max_rpm": (end, 0.1 * end),
        "idle_rpm_torque": (fuel.idle_torque * torque.value, 0.15 * torque.value),
        "peak_rpm_torque": (0.98 * torque.value, 0.12 * torque.value),
        "idle_rpm_curve_bias": (0.4, 0.3),
        "peak_rpm_curve_bias": (0.1, 0.3 if torque.capped else 0.15),
        "friction_torque": (constant, 0.5 * constant),
        "rotational_friction": (0.0, 0.1 * constant / (1000.0 * RPM_TO_W)),
        "viscous_friction": (viscous, 0.4 * viscous),
        "max_fuel_per_rev": (per_rev, 0.1 * per_rev),
        "indicated_efficiency": (efficiency, 0.1 * efficiency),
    }
    loads = {point.full for point in targets.consumption}
    if targets.fuel_law == "efficiency" and loads == {True, False}:
        expected["efficiency_loss"] = (_loss(targets), 0.1)
    if targets.stall is not None:
        expected["stall_bias"] = (0.5, 0.25)
        if targets.stall.friction is not None:
            extra = max(targets.stall.friction - constant, 1.0)
            expected["stalled_friction_torque"] = (extra, max(extra, 0.5 * constant))  # the rest of what is unsure
    return expected
