"""Other senders of the bench's own identifiers: on a CAN bus each identifier belongs to one sender (ISO 11898-1).

Where two send the same one, receivers get two courses of values and two counters, and the bus gets errors whenever both
begin at once. A second bench on the same bus does that, or the control unit whose place the bench takes.

A received frame counts as a rival's while the bench itself sends its identifier: the bus is armed, the gate lets the
identifier out, and the own frame went less than two periods ago, or at any time if it has none. Echoes of own frames
are never received. Who wins a J1939 address is decided by its claim: a frame that goes under another address than at
the start is not looked at.
"""

from collections.abc import Iterable
from typing import Final, Protocol

from hilbridge.bus.gate import held_back
from hilbridge.codec.frame import EXTENDED_MASK
from hilbridge.plan.planned import PlannedFrame
from hilbridge.settings import BusSettings

_PERIODS: Final = 2


class Armed(Protocol):
    """The gate."""

    armed: bool


class IdConflicts:
    """Of one bus. `own` is looked up for every received frame; what is in it goes to `note`.

    `counts` has the frames of rivals so far, by identifier with its flag.
    """

    __slots__ = ("_gate", "_told", "counts", "own")

    def __init__(self, own: Iterable[PlannedFrame] = (), gate: Armed | None = None) -> None:
        """`own`: the frames that the gate lets out while it is armed."""
        self.own: Final = {frame.can_id: frame for frame in own}
        self.counts: Final[dict[int, int]] = {}
        self._gate: Final = gate
        self._told: Final[set[int]] = set()

    def note(self, can_id: int, t: int) -> None:
        """A frame with one of the `own` identifiers was received in the tick of time `t` [ns]."""
        frame = self.own[can_id]
        if self._gate is None or not self._gate.armed or frame.can_id != can_id:
            return
        if frame.last is not None and t - frame.last < _PERIODS * frame.period:
            self.counts[can_id] = self.counts.get(can_id, 0) + 1

    def news(self) -> list[PlannedFrame]:
        """The own frames that have a rival, each once."""
        fresh = [can_id for can_id in self.counts if can_id not in self._told]
        self._told.update(fresh)
        return [self.own[can_id] for can_id in fresh]

    def told(self) -> dict[str, int]:
        """The counts by identifiers as people write them."""
        return {f"0x{can_id & EXTENDED_MASK:X}": count for can_id, count in self.counts.items()}

    def take_over(self, before: "IdConflicts") -> None:
        """Goes on where those of another plan were; identifiers that are no longer own are forgotten."""
        self.counts.update((can_id, count) for can_id, count in before.counts.items() if can_id in self.own)
        self._told.update(before._told & self.own.keys())


def leaving(frames: Iterable[PlannedFrame], settings: BusSettings) -> list[PlannedFrame]:
    """Of the frames of a bus those that its gate does not hold back by their identifier."""
    known = list(frames)
    reasons = held_back(settings, [frame.outgoing for frame in known])
    return [frame for frame in known if frame.can_id not in reasons]
