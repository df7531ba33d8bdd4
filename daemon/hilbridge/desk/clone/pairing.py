"""Finds who answers whom: the pairs of identifiers of a talk, found by what was said on them.

An answer begins with the service of its request plus 0x40, or with 7F and the service (ISO 14229-1, SAE J1979). Of the
channels whose messages are answers to those of another one, the physical request is, in this order: the partner that
ISO 15765-4 or normal fixed addressing gives it, the channel with flow control for its long answers, the channel that it
answers most. Other channels that it answers are functional requests.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hilbridge.base.common.units import SECOND
from hilbridge.desk.clone.channel import Channel, Talk
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK

NEGATIVE: Final = 0x7F
POSITIVE: Final = 0x40
LATEST: Final = 6 * SECOND
"""[ns] from a request, or from "response pending", to its answer."""

_EXPLAINED: Final = 0.8
"""Share of the messages of a control unit that answer requests."""
_FEW: Final = 3
"""Answers by which identifiers outside of the standards are believed."""
_FIXED: Final = {0x18DA, 0x18CE}
_FUNCTIONAL: Final = {0x7DF, 0x18DB33F1 | EXTENDED}


class Pair(NamedTuple):
    """A control unit on the bus: the channels of physical and functional requests, and that of its answers.

    `request` is None where it was only asked functionally. `hits` counts its messages that answer a request.
    """

    answer: Channel
    request: Channel | None
    functional: tuple[Channel, ...]
    hits: int
    certainty: Certainty


def find_pairs(talk: Talk) -> list[Pair]:
    """Return the control units of a talk, by the identifier of their answers."""
    channels = list(_candidates(talk))
    asking = [one for one in channels if any(_is_request(message.payload) for message in one.messages)]
    pairs: list[Pair] = []
    for answer in channels:
        if any(_is_answer(message.payload) for message in answer.messages):
            pair = _pair(answer, _hits(answer, [one for one in asking if _may_pair(one, answer)]))
            if pair is not None:
                pairs.append(pair)
    best: dict[int, Pair] = {}
    for pair in pairs:
        key = pair.answer.can_id
        others = [one for one in pairs if one.answer.can_id == key]
        best[key] = max(others, key=lambda one: (one.hits, one.certainty))
    kept = [pair for pair in pairs if pair.answer.prefix or best[pair.answer.can_id] is pair]
    kept = [pair for pair in kept if not pair.answer.prefix or best[pair.answer.can_id].answer.prefix]
    physical = {pair.request for pair in kept}
    kept = [pair._replace(functional=tuple(one for one in pair.functional if one not in physical)) for pair in kept]
    return sorted(kept, key=lambda pair: (pair.answer.can_id, pair.answer.prefix))


def standard_request(can_id: int) -> int | None:
    """Return the identifier of requests that the standards give to one of answers; None: they give none."""
    identifier = can_id & EXTENDED_MASK
    if can_id & EXTENDED:
        if identifier >> 16 in _FIXED:
            return EXTENDED | identifier & 0x1FFF0000 | (identifier & 0xFF) << 8 | identifier >> 8 & 0xFF
        return None
    return identifier - 8 if 0x7E8 <= identifier <= 0x7EF else None


def _candidates(talk: Talk) -> Iterator[Channel]:
    """Yield the readings of identifiers that hold messages."""
    for channel in (*talk.plain.values(), *talk.prefixed.values()):
        if channel.messages and channel.strange <= (1 - _EXPLAINED) * channel.frames + 1:
            yield channel


def _may_pair(request: Channel, answer: Channel) -> bool:
    """Return whether two readings fit: both with a prefix or none; functional requests of OBD have none."""
    return bool(request.prefix) == bool(answer.prefix) and request.can_id != answer.can_id


def _pair(answer: Channel, hits: dict[Channel, int]) -> Pair | None:
    """Return the control unit of a channel of answers; `hits` counts those to each channel of requests."""
    standard = standard_request(answer.can_id)
    request = max(
        (one for one in hits if one.can_id not in _FUNCTIONAL),
        key=lambda one: (one.can_id == standard, _controls(one, answer), hits[one]),
        default=None,
    )
    known = standard is not None and (request is None or request.can_id == standard)
    if not hits or (request is None and not known):
        return None
    total = sum(hits.values())
    if total < _EXPLAINED * len(answer.messages) or (not known and total < _FEW):
        return None
    functional = tuple(one for one in hits if one is not request)
    return Pair(answer, request, functional, total, Certainty.SURE if known else Certainty.LIKELY)


def _is_request(payload: bytes) -> bool:
    return bool(payload) and not payload[0] & POSITIVE


def _is_answer(payload: bytes) -> bool:
    return bool(payload) and bool(payload[0] & POSITIVE)


def answers(request: bytes, answer: bytes) -> bool:
    """Return whether a message may answer a request: its service, and what of the request an answer repeats."""
    if not request or not answer:
        return False
    if answer[0] == NEGATIVE:
        return len(answer) == 3 and answer[1] == request[0]
    return answer[0] == request[0] | POSITIVE and not request[0] & POSITIVE


def _hits(answer: Channel, requests: Sequence[Channel]) -> dict[Channel, int]:
    """Count the messages of a channel that answer requests, by the channel of the newest request that each one fits."""
    asked = sorted((message.end, i, message.payload) for i, one in enumerate(requests) for message in one.messages)
    newest: dict[int, tuple[int, bytes]] = {}
    hits: dict[Channel, int] = {}
    index = 0
    for message in answer.messages:
        while index < len(asked) and asked[index][0] <= message.begin:
            end, number, payload = asked[index]
            newest[number] = end, payload
            index += 1
        fitting = [
            (end, number)
            for number, (end, payload) in newest.items()
            if message.begin - end <= LATEST and answers(payload, message.payload)
        ]
        if fitting:
            _, number = max(fitting)
            newest[number] = message.end, newest[number][1]
            hits[requests[number]] = hits.get(requests[number], 0) + 1
    return hits


def _controls(request: Channel, answer: Channel) -> int:
    """Count the flow controls on the channel of requests that follow a first frame on that of answers."""
    times = iter(sorted(t for t, _ in request.controls))
    count, control = 0, next(times, None)
    for first in answer.firsts:
        while control is not None and control < first:
            control = next(times, None)
        if control is not None and control - first <= SECOND:
            count += 1
    return count
