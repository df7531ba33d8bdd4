"""Identifiers and prefixes of ISO 15765-2 and ISO 15765-4; python-can-isotp is asked for the same."""

import isotp
import pytest

from hilbridge.bench.diagnostics.isotp.address import Address, address_of
from hilbridge.files.settings.units import AddressSettings
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK

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


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("normal 11", {"request": 0x7E0, "answer": 0x7E8}),
        ("normal 29", {"request": 0x18001234, "answer": 0x18004321}),
        ("normal fixed 29", {"address": 0x10}),
        ("extended 11", {"request": 0x6F1, "answer": 0x612, "target": 0x12}),
        ("mixed 11", {"request": 0x710, "answer": 0x718, "extension": 0x55}),
        ("mixed 29", {"address": 0x10, "extension": 0x55}),
    ],
)
def test_a_bench_file_describes_each_kind(name: str, written: dict[str, int]) -> None:
    """As the pairs above, which python-can-isotp has checked, but for functional requests."""
    ours = address_of(AddressSettings.model_validate(written))
    assert ours._replace(functional_id=None, functional_prefix=b"") == PAIRS[name][0]._replace(functional_id=None)


@pytest.mark.parametrize(
    ("written", "functional_id", "prefix"),
    [
        ({"request": 0x714, "answer": 0x77E}, 0x7DF, b""),
        ({"request": 0x714, "answer": 0x77E, "functional": 0x700}, 0x700, b""),
        ({"request": 0x714, "answer": 0x77E, "functional": None}, None, b""),
        ({"request": 0x17FC0076, "answer": 0x17FE0076}, 0x18DB33F1 | EXTENDED, b""),
        ({"address": 0x40}, 0x18DB33F1 | EXTENDED, b""),
        ({"address": 0x40, "functional_target": 0xFE, "source": 0xF9}, 0x18DBFEF9 | EXTENDED, b""),
        ({"request": 0x6F1, "answer": 0x612, "target": 0x12}, None, b""),
        ({"request": 0x6F1, "answer": 0x612, "target": 0x12, "functional_target": 0xDF}, 0x6F1, b"\xdf"),
        ({"request": 0x710, "answer": 0x718, "extension": 0x55}, None, b"\x55"),
        ({"address": 0x10, "extension": 0x55}, 0x18CD33F1 | EXTENDED, b"\x55"),
    ],
)
def test_requests_to_all_units(written: dict[str, int | None], functional_id: int | None, prefix: bytes) -> None:
    """Normal addressing hears those of OBD if the bench says nothing; others need their own."""
    address = address_of(AddressSettings.model_validate(written))
    assert (address.functional_id, address.functional_prefix) == (functional_id, prefix)


def test_an_address_is_described_as_on_the_wire() -> None:
    assert Address.normal_fixed_29bit(0xF1, 0x10).describe() == "18DA10F1 -> 18DAF110"
    assert Address(0x6F1, 0x612, None, b"\x12", b"\xf1").describe() == "6F1 12 -> 612 F1"
