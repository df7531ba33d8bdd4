"""Service 2A (ISO 14229-1, 11.5): identifiers that are sent again and again."""

import pytest

from hilbridge.frames.codec.frame import EXTENDED, Frame

from .tester import IDENTIFIERS, Tester

FAST, SLOW, STOP = "2A 03", "2A 01", "2A 04"
PERIODIC = {
    "F200": {"from": "vehicle.EngineRpm", "scale": 0.25},
    "F201": {"data": "AA BB"},
    "F2EE": {"text": "TOO LONG"},
}


def unit(**settings: object) -> Tester:
    return Tester(identifiers=IDENTIFIERS | PERIODIC, periodic=settings).extended()


def kept_alive(tester: Tester, milliseconds: int) -> list[tuple[int, str]]:
    """What is said of its own accord, from now on."""
    heard: list[tuple[int, str]] = []
    for begun in range(0, milliseconds, 1000):
        assert tester.ask("3E 80") == ""
        heard += [(begun + at, text) for at, text in tester.wait(min(1000, milliseconds - begun))]
    return heard


def test_messages_are_numbers_and_data_at_their_rates() -> None:
    """At once, then each second and each 50 ms; a message has no service (type 1)."""
    tester = unit()
    tester.bus.vehicle[6] = 0
    assert tester.ask(f"{FAST} 01") == "6A"
    heard = kept_alive(tester, 201)
    assert heard == [(at, "01 AA BB") for at in (1, 50, 100, 150, 200)]
    assert tester.ask(f"{SLOW} 01") == "6A"
    assert [at for at, _ in kept_alive(tester, 2500)] == [1, 1000, 2000]


def test_two_on_the_answers_take_turns() -> None:
    """One in a tick."""
    tester = unit()
    tester.ask(f"{FAST} 01 00")
    heard = tester.wait(60)
    assert [text[:2] for _, text in heard] == ["01", "00", "01", "00"]
    assert [at for at, _ in heard] == [1, 2, 50, 51]


def test_type_2_has_an_identifier_of_its_own() -> None:
    """Unsegmented frames, all that are due in one tick; seven bytes of data."""
    sent: list[Frame] = []
    tester = Tester(identifiers=IDENTIFIERS | PERIODIC, periodic={"identifier": 0x5E8}, transmit=sent.append).extended()
    tester.ask(f"{FAST} 01 00")
    assert tester.wait(1) == []
    assert [(frame.can_id, frame.data[0]) for frame in sent] == [(0x5E8, 1), (0x5E8, 0)]
    assert sent[0].data == b"\x01\xaa\xbb"
    extended = Tester(identifiers=PERIODIC, periodic={"identifier": 0x18DAF1EE}, transmit=sent.append, memory=[])
    extended.extended().ask(f"{FAST} 01")
    extended.wait(1)
    assert sent[-1].can_id == 0x18DAF1EE | EXTENDED


def test_stop_ends_some_or_all_and_so_does_the_session() -> None:
    tester = unit()
    tester.ask(f"{FAST} 00 01")
    assert tester.ask(f"{STOP} 00") == "6A"
    assert {text[:2] for _, text in tester.wait(100)} == {"01"}
    tester.ask(f"{FAST} 00 01")
    assert tester.ask(STOP) == "6A"
    assert tester.wait(100) == []
    tester.ask(f"{FAST} 01")
    tester.wait(4990)
    assert tester.server.idle is False
    tester.wait(20)  # S3 is over
    assert (tester.wait(100), tester.server.idle) == ([], True)


def test_a_change_into_a_session_that_has_it_stops_none() -> None:
    """ISO 14229-1, service 10: from a session into the same one, what is active and supported there is maintained."""
    tester = unit()
    tester.ask(f"{FAST} 01")
    tester.wait(60)
    assert tester.ask("10 03")[:5] == "50 03"
    assert [text for _, text in tester.wait(200)].count("01 AA BB") == 4


def test_a_change_into_the_default_session_stops_all() -> None:
    tester = unit()
    tester.ask(f"{FAST} 01")
    tester.ask("10 01")
    assert tester.wait(200) == []


def test_a_change_of_session_stops_what_needs_security_access_for_good() -> None:
    """The level is given back with the change, and taken again it begins nothing."""
    secured = {"F202": {"data": "CC", "read_security": 1}}
    tester = Tester(identifiers=IDENTIFIERS | PERIODIC | secured, periodic={}).unlocked()
    assert tester.ask(f"{FAST} 01 02") == "6A"
    assert {text for _, text in tester.wait(100)} == {"01 AA BB", "02 CC"}
    tester.ask("10 03")
    assert {text for _, text in tester.wait(100)} == {"01 AA BB"}
    tester.unlocked()
    assert {text for _, text in tester.wait(100)} == {"01 AA BB"}


def test_messages_go_on_during_other_requests() -> None:
    """Also while one takes its time."""
    tester = unit()
    tester.ask(f"{FAST} 01")
    tester.ask("31 01 02 00")
    heard = [text for _, text in tester.wait(400)]
    assert heard.count("01 AA BB") >= 7
    assert "7F 31 78" in heard


def test_what_is_not_available_is_left_out_while_it_is() -> None:
    tester = unit()
    tester.server.identifiers.define(0xF200, None)
    tester.ask("2A 03 01")
    tester.wait(10)
    assert tester.ask("2A 03 00") == "7F 2A 31"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("2A", "13"),
        ("2A 01", "13"),
        ("2A 03", "13"),
        ("2A 00 01", "31"),
        ("2A 05 01", "31"),
        ("2A 01 77", "31"),  # not known
        ("2A 01 EE", "31"),  # eight bytes do not fit
        ("2A 01 00 01 02", "31"),  # more than two
    ],
)
def test_what_cannot_be_periodic_is_refused(request_: str, code: str) -> None:
    more = {"F202": {"data": "00"}}
    tester = Tester(identifiers=IDENTIFIERS | PERIODIC | more, periodic={"most": 2}).extended()
    assert tester.ask(request_) == f"7F 2A {code}"
    assert tester.wait(100) == []


def test_unknown_numbers_beside_known_ones_are_ignored() -> None:
    tester = unit()
    assert tester.ask("2A 03 77 01") == "6A"
    assert {text[:2] for _, text in tester.wait(100)} == {"01"}


def test_it_is_not_for_the_default_session_and_not_without_settings() -> None:
    tester = unit()
    tester.ask("10 01")
    assert tester.ask("2A 01 01") == "7F 2A 7F"
    assert Tester().extended().ask("2A 01 01") == "7F 2A 11"
