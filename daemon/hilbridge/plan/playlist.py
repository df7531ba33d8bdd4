"""The frames of a log that a rest bus plays, found before the first of them is due.

A log is bytes: for each frame its time [ns], identifier with flag bits, flags and length, then its data. The list has
the time of each frame that is played and where in the log it lies; both are 64-bit integers one after another, so that
a list is handed from process to process without being copied, however long the log is.
"""

from array import array
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pickle import PickleBuffer
from struct import Struct
from typing import Any, Final

from hilbridge.codec.frame import EXTENDED_MASK, Frame
from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.common.units import SECOND
from hilbridge.settings.traffic import RestBusSettings

RECORD: Final = Struct("<qIBB")
"""Time, identifier, flags and length of a frame."""

Buffer = bytes | bytearray | memoryview


@dataclass(frozen=True, slots=True, eq=False)
class Playlist:
    """`times` [ns] of its frames, their `offsets` in the `log`; `length` [ns] of a round.

    `lengths` [byte] of the frames of each identifier. `mark` is that of another list only if it has the same frames.
    """

    log: memoryview
    times: memoryview
    offsets: memoryview
    length: int
    lengths: Mapping[int, set[int]]
    mark: bytes

    def __reduce__(self) -> tuple[Any, ...]:
        """Whoever pickles may leave the buffers out and hand them over beside it."""
        buffers = map(PickleBuffer, (self.log, self.times, self.offsets))
        return _restored, (*buffers, self.length, self.lengths, self.mark)

    def frame(self, index: int) -> Frame:
        """Frame number `index`."""
        offset = self.offsets[index]
        _, can_id, flags, length = RECORD.unpack_from(self.log, offset)
        start = offset + RECORD.size
        return Frame(can_id, bytes(self.log[start : start + length]), flags)


def find_playlist(log: bytes, settings: RestBusSettings, own: Collection[int], place: KeyPath) -> Playlist:
    """What of a log is played; `own` are the identifiers, with flag bits, that the bench sends itself.

    ConfigurationError: nothing is left; `place`: key path of `rest_bus`.
    """
    times, offsets = array("q"), array("q")
    lengths: dict[int, set[int]] = {}
    span = count = 0
    for offset, (time, can_id, _, length) in _records(log):
        span, count = time, count + 1
        if can_id not in own and _is_chosen(can_id & EXTENDED_MASK, settings):
            times.append(time)
            offsets.append(offset)
            lengths.setdefault(can_id, set()).add(length)
    if not times:
        raise ConfigurationError(f"{settings.file} has no frame that is to be played", place)
    mark = blake2b(log)
    mark.update(offsets)
    length = span + (span // max(count - 1, 1) or SECOND)
    return Playlist(memoryview(log), memoryview(times), memoryview(offsets), length, lengths, mark.digest())


def _restored(log: Buffer, times: Buffer, offsets: Buffer, *rest: Any) -> Playlist:
    return Playlist(memoryview(log), memoryview(times).cast("q"), memoryview(offsets).cast("q"), *rest)


def _records(log: bytes) -> Iterator[tuple[int, tuple[int, int, int, int]]]:
    """Where each frame lies in the log, and its header."""
    offset = 0
    while offset < len(log):
        header = RECORD.unpack_from(log, offset)
        yield offset, header
        offset += RECORD.size + header[3]


def _is_chosen(identifier: int, settings: RestBusSettings) -> bool:
    if settings.only is not None and not any(identifier in one for one in settings.only):
        return False
    return not any(identifier in one for one in settings.exclude)
