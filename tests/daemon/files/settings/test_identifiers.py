"""Identifiers in lists, as the bench file writes them."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from hilbridge.files.settings.identifiers import IdentifierRange

ADAPTER = TypeAdapter(IdentifierRange)


@pytest.mark.parametrize(
    ("value", "first", "last", "text"),
    [
        (0x3D0, 0x3D0, 0x3D0, "0x3D0"),
        ("0x3d0", 0x3D0, 0x3D0, "0x3D0"),
        ("0x700-0x7FF", 0x700, 0x7FF, "0x700-0x7FF"),
        ("0 - 100", 0, 100, "0x0-0x64"),
        ({"first": 1, "last": 2}, 1, 2, "0x1-0x2"),
    ],
)
def test_a_number_or_a_range(value: Any, first: int, last: int, text: str) -> None:
    """In hexadecimal or not; both ends belong to it."""
    one = ADAPTER.validate_python(value, strict=True)
    assert (one.first, one.last, str(one)) == (first, last, text)
    assert [number in one for number in (first - 1, first, last, last + 1)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("abc", "'abc' is no range"),
        ("1-2-3", "is no range"),
        ("0x20-0x10", "0x20 is beyond 0x10"),
        (-1, "greater than or equal to 0"),
        (0x20000000, "less than or equal to 536870911"),
        (True, "needs an identifier such as 0x3D0"),
        (None, "needs an identifier"),
    ],
)
def test_anything_else_is_refused(value: Any, reason: str) -> None:
    """With what would be right."""
    with pytest.raises(ValidationError, match=reason):
        ADAPTER.validate_python(value, strict=True)
