"""How long the daemon takes from the start of its process to the end of its first tick."""

from collections.abc import Iterator
from typing import Final

from hilbridge.benchmarks.result import Aim, Quantity, Result
from hilbridge.benchmarks.rig import Measurement, Rig

_START_UP: Final = Quantity("start_up", "process to first tick", "s", Aim("at most", 1.5))


def _measure(rig: Rig) -> Iterator[Result]:
    """The starts that other measurements needed count too."""
    while len(rig.start_ups) < rig.effort.starts:
        rig.start(rig.default)
    yield _START_UP.median(rig.start_ups, note="in steps of the kernel's clock tick, usually 10 ms")


MEASUREMENT: Final = Measurement("start-up", (_START_UP,), _measure)
