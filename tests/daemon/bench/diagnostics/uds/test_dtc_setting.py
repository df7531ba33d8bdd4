"""Service 85."""

import pytest

from .tester import Tester, answers


def test_udsoncan_stops_recording_and_starts_it_again() -> None:
    """With and without the group of all codes."""
    tester = Tester().extended()
    client = tester.client()
    for setting, data in ((2, None), (1, None), (2, b"\xff\xff\xff"), (1, b"\xff\xff\xff")):
        assert answers(client.control_dtc_setting, setting, data).setting_type_echo == setting
        assert tester.memory.recording == (setting == 1)


@pytest.mark.parametrize(
    ("request_", "code"), [("85", "13"), ("85 03", "12"), ("85 02 FF", "13"), ("85 02 00 00 01", "31")]
)
def test_what_does_not_exist_is_refused(request_: str, code: str) -> None:
    """Sub-function, half a group, another group."""
    tester = Tester().extended()
    assert tester.ask(request_) == f"7F 85 {code}"
    assert tester.memory.recording
