"""Event channels: what their time is, in units of XCP."""

import pytest

from hilbridge.base.common.units import SECOND
from hilbridge.bench.xcp.event_channels import event_channels
from hilbridge.files.settings.common import RATES


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (1000, [(1, 6), (1, 7), (1, 8)]),
        (500, [(2, 6), (1, 7), (1, 8)]),
        (400, [(25, 5), (1, 7), (1, 8)]),
        (50, [(2, 7), (2, 7), (1, 8)]),
        (10, [(1, 8), (1, 8), (1, 8)]),
    ],
)
def test_cycle_and_unit(rate: int, expected: list[tuple[int, int]]) -> None:
    """10^unit ns each: 6 is 1 ms. A slower tick makes the faster events slower."""
    assert [(one.cycle, one.unit) for one in event_channels(rate)] == expected


def test_every_rate_has_a_time_near_its_own() -> None:
    for rate in RATES:
        tick = event_channels(rate)[0]
        assert 1 <= tick.cycle <= 255
        assert tick.cycle * 10**tick.unit == pytest.approx(SECOND / rate, rel=0.03)
