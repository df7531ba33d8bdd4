"""Service 14."""

import pytest

from .tester import Tester, answers


@pytest.mark.parametrize(
    ("group", "cleared"),
    [
        (0xFFFFFF, ["P0301", "P0420", "U0100"]),
        (0xFFFF33, ["P0301", "P0420"]),
        (0x030107, ["P0301"]),
        (0xC10000, ["U0100"]),
    ],
)
def test_a_group_or_a_code_is_cleared(group: int, cleared: list[str]) -> None:
    """All, the emission-related ones, one."""
    tester = Tester()
    answers(tester.client().clear_dtc, group)
    assert tester.memory.cleared == [cleared]


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("14 FF FF", "13"),
        ("14 FF FF FF 00", "13"),
        ("14 03 01 00", "31"),  # another failure type than the code has
        ("14 12 34 56", "31"),
    ],
)
def test_what_cannot_be_cleared_is_refused(request_: str, code: str) -> None:
    """Length before group."""
    tester = Tester()
    assert tester.ask(request_) == f"7F 14 {code}"
    assert tester.memory.cleared == []
