"""The UDP port of an input: datagrams come in, without blocking, from those that may send them."""

import errno
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hilbridge.base.common.addresses import is_loopback
from hilbridge.base.common.datagrams import pack
from hilbridge.base.common.errors import LinkError
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
    """A socket bound to an address. LinkError: it cannot be bound."""

    trouble: Final = ""

    def __init__(self, address: str, port: int, senders: Sequence[str], largest: int) -> None:
        """`senders`: those that count; none: all that reach the address. `largest` [bytes]: of a datagram."""
        self.statistics = DatagramStatistics()
        self._senders: Final = frozenset(senders)
        self._largest: Final = largest
        self._socket: Final = _bound(address, port)
        self.descriptor: Final = self._socket.fileno()
        reach = "" if is_loopback(address) else f", open to {', '.join(senders)}"
        self._description: Final = f"UDP port {self._socket.getsockname()[1]} of {address}{reach}"
        self.statistics.opened = 1

    def poll(self, t: int) -> bytes:
        """Return the datagrams that have come, as `pack` of base/common/datagrams.py packs them."""
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
        self._socket.close()

    def describe(self) -> str:
        return self._description


def _bound(address: str, port: int) -> socket.socket:
    one = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM)
    one.setblocking(False)
    try:
        one.bind((address, port))
    except OSError as error:
        one.close()
        if error.errno == errno.EADDRNOTAVAIL:
            reason = f"this machine has no address {address}; `ip address` lists those that it has"
            raise LinkError(reason, ("address",)) from error
        if error.errno == errno.EADDRINUSE:
            reason = f"UDP port {port} of {address} is taken: `ss -ulpn` shows by whom; is another bench or the game's"
            raise LinkError(f"{reason} own dashboard running?", ("port",)) from error
        raise LinkError(f"UDP port {port} of {address} cannot be opened: {error.strerror}", ("port",)) from error
    return one
