"""Lengths of CAN frames, beside python-can's."""

from typing import get_args

import can
import pytest

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS, LENGTH_CODES, frame_length
from hilbridge.files.settings.units import FrameSize


def test_lengths_and_codes_agree_with_python_can() -> None:
    assert list(FRAME_LENGTHS) == can.util.CAN_FD_DLC
    assert list(LENGTH_CODES) == [can.util.len2dlc(length) for length in range(65)]


@pytest.mark.parametrize(("count", "length"), [(0, 0), (7, 7), (8, 8), (9, 12), (33, 48), (64, 64)])
def test_a_frame_is_as_short_as_its_content_allows(count: int, length: int) -> None:
    assert frame_length(count) == length


def test_a_full_frame_of_iso_tp_is_a_full_classic_frame_or_any_longer_one() -> None:
    """ISO 15765-2: TX_DL is 8 or one of the lengths of CAN FD."""
    assert get_args(FrameSize) == FRAME_LENGTHS[CLASSIC_LENGTH:]
