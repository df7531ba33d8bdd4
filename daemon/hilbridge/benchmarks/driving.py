"""A car in first gear: the state of the vehicle in which the measurements take it, so that no part of it rests."""

from typing import Final

from vehiclesim.channels import InputData
from vehiclesim.parameters import (
    AbsSettings,
    AidsSettings,
    AsrSettings,
    EscSettings,
    SteeringAidsSettings,
    TcsSettings,
    VehicleSettings,
)
from vehiclesim.vehicle import Vehicle

STEP: Final = 0.001
"""[s]"""

_AIDS: Final = AidsSettings(
    abs=AbsSettings(enabled=True),
    tcs=TcsSettings(enabled=True),
    esc=EscSettings(enabled=True),
    asr=AsrSettings(enabled=True),
    steering=SteeringAidsSettings(limit=True, help=True),
)
_FULL_TRAVEL: Final = 10000
_CRANKING: Final = 1500
_RELEASE: Final = 1000
_ROLLING: Final = 1000


def car_under_way() -> Vehicle:
    """The default vehicle with all driving aids, accelerating at three tenths of throttle with the clutch engaged."""
    vehicle = Vehicle(VehicleSettings(aids=_AIDS))
    controls = vehicle.data.input
    controls[InputData.KEY] = 1
    _go(vehicle, _CRANKING)
    controls[InputData.KEY] = 0
    controls[InputData.THROTTLE] = 3 * _FULL_TRAVEL // 10
    controls[InputData.CLUTCH] = _FULL_TRAVEL
    controls[InputData.MANUAL_GEAR] = 1
    for step in range(_RELEASE):
        controls[InputData.CLUTCH] = _FULL_TRAVEL - (step + 1) * _FULL_TRAVEL // _RELEASE
        _go(vehicle, 1)
    _go(vehicle, _ROLLING)
    return vehicle


def _go(vehicle: Vehicle, steps: int) -> None:
    for _ in range(steps):
        vehicle.step(STEP)
