"""A UDS server (ISO 14229-1): one control unit, its session and its services.

    request            checked in the order below, then asked of its service
    sub-function 80+   a positive answer is not sent
    functional         silence where something is not supported
    an answer later    7F sid 78 within P2 and again within P2*; then it is sent, whoever wanted silence; other
                       requests meanwhile are refused as busy (21)

Every request keeps the session alive. A request that says nothing, or is an answer (bit 6), is passed over.

The order of the checks (ISO 14229-1, 8.7), each with its negative response:

    1  another request is being worked on       21   (3E 80 is heard all the same)
    2  the service is not known                 11
    3  nor in this session                      7F
    4  it has a sub-function: none in it        13
    5  the sub-function is not known            12
    6  the service's own checks                 length 13, identifier or value 31, security 33, sequence 24,
                                                conditions 22, answer too long 14, in the order of its docstring

No sub-function here depends on the session, so 7E does not occur.
"""

from dataclasses import dataclass
from typing import Final

from hilbridge.common.errors import KeyPath
from hilbridge.diagnostics.refusal import (
    BUSY,
    INCORRECT_LENGTH,
    RESPONSE_PENDING,
    RESPONSE_TOO_LONG,
    SERVICE_NOT_SUPPORTED,
    SERVICE_NOT_SUPPORTED_IN_SESSION,
    SILENT,
    SUBFUNCTION_NOT_SUPPORTED,
    Refusal,
    negative,
)
from hilbridge.diagnostics.uds.clear_information import ClearDiagnosticInformation
from hilbridge.diagnostics.uds.communication_control import CommunicationControl
from hilbridge.diagnostics.uds.dids import (
    SOFTWARE_VERSION,
    VIN,
    ComputedIdentifier,
    ConstantIdentifier,
    Identifier,
    Identifiers,
)
from hilbridge.diagnostics.uds.dtc_setting import ControlDtcSetting
from hilbridge.diagnostics.uds.ecu_reset import EcuReset
from hilbridge.diagnostics.uds.io_control import InputOutputControlByIdentifier
from hilbridge.diagnostics.uds.read_identifiers import ReadDataByIdentifier
from hilbridge.diagnostics.uds.read_memory import ReadMemoryByAddress, build_memory
from hilbridge.diagnostics.uds.read_troubles import ReadDtcInformation
from hilbridge.diagnostics.uds.routine_control import RoutineControl
from hilbridge.diagnostics.uds.routines import routines
from hilbridge.diagnostics.uds.security_access import SecurityAccess
from hilbridge.diagnostics.uds.service import (
    DEFAULT,
    P2,
    P2_STAR,
    DiagnosticSession,
    EcuInterface,
    PendingAnswer,
    UdsService,
    UdsStatistics,
)
from hilbridge.diagnostics.uds.session_control import DiagnosticSessionControl
from hilbridge.diagnostics.uds.tester_present import TesterPresent
from hilbridge.diagnostics.uds.write_identifier import WriteDataByIdentifier
from hilbridge.settings.uds import ACTIVE_SESSION, UdsSettings

LONGEST: Final = 4095
"""Bytes of an answer: what ISO-TP carries without the escape that only newer testers know."""

_RESPONSE: Final = 0x40
_SUPPRESS: Final = 0x80
_KEEP_ALIVE: Final = b"\x3e\x80"


@dataclass(slots=True)
class _Work:
    """A request whose answer comes later. `due` [ns]: when the tester wants to hear of it again."""

    service: int
    head: bytes
    later: PendingAnswer
    functional: bool
    quiet: bool
    due: int
    announced: bool = False


class UdsServer:
    """`request` and `poll` are those of an application behind ISO-TP; `identifiers` has what was stored."""

    def __init__(self, settings: UdsSettings, unit: EcuInterface, place: KeyPath = ()) -> None:
        """`place`: key path of the settings. ConfigurationError: identifiers, memory or provider cannot be."""
        self.statistics: Final = UdsStatistics()
        self.session: Final = DiagnosticSession()
        self.identifiers: Final = Identifiers(
            settings.identifiers, self._given(settings, unit), unit.data, unit.read_pid, (*place, "identifiers")
        )
        self._work: _Work | None = None
        self._services: Final = {service.sid: service for service in self._built(settings, unit, place)}

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        """The answer, or None for silence or for later; `t` [ns]."""
        if not payload or payload[0] & _RESPONSE:
            self.statistics.ignored += 1
            return None
        self.statistics.requests += 1
        if self._work is not None:
            return self._busy(payload)
        self._expire(t)
        self.session.keep_alive(t)
        return self._answered(payload, functional, t)

    def poll(self, t: int) -> bytes | None:
        """Once a tick: an answer that has become ready, or "response pending"; ends the session in time."""
        work = self._work
        if work is None:
            if self.session.active != DEFAULT:
                self._expire(t)
            return None
        try:
            content = work.later(t)
        except Refusal as refusal:
            self._finish(t)
            return self._refused(work.service, refusal.code, functional=work.functional and not work.announced)
        if content is not None:
            self._finish(t)
            return self._positive(work.head + content, quiet=work.quiet and not work.announced)
        if t < work.due:
            return None
        work.due = t + P2_STAR // 2
        work.announced = True
        self.statistics.pending += 1
        return negative(work.service, RESPONSE_PENDING)

    @property
    def idle(self) -> bool:
        """No request is under way, and no session that could end."""
        return self._work is None and self.session.active == DEFAULT

    def restart(self) -> None:
        """The control unit has lost its supply: nothing of a session or a request survives."""
        self._work = None
        self.session.enter(DEFAULT)

    def _answered(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        sid = payload[0]
        try:
            service = self._permitted(sid)
            head, subfunction, quiet, data = bytes((sid | _RESPONSE,)), 0, False, payload[1:]
            if service.subfunctions:
                subfunction, quiet = self._subfunction(service, data)
                head, data = head + bytes((subfunction,)), data[1:]
            answer = service.answer(subfunction, data, t)
            if isinstance(answer, bytes):
                return self._positive(self._fitting(head + answer), quiet=quiet)
        except Refusal as refusal:
            return self._refused(sid, refusal.code, functional=functional)
        # half of P2: whatever the tick, it is said in time
        self._work = _Work(sid, head, answer, functional, quiet, due=t + P2 // 2)
        return None

    def _permitted(self, sid: int) -> UdsService:
        service = self._services.get(sid)
        if service is None:
            raise Refusal(SERVICE_NOT_SUPPORTED)
        if self.session.active not in service.sessions:
            raise Refusal(SERVICE_NOT_SUPPORTED_IN_SESSION)
        return service

    def _subfunction(self, service: UdsService, data: bytes) -> tuple[int, bool]:
        """The sub-function, and whether its positive answer is unwanted."""
        if not data:
            raise Refusal(INCORRECT_LENGTH)
        subfunction = data[0] & ~_SUPPRESS
        if subfunction not in service.subfunctions:
            raise Refusal(SUBFUNCTION_NOT_SUPPORTED)
        return subfunction, subfunction != data[0]

    def _fitting(self, answer: bytes) -> bytes:
        if len(answer) > LONGEST:
            raise Refusal(RESPONSE_TOO_LONG)
        return answer

    def _positive(self, answer: bytes, *, quiet: bool) -> bytes | None:
        if quiet:
            self.statistics.suppressed += 1
            return None
        self.statistics.positive += 1
        return answer

    def _refused(self, sid: int, code: int, *, functional: bool) -> bytes | None:
        if functional and code in SILENT:
            self.statistics.unsaid += 1
            return None
        self.statistics.negative += 1
        return negative(sid, code)

    def _busy(self, payload: bytes) -> bytes | None:
        if payload == _KEEP_ALIVE:
            self.statistics.suppressed += 1
            return None
        self.statistics.busy += 1
        return negative(payload[0], BUSY)

    def _finish(self, t: int) -> None:
        self._work = None
        self.session.keep_alive(t)

    def _expire(self, t: int) -> None:
        if self.session.expire(t):
            self.statistics.session_timeouts += 1

    def _given(self, settings: UdsSettings, unit: EcuInterface) -> dict[int, Identifier]:
        """Identifiers that need no settings of their own."""
        given: dict[int, Identifier] = {
            ACTIVE_SESSION: ComputedIdentifier(lambda: bytes((self.session.active,))),
            SOFTWARE_VERSION: ConstantIdentifier(settings.software.encode("ascii")),
        }
        if unit.vin is not None:
            given[VIN] = ConstantIdentifier(unit.vin.encode("ascii"))
        return given

    def _built(self, settings: UdsSettings, unit: EcuInterface, place: KeyPath) -> list[UdsService]:
        """The services, by identifier; 23 and 27 only where the settings give them something to do."""
        session, memory, identifiers = self.session, unit.troubles, self.identifiers
        services: list[UdsService] = [
            DiagnosticSessionControl(session),
            EcuReset(session, unit.reset),
            ClearDiagnosticInformation(session, memory),
            ReadDtcInformation(session, memory),
            ReadDataByIdentifier(session, identifiers),
            CommunicationControl(session, unit.communication),
            WriteDataByIdentifier(session, identifiers),
            InputOutputControlByIdentifier(session, identifiers, unit.overrides),
            RoutineControl(session, routines(unit.data, memory)),
            TesterPresent(session),
            ControlDtcSetting(session, memory),
        ]
        if settings.memory:
            regions = build_memory(settings.memory, identifiers, (*place, "memory"))
            services.append(ReadMemoryByAddress(session, regions))
        if settings.security is not None:
            here = (*place, "security")
            services.append(SecurityAccess(session, settings.security, unit.seed, self.statistics, here))
        return services
