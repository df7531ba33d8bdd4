"""Nouns agree with their numbers."""

import pytest

from hilbridge.base.common.words import counted


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [(0, "frame", "0 frames"), (1, "frame", "1 frame"), (2, "entry", "2 entries"), (12_000, "tick", "12,000 ticks")],
)
def test_one_is_singular_all_else_is_plural(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text


def test_an_irregular_plural_is_given() -> None:
    assert [counted(number, "more bus", "more buses") for number in (1, 3)] == ["1 more bus", "3 more buses"]
