"""Trigger wheels as tables of levels."""

from typing import Any

import pytest

from hilbridge.bench.outputs.wheels import levels
from hilbridge.files.settings.boards import BoardChannel


def table(**keys: Any) -> str:
    return "".join(map(str, levels(BoardChannel.model_validate({"kind": "wheel", "pin": 6} | keys))))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({}, "10" * 58 + "0000"),
        ({"pattern": "36-1"}, "10" * 35 + "00"),
        ({"pattern": "36-2-2-2"}, "10" * 13 + "0000" + "10" * 16 + "0000" + "10" + "0000"),
        ({"pattern": [2, 1]}, "101000"),
        ({"pattern": [3, 1], "missing": [2]}, "10001000"),
        ({"pattern": [2, 1], "doubled": [2]}, "110010100000"),
        ({"pattern": [2, 1], "reversed": True}, "000101"),
        ({"pattern": [2, 1], "offset": 60}, "010001"),
        ({"pattern": [2, 1], "offset": -60}, "010100"),
        ({"pattern": "110010", "per": "cycle", "offset": 240}, "001011"),
    ],
)
def test_levels_of_a_wheel(keys: dict[str, Any], expected: str) -> None:
    """A tooth is high, then low; an offset shows what would come so much later."""
    assert table(**keys) == expected
