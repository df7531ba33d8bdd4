"""One side of a talk over ISO-TP, as an observer hears it: the messages on an identifier, and how they were sent.

An observer sends nothing, so the flow control that the receiver of a message would send is discarded; that of the real
receiver is on the identifier of the other side.
"""

from collections import Counter
from typing import Final, NamedTuple

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.bench.diagnostics.isotp.frames import (
    ConsecutiveFrame,
    FirstFrame,
    FlowControl,
    FrameEncoder,
    SingleFrame,
    decode,
)
from hilbridge.bench.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.bench.diagnostics.isotp.receiver import IsoTpReceiver
from hilbridge.bench.diagnostics.isotp.statistics import IsoTpStatistics
from hilbridge.frames.codec.frame import Frame

_LONGEST: Final = 1 << 20
"""[byte] of a message."""


class Message(NamedTuple):
    """A message: its payload, the times [ns] of its first and its last frame."""

    begin: int
    end: int
    payload: bytes


class Channel:
    """The frames of an identifier whose data begin with `prefix`, none or one byte.

    `frames` counts them, `strange` those that are no part of a message. `controls` are the flow controls with their
    times; `firsts` the times of first frames. `padding` counts the bytes that filled frames up, None where a frame
    ended with its data; `longest` is the length of the longest frame.
    """

    def __init__(self, can_id: int, prefix: bytes) -> None:
        self.can_id: Final = can_id
        self.prefix: Final = prefix
        self.messages: Final[list[Message]] = []
        self.controls: Final[list[tuple[int, FlowControl]]] = []
        self.firsts: Final[list[int]] = []
        self.padding: Final[Counter[int | None]] = Counter()
        self.frames = 0
        self.strange = 0
        self.longest = 0
        self._statistics: Final = IsoTpStatistics()
        parameters = IsoTpParameters(longest=_LONGEST)
        self._receiver: Final = IsoTpReceiver(
            FrameEncoder(can_id, prefix, parameters), lambda _: None, parameters, self._statistics
        )
        self._begin = 0

    def take(self, data: bytes, t: int) -> None:
        """Take the data of a frame of the time `t` [ns], with the prefix."""
        self.frames += 1
        self.longest = max(self.longest, len(data))
        start = len(self.prefix)
        match decode(data, start):
            case SingleFrame() as single:
                head = 1 if len(data) <= CLASSIC_LENGTH else 2
                self._note_padding(data[start + head + len(single.data) :], len(data))
                self.messages.append(Message(t, t, self._receiver.single(single, t)))
            case FirstFrame() as first:
                self._begin = t
                self.firsts.append(t)
                self._receiver.first(first, len(data) - start - 1, t)
            case ConsecutiveFrame() as consecutive:
                self._take_consecutive(consecutive, data, t)
            case FlowControl() as control:
                self.controls.append((t, control))
                self._note_padding(data[start + 3 :], len(data))
            case _:
                self.strange += 1

    def _take_consecutive(self, frame: ConsecutiveFrame, data: bytes, t: int) -> None:
        before = self._statistics.unexpected, self._statistics.wrong_sequence, self._statistics.malformed
        held = len(self._receiver.received)
        payload = self._receiver.consecutive(frame, t)
        if before != (self._statistics.unexpected, self._statistics.wrong_sequence, self._statistics.malformed):
            self.strange += 1
        if payload is not None:
            self._note_padding(data[len(self.prefix) + 1 + len(payload) - held :], len(data))
            self.messages.append(Message(self._begin, t, payload))

    def _note_padding(self, rest: bytes, length: int) -> None:
        if rest:
            self.padding[rest[-1]] += 1
        elif length < CLASSIC_LENGTH:
            self.padding[None] += 1

    @property
    def broken(self) -> int:
        """The messages that were lost on the way: a frame is missing, or the next message came too early."""
        one = self._statistics
        return one.n_cr_timeout + one.wrong_sequence + one.interrupted


class Talk:
    """The channels of all identifiers of a bus, each read with and without an address prefix."""

    def __init__(self) -> None:
        self.plain: Final[dict[int, Channel]] = {}
        self.prefixed: Final[dict[tuple[int, int], Channel]] = {}
        self._dropped: Final[set[int]] = set()

    def take(self, frame: Frame, t: int) -> None:
        """Take a frame of the time `t` [ns]."""
        can_id, data = frame.can_id, frame.data
        if not data or can_id in self._dropped:
            return
        plain = self.plain.get(can_id)
        if plain is None:
            plain = self.plain[can_id] = Channel(can_id, b"")
        plain.take(data, t)
        prefixed = self.prefixed.get((can_id, data[0]))
        if prefixed is None:
            prefixed = self.prefixed[can_id, data[0]] = Channel(can_id, data[:1])
        prefixed.take(data, t)
        if plain.frames == _TRIED and self._is_no_talk(plain):
            self._drop(can_id)

    def _is_no_talk(self, plain: Channel) -> bool:
        others = [channel for (can_id, _), channel in self.prefixed.items() if can_id == plain.can_id]
        strange = sum(channel.strange for channel in others)
        return min(plain.strange, strange) * _MOST_STRANGE > plain.frames

    def _drop(self, can_id: int) -> None:
        """Forget an identifier that carries something else, so that it costs neither time nor memory."""
        self._dropped.add(can_id)
        del self.plain[can_id]
        for key in [key for key in self.prefixed if key[0] == can_id]:
            del self.prefixed[key]


_TRIED: Final = 200
"""Frames of an identifier after which it is clear whether it carries ISO-TP."""

_MOST_STRANGE: Final = 4
"""One frame in so many may be no part of a message."""
