"""Faults of whole parts: a link, a control unit, something in the vehicle. Several of one part may overlap in time."""

from collections.abc import Sequence
from typing import Final

from hilbridge.bus.bus import Bus
from hilbridge.inputs.overrides import Overrides
from hilbridge.plan.planned import PlannedFrame


class LinkCut:
    """Nothing crosses between a bus and the outside: frames under way are lost, cyclic ones are not built."""

    def __init__(self, bus: Bus, reason: str) -> None:
        """`reason`: for the status, other than that of any other fault."""
        self._bus: Final = bus
        self._reason: Final = reason

    def begin(self) -> None:
        self._bus.cuts.append(self._reason)

    def end(self) -> None:
        self._bus.cuts.remove(self._reason)


class NodeSilence:
    """The frames of a control unit are not built, so that their counters stand still, and it answers no tester."""

    def __init__(self, frames: Sequence[PlannedFrame], ecu: str | None, silent_ecus: list[str]) -> None:
        """`frames`: all of one bus. `silent_ecus`: the names of the diagnostic control units that say nothing."""
        self._frames: Final = tuple(frames)
        self._ecu: Final = ecu
        self._silent_ecus: Final = silent_ecus

    def __contains__(self, can_id: object) -> bool:
        """Whether a frame of this identifier is one of its frames; a J1939 address may have changed."""
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
    """What is wrong with the vehicle, entry by entry: of several faults the last one counts, then the one before."""

    def __init__(self, overrides: Overrides) -> None:
        self._overrides: Final = overrides
        self._present: Final[dict[str, list[EntryFault]]] = {}

    def add(self, condition: "EntryFault") -> None:
        """From now on it counts."""
        self._present.setdefault(condition.entry, []).append(condition)
        self._overrides.set(condition.entry, condition.value)

    def remove(self, condition: "EntryFault") -> None:
        """It no longer counts."""
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
