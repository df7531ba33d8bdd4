"""Files from strangers end in a clear answer that names the file, within bounds of memory and of lines."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ...hostile import HOSTILE, Hostile, run

MOST_MEMORY = 600
"""[MiB]"""

MOST_LINES = 450
"""Two hundred mistakes or warnings, with room for a line that is wrapped."""


@pytest.mark.nightly("log_of_one_line", "unknown_keys", "rest_bus_that_unpacks")
@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_a_hostile_file_is_answered(tmp_path: Path, make: Callable[[Path], Hostile]) -> None:
    hostile = make(tmp_path)
    outcome = run(hostile.words, tmp_path)
    assert "Traceback" not in outcome.text
    assert hostile.never not in outcome.text
    assert hostile.answer in " ".join(outcome.text.split())
    assert outcome.status == hostile.status
    assert outcome.text.count("\n") < MOST_LINES
    assert outcome.memory < MOST_MEMORY
    assert (tmp_path / "output").stat().st_size < 1 << 20
