"""Sending a long message: to everybody without flow control (BAM), or to one address that controls the flow.

    BAM    announcement, then a packet every 50 ms
    RTS    request; the receiver clears some packets (CTS), which go one a tick; when the last one has arrived it says
           so (end of message). It may clear packets again that were lost, hold the connection, or abort.

A connection ends with an abort when the receiver is silent: 1250 ms, or 1050 ms after a hold.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.codec.frame import Frame
from hilbridge.diagnostics.j1939.transfer import (
    BROADCAST_GAP,
    T3,
    T4,
    Abort,
    Control,
    Route,
    announced,
    packets,
)

Send = Callable[[Frame], None]


class Broadcast:
    """A message on its way to everybody."""

    __slots__ = ("_count", "_due", "_next", "_payload", "_send", "done", "route")

    def __init__(self, route: Route, payload: bytes, send: Send) -> None:
        self.route: Final = route
        self.done = False
        self._payload: Final = payload
        self._send: Final = send
        self._count: Final = packets(len(payload))
        self._next = 0  # 0: the announcement
        self._due = 0

    def poll(self, t: int) -> None:
        """Sends what is due at `t` [ns]."""
        if t < self._due:
            return
        if self._next == 0:
            self._send(self.route.connection(Control.BAM, *announced(len(self._payload), self._count)))
        else:
            self._send(self.route.packet(self._next, self._payload))
        self.done = self._next == self._count
        self._next += 1
        self._due = t + BROADCAST_GAP


class Transfer:
    """A message on its way to one address. `failed`: the connection ended before the receiver had all of it."""

    __slots__ = ("_count", "_deadline", "_last", "_next", "_payload", "_send", "done", "failed", "route")

    def __init__(self, route: Route, payload: bytes, send: Send, t: int) -> None:
        self.route: Final = route
        self.done = False
        self.failed = False
        self._payload: Final = payload
        self._send: Final = send
        self._count: Final = packets(len(payload))
        self._next = 1
        self._last = 0  # of the packets that are cleared
        self._deadline = t + T3
        send(route.connection(Control.RTS, *announced(len(payload), self._count)))

    def clear(self, count: int, first: int, t: int) -> None:
        """CTS: packets `first` … `first` + `count` − 1 may go."""
        if self._next <= self._last:
            self.abort(Abort.CTS_WHILE_SENDING)
        elif count == 0:
            self._deadline = t + T4
        elif not 0 < first <= self._count:
            self.abort(Abort.BAD_SEQUENCE)
        else:
            self._next = first
            self._last = min(first + count - 1, self._count)

    def end(self) -> None:
        """The receiver has it all."""
        self.done = True

    def aborted(self) -> None:
        """The receiver has closed the connection."""
        self.done = self.failed = True

    def abort(self, reason: Abort) -> None:
        """Closes the connection."""
        self._send(self.route.connection(Control.ABORT, reason))
        self.aborted()

    def poll(self, t: int) -> None:
        """Sends one packet, or gives up."""
        if self._next <= self._last:
            self._send(self.route.packet(self._next, self._payload))
            self._next += 1
            self._deadline = t + T3
        elif t >= self._deadline:
            self.abort(Abort.TIMEOUT)
