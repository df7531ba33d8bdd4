"""The SLCAN protocol: examples of Lawicel's manual, and any bytes in any pieces."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.boundary.links.slcan import LONGEST_LINE, Channel, SlcanSession, format_frame, parse_frame, stamp
from hilbridge.frames.codec.frame import BRS, ERROR, EXTENDED, FD, REMOTE, Frame

can_ids = st.integers(0, 0x7FF) | st.integers(0, 0x1FFFFFFF).map(lambda identifier: identifier | EXTENDED)
fd_lengths = st.sampled_from([0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64])
frames = st.one_of(
    st.builds(Frame, can_ids, st.binary(max_size=8), st.just(0)),
    st.builds(lambda can_id, length: Frame(can_id | REMOTE, bytes(length)), can_ids, st.integers(0, 8)),
    st.builds(
        Frame,
        can_ids,
        fd_lengths.flatmap(lambda length: st.binary(min_size=length, max_size=length)),
        st.sampled_from([FD, FD | BRS]),
    ),
)

LINES = [
    (b"t10021133", Frame(0x100, b"\x11\x33")),
    (b"T0000010021133", Frame(0x100 | EXTENDED, b"\x11\x33")),
    (b"r1002", Frame(0x100 | REMOTE, bytes(2))),
    (b"R000001002", Frame(0x100 | EXTENDED | REMOTE, bytes(2))),
    (b"t7FF0", Frame(0x7FF, b"")),
    (b"T1FFFFFFF8FFFFFFFFFFFFFFFF", Frame(0x1FFFFFFF | EXTENDED, b"\xff" * 8)),
    (b"d1239" + b"AB" * 12, Frame(0x123, b"\xab" * 12, FD)),
    (b"D00000123F" + b"00" * 64, Frame(0x123 | EXTENDED, bytes(64), FD)),
    (b"b1230", Frame(0x123, b"", FD | BRS)),
    (b"B18DB33F1801020304050607FF", Frame(0x18DB33F1 | EXTENDED, b"\1\2\3\4\5\6\7\xff", FD | BRS)),
]


def opened(command: bytes = b"O\r") -> SlcanSession:
    session = SlcanSession()
    assert session.feed(command) == ([], b"\r")
    return session


@pytest.mark.parametrize(("line", "frame"), LINES)
def test_a_line_is_read_and_written_as_the_manual_says(line: bytes, frame: Frame) -> None:
    assert parse_frame(line) == frame
    assert format_frame(frame) == line + b"\r"


@given(frames)
def test_every_frame_survives_the_way_out_and_in(frame: Frame) -> None:
    assert parse_frame(format_frame(frame)[:-1]) == frame


@given(frames)
def test_digits_may_be_small_letters(frame: Frame) -> None:
    line = format_frame(frame)[:-1]
    assert parse_frame(line[:1] + line[1:].lower()) == frame


def test_an_error_frame_has_no_line() -> None:
    assert format_frame(Frame(ERROR | 0x40, bytes(8))) == b""


def test_an_fd_frame_is_filled_up_to_a_length_that_exists() -> None:
    assert format_frame(Frame(0x123, b"\x01" * 9, FD)) == b"d1239" + b"01" * 9 + b"000000\r"


@pytest.mark.parametrize(
    "line",
    [
        b"t8000",  # 12-bit identifier
        b"T200000000",  # 30-bit identifier
        b"t1239" + b"00" * 9,  # more than 8 bytes
        b"t123F",
        b"t1232AA",  # fewer bytes than said
        b"t1231AABB",  # more bytes than said
        b"t1231A",  # half a byte
        b"t12",
        b"t 120",
        b"t+120",
        b"t1_20",
        b"t1231 A",
        b"r1232AABB",  # a remote request has no data
        b"d1239" + b"00" * 11,
        b"x1230",
        b"\xb2t1230",
        b"t1230\0",
    ],
)
def test_a_line_that_is_nearly_a_frame_is_none(line: bytes) -> None:
    """It is answered with BELL, counted, and the next line is read as if nothing had happened."""
    assert parse_frame(line) is None
    session = opened()
    assert session.feed(line + b"\rt1230\r") == ([Frame(0x123, b"")], b"\az\r")
    assert session.malformed == 1


def test_nothing_is_sent_before_the_channel_is_open() -> None:
    """A frame on a closed or listen-only channel is refused with BELL; that is no malformed line."""
    session = SlcanSession()
    assert session.feed(b"t1230\r") == ([], b"\a")
    assert session.feed(b"L\rt1230\r") == ([], b"\r\a")
    assert (session.refused, session.malformed) == (2, 0)


def test_frames_are_acknowledged_by_kind() -> None:
    """z for an 11-bit, Z for a 29-bit identifier."""
    session = opened()
    _, answers = session.feed(b"t1230\rT000001230\rr1230\rR000001230\r")
    assert answers == b"z\rZ\rz\rZ\r"


def test_open_listen_and_close_lead_to_the_state_they_name() -> None:
    """Also when it is the present one: python-can closes a closed channel and opens an open one."""
    session = SlcanSession()
    for command, channel in [
        (b"C\r", Channel.CLOSED),
        (b"O\r", Channel.OPEN),
        (b"O\r", Channel.OPEN),
        (b"L\r", Channel.LISTEN_ONLY),
        (b"C\r", Channel.CLOSED),
    ]:
        assert session.feed(command) == ([], b"\r")
        assert session.channel is channel


@pytest.mark.parametrize("command", [*(b"S%d" % code for code in range(10)), b"s031C", b"Y2", b"Z1", b"M00000000"])
def test_the_adapter_is_configured_while_it_is_closed(command: bytes) -> None:
    assert SlcanSession().feed(command + b"\r") == ([], b"\r")
    assert opened().feed(command + b"\r") == ([], b"\a")


def test_a_filter_that_would_hide_frames_is_refused() -> None:
    """There is none; a client that asks for one must not believe that it works."""
    assert SlcanSession().feed(b"M00000100\r")[1] == b"\a"


def test_version_and_serial_number_have_four_characters() -> None:
    """python-can reads two digits of hardware and two of software version."""
    assert SlcanSession().feed(b"V\rN\r") == ([], b"V1010\rNHILB\r")


def test_the_status_reports_an_overrun_once() -> None:
    """Bit 3 of the flags is data overrun; reading clears it."""
    session = opened()
    assert session.feed(b"F\r")[1] == b"F00\r"
    session.overrun = True
    assert session.feed(b"F\rF\r")[1] == b"F08\rF00\r"


def test_time_stamps_are_milliseconds_within_the_minute() -> None:
    """0x0000 to 0xEA5F, as four digits before the CR."""
    assert stamp(b"t1230\r", 1_999_999) == b"t12300001\r"
    assert stamp(b"t1230\r", 59_999_000_000) == b"t1230EA5F\r"
    assert stamp(b"t1230\r", 60_000_000_000) == b"t12300000\r"


def test_empty_lines_and_line_feeds_are_no_commands() -> None:
    session = SlcanSession()
    assert session.feed(b"\r\r\r\n\nV\r\nO\nt1230\n") == ([Frame(0x123, b"")], b"V1010\r\rz\r")
    assert session.malformed == 0


def test_an_endless_line_costs_one_error_and_no_memory() -> None:
    session = opened()
    for _ in range(1000):
        assert session.feed(b"t" * 1000) == ([], b"")
    assert session.feed(b"\rt1230\r") == ([Frame(0x123, b"")], b"\az\r")
    assert session.malformed == 1


def test_the_longest_line_is_a_frame_of_64_bytes() -> None:
    line = format_frame(Frame(0x1FFFFFFF | EXTENDED, b"\xff" * 64, FD | BRS))
    assert len(line) == LONGEST_LINE + len(b"\r")
    assert len(opened().feed(line)[0]) == 1


def pieces(stream: bytes, cuts: list[int]) -> Iterator[bytes]:
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    return (stream[start:end] for start, end in pairwise(edges))


lines = (
    frames.map(format_frame)
    | st.binary(max_size=200)
    | st.sampled_from([b"O\r", b"C\r", b"L\r", b"\r", b"\n", b"S6\r", b"Z1\r", b"V\r", b"F\r", b"t123", b"x" * 150])
)


@given(st.lists(lines, max_size=20).map(b"".join), st.lists(st.integers(0, 2000), max_size=20))
def test_the_meaning_of_a_stream_does_not_depend_on_how_it_is_cut(stream: bytes, cuts: list[int]) -> None:
    """The same frames, answers and counters, whether the bytes arrive at once or in any pieces."""
    whole, cut = SlcanSession(), SlcanSession()
    expected = whole.feed(stream)
    found = [cut.feed(piece) for piece in pieces(stream, cuts)]
    assert ([frame for some, _ in found for frame in some], b"".join(answers for _, answers in found)) == expected
    assert (cut.channel, cut.malformed, cut.refused) == (whole.channel, whole.malformed, whole.refused)
    assert cut.feed(b"\rV\r") == whole.feed(b"\rV\r")


@given(st.lists(frames, max_size=10), st.binary(max_size=300))
def test_frames_behind_garbage_arrive(sent: list[Frame], garbage: bytes) -> None:
    """Whatever came before, a CR starts afresh."""
    session = SlcanSession()
    session.feed(garbage + b"\rO\r")
    assert session.feed(b"".join(format_frame(frame) for frame in sent))[0] == sent
