"""Binary frames; the packages cobs and crccheck and the standard library's struct make them."""

import struct

import pytest
from cobs import cobs  # type: ignore[import-untyped]
from crccheck.crc import Crc16Ibm3740, Crc32  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.inputs.formats.binary import BinaryFrames
from hilbridge.bench.inputs.formats.format import CHECKSUM, INCOMPLETE
from hilbridge.bench.inputs.signal_conditioner import GARBAGE, Refused
from hilbridge.files.settings.inputs import BinaryField
from hilbridge.frames.codec.packed import unstuff

from ..conditioning import serial

LAYOUT = [
    BinaryField(name="counter", type="u8"),
    BinaryField(name="throttle", type="u16"),
    BinaryField(name="steer", type="i16", byte_order="big"),
    BinaryField(name="slope", type="f32", offset=8),
]


def frames(crc: str = "crc16", order: str = "little") -> BinaryFrames:
    return BinaryFrames(
        ["Slope", "throttle", "steer"], serial(format="cobs", fields=LAYOUT, crc=crc, crc_byte_order=order)
    )


def payload(throttle: int = 512, steer: int = -3, slope: float = 0.25) -> bytes:
    return struct.pack("<BH", 7, throttle) + struct.pack(">h", steer) + bytes(3) + struct.pack("<f", slope)


@given(st.integers(0, 65535), st.integers(-32768, 32767), st.floats(width=32, allow_nan=False))
def test_fields_lie_behind_one_another_or_where_they_are_told_to(throttle: int, steer: int, slope: float) -> None:
    data = payload(throttle, steer, slope)
    packet = cobs.encode(data + Crc16Ibm3740.calc(data).to_bytes(2, "little"))
    assert frames().decode(packet) == [slope, throttle, steer]


@pytest.mark.parametrize(("crc", "calculation", "size"), [("crc16", Crc16Ibm3740, 2), ("crc32", Crc32, 4)])
@pytest.mark.parametrize("order", ["little", "big"])
def test_either_crc_in_either_order_and_a_longer_frame(crc: str, calculation: type, size: int, order: str) -> None:
    data = payload() + b"more"
    checksum = calculation.calc(data)  # type: ignore[attr-defined]
    packet = cobs.encode(data + checksum.to_bytes(size, order))
    assert frames(crc, order).decode(packet) == [0.25, 512, -3]


@given(st.integers(0, 8 * 14 - 1))
def test_a_frame_with_a_wrong_bit_is_refused(bit: int) -> None:
    data = payload()
    frame = int.from_bytes(data + Crc16Ibm3740.calc(data).to_bytes(2, "little"), "little") ^ 1 << bit
    with pytest.raises(Refused, match=CHECKSUM):
        frames().decode(cobs.encode(frame.to_bytes(14, "little")))


def test_a_frame_that_is_too_short_or_not_coded_is_refused() -> None:
    with pytest.raises(Refused, match=INCOMPLETE):
        frames().decode(cobs.encode(payload()[:-1]))
    with pytest.raises(Refused, match=GARBAGE):
        frames().decode(b"\x09ab")


def test_a_wanted_field_is_in_the_layout_and_there_once() -> None:
    with pytest.raises(ConfigurationError, match="unknown field 'brake'"):
        BinaryFrames(["brake"], serial(format="cobs", fields=LAYOUT))
    with pytest.raises(ConfigurationError, match="more than once"):
        BinaryFrames(["slope"], serial(format="cobs", fields=[*LAYOUT, BinaryField(name="SLOPE", type="u8")]))


@given(st.binary(max_size=1000) | st.integers(0, 600).map(lambda n: b"\x01" * n))
def test_what_the_other_implementation_coded_comes_back(data: bytes) -> None:
    assert unstuff(cobs.encode(data)) == data


@given(st.binary(max_size=300))
def test_whatever_the_other_implementation_takes_reads_the_same_and_nothing_else_is_taken(packet: bytes) -> None:
    try:
        expected = cobs.decode(packet)
    except cobs.DecodeError:
        expected = None
    assert unstuff(packet) == expected


@pytest.mark.parametrize(
    ("packet", "data"),
    [
        ("01 01", "00"),
        ("03 11 22 02 33", "11 22 00 33"),
        ("02 11 01 01 01", "11 00 00 00"),
        ("05 11 22 33 44", "11 22 33 44"),
    ],
)
def test_published_examples(packet: str, data: str) -> None:
    assert unstuff(bytes.fromhex(packet)) == bytes.fromhex(data)
