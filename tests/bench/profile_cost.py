"""What a frame of a cluster's profile costs, with tables, slewed values, expressions, pages and events.

The stage of the tick that sends frames is timed for sixty such frames and for the forty plain ones that come with
counters and checksums; each time is divided by the frames that went. Both run in slices by turns, so that whatever else
the machine does meets both.
"""

import gc
from collections.abc import Iterator
from time import perf_counter_ns
from typing import Final

from hilbridge.bench.bench import Bench
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result
from hilbridge.runs.benchmarks.rig import MeasuredBench, Measurement, Rig

from .benches import FORTY, SIXTY

_SLICE: Final = 200
"""Ticks."""

_WARM_UP: Final = 10
"""Slices before the first that counts."""

_FORTY: Final = Quantity("frame_plain", "a frame of the forty", "µs")
_SIXTY: Final = Quantity("frame_profile", "a frame of the sixty", "µs")
_RATIO: Final = Quantity("frame_profile_ratio", "a frame of the sixty / of the forty", "x", Aim("at most", 1.3))


class _Runner:
    """A bench that runs tick after tick."""

    def __init__(self, rig: Rig, measured: MeasuredBench) -> None:
        self._bench: Final = Bench(load_bench(str(measured.write(rig.folder))))
        self._bench.connect()
        self._t = 0

    def slice(self) -> float:
        """Return the time [µs] that a frame has cost in the next ticks."""
        bench, t, spent = self._bench, self._t, 0
        before = self._sent()
        for _ in range(_SLICE):
            bench.sample(t)
            bench.step()
            begun = perf_counter_ns()
            bench.publish(t)
            spent += perf_counter_ns() - begun
            t += bench.settings.period
        self._t = t
        return spent / 1000 / (self._sent() - before)

    def _sent(self) -> int:
        return sum(frame.sent for frame in self._bench.wiring.plan.frames)


def _measure(rig: Rig) -> Iterator[Result]:
    runners = [_Runner(rig, bench) for bench in (FORTY, SIXTY)]
    slices = max(rig.effort.ticks // _SLICE // len(runners), 2 * _WARM_UP)
    gc.disable()
    try:
        samples = [[runner.slice() for runner in runners] for _ in range(slices)][_WARM_UP:]
    finally:
        gc.enable()
    yield _FORTY.median([plain for plain, _ in samples])
    yield _SIXTY.median([profile for _, profile in samples])
    yield _RATIO.median([profile / plain for plain, profile in samples])


MEASUREMENT: Final = Measurement("60 frames of a profile", (_FORTY, _SIXTY, _RATIO), _measure)
