"""The TCP port of the slave: connections of masters, a few at a time, each with bounded memory.

Who has connected and has no session gives its place to a newcomer where all are taken, so that connections which say
nothing shut no one out.
"""

import contextlib
import selectors
import socket
from collections.abc import Collection
from typing import Any, Final

from hilbridge.base.common.addresses import is_among, normal
from hilbridge.bench.xcp.sample_memory import SampleMemory
from hilbridge.boundary.links.doors import SEND_BUFFER
from hilbridge.faces.xcp.framing import Framer, FramingError, Stream
from hilbridge.faces.xcp.session import Peer, Session

MOST_CONNECTIONS: Final = 4
READ: Final = 4096
BACKLOG: Final = 1 << 18
"""[byte] that wait here for a master; what DAQ lists sample beyond it is lost, and counted."""

_FULL: Final = BACKLOG + (1 << 16)
"""[byte] beyond which nothing is read of a master that does not read its answers."""

_KEEPALIVE: Final = {socket.TCP_KEEPIDLE: 10, socket.TCP_KEEPINTVL: 5, socket.TCP_KEEPCNT: 3}
"""A master that vanished is noticed within 25 s, and its session ends; VANISHED is the same where bytes wait for it."""

VANISHED: Final = 25_000
"""[ms]"""


class Connection:
    """One connection of a master."""

    def __init__(self, connection: socket.socket, address: tuple[Any, ...]) -> None:
        self.socket: Final = connection
        self.host: Final = normal(address[0])
        self.name: Final = f"{address[0]}:{address[1]}"
        self.output: Final = bytearray()
        self.stream: Final = Stream()
        self._framer: Final = Framer()

    @property
    def has_room(self) -> bool:
        return len(self.output) < BACKLOG

    def gives_way_to(self, _other: Peer) -> bool:
        return False

    def send(self, packet: bytes) -> bool:
        self.output.extend(self._framer.frame(packet))
        return True


class TcpPort:
    """The listening socket and its connections."""

    def __init__(
        self, listener: socket.socket, masters: Collection[str], session: Session, memory: SampleMemory
    ) -> None:
        """`masters`: addresses that are let in; empty: all."""
        self._listener: Final = listener
        self._masters: Final = frozenset(map(normal, masters))
        self._session: Final = session
        self._memory: Final = memory
        self._connections: Final[list[Connection]] = []
        self._selector: Final = selectors.DefaultSelector()
        listener.setblocking(False)
        self._selector.register(listener, selectors.EVENT_READ)

    def watch(self, other: socket.socket) -> None:
        """Wake up for another socket too."""
        self._selector.register(other, selectors.EVENT_READ)

    def poll(self, timeout: float) -> None:
        """Wait for something to do, at most `timeout` [s], and do it."""
        for connection in self._connections:
            waits = selectors.EVENT_WRITE if connection.output else 0
            reads = selectors.EVENT_READ if len(connection.output) < _FULL else 0
            self._selector.modify(connection.socket, waits | reads, connection)
        for key, ready in self._selector.select(timeout):
            if key.fileobj is self._listener:
                self._accept()
            elif isinstance(key.data, Connection) and ready & selectors.EVENT_READ:
                self._read(key.data)
        self.flush()

    def flush(self) -> None:
        """Send what waits, as far as the kernel takes it."""
        for connection in list(self._connections):
            if connection.output:
                self._write(connection)

    def close(self) -> None:
        """Close all connections, at the end of the run; the listening socket is the tick process's."""
        for connection in self._connections:
            connection.socket.close()
        self._selector.close()

    def _accept(self) -> None:
        try:
            connection, address = self._listener.accept()
        except OSError:  # it has gone again
            return
        if self._masters and not is_among(address[0], self._masters):
            self._memory.count("refused")
            connection.close()
            return
        if len(self._connections) == MOST_CONNECTIONS:
            self._memory.count("refused")
            self._leave(next(one for one in self._connections if one is not self._session.master))
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in _KEEPALIVE.items():
            connection.setsockopt(socket.IPPROTO_TCP, option, value)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, VANISHED)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._connections.append(Connection(connection, address))
        self._selector.register(connection, selectors.EVENT_READ, self._connections[-1])

    def _read(self, connection: Connection) -> None:
        try:
            data = connection.socket.recv(READ)
            # packets of STIM lists have no answers: a master with Nagle's algorithm waits for this before the next one
            connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._leave(connection)
            return
        try:
            for packet in connection.stream.packets(data):
                self._session.take(connection, packet)
        except FramingError:
            self._memory.count("ignored")
            self._leave(connection)

    def _write(self, connection: Connection) -> None:
        try:
            sent = connection.socket.send(connection.output)
        except BlockingIOError:
            return
        except OSError:
            self._leave(connection)
            return
        del connection.output[:sent]

    def _leave(self, connection: Connection) -> None:
        if connection not in self._connections:
            return
        self._connections.remove(connection)
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(connection.socket)
        connection.socket.close()
        self._session.left(connection)
