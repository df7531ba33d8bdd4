"""The arbitration of sources: which one holds each control in a tick, and the value on the data bus.

For each control the fresh source with the highest priority that sets it wins. When the last of them falls silent the
control goes to its safe value: what the bench file says; else pedals to 0, levers stay, the key leaves the starter,
and requests end. Before any source has spoken everything is at rest: key off, neutral, pedals released.

A demo driver holds the controls only while no source of driver's controls is fresh and none was for ten seconds. A
source that becomes fresh replaces it whole: what that source does not set goes to rest, as if there were no demo
driver. What commands hold has priority over both.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from hilbridge.base.common.event_log import EventLog
from hilbridge.base.common.token_bucket import TokenBucket
from hilbridge.base.common.units import NEVER, SECOND
from hilbridge.bench.inputs.controls import INPUT_CONTROLS, Control
from hilbridge.bench.inputs.rows import ControlRow
from hilbridge.bench.inputs.source import REPORT_INTERVAL, Source
from vehiclesim.channels import INPUT, NAN
from vehiclesim.databus import DataBus

SILENCE: Final = 10 * SECOND
"""[ns] without any other source before the demo driver comes back."""

REPORT_BURST: Final = 6
"""Reports about a source that may follow one another at once: connecting, testing and unplugging it takes some."""

DEMO: Final = "demo driver"


class InternalDriver(Protocol):
    """A driver inside the program: `values[i]` is the bus integer for `controls[i]`.

    Between its control steps, of which the next one is `due` [ns], the values stay.
    """

    controls: tuple[Control, ...]
    values: list[int]
    due: int

    def begin(self, t: int) -> None:
        """Take over at `t` [ns], whatever the vehicle is doing."""

    def drive(self, t: int) -> None:
        """Set `values` by the control steps that are due."""


class _Slot:
    """One control: the sources that may set it, and the one that does."""

    __slots__ = ("candidates", "control", "holder", "value", "writes")

    def __init__(self, control: Control, candidates: list[tuple[Source, int]]) -> None:
        self.control = control
        self.candidates = candidates
        self.holder: tuple[Source, int] | None = None
        self.value = control.rest
        self.writes = False  # the value belongs on the bus: a source holds the control, or has just lost it

    def decide(self) -> None:
        for candidate in self.candidates:
            source, position = candidate
            if source.fresh[position]:
                self.holder = candidate
                self.value = source.values[position]
                self.writes = True
                return
        if self.holder is not None:
            source, position = self.holder
            self.value = source.bindings[position].after_loss(self.value)
            self.holder = None
            self.writes = True

    def release(self) -> None:
        self.holder = None
        self.value = self.control.rest
        self.writes = True


class _ReportState:
    """The state of a source that was reported last, and the limit of its reports."""

    __slots__ = ("failed", "fresh", "reports")

    def __init__(self, source: Source) -> None:
        self.fresh = [False] * len(source.fresh)
        self.failed = [False] * len(source.monitors)
        self.reports = TokenBucket(REPORT_BURST, 1, REPORT_INTERVAL)


class Arbiter:
    """The arbiter of all sources. `sample` decides once a tick, after the sources were fed."""

    def __init__(
        self, bus: DataBus, sources: Sequence[Source], event_log: EventLog, driver: InternalDriver | None = None
    ) -> None:
        """`sources`: highest priority first."""
        self._bus: Final = bus
        self._sources: Final = tuple(sources)
        self._event_log: Final = event_log
        self._driver: Final = driver
        self._driving: InternalDriver | None = None
        self._free: list[tuple[int, list[int], int]] = []  # controls that the driver sets: position, channel, index
        self._report_states: Final = {source: _ReportState(source) for source in sources}
        self._due = 0  # [ns] when to decide even without news: the next time-out or the demo driver's return
        controls = dict.fromkeys(INPUT_CONTROLS)
        controls.update(dict.fromkeys(binding.control for source in sources for binding in source.bindings))
        self._driven: Final = () if driver is None else driver.controls
        controls.update(dict.fromkeys(self._driven))
        candidates = _candidates(self._sources)
        self._slots: Final = {
            control: _Slot(control, candidates.get(control, [])) for control in controls if not control.is_paddle
        }
        self._paddle: Final = next(
            (control, candidates.get(control, [])) for control in INPUT_CONTROLS if control.is_paddle
        )
        self._drivers: Final = [
            (source, driven) for source in sources if not source.overrides and (driven := _of_driver(source))
        ]

    def rest(self) -> None:
        """Set all of the Input channel to rest, as it is before the first source speaks."""
        for control in INPUT_CONTROLS:
            self._bus.input[control.index] = control.rest

    def take_over(self, before: "Arbiter") -> None:
        """Continue from another arbiter: a control that no source holds any more is lost in the next decision."""
        for control, slot in self._slots.items():
            old = before._slots.get(control)
            if old is not None:
                slot.holder, slot.value = old.holder, old.value
        self._driving, self._free = before._driving, before._free
        for source, state in self._report_states.items():
            state.fresh = list(source.fresh)

    def sample(self, t: int) -> None:
        """Write the controls of the tick of time `t` [ns] to the bus."""
        work = t >= self._due
        for source in self._sources:
            if source.news:
                work = True
        if work:
            self._decide(t)
        driver = self._driving
        if driver is not None and (work or t >= driver.due):
            self._drive(driver, t)

    def control_states(self) -> list[ControlRow]:
        """Return the state of all controls of the driver, and of the others that a source holds."""
        driver = self._driving
        driven = set() if driver is None else {driver.controls[position] for position, _, _ in self._free}
        rows = []
        for control, slot in self._slots.items():
            if slot.holder is not None or control.channel == INPUT or control in driven:
                source = _name(slot.holder) if slot.holder is not None else DEMO if control in driven else ""
                raw = self._bus.channels[control.channel][control.index]
                rows.append(ControlRow(control.name, source, None if raw == NAN else control.to_value(raw)))
        return rows

    def _decide(self, t: int) -> None:
        later = NEVER
        for source in self._sources:
            source.expire(t)
            source.news = False
            later = min(later, self._announce(source, t))
        self._choose_driver(t)
        for slot in self._slots.values():
            slot.decide()
            if slot.writes:
                slot.writes = False
                self._bus.channels[slot.control.channel][slot.control.index] = slot.value
        self._shift()
        self._due = min(later, self._next_due())
        if self._driving is not None:
            self._free = [
                (i, self._bus.channels[control.channel], control.index)
                for i, control in enumerate(self._driving.controls)
                if self._slots[control].holder is None
            ]

    def _announce(self, source: Source, t: int) -> int:
        """Report changes of a source; return when [ns] to report those that must wait."""
        if source.complaint is not None:
            fields = {"source": source.name, "reason": source.complaint, "so_far": source.rejected}
            self._event_log.warning(t, "input cannot be used", **fields)
            source.complaint = None
        state = self._report_states[source]
        failed = [monitor.failed for monitor in source.monitors]
        if source.fresh == state.fresh and failed == state.failed:
            return NEVER
        if not state.reports.take(t):
            return state.reports.due(t)
        self._announce_controls(source, state.fresh, t)
        for monitor, before in zip(source.monitors, state.failed, strict=True):
            if monitor.failed != before:
                tell = self._event_log.warning if monitor.failed else self._event_log.info
                event = "pedal tracks differ" if monitor.failed else "pedal tracks agree again"
                tell(t, event, source=source.name, control=monitor.control.name, failures=monitor.failures)
        state.fresh = list(source.fresh)
        state.failed = failed
        return NEVER

    def _announce_controls(self, source: Source, before: list[bool], t: int) -> None:
        """Report the controls that became active, and those that were lost by silence or released."""
        gained: list[str] = []
        lost: list[str] = []
        released: list[str] = []
        for i, (old, new) in enumerate(zip(before, source.fresh, strict=True)):
            if old != new:
                changed = gained if new else lost if source.is_silent(i, t) else released
                changed.append(source.bindings[i].control.name)
        if gained:
            self._event_log.info(t, "input active", source=source.name, controls=", ".join(gained))
        if released:
            self._event_log.info(t, "input released", source=source.name, controls=", ".join(released))
        if lost:
            self._event_log.warning(t, "input timed out", source=source.name, controls=", ".join(lost))

    def _choose_driver(self, t: int) -> None:
        """Let the demo driver yield at once, and return after the silence."""
        driving = None if self._any_source_is_fresh() or t < self._silent_since() + SILENCE else self._driver
        if driving is self._driving:
            return
        self._driving = driving
        for slot in self._slots.values():
            if slot.control.channel == INPUT or slot.control in self._driven:
                slot.release()
        if driving is None:
            self._event_log.info(t, "demo driver yields")
        else:
            self._event_log.info(t, "demo driver drives")
            driving.begin(t)

    def _drive(self, driver: InternalDriver, t: int) -> None:
        """Write the driver's controls that no source holds to the bus."""
        driver.drive(t)
        values = driver.values
        for position, channel, index in self._free:
            channel[index] = values[position]

    def _shift(self) -> None:
        """Add the paddle's steps of the source that holds it to the bus; the vehicle takes them off again."""
        control, candidates = self._paddle
        holder = next((source for source, position in candidates if source.fresh[position]), None)
        if holder is not None:
            self._bus.input[control.index] += holder.steps
        for source, _ in candidates:
            source.steps = 0

    def _any_source_is_fresh(self) -> bool:
        """Return whether any source of driver's controls is fresh."""
        return any(source.fresh[i] for source, positions in self._drivers for i in positions)

    def _silent_since(self) -> int:
        """Return the time [ns] of the last good sample of a source of driver's controls; long ago without any."""
        return max((source.heard for source, _ in self._drivers if source.heard is not None), default=-SILENCE)

    def _next_due(self) -> int:
        times = [due for source in self._sources if (due := source.due) is not None]
        if self._driver is not self._driving and not self._any_source_is_fresh():
            times.append(self._silent_since() + SILENCE)
        return min(times, default=NEVER)


def _name(holder: tuple[Source, int]) -> str:
    source, position = holder
    return source.holder(position)


def _candidates(sources: Sequence[Source]) -> dict[Control, list[tuple[Source, int]]]:
    """Return the sources that set each control, highest first, with the position of its value."""
    found: dict[Control, list[tuple[Source, int]]] = {}
    for source in sources:
        for position, binding in enumerate(source.bindings):
            found.setdefault(binding.control, []).append((source, position))
    return found


def _of_driver(source: Source) -> list[int]:
    """Return the positions of the driver's controls among those that a source sets."""
    return [i for i, binding in enumerate(source.bindings) if binding.control.channel == INPUT]
