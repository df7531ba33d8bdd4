"""The rest bus: the frames of a log, played beside those of the plan.

A frame of the log that is x ns after its first one is due x ns after the start, and in a loop again after each length
of the log, which is its span and the mean distance of its frames. In a tick each identifier goes once, with the newest
of what is due: the others, of a late tick or of a log that is denser than the ticks, are counted as skipped. So nothing
bursts, not where the log starts again either.

A log is bytes: for each frame its time [ns], identifier with flag bits, flags and length, then its data. The playlist
has the time of each frame that is played and its offset in the log; both are 64-bit integers one after another, so that
a list is handed from process to process without being copied, however long the log is.
"""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pickle import PickleBuffer
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.units import NEVER, SECOND
from hilbridge.files.settings.traffic import ProtectedFrame, RestBusSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import EXTENDED_MASK, LOGGED, Frame
from hilbridge.frames.protection import Protector, build_protector

Buffer = bytes | bytearray | memoryview


@dataclass(frozen=True, slots=True, eq=False)
class Playlist:
    """The frames of a log that are played: their `times` [ns] and `offsets` in the `log`; `length` [ns] of a round.

    `lengths` [byte] of the frames of each identifier. `mark` is that of another list only if it has the same frames.
    """

    log: memoryview
    times: memoryview
    offsets: memoryview
    length: int
    lengths: Mapping[int, set[int]]
    mark: bytes

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the buffers out of band, so that they can be transferred without a copy."""
        buffers = map(PickleBuffer, (self.log, self.times, self.offsets))
        return _restored, (*buffers, self.length, self.lengths, self.mark)

    def frame(self, index: int) -> Frame:
        """Return frame number `index`."""
        offset = self.offsets[index]
        _, can_id, flags, length = LOGGED.unpack_from(self.log, offset)
        start = offset + LOGGED.size
        return Frame(can_id, bytes(self.log[start : start + length]), flags)


def find_playlist(log: bytes, settings: RestBusSettings, own: Collection[int], place: KeyPath) -> Playlist:
    """Return the frames of a log that are played; `own`: identifiers, with flag bits, that the bench sends itself.

    ConfigurationError: nothing is left; `place`: key path of `rest_bus`.
    """
    times, offsets = array("q"), array("q")
    lengths: dict[int, set[int]] = {}
    span = count = 0
    for offset, (time, can_id, _, length) in records(log):
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


def records(log: bytes) -> Iterator[tuple[int, tuple[int, int, int, int]]]:
    """Yield the offset of each frame in the log, and its header."""
    offset = 0
    while offset < len(log):
        header = LOGGED.unpack_from(log, offset)
        yield offset, header
        offset += LOGGED.size + header[3]


def _is_chosen(identifier: int, settings: RestBusSettings) -> bool:
    if settings.only is not None and not any(identifier in one for one in settings.only):
        return False
    return not any(identifier in one for one in settings.exclude)


MOST_CHECKED: Final = 4096
"""Frames of the log in one tick; after a longer absence only the last ones are."""


class RestBus:
    """The log of one bus. `sent` and `skipped` count frames, `rounds` how often the log started again."""

    def __init__(self, bus: Bus, playlist: Playlist, settings: RestBusSettings, place: KeyPath) -> None:
        """`place`: key path of `rest_bus`. ConfigurationError: protection that does not fit."""
        self.sent = 0
        self.skipped = 0
        self.rounds = 0
        self._bus = bus
        self._playlist = playlist
        self._times = playlist.times
        self._length = playlist.length
        self._file = settings.file
        self._loops = settings.loop
        self._protectors = dict(_protectors(settings.protection, playlist.lengths, (*place, "protection")))
        self._began: int | None = None
        self._cursor = 0
        self._next = self._times[0]

    def publish(self, t: int) -> None:
        """Send the frames that are due at `t` [ns]; a single comparison when there is none."""
        if self._began is None:
            self._began = t
        elapsed = t - self._began
        if elapsed < self._next:
            return
        due = [self._due(self._length)] if elapsed >= self._length else []
        if due and self._loops:
            rounds = elapsed // self._length
            self.rounds += rounds
            self._began += rounds * self._length
            self._cursor = 0
            elapsed -= rounds * self._length
        due.append(self._due(elapsed))
        self._send([index for some in due for index in some])
        if self._cursor < len(self._times):
            self._next = self._times[self._cursor]
        else:
            self._next = self._length if self._loops else NEVER

    def describe(self) -> str:
        """Return one line for the user."""
        again = ", again and again" if self._loops else ""
        seconds = self._length / SECOND
        return f"rest bus: {len(self._playlist.lengths)} identifiers of {self._file}, {seconds:.1f} s{again}"

    def _due(self, elapsed: int) -> range:
        """Return the frames up to a time of the log, and move the cursor beyond them."""
        end = bisect_right(self._times, elapsed, self._cursor)
        first = max(self._cursor, end - MOST_CHECKED)
        self.skipped += first - self._cursor
        self._cursor = end
        return range(first, end)

    def _send(self, due: list[int]) -> None:
        """Send the newest frame of each identifier, in the order of the log."""
        newest: dict[int, Frame] = {}
        for index in due:
            frame = self._playlist.frame(index)
            self.skipped += newest.pop(frame.can_id, None) is not None
            newest[frame.can_id] = frame
        for can_id, frame in newest.items():
            protector = self._protectors.get(can_id)
            if protector is not None:
                data = bytearray(frame.data)
                protector.protect(data)
                self._bus.transmit(frame._replace(data=bytes(data)), None)
            else:
                self._bus.transmit(frame, None)
        self.sent += len(newest)


def _protectors(
    frames: list[ProtectedFrame], lengths: Mapping[int, set[int]], place: KeyPath
) -> Iterator[tuple[int, Protector]]:
    """Yield the protectors by identifier with flag bits. All frames of an identifier must have the same length."""
    twice = [identifier for identifier, count in Counter(frame.id for frame in frames).items() if count > 1]
    for index, frame in enumerate(frames):
        here = (*place, index)
        if frame.id in twice:
            raise ConfigurationError(f"0x{frame.id:X} is in the list twice", (*here, "id"))
        found = {can_id: length for can_id, length in lengths.items() if can_id & EXTENDED_MASK == frame.id}
        if not found:
            raise ConfigurationError(f"no frame 0x{frame.id:X} of the log is played", (*here, "id"))
        for can_id, sizes in found.items():
            if len(sizes) > 1:
                listed = " and ".join(map(str, sorted(sizes)))
                raise ConfigurationError(f"the frames 0x{frame.id:X} of the log have {listed} bytes", (*here, "id"))
            protector = build_protector(frame.protection, None, can_id, min(sizes), (*here, "protection"))
            if protector is not None:
                yield can_id, protector
