"""What a step of a scenario does while it lasts, and how it ends."""

from dataclasses import dataclass
from typing import Protocol

from hilbridge.common.units import SECOND


@dataclass(frozen=True, slots=True)
class Ending:
    """How a step ended. `seen`: the values that decided. After a `fatal` one the other steps make no sense."""

    passed: bool
    seen: str = ""
    fatal: bool = False


class Activity(Protocol):
    """A step under way.

    `acts`: it changes something; what is observed after it is observed in the next tick, which knows the change.
    `endless`: it has no end of its own; the scenario does not wait for it.
    """

    @property
    def acts(self) -> bool: ...

    @property
    def endless(self) -> bool: ...

    def begin(self, t: int) -> None:
        """The step begins at the end of the tick of time `t` [ns]. ConfigurationError: it cannot."""

    def look(self, t: int) -> Ending | None:
        """At the end of every tick, that of `begin` included: the ending, or None while it goes on."""

    def close(self, t: int) -> Ending | None:
        """The scenario is over: the ending of what is endless; None: the step was cut off."""


def seconds(nanoseconds: int) -> str:
    """A span for people."""
    return f"{nanoseconds / SECOND:g} s"


def in_nanoseconds(span: float) -> int:
    """A span [s] of the settings."""
    return round(span * SECOND)
