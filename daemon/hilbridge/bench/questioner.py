"""Questions to the control unit behind a bus by UDS over ISO-TP. Only services that read are ever asked.

| service (ISO 14229-1) | reads |
|---|---|
| 19 | trouble codes |
| 22 | data by identifier |

A question is a command, and so an input of the run: a replay asks at the same tick. Its frames pass the gate as all
others; a bus that is not armed asks nothing.
"""

from functools import partial
from typing import Final, Literal, NamedTuple, TypeAlias

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.connection import IsoTpConnection
from hilbridge.files.settings.reports import AskedUnit
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import EXTENDED, STANDARD_MASK, Frame

_REPEATED: Final = {0x19: 1, 0x22: 2}
"""The services that may be asked, and how many bytes of a question its answer repeats."""

TIMEOUT: Final = 5 * SECOND
"""[ns] for an answer, and for each pending one: P2* of ISO 14229-2."""

_NEGATIVE: Final = 0x7F
_NEGATIVE_LENGTH: Final = 3
_POSITIVE: Final = 0x40
_PENDING: Final = 0x78

Outcome: TypeAlias = Literal["waiting", "answered", "no answer"]


class QuestionRow(NamedTuple):
    """The last question on a bus: its number, request and answer in hexadecimal."""

    request: int
    asked: str
    outcome: Outcome | None
    answer: str


class Questioner:
    """Asks the control unit of one bus, a question at a time: a node of the bus. `number` counts the questions."""

    def __init__(self, bus: Bus, settings: AskedUnit) -> None:
        address = address_of(settings)
        self.number = 0
        self._bus: Final = bus
        self._connection: Final = IsoTpConnection(address.mirrored(), partial(bus.transmit, origin=None))
        self._question = b""
        self._answer = b""
        self._outcome: Outcome | None = None
        self._due = 0
        bus.attach(self, {address.response_id})

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
        self._connection.reset()
        self._connection.send(question, t)
        self.number += 1
        self._question, self._answer, self._outcome = question, b"", "waiting"
        self._due = t + TIMEOUT
        return self.number

    def receive(self, frame: Frame, t: int) -> None:
        """Take a frame of the answer; answers to other testers are not taken."""
        if self._outcome != "waiting":
            return
        payload = self._connection.receive(frame, t)
        if payload is None or not self._belongs(payload):
            return
        if payload[0] == _NEGATIVE and payload[-1] == _PENDING:
            self._due = t + TIMEOUT
        else:
            self._answer, self._outcome = payload, "answered"

    def poll(self, t: int) -> None:
        """Send what is due, and check the time; called once a tick."""
        if self._outcome != "waiting":
            return
        self._connection.poll(t)
        if t >= self._due:
            self._connection.reset()
            self._outcome = "no answer"

    def take_over(self, before: "Questioner") -> None:
        """Continue the numbers of another one, after a reload; a question under way has no answer."""
        self.number = before.number
        self._question = before._question
        self._answer = before._answer
        self._outcome = "no answer" if before._outcome == "waiting" else before._outcome

    def status(self) -> QuestionRow:
        """Return the last question, its number, and its outcome."""
        return QuestionRow(self.number, self._question.hex(), self._outcome, self._answer.hex())

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
