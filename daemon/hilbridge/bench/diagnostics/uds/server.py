"""The UDS server of one control unit (ISO 14229-1): its session and its services.

    request              checked in the order below, then passed to its service
    sub-function 80+     a positive answer is suppressed
    functional request   no negative answer "not supported"
    later answer         7F sid 78 within P2 and again within P2*; then the answer is always sent; other requests in
                         the meantime are refused as busy (21)
    change of what is    the positive answer comes later: when the change is written; 72 if it cannot be (nvram.py)
    kept over restarts

Every request keeps the session alive, and so does each frame of it and of its answer (isotp/server.py). An empty
request, or a response (bit 6), is ignored.

The order of the checks (ISO 14229-1, 8.7), each with its negative response:

    1  another request is in progress               21   (3E 80 is processed all the same)
    2  the service is not supported                 11   (nor by a boot loader without an application)
    3  not supported in this session                7F
    4  it needs authentication, or security access  34, 33
    5  it has a sub-function, the request has none  13
    6  the sub-function is not supported            12
    7  not supported in this session                7E
    8  it needs authentication, or security access  34, 33
    9  the service's own checks                     length 13, identifier or value 31, security 33, sequence 24,
                                                    conditions 22, answer too long 14, in the order of its docstring

"Not supported" (2, 6) means in no session; sessions.py has the table.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from hilbridge.base.common.errors import KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.refusal import (
    AUTHENTICATION_REQUIRED,
    BUSY,
    GENERAL_PROGRAMMING_FAILURE,
    INCORRECT_LENGTH,
    RESPONSE_PENDING,
    RESPONSE_TOO_LONG,
    SECURITY_ACCESS_DENIED,
    SERVICE_NOT_SUPPORTED,
    SERVICE_NOT_SUPPORTED_IN_SESSION,
    SILENT,
    SUBFUNCTION_NOT_SUPPORTED,
    SUBFUNCTION_NOT_SUPPORTED_IN_SESSION,
    Refusal,
    negative,
)
from hilbridge.bench.diagnostics.uds.build import ServerParts, build_services, built_in_identifiers
from hilbridge.bench.diagnostics.uds.dids import Identifiers
from hilbridge.bench.diagnostics.uds.memory import build_memory
from hilbridge.bench.diagnostics.uds.service import (
    DiagnosticSession,
    EcuInterface,
    PendingAnswer,
    SessionTimes,
    UdsService,
    UdsStatistics,
    UnaskedService,
)
from hilbridge.bench.diagnostics.uds.sessions import SecuredServices, SupportedServices
from hilbridge.files.settings.uds import UdsSettings
from hilbridge.files.settings.uds_sessions import DEFAULT, SessionSettings

OF_BOOT_LOADER: Final = frozenset(
    (0x10, 0x11, 0x22, 0x23, 0x27, 0x28, 0x29, 0x2E, 0x31, 0x34, 0x35, 0x36, 0x37, 0x3E, 0x85)
)
"""Services that need no application."""

LONGEST: Final = 4095
"""Length of the longest answer: ISO-TP carries more only with an escape that older testers do not know."""

_RESPONSE: Final = 0x40
_SUPPRESS: Final = 0x80
_KEEP_ALIVE: Final = b"\x3e\x80"


@dataclass(slots=True)
class _PendingRequest:
    """A request whose answer comes later. `due` [ns]: when "response pending" is sent next.

    `changes`: count of changes before it; None: they are being written, and the answer waits for that alone.
    """

    service: int
    head: bytes
    later: PendingAnswer
    functional: bool
    suppress: bool
    due: int
    changes: int | None
    announced: bool = False


class UdsServer:
    """The UDS server of one control unit, an application of the ISO-TP server. `identifiers` contains stored bytes.

    `reset_until` [ns]: the control unit starts anew until then, and is to be asked nothing. `resets`: number of resets.
    """

    def __init__(
        self, settings: UdsSettings, unit: EcuInterface, place: KeyPath = (), others: Iterable[int] = ()
    ) -> None:
        """`place`: key path of the settings. `others`: sessions that service 10 does not enter; they are as 03.

        ConfigurationError: an identifier, memory region or provider is invalid.
        """
        self.statistics: Final = UdsStatistics()
        sessions = dict.fromkeys(others, SessionSettings()) | settings.session_table
        self.session: Final = DiagnosticSession(
            {
                number: SessionTimes(one.p2 * MILLISECOND, one.p2_star * MILLISECOND, one.s3 * MILLISECOND)
                for number, one in sessions.items()
            }
        )
        self.identifiers: Final = Identifiers(
            settings.identifiers,
            built_in_identifiers(settings, unit, self.session),
            unit.data,
            unit.read_obd,
            self.session,
            self.statistics,
            (*place, "identifiers"),
        )
        self.memory: Final = build_memory(settings.memory, self.identifiers, unit.images, (*place, "memory"))
        self._boots: Final = settings.programming is not None and settings.programming.bootloader
        self.reset_until = 0
        self.resets = 0
        self._reset_time: Final = round(settings.reset.time * MILLISECOND)
        unit.troubles.read_identifier = partial(_read_now, self.identifiers)
        self._pending: _PendingRequest | None = None
        self._troubles: Final = unit.troubles
        self._nvram: Final = unit.nvram
        parts = ServerParts(self.session, self.identifiers, self.memory, self.statistics)
        services = build_services(settings, unit, parts, self._reset, self._answer_event, place)
        self._unasked: Final = [service for service in services if isinstance(service, UnaskedService)]
        self._supported: Final = SupportedServices(sessions, services, (*place, "sessions"))
        secured = {} if settings.security is None else settings.security.services
        keys = [] if settings.authentication is None else settings.authentication.services
        here = (*place, "authentication", "services")
        self._authenticated: Final = SecuredServices(dict.fromkeys(keys, 1), self._supported.services, here)
        self._secured: Final = SecuredServices(secured, self._supported.services, (*place, "security", "services"))

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        """Return the answer, or None for no answer or a later one; `t` [ns]."""
        if not payload or payload[0] & _RESPONSE:
            self.statistics.ignored += 1
            return None
        self.statistics.requests += 1
        if self._pending is not None:
            return self._refuse_busy(payload)
        self._expire(t)
        self.session.keep_alive(t)
        return self._dispatch(payload, functional, t)

    def poll(self, t: int) -> bytes | None:
        """Return a later answer that is ready, "response pending", or an unrequested message; end the session after S3.

        Called once a tick.
        """
        pending = self._pending
        if pending is None:
            if self.session.active != DEFAULT:
                self._expire(t)
            return self._poll_unasked(t)
        try:
            content = pending.later(t)
        except Refusal as refusal:
            self._finish(t)
            return self._negative_response(
                pending.service, refusal.code, functional=pending.functional and not pending.announced
            )
        if content is not None and pending.changes is not None and self._changes() != pending.changes:
            pending.later, pending.changes = self._once_written(content), None
        elif content is not None:
            self._finish(t)
            return self._positive_response(pending.head + content, suppress=pending.suppress and not pending.announced)
        if t < pending.due:
            return self._poll_unasked(t)
        pending.due = t + self.session.times.p2_star // 2
        pending.announced = True
        self.statistics.pending += 1
        return negative(pending.service, RESPONSE_PENDING)

    def _poll_unasked(self, t: int) -> bytes | None:
        """Return a message without a request at this moment: a periodic one, or an answer on an event."""
        for service in self._unasked:
            if service.active and (self._pending is None or service.beside_requests):
                message = service.poll(t)
                if message is not None:
                    return message
        return None

    def _answer_event(self, request: bytes, t: int) -> bytes | None:
        """Answer a request on an event; None: later."""
        return negative(request[0], BUSY) if self._pending is not None else self._dispatch(request, False, t)

    @property
    def application_runs(self) -> bool:
        """Whether more than a boot loader is there: flash was not erased, or programmed and found valid since."""
        return self.memory.application or not self._boots

    @property
    def idle(self) -> bool:
        """Whether no request is in progress, no session could end, and nothing is sent unasked."""
        return (
            self._pending is None
            and self.session.active == DEFAULT
            and not any(service.active for service in self._unasked)
        )

    @property
    def answering(self) -> bool:
        """Whether a request is in progress whose answer comes later."""
        return self._pending is not None

    @property
    def services(self) -> Mapping[int, UdsService]:
        """The services that at least one session supports."""
        return self._supported.services

    def keep_alive(self, t: int) -> None:
        """Restart S3 at `t` [ns]: a request or an answer is under way, unless the session is over already."""
        if self._pending is None:
            self._expire(t)
        self.session.keep_alive(t)

    def end_session(self) -> None:
        """Return to the default session, as when S3 is over."""
        self.session.enter(DEFAULT)

    def restart(self) -> None:
        """Reset session and request: the control unit has lost its supply."""
        self._pending = None
        self.reset_until = 0
        for service in self._supported.services.values():
            service.restart()
        self.session.enter(DEFAULT)

    def close(self) -> None:
        """Let go of the services: each of them refers to the server, and a tick has no collector."""
        self.session.close()
        self._supported.services.clear()
        self._unasked.clear()

    def _reset(self, t: int) -> None:
        """Start anew (service 11)."""
        self.restart()
        self.resets += 1
        self.reset_until = t + self._reset_time

    def _dispatch(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        sid = payload[0]
        changes: int | None = self._changes()
        try:
            service = self._permitted_service(sid)
            head, subfunction, suppress, data = bytes((sid | _RESPONSE,)), 0, False, payload[1:]
            if service.subfunctions:
                subfunction, suppress = self._subfunction(service, data)
                head, data = head + bytes((subfunction,)), data[1:]
            answer = service.answer(subfunction, data, t)
            if isinstance(answer, bytes):
                self._check_length(head + answer)
                if self._changes() == changes:
                    return self._positive_response(head + answer, suppress=suppress)
                answer, changes = self._once_written(answer), None
        except Refusal as refusal:
            return self._negative_response(sid, refusal.code, functional=functional)
        # half of P2, so that "response pending" is in time for every tick period
        due = t + self.session.times.p2 // 2
        self._pending = _PendingRequest(sid, head, answer, functional, suppress, due, changes)
        return None

    def _changes(self) -> int:
        """Return a count that grows with what testers change of what is kept; 0 where nothing keeps it."""
        if not self._nvram.connected:
            return 0
        return self.identifiers.changes + self.memory.changes + self._troubles.clears

    def _once_written(self, content: bytes) -> PendingAnswer:
        """Return an answer that comes when all changes are written."""
        number = self._nvram.write()

        def later(_t: int) -> bytes | None:
            written = self._nvram.is_written(number)
            if written is False:
                self.statistics.not_written += 1
                raise Refusal(GENERAL_PROGRAMMING_FAILURE)
            return content if written else None

        return later

    def _permitted_service(self, sid: int) -> UdsService:
        service = self._supported.services.get(sid)
        if service is None or not (sid in OF_BOOT_LOADER or self.application_runs):
            raise Refusal(SERVICE_NOT_SUPPORTED)
        if self.session.active not in service.sessions:
            raise Refusal(SERVICE_NOT_SUPPORTED_IN_SESSION)
        self._require_access(sid)
        return service

    def _subfunction(self, service: UdsService, data: bytes) -> tuple[int, bool]:
        """Return the sub-function, and whether its positive answer is to be suppressed."""
        if not data:
            raise Refusal(INCORRECT_LENGTH)
        subfunction = data[0] & ~_SUPPRESS
        if subfunction not in service.subfunctions:
            raise Refusal(SUBFUNCTION_NOT_SUPPORTED)
        if subfunction not in self._supported.subfunctions(self.session.active, service.sid):
            raise Refusal(SUBFUNCTION_NOT_SUPPORTED_IN_SESSION)
        self._require_access(service.sid, subfunction)
        return subfunction, subfunction != data[0]

    def _require_access(self, sid: int, subfunction: int | None = None) -> None:
        """Refuse what needs authentication, or a level of security access, that the tester has not."""
        if not self.session.authenticated and self._authenticated.level(sid, subfunction):
            raise Refusal(AUTHENTICATION_REQUIRED)
        if not self.session.permits(self._secured.level(sid, subfunction)):
            raise Refusal(SECURITY_ACCESS_DENIED)

    def _check_length(self, answer: bytes) -> None:
        if len(answer) > LONGEST:
            raise Refusal(RESPONSE_TOO_LONG)

    def _positive_response(self, answer: bytes, *, suppress: bool) -> bytes | None:
        if suppress:
            self.statistics.suppressed += 1
            return None
        self.statistics.positive += 1
        return answer

    def _negative_response(self, sid: int, code: int, *, functional: bool) -> bytes | None:
        if functional and code in SILENT:
            self.statistics.unsaid += 1
            return None
        self.statistics.negative += 1
        return negative(sid, code)

    def _refuse_busy(self, payload: bytes) -> bytes | None:
        if payload == _KEEP_ALIVE:
            self.statistics.suppressed += 1
            return None
        self.statistics.busy += 1
        return negative(payload[0], BUSY)

    def _finish(self, t: int) -> None:
        self._pending = None
        self.session.keep_alive(t)

    def _expire(self, t: int) -> None:
        if self.session.expire(t):
            self.statistics.session_timeouts += 1


def _read_now(identifiers: Identifiers, number: int) -> bytes | None:
    """Return the present bytes of an identifier; None if there is none, or it is not available."""
    try:
        return identifiers.read(number)
    except Refusal:
        return None
