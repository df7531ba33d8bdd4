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


@pytest.mark.parametrize(("now", "answer"), [(86_400.0, False), (1_800_000_000.0, None)])
def test_a_date_before_this_program_was_written_is_wrong_whoever_keeps_it(
    tmp_path: Path, now: float, answer: bool | None
) -> None:
    """With chrony or ntpd, or without any: 1970 is wrong, and of 2027 it is not known."""
    assert is_synchronised(tmp_path / "none", lambda: None, lambda: now) is answer
