"""Questions to the control unit behind a bus by UDS over ISO-TP. Only services that read are ever asked.

| service (ISO 14229-1) | reads |
|---|---|
| 19 | trouble codes |
| 22 | data by identifier |

A question is a command, and so an input of the run: a replay asks at the same tick. Its frames pass the gate as all
others; a bus that is not armed asks nothing.
"""

from typing import Any, Final, Literal, TypeAlias

from hilbridge.bus.bus import Bus, Node
from hilbridge.codec.frame import EXTENDED, STANDARD_MASK, Frame
from hilbridge.common.errors import ConfigurationError
from hilbridge.common.units import SECOND
from hilbridge.diagnostics.isotp.address import Address
from hilbridge.diagnostics.isotp.client import IsoTpClient
from hilbridge.settings.reports import AskedUnit

_REPEATED: Final = {0x19: 1, 0x22: 2}
"""The services that may be asked, and how many bytes of a question its answer repeats."""

TIMEOUT: Final = 5 * SECOND
"""[ns] for an answer, and for each pending one: P2* of ISO 14229-2."""

_NEGATIVE: Final = 0x7F
_NEGATIVE_LENGTH: Final = 3
_POSITIVE: Final = 0x40
_PENDING: Final = 0x78

Outcome: TypeAlias = Literal["waiting", "answered", "no answer"]


class _Place:
    """The place of the questioner on a bus: it hears the identifier of the answers alone."""

    def __init__(self, bus: Bus, answers: int) -> None:
        self._bus: Final = bus
        self._answers: Final = answers

    def attach(self, node: Node) -> None:
        self._bus.attach(node, {self._answers})

    def transmit(self, frame: Frame, origin: Node | None) -> None:
        self._bus.transmit(frame, origin)


class Questioner:
    """Asks the control unit of one bus, a question at a time. `number` counts the questions."""

    def __init__(self, bus: Bus, settings: AskedUnit) -> None:
        self._address: Final = address_of(settings)
        self._bus: Final = bus
        self._client: Final = IsoTpClient(_Place(bus, self._address.response_id), [self._address])
        self.number = 0
        self._question = b""
        self._answer = b""
        self._outcome: Outcome | None = None
        self._due = 0

    def ask(self, question: bytes, t: int) -> int:
        """Ask a question at `t` [ns]; return its number.

        ConfigurationError: it would not only read, the bus is not armed, or another question is under way.
        """
        if not question or question[0] not in _REPEATED:
            allowed = " and ".join(f"{service:02X}" for service in sorted(_REPEATED))
            raise ConfigurationError(f"only the services {allowed} are asked: they read, and change nothing")
        if not self._bus.is_armed:
            raise ConfigurationError(
                f"bus {self._bus.name} is not armed; `hilbridge ctl arm {self._bus.name}` lets it ask"
            )
        if self._outcome == "waiting":
            raise ConfigurationError("another question is under way")
        self._client.reset()
        self._client.request(question, self._address, t)
        self.number += 1
        self._question, self._answer, self._outcome = question, b"", "waiting"
        self._due = t + TIMEOUT
        return self.number

    def poll(self, t: int) -> None:
        """Send what is due, and take the answer; called once a tick."""
        if self._outcome != "waiting":
            return
        self._client.poll(t)
        for answer in self._client.take():
            if not self._belongs(answer.payload):
                continue
            if answer.payload[0] == _NEGATIVE and answer.payload[-1] == _PENDING:
                self._due = t + TIMEOUT
            else:
                self._answer, self._outcome = answer.payload, "answered"
                return
        if t >= self._due:
            self._client.reset()
            self._outcome = "no answer"

    def take_over(self, before: "Questioner") -> None:
        """Continue the numbers of another one, after a reload; a question under way has no answer."""
        self.number = before.number
        self._question = before._question
        self._answer = before._answer
        self._outcome = "no answer" if before._outcome == "waiting" else before._outcome

    def status(self) -> dict[str, Any]:
        """Return the last question, its number, and what came of it."""
        return {
            "request": self.number,
            "asked": self._question.hex(),
            "outcome": self._outcome,
            "answer": self._answer.hex(),
        }

    def _belongs(self, answer: bytes) -> bool:
        """Return whether an answer is one to the question; another tester may be on the bus."""
        service = self._question[0]
        if answer[0] == _NEGATIVE:
            return len(answer) == _NEGATIVE_LENGTH and answer[1] == service
        begin = slice(1, 1 + _REPEATED[service])
        return answer[0] == service | _POSITIVE and answer[begin] == self._question[begin]


def address_of(settings: AskedUnit) -> Address:
    """Return the address of a control unit."""
    request, answer = (one | (EXTENDED if one > STANDARD_MASK else 0) for one in (settings.request, settings.answer))
    if settings.target is None:
        return Address(request, answer)
    return Address(request, answer, None, bytes((settings.target,)), bytes((settings.source,)))
