"""Steps that wait for or expect something: a condition on the data bus, a frame, or the absence of a frame."""

from typing import Final

from hilbridge.base.common.errors import KeyPath
from hilbridge.bench.scenario.engine import Ending, StepOutcome, seconds
from hilbridge.bench.scenario.pattern import Pattern
from hilbridge.frames.bus.frame_listener import FrameListener, FrameSearch
from hilbridge.frames.codec.expression import parse
from hilbridge.frames.codec.frame import Frame
from vehiclesim.databus import DataBus


class BusCondition:
    """An expression over the data bus (frames/codec/expression.py). It does not hold while a value is not available."""

    def __init__(self, text: str, data: DataBus, place: KeyPath) -> None:
        """ConfigurationError, with the key path: an invalid expression, or an entry that does not exist."""
        computed = parse(text, place=place, entries=data.entries)
        self._value: Final = computed.value
        self._entries: Final = computed.entries
        self._data: Final = data

    def holds(self) -> bool:
        """Return whether the expression is true now."""
        value = self._value(self._data.channels)
        return value == value and value != 0

    def values(self) -> str:
        """Return the present entries of the expression: `vehicle.EngineRpm = 812.5 rpm, vehicle.Speed = 0 m/s`."""
        return ", ".join(self._entry(channel, index) for channel, index in self._entries)

    def _entry(self, channel: int, index: int) -> str:
        entry = self._data.entries.at((channel, index))
        value = self._data.read(channel, index)
        if value != value:
            return f"{entry.path} is not available"
        unit = f" {entry.unit}" if entry.unit not in ("", "1") else ""
        return f"{entry.path} = {value:g}{unit}"


class Expect:
    """Expects that the condition holds at the end of one tick `within` a time [ns]; 0: in the present tick.

    `fatal`: the step is a wait; if it fails, the scenario cannot continue.
    """

    acts: Final = False
    endless: Final = False

    def __init__(self, condition: BusCondition, within: int, *, fatal: bool = False) -> None:
        self._condition: Final = condition
        self._within: Final = within
        self._fatal: Final = fatal
        self._begin = 0

    def begin(self, t: int) -> None:
        self._begin = t

    def evaluate(self, t: int) -> Ending | None:
        passed, lasted = self._condition.holds(), t - self._begin
        if not passed and lasted < self._within:
            return None
        after = f"after {seconds(lasted)}: " if self._within else ""
        return Ending(passed, after + self._condition.values(), fatal=self._fatal and not passed)

    def close(self, t: int) -> Ending | None:
        return None


class Leave:
    """Ends a repeat if the condition holds: `skip` steps are not needed then. Without any to skip it must hold."""

    acts: Final = False
    endless: Final = False

    def __init__(self, condition: BusCondition, skip: int) -> None:
        self._condition: Final = condition
        self._skip: Final = skip

    def begin(self, t: int) -> None:
        """Do nothing: the condition is that of the present tick."""

    def evaluate(self, t: int) -> Ending | None:
        holds = self._condition.holds()
        return Ending(holds or self._skip > 0, self._condition.values(), skip=self._skip if holds else 0)

    def close(self, t: int) -> Ending | None:
        return None


class Always:
    """Expects that the condition holds at the end of every tick for a time [ns], None: to the end of the scenario."""

    acts: Final = False

    def __init__(self, condition: BusCondition, duration: int | None) -> None:
        self.endless: Final = duration is None
        self._condition: Final = condition
        self._duration: Final = duration
        self._begin = 0

    def begin(self, t: int) -> None:
        self._begin = t

    def evaluate(self, t: int) -> Ending | None:
        lasted = t - self._begin
        if not self._condition.holds():
            return Ending(passed=False, seen=f"after {seconds(lasted)}: {self._condition.values()}")
        if self._duration is None or lasted < self._duration:
            return None
        return Ending(passed=True, seen=f"for {seconds(lasted)}")

    def close(self, t: int) -> Ending | None:
        return Ending(passed=True, seen=f"for {seconds(t - self._begin)}") if self.endless else None


class _FrameExpectation:
    """A step that searches the frames of a bus for the first one that a pattern accepts."""

    acts: Final = False
    endless = False

    def __init__(self, pattern: Pattern, listener: FrameListener) -> None:
        self._pattern: Final = pattern
        self._listener: Final = listener
        self._search: Final = FrameSearch(pattern.matches, lambda frame, _: pattern.accepts(frame))
        self._begin = 0

    def begin(self, t: int) -> None:
        self._begin = t
        self._listener.receivers.append(self._search.receive)

    def evaluate(self, t: int) -> Ending | None:
        ending = self._ending(t - self._begin)
        if ending is not None:
            self._listener.receivers.remove(self._search.receive)
        return ending

    def close(self, t: int) -> Ending | None:
        self._listener.receivers.remove(self._search.receive)
        return self._closing(t - self._begin)

    def _ending(self, lasted: int) -> Ending | None:
        """Return the ending after the time `lasted` [ns], None while the step continues."""
        raise NotImplementedError

    def _closing(self, lasted: int) -> Ending | None:
        """Return the ending if the scenario ends after the time `lasted` [ns], None for a step that is cut off."""
        return None

    def _describe_found(self, frame: Frame, t: int) -> str:
        return f"after {seconds(t - self._begin)}: {self._pattern.describe(frame)}"


class FrameComes(_FrameExpectation):
    """Expects a frame that the pattern accepts `within` a time [ns] after the tick in which the step begins.

    `occasion` [ns]: its absence is no failure. If no frame of the identifier comes within the time, its sender is
    silent; once one has come, this one is awaited for so long, and then the scenario is not tried.
    """

    def __init__(self, pattern: Pattern, listener: FrameListener, within: int, occasion: int | None = None) -> None:
        super().__init__(pattern, listener)
        self._within = within
        self._occasion = occasion
        self._missed: StepOutcome | None = None if occasion is None else StepOutcome.SILENT

    def _ending(self, lasted: int) -> Ending | None:
        if self._search.found is not None:
            return Ending(passed=True, seen=self._describe_found(*self._search.found))
        if self._occasion is not None and self._search.last is not None:
            self._within, self._occasion, self._missed = lasted + self._occasion, None, StepOutcome.NOT_TRIED
        if lasted < self._within:
            return None
        if self._search.last is None:
            seen = f"no {self._pattern.title} in {seconds(lasted)}"
        else:
            last = self._pattern.describe(self._search.last)
            seen = f"{self._search.others} came that do not fit; the last: {last}"
        return Ending(passed=False, seen=seen, untried=self._missed)


class NoFrameComes(_FrameExpectation):
    """Expects no frame that the pattern accepts for a time [ns] or, with None, to the end of the scenario."""

    def __init__(self, pattern: Pattern, listener: FrameListener, duration: int | None) -> None:
        super().__init__(pattern, listener)
        self.endless = duration is None
        self._duration: Final = duration

    def _closing(self, lasted: int) -> Ending | None:
        return self._none(lasted) if self.endless else None

    def _ending(self, lasted: int) -> Ending | None:
        if self._search.found is not None:
            return Ending(passed=False, seen=self._describe_found(*self._search.found))
        return None if self._duration is None or lasted < self._duration else self._none(lasted)

    def _none(self, lasted: int) -> Ending:
        return Ending(passed=True, seen=f"none in {seconds(lasted)}")
