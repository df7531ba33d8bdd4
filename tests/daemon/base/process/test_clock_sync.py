"""Whether the clock is synchronised: by the kernel where it may be asked, else by the note of timesyncd."""

import time
from pathlib import Path

import pytest

from hilbridge.base.process.clock_sync import ask_kernel, is_synchronised


def test_the_kernel_answers_a_process_that_may_ask() -> None:
    """The answer is one of two, and asking changes nothing."""
    before = time.time()
    assert ask_kernel() in (True, False)
    assert abs(time.time() - before) < 5


@pytest.mark.parametrize("answer", [True, False])
def test_the_kernel_is_believed_first(tmp_path: Path, answer: bool) -> None:
    assert is_synchronised(tmp_path, lambda: answer) is answer


def test_in_a_sandbox_the_note_of_the_time_service_counts(tmp_path: Path) -> None:
    """Where that does not run, nothing is known."""
    assert is_synchronised(tmp_path / "none", lambda: None) is None
    assert is_synchronised(tmp_path, lambda: None) is False
    (tmp_path / "synchronized").touch()
    assert is_synchronised(tmp_path, lambda: None) is True
