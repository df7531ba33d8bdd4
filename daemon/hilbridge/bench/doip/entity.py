"""A DoIP gateway without sockets (ISO 13400-2): testers come, are let in, and reach control units.

    tester -> plug_in, feed -> hear: messages, some in a tick, of all testers in turn -> control unit
    tester <- output        <- acknowledgement at once, answers when the control unit gives them

| a connection ends                                                             | time |
|---|---|
| without routing activation                                                    | 2 s after it was made |
| with routing activation, when no message has gone either way                  | 5 min |
| when another connection asks for its address or its place, and it is not alive | 0.5 s after the alive check |
| after an invalid header or one with a wrong length, or a denied activation     | at once |

A control unit has one session for all testers, on CAN and here (isotp/server.py).
"""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.doip import messages as doip
from hilbridge.bench.doip.activation import Activation, Decision
from hilbridge.bench.doip.messages import HeaderRules, Message, MessageReader, Rejection
from hilbridge.bench.doip.tester import Tester
from hilbridge.bench.parts.part import ReachedUnit
from hilbridge.files.settings.doip import DoipSettings

MESSAGES_PER_TICK: Final = 16
"""Carried out in a tick, of all testers together; the rest waits, unread beyond INPUT_LIMIT."""

INITIAL_INACTIVITY: Final = 2 * SECOND
GENERAL_INACTIVITY: Final = 300 * SECOND
"""[ns] T_TCP_Initial_Inactivity, T_TCP_General_Inactivity."""

_LOOK: Final = 10 * MILLISECOND
"""[ns] between two looks at the times of all connections."""

_GATEWAY: Final = 0x00
_READY: Final = {False: b"\x00", True: b"\x01"}
_CENTRAL_SECURITY: Final = "E1"
_ACTIVATION_REQUIRED: Final = b"\x10"
_NO_FURTHER_ACTION: Final = b"\x00"
_UNKNOWN_VIN: Final = "0" * 17


@dataclass(slots=True)
class DoipStatistics:
    """Counters since the start of the run; they only ever grow."""

    identified: int = 0
    """Datagrams that were answered."""
    activated: int = 0
    denied: int = 0
    """Routing activations."""
    requests: int = 0
    """Diagnostic messages that were passed to control units."""
    refused: int = 0
    """Diagnostic messages with a negative acknowledge."""
    answers: int = 0
    dropped: int = 0
    """Answers that a tester who does not read, or has gone, did not get."""
    rejected: int = 0
    """Messages with a wrong header, type, size or length."""
    inactive: int = 0
    """Connections that ended for one of the times."""
    hook_failures: int = 0
    """Calls of the authentication function that raised; the activation was denied."""


class _Answers:
    """The connection by which a control unit answers one tester: whole messages, at once."""

    sending: Final = False
    busy: Final = False

    def __init__(self, entity: "DoipEntity", tester: Tester, address: int) -> None:
        self._entity: Final = entity
        self._tester: Final = tester
        self._address: Final = address.to_bytes(2, "big")

    def send(self, message: bytes, t: int) -> bool:
        """Queue an answer for the tester."""
        return self._entity.deliver(self._tester, self._address, message, t)

    def poll(self, t: int) -> None:
        """Do nothing: what was sent is under way."""

    def reset(self) -> None:
        """Do nothing: what was sent is under way."""


class DoipEntity:
    """The entity of a bench. `units`: those that testers reach, by name; a reload brings others (`adopt`)."""

    def __init__(
        self,
        settings: DoipSettings,
        units: Mapping[str, ReachedUnit],
        is_ready: Callable[[], bool],
        authenticate: Callable[[int, int, bytes], object] | None,
    ) -> None:
        """`is_ready` returns whether the ignition is on; `authenticate` is the function of the user."""
        self.settings: Final = settings
        self.statistics: Final = DoipStatistics()
        self.testers: Final[list[Tester]] = []
        self._units: Mapping[str, ReachedUnit] = units
        self._is_ready: Final = is_ready
        self._targets: Final = {address: name for name, address in settings.targets.items()}
        self._groups: Final = frozenset(settings.functional.values())
        self._own: Final = settings.logical_address.to_bytes(2, "big")
        self._longest = 0
        self._over_udp: Final = HeaderRules(
            tuple(settings.versions), doip.OVER_UDP, max(map(max, doip.OVER_UDP.values()))
        )
        self._activation: Final = Activation(settings, self.testers, self.statistics, authenticate)
        self._ready: Final[deque[Tester]] = deque()  # testers of whom something was not read yet
        self._next_look = 0
        self.adopt(units)

    def adopt(self, units: Mapping[str, ReachedUnit]) -> None:
        """Reach these control units from now on."""
        self._units = units
        self._longest = max(units[name].longest for name in self._targets.values())
        for tester in self.testers:
            tester.channels.clear()

    @property
    def vin(self) -> str | None:
        """The VIN of the bench file, or of the first control unit that has one."""
        of_units = (self._units[name].vin for name in self.settings.units)
        return self.settings.vin or next(filter(None, of_units), None)

    @property
    def active(self) -> list[int]:
        """The addresses of testers with activated routing."""
        return sorted(one.source for one in self.testers if one.source is not None)

    # -- the port -----------------------------------------------------------------------------------------------

    def plug_in(self) -> Tester:
        """Return a tester that has connected."""
        longest, versions = self._longest + doip.ADDRESSES, tuple(self.settings.versions)
        reader = MessageReader(HeaderRules(versions, doip.OVER_TCP, longest, diagnostic=True))
        tester = Tester(reader, longest, versions[0], self._ready)
        self.testers.append(tester)
        return tester

    def unplug(self, tester: Tester) -> None:
        """Forget a tester that has left; what control units still answer it is dropped."""
        tester.close(0)
        self.testers.remove(tester)

    def datagram(self, data: bytes) -> bytes:
        """Return the answer to a datagram, empty for none."""
        message = doip.read_datagram(self._over_udp, data)
        if isinstance(message, Rejection):
            self.statistics.rejected += 1
            return doip.pack(message.version, doip.NACK, bytes((message.code,)))
        answer = None if message is None else self._information(message)
        if answer is None or message is None:
            return b""
        self.statistics.identified += 1
        return doip.pack(message.version, *answer)

    def announcement(self) -> bytes:
        """Return the datagram by which the vehicle announces itself."""
        return doip.pack(self.settings.versions[0], doip.ANNOUNCEMENT, self._identification())

    # -- the tick -----------------------------------------------------------------------------------------------

    def hear(self, t: int) -> None:
        """Carry out what testers have sent, and end connections whose time is over."""
        if not self.testers:
            return
        if t >= self._next_look:
            self._next_look = t + _LOOK
            self._look(t)
        for _ in range(MESSAGES_PER_TICK):
            if not self._ready:
                return
            tester = self._ready.popleft()
            tester.queued = False
            if tester.closed is None and tester.question is None and (message := tester.reader.next()) is not None:
                self._handle(tester, message, t)
                tester.queue()

    def deliver(self, tester: Tester, address: bytes, message: bytes, t: int) -> bool:
        """Queue the answer of a control unit for a tester."""
        source = tester.source
        if source is None or not tester.say(doip.DIAGNOSTIC, address + source.to_bytes(2, "big") + message):
            self.statistics.dropped += 1
            return False
        self.statistics.answers += 1
        tester.heard = t
        return True

    def _look(self, t: int) -> None:
        for tester in self.testers:
            if tester.heard is None:
                tester.heard = t
            if tester.closed is not None:
                if t - tester.closed > INITIAL_INACTIVITY:
                    tester.output.clear()  # no one reads it
            elif tester.question is not None:
                self._answer(tester, self._activation.settle(tester, t), t)
                tester.queue()
            elif t - tester.heard > (INITIAL_INACTIVITY if tester.source is None else GENERAL_INACTIVITY):
                self.statistics.inactive += 1
                tester.close(t)

    def _handle(self, tester: Tester, message: Message | Rejection, t: int) -> None:
        tester.version = message.version
        if isinstance(message, Rejection):
            self.statistics.rejected += 1
            tester.say(doip.NACK, bytes((message.code,)))
            if message.code in doip.ENDS_CONNECTION:
                tester.close(t)
            return
        if tester.source is not None:
            tester.heard = t
        if message.type == doip.DIAGNOSTIC:
            self._diagnose(tester, message.payload, t)
        elif message.type == doip.ACTIVATION_REQUEST:
            self._answer(tester, self._activation.decide(tester, message, t), t)
        elif message.type == doip.ALIVE_REQUEST:
            tester.say(doip.ALIVE_RESPONSE, self._own)
        elif tester.source is not None:
            if int.from_bytes(message.payload, "big") == tester.source:
                tester.alive = t
            else:
                tester.close(t)

    def _answer(self, tester: Tester, decision: Decision | None, t: int) -> None:
        """Answer a routing activation; None: later."""
        if decision is None:
            return
        if decision.is_success:
            self.statistics.activated += 1
            tester.heard = t
        else:
            self.statistics.denied += 1
        source = decision.source.to_bytes(2, "big")
        tester.say(doip.ACTIVATION_RESPONSE, source + self._own + bytes((decision.code,)) + bytes(4))
        if decision.ends_connection:
            tester.close(t)

    # -- diagnostic messages ------------------------------------------------------------------------------------

    def _diagnose(self, tester: Tester, payload: bytes, t: int) -> None:
        source, target = payload[:2], payload[2:4]
        number = int.from_bytes(target, "big")
        if tester.source is None or int.from_bytes(source, "big") != tester.source:
            code: int | None = doip.INVALID_SOURCE
        elif number in self._groups:
            code = self._ask(tester, list(self.settings.units), payload[doip.ADDRESSES :], functional=True, t=t)
        elif number in self._targets:
            code = self._ask(tester, [self._targets[number]], payload[doip.ADDRESSES :], functional=False, t=t)
        else:
            code = doip.UNKNOWN_TARGET
        if code is None:
            self.statistics.requests += 1
            tester.say(doip.POSITIVE_ACK, target + source + b"\x00")
            return
        self.statistics.refused += 1
        tester.say(doip.NEGATIVE_ACK, target + source + bytes((code,)))
        if code == doip.INVALID_SOURCE:
            tester.close(t)

    def _ask(self, tester: Tester, names: list[str], data: bytes, *, functional: bool, t: int) -> int | None:
        """Pass a request to control units; return why none of them got it, None if one did."""
        codes: list[int | None] = []
        for name in names:
            unit = self._units[name]
            if len(data) > unit.longest:
                codes.append(doip.MESSAGE_TOO_LARGE)
            elif not unit.is_powered():
                codes.append(doip.UNREACHABLE)
            else:
                if name not in tester.channels:
                    tester.channels[name] = unit.join(_Answers(self, tester, self.settings.targets[name]))
                taken = unit.request(tester.channels[name], data, functional, t)
                codes.append(None if taken else doip.OUT_OF_MEMORY)
        return None if None in codes else [*codes, doip.UNKNOWN_TARGET][0]

    # -- what the vehicle is ------------------------------------------------------------------------------------

    def _information(self, message: Message) -> tuple[int, bytes] | None:
        """Return the type and payload of the answer to a datagram; None: it is another vehicle that was meant."""
        if message.type == doip.POWER_REQUEST:
            return doip.POWER_RESPONSE, _READY[self._is_ready()]
        if message.type == doip.STATUS_REQUEST:
            counts = bytes((_GATEWAY, self.settings.sockets, len(self.active)))
            return doip.STATUS_RESPONSE, counts + (self._longest + doip.ADDRESSES).to_bytes(4, "big")
        wanted = {doip.IDENTIFY_EID: self._eid, doip.IDENTIFY_VIN: (self.vin or _UNKNOWN_VIN).encode()}
        meant = message.payload == wanted.get(message.type, b"")
        return (doip.ANNOUNCEMENT, self._identification()) if meant else None

    def _identification(self) -> bytes:
        gid = self._eid if self.settings.gid is None else _six_bytes(self.settings.gid)
        central = self.settings.activation.get(_CENTRAL_SECURITY) == "authenticated"
        action = _ACTIVATION_REQUIRED if central else _NO_FURTHER_ACTION
        return (self.vin or _UNKNOWN_VIN).encode() + self._own + self._eid + gid + action

    @property
    def _eid(self) -> bytes:
        return b"\x02\0\0\0" + self._own if self.settings.eid is None else _six_bytes(self.settings.eid)


def _six_bytes(text: str) -> bytes:
    return bytes.fromhex("".join(one for one in text if one not in " :-"))
