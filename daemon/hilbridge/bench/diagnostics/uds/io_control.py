"""Service 2F, input output control by identifier: holds an entry of the data bus over all its other sources.

    00 return control         the entry follows its source again
    01 reset to default       the value that the bench file defines
    02 freeze                 the present value
    03 short-term adjustment  the value in the request

The answer repeats identifier and parameter and contains the value, if it is available; that of 00 comes in the next
tick, with the value of the source that has the entry again. An override ends with its session, or when the security
level that it needs is locked again.

    shorter than identifier and parameter                   13
    not an identifier that can be controlled                31
    no such parameter, or no default to reset to            31
    security access needed                                  33
    another length than the parameter has                   13
    freeze of a value that is not available                 22
    a value that the entry cannot have                      31
"""

from contextlib import suppress
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.refusal import INCORRECT_LENGTH, REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.dids import ControlledIdentifier, Identifiers
from hilbridge.bench.diagnostics.uds.service import (
    EXTENDED_ONLY,
    Answer,
    DiagnosticSession,
    EntryOverrides,
    UdsService,
    answer_from,
)

RETURN: Final = 0x00
RESET: Final = 0x01
FREEZE: Final = 0x02
ADJUST: Final = 0x03

_SHORTEST: Final = 3


class InputOutputControlByIdentifier(UdsService):
    """Service 2F; entries are held through `overrides`."""

    sid = 0x2F
    sessions = EXTENDED_ONLY

    def __init__(self, session: DiagnosticSession, identifiers: Identifiers, overrides: EntryOverrides) -> None:
        super().__init__(session)
        self._identifiers: Final = identifiers
        self._overrides: Final = overrides
        self._held: Final[dict[str, ControlledIdentifier]] = {}
        session.on_change("control", self._on_session_change)

    def answer(self, subfunction: int, data: bytes, t: int) -> Answer:
        if len(data) < _SHORTEST:
            raise Refusal(INCORRECT_LENGTH)
        identifier = self._identifiers.supported(int.from_bytes(data[:2], "big"))
        parameter, state = data[2], data[_SHORTEST:]
        if not isinstance(identifier, ControlledIdentifier) or parameter > ADJUST:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        if parameter == RESET and identifier.default is None:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        self.require_security(identifier.security)
        self.require_length(state, identifier.length if parameter == ADJUST else 0)
        if parameter == RETURN:
            self._release(identifier.entry)
            return answer_from(t + 1, lambda: data + self._now(identifier))  # until then the entry has the held value
        return data[:_SHORTEST] + self._controlled(identifier, parameter, state)

    @staticmethod
    def _now(identifier: ControlledIdentifier) -> bytes:
        """Return the present bytes of an identifier; none if it is not available."""
        with suppress(Refusal):
            return identifier.read()
        return b""

    def _controlled(self, identifier: ControlledIdentifier, parameter: int, state: bytes) -> bytes:
        """Return the new bytes of the identifier."""
        if parameter == FREEZE:
            self._hold(identifier, identifier.now)
            return identifier.read()
        if parameter == RESET and identifier.default is not None:
            state = identifier.default
        self._hold(identifier, identifier.value(state))
        return state

    def _hold(self, identifier: ControlledIdentifier, value: float) -> None:
        try:
            self._overrides.set(identifier.entry, value)
        except ConfigurationError:
            raise Refusal(REQUEST_OUT_OF_RANGE) from None
        self._held[identifier.entry] = identifier

    def _on_session_change(self) -> None:
        """Release what the new session does not permit."""
        for entry, identifier in list(self._held.items()):
            if self.session.active not in self.sessions or not self.session.permits(identifier.security):
                self._release(entry)

    def _release(self, entry: str) -> None:
        if self._held.pop(entry, None) is not None:
            with suppress(ConfigurationError):  # released by another command already
                self._overrides.release(entry)
