"""What a measurement gives: a quantity whose name stays the same, its value, its scatter, and what is aimed at."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any, Literal, NamedTuple

from hilbridge.common.statistics import Histogram
from hilbridge.common.units import MICROSECOND


class UnavailableError(Exception):
    """Why something cannot be measured on this machine, in words."""


class Aim(NamedTuple):
    """The limit that a value should keep."""

    sense: Literal["at most", "at least"]
    limit: float

    def is_met(self, value: float) -> bool:
        return value <= self.limit if self.sense == "at most" else value >= self.limit

    def __str__(self) -> str:
        return f"{'≤' if self.sense == 'at most' else '≥'} {self.limit:g}"


class Spread(NamedTuple):
    """The middle half of the repetitions: a quarter of them lies below, a quarter above."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Result:
    """A quantity as it was found; `value` is None where it could not be, and `note` says why.

    `samples`: how many single values are behind it. `spread` is None for fewer than two repetitions.
    """

    quantity: "Quantity"
    value: float | None
    spread: Spread | None = None
    samples: int = 0
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        """Whether the value keeps the aim; None without aim or value."""
        aim = self.quantity.aim
        return None if aim is None or self.value is None else aim.is_met(self.value)

    def fields(self) -> dict[str, Any]:
        """For programs; the keys are always the same."""
        aim = self.quantity.aim
        return {
            "value": _rounded(self.value),
            "unit": self.quantity.unit,
            "spread": None if self.spread is None else [_rounded(limit) for limit in self.spread],
            "samples": self.samples,
            "aim": None if aim is None else {aim.sense.replace(" ", "_"): aim.limit},
            "met": self.is_met,
            "note": self.note,
        }


class Quantity(NamedTuple):
    """What is measured: its name for programs, its title for people, and its unit ("x" is a ratio)."""

    name: str
    title: str
    unit: str
    aim: Aim | None = None

    def median(self, values: Sequence[float], samples: int | None = None, note: str = "") -> Result:
        """The median of repetitions, which stand for `samples` single values where that is more."""
        count = len(values) if samples is None else samples
        return Result(self, median(values), _spread(values), count, note)

    def percentile(self, percent: float, slices: Sequence[Histogram], note: str = "") -> Result:
        """The percentile [µs] of all slices together; the spread is that of the slices' own percentiles."""
        values = [each.percentile(percent) / MICROSECOND for each in slices]
        together = merged(slices)
        return Result(self, together.percentile(percent) / MICROSECOND, _spread(values), together.count, note)

    def ratio(self, percent: float, ours: Sequence[Histogram], theirs: Sequence[Histogram], note: str = "") -> Result:
        """Our percentile over theirs, pair by pair of slices that followed each other: the median of all pairs."""
        pairs = zip(ours, theirs, strict=True)
        return self.median([a.percentile(percent) / b.percentile(percent) for a, b in pairs], note=note)

    def missing(self, reason: str) -> Result:
        """Not measured, for a reason."""
        return Result(self, None, note=reason)


def merged(slices: Sequence[Histogram]) -> Histogram:
    """All slices in one histogram."""
    together = Histogram()
    for each in slices:
        together.merge(each)
    return together


def _rounded(value: float | None) -> float | None:
    """To what the clocks can tell: a nanosecond."""
    return None if value is None else round(value, 3)


def _spread(values: Sequence[float]) -> Spread | None:
    if len(values) < 2:
        return None
    low, _, high = quantiles(values, n=4, method="inclusive")
    return Spread(low, high)
