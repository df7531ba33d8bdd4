"""A control unit on a J1939 bus: its address, the requests it answers, its long messages, its trouble codes.

It is awake while the ignition is on. It claims its address first, and sends no other frame without an address.

    Request           PGN 59904   3 bytes: the requested PGN, lowest byte first
    Acknowledgement   PGN 59392   control byte, group function (FF), FF, FF, address of the requester, PGN

(SAE J1939-21.) What it answers:

    request for Address Claimed           the claim
    for a group that the plan sends       its frame, at once, in addition to its cycle
    for identification and trouble codes  the message; if longer than 8 bytes, in a connection to the requester, or as a
                                          broadcast if the request was global (network.py, trouble_reports.py)
    DM14, DM16 (no requests)              access to memory (memory_access.py)
    DM7 (no request)                      DM30, its test results (hd_reports.py); negative acknowledgement without
    for DM3, DM11                         the codes are erased; positive acknowledgement
    for any other group                   negative acknowledgement; no answer if the request was global

The answer to a global request is global. A request to one address always gets an answer; a global request never gets
an acknowledgement. Claims and the transport protocol are answered as their frames arrive, requests in `serve`, with
the values of that tick.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, NamedTuple, Protocol

from hilbridge.base.common.run_seed import MakeRandom
from hilbridge.bench.diagnostics.j1939.address_claim import ADDRESS_CLAIMED, COMMANDED_ADDRESS, AddressClaim, Name
from hilbridge.bench.diagnostics.j1939.broadcast_control import DM13, BroadcastControl
from hilbridge.bench.diagnostics.j1939.diagnostic_messages import (
    DM1,
    DM2,
    DM3,
    DM11,
    ActiveCodes,
    TroubleSource,
    message,
)
from hilbridge.bench.diagnostics.j1939.hd_reports import DM7, DM30
from hilbridge.bench.diagnostics.j1939.memory_access import DM14, DM16, MemoryAccess
from hilbridge.bench.diagnostics.nvram import Nvram
from hilbridge.bench.diagnostics.uds.memory import Memory
from hilbridge.frames.bus.bus import Bus, Node
from hilbridge.frames.codec.frame import ERROR, EXTENDED, REMOTE, Frame
from hilbridge.frames.codec.pgn import GLOBAL, Identifier, is_addressed, split
from hilbridge.frames.plan.carrier import Carrier
from hilbridge.frames.transport.transport import Transport
from hilbridge.frames.transport.transport_frames import CONNECTION, DATA, SHORTEST
from vehiclesim.channels import InputData
from vehiclesim.databus import DataBus

REQUEST: Final = 0xEA00
ACKNOWLEDGEMENT: Final = 0xE800

_ACKNOWLEDGEMENT_PRIORITY: Final = 6
_NONE: Final = 0xFF


class Acknowledgement(IntEnum):
    """The control byte of an acknowledgement."""

    POSITIVE = 0
    NEGATIVE = 1
    ACCESS_DENIED = 2
    CANNOT_RESPOND = 3


def requested(data: bytes) -> int | None:
    """Return the PGN of a request; None if the data is too short."""
    return int.from_bytes(data[:3], "little") & 0x3FFFF if len(data) >= 3 else None


def acknowledgement(control: Acknowledgement, pgn: int, requester: int, source: int) -> Frame:
    """Return the acknowledgement of a request for `pgn` by the address `requester`.

    It is sent to the global address.
    """
    data = bytes((control, _NONE, _NONE, _NONE, requester)) + pgn.to_bytes(3, "little")
    return Frame(Identifier(_ACKNOWLEDGEMENT_PRIORITY, ACKNOWLEDGEMENT, GLOBAL, source).can_id, data)


MAX_REQUESTS: Final = 32
"""Requests kept for one tick; further ones are dropped and counted."""

_PRIORITY: Final = 6
_FRAME: Final = 8
"""[byte]"""

_PDU_FORMATS: Final = frozenset(
    group >> 8 for group in (REQUEST, ADDRESS_CLAIMED, CONNECTION, DATA, DM7, DM13, DM14, DM16)
)
"""PDU formats that a control unit receives; all of them have a destination address."""


class Identity(NamedTuple):
    """The NAME of a control unit, its preferred address, and its identification payloads by PGN."""

    name: Name
    preferred: int
    payloads: Mapping[int, Callable[[], bytes]]


class NodeFrames(Protocol):
    """The frames of the plan that the control unit sends."""

    def set_carrier(self, carrier: Carrier) -> None:
        """Send messages that no frame holds by this carrier."""

    def set_stopped(self, stopped: bool) -> None:
        """Send no frames but on request, or send them again."""

    def set_source_address(self, address: int | None) -> None:
        """Send the frames with this source address from now on; None: do not send them."""

    def send(self, pgn: int, t: int) -> bool:
        """Send the frame of a group at once; return False if there is none, or if it is not sent at present."""


@dataclass(slots=True)
class ApplicationStatistics:
    """Counters of requests."""

    answered: int = 0
    acknowledged: int = 0
    refused: int = 0  # negative acknowledgement
    unsupported: int = 0  # global request, not supported: no answer
    busy: int = 0  # no room for another long message
    dropped: int = 0  # beyond MAX_REQUESTS in one tick


class ControllerApplication:
    """A control unit with a NAME and an address (SAE J1939-81: controller application): a node of `bus`."""

    def __init__(
        self,
        bus: Bus,
        data: DataBus,
        identity: Identity,
        frames: NodeFrames,
        troubles: TroubleSource | None = None,
        nvram: Nvram | None = None,
    ) -> None:
        """`nvram`: what the acknowledgement of DM3 and DM11 waits for."""
        self.name: Final = identity.name
        self.statistics: Final = ApplicationStatistics()
        self.transport: Final = Transport(self._send, self._received)
        self.claim: Final = AddressClaim(identity.name, identity.preferred, self._send, self._change_address)
        self._bus: Final = bus
        self._data: Final = data
        self._frames: Final = frames
        self._payloads: Final = dict(identity.payloads)
        self._commands: Final[dict[int, Callable[[int], bool]]] = {}
        self._active: ActiveCodes | None = None
        if troubles is not None:
            active = self._active = ActiveCodes(troubles, lambda payload: self._send_message(DM1, payload, GLOBAL, 0))
            self._payloads[DM1] = active.payload
            self._payloads[DM2] = lambda: message(troubles.lamps(), troubles.previously_active())
            self._commands[DM3] = troubles.clear_previously_active
            self._commands[DM11] = troubles.clear_active
        self.broadcasts: Final = BroadcastControl(frames.set_stopped)
        self._memory: MemoryAccess | None = None
        self._nvram: Final = nvram or Nvram()
        self._unwritten: Final[list[tuple[Identifier, int, int]]] = []  # commands that were carried out, and writings
        self._requests: list[tuple[Identifier, int]] = []
        self._tests: Callable[[bytes], bytes | None] | None = None
        self._tests_asked: Final[list[tuple[Identifier, bytes]]] = []
        self._on = False
        self._t = 0
        self._due = 0  # [ns] when there is something to do, if nothing comes before it
        self._requester = GLOBAL
        frames.set_source_address(None)
        frames.set_carrier(self)
        bus.attach(self)

    def show_memory(
        self, memory: Memory, key: Callable[[int, int], Any] | None, generator: MakeRandom, nvram: Nvram | None = None
    ) -> None:
        """Let tools reach this memory; `key`, `generator` and `nvram`: see `MemoryAccess`."""
        self._memory = MemoryAccess(
            memory,
            key,
            generator,
            self._send_message,
            self.transport.is_sending_to,
            nvram or Nvram(),
        )

    def show_tests(self, answer: Callable[[bytes], bytes | None]) -> None:
        """Answer DM7 by this function from now on; None: there is no such test."""
        self._tests = answer

    @property
    def address(self) -> int | None:
        """The claimed address, or None."""
        return self.claim.address

    def receive(self, frame: Frame, t: int) -> None:
        """Take a frame to the global address or to this unit."""
        can_id = frame.can_id
        if can_id >> 16 & 0x3FF not in _PDU_FORMATS or not self._on:
            return
        if not can_id & EXTENDED or can_id & (REMOTE | ERROR) or frame.flags:
            return
        identifier = split(can_id)
        if identifier.destination not in (GLOBAL, self.claim.address):
            return
        self._due = 0
        if identifier.pgn == ADDRESS_CLAIMED:
            self.claim.receive(identifier.source, frame.data, t)
        elif identifier.pgn == REQUEST:
            self._queue_request(identifier, frame.data, t)
        elif identifier.pgn == DM7:
            self._queue_tests(identifier, frame.data)
        elif identifier.pgn == DM13:
            self.broadcasts.receive(frame.data, t)
        elif identifier.pgn in (DM14, DM16):
            self._access_memory(identifier, frame.data, t)
        elif identifier.pgn == CONNECTION:
            self.transport.receive_control(identifier, frame.data, t)
        else:
            self.transport.receive_data(identifier, frame.data, t)

    def is_free(self, can_id: int) -> bool:
        """Return whether a long message of this identifier could begin now: the plan's, beside DM1 and answers."""
        return self.transport.is_free(self._addressed(can_id))

    def transmit(self, frame: Frame, origin: Node | None) -> None:
        """Begin to send a long message of the plan; a fault may have made it so short that it is a frame."""
        self._due = 0
        if len(frame.data) < SHORTEST:
            self._send(frame)
        else:
            self.transport.carry(self._addressed(frame.can_id), frame.data, self._t)

    def _addressed(self, can_id: int) -> Identifier:
        """Return the parts of an identifier; the answer to a request of one goes to it alone."""
        identifier = split(can_id)
        return identifier._replace(destination=self._requester) if identifier.destination == GLOBAL else identifier

    def serve(self, t: int) -> None:
        """Answer the requests of the tick, and do what is due at `t` [ns]; called once a tick."""
        self._t = t
        on = self._data.input[InputData.KEY] >= 0
        if on != self._on:
            self._switch(on, t)
        elif not on or (t < self._due and (self._active is None or not self._active.changed)):
            return
        self._serve(t)
        self._due = self._next_due()

    def _next_due(self) -> int:
        """Return the time [ns] before which nothing is to be done, as long as no frame comes and no code changes."""
        if not self._on or self.claim.address is None:
            return self.claim.due
        memory, active = self._memory, self._active
        if self._unwritten or self.transport.is_busy or (memory is not None and memory.is_busy):
            return 0
        due = min(self.claim.due, self.broadcasts.due)
        return due if active is None or self.broadcasts.stopped else min(due, active.due)

    def _serve(self, t: int) -> None:
        if not self._on:
            return
        self.claim.poll(t)
        if self.claim.address is None:
            return
        if self._unwritten:
            self._acknowledge_written()
        if self._requests:
            requests, self._requests = self._requests, []
            for request, pgn in requests:
                self._answer_request(request, pgn, t)
        if self._tests_asked:
            self._tell_tests(t)
        self.broadcasts.poll(t)
        if self._active is not None and not self.broadcasts.stopped:
            self._active.poll(t)
        self.transport.poll(t)
        if self._memory is not None:
            self._memory.poll(t)

    def _access_memory(self, identifier: Identifier, data: bytes, t: int) -> None:
        if identifier.destination == GLOBAL or self.claim.address is None:
            return
        if self._memory is None:
            self.statistics.refused += 1
            self._acknowledge(Acknowledgement.NEGATIVE, identifier.pgn, identifier)
        elif identifier.pgn == DM14:
            self._memory.receive(identifier.source, data, t)
        else:
            self._memory.receive_data(identifier.source, data, t)

    def _switch(self, on: bool, t: int) -> None:
        self._on = on
        if on:
            self.claim.start(t)
        else:
            self.broadcasts.start()
            self.claim.stop()

    def _change_address(self, address: int | None) -> None:
        """Abort all transfers, discard requests, and use the new address."""
        self.transport.reset()
        if self._memory is not None:
            self._memory.reset()
        self._requests = []
        self._tests_asked.clear()
        self._unwritten.clear()
        if self._active is not None:
            if address is None:
                self._active.stop()
            else:
                self._active.start()
        self._frames.set_source_address(address)

    def _queue_request(self, request: Identifier, data: bytes, t: int) -> None:
        pgn = requested(data)
        if pgn == ADDRESS_CLAIMED:
            self.claim.answer_request(t)
        elif pgn is not None and self.claim.address is not None:
            if len(self._requests) < MAX_REQUESTS:
                self._requests.append((request, pgn))
            else:
                self.statistics.dropped += 1

    def _queue_tests(self, identifier: Identifier, data: bytes) -> None:
        if identifier.destination == GLOBAL or self.claim.address is None:
            return
        if len(self._tests_asked) < MAX_REQUESTS:
            self._tests_asked.append((identifier, data))
        else:
            self.statistics.dropped += 1

    def _tell_tests(self, t: int) -> None:
        """Answer DM7 with DM30."""
        asked = self._tests_asked[:]
        self._tests_asked.clear()
        for identifier, data in asked:
            results = None if self._tests is None else self._tests(data)
            if results is None:
                self.statistics.refused += 1
                self._acknowledge(Acknowledgement.NEGATIVE, DM7, identifier)
            elif self._send_message(DM30, results, identifier.source, t):
                self.statistics.answered += 1
            else:
                self.statistics.busy += 1
                self._acknowledge(Acknowledgement.CANNOT_RESPOND, DM7, identifier)

    def _answer_request(self, request: Identifier, pgn: int, t: int) -> None:
        """Answer a request for `pgn`."""
        payload, command = self._payloads.get(pgn), self._commands.get(pgn)
        self._requester = request.source if request.destination != GLOBAL else GLOBAL
        sent = self._frames.send(pgn, t)
        self._requester = GLOBAL
        if sent:
            self.statistics.answered += 1
        elif payload is not None:
            if self._send_message(pgn, payload(), request.source if request.destination != GLOBAL else GLOBAL, t):
                self.statistics.answered += 1
            else:
                self.statistics.busy += 1
                self._acknowledge(Acknowledgement.CANNOT_RESPOND, pgn, request)
        elif command is not None and len(self._unwritten) == MAX_REQUESTS:
            self.statistics.busy += 1
            self._acknowledge(Acknowledgement.CANNOT_RESPOND, pgn, request)
        elif command is not None:
            done = command(t)
            if done and self._nvram.connected:
                self._unwritten.append((request, pgn, self._nvram.write()))
            else:
                self._acknowledge_command(request, pgn, done=done)
        elif request.destination == GLOBAL:
            self.statistics.unsupported += 1
        else:
            self.statistics.refused += 1
            self._acknowledge(Acknowledgement.NEGATIVE, pgn, request)

    def _acknowledge_written(self) -> None:
        """Acknowledge the commands whose writing has ended."""
        waiting = self._unwritten[:]
        self._unwritten.clear()
        for request, pgn, number in waiting:
            written = self._nvram.is_written(number)
            if written is None:
                self._unwritten.append((request, pgn, number))
            else:
                self._acknowledge_command(request, pgn, done=written)

    def _acknowledge_command(self, request: Identifier, pgn: int, *, done: bool) -> None:
        self.statistics.acknowledged += 1
        self._acknowledge(Acknowledgement.POSITIVE if done else Acknowledgement.NEGATIVE, pgn, request)

    def _send_message(self, pgn: int, payload: bytes, destination: int, t: int) -> bool:
        """Send a message; return False if there is no room for a long one."""
        source = self.claim.address
        if source is None:
            return False
        if len(payload) <= _FRAME:
            to = destination if is_addressed(pgn) else GLOBAL
            self._send(Frame(Identifier(_PRIORITY, pgn, to, source).can_id, payload))
            return True
        if destination == GLOBAL:
            return self.transport.broadcast(source, pgn, payload)
        return self.transport.transfer(source, destination, pgn, payload, t)

    def _acknowledge(self, control: Acknowledgement, pgn: int, request: Identifier) -> None:
        source = self.claim.address
        if request.destination != GLOBAL and source is not None:
            self._send(acknowledgement(control, pgn, request.source, source))

    def _received(self, source: int, pgn: int, payload: bytes, t: int) -> None:
        if pgn == COMMANDED_ADDRESS:
            self.claim.take_commanded_address(payload, t)
        elif pgn == DM16 and self._memory is not None:
            self._memory.receive_data(source, payload, t)

    def _send(self, frame: Frame) -> None:
        self._bus.transmit(frame, self)
