"""J1939 messages in protocol A: which frames belong to the wanted parameter groups, and the flow of long ones.

A message is one frame of the group, or an announcement (TP.CM: BAM, RTS) and packets (TP.DT) of the same sender
(SAE J1939-21, 5.10). What is sent to the tester by RTS is asked for by CTS, and acknowledged at its end. Packets are
shown as they come: one that is missing is not asked for again.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.codec.pgn import GLOBAL, Identifier, split
from hilbridge.frames.transport.transport_frames import (
    CONNECTION,
    DATA,
    LONGEST,
    T1,
    ConnectionControl,
    Route,
    announced,
    packets,
)

MOST: Final = 32
"""Long messages at a time; further ones are not shown."""

_ANNOUNCING: Final = (ConnectionControl.BAM, ConnectionControl.RTS)
_LENGTH: Final = 8


class _LongMessage:
    """A message of several packets, of which `left` are missing."""

    def __init__(self, route: Route, length: int, block: int) -> None:
        """`route` leads to the tester; `block`: the most packets for one CTS."""
        self.left = packets(length)
        self._route: Final = route
        self._length: Final = length
        self._block: Final = block
        self._count: Final = self.left
        self._until = 0  # packets that the sender may send

    def control(self) -> Frame | None:
        """Return what the sender waits for after its last packet or its RTS, if it does."""
        done = self._count - self.left
        if not self.left:
            return self._route.back.connection(ConnectionControl.END, *announced(self._length, self._count))
        if done < self._until:
            return None
        self._until = min(done + self._block, self._count)
        return self._route.back.connection(ConnectionControl.CTS, self._until - done, done + 1)


class GroupMessages:
    """The messages of the groups that `wants` names, to everybody or to the tester.

    `transmit` sends CTS and acknowledgements; without it the tester only listens. `tester` is its address.
    """

    def __init__(
        self,
        wants: Callable[[Identifier], bool],
        tester: int = GLOBAL,
        transmit: Callable[[Frame], None] | None = None,
    ) -> None:
        self.complete = 0  # messages
        self._wants: Final = wants
        self._tester: Final = tester
        self._transmit: Final = transmit
        self._long: Final[dict[tuple[int, int], _LongMessage]] = {}  # by source and destination

    @property
    def longest_pause(self) -> int:
        """The time [ns] after which a message that has begun is given up; 0 while none has."""
        return T1 if self._long else 0

    def take(self, frame: Frame) -> bool:
        """Take a frame; return whether it belongs to a wanted message."""
        identifier = split(frame.can_id)
        if identifier.pgn == CONNECTION:
            return self._begin(identifier, frame.data)
        if identifier.pgn == DATA:
            return self._continue(identifier)
        if not self._wants(identifier):
            return False
        self.complete += 1
        return True

    def _begin(self, identifier: Identifier, data: bytes) -> bool:
        """Take an announcement."""
        if len(data) < _LENGTH or data[0] not in _ANNOUNCING:
            return False
        pgn, length = int.from_bytes(data[5:8], "little"), int.from_bytes(data[1:3], "little")
        answered = data[0] == ConnectionControl.RTS and self._transmit is not None
        if answered and identifier.destination != self._tester:
            return False
        if not _LENGTH < length <= LONGEST or len(self._long) >= MOST or not self._wants(identifier._replace(pgn=pgn)):
            return False
        route = Route(identifier.source, identifier.destination, pgn)
        message = self._long[route[:2]] = _LongMessage(route, length, data[4] or 1)
        self._control(message, identifier.destination)
        return True

    def _continue(self, identifier: Identifier) -> bool:
        """Take a packet."""
        place = (identifier.source, identifier.destination)
        message = self._long.get(place)
        if message is None:
            return False
        message.left -= 1
        self._control(message, identifier.destination)
        if not message.left:
            del self._long[place]
            self.complete += 1
        return True

    def _control(self, message: _LongMessage, destination: int) -> None:
        if self._transmit is not None and destination != GLOBAL:
            control = message.control()
            if control is not None:
                self._transmit(control)
