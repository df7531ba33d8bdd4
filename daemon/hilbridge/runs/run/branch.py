"""A branch of a recording: its inputs up to a tick, then others, recorded from the start as a run of its own.

The bench is brought to the tick by executing it from the start with the recorded inputs, as a replay does, and so are
its lockstep clients, which are started anew and hear what they heard: their frames must be those of the recording, as
all frames. No state is copied. What a snapshot would have to copy is everywhere (model, frame plan, counters, sessions,
transfers, timers, generators of chance, programs in C), and each part that it forgot would be a branch that looks like
the run and is not.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.clock import Clock, StopRequest, VirtualClock
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.bench import Bench
from hilbridge.bench.diagnostics.elm327.adapters import Adapters
from hilbridge.bench.doip.entity import DoipEntity
from hilbridge.bench.hardware import RecordedAdapters, RecordedEntity
from hilbridge.bench.inputs.overrides import holdable
from hilbridge.bench.scenario.player import Player
from hilbridge.bench.scenario.report import Report
from hilbridge.boundary.control.lines import execute
from hilbridge.boundary.links.input_port import InputPort
from hilbridge.boundary.links.link import DuplexEndpoint, Link
from hilbridge.boundary.lockstep.lockstep import Lockstep
from hilbridge.boundary.record.manifest import require_free
from hilbridge.boundary.record.playback import Playback
from hilbridge.boundary.record.recording import Recording
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.files.configuration.scenariofile import ScenarioFile
from hilbridge.frames.bus.bus import Bus
from hilbridge.runs import loop
from hilbridge.runs.run.firmware import print_said
from hilbridge.runs.run.recording import RunRecording
from hilbridge.runs.run.replay import Replayer, ReplayResult, begun_with, load_recorded, rebuild
from hilbridge.runs.run.scenario import RunScenario


class Other(NamedTuple):
    """The inputs of a branch. Times in ns.

    `values` are held from the first tick of the branch on, `scenario` begins in it. With `rest` the recorded inputs go
    on too. The branch ends after the `duration`; None: with its scenario, else with the recording.
    """

    values: Mapping[str, float | str]
    scenario: ScenarioFile | None
    rest: bool
    duration: int | None


class BranchResult(NamedTuple):
    """The result: `report` of the scenario, if there is one; `ticks` and `frames` of the branch alone.

    `failure`: why a lockstep client was lost, or the recording with its `rest` cannot be read on, or "".
    """

    replayed: ReplayResult
    report: Report | None
    ticks: int
    frames: int
    failure: str


def branch(
    recording: Recording,
    until: int,
    other: Other,
    into: Path,
    stop: StopRequest | None = None,
    progress: Callable[[int], None] | None = None,
) -> BranchResult:
    """Replay a recording up to a time [ns], go on with `other` inputs, and record all of it `into` a folder.

    Nothing is left of it where the replay is not as recorded, or was stopped. ConfigurationError: the bench or its
    clients cannot be made here, the recording ends before, or `other` does not fit the bench.
    """
    require_free(into)
    file = load_recorded(recording)
    bench = rebuild(recording, file)
    lockstep = Lockstep.open(file.settings, file.path.parent)
    try:
        playback = Playback(recording.records(progress), bench.settings.period)
        playback.until = until
        one = _Branch(file, bench, playback, lockstep, other, stop or StopRequest())
        stored = recording.manifest.get("stored") is True
        made = RunRecording(into, file, bench, stored=stored, kept=begun_with(recording))
        try:
            result = one.go(recording, made)
        except BaseException:
            made.abandon()
            raise
    finally:
        bench.close()
        lockstep.close()
    return result


class _Branch(Replayer):
    """The stages of a tick: those of a replay, and from a tick on those of a run."""

    def __init__(
        self,
        file: BenchFile,
        bench: Bench,
        playback: Playback,
        lockstep: Lockstep,
        other: Other,
        stop: StopRequest,
    ) -> None:
        self._lockstep: Final = lockstep
        self._with_clients: Final = {bus for one in file.settings.lockstep.values() for bus in one.buses}
        super().__init__(bench, playback, stop, None)
        self.sample = self._sample
        self._clock: Clock = playback
        self._other: Final = other
        self._branched = False
        self._missed = 0
        self._ticks = 0
        self._frames = 0
        self._last = 0  # [ns] the last tick
        for entry, value in other.values.items():
            try:
                holdable(entry, value, bench.vehicle.data.entries)
            except ConfigurationError as error:
                raise ConfigurationError(f"--set {entry}: {error.message}") from None
        self._player: Final = Player(lambda: bench.scenario_context(self._obey))
        self._wiring = bench.wiring
        self._scenario = self._build_scenario()

    def connect(self, bench: Bench) -> None:
        """Connect buses with lockstep clients to these, and all else with what was recorded."""

        def link(bus: Bus) -> Link:
            return self._lockstep.link(bus) if bus.name in self._with_clients else self.playback.link(bus)

        def port(number: int) -> InputPort:
            recorded = self.playback.port(number)
            return self._lockstep.input_port(number) or recorded

        def tools(index: int, adapters: Adapters | DoipEntity) -> DuplexEndpoint:
            if isinstance(adapters, DoipEntity):
                return self.playback.tools(index, RecordedEntity(index, adapters, bench.boundary))
            return self.playback.tools(index, RecordedAdapters(index, adapters, bench.boundary))

        bench.connect(link, port, tools, self._lockstep.output_port)

    def go(self, recording: Recording, made: RunRecording) -> BranchResult:
        """Replay, branch off, and run to the end."""
        catch_up = loop.CatchUp(self.playback.period)
        loop.run(self.playback, self, self._stop, catch_up)
        if failure := self._lost_client():
            raise ConfigurationError(f"before the branch: {failure}", may_pass=True)
        replayed = self.result(recording)
        if not replayed.identical:
            made.abandon()
            return BranchResult(replayed, None, 0, 0, "")
        self.playback.until = None
        self._branched = True
        if self._bench.wiring is not self._wiring:  # a reload was replayed
            self._scenario = self._build_scenario()
        if self._scenario is not None:
            self._scenario.play(self._player)
        self._clock = _BranchClock(self.playback, self._other)
        loop.run(self._clock, self, self._stop, catch_up)
        report = None if self._scenario is None else self._scenario.report()
        self._lockstep.close()
        print_said(self._lockstep)
        made.end(self._last, replayed.ticks + self._ticks, self._missed)
        reasons = (self.playback.damage, recording.damage, "records are missing")
        lost = next(filter(None, reasons)) if self.playback.missing else ""
        failure = self._lost_client() or lost
        return BranchResult(replayed, report, self._ticks, self._frames, failure)

    def _lost_client(self) -> str:
        return str(self._lockstep.failure or "")

    def _build_scenario(self) -> RunScenario | None:
        file = self._other.scenario
        if file is None:
            return None
        if file.settings.start is not None:
            raise file.locate(ConfigurationError("a branch begins in the state that the recording has", ("start",)))
        return RunScenario(file, self._bench.scenario_context(self._obey), plots=False)

    def _sample(self, t: int) -> None:
        if self._clock.missed:
            self._bench.boundary.missed(t, self._clock.missed)
            self._missed += self._clock.missed
        self._bench.sample(t)

    def write(self, clock: Clock) -> None:
        """End the tick: carry out what is ordered in it, and compare its frames up to the branch."""
        self._last = t = clock.t
        is_recorded = not self._branched or (isinstance(self._clock, _BranchClock) and self._clock.is_recorded)
        if is_recorded:
            for kind, payload in self.playback.orders:
                if self._bench.boundary.put is not None:
                    self._bench.boundary.put(kind, t, payload)
            self.obey_recorded(t)
        if self._branched:
            self._go_on(t, is_recorded=is_recorded)
        else:
            self.compare(clock)
        if self._lockstep.said:
            print_said(self._lockstep)
        if self._lockstep.failure is not None:
            self._stop.requested = True

    def _go_on(self, t: int, *, is_recorded: bool) -> None:
        nvram = self._bench.nvram
        if not is_recorded and nvram.is_busy:  # nothing is written here, and control units wait for the end
            self._bench.boundary.written(t, nvram.asked, written=True)
            nvram.end(nvram.asked, written=True)
        if self._ticks == 0:
            for entry, value in self._other.values.items():
                execute(self._obey, "set", entry=entry, value=value, by="branch")
        self._player.advance(t)
        self._ticks += 1
        self._frames += len(self._replayed)
        self._replayed.clear()
        is_played = self._scenario is not None and self._scenario.over and self._other.duration is None
        if is_played or (not is_recorded and self._bench.is_shut_down(t)):
            self._stop.requested = True

    def _obey(self, line: bytes) -> bytes:
        self._bench.boundary.command(self._bench.now, line)
        return self._command_handler.handle(line, self._bench.now)


class _BranchClock(VirtualClock):
    """The clock from the branch on. `is_recorded`: inputs of the tick are those of the recording too."""

    def __init__(self, playback: Playback, other: Other) -> None:
        end = None if other.duration is None else playback.t + playback.period + other.duration
        super().__init__(playback.period, end)
        self.t = playback.t
        self.is_recorded = other.rest
        self._playback: Final = playback
        self._ends: Final = other.scenario is None and end is None
        self._end: Final = end

    def wait(self) -> bool:
        """Take the next tick, of the recording if it goes on; return False when the branch is over."""
        if self.is_recorded and self._playback.wait():
            self.t, self.missed = self._playback.t, self._playback.missed
            return self._end is None or self.t < self._end
        if self.is_recorded and self._ends:
            return False
        self.is_recorded, self.missed = False, 0
        return super().wait()
