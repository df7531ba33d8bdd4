"""Logs of every format, and what is wrong with some."""

import contextlib
from pathlib import Path

import can
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.learn.log import read_frames

LINES = """\
(100.000000) can0 123#0102
(100.010000) can0 123#0103
(100.011000) can0 18FEF100#0000000000000000
(100.012000) can0 20000080#0000000000000000
(100.013000) can0 124#R
(100.020000) can0 123#010203
(100.030000) can0 123#0104
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "a.log"
    path.write_text(text)
    return path


def test_frames_are_sorted_by_identifier_and_what_is_left_out_is_counted(tmp_path: Path) -> None:
    """Error frames, remote frames, frames of another length than most."""
    log = read_frames(write(tmp_path, LINES), None)
    assert [one.name for one in log.series] == ["0x123", "0x18FEF100"]
    assert (log.frames, log.channel) == (5, "can0")
    assert log.reading.words() == ["1 error frame left out", "1 remote frame left out"]
    first = log.series[0]
    assert first.data.tolist() == [[1, 2], [1, 3], [1, 4]]
    assert [time // 1_000_000 for time in first.times.tolist()] == [100_000, 100_010, 100_030]
    assert first.others == {3: 1}


@pytest.mark.parametrize("name", ["a.asc", "a.blf", "a.trc", "a.csv", "a.log", "a.mf4"])
def test_every_format_says_the_same(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with can.Logger(path) as logger:
        for index in range(50):
            logger.on_message_received(
                can.Message(timestamp=1.7e9 + index / 100, arbitration_id=0x123, is_extended_id=False, data=[index, 7])
            )
    (series,) = read_frames(path, None).series
    assert series.data[:, 0].tolist() == list(range(50))
    assert abs((series.times[-1] - series.times[0]) / 1e6 - 490) < 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            LINES.replace("can0 123#0103", "can1 123#0103"),
            r"2 buses in one log: .*--channel, .*: can0 \(4 frames\), can1",
        ),
        (LINES + "(100.04) can0 123#01", None),
        (LINES + "(100.04) can0 123#01x\n", None),
        (LINES + "(100.04) ca", None),
        (LINES + "(90.0) can0 123#0105\n", r"a\.log: frame 6: the time runs backwards by 10\.03 s"),
        ("", r"a\.log: it is empty"),
        ("(1.0) can0 124#R\n", r"no data frames in it, but: 1 remote frame left out$"),
        ("hello\n", r"a\.log: this is none of the logs"),
    ],
)
def test_a_log_that_cannot_be_learned_from_is_refused_with_its_line(
    tmp_path: Path, text: str, complaint: str | None
) -> None:
    path = write(tmp_path, text)
    if complaint is None:
        log = read_frames(path, None)
        assert log.frames == 5
        assert log.reading.account.cut or log.reading.account.unreadable == 1
        return
    with pytest.raises(ConfigurationError, match=complaint):
        read_frames(path, None)


def test_a_binary_log_that_was_cut_off_says_so(tmp_path: Path) -> None:
    """The frames before are whole, and nobody can cut them out by hand."""
    path = tmp_path / "a.blf"
    with can.Logger(path) as logger:
        for index in range(500):
            logger.on_message_received(can.Message(timestamp=index / 100, arbitration_id=1, data=[index % 256, 7]))
    assert read_frames(path, None).reading.account.missing == 0
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    log = read_frames(path, None)
    assert log.reading.account.missing == 100
    assert 0 < log.frames < 500


def test_a_bus_is_chosen_by_its_name(tmp_path: Path) -> None:
    path = write(tmp_path, LINES.replace("can0 123#0103", "can1 123#0103"))
    assert read_frames(path, "can1").frames == 1
    with pytest.raises(ConfigurationError, match=r"no channel 'can2' in it; there are can0 \(4 frames\), can1"):
        read_frames(path, "can2")
    with pytest.raises(ConfigurationError, match="there is no log"):
        read_frames(tmp_path / "b.log", None)


def test_frames_a_little_out_of_order_are_sorted(tmp_path: Path) -> None:
    log = read_frames(write(tmp_path, LINES + "(100.025) can0 123#0105\n"), None)
    assert log.reading.out_of_order == 1
    assert log.series[0].data[:, 1].tolist() == [2, 3, 5, 4]


def test_an_interruption_keeps_what_was_read(tmp_path: Path) -> None:
    path = write(tmp_path, "".join(f"({i / 100}) can0 123#{i % 256:02X}\n" for i in range(90_000)))
    answers = iter([False, True])
    log = read_frames(path, None, stopped=lambda: next(answers))
    assert log.interrupted
    assert 0 < log.frames < 90_000


@settings(max_examples=40, deadline=None)
@given(start=st.integers(0, len(LINES)), piece=st.text(max_size=20), suffix=st.sampled_from([".log", ".asc", ".trc"]))
def test_a_damaged_log_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, start: int, piece: str, suffix: str
) -> None:
    """Never anything else."""
    path = tmp_path_factory.mktemp("log") / f"a{suffix}"
    path.write_text(LINES[:start] + piece + LINES[start:], encoding="utf-8", errors="replace")
    with contextlib.suppress(ConfigurationError):
        assert read_frames(path, None).frames > 0
