"""The transport protocol of one control unit (SAE J1939-21, 5.10): messages of 9 to 1785 bytes, out and in.

At a time it sends one broadcast, and one message to each address; it receives one broadcast and one connection from
each address. A second request to send from the same address replaces the first one if it is for the same group, and is
refused otherwise. Frames for other units, and frames without a connection, are ignored.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hilbridge.frames.codec.pgn import GLOBAL, Identifier
from hilbridge.frames.transport.transport_frames import (
    LONGEST,
    SHORTEST,
    AbortReason,
    ConnectionControl,
    Route,
    packets,
)
from hilbridge.frames.transport.transport_sessions import (
    IncomingMessage,
    OutgoingBroadcast,
    OutgoingConnection,
    Send,
)

MAX_BROADCASTS: Final = 8
"""Queued broadcasts."""
MAX_TRANSFERS: Final = 8
MAX_CONNECTIONS: Final = 8
MAX_RECEPTIONS: Final = 32
"""Receptions, connections and broadcasts together."""

_LENGTH: Final = 8
"""[byte] Length of every frame of the protocol."""


@dataclass(slots=True)
class TransportStatistics:
    """Counters of long messages."""

    sent: int = 0
    failed: int = 0  # the receiver did not get all of it
    received: int = 0
    incomplete: int = 0  # receptions that ended early
    refused: int = 0  # beyond the limits above
    malformed: int = 0


class Transport:
    """The long messages of one control unit; `received` is called with (source address, PGN, payload, time [ns])."""

    def __init__(self, send: Send, received: Callable[[int, int, bytes, int], None]) -> None:
        self.statistics: Final = TransportStatistics()
        self._send: Final = send
        self._received: Final = received
        self._broadcasts: Final[deque[OutgoingBroadcast]] = deque()
        self._transfers: Final[dict[int, OutgoingConnection]] = {}  # by destination
        self._receptions: Final[dict[tuple[int, int], IncomingMessage]] = {}  # by source and destination

    def broadcast(self, source: int, pgn: int, payload: bytes) -> bool:
        """Queue a broadcast; one of the same group that is already queued is sent once.

        Return False if too many are queued.
        """
        if any(one.route.pgn == pgn for one in self._broadcasts):
            return True
        if len(self._broadcasts) >= MAX_BROADCASTS:
            self.statistics.refused += 1
            return False
        self._broadcasts.append(OutgoingBroadcast(Route(source, GLOBAL, pgn), payload, self._send))
        return True

    def transfer(self, source: int, destination: int, pgn: int, payload: bytes, t: int) -> bool:
        """Send to one address. Return False if there is a connection to it already, or if there are too many others."""
        if destination in self._transfers or len(self._transfers) >= MAX_TRANSFERS:
            self.statistics.refused += 1
            return False
        self._transfers[destination] = OutgoingConnection(Route(source, destination, pgn), payload, self._send, t)
        return True

    def is_free(self, identifier: Identifier) -> bool:
        """Return whether a message of this identifier could begin, and none of its group is on its way."""
        if identifier.destination != GLOBAL:
            return identifier.destination not in self._transfers and len(self._transfers) < MAX_TRANSFERS
        waiting = [one.route.pgn for one in self._broadcasts]
        return identifier.pgn not in waiting and len(waiting) < MAX_BROADCASTS

    def carry(self, identifier: Identifier, payload: bytes, t: int) -> bool:
        """Send a message by its identifier: to its destination, or as a broadcast. Return as those do."""
        if identifier.destination == GLOBAL:
            return self.broadcast(identifier.source, identifier.pgn, payload)
        return self.transfer(identifier.source, identifier.destination, identifier.pgn, payload, t)

    def is_sending_to(self, destination: int) -> bool:
        """Return whether a message to an address is on its way."""
        return destination in self._transfers

    def receive_control(self, identifier: Identifier, data: bytes, t: int) -> None:
        """Take a connection management frame to the global address or to this unit."""
        if len(data) != _LENGTH:
            self.statistics.malformed += 1
            return
        route = Route(identifier.source, identifier.destination, int.from_bytes(data[5:8], "little"))
        if data[0] in (ConnectionControl.RTS, ConnectionControl.BAM):
            self._open(route, data, t)
        elif route.destination == GLOBAL:
            self.statistics.malformed += 1
        elif data[0] == ConnectionControl.ABORT:
            self._abort(route)
        else:
            self._proceed(route, data, t)

    def receive_data(self, identifier: Identifier, data: bytes, t: int) -> None:
        """Take a packet to the global address or to this unit."""
        key = identifier.source, identifier.destination
        reception = self._receptions.get(key)
        if reception is None or len(data) != _LENGTH:
            return
        reception.packet(data, t)
        if reception.done:
            self._close_incoming(key, t)

    @property
    def is_busy(self) -> bool:
        """Whether a message is on its way, out or in."""
        return bool(self._broadcasts or self._transfers or self._receptions)

    def poll(self, t: int) -> None:
        """Send what is due, and end what has timed out."""
        if self._broadcasts:
            first = self._broadcasts[0]
            first.poll(t)
            if first.done:
                self._broadcasts.popleft()
                self.statistics.sent += 1
        for destination, transfer in list(self._transfers.items()):
            transfer.poll(t)
            self._close_outgoing(destination)
        for key, reception in list(self._receptions.items()):
            reception.poll(t)
            if reception.done:
                self._close_incoming(key, t)

    def reset(self) -> None:
        """Discard all transfers: the address is lost."""
        self._broadcasts.clear()
        self._transfers.clear()
        self._receptions.clear()

    def _open(self, route: Route, data: bytes, t: int) -> None:
        """Take RTS or BAM."""
        length, count, window = int.from_bytes(data[1:3], "little"), data[3], data[4]
        connected = data[0] == ConnectionControl.RTS
        if connected == (route.destination == GLOBAL):
            self.statistics.malformed += 1
            return
        if not SHORTEST <= length <= LONGEST or count != packets(length):
            self.statistics.malformed += 1
            if connected:
                self._refuse(route, AbortReason.TOO_LONG if length > LONGEST else AbortReason.OTHER)
            return
        key = route.source, route.destination
        current = self._receptions.get(key)
        if current is None and not self._has_room(connected=connected):
            self.statistics.refused += 1
            if connected:
                self._refuse(route, AbortReason.NO_RESOURCES)
            return
        if current is not None and connected and current.route.pgn != route.pgn:
            self._refuse(route, AbortReason.ALREADY_CONNECTED)
            return
        if current is not None:
            self.statistics.incomplete += 1
        self._receptions[key] = IncomingMessage(route, length, window, self._send, t)

    def _has_room(self, *, connected: bool) -> bool:
        """Return whether there is room for one more reception; broadcasts leave room for connections."""
        connections = sum(destination != GLOBAL for _, destination in self._receptions)
        if connected:
            return connections < MAX_CONNECTIONS
        return len(self._receptions) - connections < MAX_RECEPTIONS - MAX_CONNECTIONS

    def _refuse(self, route: Route, reason: AbortReason) -> None:
        self._send(route.back.connection(ConnectionControl.ABORT, reason))

    def _abort(self, route: Route) -> None:
        transfer = self._transfers.get(route.source)
        if transfer is not None and transfer.route.pgn == route.pgn:
            transfer.aborted()
            self._close_outgoing(route.source)
        key = route.source, route.destination
        reception = self._receptions.get(key)
        if reception is not None and reception.route.pgn == route.pgn:
            self.statistics.incomplete += 1
            del self._receptions[key]

    def _proceed(self, route: Route, data: bytes, t: int) -> None:
        """Take CTS or end of message."""
        transfer = self._transfers.get(route.source)
        if transfer is None or transfer.route.pgn != route.pgn:
            return
        if data[0] == ConnectionControl.CTS:
            transfer.clear(data[1], data[2], t)
        elif data[0] == ConnectionControl.END:
            transfer.end()
        self._close_outgoing(route.source)

    def _close_outgoing(self, destination: int) -> None:
        transfer = self._transfers[destination]
        if transfer.done:
            del self._transfers[destination]
            if transfer.failed:
                self.statistics.failed += 1
            else:
                self.statistics.sent += 1

    def _close_incoming(self, key: tuple[int, int], t: int) -> None:
        reception = self._receptions.pop(key)
        if reception.payload is None:
            self.statistics.incomplete += 1
            return
        self.statistics.received += 1
        self._received(reception.route.source, reception.route.pgn, reception.payload, t)
