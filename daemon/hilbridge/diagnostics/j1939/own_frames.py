"""The frames of the plan that a control unit sends: they follow its address, and go at once when they are requested."""

from collections.abc import Sequence
from typing import Final

from hilbridge.codec.pgn import split
from hilbridge.plan.planned import PlannedFrame


class OwnFrames:
    """The planned J1939 frames of one node of the database."""

    def __init__(self, frames: Sequence[PlannedFrame]) -> None:
        self._frames: Final = tuple(frames)
        self._by_pgn: Final = {split(frame.can_id).pgn: frame for frame in frames}

    def move(self, address: int | None) -> None:
        """They go under this source address from now on; None: not at all."""
        for frame in self._frames:
            frame.move(address)

    def show(self, pgn: int, t: int) -> bool:
        """Sends the frame of a group; False where there is none, or it is not sent at present."""
        frame = self._by_pgn.get(pgn)
        return frame is not None and frame.show(t)
