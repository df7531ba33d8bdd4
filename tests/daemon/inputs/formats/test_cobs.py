"""COBS against the package cobs and the examples of its authors."""

import pytest
from cobs import cobs  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.inputs.formats.cobs import unstuff


@given(st.binary(max_size=1000) | st.integers(0, 600).map(lambda n: b"\x01" * n))
def test_what_the_other_implementation_coded_comes_back(data: bytes) -> None:
    assert unstuff(cobs.encode(data)) == data


@given(st.binary(max_size=300))
def test_whatever_the_other_implementation_takes_reads_the_same_and_nothing_else_is_taken(packet: bytes) -> None:
    try:
        expected = cobs.decode(packet)
    except cobs.DecodeError:
        expected = None
    assert unstuff(packet) == expected


@pytest.mark.parametrize(
    ("packet", "data"),
    [
        ("01 01", "00"),
        ("03 11 22 02 33", "11 22 00 33"),
        ("02 11 01 01 01", "11 00 00 00"),
        ("05 11 22 33 44", "11 22 33 44"),
    ],
)
def test_published_examples(packet: str, data: str) -> None:
    assert unstuff(bytes.fromhex(packet)) == bytes.fromhex(data)
