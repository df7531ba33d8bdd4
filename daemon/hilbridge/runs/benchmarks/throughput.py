"""Times real time that the demo bench runs on the virtual clock, without ports and observer process.

Beside it the step of its vehicle alone, from the same states and in the same run: the quotient says what the daemon
adds to the model, whatever else the machine does.

The vehicle alone continues after each slice of ticks from the state that the bench has reached, with its controls.
"""

from collections.abc import Iterator
from time import process_time_ns
from typing import Final, NamedTuple

from hilbridge.base.clock import StopRequest, VirtualClock
from hilbridge.base.common.units import SECOND
from hilbridge.runs.benchmarks.child import Model, Samples
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result
from hilbridge.runs.benchmarks.rig import Measurement, Rig

_SLICE: Final = 1000
"""Ticks in a slice."""


class _Quantities(NamedTuple):
    """The quantities of one build of the model."""

    throughput: Quantity
    ratio: Quantity


_QUANTITIES: Final[dict[Model, _Quantities]] = {
    "interpreted": _Quantities(
        Quantity("virtual_throughput_interpreted", "interpreted, times real time", "x"),
        Quantity("virtual_tick_ratio_interpreted", "interpreted, tick / step alone", "x"),
    ),
    "compiled": _Quantities(
        Quantity("virtual_throughput_compiled", "compiled, times real time", "x", Aim("at least", 150.0)),
        Quantity("virtual_tick_ratio_compiled", "compiled, tick / step alone", "x"),
    ),
}


def sample(ticks: int) -> Samples:
    """Return times real time, and the quotient of tick and step alone, of each slice; both of processor time."""
    import gc

    from hilbridge.boundary.observe.reporter import VIRTUAL_PACE
    from hilbridge.files.configuration.benchfile import load_bench
    from hilbridge.runs import loop
    from hilbridge.runs.benchmarks.tick import headless

    bench, stages = headless(pace=VIRTUAL_PACE)
    period, alone = bench.settings.period, load_bench("demo").vehicle.build()
    seconds = period / SECOND
    throughput, ratio = [], []
    last = -period
    gc.disable()
    for _ in range(ticks // _SLICE):
        clock = VirtualClock(period, last + (_SLICE + 1) * period)
        clock.t = last
        begun = process_time_ns()
        loop.run(clock, stages, StopRequest())
        tick = process_time_ns() - begun
        last = clock.t - period
        alone.data.input[:] = bench.vehicle.data.input
        alone.set_state_vars(bench.vehicle.get_state_vars())
        begun = process_time_ns()
        for _ in range(_SLICE):
            alone.step(seconds)
        ratio.append(tick / (process_time_ns() - begun))
        throughput.append(_SLICE * period / tick)
    return {"throughput": throughput, "ratio": ratio}


def _measure(rig: Rig) -> Iterator[Result]:
    for model, quantities in _QUANTITIES.items():
        if reason := rig.reason_against(model):
            yield from (quantity.missing(reason) for quantity in quantities)
        else:
            samples = rig.sample(__file__, rig.effort.ticks, model)
            yield quantities.throughput.median(samples["throughput"])
            yield quantities.ratio.median(samples["ratio"])


MEASUREMENT: Final = Measurement(
    "virtual clock", tuple(quantity for pair in _QUANTITIES.values() for quantity in pair), _measure
)
