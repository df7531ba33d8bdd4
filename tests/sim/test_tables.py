"""Rules of a measured curve."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.tables import Map, Table

points = st.lists(st.integers(-1000, 1000), min_size=1, max_size=12, unique=True).map(sorted)


@given(points, st.randoms(use_true_random=False), st.floats(-1100.0, 1100.0))
def test_a_table_agrees_with_numpy(x: list[int], random: object, at: float) -> None:
    """Straight lines between the points, the first and last value beyond them."""
    y = [random.uniform(-5.0, 5.0) for _ in x]  # type: ignore[attr-defined]  # hypothesis' own random.Random
    assert Table(x, y).at(at) == pytest.approx(np.interp(at, x, y), rel=1e-12, abs=1e-12)


@given(points)
def test_a_table_passes_through_its_points(x: list[int]) -> None:
    """Exactly."""
    y = [0.1 * value * value for value in x]
    table = Table(x, y)
    assert [table.at(value) for value in x] == y


def test_not_a_number_counts_as_before_the_first_point() -> None:
    """A table gives a number whatever comes in."""
    assert Table([0.0, 1.0], [3.0, 4.0]).at(math.nan) == 3.0


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([], [], "0 for 0"),
        ([0.0, 1.0], [1.0], "1 for 2"),
        ([0.0, 0.0], [1.0, 2.0], "0.0 after 0.0"),
        ([2.0, 1.0], [1.0, 2.0], "1.0 after 2.0"),
        ([math.nan, 1.0], [1.0, 2.0], "ascend"),
    ],
)
def test_a_table_that_is_none_is_refused(x: list[float], y: list[float], message: str) -> None:
    """As many values as points, at least one, ascending."""
    with pytest.raises(ValueError, match=message):
        Table(x, y)


@given(points, points, st.randoms(use_true_random=False), st.floats(-1100.0, 1100.0), st.floats(-1100.0, 1100.0))
def test_a_map_agrees_with_numpy(x: list[int], y: list[int], random: object, one: float, two: float) -> None:
    """Straight lines between the points of the grid, held at its borders."""
    rows = [[random.uniform(-5.0, 5.0) for _ in y] for _ in x]  # type: ignore[attr-defined]
    columns = [np.interp(two, y, row) for row in rows]
    assert Map(x, y, rows).at(one, two) == pytest.approx(np.interp(one, x, columns), rel=1e-9, abs=1e-9)
