"""What a run is made of before its first tick: wishes of the command line, the clock, shared memory, the dossier."""

import time
from dataclasses import dataclass
from pathlib import Path

from hilbridge import __version__
from hilbridge.bench.bench import Bench
from hilbridge.clock import Clock, RealClock, VirtualClock
from hilbridge.common.units import SECOND
from hilbridge.configuration.benchfile import BenchFile
from hilbridge.configuration.bundle import bundle
from hilbridge.configuration.scenariofile import ScenarioFile
from hilbridge.observe.bench_archive import BenchArchive, archive_of
from hilbridge.observe.events import SNAPSHOT_LAYOUT, About
from hilbridge.observe.rings import Rings
from hilbridge.record import manifest
from hilbridge.record.segments import MEGABYTE, SegmentLimits
from hilbridge.record.state import StateData, encoded, state_path
from hilbridge.settings import BenchSettings
from hilbridge.settings.bench import RecordingSettings


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the command line says about a run. `pace`: times real time, None for as fast as possible.

    A run with a `scenario` and without a `duration` ends with the scenario. `report`: where its JUnit XML goes, `plot`:
    its picture. `seed`: in place of the bench file's.
    """

    pace: float | None = 1.0
    duration: float | None = None
    record: Path | None = None
    scenario: ScenarioFile | None = None
    report: Path | None = None
    plot: Path | None = None
    web: bool = True
    seed: int | None = None

    @property
    def is_virtual(self) -> bool:
        return self.pace is None


def make_clock(settings: BenchSettings, options: RunOptions) -> Clock:
    """The virtual one, or the real one at its pace."""
    duration = None if options.duration is None else round(options.duration * SECOND)
    if options.pace is None:
        return VirtualClock(settings.period, duration)
    return RealClock(settings.period, duration, options.pace)


def make_rings(file: BenchFile, bench: Bench, options: RunOptions, keep: Path | None, kept: StateData) -> Rings:
    """The memory shared with the observer, and the recording's directory when there is to be one.

    `keep` is where the state is stored, `kept` what the run begins with.
    """
    settings = file.settings
    if options.record is not None:
        facts = _facts(file, bench, options) | {"since": 0.0}
        manifest.create(options.record, facts, bundle(file) | {manifest.STATE: encoded(kept)})
    stored = keep or state_path(None, settings.name)
    about = About(
        name=settings.name,
        version=__version__,
        rate=settings.rate,
        started=None if options.is_virtual else time.time_ns(),
        pace=options.pace or 1.0,
        buses=tuple(bench.buses),
        record=None if options.record is None else str(options.record),
        limits=_limits(settings.recording),
        state=None if keep is None else str(keep),
        metrics=None if settings.metrics is None or options.is_virtual else settings.metrics.port,
        home="." if stored is None else str(stored.parent / "recordings"),
    )
    return Rings.create(about.encode(), SNAPSHOT_LAYOUT.size)


def _facts(file: BenchFile, bench: Bench, options: RunOptions) -> manifest.Facts:
    """What the manifest of a recording says of the run."""
    return {
        "bench": file.settings.name,
        "vehicle": file.vehicle.settings.name,
        "rate": file.settings.rate,
        "seed": file.settings.seed,
        "clock": "virtual" if options.is_virtual else "real",
        "buses": list(bench.buses),
    }


def make_bench_archive(file: BenchFile, bench: Bench, options: RunOptions) -> BenchArchive | None:
    """What recordings that begin in mid-run need; where there is no room for it there will be none."""
    try:
        bench_archive = BenchArchive.create(_facts(file, bench, options) | {"software": manifest.software()})
        bench_archive.put(archive_of(bundle(file)))
    except OSError:
        return None
    return bench_archive


def _limits(settings: RecordingSettings) -> SegmentLimits:
    size = None if settings.size is None else settings.size * MEGABYTE
    return SegmentLimits(settings.segment * MEGABYTE, settings.segments, size)
