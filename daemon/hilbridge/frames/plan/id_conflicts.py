"""Identifier conflicts: other senders of the bench's own identifiers.

On a CAN bus each identifier belongs to one sender (ISO 11898-1). Where two send the same one, receivers get two courses
of values and two counters, and error frames follow whenever both begin at once. A second bench on the same bus causes
this, or the control unit that the bench replaces.

A received frame counts as a conflict while the bench itself sends its identifier: the bus is armed, the gate passes the
identifier, and the own frame was sent less than two periods ago, or at any time if it has none. Echoes of own frames
are never received. J1939 addresses are decided by their claim: a frame under another address than at the start is not
checked.
"""

from collections.abc import Iterable
from typing import Final, Protocol

from hilbridge.files.settings import BusSettings
from hilbridge.frames.codec.frame import EXTENDED_MASK, Frame
from hilbridge.frames.plan.gating import held_back
from hilbridge.frames.plan.planned import PlannedFrame

_PERIODS: Final = 2


class Armed(Protocol):
    """The gate of a bus."""

    armed: bool


class IdConflicts:
    """An observer of a bus: `counts` has the foreign frames under own identifiers, by identifier with its flag."""

    __slots__ = ("_gate", "_own", "_reported", "counts")

    def __init__(self, own: Iterable[PlannedFrame] = (), gate: Armed | None = None) -> None:
        """`own`: the frames that the gate lets out while it is armed."""
        self._own: Final = {frame.can_id: frame for frame in own}
        self.counts: Final[dict[int, int]] = {}
        self._gate: Final = gate
        self._reported: Final[set[int]] = set()

    def note(self, t: int, _bus: int, received: bool, frame: Frame) -> None:
        """Count a frame that was `received` in the tick of time `t` [ns] if the bench sends its identifier too."""
        if not received or (own := self._own.get(frame.can_id)) is None:
            return
        if self._gate is None or not self._gate.armed or own.can_id != frame.can_id:
            return
        if own.last is not None and t - own.last < _PERIODS * own.period:
            self.counts[frame.can_id] = self.counts.get(frame.can_id, 0) + 1

    def new_conflicts(self) -> list[PlannedFrame]:
        """Return the own frames whose identifier another one sends too, each once."""
        fresh = [can_id for can_id in self.counts if can_id not in self._reported]
        self._reported.update(fresh)
        return [self._own[can_id] for can_id in fresh]

    def status(self) -> dict[str, int]:
        """Return the counts by identifier in hexadecimal notation."""
        return {f"0x{can_id & EXTENDED_MASK:X}": count for can_id, count in self.counts.items()}

    def take_over(self, before: "IdConflicts") -> None:
        """Continue the counts of another plan; identifiers that are no longer own are forgotten."""
        self.counts.update((can_id, count) for can_id, count in before.counts.items() if can_id in self._own)
        self._reported.update(before._reported & self._own.keys())


def leaving(frames: Iterable[PlannedFrame], settings: BusSettings) -> list[PlannedFrame]:
    """Return those frames of a bus that its gate does not hold back by their identifier."""
    known = list(frames)
    reasons = held_back(settings, [frame.outgoing for frame in known])
    return [frame for frame in known if frame.can_id not in reasons]
