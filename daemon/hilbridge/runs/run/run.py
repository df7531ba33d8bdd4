"""One run of a bench from start to end: prepare, open, introduce, loop, close, finish.

`Run` adds to the stages of the tick, which are the bench's, what the process itself does: commands, signals, reloads,
and ten times a second the supervision of everything that is slower than a tick.
"""

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Final

from hilbridge import __version__
from hilbridge.base import model_build
from hilbridge.base.clock import Clock, RealClock, StopRequest
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.base.process.signals import Signals
from hilbridge.bench.adapters import settle_adapters
from hilbridge.bench.bench import Bench
from hilbridge.bench.scenario.player import Player
from hilbridge.boundary.control.dispatcher import Dispatcher
from hilbridge.boundary.control.lines import encode_command
from hilbridge.boundary.fmu.opening import require_fmus
from hilbridge.boundary.links.control_socket import is_served
from hilbridge.boundary.lockstep.lockstep import Lockstep
from hilbridge.boundary.lockstep.program import Event
from hilbridge.boundary.observe.events import LogLevel
from hilbridge.boundary.observe.process import ObserverError
from hilbridge.boundary.record.manifest import require_free
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.runs import loop
from hilbridge.runs.reload.reload import Reload
from hilbridge.runs.run.endpoints import Endpoints, control_path
from hilbridge.runs.run.idle_time import IdleTime
from hilbridge.runs.run.machine_clock import MachineClock
from hilbridge.runs.run.observation import Observation
from hilbridge.runs.run.overload import Overload
from hilbridge.runs.run.preparation import RunOptions, fabric_settings, make_clock, require_secrets, settled
from hilbridge.runs.run.realtime import RealTime
from hilbridge.runs.run.scenario import UNDRIVEN, RunScenario
from hilbridge.runs.run.service import ServiceReport
from hilbridge.runs.run.status import RunStatus
from hilbridge.runs.run.virtual import VirtualStages

_SUPERVISION: Final = SECOND // 10
"""[ns] of the run between two rounds of supervision."""

_STOP: Final = b'{"command": "stop"}'

_OF_FIRMWARE: Final[dict[Event, LogLevel]] = {
    "firmware": LogLevel.INFO,
    "sanitizer": LogLevel.ERROR,
    "firmware process": LogLevel.WARNING,
}

_LONGEST_END: Final = 5.0
"""[s] of the processor for the end of a run after a signal; then it ends with the tick at hand."""


def run(file: BenchFile, options: RunOptions) -> int:
    """Run a bench until its duration or its scenario is over, or until SIGINT or SIGTERM; return the exit status.

    0, or 1 if something was lost or the scenario failed. ConfigurationError before the first tick.
    """
    if options.record is not None:
        require_free(options.record)  # before a program of lockstep runs, or a port is open
    file = settled(file, options)
    if file.settings.lockstep and not options.is_virtual:
        words = "in real time nothing waits for a client: leave out --pace X, say --clock virtual"
        raise ConfigurationError(words, ("lockstep",))
    require_fmus(file.settings)
    require_secrets(file.settings, options)
    bench, lockstep = Bench(file), Lockstep()
    if options.is_virtual:
        lockstep = Lockstep.open(file.settings, file.path.parent)
        bench.connect(lockstep.link, lockstep.input_port, None, lockstep.output_port)
    else:
        _open(bench, waits=options.waits)
    try:
        prepared = Run(file, options, bench, lockstep)
    except BaseException:
        bench.close()
        raise
    status = prepared.execute()
    if prepared.scenario is None or prepared.scenario.conclude(options):
        return status
    return 1


def _open(bench: Bench, *, waits: bool) -> None:
    """Open the endpoints of a bench.

    ConfigurationError: one cannot be opened; that a bench of this name runs already is in the words.
    """
    try:
        bench.open(waits=waits)
    except ConfigurationError as error:
        control = bench.settings.control
        with contextlib.suppress(OSError):  # a file that is no socket is reported where the socket is made
            if control.enabled and is_served(control_path(bench.settings)):
                words = f"the bench {bench.settings.name} is running already: {error.message}"
                raise ConfigurationError(words, error.place, may_pass=True) from error
        raise


class Run:
    """A run of one bench, which is open already."""

    def __init__(self, file: BenchFile, options: RunOptions, bench: Bench, lockstep: Lockstep) -> None:
        """Prepare the run, start the observer, and introduce the run in the log. ConfigurationError: see the parts."""
        self._options: Final = options
        self._fabric: Final = fabric_settings(file.settings, options)
        self._is_virtual: Final = options.is_virtual
        self._bench: Final = bench
        self._lockstep: Final = lockstep
        self.step = bench.step
        self.serve = bench.serve
        self.publish = bench.publish

        self._player: Final = Player(lambda: bench.scenario_context(self._obey))
        self.scenario: Final = self._build_scenario()
        self._observation: Final = Observation(file, bench, options)
        self._reporter: Final = self._observation.reporter
        self._service: Final = ServiceReport(bench, self._reporter, self._trouble)
        self._endpoints: Final = Endpoints(bench, self._observation)
        self._reload: Final = Reload(
            bench,
            self._reporter,
            self._service.notifier,
            bench_archive=self._observation.bench_archive,
            seed=options.seed,
            forbidden=self._reason_against_reload,
            line=self._service.line,
        )
        self._machine_clock: Final = MachineClock(bench, self._reporter, self._set_date)
        self._follows_machine: Final = options.pace == 1.0
        self._clock: Final = make_clock(file.settings, options)
        self._idle_time: Final = IdleTime(bench, self._observation.rings.answer_time)
        if isinstance(self._clock, RealClock):
            self._clock.idle = self._idle_time.spend
        self._catch_up: Final = loop.CatchUp(file.settings.period)
        self._overload: Final = Overload(self._reporter, self._catch_up, file.settings.period)
        self._status: Final = RunStatus(
            clock=self._clock,
            bench=bench,
            observation=self._observation,
            endpoints=self._endpoints,
            overload=self._overload,
            reload=self._reload,
            player=self._player,
            troubles=self._troubles,
        )
        self._command_handler = bench.command_handler(self)
        self._dispatcher: Final = Dispatcher(self._observation.recording, self._player, self._status.answer, self._obey)

        self._signals: Final = Signals()
        self._real_time: Final = RealTime(file.settings.realtime)
        self._stop: Final = StopRequest()
        self._stopping = False
        self._ended_by = 0.0  # [s of the processor]
        self._excused = False  # the ticks missed before the one at hand were missed for a reload
        self._next_supervision = 0  # [ns]

        self._observation.process.wants_end = lambda: self._signals.stops > 1
        self._observation.start(waits=options.is_virtual)
        self._introduce(file)

    def execute(self) -> int:
        """Open the endpoints, run the loop, close everything, and finish; return the exit status."""
        self._signals.catch(reloads=not self._options.is_virtual)
        try:
            if not self._options.is_virtual:
                self._endpoints.open(page=self._options.web, fabric=self._fabric)
                self._become_real_time()
                self._idle_time.update()
            loop.run(self._clock, self._stages(), self._stop, self._catch_up)
            if not self._stop.requested:
                self._reporter.missed += self._clock.missed
        except ObserverError as error:
            sys.stderr.write(f"hilbridge: {error}\n")
            self._observation.abandon()
            return 1
        except BaseException as error:
            self._observation.report_failure(self._clock.t, error)
            raise
        finally:
            given_up = self._lockstep.failure is not None
            self._close()
        if self._lockstep.said:
            self._log_firmware(max(self._clock.t, 0))
        if self._lockstep.failure is not None and not given_up:
            self._reporter.error(max(self._clock.t, 0), "the run has failed", reason=str(self._lockstep.failure))
        complete = self._observation.finish(max(self._clock.t, 0), self._status.statistics)
        return 0 if complete and self._lockstep.failure is None else 1

    # -- before and after the loop ------------------------------------------------------------------------------

    def _build_scenario(self) -> RunScenario | None:
        """Build the scenario of the command line, and have it played from the first tick on."""
        if self._options.scenario is None:
            return None
        start = self._options.scenario.settings.start
        if start is not None:
            try:
                self._bench.prepare_start(start)  # before the first tick, which has no time for it
            except ConfigurationError as error:
                place = ("start", *error.place)
                raise self._options.scenario.locate(ConfigurationError(error.message, place)) from None
        plots = self._options.pictured or self._options.plot is not None
        context = self._bench.scenario_context(self._obey)
        scenario = RunScenario(self._options.scenario, context, plots=plots)
        scenario.play(self._player)
        return scenario

    def _introduce(self, file: BenchFile) -> None:
        """Log what runs, and what the user should know about it."""
        self._reporter.info(
            0,
            f"hilbridge {__version__}",
            bench=file.settings.name,
            vehicle=file.vehicle.settings.name,
            rate_hz=file.settings.rate,
            model=model_build.describe(),
        )
        for warning in self._bench.wiring.warnings():
            self._reporter.warning(0, "bench file", warning=warning)
        if self._options.undriven:
            self._reporter.warning(0, "nothing drives", reason=UNDRIVEN)
        for complaint in self._observation.complaints:
            self._reporter.warning(0, "stored state", reason=complaint)

    def _become_real_time(self) -> None:
        """Set up real time: log what is granted in one line, what is refused in a line each with its remedy."""
        outcomes = self._real_time.set_up()
        granted = {one.step.replace(" ", "_"): one.detail for one in outcomes if one.granted}
        self._reporter.info(0, "real time", **granted)
        for one in outcomes:
            if not one.granted:
                self._reporter.warning(0, "real time refused", step=one.step, reason=one.detail, remedy=one.remedy)

    def _close(self) -> None:
        self._service.notifier.stopping()
        self._real_time.undo()
        self._reload.close()
        self._idle_time.close()
        self._endpoints.close()
        self._bench.close()

    # -- the tick -----------------------------------------------------------------------------------------------

    def _stages(self) -> loop.Stages:
        """Return what the loop calls: this run, and on the virtual clock what it needs of it."""
        if not self._is_virtual:
            return self
        settings = self._bench.settings
        play = self._play if self.scenario is not None or settings.lockstep or settings.fmu else None
        return VirtualStages(self._bench, self._reporter, self._stop, self._signals, self._handle_signals, play)

    def _play(self, t: int) -> None:
        """Play the scenario, and take what the programs of lockstep say."""
        self._player.advance(t)
        if self._lockstep.said:
            self._log_firmware(t)
        if self._lockstep.failure is not None:
            self._reporter.error(t, "the run was given up", reason=str(self._lockstep.failure))
            self._stop.requested = True
        if self._is_over(t):
            self._stop.requested = True

    def sample(self, t: int) -> None:
        """Begin the tick: record missed ticks as an input, and excuse those of a reload."""
        missed = self._clock.missed
        if missed:
            self._bench.boundary.missed(t, missed)
        self._excused = self._reload.excuse(missed)
        if self._excused:
            self._reporter.missed -= missed  # the reporter is about to add them
        elif missed:
            self._overload.note_late_tick()
        self._bench.sample(t)

    def write(self, clock: Clock) -> None:
        """End the tick: observe it, take commands and signals, and stop when the run is over."""
        self._endpoints.log_changes(clock)
        self._reporter.tick(clock)
        self._observation.record_durations(clock, excused=self._excused)
        self._observation.write_nvram(clock.t)
        self._endpoints.serve_control(self._receive, clock)
        if clock.t >= self._next_supervision:
            self._supervise(clock)
        if self._reload.adopting and not self._stopping and self._reload.advance(clock.t):
            self._command_handler = self._bench.command_handler(self)
            self._endpoints.update()
            self._idle_time.update()
        self._player.advance(clock.t)
        self._handle_signals(clock.t)
        if self._is_over(clock.t):
            self._stop.requested = True

    def _log_firmware(self, t: int) -> None:
        for name, line, event in self._lockstep.said:
            self._reporter.log(_OF_FIRMWARE[event], t, event, client=name, says=line)
        self._lockstep.said.clear()

    def _supervise(self, clock: Clock) -> None:
        """Do what is due some ten times a second; the first time is after the first tick, when the run is ready."""
        t = clock.t
        if self._next_supervision == 0:
            self._observation.note_origin(clock)
            self._service.ready(t)
        self._next_supervision = t + _SUPERVISION
        self._observation.poll(t)
        self._overload.judge(t)
        settle_adapters(self._bench, self._arm, self._reporter, t)
        if self._follows_machine:
            self._machine_clock.poll(t)
        self._endpoints.poll(t)
        self._idle_time.poll()
        self._service.poll(t)
        if not self._stopping:
            self._reload.poll(t)
        if self._bench.settings.metrics is not None:
            self._reporter.part_status(t, *self._status.next_measured())

    def _handle_signals(self, t: int) -> None:
        """Act on the signals since the last tick; the first that asks for the end is a command, and recorded."""
        signals = self._signals
        if signals.stops and not self._stopping:
            self._ended_by = time.process_time() + _LONGEST_END
            self._obey(_STOP)
        if signals.stops > 1:
            self._stop.requested = True
        elif signals.stops and time.process_time() > self._ended_by and not self._stop.requested:
            reason = f"its {self._bench.settings.shutdown:g} s would take more than {_LONGEST_END:g} s of the processor"
            self._reporter.warning(t, "the end of the run was cut short", reason=reason)
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

    def _is_over(self, t: int) -> bool:
        """Whether the bench has shut down, or the scenario of a run without a duration is played."""
        played = self.scenario is not None and self.scenario.over and self._options.duration is None
        return played or self._bench.is_shut_down(t)

    # -- commands -----------------------------------------------------------------------------------------------

    def _receive(self, line: bytes) -> bytes | Iterator[bytes]:
        return self._dispatcher.handle(line, self._clock.t)

    def _obey(self, line: bytes) -> bytes:
        """Carry out a command that is an input of the run: recorded first."""
        self._bench.boundary.command(self._clock.t, line)
        return self._command_handler.handle(line, self._clock.t)

    def _arm(self, bus: str, armed: bool) -> None:
        self._obey(encode_command({"command": "arm", "bus": bus, "armed": armed}))

    def _set_date(self, date: str, smoothly: bool) -> None:
        self._obey(encode_command({"command": "date", "date": date, "smoothly": smoothly}))

    def request_stop(self) -> None:
        """End the run when every bus has shown that the ignition is off and has fallen silent."""
        if not self._stopping:
            self._stopping = True
            self._service.notifier.stopping()
            self._reporter.info(self._clock.t, "stopping")
            self._bench.shut_down(self._clock.t)

    def request_reload(self) -> int:
        """Have the bench file read anew, and adopted if it is good; return the number of the request."""
        return self._reload.request()

    def _trouble(self) -> str:
        """Return what the line of the service says beside how the bench is; empty: nothing is wrong."""
        end = self._observation.last_end
        before = f"; the run before {end.words}" if end is not None and end.is_failure else ""
        return "".join(f"; {words}" for words in self._troubles().values()) + self._reload.refusal + before

    def _troubles(self) -> dict[str, str]:
        """Return what is wrong with the run beside its links and ports, as text, by what it is about."""
        found = {
            "stored state": self._observation.unstored,
            "recording": self._observation.recording.trouble,
            "faults": self._bench.wiring.faults.active,
            "clock": self._machine_clock.trouble,
        }
        return {name: words for name, words in found.items() if words} | self._endpoints.troubles

    def _reason_against_reload(self) -> str:
        return "a scenario is played, which was made for this configuration" if self._player.is_on else ""
