"""AUTOSAR E2E profiles agree with AUTOSAR's printed examples and with the package autosar-e2e."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from e2e import p01, p02, p04, p05, p06, p07, p11
from hypothesis import given, settings
from hypothesis import strategies as st

from .builders import checker, protected, protector

Protect = Callable[..., None]
Check = Callable[..., bool]

PROFILES: dict[str, tuple[Protect, Check, int, int, int]] = {
    "1A": (p01.e2e_p01_protect, p01.e2e_p01_check, 16, 2, 15),
    "1B": (
        partial(p01.e2e_p01_protect, data_id_mode=p01.E2E_P01_DATAID_ALT),
        partial(p01.e2e_p01_check, data_id_mode=p01.E2E_P01_DATAID_ALT), 16, 2, 15,
    ),
    "1C": (
        partial(p01.e2e_p01_protect, data_id_mode=p01.E2E_P01_DATAID_NIBBLE),
        partial(p01.e2e_p01_check, data_id_mode=p01.E2E_P01_DATAID_NIBBLE), 12, 2, 15,
    ),
    "4": (p04.e2e_p04_protect, p04.e2e_p04_check, 32, 12, 1 << 16),
    "5": (p05.e2e_p05_protect, p05.e2e_p05_check, 16, 3, 256),
    "6": (p06.e2e_p06_protect, p06.e2e_p06_check, 16, 5, 256),
    "7": (p07.e2e_p07_protect, p07.e2e_p07_check, 32, 20, 1 << 32),
    "11A": (p11.e2e_p11_protect, p11.e2e_p11_check, 16, 2, 15),
    "11C": (
        partial(p11.e2e_p11_protect, data_id_mode=p11.E2E_P11_DATAID_NIBBLE),
        partial(p11.e2e_p11_check, data_id_mode=p11.E2E_P11_DATAID_NIBBLE), 12, 2, 15,
    ),
}  # fmt: skip
"""Protect, check, width of the data id [bit], length of the header [byte], and numbers of the counter."""


@pytest.mark.parametrize(
    ("profile", "data_id", "length", "expected"),
    [
        ("1A", 0x123, 8, "cc00000000000000"),
        ("1C", 0x123, 8, "2a10000000000000"),
        ("4", 0x0A0B0C0D, 16, "001000000a0b0c0d862b055600000000"),
        ("5", 0x1234, 8, "1cca000000000000"),
        ("6", 0x1234, 8, "b155000800000000"),
        ("7", 0x0A0B0C0D, 24, "1fb2e737fcedbcd900000018000000000a0b0c0d00000000"),
        ("11A", 0x123, 8, "cc00000000000000"),
        ("11C", 0x123, 8, "2a10000000000000"),
    ],
)
def test_printed_examples(profile: str, data_id: int, length: int, expected: str) -> None:
    """The protocol specification's frames of zeros with counter 0."""
    one = protector({"e2e": {"profile": profile, "data_id": data_id}}, length=length)
    assert protected(one, bytes(length))[0].hex() == expected


@pytest.mark.parametrize("profile", sorted(PROFILES))
@given(st.data())
@settings(max_examples=25)
def test_agrees_with_autosar(profile: str, drawing: st.DataObject) -> None:
    """Any data, data id, length, offset and count: the same bytes, accepted by the other's check."""
    protect, check, id_width, header, numbers = PROFILES[profile]
    data_id = drawing.draw(st.integers(0, (1 << id_width) - 1))
    offset = drawing.draw(st.integers(0, 8))
    data = drawing.draw(st.binary(min_size=header + offset, max_size=64))
    keys = {"e2e": {"profile": profile, "data_id": data_id, "offset": offset}}
    one = protector(keys, length=len(data))
    one.counts = (drawing.draw(st.integers(0, numbers - 1)),)
    (first, second) = protected(one, data, 2)
    assert check(bytearray(first), data_id, length=len(data), offset=offset)
    assert check(bytearray(second), data_id, length=len(data), offset=offset)
    # the other's counter goes on from what stands in the frame
    expected = bytearray(first)
    protect(expected, data_id, length=len(data), offset=offset)
    assert second == expected
    receiver = checker(keys, length=len(data))
    assert [receiver.check(first), receiver.check(bytes(expected))] == [None, None]


@given(st.binary(min_size=16, max_size=16), st.binary(min_size=2, max_size=64), st.integers(0, 15))
def test_profile_2_agrees_with_autosar(data_ids: bytes, data: bytes, count: int) -> None:
    """The data id is that of the count sent."""
    keys: dict[str, Any] = {"e2e": {"profile": "2", "data_ids": list(data_ids)}}
    one = protector(keys, length=len(data))
    one.counts = (count,)
    (first, second) = protected(one, data, 2)
    assert p02.e2e_p02_check(bytearray(first), data_ids)
    expected = bytearray(first)
    p02.e2e_p02_protect(expected, data_ids)
    assert second == expected


@pytest.mark.parametrize("profile", ["4", "7"])
def test_a_frame_of_another_data_id_has_a_wrong_header(profile: str) -> None:
    """These profiles carry their data id; the others only calculate with it."""
    sent = protected(protector({"e2e": {"profile": profile, "data_id": 1}}, length=32), bytes(32))[0]
    assert checker({"e2e": {"profile": profile, "data_id": 2}}, length=32).check(sent) == "wrong_header"
