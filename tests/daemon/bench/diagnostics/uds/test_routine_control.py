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


def test_without_routines_there_is_no_service_31() -> None:
    """11."""
    assert Tester(routines={}).extended().ask("31 01 02 00") == "7F 31 11"


SECURED = {"0300": {"security": 1, "option": 2, "results": {}}, "0301": {"kind": "self-test", "security": 1}}


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("31 01 03 00", "33"),
        ("31 02 03 00", "33"),  # before its sub-functions
        ("31 01 03 01", "33"),
        ("31 01 03 02", "31"),
    ],
)
def test_a_routine_may_need_security_access(request_: str, code: str) -> None:
    """Behind the number, before all else of the routine."""
    assert Tester(routines=SECURED).extended().ask(request_) == f"7F 31 {code}"


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("31 02 03 00", "7F 31 12"),
        ("31 01 03 00", "7F 31 13"),  # the option is missing
        ("31 01 03 00 AA BB CC", "7F 31 13"),
        ("31 03 03 00", "7F 31 24"),
        ("31 01 03 00 AA BB", "71 01 03 00"),
    ],
)
def test_the_option_has_the_length_of_the_bench_file(request_: str, answer: str) -> None:
    """And only a start has one."""
    assert Tester(routines=SECURED).unlocked().ask(request_) == answer
