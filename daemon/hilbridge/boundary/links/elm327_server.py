"""The ports of an ELM327: scan tools connect by TCP, a pseudo terminal, a serial port, or several of them.

Every client gets a device of its own (`plug_in`), which it talks to by characters. What it sends is read in pieces, and
not at all while it does not read its answers; the output that waits for it is bounded by the device. Where all places
are taken, a client that comes gets that of one that has sent far ahead, which a scan tool never does: it waits for the
prompt. So a flood keeps no place for the minutes that it takes to be read, its sender gone or not.
"""

import fcntl
import struct
import termios
from collections.abc import Callable, Sequence
from typing import Final, Generic, Protocol, TypeVar

from hilbridge.base.common.addresses import LOOPBACK
from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.client_server import Client, ClientServer, ClientStatistics
from hilbridge.boundary.links.doors import Door, Elm327Terminal, open_all, open_port
from hilbridge.boundary.links.link import read_allowance
from hilbridge.boundary.links.serial_line import Elm327Serial
from hilbridge.files.settings.diagnostics import BAUDRATE, Elm327Way

MOST_CLIENTS: Final = 4

BYTES_PER_MILLISECOND: Final = 16
"""Read, shared by the clients: more than 115,200 baud bring. The rest of a flood waits in the kernel."""

UNREAD_LIMIT: Final = 4 << 10
"""[bytes] that wait for a client, beyond which nothing more is read from it; and that may wait of what it sent where
others want its place."""


class Device(Protocol):
    """The device that a client talks to."""

    @property
    def output(self) -> bytearray:
        """Characters for the client; the server removes those that it has sent."""

    def feed(self, data: bytes, t: int) -> None:
        """Take characters of the client at `t` [ns]."""


D = TypeVar("D", bound=Device)


class _ScanTool(Client, Generic[D]):
    """One client and its device."""

    def __init__(self, device: D, unplug: Callable[[D], None], statistics: ClientStatistics) -> None:
        super().__init__(device.output)
        self._device: Final = device
        self._unplug: Final = unplug
        self._statistics: Final = statistics

    @property
    def room(self) -> int:
        return UNREAD_LIMIT if len(self.output) < UNREAD_LIMIT else 0

    def receive(self, data: bytes, t: int) -> None:
        self._statistics.received += len(data)
        self._device.feed(data, t)

    def close(self) -> None:
        self._unplug(self._device)


class Elm327Server(Generic[D]):
    """The server of the clients that come in through the doors, each with a device of its own."""

    def __init__(
        self, doors: Sequence[Door], plug_in: Callable[[], D], unplug: Callable[[D], None], period: int = MILLISECOND
    ) -> None:
        """`period` [ns] of a tick."""
        self.statistics: Final = ClientStatistics()
        self._allowance: Final = read_allowance(BYTES_PER_MILLISECOND, period)
        self._server: Final = ClientServer(
            doors,
            lambda: _ScanTool(plug_in(), unplug, self.statistics),
            self.statistics,
            most=MOST_CLIENTS,
            make_room=self._make_room,
        )
        self.descriptor: Final = self._server.descriptor

    @property
    def trouble(self) -> str:
        """Why some of the doors cannot be used at present; empty while all can."""
        return self._server.trouble

    def poll(self, t: int) -> None:
        """Accept clients and hand what they sent to their devices."""
        self._server.poll(t, self._allowance.drain(t))

    def flush(self, t: int) -> None:
        """Write the output of the devices, as far as the clients take it."""
        self.statistics.sent += self._server.flush()

    def close(self) -> None:
        """Close all connections, and the doors."""
        self._server.close()

    def describe(self) -> str:
        """Return how a program connects."""
        return self._server.describe()

    def _make_room(self) -> int | None:
        """Return the client of which most is unread, if that is more than a scan tool sends at once."""
        unread = ((_unread(descriptor), descriptor) for descriptor in self._server.clients)
        most, descriptor = max(unread, default=(0, 0))
        return descriptor if most > UNREAD_LIMIT else None


def _unread(descriptor: int) -> int:
    """Return how many bytes the kernel holds that were received."""
    (count,) = struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)))
    return int(count)


def open_doors(ways: Sequence[Elm327Way], baudrate: int = BAUDRATE, address: str = LOOPBACK) -> list[Door]:
    """Open the doors that settings ask for; LinkError, with the key that is to blame, when one cannot be opened."""

    def open_door(way: Elm327Way) -> Door:
        if isinstance(way, int):
            return open_port(way, "ELM327", ("ways",), address)
        return Elm327Terminal() if way == "pty" else Elm327Serial(way, baudrate, ("ways",))

    return open_all(ways, open_door)
