"""Readings of the intake: air mass flow, intake pressure, lambda of a diesel, absolute load.

Intake pressure follows from the air mass (speed density):

    flow = fuel·L·lambda                    [g/s], L stoichiometric air per fuel
    m    = flow·60/n                        [g] per revolution
    p    = p_r + m·2·R·T/(V·η)              [kPa]

R gas constant of air, T intake temperature, V displacement, η the volumetric efficiency of the fresh charge, p_r the
partial pressure of the residual gas in the cylinder. The usual efficiency, of the whole charge, is η·(1 - p_r/p).
Fuel and the pressure behind the compressor are those of `engine/charge.py`, which gives the torque too: what lags there
lags here. Sources: Heywood, Internal Combustion Engine Fundamentals, 6.2; the residual term as in load models of engine
control.
"""

from typing import ClassVar, Final

from vehiclesim.air import KELVIN, STANDARD_PRESSURE
from vehiclesim.curves import clamp
from vehiclesim.engine.charge import GAS_CONSTANT, RESIDUAL, displacement_of
from vehiclesim.fuel import Fuel, fuel_of
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import AirPathSettings, FuelKind
from vehiclesim.state import Stateful

FREE_AIR_LAMBDA: Final = 10.0
"""Reading of a wide-band sensor in air without fuel."""

_CLOSED_PRESSURE: Final = 0.28
"""Intake pressure over air pressure at idle speed, on closed throttle without fuel (assumed)."""

_STILL: Final = 1.0
"""[1/min] below which nothing is drawn in."""

_LOAD_DENSITY: Final = 1.184
"""[g/l] of air at 25 °C and 1013 hPa: absolute load is referred to it (SAE J1979, PID 43)."""


class AirPath(Stateful):
    """The intake of one engine. The attributes up to `mixture` are inputs."""

    state_vars: ClassVar[tuple[str, ...]] = ("pressure", "flow", "lambda_", "absolute_load")

    def __init__(self, settings: AirPathSettings, engine: EngineSettings) -> None:
        self.rpm: float = 0.0
        self.fuel_rate: float = 0.0  # [g/s]
        self.throttle: float = 0.0  # 0..1
        self.air_pressure: float = STANDARD_PRESSURE  # [kPa]
        self.charge_pressure: float = STANDARD_PRESSURE  # behind the compressor, if there is one [kPa]
        self.intake_temperature: float = 20.0  # [°C]
        self.mixture: float = 1.0  # lambda of a petrol engine's gas

        self.pressure: float = STANDARD_PRESSURE  # in the intake manifold [kPa]
        self.flow: float = 0.0  # [g/s]
        self.lambda_: float = FREE_AIR_LAMBDA
        self.absolute_load: float = 0.0

        fuel: Fuel = fuel_of(settings.fuel)
        self._stoichiometric: float = fuel.stoichiometric_ratio
        self._smoke_lambda: float = fuel.full_load_lambda
        self._throttled: bool = settings.fuel is FuelKind.PETROL
        self._litres: float = displacement_of(settings, engine)
        self._filling: float = self._litres * settings.volumetric_efficiency / (2.0 * GAS_CONSTANT)  # m·T/(p - p_r)
        self._idle_rpm: float = engine.idle_rpm

    def step(self) -> None:
        """Take the readings of the present inputs."""
        if self.rpm < _STILL:
            self.flow = 0.0
            self.absolute_load = 0.0
            self.lambda_ = FREE_AIR_LAMBDA
            self.pressure = self.charge_pressure
            return
        gain = self._filling / (self.intake_temperature + KELVIN)  # [g/kPa] of a revolution
        residual = RESIDUAL * self.air_pressure
        charge = self._throttled_charge(gain, residual) if self._throttled else self._free_charge(gain, residual)
        self.flow = charge * self.rpm / 60.0
        needed = self.fuel_rate * self._stoichiometric
        self.lambda_ = self.flow / needed if self.flow < FREE_AIR_LAMBDA * needed else FREE_AIR_LAMBDA
        self.absolute_load = charge * 2.0 / (_LOAD_DENSITY * self._litres)
        self.pressure = clamp(residual + charge / gain, residual, self.charge_pressure)

    def _throttled_charge(self, gain: float, residual: float) -> float:
        """Return the air of a revolution [g]: the mass that the fuel needs at the mixture's lambda.

        Without fuel it is the flow through the throttle: closed it leaks the same flow at any speed, so that the
        pressure falls as 1/n; opened it comes nearer to the pressure before it.
        """
        if self.fuel_rate > 0.0:
            return self.fuel_rate * self._stoichiometric * self.mixture * 60.0 / self.rpm
        full = self.charge_pressure - residual
        leak = (_CLOSED_PRESSURE * self.air_pressure - residual) * self._idle_rpm / self.rpm
        if leak > full:
            leak = full
        return gain * (leak + (full - leak) * self.throttle)

    def _free_charge(self, gain: float, residual: float) -> float:
        """Return the air of a revolution [g]: a full charge at the present pressure, at least the smoke limit's."""
        charge = gain * (self.charge_pressure - residual)
        least = self.fuel_rate * self._stoichiometric * self._smoke_lambda * 60.0 / self.rpm
        return charge if charge > least else least
