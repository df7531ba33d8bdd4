"""The parts that every bench has: control units, inputs, clusters, faults.

The wiring builds their mechanism itself, as it makes others of it: testers hold inputs, faults hit frames, routes and
control units. Here each becomes a part as all others are: its stages of the tick, its rows, what a reload may change.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from hilbridge.base.common.errors import KeyPath
from hilbridge.bench.cluster_rows import ClusterRow
from hilbridge.bench.clusters import Clusters
from hilbridge.bench.control_units import ControlUnits
from hilbridge.bench.diagnostics.rows import CodesRow, MemoryRow, TesterRow, UnitRow
from hilbridge.bench.faults.injector import Injector
from hilbridge.bench.faults.rows import FaultRow
from hilbridge.bench.inputs.arbiter import Arbiter
from hilbridge.bench.inputs.rows import ControlRow, SourceRow
from hilbridge.bench.inputs.source import Source
from hilbridge.bench.parts.part import Context, PartKind, Stage, Step, Table
from hilbridge.boundary.links.poller import Ready
from hilbridge.files.settings import PORT_INPUTS, BenchSettings
from vehiclesim.databus import DataBus


class Standing:
    """A part of every bench: `hilbridge check` shows it, and its doubts, in full by itself."""

    def describe(self) -> Mapping[str, str]:
        return {}

    def doubts(self) -> tuple[str, ...]:
        return ()


class DiagnosticsPart(Standing):
    """The control units in the tick and in the status."""

    def __init__(self, control_units: ControlUnits) -> None:
        self.control_units: Final = control_units
        self._t = 0  # [ns] of the last tick

    def stages(self) -> Mapping[Stage, Step]:
        return {"serve": self._serve}

    def _serve(self, t: int, _ready: Ready) -> None:
        self._t = t
        self.control_units.serve(t)

    def rows(self) -> Iterator[tuple[str, UnitRow]]:
        return self.control_units.status(self._t)

    def tester_rows(self) -> Iterator[tuple[str, TesterRow]]:
        """Yield the counters of each control unit's services."""
        return self.control_units.statistics()

    def code_rows(self) -> Iterator[tuple[str, CodesRow]]:
        """Yield the number of trouble codes of each control unit."""
        for unit, memory in self.control_units.troubles.status().items():
            yield unit, memory.counted()

    def trouble_rows(self) -> Iterable[tuple[str, MemoryRow]]:
        """Return the trouble codes of each control unit."""
        return self.control_units.troubles.status().items()

    def take_over(self, before: "DiagnosticsPart") -> None:
        self._t = before._t
        self.control_units.take_over(before.control_units)


class InputsPart(Standing):
    """The sources of inputs and their arbiter in the tick and in the status."""

    def __init__(self, arbiter: Arbiter, sources: Sequence[Source]) -> None:
        self._arbiter: Final = arbiter
        self._sources: Final = sources

    def stages(self) -> Mapping[Stage, Step]:
        return {"sample": self._sample}

    def _sample(self, t: int, _ready: Ready) -> None:
        self._arbiter.sample(t)

    def rows(self) -> Iterator[tuple[str, ControlRow]]:
        return ((row.control, row) for row in self._arbiter.control_states())

    def source_rows(self) -> Iterator[tuple[str, SourceRow]]:
        """Yield each source in the order of the bench file."""
        return ((source.name, source.status()) for source in self._sources)

    def take_over(self, before: "InputsPart") -> None:
        known = {source.name: source for source in before._sources}
        for source in self._sources:
            if source.name in known:
                source.take_over(known[source.name])
        self._arbiter.take_over(before._arbiter)


class ClustersPart(Standing):
    """The clusters behind the buses in the tick and in the status."""

    def __init__(self, clusters: Clusters, data: DataBus) -> None:
        self._clusters: Final = clusters
        self._data: Final = data
        self._t = 0  # [ns] of the last tick

    def stages(self) -> Mapping[Stage, Step]:
        return {"serve": self._serve}

    def _serve(self, t: int, _ready: Ready) -> None:
        self._t = t
        self._clusters.poll(t)

    def rows(self) -> Iterator[tuple[str, ClusterRow]]:
        return self._clusters.status(self._data.channels, self._t)

    def take_over(self, before: "ClustersPart") -> None:
        self._t = before._t
        self._clusters.take_over(before._clusters)


class FaultsPart(Standing):
    """The faults in the tick and in the status; `t` [ns]: when those of the wiring before go on."""

    def __init__(self, injector: Injector, t: int) -> None:
        self._injector: Final = injector
        self._begin: Final = t

    def stages(self) -> Mapping[Stage, Step]:
        return {"begin": self._poll}

    def _poll(self, t: int, _ready: Ready) -> None:
        self._injector.poll(t)

    def rows(self) -> Iterator[tuple[str, FaultRow]]:
        return ((str(row.fault), row) for row in self._injector.status())

    def take_over(self, before: "FaultsPart") -> None:
        self._injector.take_over(before._injector, self._begin)


def built_by_wiring(_context: Context) -> None:
    """Return no part: the wiring builds it."""


def units_need_restart(old: BenchSettings, new: BenchSettings) -> Iterator[KeyPath]:
    """Yield the keys of what is open, or joins the tick, from the start on: ELM327s, the first control unit or node."""
    if old.diagnostics.elm327 != new.diagnostics.elm327:
        yield "diagnostics", "elm327"
    for key in ("units", "j1939"):
        if bool(getattr(old.diagnostics, key)) != bool(getattr(new.diagnostics, key)):
            yield "diagnostics", key


def inputs_need_restart(old: BenchSettings, new: BenchSettings) -> Iterable[KeyPath]:
    """Return the key where other ports are open, or in another order."""
    return () if _ports(old) == _ports(new) else (("inputs",),)


def _ports(settings: BenchSettings) -> list[Hashable]:
    return [one.endpoint for one in settings.inputs if isinstance(one, PORT_INPUTS)]


DIAGNOSTICS: Final = PartKind(
    "units",
    "control unit",
    UnitRow,
    built_by_wiring,
    ("diagnostics",),
    units_need_restart,
    logged="",
    tables={
        "testers": Table("control unit", TesterRow, DiagnosticsPart.tester_rows, logged="diagnostics"),
        "codes": Table("control unit", CodesRow, DiagnosticsPart.code_rows),
        "troubles": Table("control unit", MemoryRow, DiagnosticsPart.trouble_rows, usual=True),
    },
)

INPUTS: Final = PartKind(
    "inputs",
    "control",
    ControlRow,
    built_by_wiring,
    ("inputs",),
    inputs_need_restart,
    logged="",
    listed=True,
    tables={"sources": Table("source", SourceRow, InputsPart.source_rows, logged="inputs")},
)

CLUSTERS: Final = PartKind("cluster", "bus", ClusterRow, built_by_wiring, logged="", usual=False)

FAULTS: Final = PartKind("faults", "fault", FaultRow, built_by_wiring, ("faults",), logged="", listed=True)
