"""`hilbridge export --values`: the values of a recording agree with what its own frames say of them."""

import csv
from pathlib import Path

import can
import pytest

from hilbridge.boundary.record.boundary_records import FRAME, FrameRecord
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.segments import HEADER, record

from ..program import database, decoded, demo_bench, hilbridge
from ..program import record as record_run

SECONDS = 8.0


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo driver starts the engine and drives off."""
    folder = tmp_path_factory.mktemp("values")
    record_run(demo_bench(folder), folder / "recording", SECONDS)
    return folder / "recording"


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_tick_agrees_with_the_frames_of_that_tick(recording: Path, tmp_path: Path) -> None:
    """What cantools decodes from a recorded frame is the value of the same tick, to the resolution of the signal."""
    done = hilbridge("export", recording, tmp_path / "run.csv", "--values", "vehicle.*", "--interval", 0)
    assert done.returncode == 0, done.stderr
    rows = {round(float(row["time [s]"]) * 1000): row for row in rows_of(tmp_path / "run.csv")}
    assert len(rows) == SECONDS * 1000
    compared, moved = set(), set()
    messages = {message.frame_id: message for message in database().messages}
    for frame in can.BLFReader(recording / "frames.blf"):
        message = messages[frame.arbitration_id]
        values = decoded(message, frame)
        for signal in message.signals:
            column = f"vehicle.{signal.name} [{signal.unit}]" if signal.unit else f"vehicle.{signal.name}"
            value = rows[round(frame.timestamp * 1000)].get(column)
            if value:
                assert values[signal.name] == pytest.approx(float(value), abs=abs(float(signal.scale))), column
                compared.add(column)
                moved |= {column} if values[signal.name] else set()
    assert len(compared) >= 15
    assert {"vehicle.EngineRpm [rpm]", "vehicle.EngineTorque [Nm]", "vehicle.GearboxGear"} <= moved


def test_rows_are_10_ms_apart_by_default_with_all_entries(recording: Path, tmp_path: Path) -> None:
    """The file may stand behind --values, too."""
    done = hilbridge("export", recording, "--values", tmp_path / "run.csv")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{tmp_path / 'run.csv'}: 800 rows of {len(rows_of(tmp_path / 'run.csv')[0]) - 1} values\n"
    times = [float(row["time [s]"]) for row in rows_of(tmp_path / "run.csv")]
    assert times == [number / 100 for number in range(800)]


@pytest.mark.parametrize(("words", "least", "most"), [((2, 3), 200, 300), ((7.5, 900), 750, 799), ((3, 3), 300, 300)])
def test_a_part_of_the_values_is_cut_out(
    recording: Path, tmp_path: Path, words: tuple[float, float], least: int, most: int
) -> None:
    """Both times are in it, and the rows are those of the whole; a time behind the end is no error."""
    part, whole = tmp_path / "part.csv", tmp_path / "whole.csv"
    done = hilbridge("export", recording, part, "--values", "vehicle.EngineRpm", "--from", words[0], "--to", words[1])
    assert (done.returncode, done.stderr) == (0, "")
    assert hilbridge("export", recording, whole, "--values", "vehicle.EngineRpm").returncode == 0
    assert rows_of(part) == rows_of(whole)[least : most + 1]


def test_a_replay_that_differs_is_said_and_the_file_kept(recording: Path, tmp_path: Path) -> None:
    """Exit status 1, the tick and the signal on stderr; the values up to there are in the file."""
    crossings = list(Recording(recording).records())
    number, changed = next((n, each) for n, each in enumerate(crossings) if each.kind == FRAME and each.t > 4e9)
    frame = FrameRecord.decode(changed.payload)
    data = bytes((frame.frame.data[0] ^ 1, *frame.frame.data[1:]))
    (path,) = recording.glob("record.*")
    content = kept = path.read_bytes()
    content = content[: HEADER.size]
    for place, (t, kind, payload) in enumerate(crossings):
        other = frame._replace(frame=frame.frame._replace(data=data)).encode() if place == number else payload
        content += record(len(content), place, t, kind, other)
    path.write_bytes(content)
    try:
        done = hilbridge("export", recording, tmp_path / "run.csv", "--values", "vehicle.EngineRpm")
    finally:
        path.write_bytes(kept)
    assert done.returncode == 1
    assert f"the first difference: tick {changed.t // 1_000_000}" in done.stderr
    assert 400 <= len(rows_of(tmp_path / "run.csv")) <= 402


def test_a_misspelt_entry_is_refused_before_the_replay(recording: Path, tmp_path: Path) -> None:
    done = hilbridge("export", recording, tmp_path / "run.csv", "--values", "vehicle.EngineRmp")
    assert done.returncode == 2
    assert done.stderr == "hilbridge: unknown data bus entry 'vehicle.EngineRmp': did you mean vehicle.EngineRpm?\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.nightly
def test_a_plot_shows_the_time_that_is_asked_for(recording: Path, tmp_path: Path) -> None:
    """The recording is replayed no further than that; the same picture each time."""
    for name in ("one.svg", "two.svg"):
        span = ("--from", 2, "--to", 3)
        done = hilbridge("plot", recording, "vehicle.EngineRpm", "input.Key", "-o", tmp_path / name, *span)
        assert (done.returncode, done.stdout) == (0, f"{tmp_path / name}\n"), done.stderr
    text = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert text == (tmp_path / "two.svg").read_text(encoding="utf-8")
    for label in ("vehicle.EngineRpm", "rpm", "input.Key", "time, s", "2.0", "3.0"):
        assert f"<!-- {label} -->" in text
    assert "<!-- 3.2 -->" not in text
    beyond = hilbridge("plot", recording, "vehicle.Speed", "-o", tmp_path / "no.svg", "--from", 100)
    assert beyond.returncode == 2
    assert "none of them from 100 s on" in beyond.stderr
