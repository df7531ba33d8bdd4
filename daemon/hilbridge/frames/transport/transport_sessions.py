"""The transfer of one long J1939 message: broadcast (BAM) or connection (RTS/CTS), sent or received.

    BAM    announcement, then a packet every 50 ms, without flow control
    RTS    request to send; the receiver clears some packets (CTS), which leave one a tick; when the last one has
           arrived it sends "end of message". It may clear lost packets again, hold the connection, or abort.

A sender aborts a connection when the receiver is silent for 1250 ms, or for 1050 ms after a hold.

A receiver accepts packets in their order only. In a broadcast a gap ends the reception. In a connection the receiver
clears up to WINDOW packets at a time; if some are missing after the last of them, it clears again from the first
missing one, twice at most. A reception ends when no packet arrives for 750 ms, or for 1250 ms after a CTS.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.codec.pgn import GLOBAL
from hilbridge.frames.transport.transport_frames import (
    BROADCAST_GAP,
    T1,
    T2,
    T3,
    T4,
    AbortReason,
    ConnectionControl,
    Route,
    announced,
    packets,
)

Send = Callable[[Frame], None]


class OutgoingBroadcast:
    """A broadcast message that is being sent."""

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
        """Send the frame that is due at `t` [ns]."""
        if t < self._due:
            return
        if self._next == 0:
            self._send(self.route.connection(ConnectionControl.BAM, *announced(len(self._payload), self._count)))
        else:
            self._send(self.route.packet(self._next, self._payload))
        self.done = self._next == self._count
        self._next += 1
        self._due = t + BROADCAST_GAP


class OutgoingConnection:
    """A message that is being sent to one address.

    `failed`: the connection ended before the receiver had all packets.
    """

    __slots__ = ("_count", "_deadline", "_last", "_next", "_payload", "_send", "done", "failed", "route")

    def __init__(self, route: Route, payload: bytes, send: Send, t: int) -> None:
        self.route: Final = route
        self.done = False
        self.failed = False
        self._payload: Final = payload
        self._send: Final = send
        self._count: Final = packets(len(payload))
        self._next = 1
        self._last = 0  # last cleared packet
        self._deadline = t + T3
        send(route.connection(ConnectionControl.RTS, *announced(len(payload), self._count)))

    def clear(self, count: int, first: int, t: int) -> None:
        """Take CTS: packets `first` … `first` + `count` − 1 may be sent."""
        if self._next <= self._last:
            self.abort(AbortReason.CTS_WHILE_SENDING)
        elif count == 0:
            self._deadline = t + T4
        elif not 0 < first <= self._count:
            self.abort(AbortReason.BAD_SEQUENCE)
        else:
            self._next = first
            self._last = min(first + count - 1, self._count)

    def end(self) -> None:
        """Take end of message: the receiver has all packets."""
        self.done = True

    def aborted(self) -> None:
        """Take an abort of the receiver."""
        self.done = self.failed = True

    def abort(self, reason: AbortReason) -> None:
        """Abort the connection."""
        self._send(self.route.connection(ConnectionControl.ABORT, reason))
        self.aborted()

    def poll(self, t: int) -> None:
        """Send one packet, or abort after a time-out."""
        if self._next <= self._last:
            self._send(self.route.packet(self._next, self._payload))
            self._next += 1
            self._deadline = t + T3
        elif t >= self._deadline:
            self.abort(AbortReason.TIMEOUT)


WINDOW: Final = 16
"""Packets that one CTS clears."""

RETRANSMISSIONS: Final = 2
"""Number of times that missing packets are cleared again."""


class IncomingMessage:
    """A message that is being received; `route` is that of the sender. `payload` is None until it is complete."""

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
        """`window`: the most packets that the sender accepts for one CTS."""
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
        """Take a packet: its number and seven bytes."""
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
            self._clear_next(t)

    def poll(self, t: int) -> None:
        """Abort the reception after a time-out."""
        if t >= self._deadline:
            self.abort(AbortReason.TIMEOUT)

    def abort(self, reason: AbortReason) -> None:
        """End the reception; a connection is aborted with a reason."""
        self.done = True
        if self._connected:
            self._send(self.route.back.connection(ConnectionControl.ABORT, reason))

    @property
    def _connected(self) -> bool:
        return self.route.destination != GLOBAL

    def _clear_next(self, t: int) -> None:
        """Clear the next packets, or the missing ones: the last of the cleared packets has arrived."""
        if self._expected <= self._last:
            self._retries += 1
            if self._retries > RETRANSMISSIONS:
                self.abort(AbortReason.TOO_MANY_RETRANSMISSIONS)
                return
        self._clear(t)

    def _clear(self, t: int) -> None:
        self._last = min(self._expected + self._window - 1, self._count)
        count = self._last - self._expected + 1
        self._send(self.route.back.connection(ConnectionControl.CTS, count, self._expected))
        self._deadline = t + T2

    def _complete(self) -> None:
        self.done = True
        self.payload = bytes(self._data[: self._length])
        if self._connected:
            self._send(self.route.back.connection(ConnectionControl.END, *announced(self._length, self._count)))
