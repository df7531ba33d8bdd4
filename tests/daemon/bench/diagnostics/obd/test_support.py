"""Support masks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.diagnostics.obd.support import answer_known, mask
from hilbridge.bench.diagnostics.refusal import Refusal


@pytest.mark.parametrize(
    ("base", "answered", "expected"),
    [
        (0x00, [], "00000000"),
        (0x00, [0x01], "80000000"),
        (0x00, [0x0C, 0x0D], "00180000"),
        (0x00, [0x21], "00000001"),
        (0x20, [0x21], "80000000"),
        (0x20, [0x0C], None),
        (0x40, [0xA4], "00000001"),
        (0xA0, [0xA4, 0xA6], "14000000"),
    ],
)
def test_masks_by_hand(base: int, answered: list[int], expected: str | None) -> None:
    found = mask(base, answered)
    assert (None if found is None else found.hex()) == expected


@given(st.sets(st.integers(0, 255).filter(lambda number: number % 0x20)))
def test_whoever_follows_the_masks_finds_exactly_what_is_answered(answered: set[int]) -> None:
    found: set[int] = set()
    base = 0
    while True:
        bits = mask(base, answered)
        assert bits is not None
        found |= {base + 1 + i for i in range(32) if int.from_bytes(bits, "big") >> (31 - i) & 1}
        base += 0x20
        if base not in found:
            break
    assert {number for number in found if number % 0x20} == answered


@pytest.mark.parametrize("request_", [b"", b"\x01" * 7, b"\x09"])
def test_nothing_too_much_or_nothing_known_is_refused(request_: bytes) -> None:
    with pytest.raises(Refusal):
        answer_known(request_, {0x01: b"\xaa"}.get)
