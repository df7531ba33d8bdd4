"""Vehicles that a driver is tried on."""

from dataclasses import replace

from vehiclesim.parameters import (
    AxleDifferentialSettings,
    BodySettings,
    BrakeSettings,
    ChassisSettings,
    ClutchSettings,
    ClutchType,
    DrivelineLayout,
    DrivelineSettings,
    EngineSettings,
    GearboxSettings,
    GearboxType,
    TrailerSettings,
    VehicleSettings,
    WheelSettings,
)

from ....sim import published_engines

ENGINE = EngineSettings(can_stall=True, rpm_limiter=True)

MANUAL = VehicleSettings(name="manual", engine=ENGINE)

TOWING = replace(MANUAL, name="towing", trailer=TrailerSettings(mass=800.0, brake_lag=0.0))

SEQUENTIAL = VehicleSettings(name="sequential", engine=ENGINE, gearbox=GearboxSettings(type=GearboxType.SEQUENTIAL))

AUTOMATIC = VehicleSettings(
    name="automatic",
    engine=ENGINE,
    clutch=ClutchSettings(type=ClutchType.TORQUE_CONVERTER),
    gearbox=GearboxSettings(type=GearboxType.AUTOMATIC),
)

TRUCK = VehicleSettings(
    name="truck",
    engine=replace(published_engines.TRUCK, stalled_friction_torque=100.0, fuel_density=0.85),
    clutch=ClutchSettings(max_torque_transfer=3500.0),
    gearbox=GearboxSettings(
        ratios=(11.73, 9.21, 7.09, 5.57, 4.35, 3.41, 2.70, 2.12, 1.63, 1.28, 1.00, 0.78),
        reverse_ratios=(-12.0,),
        shift_time=0.5,
        inertia=0.3,
    ),
    driveline=DrivelineSettings(layout=DrivelineLayout.REAR, rear=AxleDifferentialSettings(ratio=2.85)),
    wheels=WheelSettings(radius=0.51, inertia=25.0),
    brakes=BrakeSettings(max_torque=60_000.0, front_bias=0.5, handbrake_torque=12_500.0),
    chassis=ChassisSettings(wheelbase=6.0, front_track=2.0, rear_track=2.0, front_weight=0.4),
    body=BodySettings(mass=20_000.0, drag_area=5.8),
)
