"""The socketcand port of an embedded bus: programs that know no CAN of the kernel join it by TCP.

python-can    can.Bus(interface="socketcand", host="127.0.0.1", port=29536, channel="powertrain")
"""

from collections.abc import Callable, Sequence
from typing import Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.client_server import ClientServer
from hilbridge.boundary.links.doors import Door
from hilbridge.boundary.links.link import LinkStatistics, read_allowance
from hilbridge.boundary.links.socketcand import Mode, line_of
from hilbridge.boundary.links.socketcand_client import SocketcandClient
from hilbridge.frames.codec.frame import ERROR, FD, Frame

MOST_CLIENTS: Final = 16
BYTES_PER_MILLISECOND: Final = 384
"""Read, shared by the clients: some nine frames of 8 bytes, and a full 1 Mbit/s bus has eight. The rest waits."""

FRAMES_OF_JOBS: Final = 8
"""In a millisecond, of all jobs together; what is more waits for its turn."""


class SocketcandServer:
    """The server of one bus's clients. What a client sends goes to `deliver` and to the other clients.

    A slow client loses frames, a wrong command does nothing; both are counted.
    """

    def __init__(
        self,
        doors: Sequence[Door],
        bus: str,
        deliver: Callable[[Frame], None],
        statistics: LinkStatistics,
        period: int = MILLISECOND,
    ) -> None:
        """`bus`: its name, by which clients open it; `period` [ns] of a tick."""
        self._deliver: Final = deliver
        self._statistics: Final = statistics
        self._allowance: Final = read_allowance(BYTES_PER_MILLISECOND, period)
        self._jobs: Final = read_allowance(FRAMES_OF_JOBS, period)
        self._turn = 0
        self._counts = [0, 0, 0, 0]  # bytes and frames to clients, bytes and frames of clients
        self._server: Final = ClientServer(
            doors, lambda: SocketcandClient(bus, self._take, statistics), statistics, most=MOST_CLIENTS
        )
        self.descriptor: Final = self._server.descriptor
        self.describe: Final = self._server.describe
        self.close: Final = self._server.close
        self.clients: Final = self._server.clients

    @property
    def trouble(self) -> str:
        """Why the door cannot be used at present; empty while it can."""
        return self._server.trouble

    @property
    def waits_for_time(self) -> bool:
        """Whether something is due by itself, so that every tick has to look."""
        return any(client.waits_for_time for client in self.clients.values())

    def poll(self, t: int) -> None:
        """Accept clients, take what they sent, and send what is due of their jobs."""
        self._server.poll(t, self._allowance.drain(t))
        working = [client for client in self.clients.values() if client.jobs]
        if not working:
            return
        left = self._jobs.drain(t)
        self._turn += 1
        for number in range(len(working)):
            left -= working[(self._turn + number) % len(working)].poll(t, left)

    def send(self, frame: Frame, t: int, origin: SocketcandClient | None = None) -> None:
        """Queue a frame for every client that wants it; the protocol has no line for CAN FD and for errors."""
        if frame.can_id & ERROR or frame.flags & FD:
            return
        self._counts[0] += len(frame.data)
        self._counts[1] += 1
        for client in self.clients.values():
            if client.wants(frame, t, own=client is origin):
                self._offer(client, frame, t)

    def flush(self, t: int) -> None:
        """Queue what subscriptions have held and what counters are due, and write it as far as the clients take it."""
        for client in self.clients.values():
            for frame in client.held(t):
                self._offer(client, frame, t)
            if client.statistics_due(t):
                client.offer(b"< stat %d %d %d %d >" % tuple(self._counts))
        self._server.flush()

    def _offer(self, client: SocketcandClient, frame: Frame, t: int) -> None:
        if client.offer(line_of(frame, t, spaced=client.mode is Mode.BCM)):
            self._statistics.sent += 1
        else:
            self._statistics.dropped += 1

    def _take(self, client: SocketcandClient, frame: Frame, t: int) -> None:
        self._counts[2] += len(frame.data)
        self._counts[3] += 1
        self._statistics.received += 1
        self._deliver(frame)
        self.send(frame, t, client)
