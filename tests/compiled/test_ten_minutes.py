"""Ten minutes of a full bench, which the compiled model runs in less than one."""

from pathlib import Path

from ..scenarios.forty_frames import run_and_judge


def test_forty_frames_on_two_buses_for_ten_minutes(tmp_path: Path) -> None:
    """Every period exact, never more than three frames in a tick, all counters and checksums right."""
    run_and_judge(tmp_path, 600)
