"""The result of a measurement: a quantity with a permanent name, its value, its spread, and its aim."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any, Literal, NamedTuple

from hilbridge.base.common.statistics import Histogram
from hilbridge.base.common.units import MICROSECOND


class UnavailableError(Exception):
    """The reason why something cannot be measured on this machine."""


class Aim(NamedTuple):
    """A limit that a value should keep."""

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
    """A measured quantity; `value` is None where it could not be measured, and `note` gives the reason.

    `samples`: the number of single values. `spread` is None for fewer than two repetitions.
    """

    quantity: "Quantity"
    value: float | None
    spread: Spread | None = None
    samples: int = 0
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        """Compare the value with the aim; None without aim or value."""
        aim = self.quantity.aim
        return None if aim is None or self.value is None else aim.is_met(self.value)

    def fields(self) -> dict[str, Any]:
        """Return the result for programs; the keys are always the same."""
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
    """A quantity that is measured: name for programs, title for people, unit ("x" is a ratio), aim."""

    name: str
    title: str
    unit: str
    aim: Aim | None = None

    def median(self, values: Sequence[float], samples: int | None = None, note: str = "") -> Result:
        """Return the median of repetitions, which represent `samples` single values where that is more."""
        count = len(values) if samples is None else samples
        return Result(self, median(values), _spread(values), count, note)

    def percentile(self, percent: float, slices: Sequence[Histogram], note: str = "") -> Result:
        """Return the percentile [µs] of all slices together; the spread is that of the slices' own percentiles."""
        values = [each.percentile(percent) / MICROSECOND for each in slices]
        together = merged(slices)
        return Result(self, together.percentile(percent) / MICROSECOND, _spread(values), together.count, note)

    def ratio(self, percent: float, ours: Sequence[Histogram], theirs: Sequence[Histogram], note: str = "") -> Result:
        """Return our percentile over theirs: the median over the pairs of slices that followed each other."""
        pairs = zip(ours, theirs, strict=True)
        return self.median([a.percentile(percent) / b.percentile(percent) for a, b in pairs], note=note)

    def missing(self, reason: str) -> Result:
        """Return the result of a quantity that could not be measured."""
        return Result(self, None, note=reason)


def merged(slices: Sequence[Histogram]) -> Histogram:
    """Return all slices in one histogram."""
    together = Histogram()
    for each in slices:
        together.merge(each)
    return together


def _rounded(value: float | None) -> float | None:
    """Round to the resolution of the clocks, a nanosecond."""
    return None if value is None else round(value, 3)


def _spread(values: Sequence[float]) -> Spread | None:
    if len(values) < 2:
        return None
    low, _, high = quantiles(values, n=4, method="inclusive")
    return Spread(low, high)
