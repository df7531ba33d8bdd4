"""How late the daemon's ticks begin with a full bench, beside cyclictest under the same conditions.

The bench has over forty frames on three buses, a driver on CAN, a pedal board, OBD-II requests, a recording, the page.
Slices of both take turns (A B A B ...) on the same processor, so that whatever else the machine does falls on both; the
daemon stands still while cyclictest runs. The ratios are the result; the times belong to this machine at this moment.
"""

import os
from collections.abc import Iterator
from typing import Final, NamedTuple

from hilbridge.benchmarks import cyclictest
from hilbridge.benchmarks.daemon import Conditions
from hilbridge.benchmarks.load import Load
from hilbridge.benchmarks.result import Aim, Quantity, Result, UnavailableError
from hilbridge.benchmarks.rig import Measurement, Rig
from hilbridge.common.statistics import Histogram


class _Percentile(NamedTuple):
    percent: float
    ours: Quantity
    theirs: Quantity
    ratio: Quantity


def _percentile(percent: float, aim: Aim | None = None) -> _Percentile:
    name, title = f"p{percent:g}".replace(".", "_"), f"p{percent:g}"
    return _Percentile(
        percent,
        Quantity(f"lateness_{name}", f"tick, {title}", "µs"),
        Quantity(f"cyclictest_{name}", f"cyclictest, {title}", "µs"),
        Quantity(f"lateness_ratio_{name}", f"tick / cyclictest, {title}", "x", aim),
    )


_PERCENTILES: Final = (_percentile(50), _percentile(99, Aim("at most", 1.5)), _percentile(99.9))


def _measure(rig: Rig) -> Iterator[Result]:
    daemon = rig.daemon(rig.default, "full")
    with daemon.paused():
        daemon.pin(max(os.sched_getaffinity(0)))
    conditions = daemon.conditions()
    ours: list[Histogram] = []
    theirs: list[Histogram] = []
    trouble = ""
    try:
        with Load(daemon):
            for _ in range(rig.effort.slices):
                ours.append(daemon.watch(rig.effort.slice).lateness)
                if not trouble:
                    try:
                        with daemon.paused():
                            theirs.append(cyclictest.run(conditions, daemon.period, rig.effort.slice, rig.folder))
                    except UnavailableError as reason:
                        trouble = str(reason)
    except OSError as error:
        raise UnavailableError(f"the bench cannot be driven: {error}") from error

    note = _describe(conditions)
    for percent, our, their, ratio in _PERCENTILES:
        yield our.percentile(percent, ours, note)
        if trouble:
            yield their.missing(trouble)
            yield ratio.missing(trouble)
        else:
            yield their.percentile(percent, theirs, note)
            yield ratio.ratio(percent, ours, theirs, note)


def _describe(conditions: Conditions) -> str:
    real_time = conditions.policy != os.SCHED_OTHER
    return ", ".join(
        [
            f"processor {conditions.cpu}",
            f"real-time priority {conditions.priority}" if real_time else "no real-time class",
            "memory locked" if conditions.memory_locked else "memory not locked",
            f"sleep states {'forbidden' if conditions.dma_latency_held else 'allowed'}",
        ]
    )


MEASUREMENT: Final = Measurement(
    "lateness, full bench",
    tuple(quantity for each in _PERCENTILES for quantity in (each.ours, each.theirs, each.ratio)),
    _measure,
)
