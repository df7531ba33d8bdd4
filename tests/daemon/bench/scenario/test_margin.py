"""The margin of a condition: its sign is the truth that Python itself finds, its amount is worked out by hand."""

import itertools

import pytest

from hilbridge.bench.scenario.margin import margin

NUMBERS = (-2.0, 0.0, 1.0, 3.5)


class Entry:
    """Something with entries, for Python's own evaluation."""

    def __init__(self, a: float, b: float) -> None:
        self.A, self.B = a, b


@pytest.mark.parametrize(
    "condition",
    [
        "x.A < x.B",
        "not (x.A < 1)",
        "x.A > 0 and x.B > 0",
        "not (x.A > 0 and not x.B > 2) or x.A > 3",
        "0 < x.A < 3",
        "not 0 < x.A < 3",
        "x.A == x.B",
        "x.A != x.B",
        "not x.A",
        "min(x.A, x.B) * 2 > 1",
        "(1 if x.A else 0) and\n x.B > -3",
        "x.A > 0 or x.B > 0 and x.A + x.B < 3",
    ],
)
def test_its_sign_is_the_truth(condition: str) -> None:
    """At the border it is 0 for both."""
    for a, b in itertools.product(NUMBERS, NUMBERS):
        names = {"x": Entry(a, b)}
        found = eval(margin(condition).replace("\n", " "), names)
        holds = bool(eval(condition.replace("\n", " "), names))
        assert found == 0 or (found > 0) is holds, (condition, a, b, found)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("x.A < 5", 3.0),
        ("not (x.A > 1 and x.B > 4)", 1.0),
        ("x.A > 1 and x.B > 4", -1.0),
        ("x.A == 6", -4.0),
        ("0 < x.A <= 10", 2.0),
        ("not (x.A > 1 or x.B > 4)", -1.0),
        ("x.B", 1.0),
        ("x.A == 'left'", -1),
        ("x.A != 'left'", 1),
    ],
)
def test_its_amount_is_the_distance_to_the_border(condition: str, expected: float) -> None:
    """With A = 2 and B = 3."""
    assert eval(margin(condition), {"x": Entry(2.0, 3.0)}) == expected
