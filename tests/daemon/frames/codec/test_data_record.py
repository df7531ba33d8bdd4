"""Data records: what the fields carry, cut out of the bytes by hand."""

import struct
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.data_records import FieldSettings
from hilbridge.frames.codec.data_record import DataRecord, build_record
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES

from .any_fields import FIELDS

TABLE: TypeAdapter[dict[str, FieldSettings]] = TypeAdapter(dict[str, FieldSettings])


def record(fields: Mapping[str, Any], length: int | None = None) -> DataRecord:
    return build_record(TABLE.validate_python(fields), length, ("fields",))


@given(
    st.lists(
        st.tuples(st.integers(1, 64), st.booleans(), st.floats(0.001, 10), st.floats(-100, 100), st.floats(-1e6, 1e6)),
        min_size=1,
        max_size=8,
    )
)
def test_what_fields_carry_decodes_to_their_values(fields: list[tuple[int, bool, float, float, float]]) -> None:
    """Of any width at any bit: the bits, cut out by hand, are within half a step, or at the end of the field."""
    settings = {
        f"F{index}": {"expression": f"{value!r} + 0", "bits": bits, "signed": signed, "scale": scale, "offset": offset}
        for index, (bits, signed, scale, offset, value) in enumerate(fields)
    }
    data = record(settings).read(DataBus().channels)
    assert data is not None
    digits, position = f"{int.from_bytes(data, 'big'):0{8 * len(data)}b}", 0
    for bits, signed, scale, offset, value in fields:
        raw = int(digits[position : position + bits], 2)
        position += bits
        raw -= (1 << bits) if signed and raw >> (bits - 1) else 0
        ends = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        wanted = min(max((value - offset) / scale, ends[0]), ends[1])
        assert abs(raw - wanted) <= 0.5 + 1e-9 * abs(wanted)
    assert len(data) == -(-position // 8)
    assert not int(digits[position:] or "0", 2)


@pytest.mark.parametrize("order", ["big", "little"])
@pytest.mark.parametrize("signed", [False, True])
@given(number=st.integers(-(2**31), 2**31 - 1), length=st.integers(1, 8))
def test_whole_numbers_are_those_of_python(order: Any, signed: bool, number: int, length: int) -> None:
    """Held inside the field, in both orders of bytes."""
    fields = {"A": {"expression": f"{number} + 0", "length": length, "signed": signed, "order": order}}
    low, high = (-(2 ** (8 * length - 1)), 2 ** (8 * length - 1) - 1) if signed else (0, 2 ** (8 * length) - 1)
    wanted = min(max(number, low), high).to_bytes(length, order, signed=signed)
    assert record(fields).read(DataBus().channels) == wanted


@given(st.floats(-1e30, 1e30), st.sampled_from([("big", ">"), ("little", "<")]))
def test_floats_are_those_of_ieee_754(number: float, order: tuple[str, str]) -> None:
    """Of 4 and of 8 bytes."""
    fields = {
        "Short": {"constant": number, "float": True, "order": order[0]},
        "Long": {"constant": number, "float": True, "length": 8, "order": order[0]},
    }
    assert record(fields).read(DataBus().channels) == struct.pack(f"{order[1]}f", number) + struct.pack(
        f"{order[1]}d", number
    )


@given(FIELDS, st.one_of(st.none(), st.integers(1, 40)), st.integers(-(2**31), 2**31 - 1))
def test_any_fields_make_a_record_or_a_clear_error(fields: dict[str, Any], length: int | None, integer: int) -> None:
    """Nothing else happens, whatever the data bus holds; a record always has its length."""
    try:
        made = record(fields, length)
    except (ValidationError, ConfigurationError):
        return
    bus = DataBus()
    for number in (0, integer, -(2**31)):
        for channel, entries in zip(bus.channels, ENTRIES, strict=False):
            channel[:] = [number] * len(entries)
        data = made.read(bus.channels)
        assert (data is not None) == made.is_available(bus.channels)
        assert data is None or len(data) == made.length


def test_a_record_says_where_its_fields_lie() -> None:
    """Byte and highest bit of each, 7 being the most significant; whole bytes begin at bit 7 in both orders."""
    fields = {
        "A": {"expression": "1 + 0", "bits": 12},
        "B": {"expression": "1 + 0", "bits": 4},
        "C": {"expression": "1 + 0", "length": 2, "order": "little"},
        "D": {"expression": "1 + 0", "length": 2},
        "E": {"expression": "1 + 0", "bits": 1},
    }
    described = "7 bytes: A 0.7, 12 bit; B 1.3, 4 bit; C 2.7, 16 bit; D 4.7, 16 bit; E 6.7, 1 bit"
    assert record(fields).describe() == described


def test_the_same_fields_of_a_file_are_compiled_once() -> None:
    """Each building of a bench brings settings of its own, which are equal."""
    fields = {"A": {"expression": "1 + 0", "bits": 12}, "B": {"expression": "2 + 0", "bits": 4, "scale": 0.5}}
    assert record(fields).codec is record(fields).codec
    assert record(fields).codec is not record(fields | {"B": {"expression": "2 + 0", "bits": 4}}).codec
