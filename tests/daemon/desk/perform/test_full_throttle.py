"""The driver who only wants to be fast."""

from dataclasses import replace
from itertools import pairwise

import pytest

from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.desk.perform.full_throttle import LAST, FullThrottle, shift_speeds
from hilbridge.desk.perform.runs import Run, warm_up
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim.parameters import GearboxSettings

from ...bench.drive.cars import MANUAL


def test_a_gear_is_left_where_the_next_one_pulls_harder() -> None:
    """At the wheels: T(n)·i = T(n·i'/i)·i' to 1 %, or else just before the limiter."""
    gears = GearboxSettings(ratios=(4.0, 1.6, 1.45))
    vehicle = InverseVehicle(replace(MANUAL, gearbox=gears))
    first, second = shift_speeds(vehicle)
    assert first == pytest.approx(LAST * vehicle.limit_rpm)
    assert vehicle.rated_rpm <= second < first
    longer = vehicle.torque(second * 1.45 / 1.6, 1.0) * 1.45
    assert vehicle.torque(second, 1.0) * 1.6 == pytest.approx(longer, rel=0.01)


def test_no_gear_is_left_before_it_pulls() -> None:
    """The engine of the Swift still turns as fast as in the last gear when the lever is already in the next one."""
    file = load_vehicle("swift-sport-hybrid")
    vehicle = file.build()
    driver = FullThrottle(vehicle.data, InverseVehicle(file.settings))
    run = Run(vehicle, warm_up(file.build))
    while run.series.gear[-1] < 3 and run.time < 12.0:
        driver.drive()
        run.step()
    changes = [1, *(new for old, new in pairwise(run.series.gear) if new not in (0, old))]
    assert sorted(set(changes)) == [1, 2, 3]
