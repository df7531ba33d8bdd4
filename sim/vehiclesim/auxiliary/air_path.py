"""Readings of the intake: air mass flow, intake pressure, lambda, absolute load.

A petrol engine's pressure is that of its manifold (`engine/intake.py`), and its cylinders take the air that the fuel
for it needs, so that flow and fuel agree at every instant:

    m    = fuel·L·lambda·60/n               [g] per revolution, L stoichiometric air per fuel
    flow = m·n/60·inflow                    [g/s], through the throttle plate: the manifold may take some of it

Where nothing could burn, as below the lowest speed of combustion, and of a diesel the air is that of the pressure:

    m    = (p - p_r)·V·η/(2·R·T)·(1 - x)    [g]

R gas constant of air, T intake temperature, V displacement, η the volumetric efficiency of the fresh charge, p_r the
partial pressure of the residual gas in the cylinder, x the share of recirculated exhaust gas. The usual efficiency, of
the whole charge, is η·(1 - p_r/p). Sources: Heywood, Internal Combustion Engine Fundamentals, 6.2; the residual term as
in load models of engine control.
"""

from typing import ClassVar, Final

from vehiclesim.air import KELVIN, STANDARD_PRESSURE
from vehiclesim.curves import clamp
from vehiclesim.engine.throttling import GAS_CONSTANT, RESIDUAL, displacement_of
from vehiclesim.fuel import Fuel, fuel_of
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import AirPathSettings, FuelKind
from vehiclesim.state import Stateful

FREE_AIR_LAMBDA: Final = 10.0
"""Reading of a wide-band sensor in air without fuel."""

_STILL: Final = 1.0
"""[1/min] below which nothing is drawn in."""

_RECIRCULATED_TO: Final = 0.6
"""Load up to which a diesel takes exhaust gas back, less the more it burns (assumed)."""

RECIRCULATES_FROM: Final = 40.0
"""[°C] of the coolant from which a diesel takes exhaust gas back (assumed)."""

_LOAD_DENSITY: Final = 1.184
"""[g/l] of air at 25 °C and 1013 hPa: absolute load is referred to it (SAE J1979, PID 43)."""


class AirPath(Stateful):
    """The intake of one engine. The attributes up to `mixture` are inputs."""

    state_vars: ClassVar[tuple[str, ...]] = ("pressure", "flow", "lambda_", "absolute_load", "recirculated")

    def __init__(self, settings: AirPathSettings, engine: EngineSettings) -> None:
        self.rpm: float = 0.0
        self.fuel_rate: float = 0.0  # [g/s]
        self.air_fuel_rate: float = 0.0  # that the air in a petrol engine's cylinders is for [g/s]
        self.inflow: float = 1.0  # air through the throttle plate over that into the cylinders
        self.load: float = 0.0  # torque over the highest, 0..1
        self.warm: bool = True  # the coolant lets exhaust gas be recirculated
        self.air_pressure: float = STANDARD_PRESSURE  # [kPa]
        self.intake_temperature: float = 20.0  # [°C]
        self.mixture: float = 1.0  # lambda of a petrol engine's gas
        self.missed: float = 0.0  # share of the combustions that fail

        self.pressure: float = STANDARD_PRESSURE  # in the intake manifold [kPa]: an input too
        self.recirculated: float = 0.0  # share of exhaust gas in the charge
        self.flow: float = 0.0  # [g/s]
        self.lambda_: float = FREE_AIR_LAMBDA
        self.absolute_load: float = 0.0

        fuel: Fuel = fuel_of(settings.fuel)
        self._stoichiometric: float = fuel.stoichiometric_ratio
        self._smoke_lambda: float = fuel.full_load_lambda
        self._throttled: bool = settings.fuel is FuelKind.PETROL
        self._litres: float = displacement_of(settings, engine)
        self._filling: float = self._litres * settings.volumetric_efficiency / (2.0 * GAS_CONSTANT)  # m·T/(p - p_r)
        self._recirculation: float = settings.exhaust_recirculation

    def step(self) -> None:
        """Take the readings of the present inputs."""
        self.recirculated = 0.0
        if self.rpm < _STILL:
            self.flow = 0.0
            self.absolute_load = 0.0
            self.lambda_ = FREE_AIR_LAMBDA
            return
        gain = self._filling / (self.intake_temperature + KELVIN)  # [g/kPa] of a revolution
        drawn = self.pressure - RESIDUAL * self.air_pressure
        charge = gain * (drawn if drawn > 0.0 else 0.0)
        if self._throttled:
            if self.air_fuel_rate > 0.0:
                charge = self.air_fuel_rate * self._stoichiometric * self.mixture * 60.0 / self.rpm
        else:
            charge = self._lean_charge(charge)
        drawn_flow = charge * self.rpm / 60.0
        self.flow = drawn_flow * self.inflow
        needed = (
            self.fuel_rate * self._stoichiometric * (1.0 - self.missed)
        )  # a combustion that fails leaves its oxygen
        self.lambda_ = drawn_flow / needed if drawn_flow < FREE_AIR_LAMBDA * needed else FREE_AIR_LAMBDA
        self.absolute_load = charge * 2.0 / (_LOAD_DENSITY * self._litres)

    def _lean_charge(self, charge: float) -> float:
        """Return the air of a diesel [g] of a charge: less what its exhaust gas takes, at least the smoke limit's."""
        if self._recirculation > 0.0 and self.fuel_rate > 0.0 and self.warm:
            self.recirculated = self._recirculation * clamp(1.0 - self.load / _RECIRCULATED_TO, 0.0, 1.0)
        least = self.fuel_rate * self._stoichiometric * self._smoke_lambda * 60.0 / self.rpm
        fresh = charge * (1.0 - self.recirculated)
        return fresh if fresh > least else least
