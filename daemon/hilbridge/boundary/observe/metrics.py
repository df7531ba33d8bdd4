"""The run as time series for Prometheus, named by its conventions: base units, `_total` on what only grows.

Lateness and step time come from the histograms in shared memory, and values of the vehicle from the newest snapshot,
at the moment of the request; those of the parts of the bench follow from their rows (base/common/rows.py), and are at
most two seconds old.

A bucket of the exported histograms ends at 2^k or 1.5 · 2^k nanoseconds, from 4 us to 0.4 s, which are edges of the
buckets in memory (base/common/statistics.py), so that the counts are exact; a value equal to an edge counts above it.
`_sum` takes every value for the middle of its bucket, which is wrong by less than 1.6 %.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Final, NamedTuple

from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from hilbridge.base.common.rows import Family, Layout
from hilbridge.base.common.statistics import BUCKETS, Histogram, upper_edge
from hilbridge.boundary.observe.events import About, Fields, Snapshot
from hilbridge.boundary.observe.notices import ObserverWork
from hilbridge.boundary.observe.rings import Durations
from vehiclesim.channels import AUXILIARY, NAN, VEHICLE, AuxiliaryData, VehicleData
from vehiclesim.entries import ENTRIES

EDGES: Final = tuple(edge for k in range(12, 29) for edge in (1 << k, 3 << (k - 1)))
"""[ns] Upper edges of the buckets of the exported histograms."""

_VEHICLE: Final = (
    ("engine_speed_rpm", "Speed of the crankshaft", VEHICLE, VehicleData.ENGINE_RPM),
    ("engine_torque_newton_meters", "Torque at the crankshaft", VEHICLE, VehicleData.ENGINE_TORQUE),
    ("vehicle_speed_meters_per_second", "Speed of the vehicle", VEHICLE, VehicleData.SPEED),
    ("engine_coolant_celsius", "Temperature of the coolant", AUXILIARY, AuxiliaryData.COOLANT_TEMPERATURE),
)

_DURATIONS: Final = (
    ("tick_lateness_seconds", "From a tick's deadline to its beginning, missed ticks before it included"),
    ("tick_duration_seconds", "From a tick's beginning to its end"),
    ("answer_seconds", "From the tick that read a diagnostic request to the end of the tick that began its answer"),
)

_Samples = dict[tuple[str, ...], float]
"""Samples by the values of their labels."""


class MetricsInput(NamedTuple):
    """The input of the metrics at one moment."""

    about: About
    snapshot: Snapshot | None
    durations: Durations
    layouts: Mapping[str, Layout]
    """How the parts of the bench are shown."""
    part_status: Fields
    health_problems: list[str]
    events_lost: int
    """Number of events that did not fit into the ring."""
    work: ObserverWork


def expose(facts: MetricsInput, accepts: str) -> tuple[bytes, str]:
    """Return the metrics in the format that an Accept field asks for, and the name of the format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Reading(facts))
    encode, content_type = choose_encoder(accepts)
    return encode(registry), content_type


class _Reading(Collector):
    """The metrics of one moment."""

    def __init__(self, facts: MetricsInput) -> None:
        self._facts: Final = facts

    def describe(self) -> Iterable[Metric]:
        """Return no metrics in advance: they depend on the bench."""
        return ()

    def collect(self) -> Iterator[Metric]:
        facts = self._facts
        yield InfoMetricFamily("hilbridge", "The run", {"version": facts.about.version, "bench": facts.about.name})
        yield _gauge(
            "healthy", "Whether ticks go on, and half of those that are due are done", not facts.health_problems
        )
        if facts.about.started is not None:
            yield _gauge("start_time_seconds", "When this run began, since 1970", facts.about.started / 1e9)
        if (last := facts.about.last_end) is not None:
            labels = {"result": last.result, "status": last.status}
            yield InfoMetricFamily(
                "hilbridge_last_end", "How the run before ended, as the service manager says", labels
            )
        yield _gauge("tick_rate_hertz", "Ticks that are due in a second of the run", facts.about.rate)
        for (name, text), histogram in zip(_DURATIONS, facts.durations, strict=True):
            yield _histogram(name, text, histogram)
        if facts.snapshot is not None:
            yield from _of_snapshot(facts.snapshot)
        yield from _of_parts(facts.layouts, facts.part_status)
        yield _counter("events_lost", "Events that did not fit into the ring", facts.events_lost)
        yield _counter("log_lines_lost", "Lines of the log that could not be printed", facts.work.unprinted)
        if (recorded := facts.work.recorded) is not None:
            yield _counter("recorded_frames", "Frames in the recording", recorded.frames)
            yield _gauge("recording_bytes", "Size of the segments that are kept", recorded.size)
            yield _counter("recording_lost", "Records that the recording lacks", recorded.missing)


def _of_snapshot(snapshot: Snapshot) -> Iterator[Metric]:
    yield _counter("ticks", "Ticks done", snapshot.ticks)
    yield _counter("ticks_missed", "Ticks that were due and not done", snapshot.missed)
    yield _gauge("overload_ratio", "Share of the ticks missed while the run is overloaded", snapshot.overload / 100)
    yield _gauge("run_time_seconds", "Time of the run", snapshot.t / 1e9)
    for name, text, channel, index in _VEHICLE:
        raw = snapshot.channels[channel][index]
        yield _gauge(name, text, float("nan") if raw == NAN else raw / ENTRIES[channel][index].resolution)


def _of_parts(layouts: Mapping[str, Layout], part_status: Fields) -> Iterator[Metric]:
    """Make the metrics of the parts of a bench; a part that `part_status` lacks as yet has no samples."""
    samples: dict[Family, dict[tuple[str, ...], float]] = {}
    for part, layout in layouts.items():
        for family in layout.families():
            samples.setdefault(family, {})
        for family, labels, number in layout.samples(part_status.get(part, {})):
            samples[family][labels] = number
    for family, by_labels in samples.items():
        yield _family(family.name, family.text, family.labels, by_labels)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"hilbridge_{name}", text, value)


def _counter(name: str, text: str, value: float) -> Metric:
    return CounterMetricFamily(f"hilbridge_{name}", text, value)


def _family(name: str, text: str, labels: tuple[str, ...], samples: _Samples) -> Metric:
    """Return a counter if the name ends in `_total`, else a gauge, with a sample for each combination of labels."""
    kind = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
    family = kind(f"hilbridge_{name.removesuffix('_total')}", text, labels=labels)
    for values, sample in samples.items():
        family.add_metric(values, sample)
    return family


_PLACES: Final = tuple(next(b for b in range(BUCKETS) if upper_edge(b) == edge - 1) + 1 for edge in EDGES)
"""Number of buckets in memory below each edge."""

_MIDDLES: Final = tuple((upper_edge(b - 1) + 1 + upper_edge(b)) / 2e9 if b else 0.0 for b in range(BUCKETS))
"""[s] Middles of the buckets in memory."""


def _histogram(name: str, text: str, histogram: Histogram) -> Metric:
    *counts, _maximum = histogram.to_list()
    below = [0, *accumulate(counts)]
    buckets = [(f"{edge / 1e9:.9g}", below[place]) for edge, place in zip(EDGES, _PLACES, strict=True)]
    family = HistogramMetricFamily(f"hilbridge_{name}", text)
    total = sum(count * middle for count, middle in zip(counts, _MIDDLES, strict=True))
    family.add_metric((), [*buckets, ("+Inf", below[-1])], total)
    return family
