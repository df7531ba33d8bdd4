"""An ISO-TP server: the node of a bus that passes requests to the ECUs behind it, and sends their answers.

A request is joined as its frames arrive. `poll` answers it in the same tick, after the step of the vehicle: an answer
shows the values of the tick that read its request. One that comes between two ticks is answered by `answer` at once,
with the values of the tick before; whatever takes more than one frame or one call goes on in the ticks.

    an answer is in progress      the next request is ignored or refused (parameter `while_busy`); a functional
                                  3E 80, which keeps a session alive, is processed all the same (ISO 14229-2)
    an application returns None   no answer, or an answer that its `poll` returns later (after response pending)
    answers                       have the format of their request: classic, or CAN FD with or without bit rate switch
    several answers at once       the first one starts, the others are queued
    a message of several frames   the application is told in each tick, so that S3 of its session (ISO 14229-2) begins
                                  with the last frame of an answer, and does not end after the first of a request
    the ECUs are asleep           they receive and send nothing, and discard messages in progress

An application may have several addresses (11-bit and 29-bit), and testers that reach it by another transport, without
frames (`join`). It has one session for all of them. A later answer goes where its request came from: while it is
awaited, requests of other testers are refused by the application (21), and change nothing of that. Messages that no
request is waiting for (2A, 86) go to the tester that was served last.
"""

from collections import deque
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Final, NamedTuple, Protocol

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.connection import IsoTpConnection
from hilbridge.bench.diagnostics.isotp.parameters import ISO_15765_2, IsoTpParameters, WhileBusy
from hilbridge.bench.diagnostics.isotp.statistics import IsoTpStatistics
from hilbridge.bench.diagnostics.refusal import BUSY, negative
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import EXTENDED_MASK, Frame

MAXIMUM_REQUESTS: Final = 32
"""Requests kept for one tick; further ones are dropped and counted."""

MAXIMUM_WAITING: Final = 8
"""Queued answers of one address; further ones are dropped and counted."""

LATEST: Final = 15
"""Highest number of ticks that `answered_after` distinguishes; its last element counts longer times too."""

_KEEP_ALIVE: Final = b"\x3e\x80"


class Application(Protocol):
    """An ECU, as its transport layer sees it."""

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        """Return the answer to a request, or None for no answer or a later one."""

    def poll(self, t: int) -> bytes | None:
        """Return an answer that has become ready since the last call; nearly always None."""

    def keep_alive(self, t: int) -> None:
        """Note that a request or an answer is under way at `t` [ns]; called once a tick while one is."""

    @property
    def idle(self) -> bool:
        """Whether `poll` has nothing to do until the next request."""

    @property
    def answering(self) -> bool:
        """Whether a request is in progress whose answer comes later."""


class Connection(Protocol):
    """A connection that carries messages to a tester."""

    @property
    def sending(self) -> bool:
        """Whether a message is being sent."""

    @property
    def busy(self) -> bool:
        """Whether a message is in progress in either direction."""

    def send(self, message: bytes, t: int) -> bool:
        """Start to send a message at `t` [ns]."""

    def poll(self, t: int) -> None:
        """Send what is due; called once a tick while `busy`."""

    def reset(self) -> None:
        """Discard messages in progress."""


class _EcuState:
    """An application, the channel of its last request, and whether it has to be polled."""

    __slots__ = ("application", "channel", "polled", "reset")

    def __init__(self, application: Application) -> None:
        self.application = application
        self.channel: Channel | None = None
        self.polled = False
        self.reset: Callable[[], None] | None = None

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        self.polled = True
        return self.application.request(payload, functional, t)


class Channel:
    """One address of an application, or one tester that has joined: its connection and its queued answers."""

    __slots__ = ("active", "asked", "connection", "ecu", "waiting")

    def __init__(self, connection: Connection, ecu: _EcuState) -> None:
        self.connection: Final = connection
        self.ecu: Final = ecu
        self.active = False
        self.asked: int | None = None  # tick of a request that has no answer yet
        self.waiting: Final[deque[bytes]] = deque()


class _Request(NamedTuple):
    channel: Channel
    payload: bytes
    functional: bool
    tick: int


class IsoTpServer:
    """Serves `ecus` on `bus`; `poll` is called once a tick.

    `awake` returns whether the ECUs run at a time [ns]: they have power and are not being reset. `answered_after[n]`
    counts the requests whose answer began n ticks after they were read, 0 for the same tick. `begun` has these numbers
    for the answers that began in the last `poll`. `heard` is the time [ns] of the last frame of a tester, whether
    anybody was awake or not.
    """

    def __init__(
        self,
        bus: Bus,
        ecus: Sequence[tuple[Address, Application]],
        parameters: IsoTpParameters = ISO_15765_2,
        awake: Callable[[int], bool] = lambda _t: True,
    ) -> None:
        """ConfigurationError: two ECUs have the same request address."""
        self.statistics: Final = IsoTpStatistics()
        self.answered_after: Final = [0] * (LATEST + 1)
        self.begun: Final[list[int]] = []
        self.heard: int | None = None
        self.bus: Final = bus
        self._refuses: Final = parameters.while_busy is WhileBusy.REFUSE
        self._awake: Final = awake
        self._connections: Final[list[tuple[_EcuState, IsoTpConnection]]] = []
        self._active: list[Channel] = []
        self._requests: list[_Request] = []
        self._ticks = 0
        self._polled = -1  # [ns]
        self._routes: Final[dict[int, list[tuple[Channel, IsoTpConnection, bool]]]] = {}
        states: dict[int, _EcuState] = {}
        known = set()
        for address, application in ecus:
            key = (address.request_id, address.request_prefix)
            if key in known:
                raise ConfigurationError(f"two ECUs hear the requests {address.request_id & EXTENDED_MASK:X}")
            known.add(key)
            ecu = states.setdefault(id(application), _EcuState(application))
            transmit = partial(bus.transmit, origin=self)
            connection = IsoTpConnection(address, transmit, parameters, self.statistics, follows=True)
            channel = Channel(connection, ecu)
            ecu.channel = ecu.channel or channel
            self._connections.append((ecu, connection))
            self._routes.setdefault(address.request_id, []).append((channel, connection, False))
            if address.functional_id is not None:
                self._routes.setdefault(address.functional_id, []).append((channel, connection, True))
        self._states: Final = tuple(states.values())
        self._busy = False  # otherwise a tick skips the server
        bus.attach(self, self._routes)

    def receive(self, frame: Frame, t: int) -> None:
        """Take a frame of the bus; complete requests are queued until `poll`."""
        routes = self._routes.get(frame.can_id)
        if routes is None:
            return
        self.heard = t
        if not self._awake(t):
            return
        self._busy = True
        for channel, connection, functional in routes:
            payload = connection.receive_functional(frame, t) if functional else connection.receive(frame, t)
            if payload is not None:
                self._queue_request(_Request(channel, payload, functional, self._ticks - (t == self._polled)))
            elif connection.busy and not channel.active:
                channel.ecu.application.keep_alive(t)
                self._activate(channel)

    def poll(self, t: int) -> None:
        """Answer the requests of the tick, and continue messages in progress; called once a tick."""
        if self._busy:
            self.begun.clear()
            if not self._awake(t):
                self._reset()
            else:
                self._advance(t)
                self._serve(t)
                self._poll_applications(t)
            self._busy = bool(self._active or self.begun or any(ecu.polled for ecu in self._states))
        self._polled = t
        self._ticks += 1

    def close(self) -> None:
        """Let go of the connections, which refer to the server by the way on which they send."""
        for ecu in self._states:
            if ecu.reset is not None:
                ecu.reset()
            ecu.channel = None
        self._routes.clear()
        self._connections.clear()
        self._active.clear()

    def connections(self, application: Application) -> list[IsoTpConnection]:
        """Return the connections of an application, one for each of its addresses."""
        return [connection for ecu, connection in self._connections if ecu.application is application]

    def join(self, connection: Connection) -> Channel:
        """Return the way to the (first) application for a tester that is reached by a connection of its own."""
        return Channel(connection, self._states[0])

    def request(self, channel: Channel, payload: bytes, functional: bool, t: int) -> bool:
        """Take a complete request of a tester that has joined; return False if there is no room for it."""
        self.heard = t
        if not self._awake(t):
            return True
        self._busy = True
        return self._queue_request(_Request(channel, payload, functional, self._ticks - (t == self._polled)))

    def substitute(self, present: Application, other: Application, reset: Callable[[], None] | None = None) -> None:
        """Have another application answer in place of one that is present; `reset` is called while the power is off."""
        for ecu in self._states:
            if ecu.application is present:
                ecu.application, ecu.reset, ecu.polled = other, reset, True
        self._busy = True

    @property
    def requests(self) -> Collection[int]:
        """The identifiers (with their flag) on which testers ask."""
        return self._routes.keys()

    def answer(self, t: int) -> int:
        """Answer the complete requests, before the tick of time `t` [ns]; return how many answers have begun."""
        if not self._requests or not self._awake(t):
            return 0
        before = len(self.begun)
        self._serve(t)
        return len(self.begun) - before

    def _queue_request(self, request: _Request) -> bool:
        if len(self._requests) < MAXIMUM_REQUESTS:
            self._requests.append(request)
            return True
        self.statistics.dropped += 1
        return False

    def _activate(self, channel: Channel) -> None:
        if not channel.active:
            channel.active = True
            self._active.append(channel)

    def _advance(self, t: int) -> None:
        still_active = []
        for channel in self._active:
            connection = channel.connection
            connection.poll(t)
            channel.ecu.application.keep_alive(t)
            while channel.waiting and not connection.sending:
                self._start(channel, channel.waiting.popleft(), t)
            channel.active = connection.busy
            if channel.active:
                still_active.append(channel)
        self._active = still_active

    def _serve(self, t: int) -> None:
        requests, self._requests = self._requests, []
        for channel, payload, functional, tick in requests:
            if channel.connection.sending:
                self._handle_busy(channel, payload, functional, t)
                continue
            self.statistics.requests += 1
            if not channel.ecu.application.answering:
                channel.ecu.channel = channel
            channel.asked = tick
            answer = channel.ecu.request(payload, functional, t)
            if answer:
                self._answer(channel, answer, t)

    def _poll_applications(self, t: int) -> None:
        """Send the answers that applications return later than their request."""
        for ecu in self._states:
            if ecu.polled:
                answer = ecu.application.poll(t)
                ecu.polled = not ecu.application.idle
                if answer and ecu.channel is not None:
                    self._answer(ecu.channel, answer, t)

    def _handle_busy(self, channel: Channel, payload: bytes, functional: bool, t: int) -> None:
        if functional and payload == _KEEP_ALIVE:
            channel.ecu.request(payload, functional, t)
        elif self._refuses:
            self.statistics.refused += 1
            self._queue_answer(channel, negative(payload[0], BUSY))
        else:
            self.statistics.ignored += 1

    def _answer(self, channel: Channel, answer: bytes, t: int) -> None:
        if channel.connection.sending:
            self._queue_answer(channel, answer)
        else:
            self._start(channel, answer, t)

    def _queue_answer(self, channel: Channel, answer: bytes) -> None:
        if len(channel.waiting) < MAXIMUM_WAITING:
            channel.waiting.append(answer)
        else:
            self.statistics.dropped += 1

    def _start(self, channel: Channel, answer: bytes, t: int) -> None:
        self.statistics.answers += 1
        if channel.asked is not None:
            waited = self._ticks - channel.asked
            self.answered_after[min(LATEST, waited)] += 1
            self.begun.append(waited)
            channel.asked = None
        channel.connection.send(answer, t)
        if channel.connection.busy:
            self._activate(channel)

    def _reset(self) -> None:
        for channel in self._active:
            channel.connection.reset()
            channel.waiting.clear()
            channel.active = False
        self._active = []
        self._requests = []
        for ecu in self._states:
            if ecu.reset is not None:
                ecu.reset()
