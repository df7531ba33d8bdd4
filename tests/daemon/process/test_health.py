"""A tick that does at least half of its work is healthy."""

import pytest

from hilbridge.process.health import Health


@pytest.mark.parametrize(
    ("ticks", "missed", "good"),
    [(100, 0, True), (50, 50, True), (49, 51, False), (0, 0, False), (0, 100, False), (1, 0, True)],
)
def test_half_of_the_ticks_must_be_done(ticks: int, missed: int, good: bool) -> None:
    assert Health().is_good(ticks, missed) is good


def test_only_the_time_since_the_last_look_counts() -> None:
    """A bad start is forgiven; a good one excuses nothing."""
    health = Health()
    assert not health.is_good(10, 90)
    assert health.is_good(110, 90)
    assert not health.is_good(111, 190)
