"""Planned messages that no frame holds, in J1939: they go by the transport protocol (SAE J1939-21, 5.10).

    destination in the identifier          RTS, and packets as the receiver clears them
    none (PDU2), or the global address     BAM, and a packet every 50 ms

A source address sends one broadcast at a time. So a cycle is left out while the message before it is on its way. The
frames of a control unit of `diagnostics.j1939` share its connections with its trouble codes; those of other nodes go by
the carrier of their bus.
"""

from typing import Final, Protocol

from hilbridge.frames.bus.bus import Bus, Node
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.codec.pgn import split
from hilbridge.frames.transport.reassembly import is_packet
from hilbridge.frames.transport.transport import Transport
from hilbridge.frames.transport.transport_frames import CONNECTION, SHORTEST, ConnectionControl

_ANSWERS: Final = frozenset((ConnectionControl.CTS, ConnectionControl.END, ConnectionControl.ABORT))


class Carrier(Protocol):
    """The sender of the long messages of a node."""

    def is_free(self, can_id: int) -> bool:
        """Return whether a message of this identifier could begin now."""

    def transmit(self, frame: Frame, origin: Node | None) -> None:
        """Begin to send a message, given whole as if it were one frame."""


class BusCarrier:
    """The carrier of one bus: a node with a transport for each source address."""

    def __init__(self, bus: Bus) -> None:
        self._bus: Final = bus
        self._transports: Final[dict[int, Transport]] = {}
        self._t = 0
        bus.attach(self)

    def take_over(self, before: "BusCarrier") -> None:
        """Go on with the messages that another carrier of the bus has begun."""
        self._transports.update(before._transports)

    def is_free(self, can_id: int) -> bool:
        """Return whether a message of this identifier could begin now."""
        identifier = split(can_id)
        transport = self._transports.get(identifier.source)
        return transport is None or transport.is_free(identifier)

    def transmit(self, frame: Frame, origin: Node | None) -> None:
        """Begin to send a message; a fault may have made it so short that it is a frame."""
        if len(frame.data) < SHORTEST:
            self._bus.transmit(frame, origin)
            return
        identifier = split(frame.can_id)
        transport = self._transports.get(identifier.source)
        if transport is None:
            transport = self._transports[identifier.source] = Transport(self._send, _take_nothing)
        transport.carry(identifier, frame.data, self._t)

    def receive(self, frame: Frame, t: int) -> None:
        """Take what receivers answer; no message is received here."""
        if not is_packet(frame):
            return
        identifier = split(frame.can_id)
        transport = self._transports.get(identifier.destination)
        if transport is not None and identifier.pgn == CONNECTION and frame.data[:1] and frame.data[0] in _ANSWERS:
            transport.receive_control(identifier, frame.data, t)

    def poll(self, t: int) -> None:
        """Send the packets that are due at `t` [ns]."""
        self._t = t
        for transport in self._transports.values():
            transport.poll(t)

    def _send(self, frame: Frame) -> None:
        self._bus.transmit(frame, self)


def _take_nothing(source: int, pgn: int, payload: bytes, t: int) -> None:
    """Take a message, of which a carrier receives none."""
