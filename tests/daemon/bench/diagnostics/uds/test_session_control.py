"""Service 10."""

from .tester import Tester, answers


def test_the_answer_announces_p2_and_p2_star() -> None:
    """50 ms in milliseconds, 5000 ms in tens of them (ISO 14229-1, table 29)."""
    assert Tester().ask("10 03") == "50 03 00 32 01 F4"
    assert Tester().ask("10 01") == "50 01 00 32 01 F4"


def test_udsoncan_changes_the_session() -> None:
    """There and back."""
    tester = Tester()
    client = tester.client()
    for session in (3, 1):
        assert answers(client.change_session, session).session_echo == session
        assert tester.ask("22 F1 86") == f"62 F1 86 0{session}"
