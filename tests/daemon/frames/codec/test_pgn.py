"""The parts of J1939 identifiers; examples are worked by hand from SAE J1939-21."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.frames.codec.frame import EXTENDED
from hilbridge.frames.codec.pgn import GLOBAL, Identifier, split, with_source

#   identifier   priority, PGN, destination, source
EXAMPLES = {
    0x0CF00400: (3, 61444, GLOBAL, 0x00),  # EEC1 of the engine
    0x18FEF100: (6, 65265, GLOBAL, 0x00),  # CCVS1
    0x0C000027: (3, 0, 0x00, 0x27),  # TSC1 to the engine
    0x18EA00F9: (6, 59904, 0x00, 0xF9),  # request of a tool to the engine
    0x18EEFF80: (6, 60928, GLOBAL, 0x80),  # address claimed
    0x19FECA03: (6, 0x1FECA, GLOBAL, 0x03),  # data page 1
}


@pytest.mark.parametrize("identifier", EXAMPLES, ids=hex)
def test_identifiers_fall_into_their_parts(identifier: int) -> None:
    assert split(EXTENDED | identifier) == EXAMPLES[identifier]
    assert Identifier(*EXAMPLES[identifier]).can_id == EXTENDED | identifier


@given(st.integers(0, 0x1FFFFFFF))
def test_parts_make_the_identifier_again(identifier: int) -> None:
    assert split(EXTENDED | identifier).can_id == EXTENDED | identifier


def test_the_source_address_is_the_last_byte() -> None:
    assert with_source(EXTENDED | 0x0CF004FE, 0x01) == EXTENDED | 0x0CF00401
