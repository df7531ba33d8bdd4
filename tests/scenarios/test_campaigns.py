"""Campaigns from the command line: interrupted and resumed, made again, and by a cluster whose workers die."""

import io
import json
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest
from pyarrow.parquet import read_table  # type: ignore[import-untyped]
from rich.console import Console

from hilbridge.base.common.words import counted
from hilbridge.commands import campaign
from hilbridge.commands.cli import main

from ..cluster import cluster
from ..program import PATIENCE

SCENARIO = """
parameters: {throttle: 0.2, most: 120}
steps:
  - set: {input.Key: 1}
  - after: 0.02
    set: {input.Throttle: "${throttle}"}
  - after: 0.05
    expect: "vehicle.EngineRpm < ${most}"
"""

CAMPAIGN = """
bench: demo
scenario: short.yaml
vary:
  vehicle.body.mass: {from: 900, to: 2400}
  throttle: {from: 0, to: 1}
  vehicle.engine.inertia: {from: 0.3, to: 0.7}
design: {kind: sobol, runs: 8}
figures:
  rpm: {of: vehicle.EngineRpm, take: last}
recordings: none
"""

RUNS = 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a campaign, and the rows of it that nothing disturbed."""
    folder = tmp_path_factory.mktemp("campaign")
    (folder / "short.yaml").write_text(SCENARIO, encoding="utf-8")
    (folder / "starts.yaml").write_text(CAMPAIGN, encoding="utf-8")
    assert main(["campaign", str(folder / "starts.yaml"), "--into", str(folder / "local")]) in (0, 1)
    return folder


def rows(folder: Path) -> list[bytes]:
    return (folder / "rows.jsonl").read_bytes().splitlines(keepends=True)


def test_a_row_for_each_run_in_the_order_of_the_campaign(folder: Path) -> None:
    """The inertia decides how fast the starter turns the engine, and with it the verdict."""
    made = [json.loads(row) for row in rows(folder / "local")]
    assert len({row["run"] for row in made}) == len(made) == RUNS
    heavy = sorted(made, key=lambda row: row["set"]["vehicle.engine.inertia"])
    speeds = [row["figures"]["rpm"] for row in heavy]
    assert speeds == sorted(speeds, reverse=True)
    assert [row["verdict"] for row in made] == ["passed" if row["figures"]["rpm"] < 120 else "failed" for row in made]
    assert json.loads((folder / "local/manifest.json").read_text())["runs"] == RUNS


def test_failures_are_recorded_as_the_file_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each can be replayed; with another word in the file those that are missing are made, and no run."""
    results, file = folder / "local", folder / "again/starts.yaml"
    failed = {row["run"] for row in map(json.loads, rows(results)) if row["verdict"] == "failed"}
    recordings = results / "recordings"
    assert failed
    assert not recordings.exists()
    file.parent.mkdir()
    shutil.copy(folder / "short.yaml", file.parent)
    for word, added in (("1", 1), ("failures", len(failed) - 1)):
        file.write_text(CAMPAIGN.replace("none", word), encoding="utf-8")
        main(["campaign", str(file), "--into", str(results)])
        said = capsys.readouterr()
        assert "8 runs, 0 of them to be made" in said.err
        assert f"{counted(added, 'run')} recorded in {recordings}" in said.out
    assert {each.name for each in recordings.iterdir()} == failed
    assert main(["replay", str(recordings / min(failed))]) == 0


def test_reports_are_made_of_the_rows_that_are_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the form that the name of the file says; three failures of the step are drawn, whose runs are made again."""
    words = ["campaign", str(folder / "starts.yaml"), "--into", str(folder / "local")]
    files = [folder / f"report{extension}" for extension in (".html", ".xml", ".parquet")]
    assert main([*words, *(word for file in files for word in ("--report", str(file)))]) == 1
    failed = [row for row in map(json.loads, rows(folder / "local")) if row["verdict"] == "failed"]
    text = files[0].read_text(encoding="utf-8")
    assert text.count("<article>") == text.count('id="axes_1"') == 3
    assert [suite.get("failures") for suite in ET.parse(files[1]).getroot()] == [str(len(failed))]
    assert read_table(files[2])["run"].to_pylist() == [json.loads(row)["run"] for row in rows(folder / "local")]
    capsys.readouterr()
    assert main([*words, "--report", "starts.pdf"]) == 2
    assert "a report on a campaign is .html, .xml or .parquet, not 'starts.pdf'" in capsys.readouterr().err


def test_without_matplotlib_a_page_has_no_pictures_and_it_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(campaign, "find_spec", lambda _: None)
    page = folder / "plain.html"
    main(["campaign", str(folder / "starts.yaml"), "--into", str(folder / "local"), "--report", str(page)])
    assert "pictures of failures need the package matplotlib" in capsys.readouterr().err
    text = page.read_text(encoding="utf-8")
    assert (text.count("<article>"), text.count("<details")) == (3, 0)


def test_an_interrupted_campaign_goes_on_where_it_was(folder: Path) -> None:
    """Ctrl-C keeps the rows that are there; of a row that was torn the run is made again, and the order is as ever."""
    results = folder / "resumed"
    report = folder / "interrupted.html"
    words = ["campaign", str(folder / "starts.yaml"), "--into", str(results)]
    more = ["--jobs", "1", "--report", str(report)]
    program = subprocess.Popen([sys.executable, "-m", "hilbridge", *words, *more], stdin=subprocess.DEVNULL)
    wait_for_rows(results, 2)
    program.send_signal(signal.SIGINT)
    assert program.wait(PATIENCE) == 128 + signal.SIGINT
    kept = rows(results)
    assert 2 <= len(kept) < RUNS
    assert f"{RUNS - len(kept)} not made</span> of {RUNS} runs" in report.read_text(encoding="utf-8")
    (results / "rows.jsonl").write_bytes(b"".join(kept)[:-20])
    main(words)
    assert rows(results) == rows(folder / "local")


def test_an_interrupted_recording_leaves_nothing_behind(folder: Path) -> None:
    """Neither a part of one, nor a process that goes on with it; what was whole is kept, and the others come later."""
    file, results = folder / "recorded.yaml", folder / "recorded"
    file.write_text(CAMPAIGN.replace("none", "all").replace("runs: 8", "runs: 2"), encoding="utf-8")
    words = ["campaign", str(file), "--into", str(results), "--jobs", "1"]
    program = subprocess.Popen([sys.executable, "-m", "hilbridge", *words], stdin=subprocess.DEVNULL)
    until = time.monotonic() + 5 * PATIENCE
    while not list((results / "recordings").glob("*.unfinished")):
        assert time.monotonic() < until
        assert program.poll() is None
        time.sleep(0.001)
    program.send_signal(signal.SIGINT)
    assert program.wait(PATIENCE) == 128 + signal.SIGINT
    left = [one.name for one in (results / "recordings").iterdir()]
    assert not [name for name in left if name.endswith(".unfinished")]
    assert len(left) < 2


def test_two_campaigns_in_one_folder_lose_no_row(tmp_path: Path) -> None:
    """The second is refused or interrupted, the first is killed, at any moment: what was on the disk is there."""
    results, file = tmp_path / "shared", tmp_path / "small.yaml"
    (tmp_path / "bench.yaml").write_text("name: small\nvehicle: compact\nrate: 10\nbuses: {}\n", encoding="utf-8")
    (tmp_path / "wait.yaml").write_text("steps: [{after: 0.1, set: {input.Key: 1}}]\n", encoding="utf-8")
    file.write_text("bench: bench.yaml\nscenario: wait.yaml\nseeds: 40\n", encoding="utf-8")
    command = [sys.executable, "-m", "hilbridge", "campaign", str(file), "--into", str(results), "--jobs", "1"]
    random, kept = Random(1), list[bytes]()

    def whole() -> list[bytes]:
        return [row for row in rows(results) if row.endswith(b"\n")]

    for _ in range(2):
        with killed(subprocess.Popen(command, stdin=subprocess.DEVNULL)) as first:
            wait_for_rows(results, len(kept) + 1)
            first.send_signal(signal.SIGSTOP)  # it has the folder, whatever time the others take
            before = whole()
            assert before[: len(kept)] == kept
            with killed(subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)) as third:
                second = subprocess.run(
                    command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
                )
                assert second.returncode == 2
                assert f"another campaign, process {first.pid} on " in second.stderr
                third.send_signal(signal.SIGINT)
            assert whole() == before
            first.send_signal(signal.SIGCONT)
            time.sleep(random.random() / 5)
        kept = whole()
        assert kept[: len(before)] == before
    assert main(command[3:]) == 0
    assert len(rows(results)) == 40
    assert set(kept) <= set(rows(results))


@contextmanager
def killed(process: "subprocess.Popen[bytes]") -> Iterator["subprocess.Popen[bytes]"]:
    """A process that is killed at the end of the block."""
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_on_a_terminal_a_bar_shows_how_far_it_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Done of all, and how many in a second; from the first moment on, when there is no figure yet."""
    written = io.StringIO()
    monkeypatch.setattr(campaign, "Console", lambda **_: Console(file=written, force_terminal=True, width=100))
    words = ["campaign", str(folder / "starts.yaml"), "--into", str(folder / "local"), "--verify", "25"]
    assert main(words) in (0, 1)
    assert "2/2" in written.getvalue()
    assert re.search(r"[0-9.]+/s", written.getvalue())


def test_runs_that_are_made_again_come_to_the_same_rows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One of another build, or one that was altered, would be shown."""
    words = ["campaign", str(folder / "starts.yaml"), "--into", str(folder / "local")]
    first = json.loads(rows(folder / "local")[0])["run"]
    assert main([*words, "--rerun", first]) == 0
    assert "1 of 1 run made again came to the same row, byte for byte" in capsys.readouterr().out
    altered = folder / "altered"
    altered.mkdir()
    (altered / "manifest.json").write_bytes((folder / "local/manifest.json").read_bytes())
    (altered / "rows.jsonl").write_bytes(rows(folder / "local")[0].replace(b'"frames":', b'"frames":1'))
    words[-1] = str(altered)
    assert main([*words, "--rerun", first]) == 1
    assert f"{first} differs" in capsys.readouterr().out


@pytest.mark.nightly
def test_a_cluster_makes_the_same_rows_though_a_worker_dies(folder: Path) -> None:
    """No run is lost, none is doubled."""
    results = folder / "cluster"
    with cluster(folder, workers=2) as workers:
        words = ["campaign", str(folder / "starts.yaml"), "--into", str(results), "--on", f"dask://{workers.address}"]
        program = subprocess.Popen([sys.executable, "-m", "hilbridge", *words], stdin=subprocess.DEVNULL)
        wait_for_rows(results, 1)
        workers.workers[0].kill()
        assert program.wait(PATIENCE) in (0, 1)
    assert rows(results) == rows(folder / "local")


@pytest.mark.nightly
def test_a_worker_with_a_full_disk_makes_no_run_and_costs_none(folder: Path) -> None:
    """It may write no byte into a file: what it is given goes to the other worker, and it is told which one that was.

    With no other there is no campaign, with the reason; when there is room again, the same command makes the runs.
    """
    results = folder / "full"
    with cluster(folder, workers=2) as workers:
        words = ["campaign", str(folder / "starts.yaml"), "--into", str(results), "--on", f"dask://{workers.address}"]
        limit_files(workers.workers[0], 0)
        made = command(words)
        assert made.returncode in (0, 1)
        assert rows(results) == rows(folder / "local")
        shutil.rmtree(results)
        limit_files(workers.workers[1], 0)
        refused = command(words)
        assert rows(results) == []
        limit_files(workers.workers[0], resource.RLIM_INFINITY)
        assert command(words).returncode in (0, 1)
    full = f"cannot keep the files of the campaign in {folder}"
    assert full in made.stderr
    assert "its runs go to another" in made.stderr
    assert refused.returncode == 2
    assert "no worker can make the runs: the worker on " in refused.stderr.splitlines()[-1]
    assert full in refused.stderr.splitlines()[-1]
    assert rows(results) == rows(folder / "local")


@pytest.mark.nightly
def test_a_scheduler_that_dies_ends_the_campaign_and_a_new_one_goes_on(folder: Path) -> None:
    """The command says so; what came is kept, and only what is missing is made by the same command."""
    results, name = folder / "headless", "starts.yaml"
    with cluster(folder, workers=1) as workers:
        words = ["campaign", str(folder / name), "--into", str(results), "--on", f"dask://{workers.address}"]
        with subprocess.Popen(
            [sys.executable, "-m", "hilbridge", *words], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as program:
            wait_for_rows(results, 1)
            workers.scheduler.kill()
            told = program.communicate(timeout=PATIENCE)[1]
    kept = rows(results)
    assert program.returncode == 2
    assert "the connection to the scheduler is lost; the rows that came are kept" in told.splitlines()[-1]
    assert len(told.splitlines()) == 2, "how many runs there are, and this: nothing of Dask's own"
    assert 1 <= len(kept) < RUNS
    assert set(kept) <= set(rows(folder / "local"))
    with cluster(folder, workers=1) as workers:
        words[-1] = f"dask://{workers.address}"
        resumed = command(words)
    assert f"{RUNS} runs, {RUNS - len(kept)} of them to be made" in resumed.stderr
    assert rows(results) == rows(folder / "local")


def command(words: list[str]) -> "subprocess.CompletedProcess[str]":
    program = [sys.executable, "-m", "hilbridge", *words]
    return subprocess.run(program, capture_output=True, text=True, timeout=5 * PATIENCE, check=False)


def limit_files(worker: "subprocess.Popen[bytes]", size: int) -> None:
    """Let no file of a worker grow beyond a size [bytes]; with 0 its disk is full, as it sees it."""
    resource.prlimit(worker.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def wait_for_rows(results: Path, count: int) -> None:
    until = time.monotonic() + PATIENCE
    while not (results / "rows.jsonl").is_file() or len(rows(results)) < count:
        assert time.monotonic() < until
        time.sleep(0.02)
