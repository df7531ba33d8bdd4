"""A diagnostic control unit: it passes the requests of its addresses to its answers, its OBD-II or its UDS server.

    what a pattern fits      answers as data; not in a boot loader, and not while UDS works on a request
    01 to 0A                 OBD-II
    other                    UDS
    40 to 7F, C0 to FF       responses, not requests: no answer

A request for a missing server is not supported: 7F service 11 if it is physical, no answer if it is functional. The
requests come from ISO-TP (isotp/server.py), which also knows whether the control unit has power.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from hilbridge.bench.diagnostics.answers.server import AnswerServer
from hilbridge.bench.diagnostics.dtc.monitors import Monitors
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.obd.server import ObdServer
from hilbridge.bench.diagnostics.refusal import SERVICE_NOT_SUPPORTED, negative

_OBD: Final = range(0x01, 0x0B)
_ANSWER: Final = 0x40


class RequestServer(Protocol):
    """The UDS server of a control unit."""

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        """Return the answer to a request, or None for no answer or a later one."""

    def poll(self, t: int) -> bytes | None:
        """Return an answer that has become ready since the last call."""

    def keep_alive(self, t: int) -> None:
        """Restart S3 at `t` [ns]: a request or an answer is under way."""

    @property
    def application_runs(self) -> bool:
        """Whether more than a boot loader is there."""

    @property
    def idle(self) -> bool:
        """Whether `poll` has nothing to do until the next request."""

    @property
    def answering(self) -> bool:
        """Whether a request is in progress whose answer comes later."""

    def end_session(self) -> None:
        """Return to the default session."""

    def restart(self) -> None:
        """Reset session and request."""


class Ecu:
    """A diagnostic control unit: an application of the ISO-TP server.

    `bus` is where it is reached, by `addresses`; one that only J1939 reaches has none. `monitors` find its trouble
    codes, which are in `store`.
    """

    def __init__(
        self,
        name: str,
        monitors: Monitors,
        *,
        bus: str = "",
        addresses: Sequence[Address] = (),
        obd: ObdServer | None = None,
        uds: RequestServer | None = None,
        answers: AnswerServer | None = None,
    ) -> None:
        self.name: Final = name
        self.bus: Final = bus
        self.addresses: Final = tuple(addresses)
        self.monitors: Final = monitors
        self.store: Final[TroubleStore] = monitors.store
        self.obd: Final = obd
        self.uds: Final = uds
        self.answers: Final = answers

    def advance(self, t: int) -> None:
        """Advance monitors and driving cycles to time `t` [ns]; called every INTERVAL of dtc/store.py."""
        self.monitors.advance(t)
        self.store.advance(t)

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        """Return the answer to a request, or None for no answer or a later one."""
        if not payload or payload[0] & _ANSWER:
            return None
        if self.answers is not None and self._runs() and not (self.uds is not None and self.uds.answering):
            taken, answer = self.answers.request(payload, functional, t)
            if taken:
                self.keep_alive(t)
                return answer
        server = self.obd if payload[0] in _OBD and self._runs() else self.uds
        if server is not None:
            return server.request(payload, functional, t)
        return None if functional else negative(payload[0], SERVICE_NOT_SUPPORTED)

    def _runs(self) -> bool:
        """Return whether the application of the control unit runs, not its boot loader alone."""
        return self.uds is None or self.uds.application_runs

    def poll(self, t: int) -> bytes | None:
        """Return an answer that has become ready since the last call; nearly always None."""
        if self.answers is not None and not self.answers.idle:
            answer = self.answers.poll(t)
            if answer is not None:
                return answer
        if self.obd is not None and not self.obd.idle:
            answer = self.obd.poll(t)
            if answer is not None:
                return answer
        return None if self.uds is None else self.uds.poll(t)

    def keep_alive(self, t: int) -> None:
        """Restart S3 at `t` [ns]: a request or an answer is under way."""
        if self.answers is not None:
            self.answers.keep_alive(t)
        if self.uds is not None:
            self.uds.keep_alive(t)

    def end_session(self) -> None:
        """Return to the default session, as when no tester keeps another one alive."""
        if self.answers is not None:
            self.answers.end_session()
        if self.uds is not None:
            self.uds.end_session()

    def restart(self) -> None:
        """Forget session and request in progress, as after a loss of the supply."""
        if self.answers is not None:
            self.answers.restart()
        if self.obd is not None:
            self.obd.restart()
        if self.uds is not None:
            self.uds.restart()

    @property
    def idle(self) -> bool:
        """Whether no request or session is in progress."""
        servers = (self.answers, self.obd, self.uds)
        return all(server is None or server.idle for server in servers)

    @property
    def answering(self) -> bool:
        """Whether a request is in progress whose answer comes later."""
        answers, obd, uds = self.answers, self.obd, self.uds
        if (answers is not None and answers.answering) or (obd is not None and not obd.idle):
            return True
        return uds is not None and uds.answering
