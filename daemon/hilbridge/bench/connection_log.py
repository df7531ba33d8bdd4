"""What is said about the ways in and out of a bench: how they are reached, that they were lost, that they are back.

Never at the rate of what happens: what is counted is told once a second at most.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from hilbridge.bus.bus import Bus
from hilbridge.bus.gate import Gate
from hilbridge.codec.frame import EXTENDED_MASK
from hilbridge.common.event_log import Reports
from hilbridge.common.statistics import counters
from hilbridge.common.units import SECOND
from hilbridge.links.link import Link
from hilbridge.plan.id_conflicts import IdConflicts

_LOOK: Final = SECOND // 100
"""[ns]"""


class Way(Protocol):
    """A way into the bench: a link, a serial port, a port for scan tools."""

    @property
    def trouble(self) -> str:
        """Why it does not work at present; empty while it works."""

    @property
    def statistics(self) -> object:
        """Slotted counters."""

    def describe(self) -> str:
        """One line for people."""


class Door(Protocol):
    """Where clients come in."""

    turned_away: int
    """Attempts to let one in that failed."""


def trouble_of(bus: Bus, link: Way) -> str:
    """Why nothing crosses between a bus and the outside at present: faults that cut it, then what its link says."""
    return ", ".join(filter(None, (*bus.cuts, link.trouble)))


class ConnectionLog:
    """Compares links, ports and gates with what was said about them last."""

    def __init__(
        self,
        reports: Reports,
        links: Mapping[str, Link],
        ports: Mapping[str, Sequence[Way]],
        gates: Mapping[str, Gate],
        id_conflicts: Mapping[str, IdConflicts] = MappingProxyType({}),
    ) -> None:
        """`ports` by what they are called; links, gates and conflicts by bus."""
        self._reports: Final = reports
        self._links: Final = links
        self._ports: Final = [(kind, port) for kind, some in ports.items() for port in some]
        self._gates: Final = gates
        self._id_conflicts: Final = id_conflicts
        self._troubles: Final[dict[Way, str]] = {}
        self._counted: Final[dict[str, tuple[int, ...]]] = {}  # clients come and gone, frames dropped: as told
        self._held_back: Final[dict[str, dict[str, int]]] = {}
        self._doors: Final[dict[str, Door]] = {}
        self._turned_away: Final[dict[str, int]] = {}
        self._armed: Final[dict[str, bool]] = {}
        self.due = 0  # [ns] of the next look
        self.jumped = 0  # [ns] of the vehicle's time that were left out, as far as they were not told yet
        self._next = 0

    def watch(self, name: str, door: Door) -> None:
        """Tells also what happens at a door that is no part of the bench."""
        self._doors[name] = door

    def introduce(self) -> None:
        """How the buses and ports are reached from outside."""
        for name, link in self._links.items():
            self._introduce("bus", link, bus=name, link=link.describe(), gate=self._gates[name].describe())
        for kind, port in self._ports:
            self._introduce(kind, port, port=port.describe())

    def _introduce(self, kind: str, way: Way, **fields: str) -> None:
        self._troubles[way] = way.trouble
        if way.trouble:
            self._reports.warning(0, f"{kind} not open yet", **fields, reason=way.trouble)
        else:
            self._reports.info(0, f"{kind} open", **fields)

    def look(self, t: int) -> None:
        """Tells what has changed; a hundred times a second is soon enough, for what is lost stays away for longer."""
        self.due = t + _LOOK
        for link in self._links.values():
            if link.trouble != self._troubles.get(link, ""):
                self._tell(link, t)
        for _, port in self._ports:
            if port.trouble != self._troubles.get(port, ""):
                self._tell(port, t)
        if t >= self._next:
            self._next = t + SECOND
            self._tell_counters(t)

    def _tell(self, way: Way, t: int) -> None:
        self._troubles[way] = way.trouble
        if way.trouble:
            self._reports.warning(t, "link lost", link=way.describe(), reason=way.trouble)
        else:
            self._reports.info(t, "link back", link=way.describe())

    def _tell_counters(self, t: int) -> None:
        for name, link in self._links.items():
            now = link.statistics
            come, gone, dropped = self._counted.get(name, (0, 0, 0))
            self._counted[name] = (now.connected, now.disconnected, now.dropped)
            if now.connected > come:
                self._reports.info(t, "clients joined", bus=name, clients=now.connected - now.disconnected)
            if now.disconnected > gone:
                self._reports.info(t, "clients left", bus=name, clients=now.connected - now.disconnected)
            if now.dropped > dropped:
                self._reports.warning(t, "frames dropped", bus=name, frames=now.dropped - dropped)
            self._tell_turned_away(name, now.turned_away, t)
        for _, port in self._ports:
            self._tell_turned_away(port.describe(), counters(port.statistics).get("turned_away", 0), t)
        for name, door in self._doors.items():
            self._tell_turned_away(name, door.turned_away, t)
        for name, gate in self._gates.items():
            self._tell_gate(name, gate, t)
        for name, id_conflicts in self._id_conflicts.items():
            self._tell_id_conflicts(name, id_conflicts, t)
        if self.jumped:
            self._reports.warning(t, "time jump", skipped_ms=self.jumped / 1e6)
            self.jumped = 0

    def _tell_turned_away(self, where: str, count: int, t: int) -> None:
        if count > (known := self._turned_away.get(where, 0)):
            self._turned_away[where] = count
            reason = "there are too many already, or no descriptor is left"
            self._reports.warning(t, "clients turned away", at=where, attempts=count - known, reason=reason)

    def _tell_id_conflicts(self, bus: str, id_conflicts: IdConflicts, t: int) -> None:
        for frame in id_conflicts.new_conflicts():
            identifier = f"0x{frame.can_id & EXTENDED_MASK:X}"
            self._reports.warning(t, "another sender", bus=bus, id=identifier, message=frame.outgoing.message)

    def _tell_gate(self, name: str, gate: Gate, t: int) -> None:
        """What was held back, by reason; not that of an unarmed bus, which is told once."""
        if gate.armed != self._armed.get(name, gate.armed):
            self._reports.info(t, "bus armed" if gate.armed else "bus disarmed", bus=name)
        self._armed[name] = gate.armed
        known, now = self._held_back.get(name, {}), counters(gate.statistics)
        grown = {
            reason: count - known.get(reason, 0)
            for reason, count in now.items()
            if reason not in {"passed", "unarmed"} and count > known.get(reason, 0)
        }
        self._held_back[name] = now
        if grown:
            self._reports.warning(t, "frames held back", bus=name, **grown)
