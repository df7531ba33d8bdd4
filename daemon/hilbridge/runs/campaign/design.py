"""Designs of experiments: the points at which a campaign runs its bench.

A grid has every combination of the values. A sampled design spreads its points over the space that the keys span, one
dimension for each: independent (random), with one point in each of `runs` slices of every dimension (Latin hypercube),
or as a scrambled Sobol sequence. A list of values is a dimension of equal slices, in the order of the list.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from math import prod
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.files.settings.campaign import CampaignSettings, DesignSettings, RangeSettings

_DIGITS: Final = 9
"""Significant digits of a sampled value: it is the same as text and as number."""

Point = dict[str, Any]
"""The values of a run by their keys."""

_Values = Sequence[Any] | RangeSettings


def count(settings: CampaignSettings) -> int:
    """Return how many points the design has."""
    if settings.design.runs is not None:
        return settings.design.runs
    return prod(len(each) if isinstance(each, list) else each.steps or 0 for each in settings.vary.values())


def points(settings: CampaignSettings) -> Iterator[Point]:
    """Yield the points in an order that depends on the settings alone. ConfigurationError: a package is missing."""
    keys, values = settings.vary.keys(), settings.vary.values()
    if settings.design.kind == "grid":
        combinations: Iterator[Sequence[Any]] = itertools.product(*map(_grid, values))
    else:
        combinations = (
            [_value(each, float(position)) for each, position in zip(values, row, strict=True)]
            for row in _samples(settings.design, len(keys))
        )
    for combination in combinations:
        yield dict(zip(keys, combination, strict=True))


def _grid(values: _Values) -> Sequence[Any]:
    """Return the values of one key in a grid."""
    if not isinstance(values, RangeSettings):
        return values
    steps = values.steps or 0
    return [_between(values, i / (steps - 1)) for i in range(steps)]


def _value(values: _Values, position: float) -> Any:
    """Return the value at a position in [0, 1)."""
    if isinstance(values, RangeSettings):
        return _between(values, position)
    return values[int(position * len(values))]


def _between(values: RangeSettings, position: float) -> float | int:
    if values.scale == "log":
        value = values.low * (values.high / values.low) ** position
    else:
        value = values.low + (values.high - values.low) * position
    return round(value) if values.whole else float(f"{value:.{_DIGITS}g}")


def _samples(design: DesignSettings, dimensions: int) -> Any:
    """Return `runs` rows of positions in [0, 1)."""
    runs = design.runs or 0
    if design.kind == "random":
        from numpy.random import default_rng

        return default_rng(design.seed).random((runs, dimensions))
    if find_spec("scipy") is None:
        raise ConfigurationError(f"the design {design.kind} needs the package scipy: {extra_remedy('campaign')}")
    from scipy.stats import qmc

    if design.kind == "sobol":
        return qmc.Sobol(dimensions, rng=design.seed).random(runs)
    return qmc.LatinHypercube(dimensions, rng=design.seed).random(runs)


def combinations(settings: CampaignSettings) -> Iterator[Mapping[str, Any]]:
    """Yield bench, vehicle (None: the bench's own), scenario, point (`set`) and seed of every run, in order."""
    vehicles: Sequence[str | None] = settings.vehicle or [None]
    for bench, vehicle, scenario in itertools.product(settings.bench, vehicles, settings.scenario):
        for point, seed in itertools.product(points(settings), settings.seed_list):
            yield {"bench": bench, "vehicle": vehicle, "scenario": scenario, "set": point, "seed": seed}
