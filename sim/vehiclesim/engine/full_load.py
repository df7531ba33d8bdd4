"""Torque, power and consumption of an engine at full load over speed, and the data sheet found by scanning them."""

from math import isnan
from typing import Final, NamedTuple

from vehiclesim.air import STANDARD_PRESSURE
from vehiclesim.block import RPM_TO_W
from vehiclesim.curves import clamp
from vehiclesim.engine.throttling import Throttling
from vehiclesim.engine.torque_curve import TorqueCurve
from vehiclesim.fuel import HEATING_VALUE
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import AirPathSettings
from vehiclesim.tables import Table


class FullLoad:
    """A torque curve under the torque cap, with its fuel, and at part load with the work of throttling."""

    def __init__(self, curve: TorqueCurve, settings: EngineSettings, air: AirPathSettings | None = None) -> None:
        """Take the intake for the work of throttling; without it there is none."""
        self.curve: TorqueCurve = curve
        self.throttling: Throttling = Throttling(AirPathSettings() if air is None else air, settings)
        self.capped: bool = settings.torque_cap
        self._cap: float = settings.torque_cap_limit
        self._fuel_per_rev: float = settings.max_fuel_per_rev
        self._efficiency: Table | None = None
        if settings.efficiency_rpm:
            self._efficiency = Table(settings.efficiency_rpm, settings.indicated_efficiency)
        self._efficiency_loss: float = settings.efficiency_loss

    def available(self, raw: float, friction: float) -> float:
        """min(raw, cap + Tf): the highest combustion torque [N m] that the engine management allows."""
        if self.capped and raw > self._cap + friction:
            return self._cap + friction
        return raw

    def fuel_rate(self, rpm: float, torque: float, raw: float) -> float:
        """Return the fuel rate [g/s] for a combustion torque, of a raw torque [N m] at a full charge, at n [1/min].

        By the charge: max_fuel_per_rev · n/60 · T/raw. With a curve of the indicated efficiency:
        w·T/(efficiency·(1 - loss·T/raw)·H), H the heating value. Both are a Willans line: the fuel grows with the
        torque, from that which friction takes; with the loss it bends upward at full load.
        """
        if self._efficiency is None:
            return self._fuel_per_rev * (rpm / 60.0) * (torque / raw)
        efficiency = self._efficiency.at(rpm) * (1.0 - self._efficiency_loss * (torque / raw))
        return rpm * RPM_TO_W * torque / (efficiency * HEATING_VALUE)

    def idle_load(self) -> float:
        """Return what holds a warm engine back at idle in standard air over its friction, 1 without throttling."""
        rpm = self.curve.idle_rpm
        friction = self.curve.friction(rpm * RPM_TO_W)
        if friction <= 0.0:
            return 1.0
        return 1.0 + self.throttling.at_idle(friction, self.curve.raw_torque(rpm), STANDARD_PRESSURE) / friction

    def most_fuel_per_rev(self) -> float:
        """Return the fuel of one revolution [g] with a full charge, at the speed where that is most of all."""
        if self._efficiency is None:
            return self._fuel_per_rev
        rpm = self.curve.peak_rpm
        raw = self.curve.raw_torque(rpm)
        return self.fuel_rate(rpm, raw, raw) * 60.0 / rpm

    def torque(self, rpm: float, throttle: float = 1.0) -> float:
        """Torque [N m] at the flywheel = throttle·min(raw, cap + Tf) - Tf - T_throttling."""
        friction = self.curve.friction(rpm * RPM_TO_W)
        net = self.curve.raw_torque(rpm) - friction
        if self.capped and net > self._cap:
            net = self._cap
        share = clamp(throttle, 0.0, 1.0)
        return net - (1.0 - share) * (net + friction) - self.throttling.steady(share)

    def power_in_kw(self, rpm: float) -> float:
        """w·T / 1000."""
        return rpm * RPM_TO_W * self.torque(rpm) * 1e-3

    def specific_fuel_consumption(self, rpm: float, torque: float = float("inf")) -> float:
        """Fuel per work [g/kWh] = rate/(w·T)·3.6e6 at a torque, full load at most; not-a-number without any."""
        most = self.torque(rpm)
        net = torque if torque < most else most
        power = rpm * RPM_TO_W * net * 1e-3
        if power <= 0.0:
            return float("nan")
        friction, raw = self.curve.friction(rpm * RPM_TO_W), self.curve.raw_torque(rpm)
        burnt = self.throttling.burnt(net + friction, self.available(raw, friction))
        return self.fuel_rate(rpm, burnt, raw) / power * 3600.0


KW_TO_HP: Final = 1.341022
"""Mechanical horsepower per kilowatt."""

_DEFAULT_DELTA_RPM: Final = 1.0


class EngineSpecifications(NamedTuple):
    """Speeds in 1/min, torques in N m, consumption in g/kWh. `peak` is the highest torque, not the setting peak_rpm."""

    idle_rpm: float
    max_torque_at_idle: float
    friction_torque_at_idle: float
    peak_rpm: float  # with a torque cap: the first speed where it acts
    max_torque_at_peak: float
    friction_torque_at_peak: float
    specific_fuel_consumption: float  # the best one; not-a-number for an engine that never delivers work
    specific_fuel_consumption_rpm: float
    max_power_rpm: float
    max_power_in_kw: float
    max_power_in_hp: float
    limit_rpm: float  # no combustion torque beyond
    friction_torque_at_limit: float
    stall_rpm: float
    friction_torque_at_stall: float  # with the extra friction of a stalled engine: the load of the starter motor
    malformed_torque: bool  # the torque is negative somewhere between idle and max_rpm
    malformed_raw_power: bool  # the raw torque rises again after its peak; that of a table may


def specify(full_load: FullLoad, stalled_friction_torque: float, delta_rpm: float = -1.0) -> EngineSpecifications:
    """Make the data sheet by a scan of idle_rpm..max_rpm in steps of `delta_rpm` (not positive: 1/min)."""
    curve = full_load.curve
    step = delta_rpm if delta_rpm > 0.0 else _DEFAULT_DELTA_RPM
    idle = curve.idle_rpm
    torque_rpm, torque = idle, full_load.torque(idle)
    power_rpm, power = idle, full_load.power_in_kw(idle)
    consumption_rpm, consumption = idle, full_load.specific_fuel_consumption(idle)
    malformed_torque = malformed_raw = curve.malformed
    raw_before = curve.raw_torque(curve.peak_rpm)

    count = 1
    while idle + count * step < curve.max_rpm:
        rpm = idle + count * step
        count += 1
        here = full_load.torque(rpm)
        if here > torque:
            torque_rpm, torque = rpm, here
        if full_load.power_in_kw(rpm) > power:
            power_rpm, power = rpm, full_load.power_in_kw(rpm)
        burnt = full_load.specific_fuel_consumption(rpm)
        if burnt < consumption or isnan(consumption):
            consumption_rpm, consumption = rpm, burnt
        if here < 0.0:
            malformed_torque = True
        if rpm > curve.peak_rpm:
            raw = curve.raw_torque(rpm)
            if raw > raw_before:
                malformed_raw = True
            raw_before = raw

    stall = curve.stall_rpm()
    return EngineSpecifications(
        idle_rpm=idle,
        max_torque_at_idle=full_load.torque(idle),
        friction_torque_at_idle=curve.friction(idle * RPM_TO_W),
        peak_rpm=torque_rpm,
        max_torque_at_peak=torque,
        friction_torque_at_peak=curve.friction(torque_rpm * RPM_TO_W),
        specific_fuel_consumption=consumption,
        specific_fuel_consumption_rpm=consumption_rpm,
        max_power_rpm=power_rpm,
        max_power_in_kw=power,
        max_power_in_hp=power * KW_TO_HP,
        limit_rpm=curve.limit_rpm,
        friction_torque_at_limit=curve.friction(curve.limit_rpm * RPM_TO_W),
        stall_rpm=stall,
        friction_torque_at_stall=curve.friction(stall * RPM_TO_W) + stalled_friction_torque,
        malformed_torque=malformed_torque,
        malformed_raw_power=malformed_raw,
    )
