"""The lines of the log about connections: how buses and ports are reached, that one was lost, that it is back.

A loss is logged at once. Counters are compared with the status of a second ago, so that lines never come at the rate
of events.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from hilbridge.base.clock import Clock
from hilbridge.base.common.event_log import EventLog
from hilbridge.base.common.remedies import arm_remedy
from hilbridge.base.common.statistics import counters
from hilbridge.base.common.units import SECOND
from hilbridge.bench.adapters import describe_adapter
from hilbridge.bench.bench import Bench
from hilbridge.bench.lines.part import LineRow
from hilbridge.bench.outputs.part import OutputRow
from hilbridge.bench.rows import BusRow, bus_row, bus_rows
from hilbridge.boundary.links.client_server import ClientStatistics
from hilbridge.boundary.links.link import Endpoint
from hilbridge.boundary.links.socket_link import SocketLink
from hilbridge.frames.codec.frame import EXTENDED_MASK

_INTERVAL: Final = SECOND // 100
"""[ns] Interval of the comparisons of links and ports; shorter than the loss of a connection lasts.

Counters are compared once a second.
"""


class ConnectionLog:
    """A comparison of links, ports and gates with their status when it was logged last."""

    def __init__(self, event_log: EventLog, bench: Bench) -> None:
        self._event_log: Final = event_log
        self._bench: Final = bench
        self._ports: Final = [(kind, port) for kind, some in bench.ports.items() for port in some]
        self._troubles: Final[dict[Endpoint, str]] = {}
        self._buses: Final = dict(bus_rows(bench))
        self._outputs: Final[dict[str, OutputRow | LineRow]] = dict(self._output_rows())
        self._complaints: Final[dict[str, str]] = {}
        self._sockets: Final[dict[str, ClientStatistics]] = {}
        self._turned_away: Final[dict[str, int]] = {}
        self._next = 0  # [ns] time of the next comparison of links and ports
        self._next_counters = 0  # [ns] time of the next comparison of counters

    def watch(self, name: str, statistics: ClientStatistics) -> None:
        """Log also the clients that are turned away at a socket that is no part of the bench."""
        self._sockets[name] = statistics

    def introduce(self) -> None:
        """Log how the buses and ports are reached from outside."""
        for name, link in self._bench.links.items():
            gate = self._bench.gates[name]
            fields = {"gate": gate.describe(), "taken_as": "hardware" if gate.is_hardware else "virtual"}
            if adapter := describe_adapter(link):
                fields["adapter"] = adapter
            if not gate.armed:
                fields["remedy"] = f"nothing is sent before: {arm_remedy(name)}"
            self._introduce("bus", link, bus=name, link=link.describe(), **fields)
            if gate.armed and gate.is_hardware:
                reason = "the bench file says 'armed: true': frames are sent from the start"
                self._event_log.warning(0, "bus is armed", bus=name, reason=reason)
        for kind, port in self._ports:
            self._introduce(kind, port, port=port.describe())
        wiring = self._bench.wiring
        for name, output in (*wiring.outputs.outputs.items(), *wiring.lines.lines.items()):
            if name in self._bench.output_ports and not output.armed:
                reason = f"nothing is sent before: {arm_remedy(name)}"
                self._event_log.warning(0, "output is silent", output=name, remedy=reason)

    def _introduce(self, kind: str, endpoint: Endpoint, **fields: str) -> None:
        self._troubles[endpoint] = endpoint.trouble
        if endpoint.trouble:
            self._bench.lost_at[endpoint] = 0
            self._event_log.warning(0, f"{kind} not open yet", **fields, reason=endpoint.trouble)
        else:
            self._event_log.info(0, f"{kind} open", **fields)

    def write(self, clock: Clock) -> None:
        """Log at the end of a tick what has changed."""
        if clock.t < self._next:
            return
        self._next = clock.t + _INTERVAL
        for name, link in self._bench.links.items():
            self._log_trouble(link, clock.t, name)
        for _, port in self._ports:
            self._log_trouble(port, clock.t)
        if clock.t >= self._next_counters:
            self._next_counters = clock.t + SECOND
            self._log_counters(clock.t)

    def _log_trouble(self, endpoint: Endpoint, t: int, bus: str | None = None) -> None:
        trouble = endpoint.trouble
        if trouble == self._troubles.get(endpoint, ""):
            return
        self._troubles[endpoint] = trouble
        if trouble:
            self._bench.lost_at.setdefault(endpoint, t)
            self._event_log.warning(t, "link lost", link=endpoint.describe(), reason=trouble)
        else:
            self._bench.lost_at.pop(endpoint, None)
            armed = {} if bus is None else self._still_armed(bus)
            self._event_log.info(t, "link back", link=endpoint.describe(), **armed)

    def _still_armed(self, bus: str) -> dict[str, str]:
        """Return what is said of a bus on hardware that sends again by itself, as far as is known with its adapter."""
        link, gate = self._bench.links[bus], self._bench.gates[bus]
        if not gate.armed or not gate.is_hardware or (isinstance(link, SocketLink) and link.replaced):
            return {}
        adapter = describe_adapter(link) or "it cannot be said whether it is the same"
        return {"bus": bus, "gate": "still armed", "adapter": adapter}

    def _log_counters(self, t: int) -> None:
        for name in self._bench.buses:
            before, self._buses[name] = self._buses[name], bus_row(self._bench, name)
            self._log_bus(name, before, self._buses[name], t)
        for name, output in self._output_rows():
            self._log_output(name, self._outputs.get(name, output), output, t)
            self._outputs[name] = output
        for name, count in self._turned_away_elsewhere():
            self._log_turned_away(name, count - self._turned_away.get(name, 0), t)
            self._turned_away[name] = count

    def _log_bus(self, name: str, before: BusRow, now: BusRow, t: int) -> None:
        """Log the changes of a bus; frames held back by reason, but not those of a bus that is not armed."""
        link, grown = now.counters, _growth(before.counters, now.counters)
        clients = link.get("connected", 0) - link.get("disconnected", 0)
        if "connected" in grown:
            self._event_log.info(t, "clients joined", bus=name, clients=clients)
        if "disconnected" in grown:
            self._event_log.info(t, "clients left", bus=name, clients=clients)
        if "dropped" in grown:
            self._event_log.warning(t, "frames dropped", bus=name, frames=grown["dropped"])
        self._log_turned_away(name, grown.get("turned_away", 0), t)
        if now.armed != before.armed:
            self._event_log.info(t, "bus armed" if now.armed else "bus disarmed", bus=name)
        held_back = _growth(before.gate, now.gate)
        reasons = {reason: count for reason, count in held_back.items() if reason not in {"passed", "unarmed"}}
        if reasons:
            self._event_log.warning(t, "frames held back", bus=name, **reasons)
        for frame in self._bench.id_conflicts[name].new_conflicts():
            identifier = f"0x{frame.can_id & EXTENDED_MASK:X}"
            self._event_log.warning(t, "another sender", bus=name, id=identifier, message=frame.outgoing.message)

    def _log_output(self, name: str, before: OutputRow | LineRow, now: OutputRow | LineRow, t: int) -> None:
        """Log what has changed of an output, a board or a serial bus: armed, packets dropped, what is wrong with it."""
        if now.armed != before.armed:
            self._event_log.info(t, "output armed" if now.armed else "output disarmed", output=name)
        if dropped := _growth(before.counters, now.counters).get("dropped"):
            self._event_log.warning(t, "packets dropped", output=name, packets=dropped)
        output = self._bench.wiring.outputs.outputs.get(name)
        trouble = "" if output is None else output.trouble
        if trouble != self._complaints.get(name, ""):
            self._complaints[name] = trouble
            if trouble:
                self._event_log.warning(t, "board in trouble", board=name, reason=trouble)
            else:
                self._event_log.info(t, "board works", board=name)

    def _output_rows(self) -> Iterator[tuple[str, OutputRow | LineRow]]:
        yield from self._bench.wiring.outputs.rows()
        yield from self._bench.wiring.lines.rows()

    def _log_turned_away(self, where: str, attempts: int, t: int) -> None:
        if attempts > 0:
            reason = "there are too many already, or no descriptor is left"
            self._event_log.warning(t, "clients turned away", at=where, attempts=attempts, reason=reason)

    def _turned_away_elsewhere(self) -> Iterator[tuple[str, int]]:
        """Count the clients turned away at ports and sockets, by name."""
        for _, port in self._ports:
            yield port.describe(), counters(port.statistics).get("turned_away", 0)
        for name, statistics in self._sockets.items():
            yield name, statistics.turned_away


def _growth(before: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    """Return by how much each counter has grown, of those that have."""
    return {name: count - before.get(name, 0) for name, count in now.items() if count > before.get(name, 0)}
