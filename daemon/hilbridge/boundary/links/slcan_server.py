"""The SLCAN port of an embedded bus: programs join it as if through an SLCAN adapter, by TCP or a pseudo terminal.

A client receives nothing until it opens its channel ("O" and CR).
"""

from collections.abc import Callable, Sequence
from typing import Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.client_server import Client, ClientServer
from hilbridge.boundary.links.doors import Door
from hilbridge.boundary.links.link import LinkStatistics, read_allowance
from hilbridge.boundary.links.slcan import Channel, SlcanSession, format_frame, stamp
from hilbridge.frames.codec.frame import ERROR, Frame

MOST_CLIENTS: Final = 16
BYTES_PER_MILLISECOND: Final = 512
"""Read, shared by the clients: 18 frames of 8 bytes; a full 1 Mbit/s bus has eight. The rest waits in the kernel."""
QUEUE_LIMIT: Final = 64 << 10
"""[bytes] waiting for one client: 2,400 frames of 8 bytes."""


class SlcanClient(Client):
    """One program: the channel that it has opened, and the lines that wait for it.

    One that stops reading loses the lines that find no room; when it reads again it gets those that waited, in order.
    """

    __slots__ = ("_take", "session")

    def __init__(self, take: Callable[["SlcanClient", bytes, int], None]) -> None:
        super().__init__()
        self.session: Final = SlcanSession()
        self._take: Final = take

    def offer(self, line: bytes) -> bool:
        """Queue a whole line, or nothing if there is no room for it; return whether it was queued."""
        if len(self.output) + len(line) > QUEUE_LIMIT:
            return False
        self.output.extend(line)
        return True

    def receive(self, data: bytes, t: int) -> None:
        self._take(self, data, t)


class SlcanServer:
    """The server of one bus's clients. What a client sends goes to `deliver` and to the other clients.

    A slow client loses frames (counted), garbage is answered with BELL and counted.
    """

    def __init__(
        self,
        doors: Sequence[Door],
        deliver: Callable[[Frame], None],
        statistics: LinkStatistics,
        period: int = MILLISECOND,
    ) -> None:
        """`period` [ns] of a tick."""
        self._deliver: Final = deliver
        self._statistics: Final = statistics
        self._allowance: Final = read_allowance(BYTES_PER_MILLISECOND, period)
        self._server: Final = ClientServer(doors, lambda: SlcanClient(self._take), statistics, most=MOST_CLIENTS)
        self.descriptor: Final = self._server.descriptor
        self.describe: Final = self._server.describe
        self.close: Final = self._server.close
        self.clients: Final = self._server.clients

    @property
    def trouble(self) -> str:
        """Why some of the doors cannot be used at present; empty while all can."""
        return self._server.trouble

    def poll(self, t: int) -> None:
        """Accept clients and take what they sent."""
        self._server.poll(t, self._allowance.drain(t))

    def send(self, frame: Frame, t: int, origin: SlcanClient | None = None) -> None:
        """Queue a frame for every client that has opened its channel, but not for the one it came from."""
        if frame.can_id & ERROR:
            return  # SLCAN has no line for it
        line = b""
        for client in self.clients.values():
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
        """Write what is queued, as far as the clients take it."""
        self._server.flush()

    def _take(self, client: SlcanClient, data: bytes, t: int) -> None:
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
