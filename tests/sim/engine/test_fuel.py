"""Rules of what the engine burns."""

import math
from dataclasses import replace

import pytest

from vehiclesim.engine.engine import Engine

from ..dynamometer import held_at, idling
from ..published_engines import DEFAULT


@pytest.mark.parametrize("delta_time", [0.001, 0.01, 0.1])
def test_fuel_mass_balance(delta_time: float) -> None:
    """Rate times step time adds up to max_fuel_per_rev · revolutions · load, with any step."""
    burnt, expected = 0.0, 0.0
    stand, fine = idling(DEFAULT), idling(DEFAULT)
    stand.engine.throttle_input = fine.engine.throttle_input = 0.3
    for _ in stand.steps(2.0, delta_time):
        burnt += stand.engine.sensor_fuel_rate * delta_time
    rpm = fine.engine.sensor_rpm
    for _ in fine.steps(2.0):
        expected += 0.16 * rpm / 60.0 * 0.001 * fine.engine.sensor_load
        rpm = fine.engine.sensor_rpm
    assert burnt == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("speed", [10.0, -10.0, 1.5])
def test_consumption_per_distance_is_the_mass_balance(speed: float) -> None:
    """With a correction of 3.6: g/s over m/s is g/m; 100 km of it, over the density, are the litres."""
    stand = idling(DEFAULT)
    stand.run(0.1)
    grams_per_100_km = stand.engine.sensor_fuel_rate / abs(speed) * 100_000.0
    litres = grams_per_100_km / (DEFAULT.fuel_density * 1000.0)
    assert stand.engine.calculate_instant_fuel_consumption(speed) == pytest.approx(litres, rel=1e-12)


def test_the_correction_divides_the_consumption() -> None:
    """Twice the correction reports half."""
    one, two = idling(DEFAULT), idling(replace(DEFAULT, fuel_consumption_correction=7.2))
    one.run(0.1)
    two.run(0.1)
    full = one.engine.calculate_instant_fuel_consumption(20.0)
    assert two.engine.calculate_instant_fuel_consumption(20.0) == pytest.approx(0.5 * full, rel=1e-12)


@pytest.mark.parametrize("speed", [0.0, 1.0, -1.0])
def test_consumption_is_unknown_below_walking_speed(speed: float) -> None:
    """Fuel per distance is not a number at a standstill."""
    assert math.isnan(Engine().calculate_instant_fuel_consumption(speed))


@pytest.mark.parametrize("ratio", [1.0, 0.6, 0.25, 0.0])
def test_allowed_fuel_ratio_limits_combustion_and_fuel_together(ratio: float) -> None:
    """Neither load nor fuel rate exceeds its share of the maximum."""
    stand = held_at(3000.0, DEFAULT)
    stand.engine.throttle_input = 1.0
    stand.engine.allowed_fuel_ratio = ratio
    stand.run(0.01)
    assert stand.engine.sensor_load == ratio
    assert stand.engine.sensor_fuel_rate == pytest.approx(ratio * 0.16 * 3000.0 / 60.0, rel=1e-6)
