"""Faults of whole parts: a link, a control unit, a part of the vehicle.

Several faults of one part may overlap in time.
"""

from collections.abc import Sequence
from typing import Final

from hilbridge.bench.inputs.overrides import Overrides
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.plan.planned import PlannedFrame


class LinkCut:
    """A cut between a bus and the outside: frames in transit are lost, cyclic frames are not built."""

    def __init__(self, bus: Bus, reason: str) -> None:
        """`reason`: the reason in the status, different for each fault."""
        self._bus: Final = bus
        self._reason: Final = reason

    def begin(self) -> None:
        self._bus.cuts.append(self._reason)

    def end(self) -> None:
        self._bus.cuts.remove(self._reason)


class NodeSilence:
    """The silence of a control unit: its frames are not built, so their counters stop, and it answers no requests."""

    def __init__(self, frames: Sequence[PlannedFrame], ecu: str | None, silent_ecus: list[str]) -> None:
        """`frames`: frames of one bus.

        `silent_ecus`: the names of the diagnostic control units that answer no requests.
        """
        self._frames: Final = tuple(frames)
        self._ecu: Final = ecu
        self._silent_ecus: Final = silent_ecus

    def __contains__(self, can_id: object) -> bool:
        """Return whether an identifier is that of one of the frames; a J1939 address may have changed it."""
        return any(frame.can_id == can_id for frame in self._frames)

    def begin(self) -> None:
        if self._frames:
            self._frames[0].bus.silences.append(self)
        if self._ecu is not None:
            self._silent_ecus.append(self._ecu)

    def end(self) -> None:
        if self._frames:
            self._frames[0].bus.silences.remove(self)
        if self._ecu is not None:
            self._silent_ecus.remove(self._ecu)


class EntryFaults:
    """The faults of each entry of the Fault channel: the latest one is effective, after its end the one before."""

    def __init__(self, overrides: Overrides) -> None:
        self._overrides: Final = overrides
        self._present: Final[dict[str, list[EntryFault]]] = {}

    def add(self, condition: "EntryFault") -> None:
        """Make a fault effective."""
        self._present.setdefault(condition.entry, []).append(condition)
        self._overrides.set(condition.entry, condition.value)

    def remove(self, condition: "EntryFault") -> None:
        """End a fault."""
        left = self._present[condition.entry]
        left.remove(condition)
        if left:
            self._overrides.set(condition.entry, left[-1].value)
        else:
            self._overrides.release(condition.entry)


class EntryFault:
    """An entry of the Fault channel at a value, in its unit."""

    def __init__(self, entry: str, value: float, conditions: EntryFaults) -> None:
        self.entry: Final = entry
        self.value: Final = value
        self._conditions: Final = conditions

    def begin(self) -> None:
        self._conditions.add(self)

    def end(self) -> None:
        self._conditions.remove(self)
