"""The terminal of a bus in a network unit: the link of the bench's bus, whose other side are operations.

What arrives in an event at time T is on the bus in the tick of T. What ticks send waits for the next Tx clock; the
first that it hands over are the configuration of the bus.

With `notifications` the node believes what a bus simulation tells of it: it counts errors (fault_confinement.py), tells
its state when that changes, sends again what lost an arbitration or was destroyed, and is silent while it is off the
bus. Without them it hears frames alone, as the standard asks.
"""

from typing import Final

from hilbridge.boundary.links.link import LinkStatistics
from hilbridge.desk.fmu.bus_operations import (
    BusError,
    Code,
    Operation,
    Status,
    configuration,
    format_error,
    operations,
    status,
    transmit,
)
from hilbridge.desk.fmu.fault_confinement import FaultConfinement
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import ERROR, FD, Frame

LONGEST: Final = 1 << 20
"""[byte] of operations that wait for a Tx clock, and of those that may arrive in one event."""

MOST: Final = 10_000
"""Frames that may arrive before one tick: a hundred times what a bus carries in a millisecond."""

COUNTERS: Final = ("sent", "received", "refused", "errors", "dropped")
"""Counters of the statistics that are variables of the unit."""


class BusTerminal:
    """The link of one bus."""

    descriptor: Final = None
    trouble: Final = ""

    def __init__(self, bus: Bus, bitrate: int | None, data_bitrate: int | None, *, fd: bool) -> None:
        """Rates [bit/s], of data that of CAN FD; `fd`: CAN FD frames may be sent and received."""
        self.statistics = LinkStatistics()
        self.notifications = False
        self.node: Final = FaultConfinement(bitrate)
        self._bus: Final = bus
        self._fd: Final = fd
        self._arrived: list[Frame] = []
        self._waiting: Final = bytearray(configuration(bitrate, data_bitrate if fd else None))
        self._latest: Final[dict[int, bytes]] = {}  # operations by identifier: what can be sent again

    # -- the side of the importer --------------------------------------------------------------------------------

    def give(self, data: bytes) -> None:
        """Take what has arrived in an event. ValueError: it is longer than any bus can carry."""
        if len(data) > LONGEST:
            raise ValueError(f"{self._bus.name}: {len(data)} bytes in one event, which are more than {LONGEST}")
        for operation in operations(data):
            self._obey(operation)

    def take(self) -> bytes:
        """Return what waits for the Tx clock, which ticks."""
        waiting = bytes(self._waiting)
        self._waiting.clear()
        return waiting

    def _obey(self, operation: Operation) -> None:
        content = operation.content
        if content is None:
            self.statistics.errors += 1
            if operation.code != Code.FORMAT_ERROR:  # two that do not understand each other would never end
                self._put(format_error(operation.source))
        elif isinstance(content, Frame):
            self._arrive(content)
        elif operation.code == Code.FORMAT_ERROR:
            self.statistics.errors += 1
        elif operation.code == Code.CAN_XL_TRANSMIT:
            self.statistics.refused += 1
        elif self.notifications:
            self._notice(operation.code, content)

    def _arrive(self, frame: Frame) -> None:
        if self.node.state is Status.BUS_OFF or (frame.flags & FD and not self._fd):
            self.statistics.refused += 1
        elif len(self._arrived) == MOST:
            self.statistics.dropped += 1
        else:
            self._arrived.append(frame)
            self._tell(self.node.received() if self.notifications else False)

    def _notice(self, code: int, content: BusError | int | bytes) -> None:
        if isinstance(content, BusError):
            self.statistics.errors += 1
            self._tell(self.node.error(content))
            if content.is_sender:
                self._again(content.identifier)
        elif code == Code.CONFIRM and isinstance(content, int):
            self.statistics.confirmed += 1
            self._latest.pop(content, None)
            self._tell(self.node.sent())
        elif code == Code.ARBITRATION_LOST and isinstance(content, int):
            self._again(content)

    def _again(self, identifier: int) -> None:
        """Send the newest frame of an identifier again, as a controller does by itself."""
        operation = self._latest.get(identifier)
        if operation is not None and self.node.state is not Status.BUS_OFF:
            self._put(operation)

    def _tell(self, changed: bool) -> None:
        if changed:
            self._put(status(self.node.state))
            self.statistics.error_passive += self.node.state is Status.ERROR_PASSIVE
            if self.node.state is Status.BUS_OFF:
                self.statistics.bus_off += 1
                self._latest.clear()

    def _put(self, operation: bytes) -> bool:
        """Add an operation to what waits; return whether there is room for it."""
        if len(self._waiting) + len(operation) > LONGEST:
            self.statistics.dropped += 1
            return False
        self._waiting.extend(operation)
        return True

    # -- the side of the bench -----------------------------------------------------------------------------------

    def accepts(self, can_id: int) -> bool:
        return self.node.state is not Status.BUS_OFF

    def poll(self, t: int) -> None:
        self._tell(self.node.recover(t))
        self.statistics.received += len(self._arrived)
        for frame in self._arrived:
            self._bus.transmit(frame, self)
        self._arrived.clear()

    def receive(self, frame: Frame, t: int) -> None:
        if frame.can_id & ERROR or self.node.state is Status.BUS_OFF:
            self.statistics.refused += 1
            return
        operation = transmit(frame)
        if self._put(operation):
            self.statistics.sent += 1
            if self.notifications:
                self._latest[frame.identifier] = operation

    def flush(self, t: int) -> None:
        """Do nothing: what was sent waits for the Tx clock."""

    def close(self) -> None:
        """Do nothing: there is no hardware."""

    def describe(self) -> str:
        return "a terminal of FMI-LS-BUS"
