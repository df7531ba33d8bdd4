"""Frames that no database describes, as the bench file writes them."""

from typing import Any

import pytest
from pydantic import ValidationError

from hilbridge.files.settings.traffic import RawFrame


@pytest.mark.parametrize(
    ("keys", "content", "extended", "fd"),
    [
        ({"id": 0x3D0, "data": "01 0a FF"}, b"\x01\x0a\xff", False, False),
        ({"id": 0x7FF}, b"", False, False),
        ({"id": 0x800, "data": "00112233"}, b"\x00\x11\x22\x33", True, False),
        ({"id": 1, "extended": True, "fd": True, "data": "00"}, b"\x00", True, True),
        ({"id": 1, "data": "00" * 64}, bytes(64), False, True),
    ],
)
def test_bytes_are_hexadecimal(keys: dict[str, Any], content: bytes, extended: bool, fd: bool) -> None:
    """The rest follows from identifier and length, where it is not said."""
    frame = RawFrame.model_validate({**keys, "period": 10})
    assert (frame.content, frame.is_extended, frame.is_fd) == (content, extended, fd)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("1", "'1' is not in hexadecimal, two digits for each byte"),
        ("0x01", "is not in hexadecimal"),
        ("00" * 9, "there is no CAN frame of 9 bytes"),
        ("00" * 65, "there is no CAN frame of 65 bytes"),
        (66, "valid string"),
    ],
)
def test_other_contents_are_refused(data: Any, reason: str) -> None:
    """YAML makes a number of 0102: it needs quotes."""
    with pytest.raises(ValidationError, match=reason):
        RawFrame.model_validate({"id": 1, "period": 10, "data": data})
