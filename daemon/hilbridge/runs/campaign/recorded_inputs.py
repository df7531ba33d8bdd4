"""The inputs of a recording as the steps of a scenario, each with its time.

| input | step |
|---|---|
| a control of the driver, by whatever pedals, stick, port or demo driver | `set`, where its value changed |
| the same where the inputs are commands alone, without a rate; any other entry that commands held | `set`, `release` |
| faults, trouble codes, arming, frames sent by commands | `fault`, `clear`, `set-dtc`, `clear-dtc`, `arm`, `send` |
| the state of motion in which the run began | `start` of the scenario |
| frames from outside, but for those of lockstep clients, which take part themselves | `send`, one tick before |

The rest has no step, is left out, and counted. Whether the steps do what the inputs did, a run of them shows.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

from hilbridge.base.clock import StopRequest
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.bench.inputs.commanded import AUTOMATIC
from hilbridge.bench.inputs.controls import INPUT_CONTROLS, find_control
from hilbridge.bench.inputs.overrides import holdable
from hilbridge.boundary.control.commands import (
    Arm,
    Begin,
    Command,
    FaultAdd,
    FaultClear,
    Release,
    Send,
    Set,
    TroubleClear,
    TroubleSet,
    parse,
)
from hilbridge.boundary.record.boundary_records import (
    COMMAND,
    EARLY,
    FRAME,
    MISSED,
    RELOAD,
    TOOL,
    FrameRecord,
)
from hilbridge.boundary.record.recording import Recording
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.files.settings.scenario import ALL
from hilbridge.frames.codec.custom import entries_of
from hilbridge.frames.codec.frame import STANDARD_MASK, Frame
from hilbridge.runs.run.replay import rebuild, replay
from vehiclesim.databus import DataBus
from vehiclesim.entries import Entries

Step = dict[str, Any]
"""A step as a scenario file has it."""

_MOST: Final = 4000
"""Changes of the driver's controls that are taken; where there are more, they are looked at less often."""

_INTERVALS: Final = (2000, 1000, 500, 200, 100, 50, 20, 10, 0)
"""[ms] from look to look at the driver's controls."""

_LEFT_OUT: Final = {TOOL: "scan tool", RELOAD: "reload", MISSED: "missed ticks", EARLY: "answer before its tick"}

_CONTROLS: Final = tuple(control for control in INPUT_CONTROLS if not control.is_paddle)


class RecordedInputs(NamedTuple):
    """Steps by their times, the state of motion in which the run began, and how many inputs of which kind have none."""

    steps: list[Step]
    start: dict[str, Any] | None
    left_out: Counter[str]


def recorded_inputs(recording: Recording, file: BenchFile, until: int, stop: StopRequest) -> list[RecordedInputs]:
    """Return the inputs of the ticks before `until` [ns], with ever more of the changes of the driver's controls.

    ConfigurationError: the recording cannot be replayed.
    """
    period = file.settings.period
    is_driven = any(one.source != "can" for one in file.settings.inputs) or _moves_by_itself(recording)
    changes = _of_driver(recording, file, until, stop) if is_driven else []
    steps: list[tuple[int, Step]] = []
    entries, faults = entries_of(file.settings.custom), len(file.settings.faults)
    commands = _Commands(recording.manifest["buses"], entries, is_driven=is_driven, faults=faults)
    clients = {bus for one in file.settings.lockstep.values() for bus in one.buses}
    for record in recording.records():
        if record.t >= until:
            break
        if record.kind == COMMAND:
            steps += commands.steps(record.payload, record.t)
        elif record.kind == FRAME:
            bus, received, frame = FrameRecord.decode(record.payload)
            name = recording.manifest["buses"][bus]
            if received and name not in clients:
                steps.append((max(record.t - period, 0), _send(name, frame)))
        elif record.kind in _LEFT_OUT:
            commands.left_out[_LEFT_OUT[record.kind]] += 1
    found: list[RecordedInputs] = []
    for interval in _INTERVALS:
        of_driver = _thinned(changes, interval * 1_000_000)
        if len(of_driver) > _MOST and found:
            break
        driven = ((max(t - period, 0), _set(control, raw)) for t, control, raw in of_driver)
        by_time = sorted([*steps, *driven], key=lambda each: each[0])
        timed = [{"at": t / SECOND, **step} for t, step in by_time if t < until]
        if not found or len(timed) > len(found[-1].steps):
            found.append(RecordedInputs(timed, commands.start, commands.left_out))
    return found


def _moves_by_itself(recording: Recording) -> bool:
    """Return whether a command let the daemon move a control: a pedal by its rate, the clutch, or the key."""
    for record in recording.records():
        if record.kind == COMMAND:
            with suppress(ConfigurationError):
                command = parse(record.payload)
                if isinstance(command, Set) and (command.rate is not None or command.value == AUTOMATIC):
                    return True
    return False


def _of_driver(recording: Recording, file: BenchFile, until: int, stop: StopRequest) -> list[tuple[int, int, int]]:
    """Return the changes of the driver's controls: the time [ns] of the tick, the number of the control, its value.

    The tick of time `until` is among them: what the one before it was told shows there.
    """
    changes: list[tuple[int, int, int]] = []
    end = StopRequest()
    known = [control.rest for control in _CONTROLS]

    def look(data: DataBus, t: int) -> None:
        for i, control in enumerate(_CONTROLS):
            raw = data.channels[control.channel][control.index]
            if raw != known[i]:
                known[i] = raw
                changes.append((t, i, raw))
        end.requested = stop.requested or t >= until

    replay(recording, end, watch=look, bench=rebuild(recording, file))
    return changes


def _thinned(changes: list[tuple[int, int, int]], interval: int) -> list[tuple[int, int, int]]:
    """Return the last change of each control in each interval [ns], at its time."""
    if not interval:
        return changes
    last = {(t // interval, i): (t, i, raw) for t, i, raw in changes}
    return sorted(last.values())


def _set(number: int, raw: int) -> Step:
    """Return the step that sets a control: in the tick before, for a command acts in the next one."""
    control = _CONTROLS[number]
    return {"set": {control.entry.path: control.to_value(raw)}}


def _send(bus: str, frame: Frame) -> Step:
    return {"send": {"bus": bus, "message": frame.identifier, "data": frame.data.hex(" ").upper()}}


class _Commands:
    """Turns commands into steps. `start`: the state in which one of them began."""

    def __init__(self, buses: list[str], entries: Entries, *, is_driven: bool, faults: int) -> None:
        """`is_driven`: the driver's controls are known already; `faults` of the bench file have the first numbers."""
        self.start: dict[str, Any] | None = None
        self.left_out: Final[Counter[str]] = Counter()
        self._buses: Final = buses
        self._entries: Final = entries
        self._is_driven: Final = is_driven
        self._faults = faults

    def steps(self, line: bytes, t: int) -> Iterator[tuple[int, Step]]:
        """Yield the steps that do what a command did at `t` [ns]; one that was refused did nothing."""
        with suppress(ConfigurationError):
            command = parse(line)
            match command:
                case Set():
                    yield from self._set(command, t)
                case Begin():
                    self.start = command.start.model_dump(mode="json", exclude_unset=True)
                case Release() if self._is_driver(command.entry):
                    pass
                case _:
                    step = self._step(command)
                    if step is not None:
                        yield t, step
                    else:
                        self.left_out[f"command {command.command}"] += 1

    def _step(self, command: Command) -> Step | None:
        match command:
            case Release():
                return {"release": [command.entry or ALL]}
            case Arm() if (command.bus or self._buses[0]) in self._buses:  # no output
                return {"arm": {command.bus or self._buses[0]: command.armed}}
            case Send() if command.extended is (command.id > STANDARD_MASK):
                return _send(command.bus, command.frame)
            case TroubleSet():
                return {"set-dtc": {"ecu": command.ecu, "code": command.code, "result": command.result}}
            case TroubleClear():
                return {"clear-dtc": command.ecu or ALL}
            case FaultAdd() | FaultClear():
                return self._fault(command)
        return None

    def _fault(self, command: FaultAdd | FaultClear) -> Step:
        if isinstance(command, FaultClear):
            return {"clear": ALL if command.number is None else f"fault {command.number}"}
        self._faults += 1
        fault = command.fault.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return {"name": f"fault {self._faults}", "fault": fault}

    def _is_driver(self, entry: str | None) -> bool:
        """Return whether an entry, or all, is among the driver's controls that are known already."""
        control = None if entry is None else find_control(entry, self._entries)
        return self._is_driven and (control is None or control in _CONTROLS)

    def _set(self, command: Set, t: int) -> Iterator[tuple[int, Step]]:
        for entry, value in command.values.items():
            if not self._is_driver(entry):
                control, _ = holdable(entry, value, self._entries)
                yield t, {"set": {control.entry.path: value}}
                if command.seconds is not None:
                    yield t + round(command.seconds * SECOND), {"release": [control.entry.path]}
