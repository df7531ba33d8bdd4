"""MF4 files that a logger did not finish, or that were cut off: whole records before the end, and a word of it."""

import gc
import sys
from pathlib import Path

import can
import pytest

from hilbridge.boundary.logs.account import LogError

from .written import read
from .written_mf4 import RECORD, Frame, written

pytest.importorskip("asammdf")

FRAMES = [
    Frame(i / 100, 0x18DAF110 if i % 3 == 0 else 0x123, i % 3 == 0, bytes([i, 7, 1])[: 3 - i % 2]) for i in range(40)
]
UNFINISHED = "its logger did not finish it: whole records are counted as they lie there"
CUT = "it was cut off: records after the cut, or the one within it, are missing"


def test_a_finished_file_is_read_without_a_word(tmp_path: Path) -> None:
    path = tmp_path / "a.mf4"
    path.write_bytes(written(FRAMES, finished=True)[0])
    frames, account = read(path)
    assert frames[:3] == ["1700000000 1 18DAF110#000701", "1700000000.01 1 123#0107", "1700000000.02 1 123#020701"]
    assert len(frames) == len(FRAMES)
    assert account.words() == []


@pytest.mark.parametrize("finished", [True, False], ids=["cut", "never finished"])
def test_whole_records_before_the_end_are_read_wherever_that_is(tmp_path: Path, finished: bool) -> None:
    path = tmp_path / "a.mf4"
    whole, first = written(FRAMES, finished)
    path.write_bytes(whole)
    expected, _ = read(path)
    assert len(expected) == len(FRAMES)
    for left in range(0, len(whole) - first, 7):
        path.write_bytes(whole[: first + left])
        frames, account = read(path)
        assert frames == expected[: left // RECORD]
        assert account.words() == [CUT if finished else UNFINISHED]


@pytest.mark.parametrize("finished", [True, False])
def test_a_file_cut_off_in_its_description_is_refused(tmp_path: Path, finished: bool) -> None:
    path = tmp_path / "a.mf4"
    whole, first = written(FRAMES, finished)
    for end in range(8, first - 24, 97):
        path.write_bytes(whole[:end])
        with pytest.raises(LogError, match="cut off before the description of its records"):
            read(path)


def test_a_file_with_its_description_behind_the_records_has_lost_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So python-can writes."""
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)  # asammdf's file that did not open cannot close itself
    path = tmp_path / "a.mf4"
    with can.Logger(path) as logger:
        for index in range(200):
            logger.on_message_received(can.Message(timestamp=index, arbitration_id=1, data=[7], channel=0))
    whole = path.read_bytes()
    for part in (0.2, 0.6, 0.9):
        path.write_bytes(whole[: int(len(whole) * part)])
        with pytest.raises(LogError, match="cut off before the description of its records"):
            read(path)
    gc.collect()
