"""Requests with their answers, in the order in which a tester asked: what a talk with one control unit consists of."""

from typing import Final, NamedTuple

from hilbridge.base.common.units import SECOND
from hilbridge.desk.clone.channel import Message
from hilbridge.desk.clone.pairing import LATEST, NEGATIVE, Pair, answers

PENDING: Final = 0x78
_RECENT: Final = 16
"""Requests that may still be answered."""


class Exchange(NamedTuple):
    """A request and its outcome.

    `answer` is None where none came; `delay` [ns] to the first frame of the first answer, `pending` counts the answers
    "response pending" before the last one. `functional`: to all control units.
    """

    log: str
    t: int
    request: bytes
    functional: bool
    answer: bytes | None
    delay: int | None = None
    pending: int = 0

    @property
    def place(self) -> str:
        """The place in the log, for people."""
        return f"{self.log}, {self.t / SECOND:.3f} s"

    @property
    def refusal(self) -> int | None:
        """The negative response code."""
        return self.answer[2] if self.answer is not None and self.answer[0] == NEGATIVE else None

    @property
    def positive(self) -> bytes:
        """The positive answer without its service; nothing where there is none."""
        return b"" if self.answer is None or self.answer[0] == NEGATIVE else self.answer[1:]


class _Open:
    """A request that may still be answered."""

    def __init__(self, message: Message, functional: bool) -> None:
        self.message: Final = message
        self.functional: Final = functional
        self.answer: Message | None = None
        self.first: int | None = None
        self.pending = 0
        self.heard = message.end

    @property
    def waits(self) -> bool:
        """Whether a further answer may belong to it."""
        return self.answer is None


def exchanges_of(pair: Pair, log: str, start: int) -> tuple[list[Exchange], int]:
    """Return the requests to a control unit with its answers, and how many messages of it answer none of them.

    `log` names the log, whose first frame came at `start` [ns].
    """
    asked: list[tuple[int, int, Message, bool]] = []
    channels = [(pair.request, False), *((one, True) for one in pair.functional)]
    for channel, functional in channels:
        if channel is not None:
            asked += [(message.end, 0, message, functional) for message in channel.messages]
    heard = [(message.begin, 1, message, False) for message in pair.answer.messages]
    requests: list[_Open] = []
    lost = 0
    for _, kind, message, functional in sorted([*asked, *heard], key=lambda one: one[:2]):
        if kind == 0:
            if message.payload[0] & 0x40 == 0:
                requests.append(_Open(message, functional))
            continue
        lost += not _assign(requests, message)
    return [_closed(one, log, start) for one in requests], lost


def _assign(requests: list[_Open], message: Message) -> bool:
    """Give an answer to the newest request that it fits; return whether there is one."""
    for one in reversed(requests[-_RECENT:]):
        if one.waits and answers(one.message.payload, message.payload) and message.begin - one.heard <= LATEST:
            one.heard = message.end
            if one.first is None:
                one.first = message.begin
            if message.payload[0] == NEGATIVE and message.payload[2] == PENDING:
                one.pending += 1
            else:
                one.answer = message
            return True
    return False


def _closed(one: _Open, log: str, start: int) -> Exchange:
    answer = None if one.answer is None else one.answer.payload
    delay = None if one.first is None else one.first - one.message.end
    return Exchange(log, one.message.end - start, one.message.payload, one.functional, answer, delay, one.pending)
