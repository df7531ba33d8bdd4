"""Logs as python-can writes them, cut off at every byte: a power cut, a full disk, a copy that broke off."""

import gzip
from pathlib import Path

import can
import pytest

from hilbridge.boundary.logs.account import LogError

from .written import read, read_text

FRAMES = 24


def write(path: Path) -> None:
    """Frames of two identifiers, with and without data."""
    with can.Logger(path) as logger:
        for index in range(FRAMES):
            extended = index % 3 == 0
            logger.on_message_received(
                can.Message(
                    timestamp=1.7e9 + index / 100, channel=0, arbitration_id=0x18DAF110 if extended else 0x123,
                    is_extended_id=extended, data=bytes([index, 7, 0x11, 0x22])[: 4 - index % 3],
                )
            )  # fmt: skip


@pytest.mark.parametrize("name", ["a.log", "a.asc", "a.trc", "a.csv", "a.blf"])
def test_a_log_cut_off_anywhere_gives_its_whole_frames_with_a_word(tmp_path: Path, name: str) -> None:
    write(tmp_path / name)
    whole = (tmp_path / name).read_bytes()
    expected, account = read(tmp_path / name)
    assert (len(expected), account.cut, account.missing) == (FRAMES, "", 0)
    lines = whole.count(b"\n")
    for end in range(len(whole)):
        part = whole[:end]
        try:
            frames, account = read_text(tmp_path, part, "cut")
        except LogError:
            continue
        assert frames == expected[: len(frames)]
        if not name.endswith("blf"):
            after = lines - part.count(b"\n")
            assert len(frames) >= FRAMES - after
            if len(frames) < FRAMES and part[-1:] != b"\n" and after <= FRAMES and part.rpartition(b"\n")[2].strip():
                assert account.cut or len(frames) == FRAMES - after + 1 or name == "a.asc"
        elif len(frames) < FRAMES:
            assert account.cut or account.missing


def test_a_long_blf_cut_off_anywhere_gives_the_containers_before(tmp_path: Path) -> None:
    path = tmp_path / "a.blf"
    with can.BLFWriter(path, max_container_size=2048) as writer:
        for index in range(500):
            writer.on_message_received(can.Message(timestamp=index / 100, arbitration_id=1, data=[index % 256, 7]))
    whole = path.read_bytes()
    expected, _ = read(path)
    assert len(expected) == 500
    for end in range(200, len(whole), 7):
        frames, account = read_text(tmp_path, whole[:end], "cut")
        assert frames == expected[: len(frames)]
        assert account.missing == len(whole) - end


def test_a_packed_log_cut_off_anywhere_gives_what_unpacks(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    write(path)
    expected, _ = read(path)
    packed = gzip.compress(path.read_bytes())
    for end in range(20, len(packed)):
        try:
            frames, account = read_text(tmp_path, packed[:end], "cut.gz")
        except LogError:
            continue
        assert frames == expected[: len(frames)]
        assert account.cut
