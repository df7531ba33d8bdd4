"""CRCs by algebra; the checksums are made by crccheck, or bit by bit."""

import random
from typing import Any

import pytest
from crccheck.crc import Crc8Maxim, Crc16Modbus, Crc16Xmodem, CrcX25  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.learn_rates import crc

from hilbridge.desk.learn.field import Field
from hilbridge.desk.learn.linear import Relations, basis, crc_fits, rank


def vectors(make: object, count: int = 60, length: int = 8) -> list[bytes]:
    """A basis of frames whose first bytes are a checksum over the others."""
    rng = random.Random(count)
    rows = [make(rng.randbytes(length)) for _ in range(count)]  # type: ignore[operator]
    return basis((0, row) for row in rows)


@pytest.mark.parametrize(
    ("kind", "polynomial", "reflect"),
    [(Crc8Maxim, 0x31, True), (Crc16Modbus, 0x8005, True), (Crc16Xmodem, 0x1021, False), (CrcX25, 0x1021, True)],
)
def test_a_crc_of_the_catalogue_is_recognized(kind: Any, polynomial: int, *, reflect: bool) -> None:
    """By its polynomial alone; start and final xor do not matter."""
    width = 8 if kind is Crc8Maxim else 16

    def make(row: bytes) -> bytes:
        rest = row[width // 8 :]
        return int(kind.calc(rest)).to_bytes(width // 8, "little") + rest

    (fit,) = crc_fits(Field(0, 0, width), vectors(make), range(8), (0, 1, 2))
    assert (fit.polynomial, fit.reflect, fit.first, fit.last, fit.tail) == (polynomial, reflect, 0, 7, 0)
    assert fit.alternatives == 0


@settings(max_examples=20, deadline=None)
@given(polynomial=st.integers(0, 127), start=st.integers(0, 255), tail=st.integers(0, 2), reflect=st.booleans())
def test_every_odd_polynomial_is_found(polynomial: int, start: int, tail: int, *, reflect: bool) -> None:
    """With constant bytes behind the payload, such as data ids. 0x01 is plain xor, where their number has no effect."""
    low = 2 * polynomial + 1

    def make(row: bytes) -> bytes:
        data = row[1:] + b"\xa5" * tail
        return bytes([crc(8, low, start, 0x5A, data, reflect=reflect)]) + row[1:]

    found = list(crc_fits(Field(0, 0, 8), vectors(make), range(8), (0, 1, 2)))
    assert (low, tail) in {(fit.polynomial, fit.tail) for fit in found}
    assert len(found) == 1 or low in (0x01, 0x81)


def test_a_field_that_is_no_function_of_the_others_is_known_by_the_basis() -> None:
    found = vectors(lambda row: row)
    assert rank(map(int.from_bytes, found)) == len(found)
    assert not Relations(found).tell(Field(0, 0, 8))
    assert list(crc_fits(Field(0, 0, 8), found, range(8), (0,))) == []
