"""Shapes of what somebody else says: what fits is handed on, what does not is named with its place."""

from typing import Any

import pytest

from hilbridge.base.common.shape import LONGEST_TEXT, MOST, MisfitError, fit, read_json, sift

RECORD = {"name": str, "count": int, "ratio": float, "on": bool, "more?": [str], "none": (None, float)}
GOOD = {"name": "a", "count": 1, "ratio": 2, "on": True, "none": None}


def test_a_record_that_fits_is_handed_on_with_names_of_newer_versions() -> None:
    assert fit(GOOD | {"newer": {"x": []}}, RECORD) == GOOD | {"newer": {"x": []}}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": 1}, "name is the number 1, not a text"),
        ({"name": "x" * (LONGEST_TEXT + 1)}, "name is a text of 4097 characters, not a text"),
        ({"count": True}, "count is true, not a whole number"),
        ({"count": 1.0}, "count is the number 1.0, not a whole number"),
        ({"count": 1 << 63}, "count is a number beyond 64 bits, not a whole number"),
        ({"ratio": float("nan")}, "ratio is a number that is not finite, not a number"),
        ({"ratio": float("inf")}, "ratio is a number that is not finite, not a number"),
        ({"ratio": "1"}, "ratio is the text '1', not a number"),
        ({"on": None}, "on is nothing, not a truth value"),
        ({"more": {}}, "more is keys with values, not a list"),
        ({"more": ["a", 1]}, "more.1 is the number 1, not a text"),
        ({"none": []}, "none is a list, not a number"),
    ],
)
def test_what_does_not_fit_is_named(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(MisfitError) as refused:
        fit(GOOD | change, RECORD)
    assert str(refused.value) == reason


def test_a_name_that_is_missing_is_named() -> None:
    with pytest.raises(MisfitError, match=r"^'name' is missing$"):
        fit({}, RECORD)


def test_one_bad_item_costs_itself_alone() -> None:
    misfits: list[str] = []
    value = {"a": {"stored": [{"code": "P0301"}, {"code": 7}]}, "b": 1, "c": {"stored": []}}
    found = sift(value, {str: {"stored": [{"code": str}]}}, misfits, "troubles")
    assert found == {"a": {"stored": [{"code": "P0301"}]}, "c": {"stored": []}}
    assert misfits == [
        "troubles.a.stored.1.code is the number 7, not a text",
        "troubles.b is the number 1, not an object",
    ]


def test_more_items_than_anybody_shows_are_refused() -> None:
    with pytest.raises(MisfitError, match=f"it has {MOST + 1} items"):
        fit([1] * (MOST + 1), [int])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"not json", "it is no JSON"),
        (b"\xff\xfe", "it is no JSON"),
        (b"", "it is no JSON"),
        (b"1" * 5000, "it is no JSON"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b"[" * 50 + b"]" * 50, "it is nested too deeply"),
        (b" " * 10_001, "it has 10001 bytes, and no more than 10000 are read"),
    ],
)
def test_bytes_that_are_no_json_are_refused_in_words(content: bytes, reason: str) -> None:
    with pytest.raises(MisfitError, match=f"^{reason}$"):
        read_json(content, 10_000 if content.startswith(b" ") else 1 << 20)
