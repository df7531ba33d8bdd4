"""Frames as SocketCAN datagrams: against the layout in linux/can.h and against python-can; error frames."""

import sys

import can
import pytest
from can.interfaces.socketcan.socketcan import build_can_frame, dissect_can_frame
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.boundary.links.can_frame import CLASSIC_SIZE, FD_SIZE, count_error_frame, pack_frame, unpack_frame
from hilbridge.boundary.links.link import LinkStatistics
from hilbridge.frames.codec.frame import BRS, ERROR, EXTENDED, FD, REMOTE, Frame

classic_data = st.binary(max_size=8)
fd_data = st.sampled_from([0, 1, 7, 8, 12, 16, 20, 24, 32, 48, 64]).flatmap(lambda n: st.binary(min_size=n, max_size=n))
can_ids = st.integers(0, 0x7FF) | st.integers(0, 0x1FFFFFFF).map(lambda identifier: identifier | EXTENDED)


def test_the_sizes_are_those_of_the_kernel() -> None:
    """CAN_MTU is 16 and CANFD_MTU is 72."""
    assert (CLASSIC_SIZE, FD_SIZE) == (16, 72)


def test_a_classic_frame_is_laid_out_as_in_linux_can_h() -> None:
    can_id = (0x18DB33F1 | EXTENDED).to_bytes(4, sys.byteorder)
    assert pack_frame(Frame(0x18DB33F1 | EXTENDED, b"\x02\x01\x0c")) == can_id + b"\x03\0\0\0\x02\x01\x0c\0\0\0\0\0"


def test_an_fd_frame_is_laid_out_as_in_linux_can_h() -> None:
    can_id = (0x123).to_bytes(4, sys.byteorder)
    frame = Frame(0x123, bytes(range(12)), FD | BRS)
    assert pack_frame(frame) == can_id + b"\x0c\x05\0\0" + bytes(range(12)) + bytes(52)


def test_an_fd_frame_is_filled_up_to_a_length_that_exists() -> None:
    """Nine bytes need the data length code of 12; the rest is zero."""
    assert unpack_frame(pack_frame(Frame(1, b"\xff" * 9, FD))).data == b"\xff" * 9 + bytes(3)


def test_a_remote_request_keeps_its_length() -> None:
    assert unpack_frame(pack_frame(Frame(0x7FF | REMOTE, bytes(5)))) == Frame(0x7FF | REMOTE, bytes(5))


@given(can_ids, classic_data)
def test_python_can_reads_and_writes_the_same_classic_datagram(can_id: int, data: bytes) -> None:
    datagram = pack_frame(Frame(can_id, data))
    assert dissect_can_frame(datagram) == (can_id, len(data), 0, data)
    message = can.Message(arbitration_id=can_id & 0x1FFFFFFF, is_extended_id=can_id >= EXTENDED, data=data)
    assert unpack_frame(build_can_frame(message)) == Frame(can_id, data)


@given(can_ids, fd_data, st.sampled_from([FD, FD | BRS]))
def test_python_can_reads_and_writes_the_same_fd_datagram(can_id: int, data: bytes, flags: int) -> None:
    assert dissect_can_frame(pack_frame(Frame(can_id, data, flags))) == (can_id, len(data), flags, data)
    message = can.Message(
        arbitration_id=can_id & 0x1FFFFFFF,
        is_extended_id=can_id >= EXTENDED,
        data=data,
        is_fd=True,
        bitrate_switch=bool(flags & BRS),
    )
    assert unpack_frame(build_can_frame(message)) == Frame(can_id, data, flags)


@pytest.mark.parametrize("size", [CLASSIC_SIZE, FD_SIZE])
@given(data=st.data())
def test_any_datagram_of_the_right_size_is_read(size: int, data: st.DataObject) -> None:
    """Whatever its length byte says, a frame never has more data than its datagram."""
    frame = unpack_frame(data.draw(st.binary(min_size=size, max_size=size)))
    assert len(frame.data) <= size - 8


@pytest.mark.parametrize(
    ("classes", "controller", "condition"),
    [
        (0x004, 0x04, "error_warning"),  # reception has 96 errors
        (0x004, 0x08, "error_warning"),  # transmission has
        (0x004, 0x10, "error_passive"),
        (0x004, 0x20, "error_passive"),
        (0x004, 0x28, "error_passive"),  # both, of which the worse counts
        (0x040, 0x00, "bus_off"),
        (0x044, 0x30, "bus_off"),
        (0x004, 0x01, None),  # receive buffer overflow
        (0x004, 0x40, None),  # error active again
        (0x100, 0x00, None),  # restarted
        (0x008, 0x30, None),  # a protocol violation: data[1] is no matter of the controller
    ],
)
def test_the_worst_condition_is_counted(classes: int, controller: int, condition: str | None) -> None:
    """Every error frame counts as an error, and under one condition at most."""
    statistics = LinkStatistics()
    count_error_frame(Frame(ERROR | classes, bytes([0, controller, 0, 0, 0, 0, 0, 0])), statistics)
    expected = LinkStatistics(errors=1)
    if condition is not None:
        setattr(expected, condition, 1)
    assert statistics == expected


def test_an_error_frame_without_data_is_survived() -> None:
    statistics = LinkStatistics()
    count_error_frame(Frame(ERROR | 0x004, b""), statistics)
    assert statistics.errors == 1
