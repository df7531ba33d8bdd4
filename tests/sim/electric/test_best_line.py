"""The best line of an engine, against a search over a fine grid."""

import math

import pytest

from vehiclesim import Engine, EngineSettings
from vehiclesim.block import RPM_TO_W
from vehiclesim.electric.best_line import BestLine

SETTINGS = EngineSettings(rpm_limiter=True, rpm_limiter_max=5000.0)


def test_no_other_speed_needs_much_less_fuel() -> None:
    """For each power the fuel on the line is within 1 % of the least of all speeds, and the engine has that power."""
    engine = Engine(SETTINGS)
    line = BestLine(engine, SETTINGS)
    for share in (0.1, 0.3, 0.5, 0.8, 1.0):
        power = share * line.most
        w = line.speed(power)
        least = math.inf
        for rpm in range(int(SETTINGS.idle_rpm), 5001, 5):
            if engine.calculate_torque(rpm) * rpm * RPM_TO_W >= power:
                least = min(least, engine.calculate_specific_fuel_consumption(rpm, power / rpm / RPM_TO_W))
        assert engine.calculate_torque(w / RPM_TO_W) * w >= power * 0.999
        assert engine.calculate_specific_fuel_consumption(w / RPM_TO_W, power / w) <= 1.01 * least


def test_it_begins_at_idle_and_never_falls() -> None:
    line = BestLine(Engine(SETTINGS), SETTINGS)
    speeds = [line.speed(line.most * k / 50.0) for k in range(-5, 51)]
    assert speeds[0] == pytest.approx(SETTINGS.idle_rpm * RPM_TO_W)
    assert speeds == sorted(speeds)
