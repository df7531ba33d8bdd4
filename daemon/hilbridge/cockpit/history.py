"""History of a run: snapshots at growing intervals, so that a page shows what was before it was opened.

Every snapshot that is offered is kept until there are MOST of them; then every second one is dropped, and only every
second one offered is kept from there on, and so forth: the whole run fits, ever coarser.
"""

from typing import Final

MOST: Final = 1024
"""Snapshots that are kept, of some thousand bytes each."""


class History:
    """The kept snapshots of one run, oldest first; each is a record of the snapshot ring as it stands."""

    def __init__(self) -> None:
        self._kept: Final[list[bytes]] = []
        self._stride = 1
        self._offered = 0

    def offer(self, snapshot: bytes) -> None:
        """Keep a snapshot, if it is its turn."""
        if self._offered % self._stride == 0:
            self._kept.append(snapshot)
        self._offered += 1
        if len(self._kept) == MOST:
            del self._kept[1::2]
            self._stride *= 2

    def clear(self) -> None:
        """Forget all snapshots."""
        self._kept.clear()
        self._stride, self._offered = 1, 0

    def to_bytes(self) -> bytes:
        """Return the kept snapshots, one behind the other."""
        return b"".join(self._kept)
