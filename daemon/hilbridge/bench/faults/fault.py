"""The life cycle of a fault.

waiting    t < begin
active     begin <= t < end, for at least one tick
over       at `end`, after the last frame or request that it was to hit, or when it was cleared
"""

from collections.abc import Callable
from random import Random
from typing import Final, Literal, Protocol, TypeAlias

from hilbridge.base.common.units import SECOND
from hilbridge.files.settings.faults import FaultSettings

State: TypeAlias = Literal["waiting", "active", "over"]


class HitSelector:
    """Selects the frames or requests that a fault hits.

    Every `every`-th with a `probability`, and at most `most`; `hits` counts them. `random` belongs to this fault alone:
    other faults do not change its sequence. `still_at_work` tells whether what the last one has caused still lasts.
    """

    __slots__ = ("_seen", "every", "hits", "most", "probability", "random", "still_at_work")

    def __init__(self, random: Random, probability: float = 1.0, most: int | None = None, every: int = 1) -> None:
        self.random: Final = random
        self.probability: Final = probability
        self.most: Final = most
        self.every: Final = every
        self.hits = 0
        self.still_at_work: Callable[[], bool] | None = None
        self._seen = 0

    @property
    def exhausted(self) -> bool:
        """Whether all that were to be hit have been hit, and nothing of it lasts."""
        return self.hits == self.most and not (self.still_at_work is not None and self.still_at_work())

    def selects(self) -> bool:
        """Return whether the next one is hit."""
        self._seen += 1
        if (
            self._seen % self.every
            or self.hits == self.most
            or (self.probability < 1 and self.random.random() >= self.probability)
        ):
            return False
        self.hits += 1
        return True


class Effect(Protocol):
    """The effect of a fault, from `begin` to `end`."""

    def begin(self) -> None:
        """Start the effect."""

    def end(self) -> None:
        """End the effect."""


class InjectedFault:
    """A fault with its `number`. `start` and `finish` [ns]; without `finish` it remains until it is cleared."""

    __slots__ = ("_effect", "by", "finish", "number", "selector", "settings", "start", "state", "why_over")

    def __init__(
        self,
        number: int,
        settings: FaultSettings,
        effect: Effect,
        selector: HitSelector,
        t: int,
        by: str | None = None,
    ) -> None:
        """`t` [ns]: the origin of the times in the settings. `by`: who has added it; None: no name."""
        self.by: Final = by
        self.number: Final = number
        self.settings: Final = settings
        self.selector: Final = selector
        self.start: Final = t + round(settings.at * SECOND)
        self.finish = None if settings.duration is None else self.start + round(settings.duration * SECOND)
        self.state: State = "waiting"
        self.why_over = ""
        self._effect = effect

    def replace_effect(self, effect: Effect) -> None:
        """Replace the effect, as after a reload."""
        if self.state == "active":
            self._effect.end()
            effect.begin()
        self._effect = effect

    def advance(self, t: int) -> bool:
        """Begin or end the fault if that is due at `t` [ns]; return whether the state changed."""
        if self.state == "waiting" and t >= self.start:
            self.state = "active"
            self._effect.begin()
        elif self.state == "active" and self.selector.exhausted:
            self.stop("all are hit", t)
        elif self.state == "active" and self.finish is not None and t >= self.finish:
            self.stop("its time is over", t)
        else:
            return False
        return True

    def stop(self, why: str, t: int) -> None:
        """End the fault, which need not have begun."""
        if self.state == "active":
            self._effect.end()
        self.state = "over"
        self.why_over = why
        self.finish = t
