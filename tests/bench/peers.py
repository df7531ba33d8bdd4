"""Time of a step of other vehicle models in the same run, as far as they are installed.

Of commonroad-vehicle-models one evaluation of vehicle_dynamics_mb is timed: 29 states, tyres by Pacejka, no engine. Of
fastsim 2 it is the mean of a step of SimDrive: the power flow of a car over UDDS, in steps of 1 s.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib.util import find_spec
from timeit import Timer
from typing import Any, Final, NamedTuple

from hilbridge.runs.benchmarks.child import Samples
from hilbridge.runs.benchmarks.result import Quantity, Result
from hilbridge.runs.benchmarks.rig import Measurement, Rig

_LOOPS: Final = 50
"""Evaluations of a right-hand side in a batch."""

_SPEED: Final = 15.0
"""[m/s] of the multi-body car, so that it uses its dynamic equations."""


class _Peer(NamedTuple):
    """Another vehicle model."""

    package: str  # by its import name
    distribution: str  # by its name for an installer
    quantity: Quantity
    sample: Callable[[int], list[float]]


def _multi_body(batches: int) -> list[float]:
    """Return the duration of an evaluation [µs], the mean of each batch."""
    from vehiclemodels.init_mb import init_mb  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from vehiclemodels.parameters_vehicle2 import (  # type: ignore[import-untyped,import-not-found,unused-ignore]
        parameters_vehicle2,
    )
    from vehiclemodels.vehicle_dynamics_mb import (  # type: ignore[import-untyped,import-not-found,unused-ignore]
        vehicle_dynamics_mb,
    )

    parameters = parameters_vehicle2()
    state = init_mb([0.0, 0.0, 0.0, _SPEED, 0.0, 0.0, 0.0], parameters)
    names: dict[str, Any] = {"f": vehicle_dynamics_mb, "x": state, "u": [0.01, 0.5], "p": parameters}
    durations = Timer("f(x, u, p)", globals=names).repeat(batches, _LOOPS)
    return [1e6 * duration / _LOOPS for duration in durations]


def _power_flow(batches: int) -> list[float]:
    """Return the duration of a step of 1 s [µs], the mean of each drive after the first, which fills the caches."""
    with redirect_stdout(sys.stderr):  # it prints what else could be installed
        import fastsim  # type: ignore[import-untyped,import-not-found,unused-ignore]

    cycle = fastsim.cycle.Cycle.from_file("udds")
    vehicle = fastsim.vehicle.Vehicle.from_vehdb(1)
    means = []
    for _ in range(1 + max(2, batches // 100)):
        drive = fastsim.simdrive.SimDrive(cycle, vehicle)
        means.append(1e6 * Timer(drive.sim_drive).timeit(1) / len(cycle.time_s))
    return means[1:]


_PEERS: Final = (
    _Peer(
        "vehiclemodels",
        "commonroad-vehicle-models",
        Quantity("peer_multi_body", "commonroad-vehicle-models, multi-body right-hand side", "µs"),
        _multi_body,
    ),
    _Peer("fastsim", "fastsim", Quantity("peer_power_flow", "fastsim 2, a step of 1 s", "µs"), _power_flow),
)


def sample(batches: int) -> Samples:
    """Return the durations [µs] of each model that is installed."""
    return {peer.package: peer.sample(batches) for peer in _PEERS if find_spec(peer.package) is not None}


def _measure(rig: Rig) -> Iterator[Result]:
    installed = [peer for peer in _PEERS if find_spec(peer.package) is not None]
    samples = rig.sample(__file__, rig.effort.batches, rig.default) if installed else {}
    for peer in _PEERS:
        if peer.package in samples:
            yield peer.quantity.median(samples[peer.package])
        else:
            yield peer.quantity.missing(f"{peer.distribution} is not installed")


MEASUREMENT: Final = Measurement("step of other models", tuple(peer.quantity for peer in _PEERS), _measure)
