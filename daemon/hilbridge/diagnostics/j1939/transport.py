"""The transport protocol of one control unit (SAE J1939-21, 5.10): messages of 9 to 1785 bytes, in and out.

At a time there is one broadcast going out, and one connection to each address; coming in, one broadcast from each
address and one connection from each. A second request to send from the same address replaces the first if it is for
the same group, and is refused otherwise. What is not for this unit, and answers to nothing, is passed over.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hilbridge.codec.pgn import GLOBAL, Identifier
from hilbridge.diagnostics.j1939.transport_frames import (
    LONGEST,
    SHORTEST,
    AbortReason,
    ConnectionControl,
    Route,
    packets,
)
from hilbridge.diagnostics.j1939.transport_sessions import IncomingMessage, OutgoingBroadcast, OutgoingConnection, Send

MOST_BROADCASTS: Final = 8
"""That wait for their turn."""
MOST_TRANSFERS: Final = 8
MOST_CONNECTIONS: Final = 8
MOST_RECEPTIONS: Final = 32
"""Connections and broadcasts together."""

_LENGTH: Final = 8
"""[byte] of every frame of the protocol."""


@dataclass(slots=True)
class TransportStatistics:
    """What became of the long messages."""

    sent: int = 0
    failed: int = 0  # the receiver did not take it
    received: int = 0
    incomplete: int = 0  # a reception that ended early
    refused: int = 0  # no room for one more
    malformed: int = 0


class Transport:
    """The long messages of one control unit; `received` gets (sender, pgn, payload, t)."""

    def __init__(self, send: Send, received: Callable[[int, int, bytes, int], None]) -> None:
        self.statistics: Final = TransportStatistics()
        self._send: Final = send
        self._received: Final = received
        self._broadcasts: Final[deque[OutgoingBroadcast]] = deque()
        self._transfers: Final[dict[int, OutgoingConnection]] = {}  # by destination
        self._receptions: Final[dict[tuple[int, int], IncomingMessage]] = {}  # by source and destination

    def broadcast(self, source: int, pgn: int, payload: bytes) -> bool:
        """Sends to everybody, after the broadcasts before it. One that already waits for its turn goes once.

        False: too many are waiting.
        """
        if any(one.route.pgn == pgn for one in self._broadcasts):
            return True
        if len(self._broadcasts) >= MOST_BROADCASTS:
            self.statistics.refused += 1
            return False
        self._broadcasts.append(OutgoingBroadcast(Route(source, GLOBAL, pgn), payload, self._send))
        return True

    def transfer(self, source: int, destination: int, pgn: int, payload: bytes, t: int) -> bool:
        """Sends to one address. False: there is a connection to it already, or too many others."""
        if destination in self._transfers or len(self._transfers) >= MOST_TRANSFERS:
            self.statistics.refused += 1
            return False
        self._transfers[destination] = OutgoingConnection(Route(source, destination, pgn), payload, self._send, t)
        return True

    def manage(self, who: Identifier, data: bytes, t: int) -> None:
        """A frame of connection management that is for everybody or for this unit."""
        if len(data) != _LENGTH:
            self.statistics.malformed += 1
            return
        route = Route(who.source, who.destination, int.from_bytes(data[5:8], "little"))
        if data[0] in (ConnectionControl.RTS, ConnectionControl.BAM):
            self._open(route, data, t)
        elif route.destination == GLOBAL:
            self.statistics.malformed += 1
        elif data[0] == ConnectionControl.ABORT:
            self._abort(route)
        else:
            self._proceed(route, data, t)

    def data(self, who: Identifier, data: bytes, t: int) -> None:
        """A packet that is for everybody or for this unit."""
        key = who.source, who.destination
        reception = self._receptions.get(key)
        if reception is None or len(data) != _LENGTH:
            return
        reception.packet(data, t)
        if reception.done:
            self._close(key, t)

    def poll(self, t: int) -> None:
        """Sends what is due, and ends what has waited too long."""
        if self._broadcasts:
            first = self._broadcasts[0]
            first.poll(t)
            if first.done:
                self._broadcasts.popleft()
                self.statistics.sent += 1
        for destination, transfer in list(self._transfers.items()):
            transfer.poll(t)
            self._settle(destination)
        for key, reception in list(self._receptions.items()):
            reception.poll(t)
            if reception.done:
                self._close(key, t)

    def reset(self) -> None:
        """The address is gone, and all connections with it."""
        self._broadcasts.clear()
        self._transfers.clear()
        self._receptions.clear()

    def _open(self, route: Route, data: bytes, t: int) -> None:
        """RTS or BAM."""
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
        """Broadcasts, which nobody asked for, leave room for connections."""
        connections = sum(destination != GLOBAL for _, destination in self._receptions)
        if connected:
            return connections < MOST_CONNECTIONS
        return len(self._receptions) - connections < MOST_RECEPTIONS - MOST_CONNECTIONS

    def _refuse(self, route: Route, reason: AbortReason) -> None:
        self._send(route.back.connection(ConnectionControl.ABORT, reason))

    def _abort(self, route: Route) -> None:
        transfer = self._transfers.get(route.source)
        if transfer is not None and transfer.route.pgn == route.pgn:
            transfer.aborted()
            self._settle(route.source)
        key = route.source, route.destination
        reception = self._receptions.get(key)
        if reception is not None and reception.route.pgn == route.pgn:
            self.statistics.incomplete += 1
            del self._receptions[key]

    def _proceed(self, route: Route, data: bytes, t: int) -> None:
        """CTS or end of message."""
        transfer = self._transfers.get(route.source)
        if transfer is None or transfer.route.pgn != route.pgn:
            return
        if data[0] == ConnectionControl.CTS:
            transfer.clear(data[1], data[2], t)
        elif data[0] == ConnectionControl.END:
            transfer.end()
        self._settle(route.source)

    def _settle(self, destination: int) -> None:
        transfer = self._transfers[destination]
        if transfer.done:
            del self._transfers[destination]
            if transfer.failed:
                self.statistics.failed += 1
            else:
                self.statistics.sent += 1

    def _close(self, key: tuple[int, int], t: int) -> None:
        reception = self._receptions.pop(key)
        if reception.payload is None:
            self.statistics.incomplete += 1
            return
        self.statistics.received += 1
        self._received(reception.route.source, reception.route.pgn, reception.payload, t)
