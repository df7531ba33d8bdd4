"""Time that one step of the vehicle takes: a whole car on four wheels over 1 ms, from bus to bus.

The car is in first gear and accelerates, so that no part of it rests.
"""

from collections.abc import Iterator
from timeit import Timer
from typing import Final

from hilbridge.runs.benchmarks.child import Model, Samples
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result
from hilbridge.runs.benchmarks.rig import Measurement, Rig
from vehiclesim.channels import FULL_TRAVEL, InputData
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
"""Duration of a step [s]."""

_AIDS: Final = AidsSettings(
    abs=AbsSettings(enabled=True),
    tcs=TcsSettings(enabled=True),
    esc=EscSettings(enabled=True),
    asr=AsrSettings(enabled=True),
    steering=SteeringAidsSettings(limit=True, help=True),
)
_CRANKING: Final = 1500
_CLUTCH_RELEASE: Final = 1000
_ROLLING: Final = 1000
_LOOPS: Final = 50
"""Steps in a batch: together much longer than reading the clock takes."""

_QUANTITIES: Final[dict[Model, Quantity]] = {
    "interpreted": Quantity("step_interpreted", "interpreted", "µs", Aim("at most", 150.0)),
    "compiled": Quantity("step_compiled", "compiled", "µs", Aim("at most", 10.0)),
}


def car_under_way() -> Vehicle:
    """Return the default vehicle with all driving aids, accelerating at 30 % throttle with the clutch engaged."""
    vehicle = Vehicle(VehicleSettings(aids=_AIDS))
    controls = vehicle.data.input
    controls[InputData.KEY] = 1
    _advance(vehicle, _CRANKING)
    controls[InputData.KEY] = 0
    controls[InputData.THROTTLE] = 3 * FULL_TRAVEL // 10
    controls[InputData.CLUTCH] = FULL_TRAVEL
    controls[InputData.MANUAL_GEAR] = 1
    for step in range(_CLUTCH_RELEASE):
        controls[InputData.CLUTCH] = FULL_TRAVEL - (step + 1) * FULL_TRAVEL // _CLUTCH_RELEASE
        _advance(vehicle, 1)
    _advance(vehicle, _ROLLING)
    return vehicle


def sample(batches: int) -> Samples:
    """Return the duration of a step [µs], the mean of each batch."""
    step = car_under_way().step
    durations = Timer("step(h)", globals={"step": step, "h": STEP}).repeat(batches, _LOOPS)
    return {"step": [1e6 * duration / _LOOPS for duration in durations]}


def _advance(vehicle: Vehicle, steps: int) -> None:
    for _ in range(steps):
        vehicle.step(STEP)


def _measure(rig: Rig) -> Iterator[Result]:
    for model, quantity in _QUANTITIES.items():
        if reason := rig.reason_against(model):
            yield quantity.missing(reason)
        else:
            durations = rig.sample(__file__, rig.effort.batches, model)["step"]
            yield quantity.median(durations, _LOOPS * len(durations))


MEASUREMENT: Final = Measurement("vehicle step", tuple(_QUANTITIES.values()), _measure)
