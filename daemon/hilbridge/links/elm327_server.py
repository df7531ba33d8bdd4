"""Where scan tools reach an ELM327: a loopback TCP port, a pseudo terminal, a serial port, or several of them.

Every client gets a device of its own (`plug_in`), which it talks to by characters. Nothing that a client does disturbs
the others or the tick: what it sends is read by the piece, and not at all while it does not read its answers; what
waits for it is bounded by the device.
"""

import os
import select
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from hilbridge.common.errors import KeyPath, LinkError
from hilbridge.common.units import MILLISECOND
from hilbridge.links.elm327_serial import Elm327Serial
from hilbridge.links.elm327_terminal import Elm327Terminal
from hilbridge.links.link import read_allowance
from hilbridge.links.loopback_port import LoopbackPort
from hilbridge.links.slcan_server import Door
from hilbridge.settings.diagnostics import BAUDRATE, Elm327Way

MOST_CLIENTS: Final = 4

BYTES_PER_MILLISECOND: Final = 16
"""Read, shared by the clients: more than 115,200 baud bring. The rest of a flood waits in the kernel."""

UNREAD_LIMIT: Final = 4 << 10
"""[bytes] that wait for a client, beyond which nothing more is read from it."""


class Device(Protocol):
    """What a client talks to."""

    @property
    def output(self) -> bytearray:
        """What it says; the server takes from it what was written."""

    def feed(self, data: bytes, t: int) -> None:
        """Takes characters of the client."""


D = TypeVar("D", bound=Device)


@dataclass(slots=True)
class TerminalStatistics:
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


class Elm327Server(Generic[D]):
    """Serves the clients that come in through the doors."""

    def __init__(
        self, doors: Sequence[Door], plug_in: Callable[[], D], unplug: Callable[[D], None], period: int = MILLISECOND
    ) -> None:
        """`period` [ns] of a tick."""
        self.statistics: Final = TerminalStatistics()
        self._doors: Final = tuple(doors)
        self._plug_in: Final = plug_in
        self._unplug: Final = unplug
        self._allowance: Final = read_allowance(BYTES_PER_MILLISECOND, period)
        self._watched: Final[dict[int, Door]] = {}
        self._clients: Final[dict[int, tuple[D, Door]]] = {}
        self._epoll = select.epoll()
        self.descriptor: Final = self._epoll.fileno()
        for door in self._doors:
            self._watch(door)

    @property
    def trouble(self) -> str:
        """Why a door cannot be used at present; empty while all can."""
        return ", ".join(door.trouble for door in self._doors if door.trouble)

    def poll(self, t: int) -> None:
        """Lets clients in and hands on what they sent."""
        for door in self._doors:
            if door.descriptor is None:
                door.renew(t)
                self._watch(door)
        allowed = self._allowance.drain(t)
        ready = self._epoll.poll(0)
        for descriptor, events in ready:
            client = self._clients.get(descriptor)
            if client is None:
                self._let_in(self._watched[descriptor])
            elif len(client[0].output) < UNREAD_LIMIT:
                self._read(descriptor, client[0], max(1, allowed // len(ready)), t)
            elif events & select.EPOLLHUP:  # what waits for it nobody will read
                self._dismiss(descriptor)

    def flush(self, t: int) -> None:
        """At the end of the tick: writes what the devices said, as far as the clients take it."""
        for descriptor, (device, _) in tuple(self._clients.items()):
            if device.output:
                self._write(descriptor, device)

    def close(self) -> None:
        """Sends everybody away and closes the doors."""
        for descriptor in tuple(self._clients):
            self._dismiss(descriptor)
        self._epoll.close()
        for door in self._doors:
            door.close()

    def describe(self) -> str:
        """How a program comes in."""
        return " and ".join(door.describe() for door in self._doors)

    def _watch(self, door: Door) -> None:
        """Waits for clients at a door, if it can be used."""
        if door.descriptor is not None:
            self._watched[door.descriptor] = door
            self._epoll.register(door.descriptor, select.EPOLLIN)

    def _let_in(self, door: Door) -> None:
        waiting = door.descriptor
        try:
            descriptor = door.enter()
        except BlockingIOError:  # nobody there, or gone again
            self._forget(waiting, door)
            return
        except OSError:  # no descriptor left
            self.statistics.turned_away += 1
            return
        if len(self._clients) >= MOST_CLIENTS and descriptor not in self._watched:
            self.statistics.turned_away += 1
            door.leave(descriptor)
            return
        self._clients[descriptor] = (self._plug_in(), door)
        if descriptor not in self._watched:
            self._epoll.register(descriptor, select.EPOLLIN)
        self.statistics.connected += 1

    def _read(self, descriptor: int, device: D, size: int, t: int) -> None:
        try:
            data = os.read(descriptor, size)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self.statistics.received += len(data)
            device.feed(data, t)
        else:
            self._dismiss(descriptor)

    def _write(self, descriptor: int, device: D) -> None:
        try:
            written = os.write(descriptor, device.output)
        except BlockingIOError:
            return
        except OSError:
            self._dismiss(descriptor)
            return
        self.statistics.sent += written
        del device.output[:written]

    def _dismiss(self, descriptor: int) -> None:
        device, door = self._clients.pop(descriptor)
        if descriptor not in self._watched:
            self._epoll.unregister(descriptor)
        self._unplug(device)
        door.leave(descriptor)
        self._forget(descriptor, door)
        self.statistics.disconnected += 1

    def _forget(self, descriptor: int | None, door: Door) -> None:
        """A door that went away with its client is watched no longer."""
        if descriptor in self._watched and door.descriptor is None:
            self._epoll.unregister(descriptor)
            del self._watched[descriptor]


def open_doors(ways: Sequence[Elm327Way], baudrate: int = BAUDRATE) -> list[Door]:
    """The doors that settings ask for; LinkError, with the key that is to blame, when one cannot be made."""
    doors: list[Door] = []
    for way in ways:
        try:
            doors.append(_door(way, baudrate, ("ways",)))
        except LinkError:
            for door in doors:
                door.close()
            raise
    return doors


def _door(way: Elm327Way, baudrate: int, place: KeyPath) -> Door:
    if isinstance(way, int):
        return LoopbackPort(way, "ELM327", place)
    return Elm327Terminal() if way == "pty" else Elm327Serial(way, baudrate, place)
