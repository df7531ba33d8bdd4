"""Frames of ISO-TP: the tables of ISO 15765-2:2016, 9.6, by hand; whole traffic against python-can-isotp."""

import isotp
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.isotp.frames import (
    ConsecutiveFrame,
    FirstFrame,
    FlowControl,
    FrameEncoder,
    SingleFrame,
    decode,
    decode_separation,
    encode_separation,
)
from hilbridge.bench.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.frames.codec.frame import BRS, FD

from .wires import FRAME_SIZES

ENCODED = [
    ("02 01 0c", SingleFrame(b"\x01\x0c")),
    ("02 01 0c cc cc cc cc cc", SingleFrame(b"\x01\x0c")),
    ("07 01 02 03 04 05 06 07", SingleFrame(bytes(range(1, 8)))),
    ("00 08 01 02 03 04 05 06 07 08 00 00", SingleFrame(bytes(range(1, 9)))),
    ("10 14 49 02 01 57 44 58", FirstFrame(20, bytes.fromhex("49 02 01 57 44 58"))),
    ("1f ff 01 02 03 04 05 06", FirstFrame(4095, bytes(range(1, 7)))),
    ("10 00 00 00 10 00 01 02", FirstFrame(4096, b"\x01\x02")),
    ("10 00 ff ff ff ff 01 02", FirstFrame(0xFFFFFFFF, b"\x01\x02")),
    ("21 01 02 03 04 05 06 07", ConsecutiveFrame(1, bytes(range(1, 8)))),
    ("20 01", ConsecutiveFrame(0, b"\x01")),
    ("30 00 00", FlowControl(0, 0, 0)),
    ("31 08 14 00 00 00 00 00", FlowControl(1, 8, 20 * MILLISECOND)),
    ("32 00 f3", FlowControl(2, 0, MILLISECOND * 3 // 10)),
    ("3f 00 00", FlowControl(15, 0, 0)),
]

NOT_ALLOWED = {
    "nothing at all": "",
    "single frame without data": "01",
    "single frame of length 0": "00 00 00 00 00 00 00 00",
    "single frame of length 8 in 8 bytes": "08 01 02 03 04 05 06 07",
    "single frame longer than its frame": "05 01 02 03",
    "escape in 8 bytes": "00 05 01 02 03 04 05 00",
    "escape of length 0": "00 00 01 02 03 04 05 06 07 08 09 0a",
    "escape longer than its frame": "00 0b 01 02 03 04 05 06 07 08 09 0a",
    "no escape in 12 bytes": "05 01 02 03 04 05 00 00 00 00 00 00",
    "first frame below 8 bytes": "10 14 49 02 01 57 44",
    "first frame of what is a single frame": "10 07 01 02 03 04 05 06",
    "first frame of what is a single frame of 12 bytes": "10 0a 01 02 03 04 05 06 07 08 09 0a",
    "escape for 4095 bytes": "10 00 00 00 0f ff 01 02",
    "consecutive frame without data": "21",
    "flow control without STmin": "30 00",
    "frame type 4": "40 00 00 00 00 00 00 00",
    "frame type 15": "f0 00 00 00 00 00 00 00",
}


@pytest.mark.parametrize(("text", "meaning"), ENCODED)
def test_frames_mean_what_the_standard_says(text: str, meaning: object) -> None:
    """The same behind an address prefix, as long as the frame has room."""
    data = bytes.fromhex(text)
    assert decode(data) == meaning
    if len(data) < 7:
        assert decode(b"\xf1" + data, 1) == meaning


@pytest.mark.parametrize("text", NOT_ALLOWED.values(), ids=NOT_ALLOWED)
def test_what_the_standard_does_not_allow_means_nothing(text: str) -> None:
    assert decode(bytes.fromhex(text)) is None


def test_a_prefix_shortens_what_a_single_frame_holds() -> None:
    """Six bytes; so a first frame may announce seven."""
    assert decode(bytes.fromhex("f1 06 01 02 03 04 05 06"), 1) == SingleFrame(bytes(range(1, 7)))
    assert decode(bytes.fromhex("f1 07 01 02 03 04 05 06"), 1) is None
    assert decode(bytes.fromhex("f1 10 06 01 02 03 04 05"), 1) is None
    assert decode(bytes.fromhex("f1 10 07 01 02 03 04 05"), 1) == FirstFrame(7, bytes(range(1, 6)))


@given(st.binary(max_size=64), st.integers(0, 1))
def test_any_bytes_decode_to_something_or_nothing(data: bytes, start: int) -> None:
    decode(data, start)


# -- STmin ----------------------------------------------------------------------------------------------------------


def test_stmin_is_milliseconds_or_hundreds_of_microseconds() -> None:
    """00 … 7F, F1 … F9; all others are reserved and mean the longest, 127 ms."""
    for code in range(256):
        if code <= 0x7F:
            wanted = code * 1000
        elif 0xF1 <= code <= 0xF9:
            wanted = (code - 0xF0) * 100
        else:
            wanted = 127_000
        assert decode_separation(code) == wanted * 1000


@given(st.integers(0, 127 * MILLISECOND))
@example(1)
@example(100_000)
@example(100_001)
@example(900_000)
@example(900_001)
@example(127 * MILLISECOND)
def test_an_stmin_that_has_no_code_becomes_the_next_longer_one(separation: int) -> None:
    codes = [*range(0x80), *range(0xF1, 0xFA)]
    code = encode_separation(separation)
    assert code in codes
    assert decode_separation(code) >= separation
    assert all(
        decode_separation(other) >= decode_separation(code) for other in codes if decode_separation(other) >= separation
    )


# -- encoding -------------------------------------------------------------------------------------------------------


def test_padding_fills_classic_frames_or_is_left_out() -> None:
    """Any byte; without one a frame ends with its data."""
    for padding, wanted in ((0xCC, "023e00cccccccccc"), (0x00, "023e000000000000"), (None, "023e00")):
        assert FrameEncoder(0x7E8, b"", IsoTpParameters(padding=padding)).single(b"\x3e\x00").data.hex() == wanted


def test_can_fd_frames_have_a_length_that_there_is() -> None:
    """The next of 12, 16, 20, 24, 32, 48, 64, even where padding is not asked for; flags go along."""
    encoder = FrameEncoder(0x7E8, b"", IsoTpParameters(padding=None, frame_size=64, flags=FD | BRS))
    for length in range(1, 63):
        frame = encoder.single(bytes(length))
        content = length + (1 if length < 8 else 2)
        assert len(frame.data) == next(size for size in (*range(8), *FRAME_SIZES) if size >= content)
        assert frame.flags == FD | BRS


@given(
    size=st.sampled_from(FRAME_SIZES),
    prefix=st.sampled_from([b"", b"\xf1"]),
    padding=st.none() | st.integers(0, 255),
    length=st.integers(1, 70) | st.sampled_from([4095, 4096, 70000]),
    sequence=st.integers(0, 15),
)
def test_python_can_isotp_reads_what_is_written(
    size: int, prefix: bytes, padding: int | None, length: int, sequence: int
) -> None:
    """Single frames where they fit, else first and consecutive frames; escapes where they are needed."""
    parameters = IsoTpParameters(frame_size=size, flags=FD if size > 8 else 0, padding=padding)
    encoder, message = FrameEncoder(0x7E8, prefix, parameters), bytes(n & 0xFF for n in range(length))

    def read(data: bytes) -> isotp.protocol.PDU:
        assert data.startswith(prefix)
        return isotp.protocol.PDU(isotp.CanMessage(0x7E8, data=data), start_of_data=len(prefix))

    if length <= encoder.single_limit:
        pdu = read(encoder.single(message).data)
        assert (pdu.type, pdu.length, pdu.data) == (pdu.Type.SINGLE_FRAME, length, message)
        assert pdu.escape_sequence == (pdu.can_dl > 8)
        return
    frame, taken = encoder.first(message)
    pdu = read(frame.data)
    assert (pdu.type, pdu.length, pdu.data) == (pdu.Type.FIRST_FRAME, length, message[:taken])
    assert pdu.escape_sequence == (length > 4095)
    assert len(frame.data) == size
    rest = message[taken : taken + encoder.consecutive_size]
    pdu = read(encoder.consecutive(sequence, rest).data)
    assert (pdu.type, pdu.seqnum, pdu.data[: len(rest)]) == (pdu.Type.CONSECUTIVE_FRAME, sequence, rest)


@given(st.integers(0, 2), st.integers(0, 255), st.integers(0, 127 * MILLISECOND))
def test_python_can_isotp_reads_flow_control(status: int, block_size: int, st_min: int) -> None:
    parameters = IsoTpParameters(block_size=block_size, st_min=st_min)
    frame = FrameEncoder(0x7E8, b"", parameters).flow_control(status)
    pdu = isotp.protocol.PDU(isotp.CanMessage(0x7E8, data=frame.data))
    assert (pdu.type, pdu.flow_status, pdu.blocksize) == (pdu.Type.FLOW_CONTROL, status, block_size)
    assert pdu.stmin_sec is not None
    assert pdu.stmin_sec * 1e9 >= st_min
