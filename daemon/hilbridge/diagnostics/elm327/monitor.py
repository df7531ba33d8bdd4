"""Monitoring: every frame that goes by is shown, until the client sends a character (AT MA, MR, MT, MP).

The interpreter stays silent meanwhile. Where the protocol is automatic and none has been found, the first frame says
how many bits identifiers have.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.codec.frame import Frame
from hilbridge.diagnostics.elm327.addressing import has_layout, is_monitored
from hilbridge.diagnostics.elm327.format import monitor_lines
from hilbridge.diagnostics.elm327.protocols import CAN, SEARCH_ORDER, CanProtocol
from hilbridge.diagnostics.elm327.session import AdapterSession


def receiver_is(address: int) -> Callable[[Frame], bool]:
    """AT MR: bits 8 to 15 of the identifier, 8 to 10 of one with 11 bits."""
    return lambda frame: frame.identifier >> 8 & 0xFF == (address if frame.is_extended else address & 0x07)


def transmitter_is(address: int) -> Callable[[Frame], bool]:
    """AT MT: bits 0 to 7."""
    return lambda frame: frame.identifier & 0xFF == address


def group_is(number: int) -> Callable[[Frame], bool]:
    """AT MP: the parameter group number (SAE J1939-21), with the destination left out where there is one."""

    def matches(frame: Frame) -> bool:
        group = frame.identifier >> 8 & 0x3FFFF
        return number == (group if group & 0xFF00 >= 0xF000 else group & 0x3FF00)

    return matches


class BusMonitor:
    """Shows the frames that pass the client's filter and `wanted`; `count` of them, or without end where it is 0."""

    def __init__(self, session: AdapterSession, wanted: Callable[[Frame], bool] | None = None, count: int = 0) -> None:
        self.done = False
        self._selection: Final = session.selection
        self._setup: Final = session.setup
        self._bitrate: Final = session.connector.bitrate
        self._show: Final = session.show
        self._wanted: Final = wanted
        self._count: Final = count
        self._shown = 0

    def receive(self, frame: Frame, t: int) -> None:
        """Shows a frame that is looked for."""
        protocol = self._selection.can or self._adopt(frame)
        if self.done or protocol is None or protocol.bitrate != self._bitrate:
            return
        if not is_monitored(frame, self._setup, protocol) or (self._wanted is not None and not self._wanted(frame)):
            return
        for line in monitor_lines(frame, self._setup, protocol):
            self._show(line)
        self._shown += 1
        self.done = self._shown == self._count

    def poll(self, t: int) -> None:
        """Nothing is due."""

    def successor(self, t: int) -> None:
        return None

    def _adopt(self, frame: Frame) -> CanProtocol | None:
        for number in SEARCH_ORDER:
            protocol = CAN[number]
            if self._selection.automatic and protocol.bitrate == self._bitrate and has_layout(frame, protocol):
                self._selection.number = number
                return protocol
        return None
