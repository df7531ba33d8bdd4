"""The lines between a bench and a lockstep client, as docs/guides/lockstep.md has them."""

import pytest

from hilbridge.boundary.lockstep.lines import MOST_FRAMES, LineError, TurnReader, greeting, heard, turn
from hilbridge.frames.codec.frame import BRS, ERROR, EXTENDED, FD, REMOTE, Frame

SENT = b"t5A0101\nT18DAF11010A\r\ndone\n"
FRAMES = [Frame(0x5A0, b"\x01"), Frame(0x18DAF110 | EXTENDED, b"\x0a")]


def test_what_the_bench_says() -> None:
    assert greeting("lamp", "powertrain", 1_000_000) == b"lockstep 1 lamp powertrain 1000000\n"
    assert turn(12_000_000) == b"done 12000000\n"


@pytest.mark.parametrize(
    ("frame", "line"),
    [
        (Frame(0x100, bytes.fromhex("0a0b")), b"7 t10020A0B\n"),
        (Frame(0x123 | EXTENDED, b""), b"7 T000001230\n"),
        (Frame(0x100 | REMOTE, bytes(4)), b"7 r1004\n"),
        (Frame(0x100, bytes(12), FD | BRS), b"7 b1009" + b"00" * 12 + b"\n"),
        (Frame(0x100 | ERROR, bytes(8)), b""),
    ],
)
def test_a_frame_is_told_with_its_time_in_slcan(frame: Frame, line: bytes) -> None:
    """An error frame is not told: it is what one controller says of itself."""
    assert heard(7, frame) == line


@pytest.mark.parametrize("size", range(1, len(SENT) + 1))
def test_a_turn_may_come_in_pieces_of_any_size(size: int) -> None:
    reader = TurnReader()
    turns = [reader.feed(SENT[start : start + size]) for start in range(0, len(SENT), size)]
    assert turns[:-1] == [None] * (len(turns) - 1)
    assert turns[-1] == FRAMES


def test_what_is_said_beyond_done_belongs_to_the_next_turn() -> None:
    reader = TurnReader()
    assert reader.feed(SENT + SENT + b"done\nt1") == FRAMES
    assert reader.feed(b"") == FRAMES
    assert reader.feed(b"") == []
    assert reader.feed(b"230\ndone\n") == [Frame(0x123, b"")]


def test_a_turn_may_be_answered_with_its_time() -> None:
    reader = TurnReader()
    reader.turn = turn(5)[:-1]
    assert reader.feed(b"t1230\ndone 5\n") == [Frame(0x123, b"")]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"done 4\n", r"has answered for the past: 'done 4' in the turn 'done 5'"),
        (b"done 6\n", r"has answered for the future: 'done 6'"),
        (b"done " + b"9" * 150 + b"\n", r"has answered for the future: 'done 999"),
        (b"done \xb2\n", "neither a frame nor 'done'"),
        (b"done -1\n", "neither a frame nor 'done'"),
        (b"done 5 \n", "neither a frame nor 'done'"),
    ],
)
def test_an_answer_for_another_turn_is_told(answer: bytes, words: str) -> None:
    reader = TurnReader()
    reader.turn = turn(5)[:-1]
    with pytest.raises(LineError, match=words):
        reader.feed(answer)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"hello\n", r"has sent 'hello', which is neither a frame nor 'done'"),
        (b"\n", "neither a frame"),
        (b"t10090011223344556677889\n", "neither a frame"),
        (b"t1001AABB\n", "neither a frame"),  # beyond its length
        (b"done 5\n", "neither a frame"),
        (b"\xff\x00\n", "neither a frame"),
        (b"t" * 1000, "line that is too long"),
        (b"t1000\n" * (MOST_FRAMES + 1), "more than 4096 frames"),
    ],
)
def test_a_wrong_line_is_told_in_words(data: bytes, words: str) -> None:
    with pytest.raises(LineError, match=words):
        TurnReader().feed(data)
