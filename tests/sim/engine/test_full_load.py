"""Rules of torque, power and consumption at full throttle."""

import math

import pytest

from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import EngineSettings

from ..dynamometer import held_at
from ..published_engines import ALL

RPMS = [1000.0, 2500.0, 3854.0, 6000.0]


@pytest.mark.parametrize("rpm", RPMS)
def test_throttle_scales_the_combustion_torque(rpm: float) -> None:
    """T = throttle·raw - Tf: linear between overrun and full load."""
    engine = Engine()
    friction = 20.0 + 0.1 * rpm * RPM_TO_W + (0.01 * rpm * RPM_TO_W) ** 2
    full = engine.calculate_torque(rpm)
    assert engine.calculate_torque(rpm, 0.0) == pytest.approx(-friction, rel=1e-12)
    assert engine.calculate_torque(rpm, 0.25) == pytest.approx(0.25 * (full + friction) - friction, rel=1e-12)


def test_torque_at_the_ends() -> None:
    """Zero at max_rpm, friction only beyond the limit speed."""
    engine = Engine()
    assert engine.calculate_torque(6500.0) == pytest.approx(0.0, abs=1e-9)
    beyond = engine.specifications().limit_rpm + 100.0
    assert engine.calculate_torque(beyond) == engine.calculate_torque(beyond, 0.0) < 0.0


@pytest.mark.parametrize("rpm", RPMS)
def test_power_is_torque_times_speed(rpm: float) -> None:
    """P = w·T."""
    engine = Engine()
    assert engine.calculate_power_in_kw(rpm) == pytest.approx(engine.calculate_torque(rpm) * rpm / 9549.297, rel=1e-7)


@pytest.mark.parametrize("rpm", RPMS)
def test_a_torque_cap_bounds_the_net_torque(rpm: float) -> None:
    """T = min(T, cap); half throttle is half of the capped combustion torque."""
    free, capped = Engine(), Engine(EngineSettings(torque_cap=True, torque_cap_limit=150.0))
    assert capped.calculate_torque(rpm) == min(free.calculate_torque(rpm), 150.0)
    friction = -free.calculate_torque(rpm, 0.0)
    half = 0.5 * (capped.calculate_torque(rpm) + friction) - friction
    assert capped.calculate_torque(rpm, 0.5) == pytest.approx(half, rel=1e-12)


def test_a_torque_cap_saves_fuel() -> None:
    """Where the cap acts fuel falls with the combustion torque, elsewhere nothing changes."""
    free, capped = Engine(), Engine(EngineSettings(torque_cap=True, torque_cap_limit=150.0))
    rpm, friction = 3854.0, -free.calculate_torque(3854.0, 0.0)

    def rate(engine: Engine) -> float:
        return engine.calculate_specific_fuel_consumption(rpm) * engine.calculate_power_in_kw(rpm) / 3600.0

    assert rate(free) == pytest.approx(0.16 * rpm / 60.0, rel=1e-12)
    assert rate(capped) / rate(free) == pytest.approx((150.0 + friction) / (191.27 + friction), rel=1e-4)
    assert rate(capped) < rate(free)


@pytest.mark.parametrize("rpm", [0.0, 6500.5, 9000.0])
def test_no_work_no_specific_consumption(rpm: float) -> None:
    """Fuel per work is not a number where there is no work."""
    assert math.isnan(Engine().calculate_specific_fuel_consumption(rpm))


@pytest.mark.parametrize("settings", ALL.values(), ids=ALL)
def test_the_running_engine_has_the_calculated_torque_and_consumption(settings: EngineSettings) -> None:
    """Held at its best speed at full throttle, an engine gives the torque and burns the fuel of its data sheet."""
    sheet = Engine(settings).specifications()
    stand = held_at(sheet.specific_fuel_consumption_rpm, settings)
    stand.engine.throttle_input = 1.0
    stand.run(0.05)
    engine = stand.engine
    assert engine.sensor_load == 1.0
    assert engine.sensor_flywheel_torque == pytest.approx(
        engine.calculate_torque(sheet.specific_fuel_consumption_rpm), rel=1e-6
    )
    consumption = engine.sensor_fuel_rate / engine.sensor_power * 3600.0
    assert consumption == pytest.approx(sheet.specific_fuel_consumption, rel=1e-6)
