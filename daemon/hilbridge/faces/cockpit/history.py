"""History of a run: snapshots at growing intervals, so that a page shows what was before it was opened.

Every snapshot that is offered is kept until there are MOST of them; then each four in a row become two, and from there
on only one of two offered is kept, and so forth: the whole run fits, ever coarser. Of four values of an entry its least
and its greatest remain, in their order, so that no peak is lost.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from hilbridge.boundary.observe.events import SNAPSHOT_HEAD, SNAPSHOT_LAYOUT
from vehiclesim.channels import NAN

MOST: Final = 1024
"""Snapshots that are kept, of some thousand bytes each."""

_TOGETHER: Final = 4
"""Snapshots that become two."""


class History:
    """The kept snapshots of one run, oldest first; each is a record of the snapshot ring."""

    def __init__(self) -> None:
        self._kept: list[bytes] = []
        self._parts: Final[list[list[bytes]]] = []  # what waits for its four, newest first; each twice as coarse

    def offer(self, snapshot: bytes) -> None:
        """Take a snapshot in."""
        coming = [snapshot]
        for part in self._parts:
            part.extend(coming)
            if len(part) < _TOGETHER:
                return
            coming = _thinned(part)
            part.clear()
        self._kept += coming
        if len(self._kept) >= MOST:
            self._kept = list(_halved(self._kept))
            self._parts.append([])

    def clear(self) -> None:
        """Forget all snapshots."""
        self._kept.clear()
        self._parts.clear()

    def to_bytes(self) -> bytes:
        """Return the snapshots, one behind the other."""
        return b"".join(chain(self._kept, *reversed(self._parts)))


def _halved(records: Sequence[bytes]) -> Iterator[bytes]:
    for i in range(0, len(records), _TOGETHER):
        yield from _thinned(records[i : i + _TOGETHER])


def _thinned(records: Sequence[bytes]) -> list[bytes]:
    """Return two records for four: with the times of the first and the third, and the extremes of each value."""
    numbers = [SNAPSHOT_LAYOUT.unpack(record) for record in records]
    size = len(SNAPSHOT_HEAD)
    first, second = zip(
        *(_extremes(values) for values in zip(*(row[size:] for row in numbers), strict=True)), strict=True
    )
    return [SNAPSHOT_LAYOUT.pack(*numbers[place][:size], *values) for place, values in ((0, first), (2, second))]


def _extremes(values: Sequence[int]) -> tuple[int, int]:
    """Return the least and the greatest value that is available, the earlier one first."""
    known = [value for value in values if value != NAN] or [NAN]
    least, greatest = min(known), max(known)
    return (least, greatest) if values.index(least) <= values.index(greatest) else (greatest, least)
