"""The layouts of what crosses the boundary."""

from hilbridge.boundary.observe.event_ring import GAP
from hilbridge.boundary.observe.events import LOG, MEMORY, PART_STATUS, RECORD_START, RECORD_STOP, STATE, STATISTICS
from hilbridge.boundary.record.boundary_records import (
    CAME,
    LEFT,
    RECORDED,
    SENT,
    AnswerRecord,
    FrameRecord,
    LinkRecord,
    PortRecord,
    ToolRecord,
)
from hilbridge.frames.codec.frame import Frame


def test_no_number_means_two_things_in_the_event_ring() -> None:
    """Its own kinds, those of the boundary, and those of the log and the state."""
    others = {GAP, LOG, MEMORY, PART_STATUS, RECORD_START, RECORD_STOP, STATE, STATISTICS}
    assert (len(others), len(RECORDED)) == (8, 12)
    assert others.isdisjoint(RECORDED)


def test_frame_record() -> None:
    """can_id 32, bus 8, received 8, flags 8 bits, little-endian, then the data."""
    payload = bytes.fromhex("78563492 02 01 05") + b"data"
    record = FrameRecord(2, True, Frame(0x92345678, b"data", 5))
    assert FrameRecord.decode(payload) == record
    assert record.encode() == payload


def test_link_record() -> None:
    """bus 8, clients that came and left 32 bits each, then words."""
    payload = bytes.fromhex("01 03000000 02000000") + "gestört".encode()
    assert LinkRecord.decode(payload) == (1, 3, 2, "gestört")
    assert LinkRecord(1, 3, 2, "gestört").encode() == payload


def test_answer_record() -> None:
    """question 64, can_id 32, bus 8, accepted 8 bits."""
    payload = bytes.fromhex("0700000000000000 00010080 02 01")
    assert AnswerRecord.decode(payload) == (7, 0x80000100, 2, True)
    assert AnswerRecord(7, 0x80000100, 2, True).encode() == payload


def test_port_record() -> None:
    """port 8 bits, then the bytes."""
    assert PortRecord.decode(b"\x02thr=1") == (2, b"thr=1")
    assert PortRecord(2, b"thr=1").encode() == b"\x02thr=1"


def test_tool_record() -> None:
    """ELM327, client and action 8 bits each, then the bytes; a client comes with 0, sends with 1 and leaves with 2."""
    assert [ToolRecord(3, 7, action).encode() for action in (CAME, SENT, LEFT)] == [b"\3\7\0", b"\3\7\1", b"\3\7\2"]
    assert ToolRecord.decode(b"\3\7\x01ATZ") == (3, 7, SENT, b"ATZ")
    assert ToolRecord(3, 7, SENT, b"ATZ").encode() == b"\3\7\x01ATZ"
