"""Fuel and air: properties of fuels, air mass flow, intake pressure, lambda of a diesel, absolute load.

Intake pressure follows from the air mass (speed density):

    flow = fuel·L·lambda                    [g/s], L stoichiometric air per fuel
    m    = flow·60/n                        [g] per revolution
    p    = p_r + m·2·R·T/(V·η)              [kPa]

R gas constant of air, T intake temperature, V displacement, η the volumetric efficiency of the fresh charge, p_r the
partial pressure of the residual gas in the cylinder. The usual efficiency, of the whole charge, is η·(1 - p_r/p).
Sources: Heywood, Internal Combustion Engine Fundamentals, 6.2 and (fuels, rounded) table D.4; the residual term as in
load models of engine control.
"""

from typing import ClassVar, Final, NamedTuple

from vehiclesim.curves import clamp
from vehiclesim.engine.full_load import HEATING_VALUE
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import AirPathSettings, FuelKind
from vehiclesim.state import Stateful


class Fuel(NamedTuple):
    """One kind of fuel, and how rich an engine burns it at full load."""

    stoichiometric_ratio: float  # air over fuel by mass
    heating_value: float  # lower heating value [J/g]
    full_load_lambda: float  # petrol: for the highest torque and cool exhaust; diesel: the smoke limit


PETROL: Final = Fuel(14.7, HEATING_VALUE, 0.88)
DIESEL: Final = Fuel(14.5, HEATING_VALUE, 1.3)


def fuel_of(kind: FuelKind) -> Fuel:
    return DIESEL if kind is FuelKind.DIESEL else PETROL


FREE_AIR_LAMBDA: Final = 10.0
"""Reading of a wide-band sensor in air without fuel."""

STANDARD_PRESSURE: Final = 101.325
"""[kPa], ISO 2533"""

_GAS_CONSTANT: Final = 0.287
"""[J/(g·K)] of air; with [l] and [g] it gives [kPa]."""

_KELVIN: Final = 273.15

_REFERENCE_INTAKE: Final = 298.15
"""[K] for which an engine without given displacement is laid out."""

_RESIDUAL: Final = 0.12
"""p_r over air pressure (assumed)."""

_CLOSED_PRESSURE: Final = 0.28
"""Intake pressure over air pressure at idle speed, on closed throttle without fuel (assumed)."""

_STILL: Final = 1.0
"""[1/min] below which nothing is drawn in."""

_INTAKE_TIME: Final = 0.05
"""[s] in which the intake manifold fills (assumed)."""

_BOOST_TIME: Final = 0.6
"""[s] in which the turbocharger runs up (assumed)."""

_LOAD_DENSITY: Final = 1.184
"""[g/l] of air at 25 °C and 1013 hPa: absolute load is referred to it (SAE J1979, PID 43)."""


def displacement_of(settings: AirPathSettings, engine: EngineSettings) -> float:
    """Return the given displacement [l], or the one that full load fills: V = 2·m·R·T/(η·(p + boost - p_r))."""
    if settings.displacement > 0.0:
        return settings.displacement
    fuel = fuel_of(settings.fuel)
    air = engine.max_fuel_per_rev * fuel.stoichiometric_ratio * fuel.full_load_lambda
    charge = STANDARD_PRESSURE * (1.0 - _RESIDUAL) + settings.max_boost
    litres = 2.0 * air * _GAS_CONSTANT * _REFERENCE_INTAKE / (settings.volumetric_efficiency * charge)
    return litres if litres > 0.01 else 0.01


class AirPath(Stateful):
    """The intake of one engine. The attributes up to `mixture` are inputs."""

    state_vars: ClassVar[tuple[str, ...]] = ("pressure", "flow", "lambda_", "absolute_load", "_boost")

    def __init__(self, settings: AirPathSettings, engine: EngineSettings) -> None:
        self.rpm: float = 0.0
        self.fuel_rate: float = 0.0  # [g/s]
        self.throttle: float = 0.0  # 0..1
        self.air_pressure: float = STANDARD_PRESSURE  # [kPa]
        self.intake_temperature: float = 20.0  # [°C]
        self.mixture: float = 1.0  # lambda of a petrol engine's gas

        self.pressure: float = STANDARD_PRESSURE  # in the intake manifold [kPa]
        self.flow: float = 0.0  # [g/s]
        self.lambda_: float = FREE_AIR_LAMBDA
        self.absolute_load: float = 0.0
        self._boost: float = 0.0

        fuel: Fuel = fuel_of(settings.fuel)
        self._stoichiometric: float = fuel.stoichiometric_ratio
        self._smoke_lambda: float = fuel.full_load_lambda
        self._throttled: bool = settings.fuel is FuelKind.PETROL
        self._litres: float = displacement_of(settings, engine)
        self._filling: float = self._litres * settings.volumetric_efficiency / (2.0 * _GAS_CONSTANT)  # m·T/(p - p_r)
        self._max_boost: float = settings.max_boost
        self._idle_rpm: float = engine.idle_rpm
        self._boost_fuel: float = 0.5 * engine.max_fuel_per_rev * engine.max_rpm / 60.0

    def step(self, delta_time: float) -> None:
        """Advance by `delta_time` [s]."""
        highest = self.air_pressure + self._max_boost
        if self._max_boost > 0.0:
            self._spool(delta_time)
        if self.rpm < _STILL:
            self.flow = 0.0
            self.absolute_load = 0.0
            self.lambda_ = FREE_AIR_LAMBDA
            self._fill(self.air_pressure, delta_time)
            return
        gain = self._filling / (self.intake_temperature + _KELVIN)  # [g/kPa] of a revolution
        residual = _RESIDUAL * self.air_pressure
        charge = self._throttled_charge(gain, residual) if self._throttled else self._free_charge(gain, residual)
        self.flow = charge * self.rpm / 60.0
        needed = self.fuel_rate * self._stoichiometric
        self.lambda_ = self.flow / needed if self.flow < FREE_AIR_LAMBDA * needed else FREE_AIR_LAMBDA
        self.absolute_load = charge * 2.0 / (_LOAD_DENSITY * self._litres)
        pressure = residual + charge / gain
        pressure = pressure if residual < pressure < highest else clamp(pressure, residual, highest)
        self._fill(pressure, delta_time)

    def _throttled_charge(self, gain: float, residual: float) -> float:
        """Return the air of a revolution [g]: the mass that the fuel needs at the mixture's lambda.

        Without fuel it is the flow through the throttle: closed it leaks the same flow at any speed, so that the
        pressure falls as 1/n; opened it comes nearer to air pressure.
        """
        if self.fuel_rate > 0.0:
            return self.fuel_rate * self._stoichiometric * self.mixture * 60.0 / self.rpm
        full = self.air_pressure - residual
        leak = (_CLOSED_PRESSURE * self.air_pressure - residual) * self._idle_rpm / self.rpm
        if leak > full:
            leak = full
        return gain * (leak + (full - leak) * self.throttle)

    def _free_charge(self, gain: float, residual: float) -> float:
        """Return the air of a revolution [g]: a full charge at air pressure and boost, at least the smoke limit's."""
        charge = gain * (self.air_pressure + self._boost - residual)
        least = self.fuel_rate * self._stoichiometric * self._smoke_lambda * 60.0 / self.rpm
        return charge if charge > least else least

    def _spool(self, delta_time: float) -> None:
        """Update the boost: proportional to the fuel up to half of its highest rate, with a first-order lag."""
        target = 0.0
        if self.fuel_rate > 0.0:  # so an engine that burns no fuel at all needs no turbine
            target = self._max_boost * clamp(self.fuel_rate / self._boost_fuel, 0.0, 1.0)
        self._boost += (target - self._boost) * delta_time / (_BOOST_TIME + delta_time)

    def _fill(self, target: float, delta_time: float) -> None:
        self.pressure += (target - self.pressure) * delta_time / (_INTAKE_TIME + delta_time)
