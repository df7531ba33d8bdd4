"""Keys of a terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.faces.top.keyboard import DOWN, PAGE_DOWN, PAGE_UP, UP, parse


@pytest.mark.parametrize(
    ("pressed", "keys"),
    [
        (b"q", ["q"]),
        (b"12", ["1", "2"]),
        (b"\x1b[A\x1bOA", [UP, UP]),
        (b"\x1b[B3\x1bOB", [DOWN, "3", DOWN]),
        (b"\x1b[5~\x1b[6~", [PAGE_UP, PAGE_DOWN]),
        (b"\x1b", []),
    ],
)
def test_characters_and_cursor_keys_are_told_apart(pressed: bytes, keys: list[str]) -> None:
    """In both modes of a cursor block (DECCKM)."""
    assert parse(pressed) == keys


@given(st.binary(max_size=64))
def test_whatever_a_terminal_sends_is_survived(pressed: bytes) -> None:
    assert len(parse(pressed)) <= len(pressed)
