"""The driver who only wants to be fast."""

from dataclasses import replace

import pytest

from hilbridge.drive.dynamics import InverseVehicle
from hilbridge.perform.full_throttle import LAST, shift_speeds
from vehiclesim.parameters import GearboxSettings

from ..drive.cars import MANUAL


def test_a_gear_is_left_where_the_next_one_pulls_harder() -> None:
    """At the wheels: T(n)·i = T(n·i'/i)·i' to 1 %, or else just before the limiter."""
    gears = GearboxSettings(ratios=(4.0, 1.6, 1.45))
    vehicle = InverseVehicle(replace(MANUAL, gearbox=gears))
    first, second = shift_speeds(vehicle)
    assert first == pytest.approx(LAST * vehicle.limit_rpm)
    assert vehicle.rated_rpm <= second < first
    longer = vehicle.torque(second * 1.45 / 1.6, 1.0) * 1.45
    assert vehicle.torque(second, 1.0) * 1.6 == pytest.approx(longer, rel=0.01)
