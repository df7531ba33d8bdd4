"""Building the steps of a scenario for a bench, and resolving a scenario that is sent to a running bench.

A step that the bench cannot play is reported before the first tick. A running bench may not read the files that its
user may, and has no time to: the sender reads and checks everything that does not need the bench.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.lasting_files import is_file
from hilbridge.base.common.words import counted
from hilbridge.bench.drive.cycles import WRITTEN_HERE, find_cycle
from hilbridge.bench.drive.trace import KMH, Trace
from hilbridge.bench.inputs.controls import require_control
from hilbridge.bench.inputs.overrides import holdable
from hilbridge.bench.scenario.actions import AddFault, ClearFault, CommandedControls, Ramp, SendCommands
from hilbridge.bench.scenario.context import ScenarioContext
from hilbridge.bench.scenario.diagnosis import (
    DIAGNOSTIC_TIMEOUT,
    build_dtc,
    build_obd,
    build_uds,
    check_code,
    check_ecu,
)
from hilbridge.bench.scenario.driving import DriveStep, ReachStep
from hilbridge.bench.scenario.engine import Scenario, Step, StepActivity, in_nanoseconds
from hilbridge.bench.scenario.expectations import Always, BusCondition, Expect, FrameComes, Leave, NoFrameComes
from hilbridge.bench.scenario.pattern import Pattern
from hilbridge.bench.scenario.sending import build_sending
from hilbridge.bench.scenario.timing import build_period
from hilbridge.files.configuration.scenariofile import ScenarioFile
from hilbridge.files.settings.scenario import (
    ALL,
    DriveSettings,
    FrameSettings,
    LeaveSettings,
    ScenarioSettings,
    StepSettings,
    WaitSettings,
    field_of,
)
from hilbridge.frames.bus.frame_listener import FrameListener
from vehiclesim.parameters import VehicleSettings


def build(file: ScenarioFile, context: ScenarioContext) -> Scenario:
    """Return the scenario of a file. InvalidFileError, with the line: the bench lacks something that it names."""
    try:
        check_vehicle(file.settings, context.vehicle)
        return Scenario(list(build_steps(file.settings.steps, context, file.path.parent)))
    except ConfigurationError as error:
        raise file.locate(error) if error.place else error from None


def build_steps(steps: Iterable[StepSettings], context: ScenarioContext, folder: Path | None = None) -> Iterator[Step]:
    """Build the steps one after the other; speed traces are searched for in `folder` first, None forbids to read any.

    ConfigurationError, with the key path.
    """
    maker = _Maker(context, folder)
    for i, step in enumerate(steps):
        yield Step(step.name or describe(step), step, maker.make(step, ("steps", i)))


def check_vehicle(settings: ScenarioSettings, vehicle: VehicleSettings) -> None:
    """Raise ConfigurationError for a vehicle whose kind of gearbox the scenario is not meant for."""
    kind = vehicle.gearbox.type.value
    if settings.gearboxes is not None and kind not in settings.gearboxes:
        meant = " or ".join(settings.gearboxes)
        reason = f"this scenario is meant for a {meant} gearbox; that of {vehicle.name} is {kind}"
        raise ConfigurationError(reason, ("gearboxes",))


def find_trace(name: str, folder: Path) -> Trace:
    """Return a cycle, or the trace of a file, which is searched for in `folder` first. ConfigurationError."""
    beside = folder / name
    return find_cycle(str(beside) if is_file(beside) else name)


def describe(settings: StepSettings) -> str:
    """Return the description of a step for people."""
    kind, value = settings.kind, getattr(settings, field_of(settings.kind))
    match value:
        case str():
            text = value
        case dict():
            text = ", ".join(f"{key} {each if isinstance(each, str) else f'{each:g}'}" for key, each in value.items())
        case list():
            text = ", ".join(value)
        case FrameSettings():
            signals = ", ".join(f"{name} {wanted}" for name, wanted in value.signals.items())
            message = value.message if isinstance(value.message, str) else f"0x{value.message:X}"
            text = f"{value.bus}.{message} {value.data or signals}".rstrip()
        case WaitSettings():
            text = value.until
        case LeaveSettings():
            text = value.when
        case DriveSettings():
            to_speed = "" if value.speed is None else f"{value.speed:g} km/h"
            text = to_speed or value.cycle or counted(len(value.points or ()), "point")
        case _:
            text = value.describe()
    return f"{kind} {text}"


class _Maker:
    """Builds the activities of one scenario."""

    def __init__(self, context: ScenarioContext, folder: Path | None) -> None:
        self._context: Final = context
        self._folder: Final = folder
        self._numbers: Final[dict[str, int]] = {}

    def make(self, step: StepSettings, place: KeyPath) -> StepActivity:
        """Return the activity of a step; `place` is the key path of its settings. ConfigurationError."""
        if step.set is not None:
            return self._set(step.set, step.over, (*place, "set"))
        if step.release is not None:
            return self._release(step.release, (*place, "release"))
        if step.drive is not None:
            return self._drive(step.drive, (*place, "drive"))
        if step.fault is not None:
            self._context.faults.check(step.fault, (*place, "fault"))
            fault = step.fault.model_dump(mode="json", by_alias=True, exclude_unset=True)
            return AddFault(self._context.obey, self._context.holder, fault, step.name, self._numbers)
        if step.clear is not None:
            return ClearFault(self._context.obey, step.clear, self._numbers)
        if step.arm is not None:
            for bus in step.arm:
                self._context.check_bus(bus, (*place, "arm", bus))
            return self._commands([("arm", {"bus": bus, "armed": armed}) for bus, armed in step.arm.items()])
        return self._exchange(step, place) or self._observation(step, place)

    def _exchange(self, step: StepSettings, place: KeyPath) -> StepActivity | None:
        """Return the activity of a step on the wires or with a control unit; None for any other."""
        context = self._context
        within = DIAGNOSTIC_TIMEOUT if step.within is None else in_nanoseconds(step.within)
        duration = None if step.duration is None else in_nanoseconds(step.duration)
        if step.send is not None:
            every = None if step.every is None else in_nanoseconds(step.every)
            return build_sending(step.send, every, duration, context, (*place, "send"))
        if step.uds is not None:
            return build_uds(step.uds, within, context, (*place, "uds"))
        if step.obd is not None:
            return build_obd(step.obd, within, context, (*place, "obd"))
        if step.period is not None:
            return build_period(step.period, duration, context, (*place, "period"))
        if step.dtc is not None:
            return build_dtc(step.dtc, in_nanoseconds(step.within or 0.0), context, (*place, "dtc"))
        if step.set_dtc is not None:
            check_code(step.set_dtc, context, (*place, "set-dtc"))
            return self._commands([("trouble-set", step.set_dtc.model_dump())])
        if step.clear_dtc is not None:
            ecu = None if step.clear_dtc == ALL else step.clear_dtc
            check_ecu(ecu, context, (*place, "clear-dtc"))
            return self._commands([("trouble-clear", {"ecu": ecu})])
        return None

    def _observation(self, step: StepSettings, place: KeyPath) -> StepActivity:
        within = in_nanoseconds(step.within or 0.0)
        duration = None if step.duration is None else in_nanoseconds(step.duration)
        if step.wait is not None:
            condition = self._condition(step.wait.until, (*place, "wait", "until"))
            return Expect(condition, in_nanoseconds(step.wait.timeout), fatal=True)
        if step.leave is not None:
            return Leave(self._condition(step.leave.when, (*place, "leave", "when")), step.leave.skip)
        if step.expect is not None:
            return Expect(self._condition(step.expect, (*place, "expect")), within)
        if step.always is not None:
            return Always(self._condition(step.always, (*place, "always")), duration)
        if step.frame is not None:
            occasion = None if step.occasion is None else in_nanoseconds(step.occasion)
            return FrameComes(*self._frame_pattern(step.frame, (*place, "frame")), within, occasion)
        if step.absent is not None:
            return NoFrameComes(*self._frame_pattern(step.absent, (*place, "absent")), duration)
        raise ConfigurationError("a running bench plays no repeat: send its steps", (*place, "repeat"))

    def _commands(self, commands: list[tuple[str, dict[str, Any]]]) -> SendCommands:
        return SendCommands(self._context.obey, commands)

    def _set(self, values: Mapping[str, float | str], over: float | None, place: KeyPath) -> StepActivity:
        targets = {}
        for entry, value in values.items():
            try:
                control, raw = holdable(entry, value, self._context.data.entries)
            except ConfigurationError as error:
                raise ConfigurationError(error.message, (*place, entry)) from None
            if over is not None and control.is_paddle:
                raise ConfigurationError("a paddle has steps and no position in between", (*place, entry))
            targets[control] = control.to_value(raw)
        if over is not None:
            return Ramp(self._context.data, targets, in_nanoseconds(over), self._controls())
        by = self._context.holder
        return self._commands([("set", {"entry": entry, "value": value, "by": by}) for entry, value in values.items()])

    def _controls(self) -> CommandedControls:
        return CommandedControls(self._context.obey, self._context.holder)

    def _release(self, entries: list[str], place: KeyPath) -> StepActivity:
        if entries == [ALL]:
            return self._commands([("release", {})])
        for i, entry in enumerate(entries):
            require_control(entry, self._context.data.entries, (*place, i))
        return self._commands([("release", {"entry": entry}) for entry in entries])

    def _drive(self, settings: DriveSettings, place: KeyPath) -> StepActivity:
        tolerance = None if settings.tolerance is None else settings.tolerance * KMH
        data, vehicle, controls = self._context.data, self._context.vehicle, self._controls()
        try:
            if settings.speed is not None:
                speed = settings.speed * KMH
                return ReachStep(data, vehicle, speed, settings.acceleration, settings.gear, controls)
            return DriveStep(data, vehicle, self._trace(settings), tolerance, controls)
        except ConfigurationError as error:
            raise ConfigurationError(error.message, place) from None

    def _trace(self, settings: DriveSettings) -> Trace:
        """Return the trace of the points, or of a name or file."""
        if settings.points is not None:
            times, speeds = zip(*settings.points, strict=True)
            gears = None if settings.gear is None else (settings.gear,) * len(times)
            return Trace("points", times, tuple(speed * KMH for speed in speeds), gears)
        name = settings.cycle or ""
        if self._folder is not None:
            return find_trace(name, self._folder)
        if name.lower() in WRITTEN_HERE:
            return find_cycle(name)
        raise ConfigurationError("a bench that runs reads no tables: it must be sent the points")

    def _condition(self, text: str, place: KeyPath) -> BusCondition:
        return BusCondition(text, self._context.data, place)

    def _frame_pattern(self, settings: FrameSettings, place: KeyPath) -> tuple[Pattern, FrameListener]:
        self._context.check_bus(settings.bus, (*place, "bus"))
        return Pattern(settings, self._context.databases, place), self._context.listener(settings.bus)


_EXACT: Final = 9
"""Decimal places of s and km/h."""


def resolved(file: ScenarioFile) -> dict[str, Any]:
    """Return the content of the file, with the points of each speed trace in place of its file name.

    InvalidFileError, with the line, for a trace that cannot be read, or that prescribes gears, which points cannot.
    """
    data: dict[str, Any] = deepcopy(file.expansion.data)
    for i, step in enumerate(file.settings.steps):
        if step.drive is None or step.drive.cycle is None or step.drive.cycle.lower() in WRITTEN_HERE:
            continue
        place = ("steps", i, "drive", "cycle")
        try:
            trace = find_trace(step.drive.cycle, file.path.parent)
            if trace.gears is not None:
                raise ConfigurationError("a running bench takes no trace that prescribes gears; use 'gear' or 'points'")
        except ConfigurationError as error:
            raise file.locate(ConfigurationError(error.message, place)) from None
        drive = data["steps"][i]["drive"]
        del drive["cycle"]
        drive["points"] = [
            [_short(time), _short(round(speed / KMH, _EXACT))]
            for time, speed in zip(trace.times, trace.speeds, strict=True)
        ]
    return data


def _short(number: float) -> float:
    """Return a whole number as an integer: lines of the control socket have a limited length."""
    return int(number) if number.is_integer() else number
