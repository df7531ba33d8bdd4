"""What a LIN may have in a bench file."""

from typing import Any

import pytest
from pydantic import ValidationError

from hilbridge.files.settings.lines import LinLine

EIGHT = "00 01 02 03 04 05 06 07"


def slave(frame: dict[str, Any]) -> LinLine:
    return LinLine.model_validate({"protocol": "lin", "port": "pty", "master": False, "frames": {"A": frame}})


@pytest.mark.parametrize("frame", [{"id": 0x3C, "length": 8}, {"id": 0x3D, "length": 8}, {"id": 0x3D, "data": EIGHT}])
def test_diagnostic_frames_of_a_slave(frame: dict[str, Any]) -> None:
    assert slave(frame).frames["A"].id == frame["id"]


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        ({"id": 0x3C, "length": 4}, r"a diagnostic frame \(0x3C\) has 8 bytes"),
        ({"id": 0x3D, "data": "00 01"}, r"a diagnostic frame \(0x3D\) has 8 bytes"),
        ({"id": 0x3C, "data": EIGHT}, "only the master sends data with this identifier"),
    ],
)
def test_what_the_specification_forbids_is_refused(frame: dict[str, Any], words: str) -> None:
    """LIN 2.2A, 2.3.3.4: 3C is the master's request, 3D a slave's response; both have eight bytes."""
    with pytest.raises(ValidationError, match=words):
        slave(frame)


def test_a_master_sends_its_request() -> None:
    keys = {"protocol": "lin", "port": "pty", "frames": {"A": {"id": 0x3C, "data": EIGHT}}}
    assert LinLine.model_validate(keys | {"schedule": [{"frame": "A", "time": 20}]}).master
