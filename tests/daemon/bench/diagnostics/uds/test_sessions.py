"""Which session supports which service and sub-function, and what needs security access first (ISO 14229-1, 8.7)."""

from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from vehiclesim.channels import VehicleData

from .tester import SECURITY, Tester, answers

SESSIONS: dict[str, Any] = {
    "01": {"services": ["10", "11 01", "19 02", "22", "3E"]},
    "02": {"services": ["10", "11", "22", "27", "2E", "3E"], "from": ["03"], "p2": 25, "p2_star": 10_000, "s3": 2000},
    "03": {"services": ["10", "11 01", "19", "22", "27 01", "27 02", "2E", "3E"]},
    "40": {"from": ["03"]},
}
"""A default and an extended session that are lists, a programming session, and one of the maker's own."""


def entered(*sessions: str, **settings: Any) -> Tester:
    """A tester that has entered one session after the other."""
    one = Tester(sessions=SESSIONS, memory=[], **settings)
    for session in sessions:
        assert one.ask(f"10 {session}").startswith(f"50 {session}")
    return one


@pytest.mark.parametrize(
    ("sessions", "request_", "answer"),
    [
        ((), "2E F1 98 00", "7F 2E 7F"),  # a service of other sessions
        ((), "2E", "7F 2E 7F"),  # and that goes before its length
        ((), "85 01", "7F 85 7F"),  # only session 40 has it
        (("03", "40"), "85 01", "C5 01"),
        ((), "84", "7F 84 11"),  # no session has it
        ((), "19 06 03 01 07 FF", "7F 19 7E"),  # a sub-function of other sessions
        ((), "19 86", "7F 19 7E"),  # which the suppress bit does not change
        ((), "19 11", "7F 19 12"),  # a sub-function of no session
        ((), "19", "7F 19 13"),
        ((), "11 03", "7F 11 7E"),
        ((), "10 02", "7F 10 7E"),  # it is entered from 03 only
        ((), "10 40", "7F 10 7E"),
        ((), "10 04", "7F 10 12"),
        (("03",), "27 03", "7F 27 7E"),  # a level of session 40
        (("03", "40"), "27 05", "7F 27 12"),
        (("03", "02"), "10 40", "7F 10 7E"),
        (("03", "02"), "19 02 FF", "7F 19 7F"),
        (("03", "02"), "11 03", "51 03"),
    ],
)
def test_a_session_supports_what_its_list_says(sessions: tuple[str, ...], request_: str, answer: str) -> None:
    """A service: 11 in no session, 7F in others only; a sub-function: 12 in no session, 7E in others only."""
    assert entered(*sessions).ask(request_) == answer


def test_functional_requests_are_not_told_7e() -> None:
    """As 7F: another control unit may support it in its session."""
    assert entered().ask("19 06 03 01 07 FF", functional=True) == ""


def test_each_session_has_its_own_times() -> None:
    """25 ms are 0019, 10 s are 03E8 tens of milliseconds; S3 of 2 s."""
    one = entered("03")
    assert one.ask("10 02") == "50 02 00 19 03 E8"
    one.wait(1999)
    assert one.ask("22 F1 86") == "62 F1 86 02"
    one.wait(2000)
    assert one.ask("22 F1 86") == "62 F1 86 01"


def test_pending_is_said_within_the_p2_of_the_session() -> None:
    """The self-test takes 2 s: 78 within 20 ms, and the next within 1 s."""
    one = Tester(sessions={"03": {"p2": 20, "p2_star": 1000}}).extended()
    one.ask("31 01 02 00")
    heard = one.wait(2100)
    assert [text for _, text in heard][-1] == "71 01 02 00 01 01"
    times = [elapsed for elapsed, text in heard if text == "7F 31 78"]
    assert times[0] <= 20
    assert all(later - earlier <= 1000 for earlier, later in zip(times, [*times[1:], heard[-1][0]], strict=True))


def test_a_session_may_be_dropped() -> None:
    """Then nothing but the default session is there, and what needs another one is no service at all."""
    one = Tester(sessions={"03": None})
    assert one.ask("10 03") == "7F 10 12"
    assert one.ask("2E F1 98 00") == "7F 2E 11"
    assert one.ask("22 F1 86") == "62 F1 86 01"


def test_services_that_run_without_a_session_keep_running_in_it() -> None:
    """A written identifier in the default session, where the bench says so."""
    one = Tester(sessions={"01": {"services": ["10", "22", "2E"]}})
    assert one.ask(f"2E F1 98 {b'GARAGE-1'.hex()}") == "6E F1 98"


SECURED = {**SECURITY, "services": {"2E": 1, "11 03": 3, "10 40": 1}}


@pytest.mark.parametrize(
    ("level", "request_", "answer"),
    [
        (0, "2E", "7F 2E 33"),  # before its length
        (1, "2E", "7F 2E 13"),
        (0, "11 03", "7F 11 33"),
        (1, "11 03", "7F 11 33"),  # another level
        (3, "11 03", "51 03"),
        (0, "11 01", "51 01"),
        (0, "10 40", "7F 10 33"),
        (1, "10 40", "50 40 00 32 01 F4"),
    ],
)
def test_services_and_sub_functions_may_need_security_access(level: int, request_: str, answer: str) -> None:
    """33 after session and sub-function, before anything of the service itself."""
    one = Tester(sessions={"40": {}}, security=SECURED)
    one = one.unlocked(level) if level else one.extended()
    assert one.ask(request_) == answer
    assert Tester(sessions={"40": {}}, security=SECURED).ask("2E") == "7F 2E 7F"


def test_a_session_may_have_conditions() -> None:
    """Programming at rest only (88), and with the engine off (22)."""
    conditions = [{"holds": "vehicle.Speed == 0", "refusal": 0x88}, "not vehicle.EngineWorking"]
    one = Tester(sessions={"40": {"conditions": conditions}})
    one.bus.vehicle[VehicleData.SPEED] = 1000
    assert one.ask("10 40") == "7F 10 88"
    one.bus.vehicle[VehicleData.SPEED] = 0
    one.bus.vehicle[VehicleData.ENGINE_WORKING] = 1
    assert one.ask("10 40") == "7F 10 22"
    one.bus.vehicle[VehicleData.ENGINE_WORKING] = 0
    assert one.ask("10 40").startswith("50 40")


SECRET = {"data": "AA", "sessions": ["03"], "read_security": 1}


def test_an_identifier_may_be_there_in_some_sessions_only() -> None:
    """31 elsewhere, alone or written; beside others it is left out."""
    one = Tester(
        identifiers={"0300": {"data": "AA", "sessions": ["03"], "stored": True}}, sessions={"40": {}}, memory=[]
    )
    assert one.ask("22 03 00") == "7F 22 31"
    assert one.ask("22 03 00 F1 86") == "62 F1 86 01"
    one.ask("10 40")
    assert one.ask("2E 03 00 BB") == "7F 2E 31"
    assert one.extended().ask("2E 03 00 BB") == "6E 03 00"
    assert one.ask("22 03 00") == "62 03 00 BB"


def test_reading_may_need_security_access() -> None:
    """33, behind the session; the memory that shows it has a level of its own."""
    one = Tester(identifiers={"0300": SECRET}, memory=[{"address": 0, "identifier": "0300"}])
    assert one.ask("22 03 00") == "7F 22 31"
    assert one.extended().ask("22 03 00") == one.ask("22 F1 86 03 00") == "7F 22 33"
    assert one.unlocked().ask("22 03 00") == "62 03 00 AA"


def test_a_routine_may_be_there_in_some_sessions_only() -> None:
    """31 elsewhere, before its security access."""
    one = Tester(routines={"0300": {"sessions": ["40"], "security": 1}}, sessions={"40": {}}).extended()
    assert one.ask("31 01 03 00") == "7F 31 31"
    one.ask("10 40")
    assert one.ask("31 01 03 00") == "7F 31 33"


def test_a_held_value_stays_in_sessions_that_may_hold_it() -> None:
    """From 03 to 40, which supports 2F too; 02 does not, and ends it."""
    one = Tester(sessions={"02": {}, "40": {}}).extended()
    assert one.ask("2F 01 10 03 64").startswith("6F")
    one.ask("10 40")
    assert one.holds.held == {"input.Throttle": 0.5}
    one.ask("10 02")
    assert one.holds.held == {}


def test_udsoncan_reads_the_times_of_a_session() -> None:
    """Its decoder of service 10."""
    timing = answers(Tester(sessions=SESSIONS).client().change_session, 3)
    assert (timing.session_echo, timing.p2_server_max, timing.p2_star_server_max) == (3, 0.05, 5.0)


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"sessions": {"03": {"services": ["22", "34"]}}}, ("uds", "sessions", "03", "services", 1)),
        ({"sessions": {"01": {"services": ["19 11"]}}}, ("uds", "sessions", "01", "services", 0)),
        ({"sessions": {"01": {"services": ["10 02"]}}}, ("uds", "sessions", "01", "services", 0)),
        ({"sessions": {"40": {"conditions": ["1 +"]}}}, ("uds", "sessions", "40", "conditions", 0, "holds")),
        ({"security": {**SECURITY, "services": {"34": 1}}}, ("uds", "security", "services", "34")),
        ({"security": {**SECURITY, "services": {"11 04": 1}}}, ("uds", "security", "services", "11 04")),
    ],
)
def test_what_the_control_unit_does_not_have_is_told_with_its_place(
    settings: dict[str, Any], place: tuple[str | int, ...]
) -> None:
    """A service or a sub-function in a list."""
    with pytest.raises(ConfigurationError, match=r"has no (service|sub-function)|no sub-function|column 3") as raised:
        Tester(**settings)
    assert raised.value.place == place
