"""The frames of all buses in time: what is due is encoded from the data bus and sent.

In a tick the cyclic frames go first, then those whose content changed, each in the order in which they would win
arbitration (the late ones by their time before that), then what further senders have, such as a rest bus.
"""

from collections.abc import Mapping
from dataclasses import replace
from heapq import heapreplace
from typing import Final, Protocol

from hilbridge.bus.bus import Bus
from hilbridge.codec.database import Database
from hilbridge.codec.frame import EXTENDED, EXTENDED_MASK
from hilbridge.plan.bulb_check import BulbCheck, BulbChecks
from hilbridge.plan.gating import gate_warnings
from hilbridge.plan.planned import PlannedFrame, WatchedFrame
from hilbridge.plan.raw import with_raw_frames
from hilbridge.plan.report import BusReport, FrameStatistics, report, statistics
from hilbridge.plan.schedule import busiest, spread
from hilbridge.plan.selection import Outgoing, Selection, select, select_nothing
from hilbridge.plan.terminals import IGNITION, Terminals
from hilbridge.settings import BenchSettings, BusSettings
from vehiclesim.databus import DataBus

_IDENTIFIER_EXTENSION: Final = 18
"""Bits by which a 29-bit identifier is longer."""


class Sender(Protocol):
    """Something else that sends in the plan's stage of the tick."""

    def publish(self, t: int) -> None:
        """Sends what is due at `t` [ns]."""

    def describe(self) -> str:
        """One line for people: "rest bus: 12 identifiers of drive.blf"."""


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
        self.selections: Final = _selections(bench, databases)
        chosen = [(buses[name], frame) for name, one in self.selections.items() for frame in one.outgoing]
        kept = {} if before is None else {_key(one.bus, one.outgoing): one for one in before.frames}
        standing = [_standing(kept.get(_key(bus, one)), one) for bus, one in chosen]
        phases = _phases([frame for _, frame in chosen], standing, bench.period)
        self.frames: Final[tuple[PlannedFrame, ...]] = tuple(
            (WatchedFrame if outgoing.sending.on_change else PlannedFrame)(
                outgoing, bus, data.channels, phase, bench.period
            )
            for (bus, outgoing), phase in zip(chosen, phases, strict=True)
        )
        ranked = sorted(self.frames, key=lambda frame: (_arbitration(frame.can_id), frame.bus.index))
        self._cyclic: Final = [frame for frame in ranked if not isinstance(frame, WatchedFrame)]
        self._watched: Final = [frame for frame in ranked if isinstance(frame, WatchedFrame)]
        self._due: list[tuple[int, int, PlannedFrame]] = []
        self._reports: Final = [
            self._report(name, settings)
            for name, settings in bench.buses.items()
            if name in databases or self.selections[name].outgoing
        ]
        self._terminals: Final = Terminals(data)
        self._bulb_checks: Final = BulbChecks(
            [BulbCheck(one, one.outgoing.lamps) for one in ranked if one.outgoing.lamps]
        )

    def take_over(self, before: "FramePlan", t: int) -> None:
        """Goes on from `t` [ns] where another plan was: frames that stay keep their counters and their times."""
        known = {_key(frame.bus, frame.outgoing): frame for frame in before.frames}
        self._terminals.take_over(before._terminals)
        for frame in self.frames:
            old = known.get(_key(frame.bus, frame.outgoing))
            if old is not None:
                frame.take_over(old, t)
        self._bulb_checks.take_over(before._bulb_checks, t)
        self._turn_terminals(t)

    def cut_off(self) -> None:
        """No terminal is on from now on: every frame goes once more, at the end of its after-run."""
        self._terminals.cut_off()

    @property
    def is_asleep(self) -> bool:
        """No frame is awake."""
        return not any(frame.awake for frame in self.frames)

    def publish(self, t: int) -> None:
        """Sends every frame that is due at `t` [ns]."""
        if self._terminals.changed():
            self._switch(t)
        if t >= self._bulb_checks.due:
            self._bulb_checks.advance(t)
        due = self._due
        while due and due[0][0] <= t:
            _, rank, frame = due[0]
            frame.go(t)
            heapreplace(due, (frame.due, rank, frame))
        for watched in self._watched:
            watched.poll(t)
        for sender in self.senders:
            sender.publish(t)

    def _switch(self, t: int) -> None:
        """Terminals went on or off. Frames that wake the others up go before them."""
        self._bulb_checks.ignition(bool(self._terminals.on & IGNITION), t)
        self._turn_terminals(t)
        for watched in self._watched:
            if watched.outgoing.wake_up:
                watched.poll(t)

    def _turn_terminals(self, t: int) -> None:
        for frame in self.frames:
            frame.switch(self._terminals.on, t)
        self._due = sorted(
            (frame.due, rank - len(self._cyclic) * frame.outgoing.wake_up, frame)
            for rank, frame in enumerate(self._cyclic)
        )

    def statistics(self) -> list[FrameStatistics]:
        """What each frame did so far, bus by bus."""
        return [statistics(frame) for frame in self.frames]

    def busiest_tick(self) -> int:
        """The most cyclic frames that are due in one tick, on all buses together."""
        cyclic = [frame for frame in self.frames if frame.outgoing.sending.period is not None]
        return busiest([one.period // self._tick for one in cyclic], [one.phase // self._tick for one in cyclic])

    def describe(self) -> list[BusReport]:
        """The plan in rows, bus by bus, for `hilbridge check`."""
        return self._reports

    def _report(self, name: str, settings: BusSettings) -> BusReport:
        phases = [frame.phase for frame in self.frames if frame.bus.name == name]
        selection = self.selections[name]
        told = report(name, selection, phases, self._tick)
        held_back = gate_warnings(settings, selection, told.load, ("buses", name))
        return replace(told, warnings=(*told.warnings, *held_back))


def _selections(bench: BenchSettings, databases: Mapping[str, Database]) -> dict[str, Selection]:
    """Return what each bus sends. Each call makes new protectors, which count for one plan."""
    selections: dict[str, Selection] = {}
    for name, settings in bench.buses.items():
        known = select_nothing(settings)
        if name in databases:
            known = select(name, settings, databases[name], bench.period)
        selections[name] = with_raw_frames(known, settings, bench.period, ("buses", name))
    return selections


def _key(bus: Bus, frame: Outgoing) -> tuple[str, str, int]:
    """By which a frame is known again when another plan takes over."""
    return bus.name, frame.message, frame.can_id


def _standing(before: PlannedFrame | None, frame: Outgoing) -> int | None:
    """[ns] the phase that a frame is to have: as given, else the one that it had with the same period."""
    if frame.sending.phase is not None or before is None or before.period != frame.sending.period:
        return frame.sending.phase
    return before.phase


def _phases(frames: list[Outgoing], standing: list[int | None], tick: int) -> list[int]:
    """[ns] for each frame: that which stands, or so that those with a cycle do not bunch; 0 for the others."""
    cyclic = [frame.sending for frame in frames if frame.sending.period is not None]
    given = [
        None if phase is None else phase // tick
        for frame, phase in zip(frames, standing, strict=True)
        if frame.sending.period is not None
    ]
    phases = iter(spread([(one.period or tick) // tick for one in cyclic], given))
    return [0 if frame.sending.period is None else next(phases) * tick for frame in frames]


def _arbitration(can_id: int) -> tuple[int, bool]:
    """Sorts as the bus decides: by the first 11 bits, then the shorter identifier, then the other 18 bits."""
    extended = bool(can_id & EXTENDED)
    identifier = can_id & EXTENDED_MASK
    return (identifier, True) if extended else (identifier << _IDENTIFIER_EXTENSION, False)
