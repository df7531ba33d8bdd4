"""The air in the cylinders: what weather and height leave of a full charge, and how long it takes to follow the pedal.

**Weather.** The raw torque of full load is that of the settings times `density`,

    naturally aspirated   p/p_ref · √(T_ref/T)
    charged               the same times boost_reserve, but never over 1: the control holds the charge, up to the
                          pressure ratio that its compressor can reach

and friction is not, which is the correction of SAE J1349 (1.18·(p_ref/p)·√(T/T_ref) - 0.18 for an engine that loses
15 % to friction), and the air that SAE J1979 refers PID 04 to.

**Lag.** The air of a petrol engine is that of its manifold, behind a plate: see `intake.py`. The boost of a charged
engine follows with tau = boost_time·1500/n, as the power of the exhaust grows with its flow. A diesel injects at once
what the air that is there lets it burn; the torque of the air grows with its pressure.

The torque structure of a petrol engine's control unit (Guzzella and Onder, 4.2): pedal, requested torque, more torque
for a gearbox and the idle control move the plate, to where the manifold will have their air. The mixture of full load
is rich, so its last torque comes with little air: air share = torque share·lambda/lambda_full. The spark then sets
the torque at once, between that of the air and LATEST of it, and up to a quarter more for the idle control, whose spark
is late. What is still less (traction control, torque limit, gearbox, speed limiters) takes fuel from some of the
cylinders; the fuel is that of the air while no cylinder is cut. A released pedal leaves the plate where the engine
would idle, and once the manifold is empty the injection is shut off, until near idle.

A start goes with the air that the manifold holds while the engine rests, and a plate that is opened a little: the
pressure falls once, from that outside to that of idle, and the engine overshoots its idle speed with what is left.
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
from vehiclesim.engine.intake import Intake, full_load_share, pressure_of
from vehiclesim.engine.throttling import RESIDUAL, SPARK_RESERVE, Throttling, displacement_of
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import AirPathSettings, FuelKind
from vehiclesim.state import Stateful

_BOOST_RPM: Final = 1500.0
"""The speed to which `boost_time` refers."""

LATEST: Final = 0.55
"""Torque of the latest spark over that of the best, 30° before it: 1 - 0.05·(degrees/10)² (Heywood, 15.3)."""

_CUT_MARGIN: Final = 0.05
"""Share of a full charge over that of a closed plate below which a released pedal shuts off the injection (assumed)."""

_NOTHING: Final = 1e-3
"""Share of the torque that counts as no demand: what is left of a hybrid's demand where its motor brakes alone."""

_CUT_FROM: Final = 1.3
_CUT_TO: Final = 1.15
"""Speeds over that of idle from which the injection is shut off on a released pedal, and to which it is (assumed)."""

_EMPTIED: Final = 1.2
"""Air over that of idle with which the manifold counts as emptied by a start (assumed)."""

_START_AREA: Final = 2.0
"""Area of the plate for a start over that for idle (assumed)."""

_SCAN: Final = 200
"""Steps of the search for the highest torque."""

_NEARLY: Final = 0.99
"""Share of the highest torque from which it counts as reached: a flat sheet with friction on top is not flat."""


class Charge(Stateful):
    """The air of one engine between pedal and combustion.

    `follow` takes the shares 0..1 of the available torque that pedal and idle control ask for, and sets `driven` and
    `held`, which air and spark make of them. An engine without lag does not call it, and has the pressure of `settle`.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("pressure", "wanted", "air", "cut", "run_up", "intake")

    def __init__(
        self, settings: AirPathSettings, engine: EngineSettings, full_load: FullLoad, *, meters_start: bool = False
    ) -> None:
        """With `meters_start` a start goes with the air that the manifold holds."""
        curve = full_load.curve
        self.density: float = 1.0  # charge of full load over that of the settings
        self.ambient: float = STANDARD_PRESSURE  # [kPa]
        self.temperature: float = REFERENCE_TEMPERATURE  # [°C]
        self.pressure: float = STANDARD_PRESSURE  # behind the compressor; without one of the air outside [kPa]
        self.wanted: float = STANDARD_PRESSURE  # the pressure that the engine management wants there [kPa]
        self.idle_load: float = 1.0  # cold friction and accessories at idle, over the friction of the warm engine
        self.idle_rpm: float = engine.idle_rpm  # that the idle control holds
        self.driven: float = 0.0
        self.held: float = 0.0
        self.air: float = 0.0  # share of the available torque that the air gives with the best spark
        self.cut: bool = False  # no injection, as the pedal is released
        self.run_up: bool = False  # after a start, until the manifold is emptied

        self._meters_start: bool = meters_start
        self.charged: bool = settings.max_boost > 0.0
        self._reserve: float = settings.boost_reserve
        self._full_pressure: float = STANDARD_PRESSURE + settings.max_boost
        self._top: float = self._full_pressure  # at present weather [kPa]
        self._highest: float = 1.0  # raw torque [N m]
        self._highest_rpm: float = engine.peak_rpm
        if self.charged:
            self._highest, self._highest_rpm = _highest(full_load)
        self._torque_per_pressure: float = self._highest / self._full_pressure
        self._warmth: float = 1.0  # √(T_ref/T)

        self.throttled: bool = settings.fuel is FuelKind.PETROL
        swept = displacement_of(settings, engine) * settings.volumetric_efficiency
        filling = 120.0 * settings.intake_volume / swept if self.throttled else 0.0
        self.intake: Intake = Intake(filling, engine.max_rpm)
        self.plate: bool = filling > 0.0  # the torque waits for the manifold
        self._boosting: float = settings.boost_time * _BOOST_RPM if self.charged else 0.0
        self.lags: bool = self.plate or self._boosting > 0.0
        self.settles: bool = not self.plate and (self.throttled or (self.charged and not self.lags))
        self.throttling: Throttling = full_load.throttling
        self._idle_rpm: float = engine.idle_rpm
        idle_raw = curve.raw_torque(engine.idle_rpm)
        self._closed: float = 0.0  # share that a closed throttle lets in at idle speed
        if idle_raw > 0.0:
            self._closed = min(curve.friction(engine.idle_rpm * RPM_TO_W) / idle_raw, 1.0)

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

    def settle(self, available: float, share: float, rpm: float, delta_time: float) -> None:
        """Give an engine without lag the pressures of a share of the available torque [N m] at a speed [1/min]."""
        if self.charged and not self.lags:
            self.pressure = self.wanted = self._wanted(share * available, rpm)
        if self.throttled:
            self.air = share
            self._draw(self.throttling.air_of(share), available, rpm, delta_time)

    def rest(self, rpm: float, delta_time: float) -> None:
        """Let an engine that burns nothing turn with a closed plate, and with what its compressor still gives."""
        self.run_up = self._meters_start
        if self.charged:
            self._spool(self.ambient, self._turned(rpm, delta_time))
        if self.plate:
            self._draw(0.0, 0.0, rpm, delta_time)

    def follow(self, demand: float, idle: float, available: float, rpm: float, delta_time: float) -> None:
        """Advance the air by `delta_time` [s] towards the shares of the available torque [N m] at a speed [1/min]."""
        self.driven, self.held = demand, idle
        if self.plate:
            wanted, held = demand, SPARK_RESERVE * idle
            if self.run_up and (rpm >= self.idle_rpm or self.air < _EMPTIED * self._closed_share(rpm)):
                self.run_up = False
            if held > demand and not self.run_up:
                wanted = held
            wanted = self.throttling.air_of(wanted)
            if self._boosting > 0.0:
                self._spool(self._wanted(wanted * available, rpm), self._turned(rpm, delta_time))
            elif self.charged:
                self.pressure = self.wanted = self._wanted(wanted * available, rpm)
            self._draw(wanted, available, rpm, delta_time)
            self._spark(demand, idle, available, rpm)
        elif self._boosting > 0.0:
            wanted = (demand if demand > idle else idle) * available
            self._spool(self._wanted(wanted, rpm), self._turned(rpm, delta_time))
            most = self._torque_per_pressure * self._warmth * self.pressure / available
            if self.driven > most:
                self.driven = most
            if self.held > most:
                self.held = most

    def fuel_share(self, share: float) -> float:
        """Return the share of the available torque whose fuel is injected where a share is to be burnt.

        It is that of the air down to the latest spark; less torque is that of fewer cylinders.
        """
        if not self.plate:
            return share
        latest = LATEST * self.air
        return self.air if share >= latest else share / LATEST

    def _turned(self, rpm: float, delta_time: float) -> float:
        """Return speed times time; below half of the idle speed a turbocharger slows down as if at it."""
        least = 0.5 * self._idle_rpm
        return (rpm if rpm > least else least) * delta_time

    def _closed_share(self, rpm: float) -> float:
        """Return the share of the torque for which a closed plate lets air in, as much in every second at any speed."""
        share = self._closed * self.idle_load * SPARK_RESERVE / self.density
        return share * self._idle_rpm / rpm if rpm > self._idle_rpm else share

    def _draw(self, wanted: float, available: float, rpm: float, delta_time: float) -> None:
        """Turn the plate to where the wanted share of the air of full load comes in, at least that of idle."""
        intake, upstream = self.intake, self.pressure if self.charged else self.ambient
        residual = RESIDUAL * self.ambient
        full = self._full(available, rpm)
        closed = self.throttling.air_of(self._closed_share(0.0))
        area = intake.area_for(pressure_of(closed, residual, self.ambient), residual, upstream, self._idle_rpm)
        if self.run_up:
            area *= _START_AREA
        if wanted > 0.0:
            opened = intake.area_for(pressure_of(wanted, residual, full), residual, upstream, rpm)
            if opened > area:
                area = opened
        intake.step(area, rpm, residual, upstream, delta_time)
        if self.plate:
            self.air = self.throttling.torque_of(full_load_share(intake.pressure, residual, full))

    def _spark(self, demand: float, idle: float, available: float, rpm: float) -> None:
        """Choose the torque between the best spark and the latest, and shut off the injection on a released pedal."""
        air = self.air
        if demand > _NOTHING or idle > _NOTHING or rpm < _CUT_TO * self.idle_rpm:
            self.cut = False
        elif not self.cut and rpm > _CUT_FROM * self.idle_rpm:
            self.cut = air < self._closed_share(rpm) + _CUT_MARGIN
        least = air if self.run_up else LATEST * air  # the spark of a start is fixed
        if self.cut:
            self.driven = self.held = 0.0
            return
        self.driven = least if demand < least else demand if demand < air else air
        self.held = idle if idle < air else air

    def _full(self, available: float, rpm: float) -> float:
        """Return the pressure before the plate [kPa] with which the available torque [N m] is reached."""
        return self._wanted(available, rpm) if self.charged else self.ambient

    def _wanted(self, torque: float, rpm: float) -> float:
        """Return the pressure behind the compressor [kPa] for a raw torque [N m], that of the air outside at least.

        A diesel: p = p_air + (p_full - p_air)·T/T_highest·r, below full load more air than it needs, and never less.
        r = (n/n_highest)² up to the speed of the highest torque, where vanes or wastegate are closed: the turbine is a
        nozzle, whose pressure drop goes with the square of the flow. So at idle there is next to none ("the lowest
        pressure ... is equal to BARO": General Motors, service manual of the 6.6 l LMM, 2008, DTC P0107).
        With a throttle plate the torque is that of the fresh charge: p = p_r + (p_full - p_r)·T/T_highest, p_r of the
        residual gas.
        """
        share = torque / (self._highest * self.density)
        if self.throttled:
            least = RESIDUAL * self.ambient
            pressure = least + (self._top - least) * share
        else:
            reach = rpm / self._highest_rpm
            drop = (self._top - self.ambient) * share * (reach * reach if reach < 1.0 else 1.0)
            pressure, needed = self.ambient + drop, self._top * share
            if needed > pressure:
                pressure = needed
        return pressure if pressure > self.ambient else self.ambient

    def _spool(self, target: float, turned: float) -> None:
        self.wanted = target
        self.pressure += (target - self.pressure) * turned / (self._boosting + turned)


def _available(full_load: FullLoad, rpm: float) -> float:
    curve = full_load.curve
    return full_load.available(curve.raw_torque(rpm), curve.friction(rpm * RPM_TO_W))


def _highest(full_load: FullLoad) -> tuple[float, float]:
    """Return the highest raw torque [N m] that the engine management allows, and the lowest speed [1/min] of it."""
    curve = full_load.curve
    width = (curve.max_rpm - curve.idle_rpm) / _SCAN
    speeds = [curve.idle_rpm + k * width for k in range(_SCAN + 1)]
    highest = max(_available(full_load, rpm) for rpm in speeds)
    return highest, next(rpm for rpm in speeds if _available(full_load, rpm) >= _NEARLY * highest)
