"""Tests that fail are tried once more, alone, by a second pytest of this Python on tests made here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..again import ALONE, MOST
from ..program import CHECKOUT

CASES = """
import pathlib
import pytest

def test_passes_alone():
    seen = pathlib.Path(__file__).with_name("seen")
    if not seen.exists():
        seen.touch()
        assert False, "the first time"

@pytest.mark.parametrize("number", range({failing}))
def test_fails(number):
    assert False, "whenever"

def test_passes():
    pass
"""


def again(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Run the tests of a folder."""
    command = [sys.executable, "-m", "tests.again", "-q", "-p", "no:cacheprovider", *options, "."]
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("company", [["-n", "2", "--dist", "loadfile"], []])
@pytest.mark.parametrize(("failing", "status", "tried"), [(0, 0, 1), (1, 1, 2), (MOST, 1, 0)])
def test_what_fails_in_company_alone_is_named_and_what_fails_again_has_failed(
    tmp_path: Path, company: list[str], failing: int, status: int, tried: int
) -> None:
    (tmp_path / "test_cases.py").write_text(CASES.format(failing=failing))
    run = again(tmp_path, *company)
    assert run.returncode == status, run.stdout + run.stderr
    assert run.stdout.count("again, alone: ") == tried
    named = [line for line in run.stdout.splitlines() if line.startswith(ALONE)]
    assert [line.rpartition("::")[2] for line in named] == ([] if status else ["test_passes_alone"])


def test_no_test_at_all_is_no_success(tmp_path: Path) -> None:
    run = again(tmp_path)
    assert run.returncode == pytest.ExitCode.NO_TESTS_COLLECTED
