"""Service 2C, dynamically define data identifier: 01 by identifiers, 02 by memory addresses, 03 clear.

    2C 01 number (identifier position size)+      position counts from 1; the bytes of other identifiers
    2C 02 number format (address length)+         pieces of memory (memory.py)
    2C 03 [number]                                forgets one, or all

Numbers are F200 to F3FF. A further definition of a number is appended. Services 22 and 2A read what was defined;
it is forgotten at a reset, and with the supply. The answer repeats the number.

    an incomplete request                                13
    a number out of range, or of the bench file          31
    an unknown identifier or place, or bytes beyond it   31
    more than fits into an answer of service 22          31
    security access needed by the memory                 33, also when it is read
    an identifier that is not available                  22
    when it is read: one that this session has not       31
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from hilbridge.bench.diagnostics.refusal import (
    CONDITIONS_NOT_CORRECT,
    INCORRECT_LENGTH,
    REQUEST_OUT_OF_RANGE,
    SECURITY_ACCESS_DENIED,
    Refusal,
)
from hilbridge.bench.diagnostics.uds.dids import ComputedIdentifier, Identifiers
from hilbridge.bench.diagnostics.uds.memory import Memory, Place, place_of
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession, UdsService

BY_IDENTIFIER: Final = 0x01
BY_ADDRESS: Final = 0x02
CLEAR: Final = 0x03

DYNAMIC: Final = range(0xF200, 0xF400)
"""Numbers of dynamic identifiers (ISO 14229-1, annex C.1)."""

LONGEST: Final = 4092
"""[byte] What fits into an answer of service 22."""

_SOURCE: Final = 4
"""[byte] Identifier, position and size."""

Part = tuple[int, Callable[[], bytes]]
"""A length, and a function that returns as many bytes."""


class DynamicallyDefineDataIdentifier(UdsService):
    """Service 2C: adds identifiers to `identifiers`."""

    sid = 0x2C
    subfunctions = frozenset((BY_IDENTIFIER, BY_ADDRESS, CLEAR))

    def __init__(self, session: DiagnosticSession, identifiers: Identifiers, memory: Memory) -> None:
        super().__init__(session)
        self._identifiers: Final = identifiers
        self._memory: Final = memory
        self._defined: Final[dict[int, list[Part]]] = {}

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        if subfunction == CLEAR and not data:
            self.restart()
            return b""
        if len(data) < 2 or (subfunction == CLEAR and len(data) > 2):
            raise Refusal(INCORRECT_LENGTH)
        number = int.from_bytes(data[:2], "big")
        known = number in self._defined
        if number not in DYNAMIC or (not known and (subfunction == CLEAR or self._identifiers.find(number))):
            raise Refusal(REQUEST_OUT_OF_RANGE)
        if subfunction == CLEAR:
            self._forget(number)
        else:
            parts = self._pieces(data[2:]) if subfunction == BY_ADDRESS else self._slices(data[2:])
            self._define(number, parts)
        return data[:2]

    def restart(self) -> None:
        """Forget all definitions."""
        for number in list(self._defined):
            self._forget(number)

    def _define(self, number: int, parts: list[Part]) -> None:
        all_parts = self._defined.get(number, []) + parts
        if sum(length for length, _ in all_parts) > LONGEST:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        self._defined[number] = all_parts
        self._identifiers.define(number, ComputedIdentifier(lambda: b"".join(read() for _, read in all_parts)))

    def _forget(self, number: int) -> None:
        del self._defined[number]
        self._identifiers.define(number, None)

    def _slices(self, sources: bytes) -> list[Part]:
        if not sources or len(sources) % _SOURCE:
            raise Refusal(INCORRECT_LENGTH)
        parts: list[Part] = []
        for begin in range(0, len(sources), _SOURCE):
            number, first, size = int.from_bytes(sources[begin : begin + 2], "big"), *sources[begin + 2 : begin + 4]
            content = None if number in self._defined else self._identifiers.read(number)
            if content is None or not 0 < first <= first - 1 + size <= len(content):
                raise Refusal(REQUEST_OUT_OF_RANGE)
            parts.append((size, partial(self._slice, number, first - 1, size)))
        return parts

    def _slice(self, number: int, begin: int, size: int) -> bytes:
        source = self._identifiers.read(number)
        if source is None:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        content = source[begin : begin + size]
        if len(content) != size:
            raise Refusal(CONDITIONS_NOT_CORRECT)
        return content

    def _pieces(self, data: bytes) -> list[Part]:
        head, rest = data[:1], data[1:]
        if not rest:
            raise Refusal(INCORRECT_LENGTH)
        parts: list[Part] = []
        while rest:
            address, length, rest = place_of(head + rest)
            place = self._memory.find(address, length)
            if not place.region.readable:
                raise Refusal(REQUEST_OUT_OF_RANGE)
            self.require_security(place.region.security)
            parts.append((length, partial(self._read, place)))
        return parts

    def _read(self, place: Place) -> bytes:
        if not self.session.permits(place.region.security):
            raise Refusal(SECURITY_ACCESS_DENIED)
        return place.region.read(place.start, place.length)
