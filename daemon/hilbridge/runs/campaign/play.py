"""One run of a campaign: its bench on the virtual clock, its scenario, and its outcome.

The stages of the tick are those of `hilbridge run --clock virtual --scenario`; only what is written differs: a row with
the verdict, the figures, and a hash of all frames, which two runs have in common exactly when they sent the same. A run
may be asked for its recording and its picture too; its row is the same with and without them.
"""

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge.base.clock import Clock, StopRequest, VirtualClock
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.base.trust.gate import accept
from hilbridge.bench.scenario.limits import limits
from hilbridge.bench.scenario.player import Player
from hilbridge.bench.scenario.report import ReportRow, trouble_of
from hilbridge.boundary.lockstep.client import ClientError
from hilbridge.boundary.lockstep.lockstep import Lockstep
from hilbridge.files.configuration.changes import Changes
from hilbridge.files.configuration.scenariofile import load_scenario
from hilbridge.files.settings.scenario import StepSettings
from hilbridge.frames.codec.expression import parse
from hilbridge.frames.codec.frame import Frame
from hilbridge.runs import loop
from hilbridge.runs.campaign.templates import BuiltBench, build
from hilbridge.runs.run.firmware import print_said
from hilbridge.runs.run.recording import RunRecording
from hilbridge.runs.run.scenario import RunScenario
from vehiclesim.databus import DataBus

Row = dict[str, Any]
"""A row of the results: run, verdict and reason, limits, steps, duration [s], figures, frames and their hash."""


MOST_PRINTED: Final = 4096
"""[byte] that are kept of what a run prints: the last ones."""


class Made(NamedTuple):
    """The outcome of a run: its row as a line of JSON, and the last of what it printed, which is no part of the row."""

    row: bytes
    printed: bytes = b""


_TAKE: Final[Mapping[str, Callable[[float, float], float]]] = {
    "lowest": min,
    "highest": max,
    "last": lambda _before, now: now,
    "mean": lambda before, now: before + now,  # divided at the end
}


def play(folder: Path, run: Mapping[str, Any], built: BuiltBench | None = None) -> Row:
    """Make a run, on a bench that is `built` already if there is one; `folder` holds the campaign's files.

    Bad values become a row with the verdict `refused`.
    """
    accept(run["trusted"])
    try:
        return {"run": run["name"], **run["keys"], **_Run(folder, run, built).row()}
    except ClientError as error:
        return trouble(run, error.verdict, str(error))
    except ConfigurationError as error:
        return {
            "run": run["name"],
            **run["keys"],
            "verdict": "refused",
            "reason": _of_no_machine(str(error), folder, run),
        }


def _of_no_machine(reason: str, folder: Path, run: Mapping[str, Any]) -> str:
    """Return a reason with the names that files have in the campaign, wherever it lies on this machine."""
    for files in (run["bench_files"], run["scenario_files"]):
        reason = reason.replace(f"{folder / files}/", "").replace(str(folder / files), "the files of the run")
    return reason


def trouble(run: Mapping[str, Any], verdict: str, reason: str) -> Row:
    """Return the row of a run that did not come to its end: nothing but what happened."""
    return {"run": run["name"], **run["keys"], "verdict": verdict, "reason": reason}


def line(row: Row) -> bytes:
    """Return a row as a line of JSON, the same bytes for the same row on every machine."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class _Figure:
    """A figure under way."""

    def __init__(self, settings: Mapping[str, str], data: DataBus) -> None:
        self._data: Final = data
        self._source: Final = parse(settings["of"], entries=data.entries)
        self._take: Final = settings["take"]
        self._value: float | None = None
        self._count = 0

    def look(self) -> None:
        """Take the value of this tick; where it is not available, none."""
        now = self._source.value(self._data.channels)
        if isfinite(now):
            self._value = now if self._value is None else _TAKE[self._take](self._value, now)
            self._count += 1

    def result(self) -> float | None:
        """Return the figure; None if the value was never there, or its mean is too large for a number."""
        if self._value is not None and self._take == "mean":
            mean = self._value / self._count
            return mean if isfinite(mean) else None
        return self._value


class _Run:
    """The stages of a tick: those of the bench, then the scenario."""

    def __init__(self, folder: Path, run: Mapping[str, Any], built: BuiltBench | None) -> None:
        file, self._bench = (built or build(folder, run)).seeded(run["keys"]["seed"])
        self._lockstep: Final = Lockstep.open(file.settings, file.path.parent)
        lockstep = self._lockstep
        self._bench.connect(lockstep.link, lockstep.input_port, None, lockstep.output_port)
        self.sample = self._bench.sample
        self.step = self._bench.step
        self.serve = self._bench.serve
        self.publish = self._bench.publish
        self._clock: Final = VirtualClock(file.settings.period)
        self._stop: Final = StopRequest()
        self._frames = 0
        self._hash: Final = sha256()
        for bus in self._bench.buses.values():
            bus.attach_observer(self._hear)
        self._commands: Final = self._bench.command_handler(self)
        data = self._bench.vehicle.data
        self._figures: Final = {name: _Figure(each, data) for name, each in run["figures"].items()}
        path = next((folder / run["scenario_files"]).glob("*.yaml"))
        scenario = load_scenario(str(path), Changes.of(run["keys"]["set"]).scenario)
        if scenario.settings.start is not None:
            self._bench.prepare_start(scenario.settings.start)
        pictured = bool(run["picture"])
        self._picture: Final = Path(run["picture"]) if pictured else None
        self._scenario: Final = RunScenario(scenario, self._bench.scenario_context(self._obey), plots=pictured)
        self._steps: Final = scenario.settings.steps
        self._player: Final = Player(lambda: self._bench.scenario_context(self._obey))
        self._scenario.play(self._player)
        self._recording = RunRecording(Path(run["recording"]), file, self._bench) if run["recording"] else None
        self._ticks = 0

    def row(self) -> Row:
        """Run to the end of the scenario; return its outcome."""
        try:
            loop.run(self._clock, self, self._stop)
        finally:
            self._bench.close()
            print_said(self._lockstep)
        if self._lockstep.failure is not None:
            raise self._lockstep.failure
        report = self._scenario.report()
        if self._recording is not None:
            self._recording.end(self._clock.t, self._ticks)
        if self._picture is not None:
            self._picture.write_text(self._scenario.picture(), encoding="utf-8")
        bad = next((number for number, row in enumerate(report.rows) if not row.outcome.is_good), None)
        passed = sum(row.outcome.is_good for row in report.rows)
        return {
            "verdict": report.verdict,
            "reason": "" if bad is None else _reason(report.rows[bad]),
            "limits": {} if bad is None else _limits(self._steps[bad]),
            "steps": [passed, len(report.rows)],
            "duration": report.duration / SECOND,
            "figures": {name: figure.result() for name, figure in self._figures.items()},
            "frames": self._frames,
            "sha256": self._hash.hexdigest(),
        }

    def write(self, clock: Clock) -> None:
        """End the tick."""
        self._ticks += 1
        self._player.advance(clock.t)
        for figure in self._figures.values():
            figure.look()
        if self._lockstep.said:
            print_said(self._lockstep)
        if self._lockstep.failure is not None:
            raise self._lockstep.failure
        if self._scenario.over or self._bench.is_shut_down(clock.t):
            self._stop.requested = True

    def request_stop(self) -> None:
        """End the run when its buses have fallen silent."""
        self._bench.shut_down(self._clock.t)

    def request_reload(self) -> int:
        """Do nothing: the files of a run do not change."""
        return 0

    def _obey(self, command: bytes) -> bytes:
        self._bench.boundary.command(self._clock.t, command)
        return self._commands.handle(command, self._clock.t)

    def _hear(self, t: int, bus: int, received: bool, frame: Frame) -> None:
        self._frames += 1
        self._hash.update(b"%d %d %d %x %d " % (t, bus, received, frame.can_id, frame.flags) + frame.data)


def _reason(bad: ReportRow) -> str:
    return f"line {bad.line}: {bad.title}: {trouble_of(bad)}"


def _limits(step: StepSettings) -> dict[str, dict[str, float]]:
    """Return what a step demands of values: the ends that it sets to each."""
    return {
        path: {end: value for end, value in wanted._asdict().items() if isfinite(value)}
        for path, wanted in limits(step).items()
    }
