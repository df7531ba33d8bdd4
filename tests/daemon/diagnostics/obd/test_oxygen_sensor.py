"""The pump current of a wide-band sensor."""

import math

import pytest

from hilbridge.diagnostics.obd.oxygen_sensor import pump_current


@pytest.mark.parametrize(
    ("ratio", "current"),
    [(0.65, -2.22), (0.8, -1.11), (1.016, 0.0), (1.7, 0.94), (0.85, -0.805), (0.2, -2.22), (10.0, 2.54), (50.0, 2.54)],
)
def test_the_curve_goes_through_the_points_of_the_data_sheet(ratio: float, current: float) -> None:
    """Straight between them, flat outside; 0.85 is half-way between -1.11 and -0.50."""
    assert pump_current(ratio) == pytest.approx(current)


def test_unknown_stays_unknown() -> None:
    assert math.isnan(pump_current(math.nan))
