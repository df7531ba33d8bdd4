"""One run of a bench from start to end: observer, links, real-time set-up, the loop, and the final statistics."""

import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

from hilbridge import __version__, build, loop
from hilbridge.app import Bench
from hilbridge.clock import Clock, RealClock, VirtualClock
from hilbridge.cockpit.facts import facts_of
from hilbridge.cockpit.process import CockpitProcess
from hilbridge.configuration.benchfile import BenchFile
from hilbridge.configuration.bundle import bundle
from hilbridge.configuration.scenariofile import ScenarioFile
from hilbridge.control.commands import Part
from hilbridge.control.controller import Controller
from hilbridge.control.places import private, socket_path
from hilbridge.errors import LinkError
from hilbridge.health import Health
from hilbridge.links.control_socket import ControlSocket
from hilbridge.memory import Memory
from hilbridge.notify import Notifier
from hilbridge.observe.events import SNAPSHOT_LAYOUT, About
from hilbridge.observe.process import ObserverError, ObserverProcess
from hilbridge.observe.reporter import Reporter
from hilbridge.observe.rings import Rings
from hilbridge.overview import overview
from hilbridge.realtime import RealTime
from hilbridge.record import manifest
from hilbridge.record.segments import MEGABYTE, Limits
from hilbridge.record.state import State, encoded, load_state, state_path
from hilbridge.scenario.build import build as build_scenario
from hilbridge.settings import NANOSECONDS
from hilbridge.settings.recording import RecordingSettings
from hilbridge.statistics import Histogram

_LOOK_AROUND: Final = NANOSECONDS // 10
"""[ns] of the run between two looks at the observer process."""

_START_TIME: Final = 19
"""Index of the start time among the fields of /proc/self/stat that follow the program's name."""

_FINISH: Final = 30.0
"""[s] that the observer has to write what is left."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the command line says about a run. `pace`: times real time, None for as fast as possible.

    A run with a `scenario` and without a `duration` ends with the scenario. `report`: where its JUnit XML goes.
    """

    pace: float | None = 1.0
    duration: float | None = None
    record: Path | None = None
    scenario: ScenarioFile | None = None
    report: Path | None = None
    web: bool = True

    @property
    def is_virtual(self) -> bool:
        return self.pace is None


def run(file: BenchFile, options: RunOptions) -> int:
    """Runs a bench until its duration or its scenario is over, or SIGINT or SIGTERM asks for the end.

    0, or 1 if something was lost or the scenario failed.

    ConfigurationError before the first tick.
    """
    bench = Bench(file)
    if options.is_virtual:
        bench.open_nothing()
    else:
        bench.open()
    try:
        prepared = Run(file, options, bench)
    except BaseException:
        bench.close()
        raise
    status = prepared.execute()
    if options.scenario is None or prepared.scenario is None:
        return status
    from hilbridge.verdict import announce  # brings rich along, which no tick process has

    prepared.scenario.finish()
    announce(options.scenario, prepared.scenario, options.report)
    return status if prepared.scenario.passed else 1


class Run:
    """The stages of the tick are the bench's; added to them is what the process itself needs.

    That is: histograms of lateness and step time, an observer that is looked after, the control socket, the service
    manager's watchdog, statistics on SIGUSR1.
    """

    def __init__(self, file: BenchFile, options: RunOptions, bench: Bench) -> None:
        """Starts the observer; from here on everything that is said goes through it."""
        self.step = bench.step
        self.serve = bench.serve
        self.publish = bench.publish
        self.scenario = None
        if options.scenario is not None:
            self.scenario = build_scenario(options.scenario, bench.stage(self._obey))
        self._options = options
        self._bench = bench
        self._memory = Memory(bench)
        complaints: list[str] = []
        keep = None if options.is_virtual else state_path(file.settings.state, file.settings.name)
        kept = load_state(keep, complaints.append)
        self._memory.restore(kept, complaints.append)
        self._keeps = keep is not None
        self._rings = _rings(file, bench, options, keep, kept)
        self._reporter = Reporter(self._rings, bench.vehicle.data, list(bench.buses.values()))
        self._observer = ObserverProcess(self._rings, self._reporter.events)
        self._clock = _clock(file.settings.period, options)
        self._stop = loop.StopRequest()
        self._statistics_wanted = False
        self._next_look = 0
        self._restarts = 0
        self._health = Health()
        self._notifier = Notifier()
        self._controller = Controller(self, bench.holds, bench.gates, bench.faults, bench.servers.troubles)
        self._control: ControlSocket | None = None
        self._cockpit: CockpitProcess | None = None
        self._observer.start()
        bench.journal.reporter = self._reporter
        if options.record is not None:
            bench.boundary.put = self._reporter.events.put
            for bus in bench.buses.values():
                bus.tap = bench.boundary.frame
        self._introduce(file)
        for complaint in complaints:
            self._reporter.warning(0, "stored state", reason=complaint)

    def execute(self) -> int:
        """The loop, from the first tick to the last word. 0, or 1 if something was lost."""
        real_time = RealTime()
        self._catch_signals()
        try:
            if self._options.is_virtual:
                self._reporter.events.make_room = self._observer.make_room
            else:
                self._bench.announce_ways()
                self._open_control_socket()
                self._open_cockpit()
                self._become_real_time(real_time)
            loop.run(self._clock, self, self._stop)
        except ObserverError as error:
            sys.stderr.write(f"hilbridge: {error}\n")
            self._observer.finish(lambda: False, 0.0)
            return 1
        except BaseException as error:
            # No END event: the observer writes what there is, and says that the recording is not complete.
            self._reporter.error(self._clock.t, "the run was given up", reason=repr(error))
            raise
        finally:
            self._notifier.stopping()
            real_time.undo()
            if self._cockpit is not None:
                self._cockpit.close()
            if self._control is not None:
                self._control.close()
            self._bench.close()
        end = max(self._clock.t, 0)
        if self._keeps:
            self._reporter.state(end, self._memory.state())
        written = self._observer.finish(lambda: self._reporter.end(end, self.statistics()), _FINISH)
        return 0 if written and not self._rings.bookmarks.incomplete[0] else 1

    def sample(self, t: int) -> None:
        """Begins the tick."""
        self._bench.boundary.missed(t, self._clock.missed)
        self._bench.sample(t)

    def write(self, clock: Clock) -> None:
        """Ends the tick."""
        self._bench.write(clock)
        if not self._options.is_virtual:
            self._rings.lateness.record(clock.lateness + clock.missed * clock.wall_period)
            self._rings.step_time.record(clock.busy)
            if self._control is not None:
                self._control.poll(self._obey)
            if clock.t >= self._next_look:
                self._look_around(clock.t)
        if self.scenario is not None and self.scenario.advance(clock.t) and self._options.duration is None:
            self.request_stop()
        if self._statistics_wanted:
            self._statistics_wanted = False
            self._reporter.info(clock.t, "statistics", **self.statistics())

    def statistics(self) -> dict[str, Any]:
        """Counters and punctuality so far; on the virtual clock there is no such thing as lateness."""
        punctuality = {
            "lateness_us": _microseconds(self._rings.lateness),
            "tick_us": _microseconds(self._rings.step_time),
        }
        return {
            "ticks": self._reporter.ticks,
            "missed_ticks": self._reporter.missed,
            **({} if self._options.is_virtual else punctuality),
            **self._bench.statistics(),
            "observer": {"restarts": self._observer.restarts, "events_lost": self._reporter.events.lost},
        }

    def _look_around(self, t: int) -> None:
        """Some ten times a second; the first time is after the first tick, when the bench is ready."""
        if self._next_look == 0:
            self._reporter.info(t, "ready", start_up_ms=_age_of_process())
            self._notifier.ready(f"bench {self._bench.settings.name}, {self._bench.settings.rate} ticks/s")
        self._next_look = t + _LOOK_AROUND
        self._observer.poll()
        if self._cockpit is not None:
            self._cockpit.poll()
        if self._keeps and self._memory.due(t):
            self._reporter.state(t, self._memory.state())
        if self._health.is_good(self._reporter.ticks, self._reporter.missed):
            self._notifier.alive()
        if self._observer.restarts != self._restarts:
            self._restarts = self._observer.restarts
            self._reporter.warning(t, "observer restarted", times=self._restarts)

    def _obey(self, line: bytes) -> bytes:
        self._bench.boundary.command(self._clock.t, line)
        return self._controller.handle(line, self._clock.t)

    def status(self, parts: Sequence[Part]) -> dict[str, Any]:
        """How the run is, for whoever asks through the control socket."""
        told = self.statistics() if "statistics" in parts else {}
        return told | overview(self._bench, parts)

    def request_stop(self) -> None:
        """Ends the run after the tick at hand."""
        self._stop.requested = True

    def _open_control_socket(self) -> None:
        """A bench runs without one too: where it cannot be made, or another bench of this name has it."""
        settings = self._bench.settings.control
        if not settings.enabled:
            return
        try:
            path = Path(settings.socket) if settings.socket is not None else socket_path(self._bench.settings.name)
            if settings.socket is None:
                private(path.parent)
            self._control = ControlSocket(path, int(settings.mode, 8))
        except (LinkError, OSError) as error:
            self._reporter.warning(0, "control socket not open", reason=str(error), remedy="control: {socket: PATH}")
        else:
            self._reporter.info(0, "control socket open", path=str(path))

    def _open_cockpit(self) -> None:
        """A bench runs without a page too: where its address cannot be had, or what it is made with is missing."""
        settings = self._bench.settings.cockpit
        if not settings.enabled or not self._options.web:
            return
        control = None if self._control is None else self._control.path
        facts = facts_of(self._bench.settings, self._bench.vehicle.settings, self._bench.servers.troubles.codes())
        try:
            self._cockpit = CockpitProcess(settings, self._rings, control, facts)
            self._cockpit.start()
        except (LinkError, OSError) as error:
            self._reporter.warning(0, "cockpit not open", reason=str(error))
        else:
            self._reporter.info(0, "cockpit", url=self._cockpit.url)

    def _introduce(self, file: BenchFile) -> None:
        self._reporter.info(
            0,
            f"hilbridge {__version__}",
            bench=file.settings.name,
            vehicle=file.vehicle.settings.name,
            rate_hz=file.settings.rate,
            model=build.describe(),
        )
        for warning in self._bench.warnings():
            self._reporter.warning(0, "frame plan", warning=warning)

    def _become_real_time(self, real_time: RealTime) -> None:
        """What is granted in one line, each that is refused in a line of its own with its remedy."""
        outcomes = real_time.set_up()
        self._reporter.info(0, "real time", granted=", ".join(one.step for one in outcomes if one.granted) or "nothing")
        for one in outcomes:
            if not one.granted:
                self._reporter.warning(0, "real time refused", step=one.step, reason=one.detail, remedy=one.remedy)

    def _catch_signals(self) -> None:
        """SIGINT, SIGTERM and SIGHUP end the run after the tick at hand; SIGUSR1 asks for the statistics."""

        def request_stop(_number: int, _frame: FrameType | None) -> None:
            self.request_stop()

        def request_statistics(_number: int, _frame: FrameType | None) -> None:
            self._statistics_wanted = True

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup means it
                signal.signal(number, request_stop)
        signal.signal(signal.SIGUSR1, request_statistics)


def _clock(period: int, options: RunOptions) -> Clock:
    if options.pace is None:
        return VirtualClock(period, None if options.duration is None else _nanoseconds(options.duration))
    return RealClock(period, None if options.duration is None else _nanoseconds(options.duration), options.pace)


def _rings(file: BenchFile, bench: Bench, options: RunOptions, keep: Path | None, kept: State) -> Rings:
    """The memory shared with the observer, and the recording's directory when there is to be one.

    `keep` is where the state is stored, `kept` what the run begins with.
    """
    settings = file.settings
    if options.record is not None:
        facts = {
            "bench": settings.name,
            "vehicle": file.vehicle.settings.name,
            "rate": settings.rate,
            "seed": settings.seed,
            "clock": "virtual" if options.is_virtual else "real",
            "buses": list(bench.buses),
        }
        manifest.create(options.record, facts, bundle(file) | {manifest.STATE: encoded(kept)})
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
    )
    return Rings.create(about.encode(), SNAPSHOT_LAYOUT.size)


def _limits(settings: RecordingSettings) -> Limits:
    size = None if settings.size is None else settings.size * MEGABYTE
    return Limits(settings.segment * MEGABYTE, settings.segments, size)


def _age_of_process() -> float:
    """[ms] since the kernel started this process, in steps of a clock tick (usually 10 ms); see proc(5)."""
    fields = Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    started = int(fields[_START_TIME]) / os.sysconf("SC_CLK_TCK")
    return round(1000 * (time.clock_gettime(time.CLOCK_BOOTTIME) - started), 0)


def _nanoseconds(seconds: float) -> int:
    return round(seconds * NANOSECONDS)


def _microseconds(histogram: Histogram) -> dict[str, float]:
    return {name: round(value / 1000, 1) for name, value in histogram.summary().items()}
