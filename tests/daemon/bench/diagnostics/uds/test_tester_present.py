"""Service 3E."""

from .tester import Tester, answers


def test_tester_present_is_answered_or_not() -> None:
    """00 with an answer, 80 without; both in the default session too."""
    tester = Tester()
    answers(tester.client().tester_present)
    assert [tester.ask(request) for request in ("3E 00", "3E 80")] == ["7E 00", ""]
