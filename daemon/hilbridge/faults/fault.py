"""The life of one fault.

waiting    t < begin
active     begin <= t < end, for one tick at least
over       at `end`, when it has hit all frames that it was to hit, or when it was cleared
"""

from random import Random
from typing import Final, Literal, Protocol, TypeAlias

from hilbridge.common.units import SECOND
from hilbridge.settings.faults import FaultSettings

State: TypeAlias = Literal["waiting", "active", "over"]


class HitSelector:
    """Which frames a fault hits: each with a `probability`, and so many (`frames`) at most. `hits`: so many so far.

    `random` is the fault's own: what other faults draw does not change it.
    """

    __slots__ = ("frames", "hits", "probability", "random")

    def __init__(self, random: Random, probability: float = 1.0, frames: int | None = None) -> None:
        self.random: Final = random
        self.probability: Final = probability
        self.frames: Final = frames
        self.hits = 0

    @property
    def spent(self) -> bool:
        """It has hit all that it was to hit."""
        return self.hits == self.frames

    def strikes(self) -> bool:
        """Whether the frame at hand is hit."""
        if self.hits == self.frames or (self.probability < 1 and self.random.random() >= self.probability):
            return False
        self.hits += 1
        return True


class Effect(Protocol):
    """What a fault does, from `begin` to `end`."""

    def begin(self) -> None:
        """From now on something is wrong."""

    def end(self) -> None:
        """All is well again."""


class InjectedFault:
    """A fault with its `number`, by which people know it. `start` and `finish` [ns]; without `finish` it stays."""

    __slots__ = ("_effect", "draw", "finish", "number", "settings", "start", "state", "why_over")

    def __init__(self, number: int, settings: FaultSettings, effect: Effect, draw: HitSelector, t: int) -> None:
        """`t` [ns]: its times are counted from here."""
        self.number: Final = number
        self.settings: Final = settings
        self.draw: Final = draw
        self.start: Final = t + round(settings.at * SECOND)
        self.finish = None if settings.duration is None else self.start + round(settings.duration * SECOND)
        self.state: State = "waiting"
        self.why_over = ""
        self._effect = effect

    def move(self, effect: Effect) -> None:
        """From now on it has this effect in place of the one that it had."""
        if self.state == "active":
            self._effect.end()
            effect.begin()
        self._effect = effect

    def advance(self, t: int) -> bool:
        """What is due at `t` [ns] happens; whether the state changed."""
        if self.state == "waiting" and t >= self.start:
            self.state = "active"
            self._effect.begin()
        elif self.state == "active" and self.draw.spent:
            self.stop("all frames are hit", t)
        elif self.state == "active" and self.finish is not None and t >= self.finish:
            self.stop("its time is over", t)
        else:
            return False
        return True

    def stop(self, why: str, t: int) -> None:
        """It is over, though it may never have begun."""
        if self.state == "active":
            self._effect.end()
        self.state = "over"
        self.why_over = why
        self.finish = t
