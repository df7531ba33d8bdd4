"""Lateness of the daemon's ticks, beside cyclictest under the same conditions.

Slices of both take turns (A B A B ...) on the same processor, so that other load of the machine affects both; the
daemon is stopped while cyclictest runs. The ratios are the result; the times belong to this machine at this moment.
"""

import os
from collections.abc import Iterator
from typing import Final, NamedTuple

from hilbridge.base.common.statistics import Histogram
from hilbridge.runs.benchmarks import cyclictest
from hilbridge.runs.benchmarks.daemon import Conditions, Daemon
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result, UnavailableError
from hilbridge.runs.benchmarks.rig import Measurement, Rig


class Percentile(NamedTuple):
    """A percentile of the daemon's lateness, of cyclictest's, and the ratio of the two."""

    percent: float
    ours: Quantity
    theirs: Quantity
    ratio: Quantity


def _percentile(bench: str, percent: float, aim: Aim | None = None) -> Percentile:
    name, title = f"p{percent:g}".replace(".", "_"), f"p{percent:g}"
    return Percentile(
        percent,
        Quantity(f"{bench}lateness_{name}", f"tick, {title}", "µs"),
        Quantity(f"{bench}cyclictest_{name}", f"cyclictest, {title}", "µs"),
        Quantity(f"{bench}lateness_ratio_{name}", f"tick / cyclictest, {title}", "x", aim),
    )


def percentiles(bench: str = "") -> tuple[Percentile, ...]:
    """Return the percentiles that are measured; their names begin with the name of the bench, if one is given."""
    return (
        _percentile(bench, 50),
        _percentile(bench, 99, Aim("at most", 1.5)),
        _percentile(bench, 99.9),
    )


def compare(rig: Rig, daemon: Daemon, wanted: tuple[Percentile, ...]) -> Iterator[Result]:
    """Measure the daemon and cyclictest by turns; without cyclictest the daemon alone."""
    with daemon.paused():
        daemon.pin(max(os.sched_getaffinity(0)))
    conditions = daemon.conditions()
    ours: list[Histogram] = []
    theirs: list[Histogram] = []
    trouble = ""
    for _ in range(rig.effort.slices):
        ours.append(daemon.watch(rig.effort.slice).lateness)
        if not trouble:
            try:
                with daemon.paused():
                    theirs.append(cyclictest.run(conditions, daemon.period, rig.effort.slice, rig.folder))
            except UnavailableError as reason:
                trouble = str(reason)
    note = _describe(conditions)
    for percent, our, their, ratio in wanted:
        yield our.percentile(percent, ours, note)
        if trouble:
            yield their.missing(trouble)
            yield ratio.missing(trouble)
        else:
            yield their.percentile(percent, theirs, note)
            yield ratio.ratio(percent, ours, theirs, note)


def quantities(wanted: tuple[Percentile, ...]) -> tuple[Quantity, ...]:
    """Return the quantities in the order of the results of `compare`."""
    return tuple(quantity for each in wanted for quantity in (each.ours, each.theirs, each.ratio))


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


_DEMO: Final = percentiles()


def _measure(rig: Rig) -> Iterator[Result]:
    yield from compare(rig, rig.daemon(rig.default), _DEMO)


MEASUREMENT: Final = Measurement("lateness of the tick, demo", quantities(_DEMO), _measure)
