"""The forms of trouble codes."""

import obd.decoders  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.diagnostics.dtc.codes import number_of

from ..control_units import CODES, shipped_codes


@pytest.mark.parametrize(
    ("text", "number"),
    [("P0301", 0x0301), ("P2135", 0x2135), ("C0051", 0x4051), ("B1234", 0x9234), ("U0100", 0xC100), ("P3FFF", 0x3FFF)],
)
def test_two_bytes_by_hand(text: str, number: int) -> None:
    """The letter is bits 15 and 14."""
    assert number_of(text) == number


@given(st.integers(1, 0xFFFF))
def test_python_obd_names_every_code_the_same(number: int) -> None:
    code, _ = obd.decoders.parse_dtc(number.to_bytes(2, "big"))
    assert number_of(code.upper()) == number


def test_the_shipped_codes_are_told_apart_in_every_form() -> None:
    codes = [code for ecu in ("engine", "transmission") for code in shipped_codes(ecu).values()]
    assert len(codes) == len(CODES.codes)
    for form in ("j2012", "uds", "text"):
        assert len({getattr(code, form) for code in codes}) == len(codes)
    told = [(code.spn, code.fmi) for code in codes if code.spn is not None]
    assert len(set(told)) == len(told)


def test_a_code_knows_its_monitor_and_its_group() -> None:
    """P0300 by its monitor; P0301, which has none, by its number."""
    codes = shipped_codes("engine")
    assert (codes["P0300"].monitor, codes["P0300"].group) == ("misfire", "misfire")
    assert (codes["P0301"].monitor, codes["P0301"].group, codes["P0301"].has_priority) == (None, "misfire", True)
    assert codes["P0301"].uds == b"\x03\x01\x00"
    assert "P0218" not in codes
