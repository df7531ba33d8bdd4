"""Service 22: how many identifiers, and which of them are answered."""

import pytest

from .tester import Tester


def test_unknown_identifiers_are_left_out_beside_known_ones() -> None:
    """ISO 14229-1, 11.2: positive when at least one is supported."""
    assert Tester().ask("22 00 00 F1 86 F4 0E") == "62 F1 86 01"


def test_the_order_of_the_request_is_kept_and_repetition_too() -> None:
    """Requested twice, answered twice."""
    assert Tester().ask("22 F4 0D F1 86 F4 0D") == "62 F4 0D 32 F1 86 01 F4 0D 32"


@pytest.mark.parametrize(
    ("request_", "code"),
    [("22", "13"), ("22 F1", "13"), ("22 F1 90 F1", "13"), ("22" + " F1 86" * 33, "13"), ("22 00 00", "31")],
)
def test_what_is_no_list_of_known_identifiers_is_refused(request_: str, code: str) -> None:
    """Whole ones, 32 at most, one of them known."""
    assert Tester().ask(request_) == f"7F 22 {code}"


def test_thirty_two_identifiers_are_answered() -> None:
    """Three bytes each for the session."""
    assert len(Tester().ask("22" + " F1 86" * 32).split()) == 1 + 32 * 3
