"""Growth of the cost of a step with its substeps, and with the blocks of a drivetrain; it should be linear."""

from collections.abc import Iterator
from functools import partial
from timeit import Timer
from typing import Final

from hilbridge.runs.benchmarks.child import Samples
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result
from hilbridge.runs.benchmarks.rig import Measurement, Rig
from hilbridge.runs.benchmarks.step import STEP, car_under_way
from vehiclesim.block import Block
from vehiclesim.chassis.wheel import Wheel
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import DifferentialSettings, DifferentialType
from vehiclesim.solver import Solver
from vehiclesim.transmission.driveline import Differential

_LOOPS: Final = 20
"""Steps in a batch."""

_SUBSTEPS: Final = (1, 10, 19)
"""Substeps in a step of the car."""

_CHAINS: Final = (8, 16, 24)
"""Locked differentials one behind the other, each with a wheel on its other side."""

_LINEAR: Final = Aim("at most", 1.2)

_PER_SUBSTEP: Final = Quantity("growth_substeps", "9 substeps more / the 9 before", "x", _LINEAR)
_PER_BLOCK: Final = Quantity("growth_blocks", "16 blocks more / the 16 before", "x", _LINEAR)


def _chain(length: int) -> Solver:
    """Return engine, differentials, and wheels in the air."""
    engine = Engine()
    engine.clutch_input = engine.throttle_input = 1.0
    blocks: list[Block] = [engine]
    upstream: Block = engine
    for number in range(length):
        divider, wheel = Differential(DifferentialSettings(type=DifferentialType.LOCKED)), Wheel()
        Block.connect(divider, upstream, min(number, 1))
        Block.connect(wheel, divider, 0)
        blocks += [divider, wheel]
        upstream = divider
    last = Wheel()
    Block.connect(last, upstream, 1)
    return Solver([*blocks, last])


def sample(batches: int) -> Samples:
    """Return the duration of a step [µs], the mean of each batch: by substeps of a car, by length of a drivetrain."""
    car = car_under_way()
    timers = {f"substeps {count}": Timer(partial(car.step, count * STEP)) for count in _SUBSTEPS}
    timers |= {f"chain {length}": Timer(partial(_chain(length).step, STEP)) for length in _CHAINS}
    durations: Samples = {name: [] for name in timers}
    for _ in range(batches):
        for name, timer in timers.items():
            durations[name].append(1e6 * timer.timeit(_LOOPS) / _LOOPS)
    return durations


def _measure(rig: Rig) -> Iterator[Result]:
    durations = rig.sample(__file__, rig.effort.batches, rig.default)
    for quantity, name, sizes in ((_PER_SUBSTEP, "substeps", _SUBSTEPS), (_PER_BLOCK, "chain", _CHAINS)):
        small, middle, large = (durations[f"{name} {size}"] for size in sizes)
        yield quantity.median([(c - b) / (b - a) for a, b, c in zip(small, middle, large, strict=True)])


MEASUREMENT: Final = Measurement("growth of a step", (_PER_SUBSTEP, _PER_BLOCK), _measure)
