"""Rules of what the engine burns."""

import math
from dataclasses import replace

import pytest

from vehiclesim.engine.engine import Engine

from ..dynamometer import Stand, held_at, idling
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


EFFICIENT = replace(DEFAULT, efficiency_rpm=(1000.0, 4000.0), indicated_efficiency=(0.36, 0.40))


@pytest.mark.parametrize(("rpm", "efficiency"), [(500.0, 0.36), (1000.0, 0.36), (2500.0, 0.38), (5000.0, 0.40)])
@pytest.mark.parametrize("throttle", [0.3, 1.0])
def test_with_an_efficiency_the_fuel_is_the_work_over_it(rpm: float, efficiency: float, throttle: float) -> None:
    """Rate = w·T/(efficiency·43 kJ/g), T the combustion torque: straight lines between speeds, held beyond them."""
    stand = held_at(rpm, EFFICIENT)
    stand.engine.throttle_input = throttle
    stand.run(0.01)
    combustion = stand.engine.sensor_flywheel_torque + stand.engine.sensor_friction_torque
    power = combustion * rpm * math.pi / 30.0
    assert stand.engine.sensor_fuel_rate == pytest.approx(power / (efficiency * 43_000.0), rel=1e-6)


@pytest.mark.parametrize(("throttle", "share"), [(1.0, 0.8), (0.5, 0.9)])
def test_a_loss_of_efficiency_grows_with_the_charge(throttle: float, share: float) -> None:
    """A fifth lost at a full charge: 0.38·0.8 there, and 0.38·0.9 with half of it."""
    pure = replace(EFFICIENT, active_idle_range=0.0)
    stand, rich = held_at(2500.0, pure), held_at(2500.0, replace(pure, efficiency_loss=0.2))
    stand.engine.throttle_input = rich.engine.throttle_input = throttle
    stand.run(0.01)
    rich.run(0.01)
    assert rich.engine.sensor_fuel_rate == pytest.approx(stand.engine.sensor_fuel_rate / share, rel=1e-9)


def test_the_data_sheet_has_the_fuel_of_the_efficiency() -> None:
    """Brake consumption = 3.6e6/(43000·efficiency) · (T + Tf)/T [g/kWh]; default engine, 178 + 59 Nm at 2500 rpm."""
    engine = Engine(EFFICIENT)
    net, friction = engine.calculate_torque(2500.0), -engine.calculate_torque(2500.0, 0.0)
    expected = 3.6e6 / (43_000.0 * 0.38) * (net + friction) / net
    assert engine.calculate_specific_fuel_consumption(2500.0) == pytest.approx(expected, rel=1e-12)


def test_a_rich_mixture_costs_fuel_and_gives_no_torque() -> None:
    """A quarter more fuel than the torque needs: the rate grows by a quarter, the torque stays."""
    lean, rich = held_at(2000.0, DEFAULT), held_at(2000.0, DEFAULT)
    lean.engine.throttle_input = rich.engine.throttle_input = 0.5
    rich.engine.enrichment = 1.25
    lean.run(0.01)
    rich.run(0.01)
    assert rich.engine.sensor_fuel_rate == pytest.approx(1.25 * lean.engine.sensor_fuel_rate, rel=1e-12)
    assert rich.engine.sensor_flywheel_torque == lean.engine.sensor_flywheel_torque


def test_cold_oil_raises_friction_and_so_the_fuel_of_idle() -> None:
    """Twice the friction of the warm engine: idle is held with twice the combustion torque, and twice the fuel."""
    warm, cold = idling(DEFAULT), idling(DEFAULT)
    cold.engine.friction_factor = 2.0
    warm.run(2.0)
    cold.run(2.0)
    assert cold.engine.sensor_rpm == pytest.approx(DEFAULT.idle_rpm, rel=1e-9)
    assert cold.engine.sensor_friction_torque == pytest.approx(2.0 * warm.engine.sensor_friction_torque, rel=1e-9)
    assert cold.engine.sensor_fuel_rate == pytest.approx(2.0 * warm.engine.sensor_fuel_rate, rel=1e-6)


def test_accessories_cost_their_power_over_the_efficiency_at_idle_too() -> None:
    """2 kW on the belt are 2000/(0.36·43000) g/s = 0.129 g/s more, at the speed that the idle control keeps."""
    free, loaded = idling(EFFICIENT), idling(EFFICIENT)
    loaded.engine.accessory_power = 2000.0
    free.run(2.0)
    loaded.run(2.0)
    assert loaded.engine.sensor_rpm == pytest.approx(EFFICIENT.idle_rpm, rel=1e-6)
    more = loaded.engine.sensor_fuel_rate - free.engine.sensor_fuel_rate
    assert more == pytest.approx(2000.0 / (0.36 * 43_000.0), rel=1e-3)
    assert loaded.engine.sensor_accessory_torque == pytest.approx(2000.0 / (1000.0 * math.pi / 30.0), rel=1e-6)


def test_a_raised_idle_is_held() -> None:
    """With a rise of 300/min the engine idles that much faster."""
    stand = idling(DEFAULT)
    stand.engine.idle_rise = 300.0
    stand.run(3.0)
    assert stand.engine.sensor_rpm == pytest.approx(DEFAULT.idle_rpm + 300.0, abs=1.0)


def test_an_engine_that_runs_by_itself_carries_its_accessories() -> None:
    """They begin when it runs, 0.7 kW on a small engine: key 1 until it runs, key 0, and it goes on to idle."""
    small = replace(DEFAULT, idle_rpm=700.0, idle_rpm_torque=60.0, rotational_friction=0.02, can_stall=True)
    engine = Engine(replace(small, inertia=0.15))
    engine.accessory_power = 700.0
    engine.ignition_input = 1
    stand = Stand(engine)
    for _ in stand.steps(3.0):
        if engine.sensor_working:
            break
    engine.ignition_input = 0
    for _ in range(200):
        stand.run(0.01)
        assert engine.sensor_working
    assert engine.sensor_rpm == pytest.approx(700.0, rel=0.01)


def test_accessories_of_an_engine_that_does_not_run_take_nothing() -> None:
    engine = Engine(replace(DEFAULT, can_stall=True))
    engine.accessory_power = 2000.0
    Stand(engine).run(0.01)
    assert engine.sensor_accessory_torque == 0.0
