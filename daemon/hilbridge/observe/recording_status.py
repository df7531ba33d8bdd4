"""What the observer records at present, in the shared memory: for its successor, and for the status of the run.

A record of fixed size in a ring of its own (snapshot_ring.py), so that a crash in the middle of writing it leaves the
one before.
"""

import json
from typing import Final, NamedTuple, Self

SIZE: Final = 8192
"""[byte]; a path has 4096 at most."""


class RecordingStatus(NamedTuple):
    """The recording under way, since the event at `position`; no `folder`: there is none."""

    position: int = -1
    """Of the event that began or ended a recording last; everything up to there is done."""
    folder: str = ""
    since: int = 0
    """[ns] of the run."""
    lost: int = 0
    """Events of the run that were lost before."""
    damaged: int = 0
    """Times that unreadable events of the run were given up before."""
    error: str = ""
    """Why it could not be begun."""

    def encode(self) -> bytes:
        """A record."""
        return json.dumps(self).encode().ljust(SIZE)

    @classmethod
    def decode(cls, content: bytes) -> Self:
        """The inverse of `encode`."""
        return cls(*json.loads(content))
