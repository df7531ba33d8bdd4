"""Service 2A, read data by periodic identifier: `2A mode numbers`, the low bytes of identifiers F200 to F2FF.

    01, 02, 03    slow, medium, fast: each of them is sent at once, and then in this rate; a number has one rate
    04            stops the numbers, or all where none is given

A message is the number and its data, without a service: an unsegmented frame of its own identifier (ISO 14229-3, type
2), or a single frame of the answers (type 1), one in a tick. What is not available is left out while it is. The
default session stops all, another one what it does not have or locks.

    no mode, or no number to begin with                     13
    no such mode, no known number, more than are possible   31
    data that does not fit into one frame                   31
"""

from collections.abc import Callable
from typing import Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.refusal import INCORRECT_LENGTH, REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.dids import Identifiers
from hilbridge.bench.diagnostics.uds.service import NOT_DEFAULT, DiagnosticSession, UnaskedService
from hilbridge.files.settings.uds_periodic import PeriodicSettings
from hilbridge.frames.codec.frame import EXTENDED, STANDARD_MASK, Frame

STOP: Final = 0x04

_FIRST: Final = 0xF200

_UNSEGMENTED: Final = 8
_SINGLE: Final = 7
"""[byte] Longest message of each type, with its number; CAN FD could carry more."""


class ReadDataByPeriodicIdentifier(UnaskedService):
    """Service 2A; `transmit` puts frames of type 2 on the bus."""

    sid = 0x2A
    sessions = NOT_DEFAULT
    beside_requests = True

    def __init__(
        self,
        session: DiagnosticSession,
        settings: PeriodicSettings,
        identifiers: Identifiers,
        transmit: Callable[[Frame], None],
    ) -> None:
        super().__init__(session)
        self._identifiers: Final = identifiers
        self._transmit: Final = transmit
        self._periods: Final = {mode: round(period * MILLISECOND) for mode, period in settings.periods.items()}
        self._most: Final = settings.most
        number = settings.identifier
        self._can_id: Final = None if number is None else number | (EXTENDED if number > STANDARD_MASK else 0)
        self._longest: Final = _SINGLE if number is None else _UNSEGMENTED
        self._due: Final[dict[int, tuple[int, int]]] = {}  # time [ns] and period [ns] by number
        session.on_change("periodic", self._due.clear, self._restrict)

    @property
    def active(self) -> bool:
        """Whether anything is sent periodically."""
        return bool(self._due)

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        if not data or (len(data) == 1 and data[0] != STOP):
            raise Refusal(INCORRECT_LENGTH)
        mode, numbers = data[0], dict.fromkeys(data[1:])
        if mode == STOP:
            for number in numbers or list(self._due):
                self._due.pop(number, None)
            return b""
        if mode not in self._periods:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        known = [number for number in numbers if self._fits(number)]
        if not known or len({**self._due, **dict.fromkeys(known)}) > self._most:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        for number in known:
            self._due[number] = (t, self._periods[mode])
        return b""

    def poll(self, t: int) -> bytes | None:
        """Send frames that are due; return the message that is due on the identifier of the answers, or None."""
        for number, (due, period) in self._due.items():
            if t < due:
                continue
            self._due[number] = (max(due + period, t + 1), period)
            message = self._message(number)
            if message is None:
                continue
            if self._can_id is None:
                return message
            self._transmit(Frame(self._can_id, message))
        return None

    def _restrict(self) -> None:
        """Stop what the new session does not permit."""
        for number in list(self._due):
            if self.session.active not in self.sessions or not self._identifiers.permits(_FIRST + number):
                del self._due[number]

    def _fits(self, number: int) -> bool:
        """Return whether there is such an identifier. Refusal: its data does not fit into a frame."""
        try:
            content = self._identifiers.read(_FIRST + number)
        except Refusal:
            return True
        if content is not None and len(content) >= self._longest:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        return content is not None

    def _message(self, number: int) -> bytes | None:
        try:
            content = self._identifiers.read(_FIRST + number)
        except Refusal:
            return None
        return None if content is None else (bytes((number,)) + content)[: self._longest]
