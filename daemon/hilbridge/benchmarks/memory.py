"""How much memory the tick process has resident while it runs."""

from collections.abc import Iterator
from typing import Final

from hilbridge.benchmarks.result import Aim, Quantity, Result
from hilbridge.benchmarks.rig import Measurement, Rig

_RESIDENT: Final = Quantity("memory_resident", "tick process, resident", "MB", Aim("at most", 80.0))

_MEGABYTE: Final = 1e6


def _measure(rig: Rig) -> Iterator[Result]:
    yield _RESIDENT.median([rig.daemon(rig.default).resident() / _MEGABYTE])


MEASUREMENT: Final = Measurement("memory", (_RESIDENT,), _measure)
