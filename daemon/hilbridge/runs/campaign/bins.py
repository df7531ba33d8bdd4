"""Bins of values, for distributions and main effects.

Few values are a bin each; more numbers are bins of equal width, or of equal ratio where the campaign spreads them so.
"""

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

FEW: Final = 8
"""Different values up to which each is a bin of its own; and the bins of more numbers."""


class Bin(NamedTuple):
    """A bin: its name, and the places of its values in the list."""

    title: str
    places: list[int]


def bins(values: Sequence[Any], most: int = FEW, *, log: bool = False) -> list[Bin]:
    """Return the bins of values, in ascending order, without those that are None. `log`: bins of equal ratio."""
    places: dict[Any, list[int]] = {}
    for place, value in enumerate(values):
        if value is not None:
            places.setdefault(value, []).append(place)
    numbers = [value for value in places if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) < len(places):
        return [Bin(str(value), found) for value, found in places.items()]
    numbers.sort()
    if len(numbers) <= min(FEW, most):
        return [Bin(f"{value:.6g}", places[value]) for value in numbers]
    low, high = numbers[0], numbers[-1]
    is_log = log and low > 0
    edges = [_between(low, high, number / most, log=is_log) for number in range(most + 1)]
    made = [Bin(f"{edges[number]:.4g} to {edges[number + 1]:.4g}", []) for number in range(most)]
    for value in numbers:
        share = math.log(value / low) / math.log(high / low) if is_log else (value - low) / (high - low)
        made[min(int(share * most), most - 1)].places.extend(places[value])
    return made


def _between(low: float, high: float, share: float, *, log: bool) -> float:
    return low * (high / low) ** share if log else low + (high - low) * share
