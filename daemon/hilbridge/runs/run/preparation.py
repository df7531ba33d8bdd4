"""The preparation of a run: options of the command line, clock, shared memory, archive of the bench."""

import time
from dataclasses import dataclass
from pathlib import Path

from hilbridge import __version__
from hilbridge.base.clock import Clock, RealClock, VirtualClock, machine_date
from hilbridge.base.common.units import SECOND
from hilbridge.base.process.last_end import read_last_end
from hilbridge.bench.adapters import with_adapters
from hilbridge.bench.bench import Bench
from hilbridge.boundary.observe.bench_archive import BenchArchive, archive_of
from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT, About, MetricsWay
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.segments import MEGABYTE, SegmentLimits
from hilbridge.boundary.record.state import StateData, encoded, state_path
from hilbridge.faces.fabric.process import check_fabric
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.files.configuration.bundle import bundle
from hilbridge.files.configuration.scenariofile import ScenarioFile
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.bench import MetricsSettings, RecordingSettings
from hilbridge.files.settings.fabric import FabricSettings
from hilbridge.runs.run.measured import measured_layouts


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of a run. `pace`: times real time, None for as fast as possible.

    A run with a `scenario` and without a `duration` ends with the scenario. `reports`: files of its verdicts, with a
    picture if they are `pictured`; `plot`: file of the picture; `command`: what plays it again. `seed` replaces that of
    the bench file. `log`: text or json; None: as the standard output suggests. `waits`: links and ports that are
    missing at the start are awaited; on the virtual clock there are none. `undriven`: the scenario replaces the demo
    driver of the bench, and needs one.
    """

    pace: float | None = 1.0
    duration: float | None = None
    record: Path | None = None
    scenario: ScenarioFile | None = None
    reports: tuple[Path, ...] = ()
    pictured: bool = False
    plot: Path | None = None
    command: str = ""
    web: bool = True
    seed: int | None = None
    log: str | None = None
    fabric: bool = False
    waits: bool = True
    undriven: bool = False

    @property
    def is_virtual(self) -> bool:
        return self.pace is None


def fabric_settings(settings: BenchSettings, options: RunOptions) -> FabricSettings | None:
    """Return how the bench is on the fabric, or None. ConfigurationError: it cannot be."""
    fabric = settings.fabric or (FabricSettings() if options.fabric else None)
    if options.is_virtual or fabric is None:
        return None
    check_fabric(fabric)
    return fabric


def require_secrets(settings: BenchSettings, options: RunOptions) -> None:
    """Raise ConfigurationError if a secret that this run needs was left out when its bench was copied."""
    if options.web and settings.cockpit.enabled and settings.cockpit.token is not None:
        settings.cockpit.token.reveal(("cockpit", "token"))
    if not options.is_virtual:
        _metrics_way(settings.metrics)


def settled(file: BenchFile, options: RunOptions) -> BenchFile:
    """Return the bench with the date at which its run begins, and the kinds of its adapters: a recording has both."""
    if options.is_virtual:
        return file
    file = with_adapters(file)
    settings = file.settings
    if not settings.follows_clock:
        return file
    date = machine_date(settings.time_zone).isoformat(timespec="seconds")
    return file.altered(clock=date, clock_follows=settings.clock_follows or "at-once")


def make_clock(settings: BenchSettings, options: RunOptions) -> Clock:
    """Make the virtual clock, or the real one at its pace."""
    duration = None if options.duration is None else round(options.duration * SECOND)
    if options.pace is None:
        return VirtualClock(settings.period, duration)
    return RealClock(settings.period, duration, options.pace)


def make_rings(
    file: BenchFile, bench: Bench, options: RunOptions, keep: Path | None, kept: StateData, unlocked: str = ""
) -> Rings:
    """Make the memory shared with the observer, and the directory of the recording if one is asked for.

    `keep`: path of the stored state; `kept`: the state that the run begins with; `unlocked`: why it is not written.
    """
    settings = file.settings
    if options.record is not None:
        begin_recording(options.record, _facts(file, bench, options) | {"stored": keep is not None}, file, kept)
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
        unlocked=unlocked,
        log=options.log,
        last_end=None if options.is_virtual else read_last_end(),
        tabled=options.scenario is not None,
        layouts=measured_layouts(bench),
        metrics=None if options.is_virtual else _metrics_way(settings.metrics),
        home=str(Path.cwd() if stored is None else stored.parent / "recordings"),
    )
    return Rings.create(about.encode(), SNAPSHOT_LAYOUT.size)


def begin_recording(directory: Path, facts: manifest.Facts, file: BenchFile, kept: StateData) -> None:
    """Make the directory of a recording from the first tick on; `kept`: the state that the run begins with.

    ConfigurationError: it holds a recording already, or cannot be written to.
    """
    manifest.create(directory, facts | {"since": 0.0}, bundle(file) | {manifest.STATE: encoded(kept)})


def _metrics_way(settings: MetricsSettings | None) -> MetricsWay | None:
    if settings is None:
        return None
    token = None if settings.token is None else settings.token.reveal(("metrics", "token"))
    return MetricsWay(settings.address, settings.port, token)


def _facts(file: BenchFile, bench: Bench, options: RunOptions) -> manifest.Facts:
    return recording_facts(file, bench, "virtual" if options.is_virtual else "real")


def recording_facts(file: BenchFile, bench: Bench, clock: str) -> manifest.Facts:
    """Return the facts of a run for the manifest of a recording; `clock`: virtual or real."""
    return {
        "bench": file.settings.name,
        "vehicle": file.vehicle.settings.name,
        "rate": file.settings.rate,
        "seed": file.settings.seed,
        "clock": clock,
        "buses": list(bench.buses),
    }


def make_bench_archive(file: BenchFile, bench: Bench, options: RunOptions) -> BenchArchive | None:
    """Make the archive that recordings in mid-run and the page need; None: there is no memory for it."""
    try:
        bench_archive = BenchArchive.create(_facts(file, bench, options) | {"software": manifest.software()})
        bench_archive.put(archive_of(bundle(file)))
    except OSError:
        return None
    return bench_archive


def _limits(settings: RecordingSettings) -> SegmentLimits:
    return SegmentLimits(settings.segment * MEGABYTE, settings.segments, settings.size * MEGABYTE)
