"""An ISO-TP client, the tester: it sends requests to ECUs and collects their answers.

Every address has a connection of its own, so several ECUs may answer a functional request in any number of frames,
each with flow control of its own. An answer is complete in the tick that reads its last frame.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple, Protocol

from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.connection import IsoTpConnection
from hilbridge.bench.diagnostics.isotp.parameters import ISO_15765_2, IsoTpParameters
from hilbridge.bench.diagnostics.isotp.statistics import IsoTpStatistics
from hilbridge.frames.bus.bus import Node
from hilbridge.frames.codec.frame import Frame

MAXIMUM_ANSWERS: Final = 64
"""Answers kept until `take`; further ones are dropped and counted."""


class Medium(Protocol):
    """A bus, or what stands for one."""

    def attach(self, node: Node) -> None:
        """Hand every frame to a node from now on."""

    def transmit(self, frame: Frame, origin: Node | None) -> None:
        """Put a frame on the bus."""


class ReceivedAnswer(NamedTuple):
    """An answer of an ECU, and the time [ns] at which its last frame was read."""

    address: Address
    payload: bytes
    t: int


class IsoTpClient:
    """Sends requests to the ECUs at `addresses` on `bus`; `poll` is called once a tick."""

    def __init__(self, bus: Medium, addresses: Sequence[Address], parameters: IsoTpParameters = ISO_15765_2) -> None:
        self.statistics: Final = IsoTpStatistics()
        self._transmit: Final = partial(bus.transmit, origin=self)
        self._connections: Final = {
            address: IsoTpConnection(address.mirrored(), self._transmit, parameters, self.statistics)
            for address in addresses
        }
        self._by_identifier: Final[dict[int, list[tuple[Address, IsoTpConnection]]]] = {}
        for address, connection in self._connections.items():
            self._by_identifier.setdefault(address.response_id, []).append((address, connection))
        self._answers: list[ReceivedAnswer] = []
        bus.attach(self)

    @property
    def busy(self) -> bool:
        """Whether a request or an answer is in progress."""
        return any(connection.busy for connection in self._connections.values())

    def request(self, payload: bytes, address: Address, t: int) -> bool:
        """Send a request to one ECU; return False if a request to it is still in progress, or if it is empty."""
        return self._connections[address].send(payload, t)

    def receive(self, frame: Frame, t: int) -> None:
        """Take a frame of the bus."""
        for address, connection in self._by_identifier.get(frame.can_id, ()):
            payload = connection.receive(frame, t)
            if payload is None:
                continue
            if len(self._answers) < MAXIMUM_ANSWERS:
                self._answers.append(ReceivedAnswer(address, payload, t))
            else:
                self.statistics.dropped += 1

    def poll(self, t: int) -> None:
        """Send frames that are due, and check time-outs; called once a tick."""
        for connection in self._connections.values():
            if connection.busy:
                connection.poll(t)

    def take(self) -> list[ReceivedAnswer]:
        """Return the answers since the last call, in the order in which they became complete."""
        answers, self._answers = self._answers, []
        return answers

    def reset(self) -> None:
        """Discard messages in progress and answers."""
        for connection in self._connections.values():
            connection.reset()
        self._answers = []
