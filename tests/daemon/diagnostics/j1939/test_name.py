"""The 64 bits of a NAME, against can-j1939."""

import j1939  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.diagnostics.j1939.name import Name

FIELDS = (
    "arbitrary_address_capable",
    "industry_group",
    "vehicle_system_instance",
    "vehicle_system",
    "function",
    "function_instance",
    "ecu_instance",
    "manufacturer_code",
    "identity_number",
)
WIDTHS = (1, 3, 4, 7, 8, 5, 3, 11, 21)


@given(st.tuples(*[st.integers(0, (1 << width) - 1) for width in WIDTHS]))
def test_any_name_has_the_number_and_the_bytes_that_can_j1939_gives_it(fields: tuple[int, ...]) -> None:
    other = j1939.Name(**dict(zip(FIELDS, fields, strict=True)))
    own = Name(bool(fields[0]), *fields[1:])
    assert own.value == other.value
    assert own.data == bytes(other.bytes)


def test_a_name_written_by_hand() -> None:
    """On-highway engine, ECU instance 1, manufacturer 0x123, identity 0x12345: bits 60, 32, 21…31 and 0…20."""
    name = Name(ecu_instance=1, manufacturer=0x123, identity=0x12345)
    assert name.data == bytes.fromhex("45 23 61 24 01 00 00 10")
