"""The rows of faults in a status."""

from typing import Annotated, NamedTuple

from hilbridge.base.common.rows import counter, fact, gauge


class FaultRow(NamedTuple):
    """The status of a fault; times in seconds of the run. `hits`: None for one that hits neither frame nor request."""

    fault: Annotated[int, fact()]
    what: Annotated[str, fact("what")]
    state: Annotated[str, fact("state")]
    begin: Annotated[float, gauge("from s")]
    end: Annotated[float | None, gauge("to s")]
    hits: Annotated[int | None, counter("hits")]


class FaultCounts(NamedTuple):
    """Number of faults, of frames and requests that they hit, and of frames lost in the delay line."""

    added: int
    hits: int
    frames_lost: int
