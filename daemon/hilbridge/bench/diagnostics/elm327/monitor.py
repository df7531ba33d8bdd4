"""Bus monitoring: every frame on the bus is shown until the client sends a character (AT MA …, ST M).

The interpreter sends no frames during it. If the protocol is automatic and not yet known, the first frame decides how
many bits identifiers have.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.bench.diagnostics.elm327.format import monitor_lines
from hilbridge.bench.diagnostics.elm327.group_messages import GroupMessages
from hilbridge.bench.diagnostics.elm327.protocols import CAN, SEARCH_ORDER, CanProtocol
from hilbridge.bench.diagnostics.elm327.request import has_layout, is_monitored
from hilbridge.bench.diagnostics.elm327.session import AdapterSession
from hilbridge.frames.codec.frame import Frame


def receiver_is(address: int) -> Callable[[Frame], bool]:
    """Return the condition of AT MR: the address is in bits 8 to 15 of the identifier, 8 to 10 of one with 11 bits."""
    return lambda frame: frame.identifier >> 8 & 0xFF == (address if frame.is_extended else address & 0x07)


def transmitter_is(address: int) -> Callable[[Frame], bool]:
    """Return the condition of AT MT: the address is in bits 0 to 7 of the identifier."""
    return lambda frame: frame.identifier & 0xFF == address


class BusMonitor:
    """Shows the frames that pass `accepts`."""

    def __init__(self, session: AdapterSession, accepts: Callable[[Frame], bool], *, filtered: bool = True) -> None:
        """`filtered`: the filter of the client holds too."""
        self.done = False
        self._selection: Final = session.selection
        self._setup: Final = session.setup
        self._bitrate: Final = session.connector.bitrate
        self._write_line: Final = session.write_line
        self._accepts: Final = accepts
        self._filtered: Final = filtered

    def receive(self, frame: Frame, t: int) -> None:
        """Write the lines of a frame that passes."""
        protocol = self._selection.can or self._adopt(frame)
        if self.done or protocol is None or protocol.bitrate != self._bitrate or not has_layout(frame, protocol):
            return
        if (self._filtered and not is_monitored(frame, self._setup)) or not self._accepts(frame):
            return
        for line in monitor_lines(frame, self._setup, protocol):
            self._write_line(line)

    def poll(self, t: int) -> None:
        """Do nothing: only frames end the monitoring."""

    def successor(self, t: int) -> None:
        return None

    def _adopt(self, frame: Frame) -> CanProtocol | None:
        """Select the protocol whose identifiers have the layout of this frame, if the protocol is automatic."""
        for number in SEARCH_ORDER:
            protocol = CAN[number]
            if self._selection.automatic and protocol.bitrate == self._bitrate and has_layout(frame, protocol):
                self._selection.number = number
                return protocol
        return None


class GroupMonitor(BusMonitor):
    """Shows the messages of one parameter group; ends after `count` messages unless it is 0."""

    def __init__(self, session: AdapterSession, group: int, count: int = 0) -> None:
        self._messages: Final = GroupMessages(lambda identifier: identifier.pgn == group)
        self._count: Final = count
        super().__init__(session, self._messages.take)

    def receive(self, frame: Frame, t: int) -> None:
        super().receive(frame, t)
        self.done = 0 < self._count <= self._messages.complete
