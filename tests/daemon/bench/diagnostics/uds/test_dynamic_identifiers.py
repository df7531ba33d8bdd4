"""Service 2C (ISO 14229-1, 11.6): identifiers that a tester puts together of others and of memory."""

import pytest
from udsoncan import DynamicDidDefinition, MemoryLocation

from .tester import IDENTIFIERS, Tester, answers


def unit() -> Tester:
    return Tester(dynamic=True, identifiers=IDENTIFIERS | {"F2F0": {"text": "FIXED"}})


def test_udsoncan_defines_by_identifiers() -> None:
    """Bytes 2 to 3 of the serial number, all of the workshop."""
    tester = unit().extended()
    definition = DynamicDidDefinition(source_did=0xF18C, position=2, memorysize=2)  # type: ignore[no-untyped-call]
    definition.add(source_did=0xF198, position=1, memorysize=8)
    answers(tester.client().dynamically_define_did, 0xF200, definition)
    assert bytes.fromhex(tester.ask("22 F2 00"))[3:] == b"ERWORKSHOP"
    tester.ask(f"2E F1 98 {b'GARAGE-1'.hex()}")
    assert bytes.fromhex(tester.ask("22 F2 00"))[3:] == b"ERGARAGE-1"


def test_udsoncan_defines_by_addresses_and_clears() -> None:
    tester = unit().extended()
    place = MemoryLocation(0x1002, 3, address_format=16, memorysize_format=8)
    definition = DynamicDidDefinition(place)  # type: ignore[no-untyped-call]
    answers(tester.client().dynamically_define_did, 0xF3FF, definition)
    assert tester.ask("22 F3 FF") == "62 F3 FF 02 03 04"
    answers(tester.client().clear_dynamically_defined_did, 0xF3FF)
    assert tester.ask("22 F3 FF") == "7F 22 31"


def test_a_second_definition_is_appended_and_all_are_cleared_at_once() -> None:
    tester = unit()
    assert tester.ask("2C 01 F2 00 F1 8C 01 01") == "6C 01 F2 00"
    assert tester.ask("2C 02 F2 00 12 10 00 01") == "6C 02 F2 00"
    assert tester.ask("22 F2 00") == "62 F2 00 53 00"
    assert tester.ask("2C 03") == "6C 03"
    assert tester.ask("22 F2 00") == "7F 22 31"


@pytest.mark.parametrize("way", ["reset", "supply"])
def test_definitions_are_forgotten(way: str) -> None:
    tester = unit()
    tester.ask("2C 01 F2 00 F1 8C 01 01")
    if way == "reset":
        tester.ask("11 01")
    else:
        tester.server.restart()
    assert tester.ask("22 F2 00") == "7F 22 31"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("2C", "13"),
        ("2C 04", "12"),
        ("2C 01 F2", "13"),
        ("2C 01 F2 00", "13"),
        ("2C 01 F2 00 F1 8C 01", "13"),
        ("2C 02 F2 00", "13"),
        ("2C 02 F2 00 12", "13"),
        ("2C 02 F2 00 12 10 00", "13"),
        ("2C 03 F2", "13"),
        ("2C 03 F2 00 00", "13"),
        ("2C 01 F1 FF F1 8C 01 01", "31"),  # out of the range
        ("2C 01 F4 00 F1 8C 01 01", "31"),
        ("2C 01 F2 F0 F1 8C 01 01", "31"),  # of the bench file
        ("2C 01 F2 00 12 34 01 01", "31"),  # no such source
        ("2C 01 F2 00 F1 8C 00 01", "31"),  # positions begin with 1
        ("2C 01 F2 00 F1 8C 01 00", "31"),
        ("2C 01 F2 00 F1 8C 0B 02", "31"),  # beyond its eleven bytes
        ("2C 02 F2 00 02 10 00", "31"),
        ("2C 02 F2 00 12 10 07 02", "31"),
        ("2C 02 F2 00 12 30 00 06", "33"),
        ("2C 03 F2 00", "31"),
    ],
)
def test_what_defines_nothing_is_refused(request_: str, code: str) -> None:
    tester = unit().extended()
    assert tester.ask(request_) == f"7F 2C {code}"
    assert tester.ask("22 F2 00") == "7F 22 31"


def test_a_definition_does_not_open_memory() -> None:
    """It was defined behind security access, and is read without."""
    tester = unit().unlocked()
    assert tester.ask("2C 02 F2 00 12 30 00 06") == "6C 02 F2 00"
    assert bytes.fromhex(tester.ask("22 F2 00"))[3:] == b"SECRET"
    assert tester.extended().ask("22 F2 00") == "7F 22 33"


def test_without_the_setting_there_is_no_such_service() -> None:
    assert Tester().ask("2C 03") == "7F 2C 11"


def test_a_source_that_this_session_has_not_is_out_of_range() -> None:
    """As its own number is; a source that is only not available is "conditions not correct"."""
    tester = Tester(dynamic=True, identifiers=IDENTIFIERS | {"0130": {"data": "01 02", "sessions": ["03"]}}).extended()
    assert tester.ask("2C 01 F2 10 01 30 01 02") == "6C 01 F2 10"
    assert tester.ask("22 F2 10") == "62 F2 10 01 02"
    assert tester.ask("10 01").startswith("50")
    assert tester.ask("22 01 30") == "7F 22 31"
    assert tester.ask("22 F2 10") == "7F 22 31"
