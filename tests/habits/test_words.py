"""The words of the product: no offence against tests/words.py, which finds what it shall find."""

import pytest

from ..words import all_offences, offences


def test_docstrings_and_comments_are_plain() -> None:
    assert all_offences() == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ('"""What a module does."""', ["1: begins with 'What'"]),
        ('"""A module."""\nX = 1\n"""Of the bus."""', ["3: begins with 'Of'"]),
        ('def f():\n    """Return it.\n\n    Nobody listens.\n    """', ["4: 'Nobody'"]),
        ("x = 1  # stands in the table", ["1: 'stands in'"]),
        ("x = 1  # stands in for another", []),
        ('"""An expression that is none."""', ["1: 'that is none'"]),
        ('"""Return values that are None."""\nx = "nobody"', []),
        ('"""Return `nobody` in place of "somebody"."""', []),
    ],
)
def test_a_place_is_found(text: str, places: list[str]) -> None:
    assert [one.partition(":")[2].rpartition(":")[0] for one in offences("m.py", text)] == places
