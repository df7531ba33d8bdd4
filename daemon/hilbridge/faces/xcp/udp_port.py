"""The UDP port of the slave: datagrams of masters, and what is sent back to the one that has the session.

UDP has no end of a connection. That a master is gone is noticed by what the network says of a datagram to it. Of one
that has sent nothing for SILENCE the values are given back, and its session goes to the next CONNECT: from its own
machine at any time, from another one unless DAQ lists run.
"""

import selectors
import socket
import struct
import time
from collections.abc import Callable, Collection
from errno import EMSGSIZE
from typing import Any, Final

from hilbridge.base.common.addresses import is_among, normal
from hilbridge.bench.xcp.sample_memory import SampleMemory
from hilbridge.faces.xcp.framing import Framer, FramingError, packets_of
from hilbridge.faces.xcp.session import Peer, Session

AT_ONCE: Final = 64
"""Datagrams, and errors, that are read before DAQ lists have their turn."""

LARGEST: Final = 2048
SILENCE: Final = 30.0
"""[s]"""

_IP_RECVERR: Final = 11
_IPV6_RECVERR: Final = 25
"""Options of Linux: an error that a datagram has met is told by the socket."""

_ANCILLARY: Final = 512
_ERROR: Final = struct.Struct("=I")
"""The beginning of sock_extended_err: the error's number."""

Address = tuple[Any, ...]


class Sender:
    """A master by its address."""

    has_room: Final = True

    def __init__(self, port: "UdpPort", address: Address, measures: Callable[[], bool]) -> None:
        self.address: Final = address
        self.host: Final = normal(address[0])
        self.name: Final = f"{address[0]}:{address[1]}"
        self.heard = time.monotonic()
        self.is_gone = False
        self._port: Final = port
        self._measures: Final = measures
        self._framer: Final = Framer()

    @property
    def is_silent(self) -> bool:
        """Whether nothing came from it for SILENCE."""
        return time.monotonic() - self.heard > SILENCE

    def gives_way_to(self, other: Peer) -> bool:
        return self.is_silent and (other.host == self.host or not self._measures())

    def send(self, packet: bytes) -> bool:
        return self._port.send(self._framer.frame(packet), self.address)


class UdpPort:
    """The socket and the master that has the session."""

    def __init__(self, port: socket.socket, masters: Collection[str], session: Session, memory: SampleMemory) -> None:
        """`masters`: addresses that are let in; empty: all."""
        self._port: Final = port
        self._masters: Final = frozenset(map(normal, masters))
        self._session: Final = session
        self._memory: Final = memory
        self._master: Sender | None = None
        self._selector: Final = selectors.DefaultSelector()
        port.setblocking(False)
        if port.family == socket.AF_INET6:
            port.setsockopt(socket.IPPROTO_IPV6, _IPV6_RECVERR, 1)
        else:
            port.setsockopt(socket.IPPROTO_IP, _IP_RECVERR, 1)
        self._selector.register(port, selectors.EVENT_READ)

    def watch(self, other: socket.socket) -> None:
        """Wake up for another socket too."""
        self._selector.register(other, selectors.EVENT_READ)

    def poll(self, timeout: float) -> None:
        """Wait for something to do, at most `timeout` [s], and do it."""
        self._selector.select(timeout)
        self._drain_errors()
        for _ in range(AT_ONCE):
            try:
                data, address = self._port.recvfrom(LARGEST)
            except BlockingIOError:
                break
            except OSError:  # of a datagram before
                self._drain_errors()
                continue
            self._take(data, address)
        self.flush()

    def send(self, data: bytes, address: Address) -> bool:
        """Send a datagram; return False if the kernel has not taken it."""
        for _ in range(2):
            try:
                self._port.sendto(data, address)
            except BlockingIOError:
                return False
            except OSError:  # it may be about a datagram before this one, to whomever
                self._drain_errors()
            else:
                return True
        return False

    def flush(self) -> None:
        """End the session of a master that is gone; give back the values of one that is silent."""
        if self._master is None:
            return
        if self._master.is_gone:
            self._session.left(self._master)
            self._master = None
        elif self._master.is_silent:
            self._session.give_back(self._master)

    def close(self) -> None:
        """Wait for nothing any more, at the end of the run; the socket is the tick process's."""
        self._selector.close()

    def _take(self, data: bytes, address: Address) -> None:
        if self._masters and not is_among(address[0], self._masters):
            self._memory.count("refused")
            return
        known = self._master is not None and self._master.address == address
        sender = self._master if known and self._master is not None else self._sender(address)
        sender.heard = time.monotonic()
        try:
            for packet in packets_of(data):
                self._session.take(sender, packet)
        except FramingError:
            self._memory.count("ignored")
        if self._session.master is sender:
            self._master = sender

    def _sender(self, address: Address) -> Sender:
        return Sender(self, address, lambda: self._session.is_measuring)

    def _drain_errors(self) -> None:
        """Read what the network says of datagrams; where one to the master was not received, that is gone."""
        for _ in range(AT_ONCE):
            try:
                _, ancillary, _, address = self._port.recvmsg(LARGEST, _ANCILLARY, socket.MSG_ERRQUEUE)
            except OSError:  # there is no more
                return
            too_long = any(
                _ERROR.unpack_from(data)[0] == EMSGSIZE for *_, data in ancillary if len(data) >= _ERROR.size
            )
            if self._master is not None and address == self._master.address and not too_long:
                self._master.is_gone = True
