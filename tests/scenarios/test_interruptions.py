"""Ctrl-C in the middle of a long command: it ends soon, keeps what it has, says so, and its exit status is 130."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import can
import pytest

from hilbridge.boundary.record.boundary_records import FRAME
from hilbridge.boundary.record.recording import Recording

from ..program import PATIENCE, demo_bench, record

ENDLESS = "time s,speed km/h\n0,0\n5,30\n500000,30\n"
SLOW = {"TERM": "xterm", "HILBRIDGE_INTERPRETED": "1"}
"""So that no command is over before its first word has been read."""

CAR = "name: car\nengine: {can_stall: true}\n"
TARGETS = """\
name: impossible
displacement: 1.0
torque: {value: 400, rpm: 1750, until: 4500}
power: {value: 300, rpm: 6000}
best_consumption: {value: 190, tolerance: 0.01}
points:
""" + "".join(f"- {{rpm: {rpm}, torque: {100 + rpm % 700}}}\n" for rpm in range(1000, 6000, 250))
"""They contradict each other, so that the search takes long: each of them is left out in turn."""


@contextmanager
def terminal() -> Iterator[tuple[int, int]]:
    """Both ends of a pseudo terminal: for the test and for the command."""
    ends = pty.openpty()
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


def interrupted(*arguments: object, seen: str) -> subprocess.CompletedProcess[str]:
    """Runs a command, and presses Ctrl-C once its progress on the terminal shows `seen`, a regular expression."""
    command = [sys.executable, "-m", "hilbridge", *map(str, arguments)]
    with (
        terminal() as (ours, theirs),
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True, env=os.environ | SLOW) as process,
    ):
        try:
            shown, end = "", time.monotonic() + 3 * PATIENCE
            while not re.search(seen, shown):
                assert select.select([ours], [], [], end - time.monotonic())[0], shown
                shown += os.read(ours, 4096).decode(errors="replace")
            process.send_signal(signal.SIGINT)
            stdout, _ = process.communicate(timeout=3 * PATIENCE)
        finally:
            process.kill()
        return subprocess.CompletedProcess(command, process.returncode, stdout)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Long enough to be interrupted."""
    folder = tmp_path_factory.mktemp("interruptions")
    bench = demo_bench(folder, ("rate: 1000 ", "rate: 100 "))
    record(bench, folder / "recording", 120)
    return folder / "recording"


def test_a_drive_tells_of_the_way_so_far(tmp_path: Path) -> None:
    """The energy ledger of it is closed, and the picture is drawn."""
    car, trace, picture = tmp_path / "car.yaml", tmp_path / "endless.csv", tmp_path / "drive.svg"
    car.write_text(CAR)
    trace.write_text(ENDLESS)
    run = interrupted("drive", car, "--cycle", trace, "--json", "--plot", picture, seen="endless")
    assert run.returncode == 130, run.stdout
    report = json.loads(run.stdout)
    assert report["complete"] is False
    assert 0 < report["time"] < 500_000
    assert abs(report["energy"]["residual"]) <= 1e-9 * report["energy"]["throughput"]
    assert "speed, km/h" in picture.read_text(encoding="utf-8")


def test_a_drive_says_that_it_was_interrupted(tmp_path: Path) -> None:
    car, trace = tmp_path / "car.yaml", tmp_path / "endless.csv"
    car.write_text(CAR)
    trace.write_text(ENDLESS)
    run = interrupted("drive", car, "--cycle", trace, seen="endless")
    assert run.returncode == 130
    assert re.search(r"interrupted: [\d.]+ s of 500000 s", run.stdout)


@pytest.mark.nightly
def test_a_fit_gives_the_best_engine_so_far(tmp_path: Path) -> None:
    targets, engine = tmp_path / "targets.yaml", tmp_path / "engine.yaml"
    targets.write_text(TARGETS)
    run = interrupted("fit", targets, "--json", "--output", engine, seen="searching")
    assert run.returncode == 130, run.stdout
    assert json.loads(run.stdout)["complete"] is False


@pytest.mark.nightly
def test_a_replay_says_how_far_it_was_identical(recording: Path) -> None:
    run = interrupted("replay", recording, seen="[1-9]%")
    assert run.returncode == 130, run.stdout
    ticks = re.search(r"interrupted after (\d+) ticks", run.stdout)
    assert ticks is not None
    assert 0 < int(ticks[1]) < 12_000
    assert re.search(rf"identical up to there: [1-9]\d* frames in {ticks[1]} ticks", run.stdout)


@pytest.mark.nightly(".asc-ASCReader")
@pytest.mark.parametrize(("extension", "reader"), [(".blf", can.BLFReader), (".asc", can.ASCReader)])
def test_what_was_exported_so_far_is_a_whole_file(
    recording: Path, tmp_path: Path, extension: str, reader: type[can.BLFReader] | type[can.ASCReader]
) -> None:
    """python-can reads every frame that is reported, and they are the first of the recording."""
    file = tmp_path / f"frames{extension}"
    run = interrupted("export", recording, file, seen="[1-9]%")
    assert run.returncode == 130, run.stdout
    told = re.search(r"([\d,]+) frames", run.stdout)
    assert told is not None
    frames = list(reader(file))
    everything = sum(crossing.kind == FRAME for crossing in Recording(recording).records())
    assert len(frames) == int(told[1].replace(",", ""))
    assert 0 < len(frames) < everything


@pytest.mark.nightly
def test_a_measurement_tells_what_was_measured(tmp_path: Path) -> None:
    """The first of them takes longer than the bar needs to appear."""
    run = interrupted("benchmark", "--json", seen="2/")
    assert run.returncode == 130, run.stdout
    report = json.loads(run.stdout)
    assert report["complete"] is False
    assert len(report["results"]) > 1


def test_a_scenario_says_which_steps_it_reached(tmp_path: Path) -> None:
    """What was under way is cut off. The run ends in good order, with the bus silent; the scenario has failed."""
    file = tmp_path / "long.yaml"
    file.write_text('steps:\n  - {expect: "1"}\n  - {always: "1", for: 100000}\n  - {expect: "1"}\n')
    picture = tmp_path / "long.svg"
    bench = demo_bench(tmp_path, ("rate: 1000 ", "rate: 100 "))
    command = [sys.executable, "-m", "hilbridge", "run", str(bench), "--clock", "virtual", "--scenario", str(file)]
    command += ["--plot", str(picture)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            assert "hilbridge" in process.stderr.readline()
            process.send_signal(signal.SIGINT)
            stdout, _ = process.communicate(timeout=3 * PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 1, stdout
    assert "cut off" in stdout
    assert "not reached" in stdout
    assert "1 of 3 steps passed" in stdout
    assert "not reached" in picture.read_text(encoding="utf-8")
