"""Faults of a frame as a whole, on its way from the plan to the bus."""

from typing import Final

from hilbridge.common.units import MILLISECOND
from hilbridge.faults.disturbance import FrameEffect, Passage, Target
from hilbridge.protection.faults import Fault as WrongNumber
from hilbridge.protection.protector import Group
from hilbridge.settings.faults import FrameFault


class Drop(FrameEffect):
    """The frame is lost. Its counter has gone on, by which receivers notice."""

    def alter(self, passage: Passage) -> None:
        passage.copies = 0


class Duplicate(FrameEffect):
    """The frame goes twice, with the same counter."""

    def alter(self, passage: Passage) -> None:
        passage.copies *= 2


class Delay(FrameEffect):
    """The frame goes later, with the content of its own moment."""

    def __init__(self, milliseconds: float, target: Target) -> None:
        super().__init__(target)
        self._delay: Final = round(milliseconds * MILLISECOND)

    def alter(self, passage: Passage) -> None:
        passage.delay += self._delay


class WrongLength(FrameEffect):
    """The frame is cut, or filled up with 0, after its checksum was calculated."""

    def __init__(self, length: int, target: Target) -> None:
        super().__init__(target)
        self._length: Final = length

    def alter(self, passage: Passage) -> None:
        passage.data = passage.data[: self._length].ljust(self._length, b"\0")


class WrongProtection(FrameEffect):
    """A wrong counter or checksum of a group, in the frames that are hit; what is right goes on beneath."""

    def __init__(self, settings: FrameFault, group: Group, target: Target) -> None:
        super().__init__(target)
        self._group: Final = group
        self._of_counter: Final = settings.effect == "counter"
        self._wrong: Final = WrongNumber(settings.wrong, settings.amount, None, target.draw.random)

    def falsify(self, data: bytes) -> bytes | None:
        """The bytes as they are, but the group will fill in what is wrong."""
        if not self.draw.strikes():
            return None
        self._disturb(self._wrong)
        return data

    def alter(self, passage: Passage) -> None:
        self._disturb(None)

    def _disturb(self, wrong: WrongNumber | None) -> None:
        if self._of_counter:
            self._group.counter_fault = wrong
        else:
            self._group.checksum_fault = wrong
