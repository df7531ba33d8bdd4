"""One run of a bench from start to end: observer, links, real-time set-up, the loop, and the final statistics."""

import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

from hilbridge import __version__, build, loop
from hilbridge.app import Bench
from hilbridge.configuration.benchfile import BenchFile
from hilbridge.clock import Clock, RealClock, VirtualClock
from hilbridge.observe.events import SNAPSHOT_LAYOUT, About
from hilbridge.observe.process import ObserverError, ObserverProcess
from hilbridge.observe.reporter import Reporter
from hilbridge.observe.rings import Rings
from hilbridge.realtime import RealTime
from hilbridge.record import manifest
from hilbridge.settings import NANOSECONDS
from hilbridge.statistics import Histogram

_LOOK_AFTER: Final = NANOSECONDS // 10
"""[ns] of the run between two looks at the observer process."""

_FINISH: Final = 30.0
"""[s] that the observer has to write what is left."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the command line says about a run. `pace`: times real time, None for as fast as possible."""

    pace: float | None = 1.0
    duration: float | None = None
    record: Path | None = None

    @property
    def is_virtual(self) -> bool:
        return self.pace is None


class Stages:
    """The bench's tick, with what the process itself needs: histograms, the observer looked after, SIGUSR1."""

    def __init__(self, bench: Bench, rings: Rings, observer: ObserverProcess, reporter: Reporter) -> None:
        self.sample = bench.sample
        self.step = bench.step
        self.serve = bench.serve
        self.publish = bench.publish
        self.statistics_wanted = False
        self._bench = bench
        self._rings = rings
        self._observer = observer
        self._reporter = reporter
        self._next_look = 0
        self._restarts = 0
        self._real = True

    def for_virtual_clock(self) -> None:
        """Nothing is late there, and looking at the observer is part of waiting for room."""
        self._real = False

    def write(self, clock: Clock) -> None:
        """Ends the tick."""
        self._bench.write(clock)
        if self._real:
            self._rings.lateness.record(clock.lateness + clock.missed * clock.period)
            self._rings.step_time.record(clock.busy)
            if clock.t >= self._next_look:
                self._next_look = clock.t + _LOOK_AFTER
                self._look_after_observer(clock.t)
        if self.statistics_wanted:
            self.statistics_wanted = False
            self._reporter.info(clock.t, "statistics", **self.statistics())

    def _look_after_observer(self, t: int) -> None:
        self._observer.poll()
        if self._observer.restarts != self._restarts:
            self._restarts = self._observer.restarts
            self._reporter.warning(t, "observer restarted", times=self._restarts)

    def statistics(self) -> dict[str, Any]:
        """Counters and punctuality so far."""
        return {
            "ticks": self._reporter.ticks,
            "missed_ticks": self._reporter.missed,
            "lateness_us": _microseconds(self._rings.lateness),
            "tick_us": _microseconds(self._rings.step_time),
            **self._bench.statistics(),
            "observer": {"restarts": self._observer.restarts, "events_lost": self._reporter.events.lost},
        }


def run(file: BenchFile, options: RunOptions) -> int:
    """Runs a bench until its duration is over or SIGINT or SIGTERM asks for the end. 0, or 1 if something was lost.

    ConfigurationError or LinkError before the first tick.
    """
    bench = Bench(file)
    if options.is_virtual:
        bench.open_nothing()
    else:
        bench.open()
    try:
        rings = _rings(file, bench, options)
        reporter = Reporter(rings, bench.vehicle.data, list(bench.buses.values()))
        observer = ObserverProcess(rings, reporter.events)
        observer.start()
    except BaseException:
        bench.close()
        raise
    bench.journal.reporter = reporter
    if options.record is not None:
        for bus in bench.buses.values():
            bus.tap = reporter.frame

    stages = Stages(bench, rings, observer, reporter)
    stop = loop.StopRequest()
    clock: Clock
    if options.is_virtual:
        stages.for_virtual_clock()
        reporter.events.make_room = observer.make_room
        clock = VirtualClock(file.settings.period, _nanoseconds(options.duration))
    else:
        duration = None if options.duration is None else _nanoseconds(options.duration)
        clock = RealClock(file.settings.period, duration, options.pace or 1.0)
    _announce(file, bench)
    if not options.is_virtual:
        bench.announce_ways()
    _catch_signals(stop, stages)

    real_time = RealTime()
    if not options.is_virtual:
        _become_real_time(real_time, reporter)
    complete = False
    try:
        loop.run(clock, stages, stop)
        complete = True
    except ObserverError as error:
        print(f"hilbridge: {error}", file=sys.stderr)
    finally:
        real_time.undo()
        bench.close()
        ended = max(clock.t, 0)
        written = observer.finish(lambda: reporter.end(ended, stages.statistics()), _FINISH)
    return 0 if complete and written and (options.record is None or not reporter.events.lost) else 1


def _rings(file: BenchFile, bench: Bench, options: RunOptions) -> Rings:
    """The memory shared with the observer, and the recording's directory when there is to be one."""
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
        manifest.create(options.record, facts)
    about = About(
        name=settings.name,
        version=__version__,
        rate=settings.rate,
        started=None if options.is_virtual else time.time_ns(),
        buses=tuple(bench.buses),
        record=None if options.record is None else str(options.record),
    )
    return Rings.create(about.encode(), SNAPSHOT_LAYOUT.size)


def _announce(file: BenchFile, bench: Bench) -> None:
    bench.journal.info(
        0,
        f"hilbridge {__version__}",
        bench=file.settings.name,
        vehicle=file.vehicle.settings.name,
        rate_hz=file.settings.rate,
        model=build.describe(),
    )


def _become_real_time(real_time: RealTime, reporter: Reporter) -> None:
    """Each step that is granted in one line, each that is refused in a line of its own with its remedy."""
    outcomes = real_time.set_up()
    granted = {outcome.step.replace(" ", "_"): outcome.detail for outcome in outcomes if outcome.granted}
    reporter.info(0, "real time", **granted)
    for outcome in outcomes:
        if not outcome.granted:
            reporter.warning(0, "real time refused", step=outcome.step, reason=outcome.detail, remedy=outcome.remedy)


def _catch_signals(stop: loop.StopRequest, stages: Stages) -> None:
    """SIGINT and SIGTERM end the run after the tick at hand; SIGUSR1 asks for the statistics."""

    def request_stop(number: int, frame: FrameType | None) -> None:
        stop.requested = True

    def request_statistics(number: int, frame: FrameType | None) -> None:
        stages.statistics_wanted = True

    signal.signal(signal.SIGINT, request_stop)
    signal.signal(signal.SIGTERM, request_stop)
    signal.signal(signal.SIGUSR1, request_statistics)


def _nanoseconds(seconds: float | None) -> int:
    return round((seconds or 0.0) * NANOSECONDS)


def _microseconds(histogram: Histogram) -> dict[str, float]:
    return {
        name: round(histogram.percentile(percent) / 1000, 1)
        for name, percent in (("p50", 50.0), ("p99", 99.0), ("p99_9", 99.9), ("max", 100.0))
    }
