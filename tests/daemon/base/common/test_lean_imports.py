"""Processes of the program that write no MF4 do without asammdf, which would bring pandas and a second of processor."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "status"),
    [
        ("hilbridge.runs.reload.check", 1),  # it lacks its arguments, and finds that out after all imports
        ("hilbridge.runs.campaign.prepared", 0),  # it makes runs until its input ends, which is at once
    ],
)
def test_a_process_that_prepares_a_bench_imports_no_more_than_it_uses(module: str, status: int) -> None:
    words = [sys.executable, "-X", "importtime", "-m", module, *["folder"] * (status == 0)]
    run = subprocess.run(words, input="", capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == status, run.stderr
    assert "cantools.database" in run.stderr
    assert "pandas" not in run.stderr
