"""The FMUs of a bench as a part: a row for each.

Their sources are among those of the arbiter; their answers come in with the bytes of the inputs, which are recorded.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Annotated, Final, NamedTuple

from hilbridge.base.common.errors import ErrorCollector, KeyPath
from hilbridge.base.common.rows import Family, counter, fact, gauge, trouble_fact
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.base.common.words import counted
from hilbridge.bench.fmu.values import FmuValues
from hilbridge.bench.parts.part import Context, PartKind, Stage, Step
from hilbridge.boundary.links.poller import Ready
from hilbridge.files.settings import BenchSettings

EVENTS: Final = Family("fmu_events_total", "What an FMU counts", ("fmu", "event"))

_COLUMNS: Final = {"answers": "answers", "late": "late", "skipped": "late", "limited": "limited"}


class FmuRow(NamedTuple):
    """The status of an FMU; `late`: ticks without the answer that was due, `skipped`: steps that it never made."""

    file: Annotated[str, fact("file")]
    trouble: Annotated[str, trouble_fact("state", Family("fmu_up", "Whether an FMU works", ("fmu",)))]
    step: Annotated[float, gauge("step", Family("fmu_step_seconds", "From one exchange to the next", ("fmu",)), "s")]
    counters: Annotated[Mapping[str, int], counter(_COLUMNS, EVENTS)]


class FmuPart:
    """The FMUs in their tick and their status, by name."""

    def __init__(self, fmus: Mapping[str, FmuValues]) -> None:
        self.fmus: Final = fmus

    def stages(self) -> Mapping[Stage, Step]:
        return {"publish": self._publish}

    def _publish(self, t: int, _ready: Ready) -> None:
        for one in self.fmus.values():
            one.publish(t)

    def rows(self) -> Iterator[tuple[str, FmuRow]]:
        for name, one in self.fmus.items():
            counts = {"answers": one.answers, "late": one.late, "skipped": one.skipped, "limited": one.source.limited}
            yield name, FmuRow(PurePath(one.settings.file).name, one.lost, one.step / SECOND, counts)

    def describe(self) -> Mapping[str, str]:
        return {name: _described(one) for name, one in self.fmus.items()}

    def doubts(self) -> Iterator[str]:
        for name, one in self.fmus.items():
            if one.results:
                replaced = counted(len(one.results), "computed entry", "computed entries")
                yield f"fmu.{name}: writes {replaced}; all others are of the built-in vehicle, which goes on behind it"

    def take_over(self, before: "FmuPart") -> None:
        for name, one in self.fmus.items():
            if name in before.fmus:
                one.take_over(before.fmus[name])


def _described(one: FmuValues) -> str:
    reads, writes = counted(len(one.settings.reads), "input"), counted(len(one.settings.writes), "output")
    return f"{PurePath(one.settings.file).name}: {reads}, {writes}, each {one.step / MILLISECOND:g} ms; one step late"


def build(context: Context) -> FmuPart | None:
    """Return the FMUs of a bench, None without. ConfigurationError, with the key path: see FmuValues."""
    if not context.settings.fmu:
        return None
    errors = ErrorCollector()
    fmus = {}
    for name, one in context.settings.fmu.items():
        with errors.attempt():
            fmus[name] = FmuValues(name, one, context.data, context.settings.period)
    errors.verdict()
    return FmuPart(fmus)


def needs_restart(old: BenchSettings, new: BenchSettings) -> Iterable[KeyPath]:
    """Return the key where anything of the section differs: a process has been started by it."""
    return () if old.fmu == new.fmu else (("fmu",),)


KIND: Final[PartKind] = PartKind("fmu", "FMU", FmuRow, build, ("fmu",), needs_restart)
