"""A frame that goes as a reply alone: it is never due, and is asleep while its terminals are off."""

from hilbridge.frames.plan.planned import PlannedFrame


class OnRequestFrame(PlannedFrame):
    """A frame that only `send_on_request` sends."""

    __slots__ = ()

    def switch(self, on: int, t: int) -> None:
        """Apply the set of terminals that are `on` from `t` [ns]."""
        self.awake = bool(self.outgoing.terminals & on)
