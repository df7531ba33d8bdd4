"""Long messages as a listener hears them: put together from packets that go to everybody or to others.

A listener sends nothing: what is lost stays lost, unless the receiver of a connection asks for it again. A message is
given up when another one begins between the same addresses, when the connection is aborted, and after 1.25 s
of silence.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.frames.codec.frame import ERROR, EXTENDED, REMOTE, Frame
from hilbridge.frames.codec.pgn import GLOBAL, Identifier, split
from hilbridge.frames.transport.transport_frames import (
    CONNECTION,
    DATA,
    LONGEST,
    PACKET,
    SHORTEST,
    T2,
    ConnectionControl,
    packets,
)

MOST: Final = 256
"""Messages that are being put together at a time."""

_FRAME: Final = 8
"""[byte] Length of every frame of the protocol."""
_PRIORITY: Final = 6
"""That of a message is in none of its packets; this is the usual one."""
PACKETS: Final = (CONNECTION >> 8, DATA >> 8)
"""The data page and PDU format of the frames of the protocol."""


def is_packet(frame: Frame) -> bool:
    """Return whether a frame is one of the transport protocol."""
    can_id = frame.can_id
    return can_id >> 16 & 0x3FF in PACKETS and can_id & (EXTENDED | REMOTE | ERROR) == EXTENDED and not frame.flags


class Reassembly:
    """Messages of one bus. `received` is called with each whole one as a frame of its identifier, and the time [ns].

    `incomplete` counts those that were announced and given up.
    """

    def __init__(self, received: Callable[[Frame, int], None]) -> None:
        self.incomplete = 0
        self._received: Final = received
        self._parts: Final[dict[tuple[int, int], _Parts]] = {}

    @property
    def pending(self) -> int:
        """Messages that are not whole yet."""
        return len(self._parts)

    def receive(self, frame: Frame, t: int) -> None:
        """Take a frame of the bus; others than those of the transport protocol are passed over."""
        if not is_packet(frame) or len(frame.data) != _FRAME:
            return
        identifier = split(frame.can_id)
        if identifier.pgn == CONNECTION:
            self._control(identifier, frame.data, t)
            return
        key = identifier.source, identifier.destination
        parts = self._parts.get(key)
        if parts is None:
            return
        if t - parts.last > T2:
            self._give_up(key)
            return
        parts.last = t
        if (data := parts.take(frame.data)) is not None:
            del self._parts[key]
            whole = Identifier(_PRIORITY, parts.pgn, identifier.destination, identifier.source)
            self._received(Frame(whole.can_id, data), t)

    def _control(self, identifier: Identifier, data: bytes, t: int) -> None:
        key = identifier.source, identifier.destination
        begins = ConnectionControl.BAM if identifier.destination == GLOBAL else ConnectionControl.RTS
        if data[0] == begins:
            self._give_up(key)
            length, pgn = int.from_bytes(data[1:3], "little"), int.from_bytes(data[5:8], "little")
            if not SHORTEST <= length <= LONGEST or data[3] != packets(length):
                return
            if len(self._parts) >= MOST:
                self._give_up(next(iter(self._parts)))
            self._parts[key] = _Parts(pgn, length, t)
        elif data[0] == ConnectionControl.ABORT:
            self._give_up(key)
            self._give_up(key[::-1])
        elif (answered := self._parts.get(key[::-1])) is not None:
            answered.last = t

    def _give_up(self, key: tuple[int, int]) -> None:
        if self._parts.pop(key, None) is not None:
            self.incomplete += 1


class _Parts:
    """The packets of a message that have come, by their number."""

    __slots__ = ("_length", "_missing", "_payload", "last", "pgn")

    def __init__(self, pgn: int, length: int, t: int) -> None:
        self.pgn: Final = pgn
        self.last = t
        self._length: Final = length
        self._missing: Final = set(range(1, packets(length) + 1))
        self._payload: Final = bytearray(len(self._missing) * PACKET)

    def take(self, data: bytes) -> bytes | None:
        """Take a packet; return the message once all are there."""
        number = data[0]
        if number in self._missing:
            self._missing.discard(number)
            self._payload[(number - 1) * PACKET : number * PACKET] = data[1:]
        return None if self._missing else bytes(self._payload[: self._length])
