"""The UDP port of the slave: datagrams of masters, and what is sent back to the one that has the session.

UDP has no end of a connection. That a master is gone is noticed by what the network says of a datagram to it; one that
has sent nothing for SILENCE, and measures nothing, gives its session to the next that connects.
"""

import selectors
import socket
import time
from collections.abc import Callable, Collection
from typing import Any, Final

from hilbridge.bench.xcp.sample_memory import SampleMemory
from hilbridge.faces.xcp.framing import Framer, FramingError, packets_of
from hilbridge.faces.xcp.session import Session

AT_ONCE: Final = 64
"""Datagrams that are read before DAQ lists have their turn."""

LARGEST: Final = 2048
SILENCE: Final = 30.0
"""[s]"""

_IP_RECVERR: Final = 11
_IPV6_RECVERR: Final = 25
"""Options of Linux: an error that a datagram has met is told by the socket."""


class Sender:
    """A master by its address."""

    def __init__(
        self, port: socket.socket, address: tuple[Any, ...], measures: Callable[[], bool], lost: Callable[[], None]
    ) -> None:
        self.address: Final = address
        self.name: Final = f"{address[0]}:{address[1]}"
        self.has_room: Final = True
        self.heard = time.monotonic()
        self.is_gone = False
        self._port: Final = port
        self._measures: Final = measures
        self._lost: Final = lost
        self._framer: Final = Framer()

    @property
    def gives_way(self) -> bool:
        return not self._measures() and time.monotonic() - self.heard > SILENCE

    def send(self, packet: bytes) -> None:
        data = self._framer.frame(packet)
        try:
            self._port.sendto(data, self.address)
        except BlockingIOError:
            self._lost()
        except OSError:  # of a datagram before this one: no one is there
            self.is_gone = True


class UdpPort:
    """The socket and the master that has the session."""

    def __init__(self, port: socket.socket, masters: Collection[str], session: Session, memory: SampleMemory) -> None:
        """`masters`: addresses that are let in; empty: all."""
        self._port: Final = port
        self._masters: Final = frozenset(masters)
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
        for _ in range(AT_ONCE):
            try:
                data, address = self._port.recvfrom(LARGEST)
            except BlockingIOError:
                break
            except OSError:
                self._drain_errors()
                continue
            self._take(data, address)
        self.flush()

    def flush(self) -> None:
        """End the session of a master that is gone."""
        if self._master is not None and self._master.is_gone:
            self._session.left(self._master)
            self._master = None

    def close(self) -> None:
        """Wait for nothing any more, at the end of the run; the socket is the tick process's."""
        self._selector.close()

    def _take(self, data: bytes, address: tuple[Any, ...]) -> None:
        if self._masters and address[0] not in self._masters:
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

    def _sender(self, address: tuple[Any, ...]) -> Sender:
        return Sender(self._port, address, lambda: self._session.is_measuring, lambda: self._memory.count("overruns"))

    def _drain_errors(self) -> None:
        """Read what the network says of datagrams; one to the master was not received: it is gone."""
        try:
            _, _, _, address = self._port.recvmsg(LARGEST, 512, socket.MSG_ERRQUEUE)
        except OSError:
            return
        if self._master is not None and address == self._master.address:
            self._master.is_gone = True
