"""Where programs join a bus as if through an SLCAN adapter; whatever their way in, they are served alike.

A client sees nothing until it opens its channel ("O" and CR). It comes in through a door: `LoopbackPort` is one,
`SlcanTerminal` another, a pseudo terminal.
"""

import select
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from hilbridge.codec.frame import ERROR, Frame
from hilbridge.common.units import MILLISECOND
from hilbridge.links.link import LinkStatistics, read_allowance
from hilbridge.links.slcan import Channel, format_frame, stamp
from hilbridge.links.slcan_client import SlcanClient

MOST_CLIENTS: Final = 16
BYTES_PER_MILLISECOND: Final = 512
"""Read, shared by the clients: 18 frames of 8 bytes; a full 1 Mbit/s bus has eight. The rest waits in the kernel."""


class Door(Protocol):
    """A way in; it owns the descriptors. Once made, no call raises but `enter`."""

    @property
    def descriptor(self) -> int | None:
        """Readable when a client wants to come in; None while the door cannot be used."""

    @property
    def trouble(self) -> str:
        """Why the door cannot be used at present."""

    def renew(self, t: int) -> None:
        """Makes a usable door of one that is not, if the time for another attempt has come."""

    def enter(self) -> int:
        """The descriptor of the client that wants to come in, non-blocking; OSError if that fails."""

    def leave(self, descriptor: int) -> None:
        """The client has gone, or is sent away."""

    def close(self) -> None:
        """Nobody comes in any more."""

    def describe(self) -> str:
        """How a program comes in."""


class SlcanServer:
    """Serves the clients of one bus. What a client sends goes to `deliver` and to the other clients.

    Nothing a client does disturbs the others or the tick: a slow one loses frames (counted), a fast one is read by
    the piece, garbage is answered with BELL and counted, a broken connection is closed.
    """

    def __init__(
        self,
        doors: Sequence[Door],
        deliver: Callable[[Frame], None],
        statistics: LinkStatistics,
        period: int = MILLISECOND,
    ) -> None:
        """`period` [ns] of a tick."""
        self._doors: Final = tuple(doors)
        self._deliver = deliver
        self._statistics = statistics
        self._allowance = read_allowance(BYTES_PER_MILLISECOND, period)
        self._watched: dict[int, Door] = {}
        self.clients: Final[dict[int, tuple[SlcanClient, Door]]] = {}
        self._epoll = select.epoll()
        self.descriptor: Final = self._epoll.fileno()
        for door in self._doors:
            self._watch(door)

    def poll(self, t: int) -> None:
        """Lets clients in and reads what they sent."""
        for door in self._doors:
            if door.descriptor is None:
                door.renew(t)
                self._statistics.reopened += self._watch(door)
        allowed = self._allowance.drain(t)
        ready = self._epoll.poll(0)
        for descriptor, _ in ready:
            if descriptor in self.clients:
                self._read(*self.clients[descriptor], allowed // len(ready), t)
            else:
                self._let_in(self._watched[descriptor])

    def send(self, frame: Frame, t: int, origin: SlcanClient | None = None) -> None:
        """Queues a frame for every client that has opened its channel, but not for the one it came from."""
        if frame.can_id & ERROR:
            return  # SLCAN has no line for it
        line = b""
        for client, _ in self.clients.values():
            session = client.session
            if client is origin or session.channel is Channel.CLOSED:
                continue
            line = line or format_frame(frame)
            if client.offer(stamp(line, t) if session.stamped else line):
                self._statistics.sent += 1
            else:
                self._statistics.dropped += 1
                session.overrun = True

    def flush(self) -> None:
        """Writes what is queued, as far as the clients take it."""
        for client, door in tuple(self.clients.values()):
            if client.queue and not client.write():
                self._dismiss(client, door)

    def close(self) -> None:
        """Sends everybody away and closes the doors."""
        for client, door in tuple(self.clients.values()):
            self._dismiss(client, door)
        self._epoll.close()
        for door in self._doors:
            door.close()

    def _watch(self, door: Door) -> bool:
        """Waits for clients at a door, if it can be used."""
        if door.descriptor is None:
            return False
        self._watched[door.descriptor] = door
        self._epoll.register(door.descriptor, select.EPOLLIN)
        return True

    def _let_in(self, door: Door) -> None:
        """One client a tick."""
        try:
            descriptor = door.enter()
        except BlockingIOError:  # it has gone again
            return
        except OSError:  # no descriptor left
            self._statistics.turned_away += 1
            return
        if len(self.clients) >= MOST_CLIENTS:
            self._statistics.turned_away += 1
            door.leave(descriptor)
            return
        self.clients[descriptor] = (SlcanClient(descriptor), door)
        if descriptor not in self._watched:
            self._epoll.register(descriptor, select.EPOLLIN)
        self._statistics.connected += 1

    def _read(self, client: SlcanClient, door: Door, size: int, t: int) -> None:
        data = client.read(size)
        if data is None:
            self._dismiss(client, door)
            return
        session = client.session
        malformed, refused = session.malformed, session.refused
        frames, answers = session.feed(data)
        self._statistics.errors += session.malformed - malformed
        self._statistics.refused += session.refused - refused
        client.offer(answers)
        for frame in frames:
            self._statistics.received += 1
            self._deliver(frame)
            self.send(frame, t, client)

    def _dismiss(self, client: SlcanClient, door: Door) -> None:
        descriptor = client.descriptor
        self._epoll.unregister(descriptor)
        self._watched.pop(descriptor, None)
        del self.clients[descriptor]
        door.leave(descriptor)
        self._statistics.disconnected += 1
