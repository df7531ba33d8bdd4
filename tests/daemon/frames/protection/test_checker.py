"""A checker refuses frames that are damaged, repeated or out of sequence, and believes a sender again that recovers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.protection import REASONS

from .builders import checker, counted, protected, protector, summed

SAFE = counted() | summed(byte=1, algorithm="crc8")
FRAMES = protected(protector(SAFE, length=4), b"\0\0\x12\x34", 16)


def reasons(counts: list[int], **counter: Any) -> list[str | None]:
    receiver = checker(counted(**counter), length=1)
    return [receiver.check(bytes([count])) for count in counts]


def test_a_good_stream_is_accepted_from_any_count_on() -> None:
    """Also around the counter's end."""
    receiver = checker(SAFE, length=4)
    assert [receiver.check(FRAMES[count % 16]) for count in range(11, 60)] == [None] * 49


def test_a_single_wrong_bit_is_a_wrong_checksum() -> None:
    """Wherever it lies: a CRC finds every one. The counter behind it is not looked at."""
    receiver = checker(SAFE, length=4)
    for bit in range(32):
        damaged = (int.from_bytes(FRAMES[5], "little") ^ 1 << bit).to_bytes(4, "little")
        assert receiver.check(damaged) == "wrong_checksum"
    assert receiver.check(FRAMES[9]) is None


def test_short_and_long_frames() -> None:
    """What is missing cannot be checked; what follows is not of this message."""
    receiver = checker(SAFE, length=4)
    assert receiver.check(FRAMES[0][:3]) == "wrong_length"
    assert receiver.check(b"") == "wrong_length"
    assert receiver.check(FRAMES[0] + b"\xff") is None


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([3, 3, 3, 4], [None, "counter_repeated", "counter_frozen", None]),
        ([3, 3, 4, 4], [None, "counter_repeated", None, "counter_repeated"]),
        ([3, 6, 9], [None, None, None]),
        ([3, 7, 8, 9], [None, "counter_jumped", None, None]),
        ([3, 2, 3], [None, "counter_jumped", None]),
        ([14, 1], [None, None]),
    ],
)
def test_sequences(counts: list[int], expected: list[str | None]) -> None:
    """Two frames may be lost; after a jump, the next in sequence is accepted."""
    assert reasons(counts) == expected


def test_tolerance_and_resumption_are_settings() -> None:
    """No loss allowed; two frames in sequence are refused after a jump."""
    assert reasons([0, 2], lost=0) == [None, "counter_jumped"]
    assert reasons([0, 9, 10, 11, 12], resume=2) == [None, *["counter_jumped"] * 3, None]
    assert reasons([0, 9, 10, 10, 11, 12], resume=2)[4:] == ["counter_jumped", None]


def test_a_short_counter_tolerates_less() -> None:
    """With four numbers one lost frame differs from a step back; with two no loss can be seen."""
    assert reasons([0, 2, 1], maximum=3) == [None, None, "counter_jumped"]
    assert reasons([0, 1, 0, 0], maximum=1) == [None, None, None, "counter_repeated"]
    with pytest.raises(ConfigurationError, match="4 numbers tell no more than 2 lost frames") as caught:
        checker(counted(maximum=3, lost=3))
    assert caught.value.place[-2:] == ("counter", "lost")


def test_numbers_that_the_counter_never_takes() -> None:
    """Beyond the maximum, or none of its values."""
    assert reasons([15], maximum=14) == ["counter_invalid"]
    assert reasons([3, 5, 6, 9], values=[3, 6, 5, 9]) == [None, None, "counter_jumped", None]
    assert reasons([4], values=[3, 6]) == ["counter_invalid"]


@given(st.binary(max_size=12))
def test_any_bytes_get_an_answer(data: bytes) -> None:
    """None or one of the known reasons, whatever comes."""
    for settings in (SAFE, "honda", {"e2e": {"profile": "6", "data_id": 5}}, counted(values=[1, 2, 4])):
        assert checker(settings).check(data) in {None, *REASONS}
