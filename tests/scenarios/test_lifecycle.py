"""How a run begins, speaks and ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import can
import pytest

from hilbridge.client import Client

from ..program import PATIENCE, demo_bench, hilbridge, running


@pytest.mark.way_out("signal")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_in_good_order(tmp_path: Path, number: int) -> None:
    """Exit status 0, and the last word is the statistics."""
    with running(demo_bench(tmp_path)) as program:
        program.wait_for("bus open")
        program.wait_for("status")
        final = program.stop(number)
    assert final["ticks"] > 0
    assert final["observer"] == {"restarts": 0, "events_lost": 0}


def test_sigusr1_asks_for_the_statistics_without_ending_the_run(tmp_path: Path) -> None:
    """Counters and the percentiles of lateness and step time, while the tick goes on."""
    with running(demo_bench(tmp_path)) as program:
        program.wait_for("status")
        statistics = program.statistics()
        program.wait_for("status")
        final = program.stop()
    assert 0 < statistics["ticks"] < final["ticks"]
    assert 0 < statistics["tick_us"]["p50"] <= statistics["tick_us"]["p99"] <= statistics["tick_us"]["max"]


def test_the_duration_ends_the_run(tmp_path: Path) -> None:
    """One second at 100 ticks/s: every tick was done or counted as missed, and nothing else."""
    run = hilbridge("run", demo_bench(tmp_path, ("rate: 1000 ", "rate: 100 ")), "--duration", 1)
    assert run.returncode == 0
    final = next(record for record in map(json.loads, run.stdout.splitlines()) if record["event"] == "stopped")
    assert final["ticks"] + final["missed_ticks"] == 100


def test_a_run_in_real_time_can_be_recorded_too(tmp_path: Path) -> None:
    """Every frame that was sent is in the file, with the time of its tick."""
    run = hilbridge("run", demo_bench(tmp_path), "--duration", 2, "--record", tmp_path / "recording")
    assert run.returncode == 0
    final = next(record for record in map(json.loads, run.stdout.splitlines()) if record["event"] == "stopped")
    frames = list(can.BLFReader(tmp_path / "recording/frames.blf"))
    assert len(frames) == final["buses"]["powertrain"]["transmitted"]
    times = [round(frame.timestamp * 1e6) for frame in frames]
    assert times == sorted(times)
    assert all(time % 1000 == 0 for time in times)
    assert json.loads((tmp_path / "recording/manifest.json").read_text())["complete"] is True


def test_a_recording_is_never_overwritten(tmp_path: Path) -> None:
    """The second run into the same directory is refused before it starts, and the first stays as it was."""
    arguments = ("run", demo_bench(tmp_path), "--clock", "virtual", "--duration", 1, "--record", tmp_path / "recording")
    assert hilbridge(*arguments).returncode == 0
    before = (tmp_path / "recording/frames.blf").read_bytes()
    second = hilbridge(*arguments)
    assert second.returncode == 2
    assert "already holds a recording" in second.stderr
    assert (tmp_path / "recording/frames.blf").read_bytes() == before


def test_the_virtual_clock_needs_a_duration(tmp_path: Path) -> None:
    run = hilbridge("run", demo_bench(tmp_path), "--clock", "virtual")
    assert run.returncode == 2
    assert "--duration" in run.stderr


@pytest.mark.way_out("child")
def test_an_observer_that_is_killed_is_started_again(tmp_path: Path) -> None:
    """The tick goes on, the log says so, and the recording is complete all the same."""
    with running(demo_bench(tmp_path), "--record", tmp_path / "recording") as program:
        program.wait_for("status")
        children = Path(f"/proc/{program.process.pid}/task/{program.process.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)
        program.wait_for("observer restarted")
        program.wait_for("status")
        final = program.stop()
    assert final["observer"] == {"restarts": 1, "events_lost": 0}
    frames = list(can.BLFReader(tmp_path / "recording/frames.blf"))
    assert len(frames) == final["buses"]["powertrain"]["transmitted"]


def test_pace_runs_faster_than_real_time_with_open_ports(tmp_path: Path) -> None:
    """Ten seconds of the run at pace 10; the SLCAN port is there."""
    bench = demo_bench(tmp_path, ("rate: 1000 ", "rate: 100 "))
    with running(bench, "--pace", 10, "--duration", 10) as program:
        assert program.slcan_port() > 0
        final = program.wait_for("stopped")
        assert program.process.wait(20) == 0
    assert final["ticks"] + final["missed_ticks"] == 1000


def test_closed_standard_streams_do_no_harm(tmp_path: Path) -> None:
    """Started without standard input, output and error, the run records as always."""
    command = (
        f"exec {sys.executable} -m hilbridge run {demo_bench(tmp_path)} --duration 1 --record {tmp_path}/recording"
    )
    assert subprocess.run(["sh", "-c", f"{command} <&- >&- 2>&-"], timeout=60, check=False).returncode == 0
    assert json.loads((tmp_path / "recording/manifest.json").read_text())["complete"] is True


def test_a_run_that_breaks_down_leaves_an_incomplete_recording(tmp_path: Path) -> None:
    """An error of ours in a tick: a traceback, a failure as exit status, and a manifest that does not claim the end."""
    bench, recording = demo_bench(tmp_path), tmp_path / "recording"
    program = (
        "import sys; from hilbridge.commands import cli; from hilbridge.runs.run import run as app\n"
        "sample = app.Run.sample; count = iter(range(500))\n"
        "app.Run.sample = lambda run, t: (next(count), sample(run, t))[1]\n"
        f"sys.exit(cli.main(['run', {str(bench)!r}, '--record', {str(recording)!r}]))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 1
    assert "StopIteration" in run.stderr
    events = {record["event"] for record in map(json.loads, run.stdout.splitlines())}
    assert "the run was given up" in events
    assert "stopped" not in events
    deadline = time.monotonic() + 20  # the observer outlives the run by a moment
    while "missing" not in (manifest := json.loads((recording / "manifest.json").read_text())):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert manifest["complete"] is False


@pytest.mark.way_out("log")
def test_a_pipe_can_have_text(tmp_path: Path) -> None:
    """For `| tee`: without colours, without the status line, and with an end of a few lines for people."""
    run = hilbridge("run", demo_bench(tmp_path), "--clock", "virtual", "--duration", 2, "--log", "text")
    assert run.returncode == 0
    assert "\x1b" not in run.stdout
    *_, stopped, ran, bus = run.stdout.splitlines()
    assert "stopped" in stopped
    assert ran.strip() == "demo ran for 0:00:02: 2,000 ticks, 0 missed"
    assert bus.strip().startswith("powertrain: 0 frames in, ")


def test_the_same_bench_a_second_time_is_named(tmp_path: Path) -> None:
    """Its port is taken by itself: the message says so, and not that some other program may have it."""
    file = demo_bench(tmp_path)
    with file.open("a", encoding="utf-8") as text:
        text.write(f"\ncontrol: {{socket: {tmp_path}/ctl.sock, mode: '600'}}\n")
    with running(file) as program:
        port = program.slcan_port()
        program.wait_for("ready")
        taken = file.read_text(encoding="utf-8").replace("slcan: 0", f"slcan: {port}")
        file.write_text(taken, encoding="utf-8")
        second = hilbridge("run", file, "--no-web", "--duration", 1)
    assert second.returncode == 1  # it may pass
    assert "the bench demo is running already: " in second.stderr
    assert f"{file}:" in second.stderr


def test_the_observer_keeps_no_children_that_have_ended(tmp_path: Path) -> None:
    """The export of a recording in mid-run is a process: when it is done, it is gone, and no zombie."""
    file = demo_bench(tmp_path)
    with file.open("a", encoding="utf-8") as text:
        text.write(f"\ncontrol: {{socket: {tmp_path}/ctl.sock, mode: '600'}}\n")
    with running(file) as program, Client(tmp_path / "ctl.sock") as client:
        program.wait_for("ready")
        client.record(tmp_path / "recording")
        client.wait_until("vehicle.EngineRpm > -1")
        client.stop_recording()
        deadline = time.monotonic() + PATIENCE
        observer = _children(program.process.pid)[0]
        while not (tmp_path / "recording/frames.blf").exists() or _children(observer):
            assert time.monotonic() < deadline, "the export did not end, or its end was not noticed"
            time.sleep(0.05)


def _children(process: int) -> list[int]:
    text = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    return [int(child) for child in text.split()]
