"""The CAN port of the slave: a node of its own on the bus, with one identifier for each direction.

Any node may send with the master's identifier, so all of them are one master. While the bench's bus is not armed,
nothing is sent, and what is heard is counted as ignored. A bus that is lost ends the session; it is opened again.
"""

import select
import socket
import time
from collections.abc import Callable
from typing import Any, Final

import can

from hilbridge.base.common.errors import quoted
from hilbridge.bench.xcp.sample_memory import SampleMemory
from hilbridge.desk.a2l.interface import CanIdentifiers
from hilbridge.faces.xcp.session import Peer, Session
from hilbridge.faces.xcp.setup import CanPlace

AT_ONCE: Final = 64
"""Frames that are read before DAQ lists have their turn."""

AGAIN: Final = 2.0
"""[s] after which a bus that cannot be had is tried again."""

_LONGEST_WORDS: Final = 200
_BITRATE: Final = 500_000
"""[bit/s] An SLCAN client names one; an embedded bus takes any."""


class CanPort:
    """The bus, as a node of python-can, and the one master that is on it."""

    host: Final = ""
    has_room: Final = True

    def __init__(
        self, place: CanPlace, session: Session, memory: SampleMemory, say: Callable[[str], None] = lambda _words: None
    ) -> None:
        """`say`: takes what the log of the bench has to say."""
        self.name: Final = f"{place.wire.request:X} on CAN"
        self._place: Final = place
        self._session: Final = session
        self._memory: Final = memory
        self._say: Final = say
        self._bus: can.BusABC | None = None
        self._said = ""
        self._again = 0.0
        self._others: Final[list[socket.socket]] = []

    def watch(self, other: socket.socket) -> None:
        """Wake up for another socket too."""
        self._others.append(other)

    def poll(self, timeout: float) -> None:
        """Wait for something to do, at most `timeout` [s], and do it."""
        bus = self._bus or self._open()
        waited: list[socket.socket | int] = [*self._others, *([] if bus is None else [bus.fileno()])]
        select.select(waited, [], [], timeout)
        for _ in range(AT_ONCE):
            message = None if bus is None else self._receive(bus)
            if message is None:
                return
            if self._is_of_master(message):
                if self._memory.read("armed"):
                    self._session.take(self, bytes(message.data))
                else:
                    self._memory.count("ignored")

    def flush(self) -> None:
        """End the session where the bus is gone, or no longer armed."""
        if self._session.master is self and not (self._bus and self._memory.read("armed")):
            self._session.left(self)

    def close(self) -> None:
        """Leave the bus."""
        if self._bus is not None:
            self._bus.shutdown()
            self._bus = None

    def gives_way_to(self, _other: Peer) -> bool:
        return True

    def send(self, packet: bytes) -> bool:
        """Send a packet as a frame of its length; return False if it is lost."""
        if self._bus is None or not self._memory.read("armed"):
            return False
        wire = self._place.wire
        frame = can.Message(arbitration_id=wire.answer, is_extended_id=wire.extended, data=packet)
        try:
            self._bus.send(frame, timeout=0)
        except (can.CanError, OSError) as error:
            self._lose(error)
            return False
        return True

    def _is_of_master(self, message: can.Message) -> bool:
        wire = self._place.wire
        plain = not (message.is_error_frame or message.is_remote_frame or message.is_fd)
        return (
            plain
            and message.arbitration_id == wire.request
            and message.is_extended_id == wire.extended
            and len(message.data) > 0
        )

    def _receive(self, bus: can.BusABC) -> can.Message | None:
        try:
            return bus.recv(0)
        except (can.CanError, OSError, ValueError) as error:
            self._lose(error)
            return None

    def _open(self) -> can.BusABC | None:
        if time.monotonic() < self._again:
            return None
        self._again = time.monotonic() + AGAIN
        place = self._place
        keys: dict[str, Any] = {"can_filters": [_filter(place.wire)]}
        if place.interface == "slcan":
            keys |= {"bitrate": place.wire.bitrate or _BITRATE, "sleep_after_open": 0}
        try:
            self._bus = can.Bus(interface=place.interface, channel=place.channel, **keys)
        except Exception as error:  # noqa: BLE001 - drivers raise what they like
            self._tell("bus cannot be had", f"{type(error).__name__}: {error}")
            return None
        self._said = ""
        return self._bus

    def _lose(self, error: Exception) -> None:
        """Leave a bus that fails, unless only its queue is full."""
        if isinstance(error, can.CanOperationError) and "buffer" in str(error).lower():
            return
        self._tell("bus is lost", str(error))
        bus, self._bus = self._bus, None
        if bus is not None:
            try:
                bus.shutdown()
            except (can.CanError, OSError):
                return

    def _tell(self, what: str, reason: str) -> None:
        words = f"{what}: {quoted(reason, _LONGEST_WORDS)}"
        if words != self._said:
            self._said = words
            self._say(words)


def _filter(wire: CanIdentifiers) -> dict[str, Any]:
    mask = 0x1FFFFFFF if wire.extended else 0x7FF
    return {"can_id": wire.request, "can_mask": mask, "extended": wire.extended}
