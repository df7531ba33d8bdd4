"""The UDP port of an input: datagrams come in, without blocking, from those that may send them."""

import errno
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hilbridge.base.common.addresses import is_loopback
from hilbridge.base.common.backoff import Backoff
from hilbridge.base.common.datagrams import pack
from hilbridge.base.common.errors import NotNowError
from hilbridge.boundary.links.input_port import PortStatistics

DATAGRAMS_PER_TICK: Final = 16
BYTES_PER_TICK: Final = 8192
"""No further one is read after so many; games send some hundred a second. The rest waits in the kernel, or is lost."""


@dataclass(slots=True)
class DatagramStatistics(PortStatistics):
    """Counters since the start of the run; they only ever grow. Bytes and datagrams are of those that count."""

    datagrams: int = 0
    foreign: int = 0
    """Datagrams of a sender that is not named in the bench file."""
    oversized: int = 0
    """Datagrams longer than any layout's."""


class UdpPort:
    """A socket bound to an address, which is awaited where this machine has not got it yet.

    NotNowError at the start: the port is taken, by another bench perhaps.
    """

    def __init__(self, address: str, port: int, senders: Sequence[str], largest: int) -> None:
        """`senders`: those that count; none: all that reach the address. `largest` [bytes]: of a datagram."""
        self.statistics = DatagramStatistics()
        self._senders: Final = frozenset(senders)
        self._largest: Final = largest
        self.trouble = ""
        self._address: Final = (address, port)
        self._backoff: Final = Backoff()
        self._socket: socket.socket | None = None
        bound = self._bind(0)
        self.descriptor: Final = None if bound is None else bound.fileno()
        reach = "" if is_loopback(address) else f", open to {', '.join(senders)}"
        opened = port if bound is None else bound.getsockname()[1]
        self._description: Final = f"UDP port {opened} of {address}{reach}"

    def poll(self, t: int) -> bytes:
        """Return the datagrams that have come, as `pack` of base/common/datagrams.py packs them."""
        if self._socket is None:
            if self._backoff.due(t):
                self._bind_late(t)
            return b""
        found: list[bytes] = []
        read = 0
        for _ in range(DATAGRAMS_PER_TICK):
            try:
                datagram, (sender, *_) = self._socket.recvfrom(self._largest + 1)
            except OSError:  # none, or an error that the kernel tells of another datagram
                break
            read += len(datagram)
            if self._senders and sender not in self._senders:
                self.statistics.foreign += 1
            elif len(datagram) > self._largest:
                self.statistics.oversized += 1
            else:
                self.statistics.datagrams += 1
                self.statistics.received += len(datagram)
                found.append(datagram)
            if read >= BYTES_PER_TICK:
                break
        return pack(found)

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()

    def describe(self) -> str:
        return self._description

    def _bind(self, t: int) -> socket.socket | None:
        try:
            self._socket = _bound(*self._address)
        except _NoAddressError as error:
            self.trouble = str(error)
            self._backoff.failed(t)
        else:
            self.trouble = ""
            self.statistics.opened = 1
        return self._socket

    def _bind_late(self, t: int) -> None:
        try:
            self._bind(t)
        except NotNowError as error:
            self.trouble = str(error)
            self._backoff.failed(t)


class _NoAddressError(NotNowError):
    """This machine has no such address at present."""


def _bound(address: str, port: int) -> socket.socket:
    one = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM)
    one.setblocking(False)
    try:
        one.bind((address, port))
    except OSError as error:
        one.close()
        if error.errno == errno.EADDRNOTAVAIL:
            reason = f"this machine has no address {address}; `ip address` lists those that it has"
            raise _NoAddressError(reason, ("address",)) from error
        if error.errno == errno.EADDRINUSE:
            reason = f"UDP port {port} of {address} is taken: `ss -ulpn` shows by whom; is another bench or the game's"
            raise NotNowError(f"{reason} own dashboard running?", ("port",)) from error
        raise NotNowError(f"UDP port {port} of {address} cannot be opened: {error.strerror}", ("port",)) from error
    return one
