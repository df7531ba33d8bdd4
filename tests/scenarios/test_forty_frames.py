"""A full bench keeps every period, counter and checksum, while a car drives."""

from pathlib import Path

import pytest

from .forty_frames import run_and_judge

pytestmark = pytest.mark.nightly


def test_forty_frames_on_two_buses_for_a_minute(tmp_path: Path) -> None:
    """tests/compiled has ten minutes of it."""
    run_and_judge(tmp_path, 60)
