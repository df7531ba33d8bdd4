"""The verdict of a run: where the firmware did not say what it must say of faults and driver."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from .exam import ALLOWED, BRAKES, MOVES, Run
from .makers import FIRST, LENGTH, RATE, Car

SETTLED: Final = 0.3
"""[s] after which each message has come, and its counter has gone on."""

CALM, CONTROL = "calm", "control"


class Mistake(NamedTuple):
    """Something that the firmware should have said otherwise. `kind`: of the fault; `calm` without one; `control`."""

    kind: str
    what: str


def mistakes(car: Car, run: Run, client: str, *, faults: bool = True) -> list[Mistake]:
    """Return what a client got wrong of the faults of a car, and of its driver."""
    return [*(_of_faults(car, run, client) if faults else ()), *_of_control(car, run, client)]


def _of_faults(car: Car, run: Run, client: str) -> Iterator[Mistake]:
    """Yield a mistake for each window in which another check failed than the one, or none, or it went on afterwards."""
    calm = {failed for report in run.reports(client, SETTLED, FIRST) for failed in report.failed}
    if calm:
        yield Mistake(CALM, f"{sorted(calm)} without a fault")
    for window in car.windows():
        expected = {(RATE if window.kind == LENGTH else window.kind, window.check.number)}
        reports = list(run.reports(client, window.start, window.over))
        failed = {failed for report in reports for failed in report.failed} - calm
        if failed != expected - calm or reports[-1].failed - calm:
            yield Mistake(window.kind, f"of {window.check.message}: {sorted(failed)}, at its end {reports[-1]}")


def _of_control(car: Car, run: Run, client: str) -> Iterator[Mistake]:
    """Yield a mistake where control is allowed while the driver brakes and the car moves."""
    if "cruise" in car.settings.get("blind", []):
        return
    for report in run.reports(client, 0.0, run.seconds):
        if all(report.state & bit for bit in (ALLOWED, BRAKES, MOVES)):
            yield Mistake(CONTROL, f"allowed at {report.t:g} s")
