"""Identifiers and prefixes of ISO 15765-2 and ISO 15765-4; python-can-isotp is asked for the same."""

import isotp
import pytest

from hilbridge.codec.frame import EXTENDED, EXTENDED_MASK
from hilbridge.diagnostics.isotp.address import Address

from .wires import MODE, PAIRS

PHYSICAL, FUNCTIONAL = isotp.TargetAddressType.Physical, isotp.TargetAddressType.Functional


@pytest.mark.parametrize(("ours", "theirs"), PAIRS.values(), ids=PAIRS)
def test_identifiers_are_those_of_python_can_isotp(ours: Address, theirs: isotp.Address) -> None:
    """Request, answer, and whether they have 29 bits."""
    assert ours.request_id & EXTENDED_MASK == theirs.get_tx_arbitration_id(PHYSICAL)
    assert ours.response_id & EXTENDED_MASK == theirs.get_rx_arbitration_id(PHYSICAL)
    assert bool(ours.request_id & EXTENDED) == bool(ours.response_id & EXTENDED) == theirs.is_tx_29bits()
    assert ours.request_prefix == theirs.get_tx_payload_prefix()
    assert len(ours.response_prefix) == theirs.get_rx_prefix_size()


def test_the_functional_identifier_is_that_of_python_can_isotp() -> None:
    """To target address 33."""
    theirs = isotp.Address(MODE.NormalFixed_29bits, source_address=0xF1, target_address=0x33)
    ours = Address.normal_fixed_29bit(0xF1, 0x10)
    assert ours.functional_id == theirs.get_tx_arbitration_id(FUNCTIONAL) | EXTENDED


def test_the_identifiers_of_obd_are_those_of_iso_15765_4() -> None:
    """11-bit: 7DF to all. 29-bit, ECU 10: 18DB33F1 to all, 18DA10F1 to it, 18DAF110 from it."""
    assert Address.normal_11bit(0x7E0, 0x7E8) == (0x7E0, 0x7E8, 0x7DF, b"", b"", b"")
    wanted = [identifier | EXTENDED for identifier in (0x18DA10F1, 0x18DAF110, 0x18DB33F1)]
    assert list(Address.normal_fixed_29bit(0xF1, 0x10)[:3]) == wanted


def test_the_tester_hears_answers_and_nothing_functional() -> None:
    address = Address(0x6F1, 0x612, 0x6F1, b"\x12", b"\xf1", b"\xdf")
    assert address.mirrored() == (0x612, 0x6F1, None, b"\xf1", b"\x12", b"")
    assert address.mirrored().mirrored() == (0x6F1, 0x612, None, b"\x12", b"\xf1", b"")
