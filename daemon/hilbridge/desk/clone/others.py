"""Requests that are neither OBD-II nor a UDS service of a bench: they become `answers`, as they came, in their order.

service          one that no UDS server of a bench has: 21, 1A, 18, a maker's own
10 C0, 10 81     a session of KWP: answered with the same byte, bit 7 included, which suppresses nothing there
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from hilbridge.desk.clone.exchange import Exchange
from hilbridge.desk.clone.finding import Notes, hexadecimal
from hilbridge.files.configuration.yamltext import commented, flow
from hilbridge.files.settings.answers import MOST_PATTERNS
from hilbridge.files.settings.request_patterns import LONGEST

_SESSION: Final = 0x10
_DEFAULT_OF_KWP: Final = 0x81
_NOT_SUPPORTED: Final = 0x11
_BUILT_IN: Final = frozenset(bytes.fromhex("10 11 14 19 22 23 27 28 29 2A 2C 2E 2F 31 34 35 36 37 3D 3E 84 85 86"))
"""Services that the clone has another place for, or never clones."""

_MOST_TURNS: Final = 1000


class OtherRequests:
    """The answers of a control unit to requests that no other setting has a place for, by request."""

    def __init__(self) -> None:
        self._said: Final[dict[bytes, list[Exchange]]] = {}
        self.refuted: Final[set[bytes]] = set()
        """Requests that the clone answered otherwise."""

    def __bool__(self) -> bool:
        return bool(self._said)

    @property
    def services(self) -> set[int]:
        """The services of the requests."""
        return {request[0] for request in self._said}

    def take(self, exchange: Exchange) -> None:
        """Take a request with its answer; one to all units that has none says nothing."""
        if exchange.answer is not None or not exchange.functional:
            self._said.setdefault(exchange.request, []).append(exchange)

    def conclude(self, notes: Notes) -> None:
        """Note what is played in turn, and drop what a bench has no room for."""
        for request in [*self._said][MOST_PATTERNS:]:
            notes.add(
                f"request {hexadecimal(request[:8])}", "is one too many, and not cloned", self._said[request][0].place
            )
            del self._said[request]
        for request, said in [*self._said.items()]:
            about, place = f"request {hexadecimal(request[:8])}", said[0].place
            if any(one.answer is not None and len(one.answer) > LONGEST for one in said) or len(request) > LONGEST:
                notes.add(about, f"is longer than {LONGEST} bytes, or its answer is, and is not cloned", place)
                del self._said[request]
            elif (number := len({one.answer for one in said})) > 1:
                told = f"don't know: {number} answers to {len(said)} requests"
                kept = (
                    "are played in turn" if len(said) <= _MOST_TURNS else f"the first {_MOST_TURNS} are played in turn"
                )
                notes.add(about, f"{told}, {kept}: give it `fields`", place)

    def lines(self, name_of: Callable[[bytes], str] = lambda _: "") -> Iterator[str]:
        """Yield the section `answers` of the bench file; `name_of` a request, nothing without."""
        if self._said:
            yield "      answers:"
        for request, said in self._said.items():
            alike = len({(one.answer, one.pending) for one in said}) == 1
            settings: dict[str, Any] = _reply(said[0])
            if not alike:
                settings = {"turns": [_reply(one) for one in said[:_MOST_TURNS]]}
            elif request[0] == _SESSION and said[0].positive:
                entered = 0x01 if request[1] == _DEFAULT_OF_KWP else request[1]
                settings["enters"] = f"{entered:02X}"
            told = "likely: seen once" if len(said) == 1 else f"sure: the same in {len(said)} answers"
            if request in self.refuted:
                told = f"likely: the same in {len(said)} answers, and answered otherwise by this bench"
            told = told if alike else f"don't know: {len(said)} answers in turn"
            told = f"{name}, {told}" if (name := name_of(request)) else told
            yield from commented(f'        "{hexadecimal(request)}": {flow(settings)}', told)


def is_other(exchange: Exchange) -> bool:
    """Return whether a request is one of these."""
    request, answer = exchange.request, exchange.answer
    if request[0] == _SESSION:
        return len(request) > 1 and request[1] > 0x7F and answer is not None and answer[1:2] == request[1:2]
    return request[0] not in _BUILT_IN and exchange.refusal != _NOT_SUPPORTED


def _reply(exchange: Exchange) -> dict[str, Any]:
    if exchange.answer is None:
        return {"silent": True}
    refused = exchange.refusal is not None
    reply: dict[str, Any] = {"refuse": exchange.refusal} if refused else {"data": hexadecimal(exchange.answer)}
    return reply | ({"pending": exchange.pending} if exchange.pending else {})
