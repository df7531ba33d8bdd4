"""The air in the cylinders: what weather and height leave of a full charge, and how long it takes to follow the pedal.

**Weather.** The raw torque of full load is that of the settings times `density`,

    naturally aspirated   p/p_ref · √(T_ref/T)
    charged               the same times boost_reserve, but never over 1: the control holds the charge, up to the
                          pressure ratio that its compressor can reach

and friction is not, which is the correction of SAE J1349 (1.18·(p_ref/p)·√(T/T_ref) - 0.18 for an engine that loses
15 % to friction), and the air that SAE J1979 refers PID 04 to.

**Lag.** Cylinders take a volume V of air per revolution out of the intake, so both lags are numbers of revolutions:

    intake of a throttled engine   tau = 120·intake_volume / (displacement·volumetric_efficiency·n)
    boost of a charged engine      tau = boost_time·1500/n

The first is the time constant of manifold filling (Guzzella and Onder, Introduction to Modeling and Control of Internal
Combustion Engine Systems, 2.3). The second holds because the power of the exhaust grows with its flow. A diesel injects
at once what the air that is there lets it burn; the torque of the air grows with its pressure.

Who waits for the air, as in the torque structure of engine control units: pedal, requested torque and more torque for a
gearbox go through the throttle, so they do. Less torque, for traction and stability control, torque limit, gearbox and
speed limiters, is a matter of ignition and injection, and comes at once. The idle control uses both: ignition at
once, up to what its retarded spark keeps in reserve, and air for the rest. Fuel follows what is burnt.
"""

from math import sqrt
from typing import ClassVar, Final

from vehiclesim.air import (
    KELVIN,
    REFERENCE_TEMPERATURE,
    STANDARD_PRESSURE,
    bounded_pressure,
    bounded_temperature,
)
from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.full_load import FullLoad
from vehiclesim.fuel import fuel_of
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import AirPathSettings, FuelKind
from vehiclesim.state import Stateful

_BOOST_RPM: Final = 1500.0
"""The speed to which `boost_time` refers."""

_SPARK_RESERVE: Final = 0.25
"""Torque that a spark at its best adds at idle: some 20° later than best it gives 0.8 of the torque (Heywood, 15.3)."""

_CUT_CHARGE: Final = 0.05
"""Share of a full charge below which a released pedal shuts off the injection: less does not burn."""

_SCAN: Final = 200
"""Steps of the search for the highest torque."""

GAS_CONSTANT: Final = 0.287
"""[J/(g·K)] of air; with [l] and [g] it gives [kPa]."""

RESIDUAL: Final = 0.12
"""Partial pressure of the residual gas in a cylinder over air pressure (assumed)."""

_REFERENCE_INTAKE: Final = 298.15
"""[K] for which an engine without given displacement is laid out."""


def displacement_of(settings: AirPathSettings, engine: EngineSettings) -> float:
    """Return the given displacement [l], or the one that full load fills: V = 2·m·R·T/(η·(p + boost - p_r))."""
    if settings.displacement > 0.0:
        return settings.displacement
    fuel = fuel_of(settings.fuel)
    air = engine.max_fuel_per_rev * fuel.stoichiometric_ratio * fuel.full_load_lambda
    charge = STANDARD_PRESSURE * (1.0 - RESIDUAL) + settings.max_boost
    litres = 2.0 * air * GAS_CONSTANT * _REFERENCE_INTAKE / (settings.volumetric_efficiency * charge)
    return litres if litres > 0.01 else 0.01


class Charge(Stateful):
    """The air of one engine between pedal and combustion.

    `follow` takes the shares 0..1 of the available torque that pedal and idle control ask for, and sets `driven` and
    `held`, which the air lets burn. An engine without lag does not call it, and has the pressure of `settle`.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("pressure", "_air", "_idle_air")

    def __init__(self, settings: AirPathSettings, engine: EngineSettings, full_load: FullLoad) -> None:
        curve = full_load.curve
        self.density: float = 1.0  # charge of full load over that of the settings
        self.ambient: float = STANDARD_PRESSURE  # [kPa]
        self.temperature: float = REFERENCE_TEMPERATURE  # [°C]
        self.pressure: float = STANDARD_PRESSURE  # behind the compressor; without one of the air outside [kPa]
        self.idle_load: float = 1.0  # cold friction and accessories at idle, over the friction of the warm engine
        self.driven: float = 0.0
        self.held: float = 0.0

        self.charged: bool = settings.max_boost > 0.0
        self._reserve: float = settings.boost_reserve
        self._full_pressure: float = STANDARD_PRESSURE + settings.max_boost
        self._top: float = self._full_pressure  # at present weather [kPa]
        self._highest: float = _highest(full_load) if self.charged else 1.0  # raw torque [N m]
        self._torque_per_pressure: float = self._highest / self._full_pressure
        self._warmth: float = 1.0  # √(T_ref/T)

        throttled = settings.fuel is FuelKind.PETROL and settings.intake_volume > 0.0
        swept = displacement_of(settings, engine) * settings.volumetric_efficiency
        self._filling: float = 120.0 * settings.intake_volume / swept if throttled else 0.0  # tau·n [s/min]
        self._boosting: float = settings.boost_time * _BOOST_RPM if self.charged else 0.0
        self.lags: bool = self._filling > 0.0 or self._boosting > 0.0
        self._idle_rpm: float = engine.idle_rpm
        idle_raw = curve.raw_torque(engine.idle_rpm)
        self._closed: float = 0.0  # share that a closed throttle lets in at idle speed
        if idle_raw > 0.0:
            self._closed = min(curve.friction(engine.idle_rpm * RPM_TO_W) / idle_raw, 1.0)
        self._air: float = 0.0
        self._idle_air: float = 1.0

    def breathe(self, pressure: float, temperature: float) -> None:
        """Take the air outside, at [kPa] and [°C]."""
        self.ambient = bounded_pressure(pressure)
        self.temperature = bounded_temperature(temperature)
        self._warmth = sqrt((REFERENCE_TEMPERATURE + KELVIN) / (self.temperature + KELVIN))
        self.density = self.ambient / STANDARD_PRESSURE * self._warmth
        if not self.charged:
            self.pressure = self.ambient
            return
        self.density *= self._reserve
        if self.density > 1.0:
            self.density = 1.0
        self._top = self._full_pressure * self.density / self._warmth

    def settle(self, torque: float) -> None:
        """Give a charged engine without lag the pressure of its raw torque [N m]."""
        self.pressure = self._wanted(torque)

    def rest(self, rpm: float, delta_time: float) -> None:
        """Let the intake of an engine that burns nothing fill with air from outside."""
        self._air = 0.0
        self._idle_air = 1.0
        if self.charged:
            self._spool(self.ambient, self._turned(rpm, delta_time))

    def follow(self, demand: float, idle: float, available: float, rpm: float, delta_time: float) -> None:
        """Advance the air by `delta_time` [s] towards the shares of the available torque [N m] at a speed [1/min]."""
        self.driven, self.held = demand, idle
        turned = self._turned(rpm, delta_time)
        if self._filling > 0.0:
            self._fill(demand, idle, rpm, turned / (self._filling + turned))
        if self._boosting > 0.0:
            self._spool(self._wanted((demand if demand > idle else idle) * available), turned)
            most = self._torque_per_pressure * self._warmth * self.pressure / available
            if self.driven > most:
                self.driven = most
            if self.held > most:
                self.held = most

    def _turned(self, rpm: float, delta_time: float) -> float:
        """Return speed times time; below half of the idle speed a turbocharger slows down as if at it."""
        least = 0.5 * self._idle_rpm
        return (rpm if rpm > least else least) * delta_time

    def _fill(self, demand: float, idle: float, rpm: float, part: float) -> None:
        """Advance the air of pedal and idle by a part of their ways.

        The air of a closed throttle is there for both, as much in every second at any speed.
        """
        closed = self._closed * self.idle_load / self.density
        if rpm > self._idle_rpm:
            closed *= self._idle_rpm / rpm
        target = idle if idle > closed else closed
        ready = (self._idle_air if self._idle_air > self._air else self._air) * (1.0 + _SPARK_RESERVE)
        self.held = idle if idle < ready else ready
        self._idle_air += (target - self._idle_air) * part

        self._air += (demand - self._air) * part
        if demand > 0.0:
            base = self._idle_air if self._idle_air < demand else demand
            if self._air < base:
                self._air = base
        elif self._air < _CUT_CHARGE:
            self._air = 0.0
        self.driven = self._air

    def _wanted(self, torque: float) -> float:
        """p = p_air + (p_full - p_air)·T/T_highest [kPa] for a raw torque [N m].

        Below full load that is more air than it needs, as a diesel has.
        """
        pressure = self.ambient + (self._top - self.ambient) * torque / (self._highest * self.density)
        return pressure if pressure > self.ambient else self.ambient

    def _spool(self, target: float, turned: float) -> None:
        self.pressure += (target - self.pressure) * turned / (self._boosting + turned)


def _available(full_load: FullLoad, rpm: float) -> float:
    curve = full_load.curve
    return full_load.available(curve.raw_torque(rpm), curve.friction(rpm * RPM_TO_W))


def _highest(full_load: FullLoad) -> float:
    """Return the highest raw torque [N m] that the engine management allows."""
    curve = full_load.curve
    width = (curve.max_rpm - curve.idle_rpm) / _SCAN
    return max(_available(full_load, curve.idle_rpm + k * width) for k in range(_SCAN + 1))
