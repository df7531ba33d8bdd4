"""All measurements in their order: calculations first, while no daemon runs; then what needs the running daemon."""

from typing import Final, NamedTuple

from hilbridge.benchmarks import (
    answer,
    encode,
    forty_frames,
    full_bus,
    growth,
    lateness,
    memory,
    offline,
    peers,
    scan_tool,
    startup,
    step,
    tick,
    viewers,
)
from hilbridge.benchmarks.result import Result, UnavailableError
from hilbridge.benchmarks.rig import Measurement, Rig

MEASUREMENTS: Final = (
    step.MEASUREMENT,
    peers.MEASUREMENT,
    growth.MEASUREMENT,
    offline.MEASUREMENT,
    encode.MEASUREMENT,
    tick.COMPUTATION,
    tick.REAL_TIME,
    memory.MEASUREMENT,
    full_bus.MEASUREMENT,
    startup.MEASUREMENT,
    forty_frames.MEASUREMENT,
    answer.MEASUREMENT,
    scan_tool.MEASUREMENT,
    viewers.MEASUREMENT,
    lateness.MEASUREMENT,
)


class Finished(NamedTuple):
    """A measurement with a result for each of its quantities."""

    measurement: Measurement
    results: tuple[Result, ...]


def take(measurement: Measurement, rig: Rig) -> Finished:
    """What is not available here is in the results too, with the reason."""
    try:
        results = tuple(measurement.measure(rig))
    except UnavailableError as reason:
        results = tuple(quantity.missing(str(reason)) for quantity in measurement.quantities)
    return Finished(measurement, results)
