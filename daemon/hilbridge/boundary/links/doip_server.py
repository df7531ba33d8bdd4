"""The port of a DoIP entity: TCP connections of testers, and datagrams that ask for the vehicle or announce it.

What they mean is the business of the entity (bench/doip/entity.py). Who has connected and has no routing yet gives up
its place to a newcomer where all are taken, so that connections which say nothing shut no one out.
"""

import contextlib
import select
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from hilbridge.base.common.addresses import is_loopback
from hilbridge.base.common.errors import NotNowError, reason_of
from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.client_server import Client, ClientServer, ClientStatistics
from hilbridge.boundary.links.doors import ListeningSocket, in_url, open_listener
from hilbridge.boundary.links.link import read_allowance
from hilbridge.files.settings.doip import DoipSettings

WAITING_ROOM: Final = 8
"""Connections without routing beside those that have it."""

BYTES_PER_MILLISECOND: Final = 1 << 10
"""Read, shared by the testers: a program of a megabyte in a second. The rest waits in the kernel."""

DATAGRAMS_PER_TICK: Final = 4
EARLY_PER_TICK: Final = 512
"""More than the kernel keeps for a socket, at its usual size."""

LONGEST_DATAGRAM: Final = 64
"""[bytes] The longest request has 25."""

ANNOUNCEMENTS: Final = 3
ANNOUNCE_INTERVAL: Final = 500 * MILLISECOND
"""A_DoIP_Announce_Num, A_DoIP_Announce_Interval of ISO 13400-2."""

_ATTEMPTS: Final = 16


class Tester(Protocol):
    """One connection, as the entity sees it."""

    @property
    def output(self) -> bytearray:
        """Bytes for the tester; the server removes those that it has sent."""

    @property
    def room(self) -> int:
        """Bytes that are taken at present."""

    @property
    def is_finished(self) -> bool:
        """Whether the connection is to be closed when the output has been sent."""

    @property
    def gives_way(self) -> bool:
        """Whether its place goes to a newcomer."""

    def feed(self, data: bytes, t: int) -> None:
        """Take bytes of the tester at `t` [ns]."""


T = TypeVar("T", bound=Tester)


class Entity(Protocol[T]):
    """The entity behind the port."""

    def plug_in(self) -> T:
        """Return a tester that has connected."""

    def unplug(self, tester: T, /) -> None:
        """Forget a tester that has left."""

    def datagram(self, data: bytes) -> bytes:
        """Return the answer to a datagram, empty for none."""

    def announcement(self) -> bytes:
        """Return the datagram by which the vehicle announces itself."""


@dataclass(slots=True)
class DoipPortStatistics(ClientStatistics):
    """Counters since the start of the run; they only ever grow."""

    datagrams: int = 0
    foreign: int = 0
    """Datagrams and connections of an address that is not among the `senders`."""
    announced: int = 0
    not_sent: int = 0
    """Datagrams that the kernel did not take."""
    early: int = 0
    """Datagrams that came before the port was open; they get no answer."""


class _Connection(Client, Generic[T]):
    """One tester and its connection."""

    def __init__(self, tester: T, unplug: Callable[[T], None], statistics: ClientStatistics) -> None:
        super().__init__(tester.output)
        self.tester: Final = tester
        self._unplug: Final = unplug
        self._statistics: Final = statistics

    @property
    def room(self) -> int:
        return self.tester.room

    @property
    def is_finished(self) -> bool:
        return self.tester.is_finished

    def receive(self, data: bytes, t: int) -> None:
        self._statistics.received += len(data)
        self.tester.feed(data, t)

    def close(self) -> None:
        self._unplug(self.tester)


class _Entrance(ListeningSocket):
    """A listening socket that lets in the `senders` alone, if there are any."""

    def __init__(
        self, listener: socket.socket, description: str, senders: Sequence[str], statistics: DoipPortStatistics
    ) -> None:
        super().__init__(listener, description)
        self._senders: Final = frozenset(senders)
        self._counted: Final = statistics

    def enter(self) -> int:
        descriptor = super().enter()
        if self._senders and self._connections[descriptor].getpeername()[0] not in self._senders:
            self._counted.foreign += 1
            self.leave(descriptor)
            raise BlockingIOError
        return descriptor


class DoipServer(Generic[T]):
    """The port of one entity. NotNowError, with the key: the address or the port cannot be had."""

    def __init__(self, settings: DoipSettings, entity: Entity[T], period: int = MILLISECOND) -> None:
        """`period` [ns] of a tick."""
        self.statistics: Final = DoipPortStatistics()
        self._entity: Final = entity
        self._senders: Final = frozenset(settings.senders)
        self._allowance: Final = read_allowance(BYTES_PER_MILLISECOND, period)
        listener, self._udp = _open(settings)
        address = listener.getsockname()
        reach = "" if is_loopback(settings.address) else f", open to {', '.join(settings.senders)}"
        self._description: Final = f"doip://{in_url(settings.address)}:{address[1]}{reach}"
        self._door: Final = _Entrance(listener, self._description, settings.senders, self.statistics)
        self._server: Final = ClientServer(
            [self._door],
            lambda: _Connection(entity.plug_in(), entity.unplug, self.statistics),
            self.statistics,
            most=settings.sockets + WAITING_ROOM,
            make_room=self._make_room,
        )
        self._announces_to = (settings.announce, settings.announce_port)
        own = self._announces_to == (settings.address, address[1])
        same_ip_version = settings.announce is not None and (":" in settings.announce) == (":" in settings.address)
        self._to_announce = ANNOUNCEMENTS if same_ip_version and not own else 0
        self._next_announcement = 0  # [ns]
        self._epoll: Final = select.epoll()
        for descriptor in (self._server.descriptor, self._udp.fileno()):
            self._epoll.register(descriptor, select.EPOLLIN)
        self.descriptor: Final = self._epoll.fileno()

    @property
    def trouble(self) -> str:
        """Why testers cannot connect at present; empty while they can."""
        return self._server.trouble

    def poll(self, t: int) -> None:
        """Accept connections, hand what came to the entity, and answer datagrams."""
        opens = self._door.descriptor is None
        self._server.poll(t, self._allowance.drain(t))
        if opens:
            self._drop_early()
            return
        for _ in range(DATAGRAMS_PER_TICK):
            try:
                datagram, sender = self._udp.recvfrom(LONGEST_DATAGRAM)
            except OSError:  # none, or an error that the kernel tells of another datagram
                return
            if self._senders and sender[0] not in self._senders:
                self.statistics.foreign += 1
                continue
            self.statistics.datagrams += 1
            if answer := self._entity.datagram(datagram):
                self._send(answer, sender)

    def flush(self, t: int) -> None:
        """Write the output of the testers, as far as they take it, and announce the vehicle."""
        if self._server.clients:
            self.statistics.sent += self._server.flush()
        if self._to_announce and t >= self._next_announcement and self._door.descriptor is not None:
            self._to_announce -= 1
            self._next_announcement = t + ANNOUNCE_INTERVAL
            self.statistics.announced += 1
            self._send(self._entity.announcement(), self._announces_to)

    def close(self) -> None:
        """Close all connections, and the sockets."""
        self._epoll.close()
        self._server.close()
        self._udp.close()

    def describe(self) -> str:
        """Return how a tester connects."""
        return self._description

    def _drop_early(self) -> None:
        """Drop what was sent to a vehicle that was not there yet: the sender has given up, or repeats it."""
        with contextlib.suppress(OSError):  # there is none left
            for _ in range(EARLY_PER_TICK):
                self._udp.recv(LONGEST_DATAGRAM)
                self.statistics.early += 1

    def _send(self, datagram: bytes, address: tuple[Any, ...]) -> None:
        try:
            self._udp.sendto(datagram, address)
        except OSError:
            self.statistics.not_sent += 1

    def _make_room(self) -> int | None:
        """Return the connection that has waited longest without routing."""
        clients = self._server.clients.items()
        return next((descriptor for descriptor, one in clients if one.tester.gives_way), None)


def _open(settings: DoipSettings) -> tuple[socket.socket, socket.socket]:
    """Open the TCP and the UDP socket of one port. NotNowError, with the key: it cannot be had."""
    attempts = _ATTEMPTS if settings.port == 0 else 1
    while True:
        attempts -= 1
        listener = open_listener(settings.port, "DoIP", ("port",), settings.address)
        udp = socket.socket(listener.family, socket.SOCK_DGRAM)
        port = listener.getsockname()[1]
        try:
            udp.setblocking(False)
            udp.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            udp.bind((settings.address, port))
        except OSError as error:
            udp.close()
            listener.close()
            if not attempts:  # else another port may be free for both
                place = f"UDP port {port} of {settings.address}"
                reason = f"{place} cannot be opened: {reason_of(error)} (`ss -ulpn` shows by whom)"
                raise NotNowError(reason, ("port",)) from error
        else:
            return listener, udp
