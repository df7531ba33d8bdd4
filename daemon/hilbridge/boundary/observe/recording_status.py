"""The status of the recording under way, which the observer keeps in the shared memory."""

import json
from typing import NamedTuple, Self

from hilbridge.boundary.observe.rings import RECORDING_SIZE


class RecordingStatus(NamedTuple):
    """The recording under way, since the event at `position`; no `folder`: there is none.

    The observer writes it into the shared memory, for its successor and for the status of the run: as a record of fixed
    size in a ring of its own (snapshot_ring.py), so that a crash in the middle of writing leaves the one before.
    """

    position: int = -1
    """Position of the latest event that began or ended a recording; everything up to it is done."""
    folder: str = ""
    since: int = 0
    """[ns] Time of the run at its beginning."""
    lost: int = 0
    """Number of events of the run that were lost before."""
    damaged: int = 0
    """Number of times that unreadable events of the run were skipped before."""
    error: str = ""
    """Reason why it could not be begun."""
    unremoved: str = ""
    """Reason why its oldest segment cannot be removed, so that it is beyond its bounds."""

    def encode(self) -> bytes:
        """Return the record in the shared memory."""
        return json.dumps(self).encode().ljust(RECORDING_SIZE)

    @classmethod
    def decode(cls, content: bytes) -> Self:
        """Return the inverse of `encode`."""
        return cls(*json.loads(content))
