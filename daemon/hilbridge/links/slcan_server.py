"""A TCP port on the loopback address where programs join a bus as if through an SLCAN adapter.

python-can: `can.Bus(interface="slcan", channel="socket://127.0.0.1:29536")`. Anything that reads and writes lines will
do. A client sees nothing until it opens its channel ("O" and CR).
"""

import os
import select
import socket
from collections.abc import Callable
from typing import Final

from hilbridge.errors import LinkError
from hilbridge.frames.frame import ERROR, Frame
from hilbridge.links.link import Allowance, LinkStatistics
from hilbridge.links.slcan import Channel, Session, format_frame, stamp

ADDRESS: Final = "127.0.0.1"
"""Never another one: the port has no password."""

MOST_CLIENTS: Final = 16
BYTES_PER_MILLISECOND: Final = 512
"""Read, shared by the clients: 18 frames of 8 bytes; a full 1 Mbit/s bus has eight. The rest waits in the kernel."""
QUEUE_LIMIT: Final = 64 << 10
"""[bytes] waiting for one client: 2,400 frames of 8 bytes."""
SEND_BUFFER: Final = 64 << 10
"""[bytes] asked of the kernel for one client; the default of 4 MB would let one hear half a minute late."""


class _Client:
    """One connection."""

    __slots__ = ("connection", "queue", "session")

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.session = Session()
        self.queue = bytearray()

    def offer(self, line: bytes) -> bool:
        """Queues a whole line, or nothing if there is no room for it."""
        if len(self.queue) + len(line) > QUEUE_LIMIT:
            return False
        self.queue += line
        return True


class SlcanServer:
    """Serves the clients of one bus. What a client sends goes to `deliver` and to the other clients.

    Nothing a client does disturbs the others or the tick: a slow one loses frames (counted), a fast one is read by
    the piece, garbage is answered with BELL and counted, a broken connection is closed.
    """

    def __init__(self, port: int, deliver: Callable[[Frame], None], statistics: LinkStatistics) -> None:
        self._deliver = deliver
        self._statistics = statistics
        self._allowance = Allowance(BYTES_PER_MILLISECOND)
        self._clients: dict[int, _Client] = {}
        self._listener = _listen(port)
        self._epoll = select.epoll()
        self._epoll.register(self._listener, select.EPOLLIN)

    @property
    def port(self) -> int:
        """The TCP port, also where any free one was asked for."""
        return int(self._listener.getsockname()[1])

    def poll(self, t: int) -> None:
        """Accepts clients and reads what they sent."""
        allowed = self._allowance.at(t)
        ready = self._epoll.poll(0)
        for descriptor, _ in ready:
            client = self._clients.get(descriptor)
            if client is None:
                self._accept()
            else:
                self._read(client, allowed // len(ready), t)

    def send(self, frame: Frame, t: int, origin: _Client | None = None) -> None:
        """Queues a frame for every client that has opened its channel, but not for the one it came from."""
        if frame.can_id & ERROR:
            return  # SLCAN has no line for it
        line = b""
        for client in self._clients.values():
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
        if not self._clients:
            return
        for client in tuple(self._clients.values()):
            if client.queue:
                try:
                    sent = client.connection.send(client.queue)
                except BlockingIOError:
                    continue
                except OSError:
                    self._disconnect(client)
                else:
                    del client.queue[:sent]

    def close(self) -> None:
        """Closes all connections and the port."""
        for client in tuple(self._clients.values()):
            self._disconnect(client)
        self._epoll.close()
        self._listener.close()

    def _accept(self) -> None:
        """One client a tick."""
        try:
            connection, _ = self._listener.accept()
        except BlockingIOError:  # it has gone again
            return
        except OSError:  # no descriptor left
            self._statistics.errors += 1
            return
        if len(self._clients) >= MOST_CLIENTS:
            self._statistics.errors += 1
            connection.close()
            return
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._clients[connection.fileno()] = _Client(connection)
        self._epoll.register(connection, select.EPOLLIN)
        self._statistics.connected += 1

    def _read(self, client: _Client, size: int, t: int) -> None:
        try:
            data = client.connection.recv(size)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._disconnect(client)
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

    def _disconnect(self, client: _Client) -> None:
        self._epoll.unregister(client.connection)
        del self._clients[client.connection.fileno()]
        client.connection.close()
        self._statistics.disconnected += 1


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections of the last run may linger
        listener.bind((ADDRESS, port))
        listener.listen(MOST_CLIENTS)
    except OSError as error:
        listener.close()
        reason = os.strerror(error.errno) if error.errno is not None else str(error)
        raise LinkError(
            f"the SLCAN port {ADDRESS}:{port} cannot be opened: {reason} (is another program using it? "
            "`slcan: 0` takes any free port)"
        ) from error
    listener.setblocking(False)
    return listener
