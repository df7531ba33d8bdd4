"""The traffic list of a bus: the newest frame of every identifier, when the last ones came, and how many there were.

Frames from outside are kept apart from those of the bench, so that two senders of one identifier are seen as two.
"""

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

from hilbridge.frames.codec.frame import Frame

MOST: Final = 256
"""Identifiers from outside that are kept, and as many of the bench's own: a bound on memory against a flood."""


TIMES: Final = 16
"""Times that are kept of the frames of an identifier; a power of two."""


class Sighting(NamedTuple):
    """The newest `frame` of an identifier, seen at `t` [ns]: the `number`-th of those from its side."""

    received: bool
    frame: Frame
    t: int
    number: int


class Traffic:
    """An observer of a bus that keeps the newest frame of every identifier, from when it is attached."""

    __slots__ = ("_rows",)

    def __init__(self) -> None:
        self._rows: Final[tuple[dict[int, _Row], dict[int, _Row]]] = ({}, {})  # the bench's, those from outside

    def newest(self, can_id: int) -> Sighting | None:
        """Return the newest frame of the bench's own with an identifier; None: there was none."""
        row = self._rows[False].get(can_id)
        return None if row is None else Sighting(False, row.frame, row.t, row.count)

    def arrivals(self) -> Iterator[tuple[int, bool, int, bytes]]:
        """Yield identifier, whether received, number of frames, and the times of the last TIMES of them, as `__iter__`.

        Times [ns] are 64-bit integers, little-endian, that of frame n, counted from 0, at n mod TIMES; of frames that
        have not been there it is the time of the first one.
        """
        for received, rows in enumerate(self._rows):
            for row in tuple(rows.values()):
                yield row.frame.can_id, bool(received), row.count, _TIMES.pack(*row.times)

    def note(self, t: int, _bus: int, received: bool, frame: Frame) -> None:
        """Keep a frame of the tick of time `t` [ns]; `received` from outside."""
        rows = self._rows[received]
        row = rows.get(frame.can_id)
        if row is not None:
            count = row.count
            row.times[count & _LAST] = t
            row.count = count + 1
            row.frame = frame
        elif len(rows) < MOST:
            rows[frame.can_id] = _Row(t, frame)

    def __iter__(self) -> Iterator[Sighting]:
        """Yield the newest frames in the order in which their identifiers appeared, the bench's own before the others.

        Frames may be noted meanwhile: identifiers that appear then may be missing.
        """
        for received, rows in enumerate(self._rows):
            for row in tuple(rows.values()):
                yield Sighting(bool(received), row.frame, row.t, row.count)


_LAST: Final = TIMES - 1
_TIMES: Final = struct.Struct(f"<{TIMES}q")


class _Row:
    """A row that is changed in place: a frame costs no allocation."""

    __slots__ = ("count", "frame", "times")

    def __init__(self, t: int, frame: Frame) -> None:
        self.frame = frame
        self.count = 1
        self.times = [t] * TIMES

    @property
    def t(self) -> int:
        """[ns] Time of the newest frame."""
        return self.times[(self.count - 1) & _LAST]
