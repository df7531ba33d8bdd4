"""How long one step of the vehicle takes: a whole car on four wheels over 1 ms, bus to bus."""

from collections.abc import Iterator
from timeit import Timer
from typing import Final

from hilbridge.benchmarks.child import Model, Samples
from hilbridge.benchmarks.driving import STEP, car_under_way
from hilbridge.benchmarks.result import Aim, Quantity, Result
from hilbridge.benchmarks.rig import Measurement, Rig

_LOOPS: Final = 50
"""Steps in a batch: together much longer than reading the clock takes."""

_QUANTITIES: Final[dict[Model, Quantity]] = {
    "interpreted": Quantity("step_interpreted", "interpreted", "µs", Aim("at most", 150.0)),
    "compiled": Quantity("step_compiled", "compiled", "µs", Aim("at most", 10.0)),
}


def sample(batches: int) -> Samples:
    """[µs] per step, the mean of each batch."""
    step = car_under_way().step
    durations = Timer("step(h)", globals={"step": step, "h": STEP}).repeat(batches, _LOOPS)
    return {"step": [1e6 * duration / _LOOPS for duration in durations]}


def _measure(rig: Rig) -> Iterator[Result]:
    for model, quantity in _QUANTITIES.items():
        if reason := rig.lacks(model):
            yield quantity.missing(reason)
        else:
            durations = rig.sample("step", rig.effort.batches, model)["step"]
            yield quantity.median(durations, _LOOPS * len(durations))


MEASUREMENT: Final = Measurement("vehicle step", tuple(_QUANTITIES.values()), _measure)
