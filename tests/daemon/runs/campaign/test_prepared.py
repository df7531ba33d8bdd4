"""Runs in processes of their own: what one does to its process harms no other, and every run has a row."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.program import demo_bench

from hilbridge.commands.cli import main
from hilbridge.runs.campaign.play import MOST_PRINTED
from hilbridge.runs.campaign.prepared import Prepared

from .campaigns import CAMPAIGN, SCENARIO, row_by, runs

LONG = SCENARIO.replace("0.02", "1000000")

ONE = CAMPAIGN.replace("{from: 900, to: 1500, steps: 3}", "[1000]").replace("[-1, 4000]", "[4000]")


BUILT = """
from hilbridge.runs.campaign import prepared
from hilbridge.files.configuration import vehiclefile
from hilbridge.boundary.control import commands
from hilbridge.files.settings.bench import BenchSettings
from hilbridge.files.settings.scenario import ScenarioSettings

def built():
    complete = [one.__pydantic_complete__ for one in (BenchSettings, ScenarioSettings)]
    return complete + [one._adapter.cache_info().currsize == 1 for one in (vehiclefile, commands)]

before = built()
prepared._warm_up()
print(not any(before), all(built()))
"""
"""Prints whether the validators of bench, scenario, vehicle and commands come to be by `_warm_up`."""


@pytest.fixture
def prepared(tmp_path: Path) -> Iterator[Prepared]:
    process = Prepared(tmp_path / "files")
    yield process
    process.close()


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def kill_the_run(prepared: Prepared, times: int, ended: threading.Event) -> None:
    """Kills the process of a run, so many times."""
    killed: set[int] = set()
    while len(killed) < times and not ended.wait(0.005):
        process = prepared._process
        for pid in children(process.pid) if process is not None and process.poll() is None else ():
            if pid not in killed:
                killed.add(pid)
                os.kill(pid, signal.SIGKILL)


def test_each_run_begins_anew_and_two_alike_are_alike(tmp_path: Path, prepared: Prepared) -> None:
    """Verdict, figure and hash of a run do not depend on those before it."""
    _, made = runs(tmp_path)
    rows = [json.loads(row_by(prepared, run)) for run in made]
    assert [row["verdict"] for row in rows] == ["failed", "passed"] * 3
    assert rows[0]["reason"].startswith("line 5: expect vehicle.EngineRpm < -1: at 0.020 s")
    assert rows[1]["steps"] == [2, 2]
    assert 0 < rows[1]["figures"]["rpm"] < 1000
    assert [json.loads(row_by(prepared, run)) for run in reversed(made)] == rows[::-1]


def test_what_reads_the_files_of_a_run_is_built_once_for_all() -> None:
    """Before the first run, which is forked with it; built in each, it is two thirds of a short one."""
    words = [sys.executable, "-P", "-c", BUILT]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "True True\n"


def test_a_run_that_takes_too_long_is_ended(tmp_path: Path, prepared: Prepared) -> None:
    _, (run,) = runs(tmp_path, ONE + "time_limit: 0.5\n", LONG)
    row = json.loads(row_by(prepared, run))
    assert (row["verdict"], row["reason"]) == ("hung", "it took longer than 0.5 s")
    assert row["set"] == {"vehicle.body.mass": 1000, "most": 4000}


@pytest.mark.parametrize(("times", "verdict"), [(1, "passed"), (3, "died")])
def test_a_run_whose_process_dies_is_begun_again(tmp_path: Path, prepared: Prepared, times: int, verdict: str) -> None:
    """Once: its row is as ever. Three times: its row says so, and the next run is made."""
    _, (run,) = runs(tmp_path, ONE, SCENARIO.replace("0.02", "2"))
    ended = threading.Event()
    killer = threading.Thread(target=kill_the_run, args=(prepared, times, ended))
    killer.start()
    row = json.loads(row_by(prepared, run))
    ended.set()
    killer.join()
    assert row["verdict"] == verdict
    assert json.loads(row_by(prepared, run))["verdict"] == "passed"


def test_the_prepared_process_is_replaced_when_it_dies(tmp_path: Path, prepared: Prepared) -> None:
    _, (run, *_) = runs(tmp_path)
    first = row_by(prepared, run)
    assert prepared._process is not None
    prepared._process.kill()
    assert row_by(prepared, run) == first


UNIT = """
class Unit:
    def receive(self, frame, t):
        return []

    def tick(self, t):
        print("line\\n" * 400_000, flush=True)
        self.kept = bytearray(300 << 20)
        raise RuntimeError("out of fuel")
"""


@pytest.mark.parametrize(("limit", "why"), [("", "RuntimeError: out of fuel"), ("memory_limit: 256", "MemoryError")])
def test_what_a_run_prints_is_kept_in_bounds_and_not_mixed_with_other_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], limit: str, why: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "unit.py").write_text(UNIT, encoding="utf-8")
    bench = demo_bench(tmp_path)
    client = "\nlockstep: {one: {bus: powertrain, python: 'unit.py:Unit'}}\n"
    bench.write_text(bench.read_text(encoding="utf-8") + client, encoding="utf-8")
    assert main(["trust", str(bench)]) == 0
    capfd.readouterr()
    (tmp_path / "short.yaml").write_text(SCENARIO, encoding="utf-8")
    campaign = tmp_path / "loud.yaml"
    campaign.write_text(f"bench: bench.yaml\nscenario: short.yaml\n{limit}\n", encoding="utf-8")
    assert main(["campaign", str(campaign)]) == 1
    told = capfd.readouterr()
    folder = tmp_path / "loud.results"
    row = json.loads((folder / "rows.jsonl").read_bytes())
    assert row["verdict"] == "died"
    assert why in row["reason"]
    printed = folder / "printed" / f"{row['run']}.txt"
    assert printed.read_bytes().startswith(b"line\n" * 500)
    assert printed.stat().st_size <= MOST_PRINTED
    assert f"the last of what it printed: {printed}" in told.out
    assert "line\nline" not in told.out + told.err
