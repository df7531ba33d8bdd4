"""A campaign on a cluster whose workers are killed at random; `make soak` has 16,384 runs of it."""

from pathlib import Path

import pytest

from .killed_campaign import KILLING, disturb


@pytest.mark.timeout(1200)  # half a minute on two processors that have nothing else to do
def test_killed_workers_cost_no_run_and_change_no_row(tmp_path: Path) -> None:
    """Each run has one row, and those that are compared are those of a process that nothing disturbs."""
    seen = disturb(tmp_path, points=128, every=8)
    assert seen.runs == 256
    assert seen.compared == 32
    assert seen.kills > KILLING * seen.runs / 2
