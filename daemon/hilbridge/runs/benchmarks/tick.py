"""Time that a whole tick of the demo bench takes: sample, step, serve, publish, write.

Once as computation: the same loop, one tick immediately after the other, without ports and observer process. Once in
real time, as the running daemon measures itself at 1 kHz: with its ports, and with the cache misses after each wait.
"""

from collections.abc import Iterator, Sequence
from time import perf_counter_ns
from typing import TYPE_CHECKING, Final, NamedTuple

from hilbridge.base.clock import StopRequest, VirtualClock
from hilbridge.base.common.statistics import Histogram
from hilbridge.runs import loop
from hilbridge.runs.benchmarks.child import Model, Samples
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result
from hilbridge.runs.benchmarks.rig import Measurement, Rig

if TYPE_CHECKING:
    from hilbridge.bench.bench import Bench
    from hilbridge.boundary.observe.reporter import Reporter

_WARM_UP: Final = 2000
"""Ticks before the first that counts: the demo driver starts the engine."""


class _Percentiles(NamedTuple):
    """The two percentiles of a duration."""

    p50: Quantity
    p99: Quantity

    def results(self, slices: Sequence[Histogram]) -> Iterator[Result]:
        yield self.p50.percentile(50, slices)
        yield self.p99.percentile(99, slices)


def _percentiles(name: str, title: str, aim: Aim | None = None) -> _Percentiles:
    return _Percentiles(
        Quantity(f"{name}_p50", f"{title}, p50", "µs", aim), Quantity(f"{name}_p99", f"{title}, p99", "µs")
    )


_COMPUTATION: Final[dict[Model, _Percentiles]] = {
    "interpreted": _percentiles("tick_computation_interpreted", "interpreted"),
    "compiled": _percentiles("tick_computation_compiled", "compiled"),
}
_REAL_TIME: Final[dict[Model, _Percentiles]] = {
    "interpreted": _percentiles("tick_interpreted", "interpreted", Aim("at most", 80.0)),
    "compiled": _percentiles("tick_compiled", "compiled"),
}


class _Stopwatch(VirtualClock):
    """A virtual clock that records the time [ns] from each return of `wait` to the next call."""

    def __init__(self, period: int, ticks: int) -> None:
        super().__init__(period, (_WARM_UP + ticks) * period)
        self.durations: list[float] = []
        self._begun = 0

    def wait(self) -> bool:
        now = perf_counter_ns()
        if self.t >= _WARM_UP * self.period:
            self.durations.append(now - self._begun)
        running = super().wait()
        self._begun = perf_counter_ns()
        return running


class _Stages:
    """The stages of the tick: those of the bench, then the observation."""

    def __init__(self, bench: "Bench", reporter: "Reporter") -> None:
        self.sample = bench.sample
        self.step = bench.step
        self.serve = bench.serve
        self.publish = bench.publish
        self.write = reporter.tick


def headless(name: str = "demo", pace: float = 1.0) -> "tuple[Bench, loop.Stages]":
    """Return a bench without ports, and its stages, which write to rings that no one reads."""
    from hilbridge.bench.bench import Bench
    from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT, About
    from hilbridge.boundary.observe.reporter import Reporter
    from hilbridge.boundary.observe.rings import Rings
    from hilbridge.files.configuration.benchfile import load_bench

    file = load_bench(name)
    bench = Bench(file)
    bench.connect()
    about = About(name=file.settings.name, version="", rate=file.settings.rate, started=None)
    rings = Rings.create(about.encode(), SNAPSHOT_LAYOUT.size)
    reporter = Reporter(rings, bench.vehicle.data, list(bench.buses.values()), bench.gates, pace)
    bench.event_log.connect(reporter)
    return bench, _Stages(bench, reporter)


def sample(ticks: int) -> Samples:
    """Return the duration of ticks of the demo bench [ns], without waiting, with the collector off as in a run."""
    import gc

    bench, stages = headless()
    clock = _Stopwatch(bench.settings.period, ticks)
    gc.disable()
    loop.run(clock, stages, StopRequest())
    return {"tick": clock.durations}


def _measure_computation(rig: Rig) -> Iterator[Result]:
    for model, quantities in _COMPUTATION.items():
        if reason := rig.reason_against(model):
            yield from (quantity.missing(reason) for quantity in quantities)
        else:
            durations = rig.sample(__file__, rig.effort.ticks, model)["tick"]
            size = len(durations) // rig.effort.slices
            yield from quantities.results(
                [_histogram(durations[size * index : size * (index + 1)]) for index in range(rig.effort.slices)]
            )


def _measure_real_time(rig: Rig) -> Iterator[Result]:
    for model, quantities in _REAL_TIME.items():
        if reason := rig.reason_against(model):
            yield from (quantity.missing(reason) for quantity in quantities)
        else:
            daemon = rig.daemon(model)
            slices = [daemon.watch(rig.effort.slice).step_time for _ in range(rig.effort.slices)]
            yield from quantities.results(slices)


def _histogram(durations: Sequence[float]) -> Histogram:
    histogram = Histogram()
    for duration in durations:
        histogram.record(int(duration))
    return histogram


COMPUTATION: Final = Measurement(
    "whole tick, computed",
    tuple(quantity for pair in _COMPUTATION.values() for quantity in pair),
    _measure_computation,
)
REAL_TIME: Final = Measurement(
    "whole tick, in real time",
    tuple(quantity for pair in _REAL_TIME.values() for quantity in pair),
    _measure_real_time,
)
