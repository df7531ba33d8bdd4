"""Vehicles of every layout, coupling and gearbox, and how a test puts one on the road at a speed."""

from vehiclesim import (
    AxleDifferentialSettings,
    ClutchSettings,
    ClutchType,
    DifferentialSettings,
    DifferentialType,
    DrivelineLayout,
    DrivelineSettings,
    EngineSettings,
    GearboxSettings,
    GearboxType,
    InputData,
    TyreSettings,
    Vehicle,
    VehicleSettings,
)

from .states import roll_at


def car(
    layout: DrivelineLayout = DrivelineLayout.FRONT,
    coupling: DifferentialType = DifferentialType.OPEN,
    gearbox: GearboxType = GearboxType.MANUAL,
    clutch: ClutchType = ClutchType.FRICTION_DISC,
    *,
    tyre_dynamics: bool = True,
) -> VehicleSettings:
    """The default vehicle with an engine that can stall and a limiter; all differentials have the same coupling."""
    axle = AxleDifferentialSettings(type=coupling)
    return VehicleSettings(
        engine=EngineSettings(can_stall=True, rpm_limiter=True),
        clutch=ClutchSettings(type=clutch),
        gearbox=GearboxSettings(type=gearbox),
        driveline=DrivelineSettings(
            layout=layout, front=axle, rear=axle, sides=axle, centre=DifferentialSettings(type=coupling)
        ),
        tyre=TyreSettings(tyre_dynamics=tyre_dynamics),
    )


def rolling(settings: VehicleSettings, speed: float) -> Vehicle:
    """In neutral at a speed [m/s], the engine off."""
    vehicle = Vehicle(settings)
    vehicle.data.input[InputData.KEY] = -1
    roll_at(vehicle, speed)
    return vehicle
