"""ECUs that answer: a node of a bus between the frames there and the applications behind.

A request is put together as its frames arrive, and answered in the same tick by `poll`, when the vehicle has moved on:
an answer shows the values of the tick that read its request.

    an answer is under way       the next request is ignored or refused (parameter `while_busy`); a functional
                                 3E 80, by which a tester keeps a session alive, is heard all the same (ISO 14229-2)
    an application says None     silence, or an answer that its `poll` gives later (after response pending)
    several answers at once      the first one starts, the others wait their turn
    the ECUs are asleep          they neither hear nor answer, and forget what was under way

An application may have several addresses (11-bit and 29-bit): later answers go where the last request came from.
"""

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple, Protocol

from hilbridge.bus.bus import Bus
from hilbridge.codec.frame import EXTENDED_MASK, Frame
from hilbridge.common.errors import ConfigurationError
from hilbridge.diagnostics.isotp.address import Address
from hilbridge.diagnostics.isotp.connection import IsoTpConnection
from hilbridge.diagnostics.isotp.parameters import ISO_15765_2, IsoTpParameters, WhileBusy
from hilbridge.diagnostics.isotp.statistics import IsoTpStatistics
from hilbridge.diagnostics.refusal import BUSY, negative

MAXIMUM_REQUESTS: Final = 32
"""Requests kept for one tick; what comes beyond is dropped and counted."""

MAXIMUM_WAITING: Final = 8
"""Answers of one address that wait their turn; what comes beyond is dropped and counted."""

LATEST: Final = 15
"""Ticks that `answered_after` tells apart; its last element counts longer ones too."""

_KEEP_ALIVE: Final = b"\x3e\x80"


class Application(Protocol):
    """An ECU behind its transport."""

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        """The answer to a request, or None for silence or for later."""

    def poll(self, t: int) -> bytes | None:
        """An answer that became ready since; nearly always None."""

    @property
    def idle(self) -> bool:
        """`poll` has nothing to do until the next request."""


class _Station:
    """An application, the line that it was last asked on, and whether it has to be polled since."""

    __slots__ = ("application", "line", "polled")

    def __init__(self, application: Application) -> None:
        self.application: Final = application
        self.line: _Line | None = None
        self.polled = False

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        self.polled = True
        return self.application.request(payload, functional, t)


class _Line:
    """One address of an application."""

    __slots__ = ("active", "asked", "connection", "station", "waiting")

    def __init__(self, connection: IsoTpConnection, station: _Station) -> None:
        self.connection: Final = connection
        self.station: Final = station
        self.active = False
        self.asked: int | None = None  # tick of a request that has no answer yet
        self.waiting: Final[deque[bytes]] = deque()


class _Request(NamedTuple):
    line: _Line
    payload: bytes
    functional: bool
    tick: int


class IsoTpServer:
    """Serves `ecus` on `bus`; `poll` once a tick.

    `awake` tells whether the ECUs have power. `answered_after[n]` counts the requests whose answer began n ticks after
    they were read: 0 for the same tick. `begun` has these numbers of the answers that began in the last `poll`.
    """

    def __init__(
        self,
        bus: Bus,
        ecus: Sequence[tuple[Address, Application]],
        parameters: IsoTpParameters = ISO_15765_2,
        awake: Callable[[], bool] = lambda: True,
    ) -> None:
        """ConfigurationError: two ECUs have the same request address."""
        self.statistics: Final = IsoTpStatistics()
        self.answered_after: Final = [0] * (LATEST + 1)
        self.begun: Final[list[int]] = []
        self._refuses: Final = parameters.while_busy is WhileBusy.REFUSE
        self._awake: Final = awake
        self._active: list[_Line] = []
        self._requests: list[_Request] = []
        self._ticks = 0
        self._polled = -1  # [ns]
        self._routes: Final[dict[int, list[tuple[_Line, bool]]]] = {}
        stations: dict[int, _Station] = {}
        heard = set()
        for address, application in ecus:
            hears = (address.request_id, address.request_prefix)
            if hears in heard:
                raise ConfigurationError(f"two ECUs hear the requests {address.request_id & EXTENDED_MASK:X}")
            heard.add(hears)
            station = stations.setdefault(id(application), _Station(application))
            connection = IsoTpConnection(address, partial(bus.transmit, origin=self), parameters, self.statistics)
            line = _Line(connection, station)
            station.line = station.line or line
            self._routes.setdefault(address.request_id, []).append((line, False))
            if address.functional_id is not None:
                self._routes.setdefault(address.functional_id, []).append((line, True))
        self._stations: Final = tuple(stations.values())
        self._busy = False  # something is under way: without, a tick costs next to nothing
        bus.attach(self, self._routes)

    def receive(self, frame: Frame, t: int) -> None:
        """Takes a frame of the bus; complete requests are kept until `poll`."""
        routes = self._routes.get(frame.can_id)
        if routes is None or not self._awake():
            return
        self._busy = True
        for line, functional in routes:
            connection = line.connection
            payload = connection.receive_functional(frame, t) if functional else connection.receive(frame, t)
            if payload is not None:
                self._keep(_Request(line, payload, functional, self._ticks - (t == self._polled)))
            elif connection.busy:
                self._activate(line)

    def poll(self, t: int) -> None:
        """Once a tick: answers the requests of the tick, and goes on with what is under way."""
        if self._busy:
            self.begun.clear()
            if not self._awake():
                self._forget()
            else:
                self._advance(t)
                self._serve(t)
                self._listen(t)
            self._busy = bool(self._active or self.begun or any(station.polled for station in self._stations))
        self._polled = t
        self._ticks += 1

    def _keep(self, request: _Request) -> None:
        if len(self._requests) < MAXIMUM_REQUESTS:
            self._requests.append(request)
        else:
            self.statistics.dropped += 1

    def _activate(self, line: _Line) -> None:
        if not line.active:
            line.active = True
            self._active.append(line)

    def _advance(self, t: int) -> None:
        going_on = []
        for line in self._active:
            connection = line.connection
            connection.poll(t)
            while line.waiting and not connection.sending:
                self._start(line, line.waiting.popleft(), t)
            line.active = connection.busy
            if line.active:
                going_on.append(line)
        self._active = going_on

    def _serve(self, t: int) -> None:
        requests, self._requests = self._requests, []
        for line, payload, functional, tick in requests:
            if line.connection.sending:
                self._while_busy(line, payload, functional, t)
                continue
            self.statistics.requests += 1
            line.station.line = line
            line.asked = tick
            answer = line.station.request(payload, functional, t)
            if answer:
                self._answer(line, answer, t)

    def _listen(self, t: int) -> None:
        """Takes the answers that applications give later."""
        for station in self._stations:
            if station.polled:
                answer = station.application.poll(t)
                station.polled = not station.application.idle
                if answer and station.line is not None:
                    self._answer(station.line, answer, t)

    def _while_busy(self, line: _Line, payload: bytes, functional: bool, t: int) -> None:
        if functional and payload == _KEEP_ALIVE:
            line.station.request(payload, functional, t)
        elif self._refuses:
            self.statistics.refused += 1
            self._wait(line, negative(payload[0], BUSY))
        else:
            self.statistics.ignored += 1

    def _answer(self, line: _Line, answer: bytes, t: int) -> None:
        if line.connection.sending:
            self._wait(line, answer)
        else:
            self._start(line, answer, t)

    def _wait(self, line: _Line, answer: bytes) -> None:
        if len(line.waiting) < MAXIMUM_WAITING:
            line.waiting.append(answer)
        else:
            self.statistics.dropped += 1

    def _start(self, line: _Line, answer: bytes, t: int) -> None:
        self.statistics.answers += 1
        if line.asked is not None:
            waited = self._ticks - line.asked
            self.answered_after[min(LATEST, waited)] += 1
            self.begun.append(waited)
            line.asked = None
        line.connection.send(answer, t)
        if line.connection.busy:
            self._activate(line)

    def _forget(self) -> None:
        for line in self._active:
            line.connection.reset()
            line.waiting.clear()
            line.active = False
        self._active = []
        self._requests = []
