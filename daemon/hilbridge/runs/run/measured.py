"""The parts of a run that metrics are made of: those of its bench, and the processes beside the tick."""

from typing import Annotated, Any, Final, NamedTuple

from hilbridge.base.common.rows import Family, counter, layout_of
from hilbridge.bench.bench import Bench
from hilbridge.bench.views import layouts

PROCESSES: Final = "processes"


class ProcessRow(NamedTuple):
    """A process beside the tick."""

    restarts: Annotated[int, counter("", Family("process_restarts_total", "Times started again", ("process",)))]


def measured_layouts(bench: Bench) -> dict[str, Any]:
    """Return how the parts are shown, as JSON knows it."""
    return {**layouts(bench), PROCESSES: layout_of(ProcessRow, "process").plain()}
