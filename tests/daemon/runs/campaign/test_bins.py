"""Bins: which values stand together."""

import math

import pytest

from hilbridge.runs.campaign.bins import bins


def test_few_values_are_a_bin_each_in_ascending_order() -> None:
    assert bins([3, 1, None, 3, 2.5]) == [("1", [1]), ("2.5", [4]), ("3", [0, 3])]


def test_words_keep_the_order_of_their_first_run() -> None:
    assert bins(["snow", "dry", "snow", True]) == [("snow", [0, 2]), ("dry", [1]), ("True", [3])]


def test_many_numbers_are_bins_of_equal_width() -> None:
    """The ends of the range are in the first and the last bin; a value on an edge is in the upper one."""
    made = bins([*range(17)], 4)
    assert [one.title for one in made] == ["0 to 4", "4 to 8", "8 to 12", "12 to 16"]
    assert [one.places for one in made] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15, 16]]


def test_on_a_logarithmic_scale_of_equal_ratio() -> None:
    made = bins([2**n for n in range(17)], 4, log=True)
    assert [one.title for one in made] == ["1 to 16", "16 to 256", "256 to 4096", "4096 to 6.554e+04"]
    assert sum(len(one.places) for one in made) == 17


@pytest.mark.parametrize("count", [1, 8, 9, 1000])
def test_every_value_is_in_one_bin(count: int) -> None:
    values = [math.sqrt(n) for n in range(count)]
    assert sorted(place for one in bins(values) for place in one.places) == [*range(count)]
