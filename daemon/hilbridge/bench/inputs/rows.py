"""The rows of controls and of sources of inputs in a status."""

from collections.abc import Mapping
from typing import Annotated, Final, NamedTuple

from hilbridge.base.common.rows import Counts, Family, counter, fact, gauge

_SAMPLES: Final = Family("input_samples_total", "Good samples of a source", ("source",))
_REJECTIONS: Final = Family("input_rejections_total", "Bad samples", ("source", "reason"))


class ControlRow(NamedTuple):
    """The source that holds a control, "" for none, and the value in the entry's unit, None where it is not known."""

    control: Annotated[str, fact()]
    source: Annotated[str, fact("held by")]
    value: Annotated[float | None, gauge("at")]


class SourceRow(NamedTuple):
    """The samples of a source of inputs, and how often its pedal tracks have disagreed."""

    accepted: Annotated[int, counter("accepted", _SAMPLES)]
    rejected: Annotated[Mapping[str, int], counter("rejected", _REJECTIONS)]
    track_failures: Annotated[int, counter("tracks that disagreed")]


class SourceReadings(NamedTuple):
    """A source in an answer: its counters, and the last reading of each field as the sender gave it."""

    source: str
    accepted: int
    rejected: Counts
    track_failures: int
    raw: Mapping[str, float | bool | str | None]
