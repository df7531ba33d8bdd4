"""The frames of all buses in time: what is due is encoded from the data bus and sent.

In a tick the cyclic frames go first, then those whose content changed, each in the order in which they would win
arbitration (the late ones by their time before that), then what further senders have, such as a rest bus.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from heapq import heapreplace
from typing import Final, Protocol

from hilbridge.base.common.errors import ErrorCollector
from hilbridge.files.settings import BenchSettings, BusSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.custom import entries_that_read
from hilbridge.frames.codec.database import Database
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK
from hilbridge.frames.codec.sources import EntryId
from hilbridge.frames.codec.turns import Turns
from hilbridge.frames.plan.active import ActiveFrame
from hilbridge.frames.plan.bulb_check import BulbCheck, BulbChecks
from hilbridge.frames.plan.carrier import BusCarrier
from hilbridge.frames.plan.event_frame import EventFrame
from hilbridge.frames.plan.gating import COUNTED, gate_warnings, reads_any
from hilbridge.frames.plan.on_request import OnRequestFrame
from hilbridge.frames.plan.once import OnceFrame
from hilbridge.frames.plan.planned import PlannedFrame, WatchedFrame
from hilbridge.frames.plan.raw import with_raw_frames
from hilbridge.frames.plan.report import BusReport, FrameStatistics, report, statistics
from hilbridge.frames.plan.schedule import busiest, spread
from hilbridge.frames.plan.selection import Outgoing, Selection, select, select_nothing
from hilbridge.frames.plan.terminals import IGNITION, Terminals
from hilbridge.frames.plan.turning import TurningFrame
from vehiclesim.databus import DataBus
from vehiclesim.entries import Entries

_IDENTIFIER_EXTENSION: Final = 18
"""Bits by which a 29-bit identifier is longer."""


class Sender(Protocol):
    """A further sender in the plan's stage of the tick."""

    def publish(self, t: int) -> None:
        """Send what is due at `t` [ns]."""

    def describe(self) -> str:
        """Return one line for the user: "rest bus: 12 identifiers of drive.blf"."""


class FramePlan:
    """All frames of a bench, and further `senders`. The phases keep the frames of all buses apart: they share the tick.

    `frames` lists them bus by bus; `selections` has what was chosen for each bus, by its name.
    """

    def __init__(
        self,
        bench: BenchSettings,
        databases: Mapping[str, Database],
        data: DataBus,
        buses: Mapping[str, Bus],
        before: "FramePlan | None" = None,
    ) -> None:
        """Select the frames and spread their phases. `databases` and `buses` are by the name of the bus.

        `before` is the plan that this one replaces: a frame that stays, with the same period, keeps its phase.

        ConfigurationError: see `selection.select`, `raw.with_raw_frames` and `gating.gate_warnings`.
        """
        self.senders: Final[list[Sender]] = []
        self._tick: Final = bench.period
        self.selections: Final = _selections(bench, databases, data.entries)
        chosen = [(buses[name], frame) for name, one in self.selections.items() for frame in one.outgoing]
        kept = {} if before is None else {_key(one.bus, one.outgoing): one for one in before.frames}
        fixed = [_fixed_phase(kept.get(_key(bus, one)), one) for bus, one in chosen]
        phases = _phases([frame for _, frame in chosen], fixed, bench.period)
        self.frames: Final[tuple[PlannedFrame, ...]] = tuple(
            kind_of_frame(outgoing)(outgoing, bus, data.channels, phase, bench.period)
            for (bus, outgoing), phase in zip(chosen, phases, strict=True)
        )
        self._carriers: Final[dict[str, BusCarrier]] = {}
        for frame in self.frames:
            if frame.is_long:
                name = frame.bus.name
                frame.carrier = self._carriers[name] = self._carriers.get(name) or BusCarrier(frame.bus)
        self._carrying: Final = tuple(self._carriers.values())
        ranked = sorted(self.frames, key=lambda frame: (_arbitration(frame.can_id), frame.bus.index))
        self._cyclic: Final = [frame for frame in ranked if not isinstance(frame, WatchedFrame)]
        self._watched: Final = [frame for frame in ranked if isinstance(frame, WatchedFrame)]
        self._due: list[tuple[int, int, PlannedFrame]] = []
        self._reports: Final = [
            self._report(name, settings)
            for name, settings in bench.buses.items()
            if name in databases or self.selections[name].outgoing
        ]
        self.terminals: Final = Terminals(data)
        self._bulb_checks: Final = BulbChecks(
            [BulbCheck(one, one.outgoing.lamps) for one in ranked if one.outgoing.lamps]
        )

    def take_over(self, before: "FramePlan", t: int) -> None:
        """Continue from `t` [ns] in the place of another plan: frames that stay keep their counters and their times."""
        known = {_key(frame.bus, frame.outgoing): frame for frame in before.frames}
        self.terminals.take_over(before.terminals)
        for name, carrier in self._carriers.items():
            if name in before._carriers:
                carrier.take_over(before._carriers[name])
        for frame in self.frames:
            old = known.get(_key(frame.bus, frame.outgoing))
            if old is not None:
                frame.take_over(old, t)
        self._bulb_checks.take_over(before._bulb_checks, t)
        self._turn_terminals(t)

    def cut_off(self) -> None:
        """Switch all terminals off for good: every frame is sent once more, at the end of its after-run."""
        self.terminals.cut_off()

    @property
    def is_asleep(self) -> bool:
        """No frame is awake."""
        return not any(frame.awake for frame in self.frames)

    def publish(self, t: int) -> None:
        """Send every frame that is due at `t` [ns]."""
        if self.terminals.changed():
            self._switch(t)
        if t >= self._bulb_checks.due:
            self._bulb_checks.advance(t)
        due = self._due
        while due and due[0][0] <= t:
            _, rank, frame = due[0]
            frame.send_due(t)
            heapreplace(due, (frame.due, rank, frame))
        for watched in self._watched:
            watched.poll(t)
        for sender in self.senders:
            sender.publish(t)
        for carrier in self._carrying:
            carrier.poll(t)

    def _switch(self, t: int) -> None:
        """Apply a change of the terminals. Frames that wake the others up are sent before them."""
        self._bulb_checks.ignition(bool(self.terminals.on & IGNITION), t)
        self._turn_terminals(t)
        for watched in self._watched:
            if watched.outgoing.wake_up:
                watched.poll(t)

    def _turn_terminals(self, t: int) -> None:
        for frame in self.frames:
            frame.switch(self.terminals.on, t)
        self._due = sorted(
            (frame.due, rank - len(self._cyclic) * frame.outgoing.wake_up, frame)
            for rank, frame in enumerate(self._cyclic)
        )

    def statistics(self) -> list[FrameStatistics]:
        """Return the counters of each frame so far, bus by bus."""
        return [statistics(frame) for frame in self.frames]

    def busiest_tick(self) -> int:
        """Return the most cyclic frames that are due in one tick, on all buses together."""
        cyclic = [frame for frame in self.frames if frame.outgoing.sending.period is not None]
        return busiest([one.period // self._tick for one in cyclic], [one.phase // self._tick for one in cyclic])

    def describe(self) -> list[BusReport]:
        """Return the plan in rows, bus by bus, for `hilbridge check`."""
        return self._reports

    def _report(self, name: str, settings: BusSettings) -> BusReport:
        phases = [frame.phase for frame in self.frames if frame.bus.name == name]
        selection = self.selections[name]
        built = report(name, selection, phases, self._tick)
        held_back = gate_warnings(settings, selection, built.load, ("buses", name))
        return replace(built, warnings=(*built.warnings, *held_back))


def _selections(bench: BenchSettings, databases: Mapping[str, Database], entries: Entries) -> dict[str, Selection]:
    """Return what each bus sends. Each call makes new protectors, which count for one plan."""
    selections: dict[str, Selection] = {}
    errors = ErrorCollector()
    for name, settings in bench.buses.items():
        known = select_nothing(settings)
        if name in databases:
            with errors.attempt():
                known = select(name, settings, databases[name], bench.period, entries)
        with errors.attempt():
            selections[name] = with_raw_frames(known, settings, bench.period, ("buses", name), entries)
    errors.verdict()
    counting = entries_that_read(bench.custom, entries, COUNTED) - COUNTED
    return {name: _marked(one, counting) for name, one in selections.items()} if counting else selections


def _marked(selection: Selection, counting: Collection[EntryId]) -> Selection:
    """Mark the frames that count the vehicle's way by a computed entry of the bench."""
    marked = (replace(one, counts_way=True) if reads_any(one, counting) else one for one in selection.outgoing)
    return replace(selection, outgoing=tuple(marked))


def kind_of_frame(outgoing: Outgoing) -> type[PlannedFrame]:
    """Return the class of a frame of the plan."""
    if outgoing.events is not None:
        return EventFrame
    if outgoing.sending.kind == "once":
        return OnceFrame
    if outgoing.sending.kind == "cyclic" and outgoing.sending.period is None:
        return OnRequestFrame
    if outgoing.sending.kind == "cyclic-if-active":
        return ActiveFrame
    if any(isinstance(memory, Turns) for memory in outgoing.memories.values()):
        return TurningFrame
    return WatchedFrame if outgoing.sending.on_change else PlannedFrame


def _key(bus: Bus, frame: Outgoing) -> tuple[str, str, int]:
    """Return the key that identifies a frame in another plan."""
    return bus.name, frame.message, frame.can_id


def _fixed_phase(before: PlannedFrame | None, frame: Outgoing) -> int | None:
    """Return the phase [ns] that a frame must have: the given one, else the one that it had with the same period."""
    if frame.sending.phase is not None or before is None or before.period != frame.sending.period:
        return frame.sending.phase
    return before.phase


def _phases(frames: list[Outgoing], fixed: list[int | None], tick: int) -> list[int]:
    """Return the phase [ns] of each frame: the fixed one, or one that keeps cyclic frames apart; 0 for the others."""
    cyclic = [frame.sending for frame in frames if frame.sending.period is not None]
    given = [
        None if phase is None else phase // tick
        for frame, phase in zip(frames, fixed, strict=True)
        if frame.sending.period is not None
    ]
    phases = iter(spread([(one.period or tick) // tick for one in cyclic], given))
    return [0 if frame.sending.period is None else next(phases) * tick for frame in frames]


def _arbitration(can_id: int) -> tuple[int, bool]:
    """Return a sort key in the order of arbitration: the first 11 bits, the shorter identifier, the other 18 bits."""
    extended = bool(can_id & EXTENDED)
    identifier = can_id & EXTENDED_MASK
    return (identifier, True) if extended else (identifier << _IDENTIFIER_EXTENSION, False)
