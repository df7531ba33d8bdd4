"""Service 31, routine control: 01 start, 02 stop, 03 request results; two bytes name the routine (routines.py).

incomplete routine identifier         13
no such routine in this session       31
security access needed                33
the routine has no such sub-function  12
another option than it has            13
not started, or not finished          24
conditions of the routine             its own codes
"""

from collections.abc import Mapping
from typing import Final

from hilbridge.bench.diagnostics.refusal import (
    INCORRECT_LENGTH,
    REQUEST_OUT_OF_RANGE,
    SUBFUNCTION_NOT_SUPPORTED,
    Refusal,
)
from hilbridge.bench.diagnostics.uds.routines import RESULTS, START, STOP, AsynchronousRoutine, Routine
from hilbridge.bench.diagnostics.uds.service import NOT_DEFAULT, Answer, DiagnosticSession, UnaskedService


class RoutineControl(UnaskedService):
    """Service 31 for `routines`, which end with the session; those that run beside requests run on in each tick."""

    beside_requests = True

    sid = 0x31
    sessions = NOT_DEFAULT
    subfunctions = frozenset((START, STOP, RESULTS))

    def __init__(self, session: DiagnosticSession, routines: Mapping[int, Routine]) -> None:
        """`routines`: by number."""
        super().__init__(session)
        self._routines: Final = dict(routines)
        self._asynchronous: Final = [one for one in routines.values() if isinstance(one, AsynchronousRoutine)]
        session.on_change("routines", self._on_session_change)

    def answer(self, subfunction: int, data: bytes, t: int) -> Answer:
        if len(data) < 2:
            raise Refusal(INCORRECT_LENGTH)
        number, option = data[:2], data[2:]
        routine = self._routines.get(int.from_bytes(number, "big"))
        if routine is None or (routine.sessions is not None and self.session.active not in routine.sessions):
            raise Refusal(REQUEST_OUT_OF_RANGE)
        self.require_security(routine.security)
        if subfunction not in routine.functions:
            raise Refusal(SUBFUNCTION_NOT_SUPPORTED)
        length = routine.option if subfunction == START else 0
        if length is not None:
            self.require_length(option, length)
        if subfunction == RESULTS:
            return number + routine.results()
        result = routine.start(option, t) if subfunction == START else routine.stop()
        if isinstance(result, bytes):
            return number + result

        def later(now: int) -> bytes | None:
            status = result(now)
            return None if status is None else number + status

        return later

    @property
    def active(self) -> bool:
        return any(routine.runs for routine in self._asynchronous)

    def poll(self, t: int) -> None:
        for routine in self._asynchronous:
            if routine.runs:
                routine.advance(t)

    def restart(self) -> None:
        self._on_session_change()

    def _on_session_change(self) -> None:
        for routine in self._routines.values():
            routine.end()
