"""One run of a bench from start to end: observer, links, real-time set-up, the loop, and the final statistics."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hilbridge import __version__, loop, model_build
from hilbridge.bench.bench import Bench
from hilbridge.bench.connection_log import ConnectionLog
from hilbridge.bench.status import headline
from hilbridge.bench.stored_state import StoredState
from hilbridge.clock import Clock, RealClock
from hilbridge.cockpit.process import CockpitProcess
from hilbridge.common.errors import ConfigurationError
from hilbridge.common.units import MILLISECOND, SECOND
from hilbridge.configuration.benchfile import BenchFile
from hilbridge.configuration.scenariofile import ScenarioFile
from hilbridge.control.dispatcher import Dispatcher
from hilbridge.links.control_socket import ControlSocket
from hilbridge.observe.process import ObserverError, ObserverProcess
from hilbridge.observe.recording_switch import RecordingSwitch
from hilbridge.observe.reporter import Reporter
from hilbridge.process.health import Health
from hilbridge.process.notify import Notifier
from hilbridge.process.realtime import RealTime
from hilbridge.process.signals import Signals
from hilbridge.process.supervised_process import SupervisedProcess
from hilbridge.record.state import load_state, state_path
from hilbridge.reload.reload import Origin, Reload
from hilbridge.run.endpoints import Shared, open_cockpit, open_control_socket, tell_cockpit
from hilbridge.run.preparation import RunOptions, make_bench_archive, make_clock, make_rings
from hilbridge.run.status import RunStatus
from hilbridge.scenario.build import ScenarioContext
from hilbridge.scenario.build import build as build_scenario
from hilbridge.scenario.engine import Scenario
from hilbridge.scenario.player import Player
from hilbridge.scenario.report import Report
from hilbridge.scenario.sampler import Sampler

_LOOK_AROUND: Final = SECOND // 10
"""[ns] of the run between two looks at the observer process."""

_START_TIME: Final = 19
"""Index of the start time among the fields of /proc/self/stat that follow the program's name."""

_HEADLINE: Final = 5 * SECOND
"""[ns] of the run between two lines for `systemctl status`."""

_STOP: Final = b'{"command": "stop"}'

_FINISH: Final = 5.0
"""[s] that the observer may stand still while it writes what is left."""


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
    from hilbridge.run.verdict import announce  # brings rich along, which no tick process has

    prepared.scenario.finish()
    report = Report.of(prepared.scenario, options.scenario)
    announce(options.scenario, report, options.report)
    if options.plot is not None and prepared.course is not None:
        from hilbridge.scenario.plot import plot  # and this one numpy

        plot(options.scenario, prepared.scenario, prepared.course, options.plot)
    return status if report.passed else 1


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
        self._play = Player(lambda: bench.stage(self._obey))
        self.scenario: Scenario | None = None
        self.course: Sampler | None = None
        if options.scenario is not None:
            self._take(options.scenario, bench.stage(self._obey), draws=options.plot is not None)
        self._options = options
        self._bench = bench
        self._memory = StoredState(bench)
        complaints: list[str] = []
        keep = None if options.is_virtual else state_path(file.settings.state, file.settings.name)
        kept = load_state(keep, complaints.append)
        self._memory.restore(kept, complaints.append)
        self._keeps = keep is not None
        self._rings = make_rings(file, bench, options, keep, kept)
        self._reporter = Reporter(self._rings, bench.vehicle.data, list(bench.buses.values()))
        self._bench_archive = bench_archive = None if options.is_virtual else make_bench_archive(file, bench, options)
        self._observer = ObserverProcess(self._rings, self._reporter.events, bench_archive)
        self._clock = make_clock(file.settings, options)
        self._stop = loop.StopRequest()
        self._stopping = False
        self._excused = False
        self._next_look = 0
        self._next_headline = 0
        self._begun: list[int] = []
        self._restarts = 0
        self._health = Health()
        self._notifier = Notifier()
        self._controller = bench.controller(self)
        self._signals = Signals()
        self._real_time = RealTime(file.settings.realtime)
        self._reload = Reload(
            bench, self._reporter, self._notifier, Origin(bench_archive, options.seed), self._against_reload
        )
        self._connections: ConnectionLog | None = None
        self._control: ControlSocket | None = None
        self._cockpit: CockpitProcess | None = None
        self._processes: dict[str, SupervisedProcess] = {"observer": self._observer}
        try:
            self._observer.start()
        except OSError as error:
            raise ConfigurationError(f"the observer process cannot be started: {error.strerror}") from error
        bench.event_log.connect(self._reporter)
        self._recording = RecordingSwitch(self._rings, self._reporter, bench.boundary, bench_archive)
        self._status = RunStatus(
            bench=bench,
            rings=self._rings,
            reporter=self._reporter,
            processes=self._processes,
            reload=self._reload,
            recording=self._recording,
            player=self._play,
        )
        self._turns = max(1, self._clock.wall_period // MILLISECOND)
        self._reception = Dispatcher(self._recording, self._play, self._status.answer, self._obey)
        self._introduce(file, complaints)

    def _take(self, file: ScenarioFile, stage: ScenarioContext, *, draws: bool) -> None:
        """A scenario to be played from the first tick on, and followed if it is to be drawn."""
        self.scenario = build_scenario(file, stage)
        self.course = Sampler(file.settings.steps, stage) if draws else None
        self._play.take(file.name, self.scenario, self.course)

    def execute(self) -> int:
        """The loop, from the first tick to the last word. 0, or 1 if something was lost."""
        self._signals.catch(reloads=not self._options.is_virtual)
        try:
            if self._options.is_virtual:
                self._reporter.events.make_room = self._observer.make_room
            else:
                self._connections = ConnectionLog(self._reporter, self._bench)
                self._connections.introduce()
                self._control = open_control_socket(self._bench, self._connections, self._reporter)
                if self._options.web:
                    shared = Shared(self._rings, self._bench_archive)
                    self._cockpit = open_cockpit(self._bench, shared, self._control, self._reporter)
                    if self._cockpit is not None:
                        self._processes["cockpit"] = self._cockpit
                self._become_real_time()
            loop.run(self._clock, self, self._stop)
        except ObserverError as error:
            sys.stderr.write(f"hilbridge: {error}\n")
            self._observer.finish(lambda: False, 0.0)
            return 1
        except BaseException as error:
            # No END event: the observer writes what there is, and says that the recording is not complete.
            self._reporter.hurry()
            self._reporter.error(self._clock.t, "the run was given up", reason=repr(error))
            raise
        finally:
            self._notifier.stopping()
            self._real_time.undo()
            self._reload.close()
            if self._cockpit is not None:
                self._cockpit.close()
            if self._control is not None:
                self._control.close()
            self._bench.close()
        end = max(self._clock.t, 0)
        if self._keeps:
            self._reporter.state(end, self._memory.state())
        written = self._observer.finish(lambda: self._reporter.end(end, self._status.statistics()), _FINISH)
        if not written:
            sys.stderr.write(f"hilbridge: the observer stood still for {_FINISH:g} s, twice: the rest is lost\n")
        return 0 if written and not self._rings.bookmarks.incomplete[0] else 1

    def sample(self, t: int) -> None:
        """Begins the tick."""
        missed = self._clock.missed
        if missed:
            self._bench.boundary.missed(t, missed)
        self._excused = self._reload.excuse(missed)
        if self._excused:
            self._reporter.missed -= missed  # which are about to be added there
        self._bench.sample(t)

    def write(self, clock: Clock) -> None:
        """Ends the tick."""
        if self._connections is not None:
            self._connections.write(clock)
        self._reporter.tick(clock.t, clock.missed, clock.lateness)
        if not self._options.is_virtual:
            if not self._excused:
                self._rings.lateness.record(clock.lateness + clock.missed * clock.wall_period)
                self._rings.step_time.record(clock.busy)
                for waited in self._begun:  # in the tick before, which is the one that was busy
                    self._rings.answer_time.record(waited * clock.wall_period + clock.busy)
            self._begun = self._bench.servers.begun()
            control = self._control
            if control is not None and (control.is_busy or control.descriptor in self._bench.ready):
                control.poll(self._receive, self._turns)
            if clock.t >= self._next_look:
                self._look_around(clock.t)
            if self._reload.building and not self._stopping and self._reload.build(clock.t):
                self._take_up()
        self._play.advance(clock.t)
        if self.scenario is not None and self.scenario.over and self._options.duration is None:
            self._stop.requested = True
        self._heed_signals(clock.t)
        if self._bench.is_shut_down(clock.t):
            self._stop.requested = True

    def _heed_signals(self, t: int) -> None:
        """The first signal that asks for the end is obeyed, and recorded, as a command is."""
        signals = self._signals
        if signals.stops and not self._stopping:
            self._obey(_STOP)
        if signals.stops > 1:
            self._stop.requested = True
        if signals.reload:
            signals.reload = False
            self.request_reload()
        if signals.sleepless:
            signals.sleepless = False
            if self._real_time.step_down():
                reason = "the tick has not slept for a second: it lets no other program work"
                self._reporter.error(t, "real-time class given up", reason=reason, remedy="a lower rate or pace")
        if signals.statistics:
            signals.statistics = False
            self._reporter.statistics(t, self._status.statistics())

    def _look_around(self, t: int) -> None:
        """Some ten times a second; the first time is after the first tick, when the bench is ready."""
        if self._next_look == 0:
            if isinstance(self._clock, RealClock):
                self._rings.origin[0] = self._clock.origin
            self._reporter.info(t, "ready", start_up_ms=_age_of_process())
            self._notifier.ready(headline(self._bench, self._reporter.missed))
        self._next_look = t + _LOOK_AROUND
        self._observer.poll(t)
        if self._cockpit is not None:
            self._cockpit.poll(t)
        if not self._stopping:
            self._reload.poll(t)
        if self._keeps and self._memory.due(t):
            self._reporter.state(t, self._memory.state())
        if self._health.is_good(self._reporter.ticks, self._reporter.missed):
            self._notifier.alive()
        if self._notifier.listening and t >= self._next_headline:
            self._next_headline = t + _HEADLINE
            self._notifier.status(headline(self._bench, self._reporter.missed))
        if self._bench.settings.metrics is not None:
            self._reporter.tally(t, *self._status.next_measured())
        if self._observer.restarts != self._restarts:
            self._restarts = self._observer.restarts
            self._reporter.warning(t, "observer restarted", times=self._restarts)

    def _take_up(self) -> None:
        """The bench has adopted another configuration."""
        self._controller = self._bench.controller(self)
        if self._cockpit is not None and self._bench_archive is not None:
            tell_cockpit(self._cockpit, self._bench, self._bench_archive)

    def _receive(self, line: bytes) -> bytes | Iterator[bytes]:
        return self._reception.handle(line, self._clock.t)

    def _obey(self, line: bytes) -> bytes:
        self._bench.boundary.command(self._clock.t, line)
        return self._controller.handle(line, self._clock.t)

    def request_stop(self) -> None:
        """Ends the run when every bus has shown that the ignition is off and has fallen silent."""
        if not self._stopping:
            self._stopping = True
            self._notifier.stopping()
            self._reporter.info(self._clock.t, "stopping")
            self._bench.shut_down(self._clock.t)

    def _against_reload(self) -> str:
        return "a scenario is played, which was made for this configuration" if self._play.is_on else ""

    def request_reload(self) -> None:
        """Reads the bench file anew, and goes on with it if it can be."""
        self._reload.request()

    def _introduce(self, file: BenchFile, complaints: list[str]) -> None:
        self._reporter.info(
            0,
            f"hilbridge {__version__}",
            bench=file.settings.name,
            vehicle=file.vehicle.settings.name,
            rate_hz=file.settings.rate,
            model=model_build.describe(),
        )
        for warning in self._bench.warnings():
            self._reporter.warning(0, "frame plan", warning=warning)
        for complaint in complaints:
            self._reporter.warning(0, "stored state", reason=complaint)

    def _become_real_time(self) -> None:
        """What is granted in one line, each that is refused in a line of its own with its remedy."""
        outcomes = self._real_time.set_up()
        spin = self._bench.settings.realtime.spin
        granted = {one.step.replace(" ", "_"): one.detail for one in outcomes if one.granted}
        self._reporter.info(0, "real time", **granted, **({"spin": f"{spin} us"} if spin else {}))
        for one in outcomes:
            if not one.granted:
                self._reporter.warning(0, "real time refused", step=one.step, reason=one.detail, remedy=one.remedy)


def _age_of_process() -> float:
    """[ms] since the kernel started this process, in steps of a clock tick (usually 10 ms); see proc(5)."""
    fields = Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    started = int(fields[_START_TIME]) / os.sysconf("SC_CLK_TCK")
    return round(1000 * (time.clock_gettime(time.CLOCK_BOOTTIME) - started), 0)
