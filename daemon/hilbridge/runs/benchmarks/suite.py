"""The measurements in their order: calculations first, while no daemon runs; then those of the running daemon."""

from typing import Final

from hilbridge.runs.benchmarks import encode, idle, lateness, lockstep, process, step, throughput, tick
from hilbridge.runs.benchmarks.rig import Measurement

MEASUREMENTS: Final[tuple[Measurement, ...]] = (
    step.MEASUREMENT,
    encode.MEASUREMENT,
    tick.COMPUTATION,
    lockstep.MEASUREMENT,
    throughput.MEASUREMENT,
    tick.REAL_TIME,
    process.MEMORY,
    process.START_UP,
    idle.MEASUREMENT,
    lateness.MEASUREMENT,
)
