"""Parameters of a combustion engine."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from vehiclesim.parameters.quantity import Quantity, check, check_rows, ratio_of, speed_of, torque_of
from vehiclesim.tables import Table


class RpmLimiterMode(Enum):
    """Action of the limiter: stop injecting for a while, or inject just enough to stay at the limit."""

    INJECTION_CUT = "injection-cut"
    INJECTION_LIMIT = "injection-limit"


class IdleControl(Enum):
    """Torque at idle: exactly the friction at idle (passive), or the one that holds the idle speed (active)."""

    PASSIVE = "passive"
    ACTIVE = "active"


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """A combustion engine (defaults: those of the engine block of Vehicle Physics Pro)."""

    idle_rpm: Annotated[float, speed_of("idle speed")] = 1000.0
    peak_rpm: Annotated[float, speed_of("speed of the highest raw combustion torque")] = 4200.0
    max_rpm: Annotated[float, speed_of("speed where the engine's own torque is zero")] = 6500.0
    idle_rpm_torque: Annotated[float, torque_of("torque at idle_rpm, full throttle", 1.0)] = 135.0
    peak_rpm_torque: Annotated[
        float,
        torque_of("torque at peak_rpm, full throttle; the highest is at less speed, where friction is less", 1.0),
    ] = 188.0
    idle_rpm_curve_bias: Annotated[float, ratio_of("steepness of the torque curve at idle_rpm")] = 0.0
    peak_rpm_curve_bias: Annotated[float, ratio_of("steepness of the torque curve at peak_rpm")] = 0.0
    inertia: Annotated[float, Quantity("kg m²", "rotating inertia at the flywheel", minimum=0.001, maximum=1e5)] = 0.5
    friction_torque: Annotated[float, torque_of("constant friction")] = 20.0
    rotational_friction: Annotated[float, Quantity("Nm s", "friction per rad/s", minimum=0.0, maximum=3.0)] = 0.1
    viscous_friction: Annotated[
        float, Quantity("√Nm s", "root of the friction per (rad/s)²", minimum=0.0, maximum=0.2)
    ] = 0.01
    torque_cap: Annotated[bool, "limit the torque to torque_cap_limit"] = False
    torque_cap_limit: Annotated[float, torque_of("highest torque that the engine management allows", 1.0)] = 200.0
    rpm_limiter: Annotated[bool, "limit the speed to rpm_limiter_max"] = False
    rpm_limiter_mode: Annotated[RpmLimiterMode, "how the speed is limited"] = RpmLimiterMode.INJECTION_CUT
    rpm_limiter_max: Annotated[float, speed_of("speed at which the limiter acts")] = 6000.0
    rpm_limiter_cutoff_time: Annotated[
        float, Quantity("s", "how long the injection is cut", minimum=0.0, maximum=1.0)
    ] = 0.075
    idle_control: Annotated[IdleControl, "how the idle speed is kept"] = IdleControl.ACTIVE
    max_idle_throttle: Annotated[float, ratio_of("share of the raw torque that may be used to keep idle")] = 1.0
    active_idle_range: Annotated[float, ratio_of("share of the speed range in which the pedal is mapped to idle")] = 0.5
    active_idle_bias: Annotated[float, Quantity("1", "shape of that map", minimum=0.0001, maximum=0.9999)] = 0.25
    cylinders: Annotated[int, Quantity("", "compressions of two turns", minimum=1, maximum=24)] = 4
    firing_pulses: Annotated[bool, "each combustion has its torque by crank angle, and the speed its waves"] = False
    firing_order: Annotated[
        tuple[int, ...],
        Quantity("", "with firing_pulses: cylinders as they fire; none: the usual", minimum=1, maximum=24),
    ] = ()
    cycle_variation: Annotated[
        float,
        Quantity("1", "with firing_pulses: spread of combustions at full load", minimum=0.0, maximum=0.3),
    ] = 0.015
    cycle_seed: Annotated[
        int, Quantity("", "with firing_pulses: seed of that spread", minimum=1, maximum=1_000_000_000)
    ] = 1
    can_stall: Annotated[bool, "the engine stops when it is pulled below its stall speed"] = False
    stall_bias: Annotated[float, ratio_of("how easily it stalls below idle")] = 0.5
    stalled_friction_torque: Annotated[float, torque_of("extra friction while stalled")] = 25.0
    starter_motor_bias: Annotated[
        float, ratio_of("strength of the starter motor; in a vehicle 0.6 is that of its electrics")
    ] = 0.6
    max_fuel_per_rev: Annotated[
        float, Quantity("g", "fuel of one revolution at full throttle", minimum=0.0, maximum=1e4)
    ] = 0.16
    efficiency_rpm: Annotated[
        tuple[float, ...],
        Quantity("rpm", "speeds of a curve of the indicated efficiency, ascending", minimum=0.0, maximum=1e5),
    ] = ()
    indicated_efficiency: Annotated[
        tuple[float, ...],
        Quantity(
            "1",
            "work of the combustion over the fuel's energy of 43 MJ/kg, at each; replaces max_fuel_per_rev",
            minimum=0.05,
            maximum=0.7,
        ),
    ] = ()
    efficiency_loss: Annotated[
        float,
        Quantity(
            "1",
            "share of that efficiency lost at a full charge, by rich mixture and late ignition; grows with the charge",
            minimum=0.0,
            maximum=0.6,
        ),
    ] = 0.0
    fuel_density: Annotated[float, Quantity("kg/l", "petrol 0.745, diesel 0.85", minimum=0.01, maximum=10.0)] = 0.745
    fuel_consumption_correction: Annotated[
        float,
        Quantity("1", "divides the consumption per distance; 3.6 is the mass balance", minimum=0.01, maximum=100.0),
    ] = 3.6
    table_rpm: Annotated[
        tuple[float, ...],
        Quantity("rpm", "speeds of a measured curve, ascending; replaces the parameters", minimum=0.0, maximum=1e5),
    ] = ()
    table_torque: Annotated[
        tuple[float, ...], Quantity("Nm", "torque at each, full throttle", minimum=-1e6, maximum=1e6)
    ] = ()
    table_resistive_torque: Annotated[
        tuple[float, ...], Quantity("Nm", "torque at each without fuel, negative", minimum=-1e6, maximum=0.0)
    ] = ()

    def __post_init__(self) -> None:
        check(self)
        check_rows("efficiency_rpm", self.efficiency_rpm, indicated_efficiency=self.indicated_efficiency)
        if self.firing_order and sorted(self.firing_order) != list(range(1, self.cylinders + 1)):
            raise ValueError(f"firing_order: it has not each of the {self.cylinders} cylinders once")
        if self.rpm_limiter and self.rpm_limiter_max <= self.idle_rpm:
            raise ValueError(f"rpm_limiter_max: {self.rpm_limiter_max} is not above idle_rpm {self.idle_rpm}")
        if self.table_rpm or self.table_torque or self.table_resistive_torque:
            self._check_tables()
        elif not self.idle_rpm < self.peak_rpm:
            raise ValueError(f"peak_rpm: {self.peak_rpm} is not above idle_rpm {self.idle_rpm}")

    def _check_tables(self) -> None:
        """Raise ValueError unless the tables reach from idle to max_rpm, where the torque ends."""
        speeds, torques = self.table_rpm, self.table_torque
        resistive = self.table_resistive_torque
        check_rows("table_rpm", speeds, table_torque=torques, table_resistive_torque=resistive)
        if not speeds or not speeds[0] <= self.idle_rpm < speeds[-1]:
            raise ValueError(f"table_rpm: the table does not reach over idle_rpm {self.idle_rpm}")
        for rpm, most, lost in zip(speeds, torques, resistive, strict=True):
            if most < lost:
                raise ValueError(f"table_torque: {most} at {rpm} rpm is less than without fuel, {lost}")
        if not Table(speeds, torques).at(self.idle_rpm) > 0.0:
            raise ValueError(f"table_torque: no torque at idle_rpm {self.idle_rpm}")
        if speeds[-1] > self.max_rpm:
            raise ValueError(f"max_rpm: {self.max_rpm} is less than the last of table_rpm, {speeds[-1]}")
        if speeds[-1] < self.max_rpm and torques[-1] <= 0.0:
            raise ValueError(f"max_rpm: the torque ends at {speeds[-1]} rpm already, by table_torque")
        if speeds[-1] == self.max_rpm and torques[-1] != 0.0:
            raise ValueError(f"table_torque: {torques[-1]} at max_rpm, where the torque is 0")
