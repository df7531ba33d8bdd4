"""Forty frames on two buses for ten minutes, with the compiled model; a file of its own runs beside the others."""

from pathlib import Path

from ..scenarios.forty_frames import run_and_judge

TEN_MINUTES = 600


def test_forty_frames_on_two_buses_for_ten_minutes(tmp_path: Path) -> None:
    """Every period exact, never more than three frames in a tick, all counters and checksums right."""
    run_and_judge(tmp_path, TEN_MINUTES)
