"""CRCs agree with published check values and with the packages crccheck and autosar-e2e."""

from typing import Any

import crccheck.crc  # type: ignore[import-untyped]
import pytest
from e2e import crc as autosar
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.frames.protection.crc import (
    AUTOSAR_8H2F,
    AUTOSAR_P4,
    CCITT_FALSE,
    ECMA,
    ETHERNET,
    SAE_J1850,
    CrcParameters,
    start,
    update,
)


def calculate(parameters: CrcParameters, data: bytes) -> int:
    return update(parameters)(start(parameters), data) ^ parameters.xor_out


@pytest.mark.parametrize(
    ("parameters", "check"),
    [
        (SAE_J1850, 0x4B),
        (AUTOSAR_8H2F, 0xDF),
        (CCITT_FALSE, 0x29B1),
        (ETHERNET, 0xCBF43926),
        (AUTOSAR_P4, 0x1697D06A),
        (ECMA, 0x995DC9BBDF1939FA),
    ],
)
def test_check_values(parameters: CrcParameters, check: int) -> None:
    """The CRC of "123456789", as AUTOSAR's CRC library and the CRC catalogue print it."""
    assert calculate(parameters, b"123456789") == check


@pytest.mark.parametrize(
    ("parameters", "other"),
    [
        (SAE_J1850, crccheck.crc.Crc8SaeJ1850),
        (AUTOSAR_8H2F, crccheck.crc.Crc8Autosar),
        (CCITT_FALSE, crccheck.crc.Crc16CcittFalse),
        (ETHERNET, crccheck.crc.Crc32),
        (AUTOSAR_P4, crccheck.crc.Crc32Autosar),
        (ECMA, crccheck.crc.Crc64Xz),
    ],
)
def test_parameters_are_those_of_the_catalogue(parameters: CrcParameters, other: Any) -> None:
    """All five: a CRC that names its own start takes the rest from here."""
    names = ("_width", "_poly", "_initvalue", "_xor_output", "_reflect_input")
    assert parameters == tuple(getattr(other, name) for name in names)


@given(st.binary(max_size=64))
def test_agrees_with_autosar(data: bytes) -> None:
    """Any bytes, against AUTOSAR's algorithms in C."""
    assert calculate(SAE_J1850, data) == autosar.calculate_crc8(data)
    assert calculate(AUTOSAR_8H2F, data) == autosar.calculate_crc8_h2f(data)
    assert calculate(CCITT_FALSE, data) == autosar.calculate_crc16(data)
    assert calculate(ETHERNET, data) == autosar.calculate_crc32(data)
    assert calculate(AUTOSAR_P4, data) == autosar.calculate_crc32_p4(data)
    assert calculate(ECMA, data) == autosar.calculate_crc64(data)


@given(st.sampled_from([8, 16, 32, 64]), st.data(), st.booleans(), st.binary(max_size=20))
def test_any_parameters(width: int, drawing: st.DataObject, reflect: bool, data: bytes) -> None:
    """Any polynomial, start and final xor, both directions, against crccheck."""
    polynomial, initial, xor_out = (drawing.draw(st.integers(0, (1 << width) - 1)) for _ in range(3))
    expected = crccheck.crc.Crc(width, polynomial, initial, reflect, reflect, xor_out).process(data).final()
    assert calculate(CrcParameters(width, polynomial, initial, xor_out, reflect), data) == expected
