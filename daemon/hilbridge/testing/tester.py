"""A diagnostic tester on a virtual bench: one request, one answer, by ISO-TP."""

from collections.abc import Callable, Sequence
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.ecu import Ecu
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.client import IsoTpClient
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import unknown

_NEGATIVE: Final = 0x7F
_PENDING: Final = 0x78
"""Response pending: the answer comes later (ISO 14229-1)."""

TIMEOUT: Final = 5.0
"""[s] Time-out for an answer, and for each pending one: P2* of ISO 14229-2."""


class NegativeAnswerError(Exception):
    """A negative response to a request. `code`: its code (ISO 14229-1, Annex A)."""

    def __init__(self, service: int, code: int) -> None:
        super().__init__(f"service {service:02X} is refused with {code:02X}")
        self.service: Final = service
        self.code: Final = code


class Tester:
    """Sends requests to the control units of a bench.

    `bus_of` returns a bus by its name; `advance_until` runs ticks until a goal, for at most some seconds.

    ConfigurationError: the bench has no control units.
    """

    def __init__(
        self,
        ecus: Sequence[Ecu],
        bus_of: Callable[[str], Bus],
        advance_until: Callable[[Callable[[], bool], float], bool],
    ) -> None:
        self._ecus: Final = {ecu.name: ecu for ecu in ecus if ecu.addresses}
        if not self._ecus:
            raise ConfigurationError("the bench has no diagnostic control units; see its 'diagnostics'")
        addresses: dict[str, list[Address]] = {}
        for ecu in self._ecus.values():
            addresses.setdefault(ecu.bus, []).extend(ecu.addresses)
        self._clients: Final = {name: IsoTpClient(bus_of(name), on_bus) for name, on_bus in addresses.items()}
        self._advance_until: Final = advance_until
        self._answers: Final[list[bytes]] = []

    def poll(self, t: int) -> None:
        """Take frames and answers; called once a tick [ns]."""
        for client in self._clients.values():
            client.poll(t)
            self._answers.extend(answer.payload for answer in client.take())

    def ask(self, request: bytes, ecu: str | None, t: int) -> bytes:
        """Send a request; return the whole answer, also a negative one.

        TimeoutError: there is none. ConfigurationError: no such control unit.
        """
        asked = self._ecu(ecu)
        client = self._clients[asked.bus]
        self._answers.clear()
        if not client.request(request, asked.addresses[0], t):
            raise ValueError(f"{request.hex(' ')!r} cannot be asked: it is empty, or another request is under way")
        while self._advance_until(lambda: bool(self._answers), TIMEOUT):
            answer = self._answers.pop(0)
            if answer[0] != _NEGATIVE or answer[-1] != _PENDING:
                return answer
        client.reset()
        raise TimeoutError(f"no answer to {request.hex(' ')} in {TIMEOUT:g} s")

    def _ecu(self, name: str | None) -> Ecu:
        if name is None:
            return next(iter(self._ecus.values()))
        if name not in self._ecus:
            raise unknown("control unit", name, self._ecus, ())
        return self._ecus[name]


def positive(answer: bytes) -> bytes:
    """Return a positive answer. NegativeAnswerError for a negative one."""
    if answer[0] == _NEGATIVE:
        raise NegativeAnswerError(answer[1], answer[2])
    return answer
