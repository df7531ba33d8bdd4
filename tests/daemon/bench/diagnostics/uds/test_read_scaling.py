"""Service 24, by the example of ISO 14229-1 and by py-uds, which has the format of scaling bytes as a table."""

import warnings
from typing import Any

import pytest
from uds.translator import service_definitions  # type: ignore[import-untyped]

from hilbridge.bench.diagnostics.uds.read_scaling import decimal

from .tester import SECURITY, Tester

IDENTIFIERS: dict[str, Any] = {
    "0105": {"from": "vehicle.Speed", "unit": "km/h", "length": 1, "scale": 0.75, "offset": 30},
    "0106": {"from": "vehicle.EngineRpm"},
    "0107": {"constant": -3, "signed": True, "length": 4, "scale": 10},
    "0108": {"constant": 1.5, "float": True},
    "0109": {"data": "00 01 02"},
    "0110": {"fields": {"A": {"constant": 1, "length": 1}, "B": {"text": "ABC"}, "C": {"constant": 1, "times": 2}}},
    "0111": {"fields": {"A": {"constant": 1, "bits": 3}, "B": {"constant": 1, "byte": 17, "length": 1}}},
    "0113": {"constant": 1, "scale": 1e12},
    "0112": {"constant": 1, "length": 1, "scaling": "01 A1 30", "read_security": 1},
}


def scaling(number: str) -> str:
    tester = Tester(identifiers=IDENTIFIERS, memory=[], security=SECURITY, scaling=True)
    return tester.ask(f"24 {number}")


def test_the_examples_of_the_standard() -> None:
    """The VIN has 15 and 2 characters; a speed is y = 0.75 · x + 30."""
    assert scaling("F1 90") == "64 F1 90 6F 62"
    assert scaling("01 05") == "64 01 05 01 95 00 E0 4B 00 1E"


def test_bits_have_a_mask() -> None:
    """Three bits at the begin, one byte as number 17; in parts of 15 bytes."""
    assert scaling("01 11") == "64 01 11 2F E0" + " 00" * 14 + " 23 00 00 FF"
    assert scaling("01 09") == "64 01 09 23 FF FF FF"


@pytest.mark.parametrize(
    ("number", "kinds"),
    [
        ("F1 90", [("ASCII", 15), ("ASCII", 2)]),
        ("01 06", [("unSignedNumeric", 2)]),
        ("01 07", [("signedNumeric", 4), ("formula", 5)]),
        ("01 08", [("signedFloatingPoint", 4)]),
        ("01 09", [("bitMappedReportedWithOutMask", 3)]),
        ("01 10", [("unSignedNumeric", 1), ("ASCII", 3), ("unSignedNumeric", 2), ("unSignedNumeric", 2)]),
        ("01 11", [("bitMappedReportedWithOutMask", 15), ("bitMappedReportedWithOutMask", 3)]),
    ],
)
def test_py_uds_reads_kind_and_length(number: str, kinds: list[tuple[str, int]]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # py-uds has no names for our numbers
        decoded = service_definitions.READ_SCALING_DATA_BY_IDENTIFIER.decode(bytes.fromhex(scaling(number)))
    found = [record["children"] for record in decoded if record["name"].startswith("scalingByte#")]
    assert [(kind["physical_value"], length["physical_value"]) for kind, length in found] == kinds


@pytest.mark.parametrize(
    ("number", "spelt"),
    [
        (0.75, "E04B"),
        (30, "001E"),
        (-40, "0FD8"),
        (0, "0000"),
        (2047, "07FF"),
        (20470, "17FF"),
        (1 / 3, "D14D"),
        (1e-8, "8001"),
    ],
)
def test_constants_are_decimal_numbers(number: float, spelt: str) -> None:
    """By hand: 4 bits of exponent and 12 of mantissa, both signed; a third is 333 · 10^-3."""
    assert decimal(number).hex().upper() == spelt


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("24", "13"),
        ("24 01", "13"),
        ("24 01 05 01", "13"),
        ("24 99 99", "31"),
        ("24 F1 86", "31"),
        ("24 01 13", "31"),
        ("24 01 12", "33"),
    ],
)
def test_what_is_refused(request_: str, code: str) -> None:
    tester = Tester(identifiers=IDENTIFIERS, memory=[], security=SECURITY, scaling=True)
    assert tester.ask(request_) == f"7F 24 {code}"
    assert tester.unlocked().ask("24 01 12") == "64 01 12 01 A1 30"
    assert Tester().ask("24 F1 90") == "7F 24 11"
