"""Service 23."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from udsoncan import MemoryLocation

from hilbridge.base.common.errors import ConfigurationError

from .tester import Tester, answers


@given(st.integers(0, 7), st.data(), st.sampled_from([16, 24, 32, 40]), st.sampled_from([8, 16, 24, 32]))
def test_every_part_of_a_piece_can_be_read(start: int, data: st.DataObject, address: int, size: int) -> None:
    """With every length of address and size that udsoncan writes; byte n holds n."""
    length = data.draw(st.integers(1, 8 - start))
    location = MemoryLocation(0x1000 + start, length, address_format=address, memorysize_format=size)
    tester = Tester().extended()
    block = answers(tester.client().read_memory_by_address, location).memory_block
    assert block == bytes(range(start, start + length))


def test_memory_shows_stored_identifiers() -> None:
    """What 2E wrote."""
    tester = Tester().extended()
    assert bytes.fromhex(tester.ask("23 12 20 00 08"))[1:] == b"WORKSHOP"
    tester.ask(f"2E F1 98 {b'GARAGE-1'.hex()}")
    assert bytes.fromhex(tester.ask("23 12 20 00 08"))[1:] == b"GARAGE-1"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("23", "13"),
        ("23 11 00", "13"),
        ("23 02 10 00 01", "31"),
        ("23 10 10 00 01", "31"),
        ("23 52 10 00 01", "31"),
        ("23 16 10 00 01", "31"),
        ("23 12 10 00", "13"),
        ("23 12 10 00 01 00", "13"),
        ("23 12 0F FF 01", "31"),  # before the first piece
        ("23 12 10 07 02", "31"),  # over its end
        ("23 12 10 00 00", "31"),  # no byte
        ("23 12 30 00 01", "33"),
        ("23 12 30 00 20", "31"),  # the place goes before security
    ],
)
def test_what_cannot_be_read_is_refused(request_: str, code: str) -> None:
    """Length, format, total length, place, security."""
    assert Tester().extended().ask(request_) == f"7F 23 {code}"


def test_a_secured_piece_opens_with_its_level_alone() -> None:
    """Level 3 does not open what level 1 guards."""
    assert Tester().unlocked(1).ask("23 12 30 00 06") == "63 53 45 43 52 45 54"
    assert Tester().unlocked(3).ask("23 12 30 00 06") == "7F 23 33"


def test_without_memory_there_is_no_such_service() -> None:
    """11."""
    assert Tester(memory=[]).extended().ask("23 12 10 00 01") == "7F 23 11"


@pytest.mark.parametrize(
    ("memory", "reason", "key"),
    [
        ([{"address": 0, "data": "00 01"}, {"address": 1, "data": "00"}], "overlaps", "address"),
        ([{"address": 0, "data": "00"}, {"address": 1, "identifier": "0100"}], "no identifier with", "identifier"),
        ([{"address": 0, "data": "00"}, {"address": 1, "identifier": "0999"}], "no identifier with", "identifier"),
    ],
)
def test_memory_that_cannot_be_is_refused_at_start(memory: object, reason: str, key: str) -> None:
    """Pieces on top of each other, and identifiers without bytes of their own."""
    with pytest.raises(ConfigurationError, match=reason) as raised:
        Tester(memory=memory)
    assert raised.value.place == ("uds", "memory", 1, key)
