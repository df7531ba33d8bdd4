"""Frames and python-can's messages; how the helper's reports differ from frames."""

import socket

import can
import pytest

from hilbridge.base.common.errors import LinkError
from hilbridge.boundary.links.can_frame import LARGEST_REPORT
from hilbridge.boundary.links.helper_process import LONGEST_REASON, frame_of, message_of, report_failure, unpack_report
from hilbridge.frames.codec.frame import BRS, ERROR, EXTENDED, FD, REMOTE, Frame

MESSAGES = [
    (Frame(0x123, b"\x01\x02"), can.Message(arbitration_id=0x123, is_extended_id=False, data=[1, 2])),
    (Frame(0x123 | EXTENDED, b""), can.Message(arbitration_id=0x123, data=[])),
    (
        Frame(0x7DF | REMOTE, bytes(8)),
        can.Message(arbitration_id=0x7DF, is_extended_id=False, is_remote_frame=True, dlc=8),
    ),
    (Frame(1, bytes(12), FD), can.Message(arbitration_id=1, is_extended_id=False, is_fd=True, data=bytes(12))),
    (
        Frame(1, bytes(64), FD | BRS),
        can.Message(arbitration_id=1, is_extended_id=False, is_fd=True, bitrate_switch=True, data=bytes(64)),
    ),
]


@pytest.mark.parametrize(("frame", "message"), MESSAGES)
def test_a_frame_and_its_message_say_the_same(frame: Frame, message: can.Message) -> None:
    assert frame_of(message) == frame
    assert message_of(frame).equals(message, timestamp_delta=None, check_direction=False)


def test_an_error_message_becomes_an_error_frame() -> None:
    message = can.Message(arbitration_id=0x40, is_extended_id=False, is_error_frame=True, data=bytes(8))
    assert frame_of(message) == Frame(0x40 | ERROR, bytes(8))


@pytest.mark.parametrize("length", [0, 1, *range(15, 73), 10_000])
def test_no_report_has_the_size_of_a_frame(length: int) -> None:
    """The sizes of struct can_frame and canfd_frame are 16 and 72 bytes; an empty report would look like an end."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        report_failure(theirs, ValueError("\N{SNOWMAN}" * length))
        report = ours.recv(1 << 16)
    assert len(report) not in (0, 16, 72)
    assert len(report) <= LARGEST_REPORT
    assert str(unpack_report(report)) == ("\N{SNOWMAN}" * min(length, LONGEST_REASON) or "ValueError")


def test_a_report_says_which_key_is_to_blame() -> None:
    """Where that is known."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        for place in (("options", "data_bitrate"), ()):
            report_failure(theirs, LinkError("no", place))
            report = unpack_report(ours.recv(LARGEST_REPORT))
            assert (str(report), report.place) == ("no", place)
