"""Rules of the ignition key, the starter motor and stalling."""

from dataclasses import replace

import pytest

from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import EngineSettings, IdleControl

from ..dynamometer import GRIP, HEAVY, Load, Stand, idling, spin
from ..published_engines import ALL, DEFAULT, PETROL, V8

ENGINES = pytest.mark.parametrize("settings", ALL.values(), ids=ALL)
CONTROLS = pytest.mark.parametrize("control", IdleControl)


def _crank(settings: EngineSettings, seconds: float, *, throttle: float = 0.0, supply: float = 1.0) -> float | None:
    """Turns the key of an engine at rest; the time [s] after which it runs by itself, if it does."""
    engine = Engine(settings)
    engine.ignition_input = 1
    engine.throttle_input = throttle
    engine.starter_supply = supply
    for t in Stand(engine).steps(seconds):
        if engine.sensor_working:
            return t
    return None


@CONTROLS
def test_the_default_engine_starts_in_half_a_second(control: IdleControl) -> None:
    """With starter_motor_bias 0.6 it runs by itself after about 0.5 s."""
    assert _crank(replace(DEFAULT, idle_control=control), 2.0) == pytest.approx(0.5, abs=0.1)


@ENGINES
def test_every_published_engine_starts(settings: EngineSettings) -> None:
    """The starter of 0.6 starts each of them within 2 s, pedal released."""
    assert _crank(settings, 2.0) is not None


@CONTROLS
@pytest.mark.parametrize("bias", [0.0, 0.1, 0.2, 0.3])
@pytest.mark.parametrize("settings", PETROL.values(), ids=PETROL)
def test_a_weak_starter_never_starts_a_petrol_engine(
    settings: EngineSettings, bias: float, control: IdleControl
) -> None:
    """Up to a starter_motor_bias of 0.3 the engine turns, but never runs."""
    assert _crank(replace(settings, starter_motor_bias=bias, idle_control=control), 4.0) is None


def test_pressing_the_pedal_does_not_help_a_weak_starter() -> None:
    """Below stall speed the idle control already asks for everything."""
    assert _crank(replace(DEFAULT, starter_motor_bias=0.3), 4.0, throttle=1.0) is None


def test_the_supply_scales_the_starter() -> None:
    """A starter of 0.6 on half the supply is as weak as one of 0.3; on less it starts later than on all."""
    assert _crank(DEFAULT, 4.0, supply=0.5) is None
    full, less = _crank(DEFAULT, 4.0), _crank(DEFAULT, 4.0, supply=0.8)
    assert full is not None
    assert less is not None
    assert less > full
    assert less == _crank(replace(DEFAULT, starter_motor_bias=0.8 * 0.6), 4.0)


@pytest.mark.parametrize("rpm", [0.0, 100.0, 240.0])
def test_starter_torque(rpm: float) -> None:
    """T = 4·b·(Tf(stall) + extra)·(1 - n/(1.2·idle)), against the friction."""
    stand = Stand(Engine(DEFAULT))
    spin(stand.engine, rpm, DEFAULT.inertia, running=False)
    stand.engine.ignition_input = 1
    stand.run(0.001)
    w = rpm * RPM_TO_W
    starter = 4.0 * 0.6 * 50.564 * (1.0 - rpm / 1200.0)
    friction = 20.0 + 0.1 * w + (0.01 * w) ** 2 + 25.0
    assert stand.engine.sensor_flywheel_torque == pytest.approx(starter - friction, abs=0.01)


def test_the_starter_goes_off_at_idle_and_with_the_key() -> None:
    """With the key held it turns until idle and not again; with the key released it stops at once."""
    stand = Stand(Engine(DEFAULT))
    stand.engine.ignition_input = 1
    while stand.engine.sensor_rpm < 1000.0 - 1e-6:
        stand.run(0.001)
        assert stand.engine.sensor_starting
        assert stand.solver.time < 3.0
    stand.run(0.5)
    assert not stand.engine.sensor_starting
    assert stand.engine.sensor_working

    stand = Stand(Engine(DEFAULT))
    stand.engine.ignition_input = 1
    stand.run(0.2)
    stand.engine.ignition_input = 0
    stand.run(0.001)
    assert not stand.engine.sensor_starting
    stand.run(2.0)
    assert stand.engine.sensor_stalled
    assert stand.engine.sensor_rpm == 0.0


def test_cranking_burns_fuel_only_above_the_firing_speed() -> None:
    """Below ½·stall_bias·idle = 250 rpm there is no combustion."""
    stand = Stand(Engine(DEFAULT))
    stand.engine.ignition_input = 1
    for _ in stand.steps(0.5):
        if stand.engine.sensor_rpm < 250.0:
            assert stand.engine.sensor_fuel_rate == 0.0
    assert stand.engine.sensor_fuel_rate > 0.0


def test_a_running_engine_ignores_the_starter() -> None:
    """Key 1 does nothing to an engine that runs."""
    stand = idling(DEFAULT)
    stand.engine.ignition_input = 1
    stand.run(0.5)
    assert not stand.engine.sensor_starting
    assert stand.engine.sensor_rpm == pytest.approx(1000.0, abs=0.1)


def test_an_engine_that_is_pulled_below_its_stall_speed_stalls() -> None:
    """It runs down to 504.6 rpm, then has no fuel and the extra friction, and stays stalled with the key on."""
    stand = idling(DEFAULT, Load(HEAVY))
    stand.engine.clutch_input = 1.0
    while stand.engine.sensor_rpm > 504.6:
        assert stand.engine.sensor_working
        assert stand.solver.time < 1.0
        stand.run(0.001)
    stand.run(0.001)
    assert stand.engine.sensor_stalled
    stand.run(1.0)
    assert stand.engine.sensor_stalled
    assert not stand.engine.sensor_working
    assert stand.engine.sensor_rpm == pytest.approx(0.0, abs=1e-3)
    stand.engine.clutch_input = 0.0
    stand.run(1.0)
    assert stand.engine.sensor_stalled
    assert stand.engine.sensor_fuel_rate == 0.0


def test_a_stalled_engine_has_extra_friction() -> None:
    """I·dw/dt = -(Tf + stalled_friction_torque) while stalled; a switched-off engine has Tf alone."""
    for key, extra in ((0, 25.0), (-1, 0.0)):
        stand = Stand(Engine(DEFAULT))
        spin(stand.engine, 400.0, DEFAULT.inertia, running=False)
        stand.engine.ignition_input = key
        stand.run(0.001)
        w = 400.0 * RPM_TO_W
        assert stand.engine.sensor_flywheel_torque == pytest.approx(-(20.0 + 0.1 * w + (0.01 * w) ** 2 + extra))


def test_an_engine_that_cannot_stall_comes_back() -> None:
    """Pulled to a standstill it is never stalled, and runs again as soon as the clutch opens."""
    stand = idling(replace(DEFAULT, can_stall=False), Load(HEAVY))
    stand.engine.clutch_input = 1.0
    for _ in stand.steps(1.0):
        assert not stand.engine.sensor_stalled
    assert stand.engine.sensor_rpm == pytest.approx(0.0, abs=1e-3)
    stand.engine.clutch_input = 0.0
    stand.run(1.5)
    assert stand.engine.sensor_rpm == pytest.approx(1000.0, abs=1.0)


def test_an_engine_that_cannot_stall_does_not_work_without_fuel() -> None:
    """With an empty tank it is neither working nor stalled."""
    stand = idling(replace(DEFAULT, can_stall=False))
    stand.engine.allowed_fuel_ratio = 0.0
    stand.run(5.0)
    assert not stand.engine.sensor_working
    assert not stand.engine.sensor_stalled
    assert stand.engine.sensor_rpm == 0.0


@CONTROLS
@pytest.mark.parametrize("key", [0, 1])
def test_an_engine_that_cannot_stall_needs_no_starter(key: int, control: IdleControl) -> None:
    """With the key on it comes to idle from rest, slowly with passive control; the starter is never used."""
    stand = Stand(Engine(EngineSettings(idle_control=control)))
    stand.engine.ignition_input = key
    for _ in stand.steps(1.5 if control is IdleControl.ACTIVE else 30.0):
        assert not stand.engine.sensor_starting
        assert stand.engine.sensor_working
    assert stand.engine.sensor_rpm == pytest.approx(1000.0, abs=2.0)


@pytest.mark.parametrize("can_stall", [False, True])
def test_key_off_stops_the_engine(can_stall: bool) -> None:
    """Switched off: no fuel from the next step on, down to exactly zero, neither working nor stalled."""
    stand = idling(replace(DEFAULT, can_stall=can_stall))
    stand.engine.throttle_input = 1.0
    stand.run(0.5)
    stand.engine.ignition_input = -1
    for _ in stand.steps(10.0):
        assert stand.engine.sensor_fuel_rate == 0.0
        assert not stand.engine.sensor_stalled
        assert not stand.engine.sensor_working
    assert stand.engine.sensor_rpm == 0.0
    assert stand.engine.sensor_flywheel_torque == 0.0


def test_a_switched_off_engine_is_stalled_when_the_key_comes_back() -> None:
    """With the key on again an engine at rest waits for the starter."""
    stand = Stand(Engine(DEFAULT))
    stand.engine.ignition_input = -1
    stand.run(0.1)
    assert not stand.engine.sensor_stalled
    stand.engine.ignition_input = 0
    stand.run(0.1)
    assert stand.engine.sensor_stalled


def _rolling(key: int, rpm: float) -> Engine:
    """A stalled engine whose clutch closes on a driveline that rolls."""
    engine = Engine(DEFAULT, GRIP)
    engine.ignition_input = key
    engine.clutch_input = 1.0
    stand = Stand(engine, Load(20.0, rpm))
    stand.run(0.2)
    engine.clutch_input = 0.0
    stand.run(1.0)
    return engine


def test_bump_start() -> None:
    """With the key on, wheels that turn the engine over its stall speed start it, without the starter."""
    engine = _rolling(0, 1500.0)
    assert engine.sensor_working
    assert engine.sensor_rpm == pytest.approx(1000.0, abs=1.0)


def test_bump_start_needs_speed_and_the_key() -> None:
    """Too slow, or with the key off, the engine stops again when the clutch opens."""
    assert not _rolling(0, 500.0).sensor_working
    assert _rolling(0, 500.0).sensor_stalled
    assert not _rolling(-1, 1500.0).sensor_working
    assert not _rolling(-1, 1500.0).sensor_stalled


def test_an_engine_runs_only_from_two_percent_above_its_stall_speed() -> None:
    """Between stall speed and 1.02 times it a running engine runs on and a stalled one stays stalled."""
    for running in (True, False):
        stand = Stand(Engine(DEFAULT))
        spin(stand.engine, 1.01 * 504.633, DEFAULT.inertia, running=running)
        stand.run(0.001)
        assert stand.engine.sensor_working is running


def test_without_fuel_the_engine_dies() -> None:
    """No torque, no fuel, stalled at the end, and no start until there is fuel again."""
    stand = idling(V8)
    engine = stand.engine
    engine.allowed_fuel_ratio = 0.0
    engine.throttle_input = 1.0
    stand.run(1.0)
    assert engine.sensor_stalled
    assert engine.sensor_fuel_rate == 0.0
    engine.ignition_input = 1
    for _ in stand.steps(2.0):
        assert not engine.sensor_working
    engine.allowed_fuel_ratio = 1.0
    engine.throttle_input = 0.0
    stand.run(2.0)
    assert engine.sensor_working
    assert engine.sensor_rpm == pytest.approx(800.0, abs=1.0)
