"""Answers of a control unit as data: KWP-style services (21, 1A, 18), makers' own, or others than the built-in ones.

    pattern    that of those which fit the request with the most given digits (table.py); it comes before the built-in
               services, and decides alone: what it refuses no built-in service answers
    case       the first one whose session, security level and conditions are there; else the last one's reason refuses:
               7F its session is another, 33 it is locked, or the code of the condition
    reply      one, or the next one in turn; 78 at once and evenly in its delay, if it wants so; the bytes have the
               values of the tick in which they are sent
    then       the session that it enters, and the level that it unlocks

A request in the meantime is refused as busy (21), 3E 80 excepted. Without a UDS server the session ends S3 after the
last request.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, Doubt, KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.answers.reply import Reply
from hilbridge.bench.diagnostics.answers.table import PatternTable
from hilbridge.bench.diagnostics.condition import Conditions
from hilbridge.bench.diagnostics.refusal import (
    BUSY,
    RESPONSE_PENDING,
    SECURITY_ACCESS_DENIED,
    SERVICE_NOT_SUPPORTED_IN_SESSION,
    SILENT,
    Refusal,
    negative,
)
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession, SessionTimes
from hilbridge.files.settings.answers import AnswerSettings, AnswerTable, patterns_of
from hilbridge.files.settings.request_patterns import Pattern
from hilbridge.files.settings.uds_sessions import DEFAULT
from vehiclesim.databus import DataBus

_TIMES: Final = SessionTimes(50 * MILLISECOND, 5000 * MILLISECOND, 5000 * MILLISECOND)
"""The times of a control unit without a UDS server (ISO 14229-2)."""

_KEEP_ALIVE: Final = b"\x3e\x80"


class _Case:
    """An answer with its conditions; it knows whose turn it is."""

    def __init__(self, settings: AnswerSettings, pattern: Pattern, bus: DataBus, place: KeyPath) -> None:
        self.settings: Final = settings
        self.sessions: Final = None if settings.sessions is None else {int(one, 16) for one in settings.sessions}
        self.enters: Final = None if settings.enters is None else int(settings.enters, 16)
        self._conditions: Final = Conditions(settings.conditions, bus, (*place, "conditions"))
        self.replies: Final = [
            Reply(one, pattern, bus, (*place, "turns", turn) if settings.turns else place)
            for turn, one in enumerate(settings.replies)
        ]
        self.turn = 0

    def require(self, session: DiagnosticSession) -> None:
        """Refuse unless session, security level and conditions are there."""
        if self.sessions is not None and session.active not in self.sessions:
            raise Refusal(SERVICE_NOT_SUPPORTED_IN_SESSION)
        if not session.permits(self.settings.security):
            raise Refusal(SECURITY_ACCESS_DENIED)
        self._conditions.require()

    def next(self) -> Reply:
        """Return the reply whose turn it is."""
        reply = self.replies[self.turn]
        self.turn += 1
        if self.turn == len(self.replies):
            self.turn = 0 if self.settings.cycle else len(self.replies) - 1
        return reply


class _Pending(NamedTuple):
    """A reply that comes later: the request came at `begun` [ns]."""

    request: bytes
    functional: bool
    begun: int
    case: _Case
    reply: Reply


@dataclass(slots=True)
class AnswerStatistics:
    """Counters since the start of the run."""

    answered: int = 0
    refused: int = 0
    silent: int = 0
    pending: int = 0  # "response pending" sent
    busy: int = 0  # requests refused because an answer was still to come


class AnswerServer:
    """The answers of one control unit. `session`: that of its UDS server; None: it has none, and a session of its own.

    ConfigurationError, with the key path: a pattern, an answer, a condition or a session is wrong.
    """

    def __init__(
        self, answers: AnswerTable, bus: DataBus, session: DiagnosticSession | None, place: KeyPath = ()
    ) -> None:
        self.statistics: Final = AnswerStatistics()
        patterns = patterns_of(answers)
        self.place: Final = place
        self._table: Final = PatternTable(patterns, place)
        self._keeps_session: Final = session is None
        self._session: Final = session or DiagnosticSession(dict.fromkeys((DEFAULT, *entered(answers)), _TIMES))
        self._cases: Final[dict[str, list[_Case]]] = {
            key: [_Case(one, patterns[key], bus, (*place, key, i)) for i, one in enumerate(cases)]
            for key, cases in answers.items()
        }
        for key, cases in self._cases.items():
            for i, case in enumerate(cases):
                for number in case.sessions or ():
                    if number not in self._session.sessions:
                        reason = f"there is no session {number:02X}: nothing enters it"
                        raise ConfigurationError(reason, (*place, key, i, "sessions"))
        self._pending: _Pending | None = None
        self._said = 0  # times "response pending"

    def request(self, payload: bytes, functional: bool, t: int) -> tuple[bool, bytes | None]:
        """Return whether a request is one of these, and its answer: None for no answer or a later one."""
        if self._pending is not None:
            if payload == _KEEP_ALIVE:
                return True, None
            self.statistics.busy += 1
            return True, negative(payload[0], BUSY)
        pattern = self._table.find(payload)
        if pattern is None:
            return False, None
        self.keep_alive(t)
        return True, self._answer(pattern, payload, functional, t)

    def poll(self, t: int) -> bytes | None:
        """Return an answer that is due, or "response pending"; called once a tick."""
        if self._keeps_session:
            self._session.expire(t)
        pending = self._pending
        if pending is None:
            return None
        reply = pending.reply
        if t - pending.begun < reply.delay or self._said < reply.pending:
            if self._said < reply.pending and t - pending.begun >= self._said * reply.delay // reply.pending:
                return self._say_pending(pending.request[0])
            return None
        self._pending = None
        return self._give(pending, announced=self._said > 0, t=t)

    @property
    def idle(self) -> bool:
        """Whether `poll` has nothing to do until the next request."""
        return self._pending is None and not (self._keeps_session and self._session.active != DEFAULT)

    @property
    def answering(self) -> bool:
        """Whether a request is in progress whose answer comes later."""
        return self._pending is not None

    def keep_alive(self, t: int) -> None:
        """Restart S3 at `t` [ns], where there is no UDS server that does."""
        if self._keeps_session:
            self._session.expire(t)
            self._session.keep_alive(t)

    def end_session(self) -> None:
        """Return to the default session, where there is no UDS server that does."""
        if self._keeps_session:
            self._session.enter(DEFAULT)

    def restart(self) -> None:
        """Forget request, turns and session, as after a loss of the supply."""
        self._pending = None
        for cases in self._cases.values():
            for case in cases:
                case.turn = 0
        self.end_session()

    def describe(self) -> dict[str, str]:
        """Return what each pattern is answered, for people."""
        return {key: "; or ".join(_describe(case) for case in cases) for key, cases in self._cases.items()}

    def patterns(self, service: int) -> Iterator[Pattern]:
        """Yield the patterns of a service."""
        return self._table.of_service(service)

    @property
    def services(self) -> list[int]:
        """The services that have a pattern."""
        return sorted(self._table.services)

    def doubts(self) -> Iterator[Doubt]:
        """Yield patterns and cases that others are in front of."""
        for winner, loser in self._table.rivals():
            reason = f"a request that fits {winner.text!r} too is answered by that one: give a pattern for both"
            yield Doubt(reason, (*self.place, loser.text))
        for key, cases in self._cases.items():
            for i, case in enumerate(cases[:-1]):
                one = case.settings
                if one.sessions is None and not one.security and not one.conditions:
                    yield Doubt("is never given: the case before it always holds", (*self.place, key, i + 1))
                    break

    def _answer(self, pattern: Pattern, payload: bytes, functional: bool, t: int) -> bytes | None:
        code = 0
        for case in self._cases[pattern.text]:
            try:
                case.require(self._session)
            except Refusal as refusal:
                code = refusal.code
                continue
            reply = case.next()
            if reply.silent:
                self.statistics.silent += 1
                return None
            pending = _Pending(payload, functional, t, case, reply)
            if not reply.delay and not reply.pending:
                return self._give(pending, announced=False, t=t)
            self._pending, self._said = pending, 0
            return self._say_pending(payload[0]) if reply.pending else None
        return self._refuse(payload[0], code, unsaid=functional)

    def _give(self, pending: _Pending, *, announced: bool, t: int) -> bytes | None:
        try:
            content = pending.reply.content(pending.request)
        except Refusal as refusal:
            return self._refuse(pending.request[0], refusal.code, unsaid=pending.functional and not announced)
        case = pending.case
        if case.enters is not None:
            self._session.enter(case.enters)
        if case.settings.unlocks is not None:
            self._session.unlocked = case.settings.unlocks
        self._session.keep_alive(t)
        self.statistics.answered += 1
        return content

    def _refuse(self, service: int, code: int, *, unsaid: bool) -> bytes | None:
        self.statistics.refused += 1
        return None if unsaid and code in SILENT else negative(service, code)

    def _say_pending(self, service: int) -> bytes:
        self._said += 1
        self.statistics.pending += 1
        return negative(service, RESPONSE_PENDING)


def entered(answers: Mapping[str, list[AnswerSettings]]) -> list[int]:
    """Return the sessions that answers enter."""
    return sorted({int(one.enters, 16) for cases in answers.values() for one in cases if one.enters is not None})


def _describe(case: _Case) -> str:
    return " | ".join(reply.describe() for reply in case.replies)
