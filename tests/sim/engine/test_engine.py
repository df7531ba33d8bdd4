"""Rules of the engine block: shafts, sensors, fuel, saved states, numerical behaviour."""

import math
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from vehiclesim.block import RPM_TO_W, Block
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import ClutchSettings, EngineSettings, IdleControl, RpmLimiterMode
from vehiclesim.state import SavedState

from ..dynamometer import Load, Stand, held_at, idling, spin
from ..published_engines import ALL, DEFAULT
from ..states import numbers


def test_an_engine_has_one_optional_output() -> None:
    """It works without a driveline, has no input shaft, and one output shaft."""
    engine = Engine()
    engine.ensure_initialized()
    assert engine.check_connections()
    assert engine.inertial
    with pytest.raises(ValueError, match="no input 0"):
        Block.connect(engine, Load(1.0))
    Block.connect(Load(1.0), engine)
    with pytest.raises(ValueError, match="taken"):
        Block.connect(Load(1.0), engine)


def test_an_engine_at_rest_shows_zeros() -> None:
    """Before its first step everything is zero, and what is unknown is not a number."""
    engine = Engine(DEFAULT)
    assert engine.sensor_rpm == 0.0
    assert engine.sensor_flywheel_torque == 0.0
    assert engine.sensor_output_torque == 0.0
    assert engine.sensor_power == 0.0
    assert engine.sensor_fuel_rate == 0.0
    assert math.isnan(engine.sensor_load)
    assert math.isnan(engine.sensor_clutch_lock)
    assert not engine.sensor_working


def test_free_revving_obeys_newton() -> None:
    """I·dw/dt = T(n) at full throttle: the time from 2000 to 5000 rpm is the integral of I/T."""
    engine = Engine(DEFAULT)
    spin(engine, 2000.0, DEFAULT.inertia)
    engine.throttle_input = 1.0
    arrival = next(t for t in Stand(engine).steps(5.0) if engine.sensor_rpm >= 5000.0)
    count = 1000
    dn = 3000.0 / count
    expected = sum(
        DEFAULT.inertia * dn * RPM_TO_W / engine.calculate_torque(2000.0 + (k + 0.5) * dn) for k in range(count)
    )
    assert arrival == pytest.approx(expected, rel=2e-3, abs=0.001)


@pytest.mark.parametrize("substep", [0.0001, 0.0005, 0.002])
def test_free_revving_does_not_depend_on_the_substep(substep: float) -> None:
    """Start, rev and coast give the same speed with any substep, to the order of its length."""

    def speed(substep: float) -> float:
        engine = Engine(DEFAULT)
        engine.ignition_input = 1
        stand = Stand(engine, substep=substep)
        stand.run(1.2, 0.01)
        engine.throttle_input = 0.5
        stand.run(0.5, 0.01)
        engine.throttle_input = 0.0
        stand.run(0.3, 0.01)
        return engine.sensor_rpm

    assert speed(substep) == pytest.approx(speed(0.001), rel=0.003)


def test_a_tenth_of_the_substep_gives_the_same_free_revving() -> None:
    """1 ms is short enough for full throttle without a load."""
    speeds = []
    for substep in (0.001, 0.0001):
        engine = Engine(DEFAULT)
        spin(engine, 1000.0, DEFAULT.inertia)
        engine.throttle_input = 1.0
        Stand(engine, substep=substep).run(1.0)
        speeds.append(engine.sensor_rpm)
    assert speeds[0] == pytest.approx(speeds[1], rel=5e-4)


def test_power_is_torque_times_speed() -> None:
    """EnginePower is w·T in kW."""
    stand = held_at(3000.0, DEFAULT)
    stand.engine.throttle_input = 1.0
    stand.run(0.01)
    engine = stand.engine
    assert engine.sensor_power == pytest.approx(engine.sensor_flywheel_torque * 3000.0 / 9549.297, rel=1e-6)
    assert engine.sensor_power == pytest.approx(engine.calculate_power_in_kw(3000.0), rel=1e-6)


# -- friction from outside --------------------------------------------------------------------------------------------


def test_added_friction_acts_for_one_step() -> None:
    """What was added before a step brakes in this step, and is gone in the next."""
    stand = Stand(Engine(DEFAULT))
    engine = stand.engine
    spin(engine, 3000.0, DEFAULT.inertia)
    stand.run(0.001)
    alone = engine.sensor_flywheel_torque
    assert engine.add_friction_torque(30.0) == 30.0
    assert engine.add_friction_torque(12.0) == 42.0
    stand.run(0.001)
    assert engine.sensor_flywheel_torque == pytest.approx(alone - 42.0, abs=0.1)
    stand.run(0.001)
    assert engine.sensor_flywheel_torque == pytest.approx(alone, abs=0.1)


def test_added_friction_can_be_taken_back() -> None:
    """reset_friction_torque undoes what was added since the last step; a negative friction is none."""
    engine = Engine(DEFAULT)
    engine.add_friction_torque(30.0)
    engine.reset_friction_torque()
    assert engine.add_friction_torque(-5.0) == 0.0
    assert engine.add_friction_torque(float("nan")) == 0.0


# -- saved states -----------------------------------------------------------------------------------------------------


def _drive(stand: Stand, seed: int, seconds: float, delta_time: float) -> list[SavedState]:
    """A random drive: everything that the engine went through."""
    random = Random(seed)
    engine = stand.engine
    states = []
    for _ in range(round(seconds / delta_time)):
        if random.random() < 0.02:
            engine.throttle_input = random.random()
            engine.ignition_input = random.choice((0, 0, 0, 1, -1))
        stand.solver.step(delta_time)
        states.append(engine.get_state_vars())
    return states


@pytest.mark.parametrize("delta_time", [0.001, 0.01])
@pytest.mark.parametrize("save_at", [0.05, 0.5, 1.31])
def test_a_restored_engine_continues_exactly(save_at: float, delta_time: float) -> None:
    """A new engine with the saved state goes through the same states as the old one, to the last bit."""
    limited = replace(DEFAULT, rpm_limiter=True, rpm_limiter_max=3000.0)
    stand = Stand(Engine(limited))
    _drive(stand, 1, save_at, delta_time)
    stand.engine.add_friction_torque(3.0)
    restored = Stand(Engine(limited))
    restored.engine.set_state_vars(stand.engine.get_state_vars())
    assert restored.engine.get_state_vars() == stand.engine.get_state_vars()
    assert repr(_sensors(restored.engine)) == repr(_sensors(stand.engine))
    for name in ("throttle_input", "ignition_input"):
        setattr(restored.engine, name, getattr(stand.engine, name))
    assert _drive(restored, 2, 1.0, delta_time) == _drive(stand, 2, 1.0, delta_time)


@pytest.mark.parametrize("save_at", range(40, 60))
def test_a_restored_injection_cut_ends_in_the_same_substep(save_at: int) -> None:
    """The rest of a cut that began inside a step is saved too, and does not depend on when the run began."""
    limited = replace(DEFAULT, rpm_limiter=True, rpm_limiter_max=3000.0)
    stand, restored = idling(limited), idling(limited)
    stand.engine.throttle_input = restored.engine.throttle_input = 1.0
    stand.run(0.01 * save_at, 0.01)
    restored.engine.set_state_vars(stand.engine.get_state_vars())
    for _ in zip(stand.steps(1.0, 0.01), restored.steps(1.0, 0.01), strict=True):
        assert restored.engine.get_state_vars() == stand.engine.get_state_vars()


@pytest.mark.parametrize("substep", [0.00013, 0.0003, 0.0007, 0.001])
@pytest.mark.parametrize("settings", ALL.values(), ids=ALL)
def test_rest_is_exactly_zero(settings: EngineSettings, substep: float) -> None:
    """Nothing is left of the speed of an engine that has stopped, whatever rounding does."""
    engine = Engine(settings)
    spin(engine, 30.0, settings.inertia)
    engine.ignition_input = -1
    Stand(engine, substep=substep).run(2.0, substep)
    assert engine.sensor_rpm == 0.0


# -- any settings, any inputs -----------------------------------------------------------------------------------------


def _sensors(engine: Engine) -> list[Any]:
    return [getattr(engine, name) for name in sorted(dir(engine)) if name.startswith("sensor_")]


def _ratio() -> st.SearchStrategy[float]:
    return st.floats(0.0, 1.0)


engines = st.builds(
    EngineSettings,
    idle_rpm=st.floats(1.0, 2000.0),
    peak_rpm=st.floats(2001.0, 100_000.0),
    max_rpm=st.floats(1.0, 100_000.0),
    idle_rpm_torque=st.floats(1.0, 1e6),
    peak_rpm_torque=st.floats(1.0, 1e6),
    idle_rpm_curve_bias=_ratio(),
    peak_rpm_curve_bias=_ratio(),
    inertia=st.floats(0.001, 1e5),
    friction_torque=st.floats(0.0, 1e6),
    rotational_friction=st.floats(0.0, 3.0),
    viscous_friction=st.floats(0.0, 0.2),
    torque_cap=st.booleans(),
    torque_cap_limit=st.floats(1.0, 1e6),
    rpm_limiter=st.booleans(),
    rpm_limiter_mode=st.sampled_from(RpmLimiterMode),
    rpm_limiter_max=st.floats(2001.0, 100_000.0),
    rpm_limiter_cutoff_time=_ratio(),
    idle_control=st.sampled_from(IdleControl),
    max_idle_throttle=_ratio(),
    active_idle_range=_ratio(),
    active_idle_bias=st.floats(0.0001, 0.9999),
    can_stall=st.booleans(),
    stall_bias=_ratio(),
    stalled_friction_torque=st.floats(0.0, 1e6),
    starter_motor_bias=_ratio(),
    max_fuel_per_rev=st.floats(0.0, 1e4),
    fuel_density=st.floats(0.01, 10.0),
    fuel_consumption_correction=st.floats(0.01, 100.0),
)

inputs = st.fixed_dictionaries(
    {
        "throttle_input": st.floats(),
        "clutch_input": st.floats(),
        "ignition_input": st.integers(-2, 2),
        "starter_supply": st.floats(),
        "allowed_fuel_ratio": st.floats(),
        "tcs_rpms": st.floats(),
        "tcs_ratio": st.floats(),
        "tcs_throttle_factor": st.floats(),
        "auto_rpms": st.booleans(),
        "target_rpms": st.floats(),
        "damping": st.floats(),
        "friction_factor": st.floats(),
        "accessory_power": st.floats(),
        "enrichment": st.floats(),
        "idle_rise": st.floats(),
    }
)


@examples(max_examples=150)
@given(engines, st.lists(inputs, min_size=1, max_size=4), st.floats(0.001, 1e5), st.floats(-1e4, 1e4))
def test_no_settings_and_no_inputs_break_the_engine(
    engine_settings: EngineSettings, drive: list[dict[str, Any]], inertia: float, torque: float
) -> None:
    """Any settings in bounds and any inputs at all: finite numbers, never backward, load and lock in 0..1."""
    engine = Engine(engine_settings, ClutchSettings(max_torque_transfer=1e4))
    stand = Stand(engine, load := Load(inertia, torque=torque))
    for controls in drive:
        for name, value in controls.items():
            setattr(engine, name, value)
        stand.run(0.02)
        assert all(math.isfinite(value) for value in numbers(engine.get_state_vars()))
        assert math.isfinite(load.rpm)
        assert engine.sensor_rpm >= 0.0
        assert engine.sensor_fuel_rate >= 0.0
        assert math.isnan(engine.sensor_load) or 0.0 <= engine.sensor_load <= 1.0
        assert 0.0 <= engine.sensor_clutch_lock <= 1.0


@examples(max_examples=50)
@given(engines)
def test_every_engine_has_a_data_sheet(engine_settings: EngineSettings) -> None:
    """Every figure is a number, except for the consumption of an engine without work."""
    sheet = Engine(engine_settings).specifications(500.0)._asdict()
    if sheet["max_power_in_kw"] <= 0.0:
        del sheet["specific_fuel_consumption"]
    assert all(math.isfinite(value) for value in sheet.values())


@pytest.mark.parametrize("name", ALL)
def test_a_published_engine_revs_up_in_good_time(name: str) -> None:
    """From idle to 80 % of max_rpm, free, in the time that mean torque and inertia give, within a factor of two."""
    engine_settings = ALL[name]
    stand = idling(engine_settings)
    stand.engine.throttle_input = 1.0
    target = 0.8 * engine_settings.max_rpm
    arrival = next(t for t in stand.steps(10.0) if stand.engine.sensor_rpm >= target)
    mean = 0.5 * (engine_settings.idle_rpm_torque + engine_settings.peak_rpm_torque)
    guess = engine_settings.inertia * (target - engine_settings.idle_rpm) * RPM_TO_W / mean
    assert 0.5 * guess < arrival < 2.0 * guess


def test_the_same_settings_once_more_change_no_bit() -> None:
    """Speed, ignition, limiter, clutch and fuel go on where they were."""
    settings = replace(DEFAULT, rpm_limiter=True, rpm_limiter_max=3000.0)
    one, other = Engine(settings), Engine(settings)
    states = []
    for engine, retunes in ((one, False), (other, True)):
        spin(engine, 2900.0, settings.inertia)
        engine.throttle_input = 1.0
        stand = Stand(engine)
        for number, _ in enumerate(stand.steps(0.5)):
            if retunes and number == 111:
                engine.retune(settings, ClutchSettings())
        states.append(engine.get_state_vars())
    assert states[0] == states[1]


def test_another_inertia_keeps_the_speed() -> None:
    engine = Engine(DEFAULT)
    spin(engine, 2500.0, DEFAULT.inertia)
    engine.retune(replace(DEFAULT, inertia=0.2, friction_torque=30.0), ClutchSettings())
    assert engine.sensor_rpm == pytest.approx(2500.0, rel=1e-12)
    changed = Engine(replace(DEFAULT, inertia=0.2, friction_torque=30.0))
    assert engine.calculate_torque(2500.0) == changed.calculate_torque(2500.0)
