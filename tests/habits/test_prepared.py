"""A program that is forked from the prepared server is the one that Python would have started."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ..prepared import Forked, read
from ..program import DEMO_DRIVER, demo_bench, hilbridge


def test_it_prints_and_records_what_a_started_one_does(tmp_path: Path) -> None:
    """The recording to the byte; the log but for `status`, which comes by the wall clock."""
    bench = demo_bench(tmp_path)
    words = ["run", str(bench), "--clock", "virtual", "--duration", "1", "--record"]
    forked = hilbridge(*words, "forked", cwd=tmp_path)
    started = subprocess.run(
        [sys.executable, "-m", "hilbridge", *words, "started"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (forked.returncode, forked.stderr) == (started.returncode, started.stderr) == (0, "")
    assert events(forked.stdout) == events(started.stdout)
    frames = [(tmp_path / name / "frames.blf").read_bytes() for name in ("forked", "started")]
    assert frames[0] == frames[1]


def events(log: str) -> list[str]:
    found = [json.loads(line)["event"] for line in log.splitlines()]
    return [event for event in found if event != "status"]


def test_exit_status_and_errors_are_those_of_the_command(tmp_path: Path) -> None:
    """Of a command that the server has imported, and of one that it has not; a signal is its negative number."""
    bench = demo_bench(tmp_path, (DEMO_DRIVER, "  - source: nobody\n"))
    wrong = hilbridge("check", "bench.yaml", cwd=tmp_path)
    assert (wrong.returncode, "nobody" in wrong.stderr) == (2, True)
    unknown = hilbridge("values", "--nonsense")
    assert (unknown.returncode, "--nonsense" in unknown.stderr) == (2, True)
    endless = Forked(["run", demo_bench(bench.parent), "--no-web"])
    endless.send_signal(signal.SIGKILL)
    assert endless.wait(10) == -signal.SIGKILL
    read(endless.stdout)
    read(endless.stderr)


def test_a_program_that_does_not_end_is_killed_and_what_it_printed_is_shown(tmp_path: Path) -> None:
    endless = Forked(["run", demo_bench(tmp_path), "--no-web"])
    with pytest.raises(subprocess.TimeoutExpired) as error:
        endless.completed(5)
    assert endless.wait(10) == -signal.SIGKILL
    assert isinstance(error.value.output, str)


def test_variables_that_count_at_the_start_count(tmp_path: Path) -> None:
    """Such a program is started as ever: Python has read these of the server long ago."""
    (tmp_path / "sitecustomize.py").write_text("print('customised')\n", encoding="utf-8")
    run = hilbridge("check", "demo", env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert run.stdout.startswith("customised\n")
