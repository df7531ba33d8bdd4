"""Service 31: the order of its checks."""

import pytest

from .tester import Tester


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("31", "13"),
        ("31 04 02 00", "12"),
        ("31 01 02", "13"),
        ("31 01 FF 00", "31"),  # nothing can be erased
        ("31 02 02 00", "12"),  # the self-test has no stop
        ("31 01 02 00 00", "13"),
        ("31 02 02 01", "24"),  # not started
        ("31 03 02 00", "24"),
        ("31 03 02 01", "24"),
    ],
)
def test_what_cannot_be_done_is_refused(request_: str, code: str) -> None:
    """Length, routine, its sub-function, option, sequence."""
    assert Tester().extended().ask(request_) == f"7F 31 {code}"
