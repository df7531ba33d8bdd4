"""Checks the counters and checksums of received frames, and refuses frames that are wrong.

With Δ the distance from the last count to the received one, modulo the counter's size:

    Δ = 0                 repeated; from the second time in a row on: frozen
    1 ≤ Δ ≤ lost + 1      in sequence; up to `lost` frames were lost
    else                  jumped: refused, and the received count is the new reference

After a jump `resume` frames in sequence are refused too before the sender is accepted again (as the state SYNC of
AUTOSAR E2E). The first frame is in sequence with whatever it carries. The counters of a
frame with a wrong checksum are ignored.
"""

from collections.abc import Callable, Sequence
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.files.settings.protection import NumberSettings
from hilbridge.frames.protection.checksum import Calculation
from hilbridge.frames.protection.counter import Counter
from hilbridge.frames.protection.position import Position

TOO_SHORT: Final = "wrong_length"
WRONG_HEADER: Final = "wrong_header"
"""The length or the data id that E2E profiles carry."""
WRONG_CHECKSUM: Final = "wrong_checksum"
COUNTER_INVALID: Final = "counter_invalid"
"""A number that the counter never takes."""
COUNTER_REPEATED: Final = "counter_repeated"
COUNTER_FROZEN: Final = "counter_frozen"
COUNTER_JUMPED: Final = "counter_jumped"

REASONS: Final = (
    TOO_SHORT, WRONG_HEADER, WRONG_CHECKSUM, COUNTER_INVALID, COUNTER_REPEATED, COUNTER_FROZEN, COUNTER_JUMPED,
)  # fmt: skip

_USUAL_LOSS: Final = 2
"""Frames that may be lost in a row, unless the counter is too short to distinguish them."""

Reader = Callable[[bytes | bytearray], int | None]


class Tracker:
    """A tracker of the count that `read` finds in a frame: 0 to `size` − 1, None for a number of no count."""

    __slots__ = ("_last", "_reach", "_read", "_repeated", "_resume", "_size", "_waiting")

    def __init__(self, read: Reader, size: int, lost: int, resume: int) -> None:
        self._read: Final = read
        self._size: Final = size
        self._reach: Final = lost + 1
        self._resume: Final = resume
        self._last: int | None = None
        self._repeated = False
        self._waiting = 0

    def check(self, data: bytes) -> str | None:
        """Return the reason of refusal, or None; the frame's count becomes the last one."""
        count = self._read(data)
        if count is None:
            return COUNTER_INVALID
        last, self._last = self._last, count
        if last is None:
            return None
        distance = (count - last) % self._size
        if distance == 0:
            frozen, self._repeated = self._repeated, True
            return COUNTER_FROZEN if frozen else COUNTER_REPEATED
        self._repeated = False
        if distance > self._reach:
            self._waiting = self._resume
            return COUNTER_JUMPED
        if self._waiting:
            self._waiting -= 1
            return COUNTER_JUMPED
        return None


class Checker:
    """The protection of one frame that is received."""

    def __init__(
        self,
        length: int,
        constants: Sequence[tuple[Position, int]],
        checksums: Sequence[tuple[Position, Calculation, Counter | None]],
        trackers: Sequence[Tracker],
    ) -> None:
        """`checksums` with the counter whose number chooses their data ids."""
        self._length: Final = length
        self._constants: Final = tuple((position.read, number) for position, number in constants)
        self._checksums: Final = tuple(
            (position.read, position.highest, calculate, counter.position.read if counter is not None else None)
            for position, calculate, counter in checksums
        )
        self._trackers: Final = tuple(trackers)

    def check(self, data: bytes) -> str | None:
        """Return why the frame is refused, one of REASONS, or None. Bytes beyond the frame's length are passed over."""
        if len(data) < self._length:
            return TOO_SHORT
        for read, number in self._constants:
            if read(data) != number:
                return WRONG_HEADER
        for read, highest, calculate, number_of in self._checksums:
            if calculate(data, number_of(data) if number_of is not None else 0) & highest != read(data):
                return WRONG_CHECKSUM
        reason: str | None = None
        for tracker in self._trackers:
            reason = tracker.check(data) or reason
        return reason


def tracker(
    counter: Counter, upper: Counter | None, settings: NumberSettings, place: KeyPath, *, gapless: bool = False
) -> Tracker:
    """Return the tracker of a counter, with `upper` as one that counts its rounds; `gapless`: no frame may be lost.

    ConfigurationError: more lost frames than it can distinguish.
    """
    lower = _reader(counter)
    size = counter.numbers.size * (upper.numbers.size if upper is not None else 1)
    most = size - 2
    if settings.lost is not None and settings.lost > most:
        raise ConfigurationError(f"{size} numbers tell no more than {most} lost frames", (*place, "lost"))
    lost = settings.lost if settings.lost is not None else min(_USUAL_LOSS, size // 2 - 1)
    lost = 0 if gapless else lost
    read = lower if upper is None else _two_digits(_reader(upper), lower, counter.numbers.size)
    return Tracker(read, size, lost, settings.resume)


def _reader(counter: Counter) -> Reader:
    return lambda data: counter.numbers.count(counter.position.read(data))


def _two_digits(upper: Reader, lower: Reader, size: int) -> Reader:
    def read(data: bytes | bytearray) -> int | None:
        high, low = upper(data), lower(data)
        return None if high is None or low is None else high * size + low

    return read
