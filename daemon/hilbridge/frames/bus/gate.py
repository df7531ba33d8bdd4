"""The gate between a bus and its link: the last place that a frame passes before it leaves the process.

All senders, plan, diagnostics, clients and faults, obey the same limits, checked in this order:

    unarmed       hardware stays listen-only until it is armed
    never_send    identifiers that never leave: in a real vehicle they do harm
    not_allowed   others than the allowed identifiers, where the bench file lists these
    odometer      frames that make a real odometer count, without the explicit yes
    over_budget   the frame does not fit into the share of the bus's time that own frames may take

A route of the gateway is no way around a gate: `Brought` has what is forbidden where its frames come from, and is
forbidden here too.

A frame that is held back is counted by its reason. The gate never raises, and nothing it does depends on a clock.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from hilbridge.files.settings import BusSettings
from hilbridge.files.settings.identifiers import IdentifierRange
from hilbridge.frames.bus.bus import Outlet
from hilbridge.frames.bus.busload import Budget
from hilbridge.frames.codec.frame import EXTENDED_MASK, Frame
from hilbridge.frames.codec.pgn import GROUP_MASK

_HARMFUL: Final = dict.fromkeys(("vw-mlb", "vw-mqb"), (IdentifierRange(first=0x6B4, last=0x6B4),))
"""By preset. 0x6B4 carries the identification number of the vehicle: control units that hear another one than theirs
lock themselves (component protection)."""


@dataclass(slots=True)
class GateStatistics:
    """Counters since the start of the run; they only ever grow."""

    passed: int = 0
    unarmed: int = 0
    never_send: int = 0
    not_allowed: int = 0
    odometer: int = 0
    over_budget: int = 0


class Brought(NamedTuple):
    """The rules that the routes bring to a bus: identifiers that are never sent, and those of odometer frames.

    `moving`: J1939 nodes send them, which may claim another address than their first.
    """

    never: tuple[IdentifierRange, ...] = ()
    odometer: frozenset[int] = frozenset()
    moving: bool = False


NOTHING: Final = Brought()
"""Without routes."""


class Gate:
    """A filter before `link` that passes frames or holds them back. `armed` may change at any time."""

    def __init__(
        self,
        link: Outlet,
        settings: BusSettings,
        *,
        odometer: Collection[int] = (),
        budget: Budget | None = None,
        brought: Brought = NOTHING,
    ) -> None:
        """`odometer`: the identifiers (with their flag) that would make a real odometer count, and may not."""
        self.statistics = GateStatistics()
        self.is_hardware: Final = settings.is_hardware
        self.armed = settings.armed or not self.is_hardware
        self._link = link
        self._settings = settings
        never = never_sent(settings)
        self._never_sent = (*never, *(one for one in brought.never if one not in never))
        self._never = _bounds(self._never_sent)
        self._allowed = None if settings.allow is None else _bounds(settings.allow)
        self._odometer = brought.odometer.union(odometer)
        moving = (
            settings.source_address is not None or brought.moving
        )  # a J1939 node may claim another address than its first
        self._groups = frozenset(can_id & GROUP_MASK for can_id in self._odometer) if moving else frozenset()
        self._budget = budget

    def take_over(self, before: "Gate") -> None:
        """Continue in the place of another gate: armed as that one is, with its counters.

        A bus that has become hardware by this is armed by its own settings alone.
        """
        if before.is_hardware or not self.is_hardware:
            self.armed = before.armed
        self.statistics = before.statistics

    def accepts(self, can_id: int) -> bool:
        """Return the answer of the link. A bus that is not armed shows its frames inside, as if they left."""
        return not self.armed or self._link.accepts(can_id)

    def receive(self, frame: Frame, t: int) -> None:
        """Pass a frame of the bus to the link, or count why not."""
        statistics, identifier = self.statistics, frame.can_id & EXTENDED_MASK
        if not self.armed:
            statistics.unarmed += 1
        elif self._never and _within(identifier, self._never):
            statistics.never_send += 1
        elif self._allowed is not None and not _within(identifier, self._allowed):
            statistics.not_allowed += 1
        elif frame.can_id in self._odometer or (self._groups and frame.can_id & GROUP_MASK in self._groups):
            statistics.odometer += 1
        elif self._budget is not None and not self._budget.admit(frame, t):
            statistics.over_budget += 1
        else:
            statistics.passed += 1
            self._link.receive(frame, t)

    def describe(self) -> str:
        """Return one line for the user: "armed, never sends 0x6B4, at most 80 % of 500000 bit/s"."""
        parts = ["armed" if self.armed else "listen-only until armed"]
        never, allowed = self._never_sent, self._settings.allow
        if never:
            parts.append(f"never sends {', '.join(map(str, never))}")
        if allowed is not None:
            parts.append(f"sends only {', '.join(map(str, allowed)) or 'nothing'}")
        if self._odometer:
            parts.append("without odometer frames")
        if self._budget is not None:
            parts.append(self._budget.describe())
        return ", ".join(parts)


def _bounds(ranges: Sequence[IdentifierRange]) -> tuple[tuple[int, int], ...]:
    """Return the ranges as plain numbers, which the tick compares faster."""
    return tuple((one.first, one.last) for one in ranges)


def _within(identifier: int, bounds: tuple[tuple[int, int], ...]) -> bool:
    for first, last in bounds:  # noqa: SIM110 - any() takes twice the time
        if first <= identifier <= last:
            return True
    return False


def never_sent(settings: BusSettings) -> Sequence[IdentifierRange]:
    """Return the bench file's list; where it has none, that of the presets in use."""
    if settings.never_send is not None:
        return settings.never_send
    return [one for preset in sorted(settings.presets) for one in _HARMFUL.get(preset, ())]
