"""Measures the running daemon: time from the start of its process to the end of its first tick, and memory."""

from collections.abc import Iterator
from typing import Final

from hilbridge.runs.benchmarks.result import Aim, Quantity, Result
from hilbridge.runs.benchmarks.rig import Measurement, Rig

_START_UP: Final = Quantity("start_up", "process to first tick", "s", Aim("at most", 1.5))
_RESIDENT: Final = Quantity("memory_resident", "tick process, resident", "MB", Aim("at most", 80.0))

_MEGABYTE: Final = 1e6


def _measure_start_up(rig: Rig) -> Iterator[Result]:
    """Count the starts that other measurements needed too."""
    while len(rig.start_ups) < rig.effort.starts:
        rig.start(rig.default)
    yield _START_UP.median(rig.start_ups, note="in steps of the kernel's clock tick, usually 10 ms")


def _measure_memory(rig: Rig) -> Iterator[Result]:
    yield _RESIDENT.median([rig.daemon(rig.default).resident() / _MEGABYTE])


START_UP: Final = Measurement("start-up", (_START_UP,), _measure_start_up)
MEMORY: Final = Measurement("memory", (_RESIDENT,), _measure_memory)
