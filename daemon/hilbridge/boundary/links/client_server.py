"""The server behind every port that has clients: non-blocking, on one epoll, bounded in each poll.

It accepts clients, reads from them and writes to them; what the bytes mean is the business of a `Client`, one object
for each connection. Nothing a client does disturbs the others or the tick: one that floods is read in pieces, one that
does not read has a bounded output, a broken connection is closed.
"""

import contextlib
import os
import select
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Generic, Protocol, TypeVar

from hilbridge.boundary.links.doors import Door


class Client:
    """The protocol of one connection, without any I/O. `output`: bytes to send; the server removes what it has sent."""

    __slots__ = ("output",)

    lingers: ClassVar = False
    """Whether the client is still served when it sends no more."""

    def __init__(self, output: bytearray | None = None) -> None:
        self.output: Final = bytearray() if output is None else output

    @property
    def room(self) -> int:
        """Bytes that it takes at present; while there are none it is not read."""
        return 1 << 16

    @property
    def is_finished(self) -> bool:
        """Whether the connection is to be closed when the output has been sent."""
        return False

    def receive(self, data: bytes, t: int) -> None:
        """Take bytes, at most `room` of them, in the tick of time `t` [ns]."""
        raise NotImplementedError

    def end_input(self) -> None:
        """Note that no more bytes will come; called for a client that lingers."""

    def close(self) -> None:
        """Note that the connection is closed."""


C = TypeVar("C", bound=Client)


class ClientCounters(Protocol):
    """Counters that a server increments."""

    connected: int
    disconnected: int
    turned_away: int
    reopened: int


@dataclass(slots=True)
class ClientStatistics:
    """Counters since the start of the run; they only ever grow."""

    received: int = 0
    """Bytes."""
    sent: int = 0
    """Bytes."""
    connected: int = 0
    """Clients that came."""
    disconnected: int = 0
    """Clients that left."""
    turned_away: int = 0
    """Attempts to let a client in that failed: there are too many already, or no descriptor is left."""
    reopened: int = 0
    """Times a door could not be used and was opened again."""


class ClientServer(Generic[C]):
    """The server of the clients that come in through the doors; it closes the doors with itself.

    `descriptor` is readable while `poll` has something to do; a door that has to be opened again does not show there.
    """

    def __init__(
        self,
        doors: Sequence[Door],
        new_client: Callable[[], C],
        statistics: ClientCounters,
        *,
        most: int,
        accepts: int = 1,
        turns_away: bool = True,
        make_room: Callable[[], int | None] = lambda: None,
    ) -> None:
        """`most` clients at a time; a further one is turned away, or waits. `accepts`: new ones per door and poll.

        `make_room` returns the descriptor of a client that is dismissed before one has to be turned away, or None.
        """
        self.clients: Final[dict[int, C]] = {}
        self._doors = tuple(doors)
        self._new_client: Final = new_client
        self._statistics: Final = statistics
        self._most: Final = most
        self._accepts: Final = accepts
        self._turns_away: Final = turns_away
        self._make_room: Final = make_room
        self._entrances: Final[dict[int, Door]] = {}  # by the descriptor on which clients are waited for
        self._door_of: Final[dict[int, Door]] = {}  # by the client's descriptor, which may be the door's own
        self._epoll: Final = select.epoll()
        self.descriptor: Final = self._epoll.fileno()
        for door in self._doors:
            self._watch(door)

    @property
    def trouble(self) -> str:
        """Why some of the doors cannot be used at present; empty while all can."""
        return "; ".join(door.trouble for door in self._doors if door.trouble)

    def describe(self) -> str:
        """Return how a program connects."""
        return " and ".join(door.describe() for door in self._doors)

    def exchange(self, door: Door) -> None:
        """Let clients in by this door in place of the ones before; who came in by those stays until he leaves."""
        for descriptor, old in tuple(self._entrances.items()):
            del self._entrances[descriptor]
            self._epoll.unregister(descriptor)
            old.close()
        self._doors = (door,)
        self._watch(door)

    def poll(self, t: int, most: int | None = None) -> None:
        """Accept clients and read from them: at most `most` bytes, shared by those that sent something."""
        for door in self._doors:
            if door.descriptor is None:
                was_lost = door.trouble != ""  # else it opens for the first time
                door.renew(t)
                if self._watch(door):
                    self._statistics.reopened += was_lost
        ready = self._epoll.poll(0)
        for descriptor, events in ready:
            client = self.clients.get(descriptor)
            if client is None:
                if descriptor in self._entrances:  # else it has just made room for another one
                    self._accept(self._entrances[descriptor])
            elif room := client.room:
                size = room if most is None else min(room, max(1, most // len(ready)))
                self._read(descriptor, client, size, t)
            elif events & select.EPOLLHUP:  # its output will never be read
                self.dismiss(descriptor)

    def flush(self) -> int:
        """Write what the clients take of their output, and close finished connections; return the bytes written."""
        sent = 0
        for descriptor, client in tuple(self.clients.items()):
            if client.output:
                try:
                    written = os.write(descriptor, client.output)
                except BlockingIOError:
                    continue
                except OSError:
                    written = len(client.output)  # it is lost; what the client sent before it left is still read
                else:
                    sent += written
                del client.output[:written]
            if client.is_finished and not client.output:
                self.dismiss(descriptor)
        return sent

    def dismiss(self, descriptor: int) -> None:
        """Close the connection of a client."""
        client, door = self.clients.pop(descriptor), self._door_of.pop(descriptor)
        self._epoll.unregister(descriptor)
        shared = self._entrances.pop(descriptor, None) is not None
        client.close()
        door.leave(descriptor)
        if shared:
            self._watch(door)
        self._statistics.disconnected += 1

    def close(self) -> None:
        """Close all connections, and the doors."""
        for descriptor in tuple(self.clients):
            self.dismiss(descriptor)
        self._epoll.close()
        for door in self._doors:
            door.close()

    def _watch(self, door: Door) -> bool:
        """Wait for clients at a door; return whether it can be used."""
        if door.descriptor is None:
            return False
        self._entrances[door.descriptor] = door
        self._epoll.register(door.descriptor, select.EPOLLIN)
        return True

    def _accept(self, door: Door) -> None:
        """Let in the clients that wait at a door, at most as many as one poll accepts."""
        entrance = door.descriptor
        for _ in range(self._accepts):
            if not self._turns_away and len(self.clients) >= self._most:
                return
            try:
                descriptor = door.enter()
            except BlockingIOError:  # there is none, or it has gone again
                if door.descriptor is None and entrance is not None:  # and the door with it
                    del self._entrances[entrance]
                    self._epoll.unregister(entrance)
                return
            except OSError:  # no descriptor left
                self._statistics.turned_away += 1
                return
            if len(self.clients) >= self._most and descriptor != entrance and not self._has_made_room():
                self._statistics.turned_away += 1
                door.leave(descriptor)
                continue
            self.clients[descriptor] = self._new_client()
            self._door_of[descriptor] = door
            if descriptor != entrance:
                self._epoll.register(descriptor, select.EPOLLIN)
            self._statistics.connected += 1

    def _has_made_room(self) -> bool:
        """Dismiss a client for one that comes, after its last words; return whether there was one to dismiss."""
        descriptor = self._make_room()
        if descriptor is None:
            return False
        with contextlib.suppress(OSError):
            os.write(descriptor, self.clients[descriptor].output)
        self.dismiss(descriptor)
        return True

    def _read(self, descriptor: int, client: C, size: int, t: int) -> None:
        try:
            data = os.read(descriptor, size)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            client.receive(data, t)
        elif client.lingers:
            client.end_input()
            self._epoll.modify(descriptor, 0)
        else:
            self.dismiss(descriptor)
