"""The file of `hilbridge export` is found before and behind --values; --from and --to cut out a part."""

import argparse
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary_records import FRAME, FrameRecord
from hilbridge.boundary.record.segments import header, record, segment_path
from hilbridge.commands import export
from hilbridge.frames.codec.frame import Frame


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    export.add_arguments(parser)
    return parser.parse_args(words)


def refused(*words: str) -> str:
    with pytest.raises(ConfigurationError) as refusal:
        export.run(parsed(*words))
    return refusal.value.message


def test_a_file_behind_the_entries_is_no_entry(tmp_path: Path) -> None:
    """So the folder is what is wrong here."""
    assert str(tmp_path) in refused(str(tmp_path), "--values", "vehicle.Speed", str(tmp_path / "run.csv"))


@pytest.mark.parametrize("words", [(), ("--values",), ("--values", "vehicle.Speed")])
def test_a_missing_file_is_told_with_the_order(words: tuple[str, ...], tmp_path: Path) -> None:
    assert "hilbridge export DIR FILE --values" in refused(str(tmp_path), *words)


def test_a_part_of_the_frames_is_cut_out(tmp_path: Path) -> None:
    """Both times are in it, and times stay those of the run."""
    folder = tmp_path / "run"
    manifest.create(folder, {"bench": "demo", "vehicle": "compact", "buses": ["can"]})
    content = header(0, 0)
    for t in range(6):
        frame = FrameRecord(0, True, Frame(t, b"")).encode()
        content += record(len(content), t, t * SECOND, FRAME, frame)
    segment_path(folder, 0).write_bytes(content)
    file = tmp_path / "part.log"
    assert export.run(parsed(str(folder), str(file), "--from", "2", "--to", "4")) == 0
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [line.split()[0] for line in lines] == ["(2.000000)", "(3.000000)", "(4.000000)"]
    assert "--to 1 is before --from 2" in refused(str(folder), str(tmp_path / "x.log"), "--from", "2", "--to", "1")


def test_times_are_of_a_recording(tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    log.touch()
    assert refused(str(log), str(tmp_path / "run.csv"), "--from", "2") == "--from is of a recording"
    assert "--to is of a recording" in refused("demo", str(tmp_path / "x.pdx"), "--to", "3")
