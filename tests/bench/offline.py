"""Speed of `hilbridge drive` as a multiple of real time: the compact car with driver and energy ledger on the NEDC."""

from collections.abc import Iterator
from time import perf_counter
from typing import Final

from hilbridge.runs.benchmarks.child import Model, Samples
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result
from hilbridge.runs.benchmarks.rig import Measurement, Rig

_OPERATIONS: Final[dict[Model, int]] = {"interpreted": 10, "compiled": 28}
"""Operations of the cycle: 56 s of its urban part, or all 195 s."""

_QUANTITIES: Final[dict[Model, Quantity]] = {
    "interpreted": Quantity("offline_interpreted", "interpreted", "x"),
    "compiled": Quantity("offline_compiled", "compiled; 60 is a WLTC in 30 s", "x", Aim("at least", 60.0)),
}


def sample(operations: int) -> Samples:
    """Return seconds of the trace over seconds of the clock, once, for the first operations of the NEDC."""
    from hilbridge.bench.drive.cycles import NEDC, from_operations
    from hilbridge.bench.drive.simulation import drive
    from hilbridge.files.configuration.vehiclefile import load_vehicle

    vehicle = load_vehicle("compact").build()
    trace = from_operations("nedc", NEDC[:operations])
    begun = perf_counter()
    drive(vehicle, trace)
    return {"factor": [trace.duration / (perf_counter() - begun)]}


def _measure(rig: Rig) -> Iterator[Result]:
    for model, quantity in _QUANTITIES.items():
        if reason := rig.reason_against(model):
            yield quantity.missing(reason)
        else:
            factors = rig.sample(__file__, _OPERATIONS[model], model)["factor"]
            yield quantity.median(factors)


MEASUREMENT: Final = Measurement("drive offline, times real time", tuple(_QUANTITIES.values()), _measure)
