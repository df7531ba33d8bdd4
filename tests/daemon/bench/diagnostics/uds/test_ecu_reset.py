"""Service 11."""

import pytest

from .tester import Tester, answers


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_a_reset_ends_the_session(kind: int) -> None:
    """Hard, key off and on, soft; entries are given back."""
    tester = Tester().extended()
    tester.ask("2F 01 10 03 64")
    assert answers(tester.client().ecu_reset, kind).reset_type_echo == kind
    assert tester.holds.held == {}
    assert tester.server.resets == 1
    assert tester.ask("22 F1 86") == "62 F1 86 01"


def test_a_refused_reset_resets_nothing() -> None:
    """Rapid shut-down is not supported, and a hard reset has no parameter."""
    tester = Tester().extended()
    assert [tester.ask(request) for request in ("11 04", "11 01 00")] == ["7F 11 12", "7F 11 13"]
    assert tester.ask("22 F1 86") == "62 F1 86 03"
    assert tester.server.resets == 0


def test_rapid_power_shutdown_answers_how_long_it_takes() -> None:
    """04 with the seconds of the settings, 05 without; neither is a reset (ISO 14229-1, 9.3)."""
    tester = Tester(reset={"shutdown_time": 10}).extended()
    assert [tester.ask(request) for request in ("11 04", "11 05", "11 04 00")] == ["51 04 0A", "51 05", "7F 11 13"]
    assert tester.ask("22 F1 86") == "62 F1 86 03"
