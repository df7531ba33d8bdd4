"""A vehicle brought to where a test begins."""

from vehiclesim import VEHICLE, EngineSettings, InputData, Vehicle, VehicleSettings

CAN_STALL = VehicleSettings(engine=EngineSettings(can_stall=True))
FULL = 10000


def run(vehicle: Vehicle, seconds: float, delta_time: float = 0.001) -> Vehicle:
    for _ in range(round(seconds / delta_time)):
        vehicle.step(delta_time)
    return vehicle


def read(vehicle: Vehicle, index: int) -> float:
    return vehicle.data.read(VEHICLE, index)


def idling(parameters: VehicleSettings = CAN_STALL, delta_time: float = 0.001) -> Vehicle:
    """A vehicle with running engine in neutral, clutch pedal down."""
    vehicle = Vehicle(parameters)
    controls = vehicle.data.input
    controls[InputData.CLUTCH] = FULL
    controls[InputData.KEY] = 1
    run(vehicle, 1.0, delta_time)
    controls[InputData.KEY] = 0
    return run(vehicle, 1.0, delta_time)


def in_first_gear(parameters: VehicleSettings = CAN_STALL, delta_time: float = 0.001) -> Vehicle:
    """The same in first gear, at rest."""
    vehicle = idling(parameters, delta_time)
    vehicle.data.input[InputData.MANUAL_GEAR] = 1
    vehicle.data.input[InputData.BRAKE] = FULL
    run(vehicle, 0.5, delta_time)
    vehicle.data.input[InputData.BRAKE] = 0
    return vehicle


def driving(gear: int = 1, throttle: int = 3000, seconds: float = 3.0) -> Vehicle:
    """On the move, clutch engaged."""
    vehicle = idling()
    controls = vehicle.data.input
    controls[InputData.MANUAL_GEAR] = gear
    run(vehicle, 0.5)
    controls[InputData.THROTTLE] = throttle
    for pedal in range(FULL, -1, -10):
        controls[InputData.CLUTCH] = pedal
        vehicle.step(0.001)
    return run(vehicle, seconds)
