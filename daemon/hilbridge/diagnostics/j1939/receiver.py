"""Receiving a long message, broadcast (BAM) or through a connection (RTS).

Packets count in their order only. In a broadcast a gap ends the reception. In a connection the receiver clears up to
WINDOW packets at a time; when the last of them has come and some are missing, it clears from the first missing one on
again, twice at most. A reception ends when nothing came for 750 ms, or for 1250 ms after a CTS.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.codec.frame import Frame
from hilbridge.codec.pgn import GLOBAL
from hilbridge.diagnostics.j1939.transfer import T1, T2, Abort, Control, Route, announced, packets

WINDOW: Final = 16
"""Packets cleared at a time."""

RETRANSMISSIONS: Final = 2
"""How often missing packets are asked for again."""


class Reception:
    """A message on its way to here; `route` is that of the sender. `payload` has it when it is complete."""

    __slots__ = (
        "_count",
        "_data",
        "_deadline",
        "_expected",
        "_last",
        "_length",
        "_retries",
        "_send",
        "_window",
        "done",
        "payload",
        "route",
    )

    def __init__(self, route: Route, length: int, window: int, send: Callable[[Frame], None], t: int) -> None:
        """`window`: the most packets that the sender takes for one CTS."""
        self.route: Final = route
        self.done = False
        self.payload: bytes | None = None
        self._length: Final = length
        self._count: Final = packets(length)
        self._window: Final = max(1, min(window, WINDOW))
        self._send: Final = send
        self._data = bytearray()
        self._expected = 1
        self._last = self._count
        self._retries = 0
        self._deadline = t + T1
        if self._connected:
            self._clear(t)

    def packet(self, data: bytes, t: int) -> None:
        """A packet: its number and seven bytes."""
        number = data[0]
        self._deadline = t + T1
        if number == self._expected:
            self._data += data[1:8]
            self._expected += 1
            if number == self._count:
                self._complete()
                return
        elif not self._connected:
            self.done = True
            return
        if self._connected and number == self._last:
            self._go_on(t)

    def poll(self, t: int) -> None:
        """Gives up a sender that is silent."""
        if t >= self._deadline:
            self.abort(Abort.TIMEOUT)

    def abort(self, reason: Abort) -> None:
        """Ends the reception; a connection is told why."""
        self.done = True
        if self._connected:
            self._send(self.route.back.connection(Control.ABORT, reason))

    @property
    def _connected(self) -> bool:
        return self.route.destination != GLOBAL

    def _go_on(self, t: int) -> None:
        """The last of the cleared packets has come: clears the next ones, or those that are missing."""
        if self._expected <= self._last:
            self._retries += 1
            if self._retries > RETRANSMISSIONS:
                self.abort(Abort.TOO_MANY_RETRANSMISSIONS)
                return
        self._clear(t)

    def _clear(self, t: int) -> None:
        self._last = min(self._expected + self._window - 1, self._count)
        count = self._last - self._expected + 1
        self._send(self.route.back.connection(Control.CTS, count, self._expected))
        self._deadline = t + T2

    def _complete(self) -> None:
        self.done = True
        self.payload = bytes(self._data[: self._length])
        if self._connected:
            self._send(self.route.back.connection(Control.END, *announced(self._length, self._count)))
