"""Steps that expect a frame, or that none comes."""

from typing import Final, Protocol

from hilbridge.codec.frame import Frame
from hilbridge.scenario.activity import Ending, seconds
from hilbridge.scenario.pattern import Pattern


class Listener(Protocol):
    """Somebody at an ear."""

    def hear(self, frame: Frame, t: int) -> None:
        """A frame was on the bus at time `t` [ns]."""


class FrameListener:
    """A node of a bus. Those who are listening hear every frame, from inside and outside."""

    def __init__(self) -> None:
        self.listening: Final[list[Listener]] = []

    def receive(self, frame: Frame, t: int) -> None:
        for listener in self.listening:
            listener.hear(frame, t)


class _Awaiting:
    """Keeps the first frame that fits, counts the others of the message, and keeps the last of them."""

    acts: Final = False
    endless = False

    def __init__(self, pattern: Pattern, ear: FrameListener) -> None:
        self._pattern: Final = pattern
        self._ear: Final = ear
        self._begin = 0
        self._fitting: tuple[Frame, int] | None = None
        self._others = 0
        self._last: Frame | None = None

    def begin(self, t: int) -> None:
        self._begin = t
        self._ear.listening.append(self)

    def hear(self, frame: Frame, t: int) -> None:
        if self._fitting is not None or not self._pattern.is_meant(frame):
            return
        if self._pattern.fits(frame):
            self._fitting = (frame, t)
        else:
            self._others += 1
            self._last = frame

    def look(self, t: int) -> Ending | None:
        ending = self._ending(t - self._begin)
        if ending is not None:
            self._ear.listening.remove(self)
        return ending

    def close(self, t: int) -> Ending | None:
        self._ear.listening.remove(self)
        return self._closing(t - self._begin)

    def _ending(self, lasted: int) -> Ending | None:
        raise NotImplementedError

    def _closing(self, lasted: int) -> Ending | None:
        """The scenario is over."""
        return None

    def _found(self, frame: Frame, t: int) -> str:
        return f"after {seconds(t - self._begin)}: {self._pattern.describe(frame)}"


class FrameComes(_Awaiting):
    """A frame that fits comes `within` a time [ns] after the tick in which the step begins."""

    def __init__(self, pattern: Pattern, ear: FrameListener, within: int) -> None:
        super().__init__(pattern, ear)
        self._within: Final = within

    def _ending(self, lasted: int) -> Ending | None:
        if self._fitting is not None:
            return Ending(passed=True, seen=self._found(*self._fitting))
        if lasted < self._within:
            return None
        if self._last is None:
            return Ending(passed=False, seen=f"no {self._pattern.title} in {seconds(lasted)}")
        last = self._pattern.describe(self._last)
        return Ending(passed=False, seen=f"{self._others} came that do not fit; the last: {last}")


class NoFrameComes(_Awaiting):
    """No frame that fits comes for a time [ns] or, with None, to the end of the scenario."""

    def __init__(self, pattern: Pattern, ear: FrameListener, duration: int | None) -> None:
        super().__init__(pattern, ear)
        self.endless = duration is None
        self._duration: Final = duration

    def _closing(self, lasted: int) -> Ending | None:
        return self._none(lasted) if self.endless else None

    def _ending(self, lasted: int) -> Ending | None:
        if self._fitting is not None:
            return Ending(passed=False, seen=self._found(*self._fitting))
        return None if self._duration is None or lasted < self._duration else self._none(lasted)

    def _none(self, lasted: int) -> Ending:
        return Ending(passed=True, seen=f"none in {seconds(lasted)}")
