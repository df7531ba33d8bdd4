"""The traffic list of a bus: the newest frame of every identifier, and how many there were.

Frames from outside are kept apart from those of the bench, so that two senders of one identifier are seen as two.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from hilbridge.frames.codec.frame import Frame

MOST: Final = 256
"""Identifiers from outside that are kept, and as many of the bench's own: a bound on memory against a flood."""


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

    def note(self, t: int, _bus: int, received: bool, frame: Frame) -> None:
        """Keep a frame of the tick of time `t` [ns]; `received` from outside."""
        rows = self._rows[received]
        row = rows.get(frame.can_id)
        if row is not None:
            row.count += 1
            row.t = t
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


class _Row:
    """A row that is changed in place: a frame costs no allocation."""

    __slots__ = ("count", "frame", "t")

    def __init__(self, t: int, frame: Frame) -> None:
        self.t = t
        self.frame = frame
        self.count = 1
