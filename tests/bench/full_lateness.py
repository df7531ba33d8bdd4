"""Lateness of the ticks of the full bench under load, beside cyclictest under the same conditions."""

from collections.abc import Iterator
from typing import Final

from hilbridge.runs.benchmarks.lateness import compare, percentiles, quantities
from hilbridge.runs.benchmarks.result import Result, UnavailableError
from hilbridge.runs.benchmarks.rig import Measurement, Rig

from .benches import FULL
from .load import Load

_FULL: Final = percentiles("full_")


def _measure(rig: Rig) -> Iterator[Result]:
    daemon = rig.daemon(rig.default, FULL)
    try:
        with Load(daemon):
            yield from compare(rig, daemon, _FULL)
    except OSError as error:
        raise UnavailableError(f"the bench cannot be driven: {error}") from error


MEASUREMENT: Final = Measurement("lateness of the tick, full bench", quantities(_FULL), _measure)
