"""The vehicle that is measured has work to do in every part."""

from hilbridge.runs.benchmarks.step import car_under_way
from vehiclesim.channels import VehicleData


def test_the_car_drives() -> None:
    """The engine runs by itself, the clutch passes its torque on, first gear is in, and the car moves."""
    values = car_under_way().data.vehicle
    assert values[VehicleData.ENGINE_WORKING] == 1
    assert values[VehicleData.CLUTCH_TORQUE] > 0
    assert values[VehicleData.GEARBOX_GEAR] == 1
    assert values[VehicleData.SPEED] > 0
