"""What is a number in a line of text."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.inputs.formats.format import reading


@pytest.mark.parametrize(("cell", "number"), [(b"512", 512.0), (b"+2.5e2", 250.0), (b"-.5", -0.5), (b"3.", 3.0)])
def test_decimal_numbers_are_numbers(cell: bytes, number: float) -> None:
    assert reading(cell) == number


@pytest.mark.parametrize(
    "cell", [b"nan", b"inf", b"0x10", b"1_000", b"", b"--1", b"1.2.3", b"5\x00", b"\xd9\xa3", b".", b"1e999"]
)
def test_everything_else_is_a_word(cell: bytes) -> None:
    assert isinstance(reading(cell), str)


@given(st.binary(max_size=20))
def test_any_bytes_are_one_or_the_other(cell: bytes) -> None:
    found = reading(cell)
    assert isinstance(found, str) or not math.isnan(found)
