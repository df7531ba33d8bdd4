"""The events of service 86, each asked at an interval whether it has happened since it was asked last.

    01 trouble code      eventTypeRecord: a mask     a bit of it was set in the status of a code
    02 timer             the number of a rate        its period is over
    03 change            an identifier               its data is other data, and available
    07 comparison        an identifier, logic, reference, hysteresis, place in its data (ISO 14229-1, 10.9)

A comparison happens when it becomes true. It must have been untrue by its hysteresis before, in percent of the
reference, where the logic is below (01) or above (02). The place has the sign in bit 15, the length in bits in bits 14
to 10 (0 is 32), and in bits 9 to 0 the first bit, counted from the highest of the first byte.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Final

from hilbridge.bench.diagnostics.refusal import INCORRECT_LENGTH, REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.dids import Identifiers
from hilbridge.bench.diagnostics.uds.service import TroubleMemory

TROUBLE_CODE: Final = 0x01
TIMER: Final = 0x02
CHANGE: Final = 0x03
COMPARISON: Final = 0x07

RECORD_LENGTHS: Final = {TROUBLE_CODE: 1, TIMER: 1, CHANGE: 2, COMPARISON: 10}
"""[byte] Length of eventTypeRecord."""

_BELOW, _ABOVE, _EQUAL, _DIFFERENT = 1, 2, 3, 4
_WIDEST: Final = 32


class Event(ABC):
    """An event; it is asked for the first time when it starts, and that counts as no event."""

    @abstractmethod
    def happened(self, t: int) -> bool:
        """Return whether it has happened since the last call; `t` [ns]."""


class TroubleCodeEvent(Event):
    """A status bit of a mask was set."""

    def __init__(self, memory: TroubleMemory, mask: int) -> None:
        self._memory: Final = memory
        self._mask: Final = mask
        self._status = self._now()

    def happened(self, t: int) -> bool:
        before, self._status = self._status, self._now()
        return any(status & ~before.get(code, 0) for code, status in self._status.items())

    def _now(self) -> dict[str, int]:
        return {code: one.status & self._mask for code, one in self._memory.troubles.items()}


class TimerEvent(Event):
    """A period [ns] is over."""

    def __init__(self, period: int) -> None:
        self._period: Final = period
        self._due: int | None = None

    def happened(self, t: int) -> bool:
        if self._due is None:
            self._due = t + self._period
        if t < self._due:
            return False
        self._due += self._period
        return True


class ChangeEvent(Event):
    """The data of an identifier is other data."""

    def __init__(self, read: Callable[[], bytes | None]) -> None:
        self._read: Final = read
        self._data = read()

    def happened(self, t: int) -> bool:
        data = self._read()
        if data is None or data == self._data:
            return False
        before, self._data = self._data, data
        return before is not None


class ComparisonEvent(Event):
    """A number in the data of an identifier has become smaller or larger than a reference, equal or different."""

    def __init__(self, read: Callable[[], bytes | None], record: bytes) -> None:
        """`record`: logic, reference, hysteresis and place. Refusal: no such logic or place."""
        place = int.from_bytes(record[6:], "big")
        self._read: Final = read
        self._logic: Final = record[0]
        self._signed: Final = bool(place & 0x8000)
        self._width: Final = (place >> 10 & 0x1F) or _WIDEST
        self._first: Final = place & 0x3FF
        self._reference: Final = int.from_bytes(record[1:5], "big", signed=self._signed)
        self._hysteresis: Final = abs(self._reference) * record[5] // 100
        data = read()
        if not _BELOW <= self._logic <= _DIFFERENT or (data and self._first + self._width > 8 * len(data)):
            raise Refusal(REQUEST_OUT_OF_RANGE)
        self._armed = not self._holds()

    def happened(self, t: int) -> bool:
        number = self._number()
        if number is None:
            return False
        holds = self._holds()
        if holds and self._armed:
            self._armed = False
            return True
        if not holds and self._has_left(number):
            self._armed = True
        return False

    def _number(self) -> int | None:
        data = self._read()
        if data is None or self._first + self._width > 8 * len(data):
            return None
        raw = int.from_bytes(data, "big") >> (8 * len(data) - self._first - self._width) & ((1 << self._width) - 1)
        return raw - (1 << self._width) if self._signed and raw >> (self._width - 1) else raw

    def _holds(self) -> bool:
        number = self._number()
        if number is None:
            return False
        reference = self._reference
        return {
            _BELOW: number < reference,
            _ABOVE: number > reference,
            _EQUAL: number == reference,
            _DIFFERENT: number != reference,
        }[self._logic]

    def _has_left(self, number: int) -> bool:
        if self._logic == _BELOW:
            return number >= self._reference + self._hysteresis
        if self._logic == _ABOVE:
            return number <= self._reference - self._hysteresis
        return True


def build_event(
    kind: int, record: bytes, identifiers: Identifiers, memory: TroubleMemory, periods: Mapping[int, int]
) -> Event:
    """Return an event; `periods` [ns] of the timer by number. Refusal: another length, no such identifier or rate."""
    if len(record) != RECORD_LENGTHS[kind]:
        raise Refusal(INCORRECT_LENGTH)
    if kind == TROUBLE_CODE:
        return TroubleCodeEvent(memory, record[0])
    if kind == TIMER:
        if record[0] not in periods:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        return TimerEvent(periods[record[0]])
    number = int.from_bytes(record[:2], "big")

    def read() -> bytes | None:
        try:
            return identifiers.read(number)
        except Refusal:
            return None

    if not identifiers.knows(number):
        raise Refusal(REQUEST_OUT_OF_RANGE)
    return ChangeEvent(read) if kind == CHANGE else ComparisonEvent(read, record[2:])
