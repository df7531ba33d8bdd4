"""Sessions: S3, and what a change of session ends."""

from hilbridge.files.settings.uds import UdsSettings

from .tester import Tester


def session(tester: Tester) -> str:
    """By reading F186, which is a request itself."""
    return tester.ask("22 F1 86")[-2:]


def test_s3_is_five_seconds() -> None:
    """ISO 14229-2, table 3; every session that says nothing else."""
    assert {one.s3 for one in UdsSettings().session_table.values()} == {5000}


def test_a_session_ends_s3_after_its_last_request() -> None:
    """In the tick in which the time is over."""
    tester = Tester().extended()
    tester.wait(4999)
    assert tester.server.session.active == 3
    tester.wait(1)
    assert tester.server.session.active == 1
    assert tester.server.statistics.session_timeouts == 1


def test_a_request_in_that_tick_comes_too_late() -> None:
    """Requests of a tick are read before it is polled."""
    tester = Tester().extended()
    tester.t += 5_000_000_000
    assert tester.ask("85 02") == "7F 85 7F"


def test_the_default_session_has_no_end() -> None:
    """Nor a time-out to count."""
    tester = Tester()
    tester.wait(12_000)
    assert session(tester) == "01"
    assert tester.server.statistics.session_timeouts == 0


def test_every_request_keeps_a_session_alive() -> None:
    """Tester present without answer, a value, and also what is refused."""
    tester = Tester().extended()
    for request in ("3E 80", "22 F1 90", "BA", "3E 80"):
        tester.wait(4900)
        tester.ask(request)
    assert session(tester) == "03"


def test_an_answer_that_is_being_worked_on_keeps_the_session_alive() -> None:
    """S3 begins when it was given."""
    tester = Tester().extended()
    tester.wait(4000)
    tester.ask("31 01 02 00")
    tester.wait(2000 + 4999)
    assert tester.server.session.active == 3


def test_the_same_session_again_locks_security_access() -> None:
    """And keeps what does not depend on it."""
    tester = Tester().unlocked()
    assert tester.ask("2F 01 10 03 64").startswith("6F")
    assert tester.ask("2F 01 11 03 00 32").startswith("6F")
    assert tester.ask("28 01 01") == "68 01"
    assert tester.ask("85 02") == "C5 02"
    assert tester.ask("2E 01 20 12 34") == "6E 01 20"
    tester.extended()
    assert tester.ask("2E 01 20 12 34") == "7F 2E 33"
    assert tester.holds.held == {"input.Throttle": 0.5}
    assert tester.communication.switched == [False]
    assert not tester.memory.recording


def test_the_default_session_ends_all_that_was_begun() -> None:
    """Entries are given back, frames are sent, codes are recorded, routines have no result."""
    tester = Tester().unlocked()
    for request in ("2F 01 10 03 64", "28 03 01", "85 02", "31 01 02 01"):
        assert not tester.ask(request).startswith("7F")
    tester.wait(5000)
    assert tester.holds.held == {}
    assert tester.communication.switched == [False, True]
    assert tester.memory.recording
    assert tester.extended().ask("31 03 02 01") == "7F 31 24"
