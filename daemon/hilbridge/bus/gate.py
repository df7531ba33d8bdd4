"""The gate between a bus and its link: the last place that a frame passes before it leaves the process.

Whoever sends, plan, diagnostics, a client or a fault, is held to the same rails, in this order:

    unarmed       hardware stays listen-only until somebody arms it
    never_send    identifiers that never leave: on the real one they do harm
    not_allowed   others than the allowed identifiers, where the bench file lists these
    odometer      frames that make a real odometer count, without the explicit yes
    over_budget   the frame does not fit into the share of the bus's time that own frames may take

A frame that is held back is counted by its reason. The gate never raises, and nothing it does depends on a clock.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hilbridge.bus.budget import Budget
from hilbridge.bus.bus import WayOut
from hilbridge.codec.frame import EXTENDED_MASK, Frame
from hilbridge.codec.pgn import GROUP_MASK
from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.plan.selection import Outgoing, Selection
from hilbridge.settings import BusSettings
from hilbridge.settings.identifiers import IdentifierRange
from vehiclesim.channels import AUXILIARY, AuxiliaryData

HARDWARE_BUDGET: Final = 80.0
"""[%] of the bus's time, where the bench file names none."""

_HARMFUL: Final = {"vw-mqb": (IdentifierRange(first=0x6B4, last=0x6B4),)}
"""By preset. 0x6B4 carries the identification number of the vehicle: control units that hear another one than theirs
lock themselves (component protection)."""

_COUNTED: Final = {(AUXILIARY, AuxiliaryData.ODOMETER), (AUXILIARY, AuxiliaryData.DISTANCE_PULSES)}
"""What an instrument cluster adds to its own odometer."""


@dataclass(slots=True)
class GateStatistics:
    """Counters since the start of the run; they only ever grow."""

    passed: int = 0
    unarmed: int = 0
    never_send: int = 0
    not_allowed: int = 0
    odometer: int = 0
    over_budget: int = 0


class Gate:
    """Passes frames on to `link`, or holds them back. `armed` may change at any time."""

    def __init__(self, link: WayOut, settings: BusSettings, selection: Selection, tick: int) -> None:
        """`selection` is what the plan sends on this bus; `tick` [ns]."""
        self.statistics = GateStatistics()
        self.armed = settings.armed or not settings.is_hardware
        self._link = link
        self._settings = settings
        self._never = _bounds(never_sent(settings))
        self._allowed = None if settings.allow is None else _bounds(settings.allow)
        self._counting = frozenset(counting(settings, selection.outgoing))
        moving = settings.source_address is not None  # a J1939 node may claim another address than its first
        self._groups = frozenset(can_id & GROUP_MASK for can_id in self._counting) if moving else frozenset()
        self._budget = budget_of(settings, selection, tick)

    def accepts(self, can_id: int) -> bool:
        """What the link says. A bus that is not armed shows its frames inside, as if they went out."""
        return not self.armed or self._link.accepts(can_id)

    def receive(self, frame: Frame, t: int) -> None:
        """Lets a frame of the bus out, or counts it."""
        statistics, identifier = self.statistics, frame.can_id & EXTENDED_MASK
        if not self.armed:
            statistics.unarmed += 1
        elif self._never and _within(identifier, self._never):
            statistics.never_send += 1
        elif self._allowed is not None and not _within(identifier, self._allowed):
            statistics.not_allowed += 1
        elif frame.can_id in self._counting or (self._groups and frame.can_id & GROUP_MASK in self._groups):
            statistics.odometer += 1
        elif self._budget is not None and not self._budget.takes(frame, t):
            statistics.over_budget += 1
        else:
            statistics.passed += 1
            self._link.receive(frame, t)

    def describe(self) -> str:
        """One line for people: "armed, never sends 0x6B4, at most 80 % of 500000 bit/s"."""
        parts = ["armed" if self.armed else "listen-only until armed"]
        never, allowed = never_sent(self._settings), self._settings.allow
        if never:
            parts.append(f"never sends {', '.join(map(str, never))}")
        if allowed is not None:
            parts.append(f"sends only {', '.join(map(str, allowed)) or 'nothing'}")
        if self._counting:
            parts.append("without odometer frames")
        if self._budget is not None:
            parts.append(self._budget.describe())
        return ", ".join(parts)


def _bounds(ranges: Sequence[IdentifierRange]) -> tuple[tuple[int, int], ...]:
    """The ranges as the tick wants them."""
    return tuple((one.first, one.last) for one in ranges)


def _within(identifier: int, bounds: tuple[tuple[int, int], ...]) -> bool:
    for first, last in bounds:  # noqa: SIM110 - any() takes twice the time
        if first <= identifier <= last:
            return True
    return False


def never_sent(settings: BusSettings) -> Sequence[IdentifierRange]:
    """The bench file's list; where it has none, what the presets in use are known for."""
    if settings.never_send is not None:
        return settings.never_send
    return [one for preset in sorted(settings.presets) for one in _HARMFUL.get(preset, ())]


def counting(settings: BusSettings, frames: Sequence[Outgoing]) -> list[int]:
    """The identifiers (with their flag) of frames that would make a real odometer count, and may not."""
    if settings.odometer or not settings.is_hardware:
        return []
    return [
        frame.can_id
        for frame in frames
        if any(entry in _COUNTED for assignment in frame.assignments for entry in assignment.source.entries)
    ]


def budget_of(settings: BusSettings, selection: Selection, tick: int) -> Budget | None:
    """The budget of a bus whose bit rate is known, where it has one."""
    percent = settings.load_budget or (HARDWARE_BUDGET if settings.is_hardware else None)
    if percent is None or selection.bitrate is None:
        return None
    return Budget(percent, selection.bitrate, selection.data_bitrate or selection.bitrate, tick)


def gate_warnings(settings: BusSettings, selection: Selection, load: float | None, place: KeyPath) -> list[str]:
    """What of a bus's plan will not pass its gate; `load` [%] is that of the plan, `place` the key path of the bus.

    ConfigurationError: the plan needs more than the budget, or there is one and nobody names the bit rate.
    """
    percent = settings.load_budget or (HARDWARE_BUDGET if settings.is_hardware else None)
    here = (*place, "load_budget")
    if settings.load_budget is not None and load is None:
        raise ConfigurationError("needs the bit rate of the bus: 'bitrate', or an attribute of the database", here)
    if percent is not None and load is not None and load > percent:
        raise ConfigurationError(f"the frames take {load:.1f} % of the bus, {percent:g} % are allowed", here)
    reasons = held_back(settings, selection.outgoing)
    return [f"{frame.message} is {reasons[frame.can_id]}" for frame in selection.outgoing if frame.can_id in reasons]


def held_back(settings: BusSettings, frames: Sequence[Outgoing]) -> dict[int, str]:
    """The identifiers (with their flag) of frames that never pass, and in words what becomes of them and why."""
    never, allowed = never_sent(settings), settings.allow
    odometer = counting(settings, frames)
    reasons = {}
    for can_id in (frame.can_id for frame in frames):
        identifier = can_id & EXTENDED_MASK
        if any(identifier in one for one in never):
            reasons[can_id] = f"never sent: 0x{identifier:X} is in 'never_send'"
        elif allowed is not None and not any(identifier in one for one in allowed):
            reasons[can_id] = f"not sent: 0x{identifier:X} is not in 'allow'"
        elif can_id in odometer:
            reasons[can_id] = "not sent: it makes a real odometer count; 'odometer: true' allows it"
    return reasons
