"""Service 86 (ISO 14229-1, 10.9): answers on events."""

import pytest

from vehiclesim.channels import VEHICLE, VehicleData

from .tester import IDENTIFIERS, Tester

SPEED_CHANGES = "86 03 02 01 01 22 01 01"
"""Identifier 0101, the speed [km/h]: read it when it changes; endless."""

START, STOP, CLEAR, REPORT = "86 05 02", "86 00 02", "86 06 02", "86 04 02"


def unit(**settings: object) -> Tester:
    tester = Tester(identifiers=IDENTIFIERS, events={"interval": 10} | settings)
    drive(tester, 50)
    return tester


def drive(tester: Tester, speed: float) -> None:
    """A speed [km/h]."""
    tester.bus.write(VEHICLE, VehicleData.SPEED, speed / 3.6)


def said(tester: Tester, milliseconds: int = 50) -> list[str]:
    return [text for _, text in tester.wait(milliseconds)]


def test_a_change_of_an_identifier_is_answered() -> None:
    """Once for each change, only while it is started."""
    tester = unit()
    assert tester.ask(SPEED_CHANGES) == "C6 03 00 02 01 01 22 01 01"
    drive(tester, 51)
    assert said(tester) == []
    assert tester.ask(START) == "C6 05 00 02"
    assert said(tester) == []
    drive(tester, 52)
    assert said(tester) == ["62 01 01 34"]
    assert said(tester) == []
    assert tester.ask(STOP) == "C6 00 00 02"
    drive(tester, 53)
    assert said(tester) == []
    assert tester.server.idle


def test_a_trouble_code_is_answered_when_a_bit_of_the_mask_is_set() -> None:
    """Not when one is cleared, and not by other bits."""
    tester = unit()
    tester.ask("86 01 02 01 19 02 01")  # test failed
    tester.ask(START)
    assert said(tester) == []
    tester.memory.troubles["P0420"].fail()
    (answer,) = said(tester)
    assert answer.startswith("59 02")
    tester.memory.troubles["P0420"].succeed()
    assert said(tester) == []


def test_a_timer_is_answered_at_its_rate() -> None:
    """01 slow, 02 medium, 03 fast."""
    tester = unit(slow=300.0, interval=10)
    tester.ask("86 02 02 01 22 F1 86")
    tester.ask(START)
    assert [(at - 1) // 100 for at, text in tester.wait(1000)] == [3, 6, 9]
    assert tester.ask("86 02 02 04 22 F1 86") == "7F 86 31"


@pytest.mark.parametrize(
    ("logic", "speeds", "heard"),
    [
        ("01", [60, 49, 48, 54, 49, 56, 49], [49, 49]),  # below 50; back at 55 or more
        ("02", [40, 51, 52, 46, 51, 44, 51], [51, 51]),  # above 50; back at 45 or less
        ("03", [49, 50, 51, 50], [50, 50]),
        ("04", [50, 51, 52, 50, 49], [51, 49]),
    ],
)
def test_a_comparison_is_answered_when_it_becomes_true(logic: str, speeds: list[int], heard: list[int]) -> None:
    """The reference is 50 with a hysteresis of 10 %; the place is all eight bits of the identifier."""
    tester = unit()
    drive(tester, speeds[0])
    place = f"{8 << 10:04X}"
    assert tester.ask(f"86 07 02 01 01 {logic} 00000032 0A {place} 22 01 01").startswith("C6 07 00 02")
    tester.ask(START)
    answers = said(tester)
    for speed in speeds[1:]:
        drive(tester, speed)
        answers += said(tester)
    assert [int(answer[-2:], 16) for answer in answers] == heard


@pytest.mark.parametrize(
    ("place", "logic", "reference", "values", "heard"),
    [
        (4 << 10 | 4, "03", 5, [0x14, 0x25, 0x36, 0x15, 0x55], [0x25, 0x15]),  # the last four bits are 5
        (4 << 10, "03", 5, [0x41, 0x52, 0x63, 0x5F], [0x52, 0x5F]),  # the first four
        (1 << 15 | 4 << 10 | 4, "01", -3, [0x1D, 0x2C, 0x3E, 0x18, 0x17], [0x2C, 0x18]),  # -8 to 7, below -3
        (1 << 15 | 4 << 10 | 4, "02", 0, [0x1F, 0x21, 0x3F, 0x18, 0x17], [0x21, 0x17]),
    ],
)
def test_what_lies_beside_the_place_of_a_comparison_does_not_matter(
    place: int, logic: str, reference: int, values: list[int], heard: list[int]
) -> None:
    """The sign of a number is its own first bit, where the place has one."""
    tester = unit()
    drive(tester, values[0])
    tester.ask(f"86 07 02 01 01 {logic} {reference & 0xFFFF_FFFF:08X} 00 {place:04X} 22 01 01")
    tester.ask(START)
    answers = said(tester)
    for value in values[1:]:
        drive(tester, value)
        answers += said(tester)
    assert [int(answer[-2:], 16) for answer in answers] == heard


def test_a_window_ends_with_the_number_of_events() -> None:
    """03 is the short one, here half a second."""
    tester = unit(short_window=0.5)
    tester.ask("86 03 03 01 01 22 01 01")
    tester.ask("86 05 03")
    said(tester, 100)
    drive(tester, 60)
    assert said(tester, 100) == ["62 01 01 3C"]
    assert said(tester, 400) == ["C6 03 01 03 01 01 22 01 01"]
    drive(tester, 70)
    assert (said(tester, 100), tester.server.idle) == ([], True)


def test_events_are_reported_and_forgotten() -> None:
    tester = unit()
    tester.ask(SPEED_CHANGES)
    tester.ask("86 01 03 FF 19 02 FF")
    assert tester.ask(REPORT) == "C6 04 02 03 02 01 01 22 01 01 01 03 FF 19 02 FF"
    assert tester.ask(CLEAR) == "C6 06 00 02"
    assert tester.ask(REPORT) == "C6 04 00"
    assert tester.ask(START) == "7F 86 24"


def test_a_session_ends_events_unless_they_are_stored() -> None:
    """Stored ones (bit 6) rest in other sessions and go on after them, and after a loss of the supply."""
    tester = unit()
    tester.ask(SPEED_CHANGES)
    tester.ask("86 43 02 01 02 22 F1 86")
    tester.ask("86 45 02")
    tester.extended()
    drive(tester, 99)
    assert said(tester) == []
    tester.ask("10 01")
    assert tester.ask(REPORT) == "C6 04 01 03 02 01 02 22 F1 86"
    tester.server.restart()
    said(tester)
    tester.bus.vehicle[6] = 5000
    assert said(tester) == ["62 F1 86 01"]
    tester.ask("86 40 02")
    tester.server.restart()
    assert tester.server.idle


def test_a_refusal_is_an_answer_too() -> None:
    """Of an identifier that is not known."""
    tester = unit()
    tester.ask("86 03 02 01 01 22 77 77")
    tester.ask(START)
    said(tester)
    drive(tester, 60)
    assert said(tester) == ["7F 22 31"]


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("86", "13"),
        ("86 08 02", "12"),
        ("86 44 02", "12"),  # a report is not stored
        ("86 05", "13"),
        ("86 05 02 00", "13"),
        ("86 03 02 01 01", "13"),  # nothing to answer
        ("86 03 02 01", "13"),
        ("86 07 02 01 01 01 00000032 0A 2000", "13"),
        ("86 03 01 01 01 22 01 01", "31"),  # no such window
        ("86 03 02 77 77 22 01 01", "31"),  # no such identifier
        ("86 03 02 01 01 10 03", "31"),  # not for events
        ("86 07 02 01 01 05 00000032 0A 2000 22 01 01", "31"),  # no such logic
        ("86 07 02 01 01 01 00000032 0A 2001 22 01 01", "31"),  # beyond its eight bits
        ("86 05 02", "24"),
    ],
)
def test_what_is_no_event_is_refused(request_: str, code: str) -> None:
    tester = unit()
    assert tester.ask(request_) == f"7F 86 {code}"
    assert tester.server.idle


def test_there_are_no_more_events_than_possible() -> None:
    """The same one again takes the place of the first."""
    tester = unit(most=1)
    tester.ask(SPEED_CHANGES)
    assert tester.ask(SPEED_CHANGES).startswith("C6")
    assert tester.ask("86 01 02 FF 19 02 FF") == "7F 86 31"
    assert tester.extended().ask("86 43 02 01 01 22 01 01") == "7F 86 31"  # stored: in the default session


def test_without_settings_there_is_no_such_service() -> None:
    assert Tester().ask(START) == "7F 86 11"
