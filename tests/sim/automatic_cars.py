"""Vehicles that shift or work the clutch by themselves, and how they are driven in a test."""

from dataclasses import replace

from vehiclesim import (
    ROAD,
    AxleDifferentialSettings,
    BodySettings,
    BrakeSettings,
    ChassisSettings,
    DrivelineLayout,
    DrivelineSettings,
    EngineSettings,
    GearboxSettings,
    GearboxType,
    GearMode,
    InputData,
    RetarderSettings,
    RoadData,
    ShiftingSettings,
    Vehicle,
    VehicleData,
    VehicleSettings,
    WheelSettings,
)
from vehiclesim.parameters import ClutchSettings, ClutchType

from .published_engines import TRUCK
from .road import FULL, read, run

DISC, CONVERTER, HYDRODYNAMIC = ClutchType.FRICTION_DISC, ClutchType.TORQUE_CONVERTER, ClutchType.HYDRODYNAMIC
COARSE = 0.01
"""[s], the step; between changes of the controls it does not matter."""

SUBSTEP = 0.005
"""[s]. Long drives take few substeps; test_automatic_repeating.py shows that as many as usual change nothing."""


def car(
    clutch: ClutchType = DISC,
    kind: GearboxType = GearboxType.AUTOMATIC,
    shifting: ShiftingSettings = ShiftingSettings(),  # noqa: B008 - frozen
    limiter: float = 6000.0,
) -> VehicleSettings:
    """The default car with an engine that can stall, two reverse gears and a retarder."""
    return VehicleSettings(
        engine=EngineSettings(can_stall=True, rpm_limiter=True, rpm_limiter_max=limiter),
        clutch=ClutchSettings(type=clutch),
        gearbox=GearboxSettings(type=kind, reverse_ratios=(-3.44, -2.2)),
        shifting=shifting,
        retarder=RetarderSettings(levels=4),
    )


def truck(shifting: ShiftingSettings) -> VehicleSettings:
    """40 t with the published truck engine, twelve gears and an automatic clutch."""
    return VehicleSettings(
        engine=replace(TRUCK, rpm_limiter=True, rpm_limiter_max=2100.0),
        clutch=ClutchSettings(max_torque_transfer=3000.0),
        gearbox=GearboxSettings(
            type=GearboxType.AUTOMATIC,
            ratios=(14.94, 11.73, 9.04, 7.09, 5.54, 4.35, 3.44, 2.70, 2.08, 1.63, 1.27, 1.0),
            shift_time=0.3,
            inertia=0.2,
        ),
        shifting=replace(shifting, up_rpm=1600.0, down_rpm=1000.0, minimum_speeds=(1.0,), blended=False),
        driveline=DrivelineSettings(layout=DrivelineLayout.REAR, rear=AxleDifferentialSettings(ratio=2.85)),
        wheels=WheelSettings(radius=0.5, inertia=37.5, rolling_resistance=0.006),
        brakes=BrakeSettings(max_torque=50_000.0, front_bias=0.5, handbrake_torque=30_000.0),
        chassis=ChassisSettings(wheelbase=6.0, front_track=2.0, rear_track=2.0, front_weight=0.4),
        body=BodySettings(mass=40_000.0, drag_area=6.0),
    )


def ready(parameters: VehicleSettings, mode: int = GearMode.DRIVE, grade: float = 0.0) -> Vehicle:
    """Engine running, mode engaged, held by the brake."""
    vehicle = Vehicle(parameters)
    vehicle.solver.max_substep = SUBSTEP
    vehicle.data.write(ROAD, RoadData.SLOPE, grade)
    controls = vehicle.data.input
    controls[InputData.BRAKE] = FULL
    controls[InputData.AUTOMATIC_GEAR] = GearMode.PARK
    controls[InputData.KEY] = 1
    run(vehicle, 3.0, COARSE)
    controls[InputData.KEY] = 0
    controls[InputData.AUTOMATIC_GEAR] = mode
    run(vehicle, 1.0, COARSE)
    return vehicle


def drive(vehicle: Vehicle, seconds: float, *, throttle: float = 0.0, brake: float = 0.0) -> list[tuple[int, float]]:
    """Drives for a while; each gear that was shifted into or out of, with the engine speed [1/min] at that moment."""
    controls = vehicle.data.input
    controls[InputData.THROTTLE] = round(throttle * FULL)
    controls[InputData.BRAKE] = round(brake * FULL)
    shifts = [(vehicle.gearbox.get_state_vars()["_target"], vehicle.engine.sensor_rpm)]
    for _ in range(round(seconds / COARSE)):
        before = vehicle.engine.sensor_rpm
        vehicle.step(COARSE)
        gear = vehicle.gearbox.get_state_vars()["_target"]
        if gear != shifts[-1][0]:
            shifts.append((gear, before))
        assert vehicle.engine.sensor_rpm >= 0.0
        assert read(vehicle, VehicleData.ENGINE_STALLED) == 0
    return shifts


def gears(shifts: list[tuple[int, float]]) -> list[int]:
    return [gear for gear, _ in shifts]
