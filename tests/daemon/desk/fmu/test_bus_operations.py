"""Operations of FMI-LS-BUS as bytes: laid out by hand from the tables of the standard, and any bytes."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.desk.fmu.bus_operations import (
    BusError,
    Code,
    Status,
    configuration,
    format_error,
    operations,
    status,
    transmit,
)
from hilbridge.frames.codec.frame import BRS, EXTENDED, FD, REMOTE, Frame

FRAMES = [
    (Frame(0x123, b"\x01\x02"), "10000000 12000000 23010000 00 00 0200 0102"),
    (Frame(0x18DAF110 | EXTENDED, b""), "10000000 10000000 10f1da18 01 00 0000"),
    (Frame(0x7FF | REMOTE, bytes(2)), "10000000 12000000 ff070000 00 01 0200 0000"),
    (Frame(0x1, bytes(range(12)), FD | BRS), "11000000 1d000000 01000000 00 01 00 0c00 000102030405060708090a0b"),
    (Frame(0x2, b"\xff", FD), "11000000 12000000 02000000 00 00 00 0100 ff"),
]
"""Frames, and their operations: code, length, identifier, Ide, Rtr (or Brs, Esi), length of the data, data."""

OTHERS = [
    ("20000000 0c000000 23010000", Code.CONFIRM, 0x123),
    ("30000000 0c000000 23010000", Code.ARBITRATION_LOST, 0x123),
    ("31000000 0f000000 23010000 05 01 01", Code.BUS_ERROR, BusError(0x123, 5, primary=True, is_sender=True)),
    ("31000000 0f000000 23010000 04 02 00", Code.BUS_ERROR, BusError(0x123, 4, primary=False, is_sender=False)),
    ("40000000 0d000000 01 20a10700", Code.CONFIGURATION, b"\x01\x20\xa1\x07\x00"),
    ("40000000 0a000000 04 02", Code.CONFIGURATION, b"\x04\x02"),
    ("41000000 09000000 03", Code.STATUS, b"\x03"),
    ("42000000 08000000", Code.WAKEUP, b""),
    ("01000000 0c000000 0200 aabb", Code.FORMAT_ERROR, b"\x02\x00\xaa\xbb"),
    ("12000000 17000000 01000000 00 00 03 00 00000000 0100 7f", Code.CAN_XL_TRANSMIT, None),
]

WRONG = {
    "an unknown code": "99000000 08000000",
    "a length without its head": "10000000 07000000",
    "a length beyond the end": "10000000 ff000000 00",
    "no whole head": "1000",
    "data that are shorter than told": "10000000 12000000 23010000 00 00 0300 0102",
    "nine bytes without CAN FD": "10000000 19000000 23010000 00 00 0900 000000000000000000",
    "nine bytes in CAN FD": "11000000 1a000000 23010000 00 00 00 0900 000000000000000000",
    "an identifier of 12 bits": "10000000 10000000 00080000 00 00 0000",
    "an identifier of 30 bits": "10000000 10000000 00000020 01 00 0000",
    "a Boolean of 2": "10000000 10000000 00000000 02 00 0000",
    "a confirm without an identifier": "20000000 08000000",
    "an error of no kind": "31000000 0f000000 23010000 07 01 01",
    "an error flag of no kind": "31000000 0f000000 23010000 01 03 01",
    "a configuration of nothing": "40000000 08000000",
    "a configuration of no kind": "40000000 0d000000 05 20a10700",
    "a rate of one byte": "40000000 0a000000 01 20",
    "a state of no kind": "41000000 09000000 04",
    "a wake-up with an argument": "42000000 09000000 00",
}


@pytest.mark.parametrize(("frame", "laid_out"), FRAMES)
def test_a_frame_is_laid_out_as_the_standard_says(frame: Frame, laid_out: str) -> None:
    data = bytes.fromhex(laid_out)
    assert transmit(frame) == data
    assert [one.content for one in operations(data)] == [frame]


@pytest.mark.parametrize(("laid_out", "code", "content"), OTHERS)
def test_the_other_operations_are_read(laid_out: str, code: Code, content: object) -> None:
    data = bytes.fromhex(laid_out)
    (read,) = operations(data)
    assert tuple(read) == (code, data[8:] if content is None else content, data)


@pytest.mark.parametrize("laid_out", WRONG.values(), ids=WRONG)
def test_a_wrong_one_is_told_with_its_bytes(laid_out: str) -> None:
    data = bytes.fromhex(laid_out)
    (read,) = operations(data)
    assert (read.content, read.source) == (None, data)


def test_what_follows_a_wrong_one_of_known_length_is_read() -> None:
    data = bytes.fromhex("99000000 08000000 42000000 08000000")
    assert [(one.code, one.content) for one in operations(data)] == [(0x99, None), (Code.WAKEUP, b"")]


def test_a_bus_tells_its_rates_and_that_frames_are_kept() -> None:
    told = bytes.fromhex("40000000 0d000000 01 20a10700 40000000 0d000000 02 80841e00 40000000 0a000000 04 01")
    assert configuration(500_000, 2_000_000) == told
    assert configuration(None, None) == told[-10:]


def test_states_and_format_errors_are_laid_out() -> None:
    assert status(Status.BUS_OFF) == bytes.fromhex("41000000 09000000 03")
    assert format_error(b"\xaa\xbb") == bytes.fromhex("01000000 0c000000 0200 aabb")
    assert len(format_error(bytes(70_000))) == 10 + 65_535


@given(st.binary(max_size=300))
def test_any_bytes_are_operations_or_told_as_wrong(data: bytes) -> None:
    """Each byte is in exactly one of them, and what is a frame is one that a bus can carry."""
    read = list(operations(data))
    assert b"".join(one.source for one in read) == data
    for one in read:
        if isinstance(one.content, Frame):
            assert transmit(one.content)[:4] == struct.pack("<I", one.code)
