"""Who holds each of the driver's controls in this tick, and what that puts on the data bus.

For each control the highest source counts that sets it and is fresh. When the last of them falls silent the control
goes to its safe value: what the bench file says; else pedals to 0, levers stay, and the key leaves the starter.
Before any source has spoken everything is at rest: key off, neutral, pedals released.

A demo driver holds the controls only while no source is fresh and none was for ten seconds. A source that becomes
fresh replaces it whole: what that source does not set goes to rest, as if there were no demo driver.
"""

from collections.abc import Sequence
from typing import Any, Final, Protocol

from hilbridge.inputs.controls import INPUT_CONTROLS, Control
from hilbridge.inputs.source import Binding, Source
from vehiclesim.databus import DataBus

SILENCE: Final = 10_000_000_000
"""[ns] without any other source before the demo driver comes back."""

_NEVER: Final = 1 << 62


class Journal(Protocol):
    """Takes what a user should know, at time `t` [ns]: called when something changes, never at a rate."""

    def info(self, t: int, event: str, **fields: Any) -> None:
        """Worth knowing; nothing is wrong."""

    def warning(self, t: int, event: str, **fields: Any) -> None:
        """Works, but not as it should."""


class Driver(Protocol):
    """A driver inside the program: `values[i]` is the bus integer for `controls[i]`."""

    controls: tuple[Control, ...]
    values: list[int]

    def begin(self, t: int) -> None:
        """Takes the wheel at `t` [ns], whatever the vehicle is doing."""

    def drive(self, t: int) -> None:
        """Sets `values` for this tick."""


class _Slot:
    """One control: who may set it, and who does."""

    __slots__ = ("candidates", "control", "holder", "value")

    def __init__(self, control: Control, candidates: list[tuple[Source, int]]) -> None:
        self.control = control
        self.candidates = candidates
        self.holder: Binding | None = None
        self.value = control.rest

    def decide(self) -> None:
        for source, position in self.candidates:
            if source.fresh[position]:
                self.holder = source.bindings[position]
                self.value = source.values[position]
                return
        if self.holder is not None:
            self.value = self.holder.after_loss(self.value)
            self.holder = None

    def release(self) -> None:
        self.holder = None
        self.value = self.control.rest


class Arbiter:
    """Decides in `sample`, once a tick, after the sources were fed; costs next to nothing while nothing changes."""

    def __init__(self, bus: DataBus, sources: Sequence[Source], journal: Journal, driver: Driver | None = None) -> None:
        """`sources`: highest priority first. All of the Input channel is set to rest."""
        self._bus: Final = bus
        self._sources: Final = tuple(sources)
        self._journal: Final = journal
        self._driver: Final = driver
        self._driving: Driver | None = None
        self._reported: Final = {source: list(source.fresh) for source in sources}
        self._due = 0  # [ns] when to decide, news or not: the next time-out or the demo driver's return
        controls = dict.fromkeys(INPUT_CONTROLS)
        controls.update(dict.fromkeys(binding.control for source in sources for binding in source.bindings))
        self._slots: Final = [
            _Slot(control, _candidates(control, self._sources)) for control in controls if not control.is_paddle
        ]
        self._paddle: Final = next(
            (control, _candidates(control, self._sources)) for control in INPUT_CONTROLS if control.is_paddle
        )
        for control in INPUT_CONTROLS:
            bus.input[control.index] = control.rest

    def sample(self, t: int) -> None:
        """Writes the driver's controls of the tick of time `t` [ns] to the bus."""
        work = t >= self._due
        for source in self._sources:
            if source.news:
                work = True
        if work:
            self._decide(t)
        if self._driving is not None:
            self._drive(self._driving, t)

    def _decide(self, t: int) -> None:
        for source in self._sources:
            source.expire(t)
            source.news = False
            self._announce(source, t)
        self._choose_driver(t)
        for slot in self._slots:
            slot.decide()
            self._bus.channels[slot.control.channel][slot.control.index] = slot.value
        self._shift()
        self._due = self._next_due()

    def _announce(self, source: Source, t: int) -> None:
        if source.complaint is not None:
            fields = {"source": source.name, "reason": source.complaint, "so_far": source.rejected}
            self._journal.warning(t, "input cannot be used", **fields)
            source.complaint = None
        before = self._reported[source]
        if source.fresh == before:
            return
        self._reported[source] = list(source.fresh)
        names = [binding.control.name for binding in source.bindings]
        gained = [name for name, old, new in zip(names, before, source.fresh, strict=True) if new and not old]
        lost = [name for name, old, new in zip(names, before, source.fresh, strict=True) if old and not new]
        if gained:
            self._journal.info(t, "input active", source=source.name, controls=", ".join(gained))
        if lost:
            self._journal.warning(t, "input timed out", source=source.name, controls=", ".join(lost))

    def _choose_driver(self, t: int) -> None:
        """The demo driver yields at once, and comes back after the silence."""
        alone = not any(True in source.fresh for source in self._sources) and t >= self._silent_since() + SILENCE
        driving = self._driver if alone else None
        if driving is self._driving:
            return
        self._driving = driving
        for slot in self._slots:
            slot.release()
        if driving is None:
            self._journal.info(t, "demo driver yields")
        else:
            self._journal.info(t, "demo driver drives")
            driving.begin(t)

    def _drive(self, driver: Driver, t: int) -> None:
        """The driver's controls over the rest values that the slots have written."""
        driver.drive(t)
        for control, value in zip(driver.controls, driver.values, strict=True):
            self._bus.channels[control.channel][control.index] = value

    def _shift(self) -> None:
        """Adds the paddle's steps of the source that holds it to the bus; the vehicle takes them off again."""
        control, candidates = self._paddle
        holder = next((source for source, position in candidates if source.fresh[position]), None)
        if holder is not None:
            self._bus.input[control.index] += holder.steps
        for source, _ in candidates:
            source.steps = 0

    def _silent_since(self) -> int:
        """[ns] of the last good sample of any source; long ago when there was none."""
        return max((source.heard for source in self._sources if source.heard is not None), default=-SILENCE)

    def _next_due(self) -> int:
        times = [due for source in self._sources if (due := source.due) is not None]
        if times:
            return min(times)
        return _NEVER if self._driver is self._driving else self._silent_since() + SILENCE


def _candidates(control: Control, sources: Sequence[Source]) -> list[tuple[Source, int]]:
    """The sources that set a control, highest first, with the position of its value."""
    return [
        (source, position)
        for source in sources
        for position, binding in enumerate(source.bindings)
        if binding.control == control
    ]
