"""Engines whose data sheets are published with the engine block of Vehicle Physics Pro, and what they must give.

`SPORTS`, `V8` and `TRUCK` are its examples 1 to 3; `DEFAULT` is the block with its own defaults.
"""

from typing import NamedTuple

from vehiclesim.parameters import EngineSettings

DEFAULT = EngineSettings(can_stall=True)

SPORTS = EngineSettings(
    idle_rpm=800.0,
    idle_rpm_torque=122.0,
    idle_rpm_curve_bias=0.4,
    peak_rpm=6515.0,
    peak_rpm_torque=144.0,
    peak_rpm_curve_bias=0.2,
    max_rpm=6796.0,
    inertia=0.35,
    friction_torque=26.0,
    rotational_friction=0.012,
    viscous_friction=0.015,
    torque_cap=True,
    torque_cap_limit=175.0,
    can_stall=True,
    stall_bias=0.8,
    max_fuel_per_rev=0.08,
)

V8 = EngineSettings(
    idle_rpm=800.0,
    idle_rpm_torque=235.0,
    idle_rpm_curve_bias=0.662,
    peak_rpm=6411.0,
    peak_rpm_torque=538.1,
    peak_rpm_curve_bias=0.0,
    max_rpm=11122.0,
    inertia=0.1,
    friction_torque=26.0,
    rotational_friction=0.012,
    viscous_friction=0.0076,
    can_stall=True,
    stall_bias=0.5,
    max_fuel_per_rev=0.19,
)

TRUCK = EngineSettings(
    idle_rpm=551.0,
    idle_rpm_torque=1041.3,
    idle_rpm_curve_bias=0.36,
    peak_rpm=1123.0,
    peak_rpm_torque=2197.0,
    peak_rpm_curve_bias=0.024,
    max_rpm=2260.0,
    inertia=10.0,
    friction_torque=98.17,
    rotational_friction=1.0,
    viscous_friction=0.05,
    can_stall=True,
    stall_bias=0.301,
    stalled_friction_torque=100.0,
    max_fuel_per_rev=0.7,
)

PETROL = {"default": DEFAULT, "sports": SPORTS, "v8": V8}
ALL = {**PETROL, "truck": TRUCK}


class DataSheet(NamedTuple):
    """Published figures: torques in N m to the printed digit, speeds in 1/min."""

    friction_at_idle: float
    friction_at_stall: float
    friction_at_limit: float
    stall_rpm: float
    max_torque: float
    max_torque_rpm: float
    max_power_in_kw: float
    max_power_rpm: float
    limit_rpm: float
    specific_fuel_consumption: float
    specific_fuel_consumption_rpm: float


DATA_SHEETS = {
    "sports": DataSheet(28.6, 52.4, 151.4, 546, 175.0, 3129, 103.7, 5845, 6880, 249.2, 4405),
    "v8": DataSheet(27.4, 51.5, 123.9, 360, 540.0, 6000, 423.5, 8265, 11482, 201.6, 6000),
    "truck": DataSheet(164.2, 219.1, 494.5, 190, 2200.3, 1100, 329.6, 1620, 2345, 182.3, 1100),
}
