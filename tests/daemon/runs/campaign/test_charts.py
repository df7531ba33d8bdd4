"""Charts: the figures in them, by hand."""

from xml.etree import ElementTree as ET

import pytest

from hilbridge.runs.campaign.bins import bins
from hilbridge.runs.campaign.charts import counts, effects, ends, means, rates

PASSED = [True, False, True, True]


def titles(chart: str) -> list[str]:
    return [str(title.text) for title in ET.fromstring(chart).iter("title")]


def test_a_mean_has_its_interval() -> None:
    """Of 1, 2, 3, 4: mean 2.5, standard error sqrt(5/3) / 2 = 0.6455, so 1.265 on each side."""
    (effect,) = effects(bins([7, 7, 7, 7]), [1.0, 2.0, 3.0, 4.0])
    assert effect is not None
    assert (effect.title, effect.runs, effect.mean) == ("7", 4, 2.5)
    assert effect.margin == pytest.approx(1.265, abs=1e-3)
    assert ends([effect]) == pytest.approx((1.235, 3.765), abs=1e-3)


def test_a_bin_without_values_has_no_mean_and_one_value_no_interval() -> None:
    found = effects(bins([1, 2]), [None, 5.0])
    assert found[0] is None
    assert found[1] == ("2", 1, 5.0, None)
    low, high = ends(found)
    assert low < 5.0 < high
    assert titles(means("rpm", bins([1, 2]), found, (low, high))) == ["2: 5, of 1 run"]


def test_bars_say_how_many_passed() -> None:
    values = bins([1, 1, 2, 2])
    assert titles(counts("mass", values, PASSED)) == ["1: 2 runs, 1 not passed", "2: 2 runs, 0 not passed"]
    assert titles(rates("mass", values, PASSED)) == ["1: 50 % of 2 runs", "2: 0 % of 2 runs"]
    heights = [float(bar.get("height", 0)) for bar in ET.fromstring(counts("", values, PASSED)).iter("rect")]
    assert heights[0] == heights[1] == pytest.approx(heights[2] / 2, abs=0.1)


def test_words_of_the_user_are_text() -> None:
    chart = rates('<"key">', bins(["<b>", "a & b"]), [True, False])
    assert ET.fromstring(chart).get("aria-label") == ('<"key">: not passed, <b>: 0 % of 1 run; a & b: 100 % of 1 run')
