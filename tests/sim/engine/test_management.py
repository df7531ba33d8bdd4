"""Rules of idle control, pedal map, speed limiter, automatic speed and traction control."""

from dataclasses import replace
from itertools import pairwise

import pytest

from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import ClutchSettings, EngineSettings, IdleControl, RpmLimiterMode

from ..dynamometer import Load, Stand, held_at, idling, spin
from ..published_engines import ALL, DEFAULT, TRUCK, V8

ENGINES = pytest.mark.parametrize("settings", ALL.values(), ids=ALL)
CONTROLS = pytest.mark.parametrize("control", IdleControl)


def _load_at(rpm: float, settings: EngineSettings, throttle: float) -> float:
    """The share of the available torque that the pedal asks for at a speed."""
    stand = held_at(rpm, settings)
    stand.engine.throttle_input = throttle
    stand.run(0.002)
    return stand.engine.sensor_load


def _turning(settings: EngineSettings, rpm: float) -> Stand:
    engine = Engine(settings)
    spin(engine, rpm, settings.inertia)
    return Stand(engine)


# -- idle -------------------------------------------------------------------------------------------------------------


@ENGINES
@CONTROLS
def test_idle_is_steady(settings: EngineSettings, control: IdleControl) -> None:
    """An engine at idle stays within 1 rpm of it and does not surge."""
    stand = idling(replace(settings, idle_control=control))
    speeds = [stand.engine.sensor_rpm for _ in stand.steps(3.0)]
    assert min(speeds) > settings.idle_rpm - 1.0
    assert max(speeds) < settings.idle_rpm + 1.0


@ENGINES
def test_active_idle_comes_back_from_below_without_overshoot(settings: EngineSettings) -> None:
    """From 30 % below it reaches idle within 1 s, rising all the way and never beyond."""
    stand = _turning(settings, 0.7 * settings.idle_rpm)
    speeds = [stand.engine.sensor_rpm for _ in stand.steps(1.0)]
    assert all(after >= before - 1e-9 for before, after in pairwise(speeds))
    assert speeds[-1] == pytest.approx(settings.idle_rpm, abs=0.1)


@pytest.mark.parametrize("rpm", [900.0, 1100.0])
def test_passive_idle_comes_back_by_the_slope_of_the_friction(rpm: float) -> None:
    """I·dw/dt = Tf(idle) - Tf(w): the gap to idle shrinks with I/(dTf/dw)."""
    stand = _turning(replace(DEFAULT, idle_control=IdleControl.PASSIVE), rpm)
    slope = 0.1 + 2.0 * 0.01**2 * 1000.0 * RPM_TO_W
    stand.run(0.5 / slope)
    assert (stand.engine.sensor_rpm - 1000.0) / (rpm - 1000.0) == pytest.approx(0.3679, rel=0.03)


@pytest.mark.parametrize("settings", [V8, DEFAULT, TRUCK], ids=["v8", "default", "truck"])
def test_a_released_pedal_brings_the_engine_back_to_idle(settings: EngineSettings) -> None:
    """From three times idle friction alone brakes it, without fuel: t = ∫ I/Tf dw; then it idles at once."""
    stand = _turning(settings, 3.0 * settings.idle_rpm)

    def friction(w: float) -> float:
        viscous = settings.viscous_friction * w
        return settings.friction_torque + settings.rotational_friction * w + viscous * viscous

    idle, count = settings.idle_rpm * RPM_TO_W, 2000
    dw = 2.0 * idle / count
    coast = sum(settings.inertia * dw / friction(idle + (k + 0.5) * dw) for k in range(count))
    arrival = next(t for t in stand.steps(10.0) if stand.engine.sensor_rpm < settings.idle_rpm + 0.01)
    assert arrival == pytest.approx(coast, rel=0.005, abs=0.002)
    for _ in stand.steps(0.5):
        assert stand.engine.sensor_rpm == pytest.approx(settings.idle_rpm, abs=0.1)


def test_overrun_burns_nothing() -> None:
    """With the pedal released and active idle an engine above idle gets no fuel, driven or free."""
    stand = _turning(DEFAULT, 4000.0)
    for _ in stand.steps(1.0):
        assert stand.engine.sensor_fuel_rate == 0.0
        assert stand.engine.sensor_load == 0.0
    assert _load_at(1001.0, DEFAULT, 0.0) == 0.0


def test_passive_idle_burns_the_friction_of_idle_at_every_speed() -> None:
    """T_comb = Tf(idle), whatever the speed."""
    passive = replace(DEFAULT, idle_control=IdleControl.PASSIVE)
    engine = Engine(passive)
    for rpm in (1000.0, 2500.0, 4200.0):
        raw = engine.calculate_torque(rpm) - engine.calculate_torque(rpm, 0.0)
        assert _load_at(rpm, passive, 0.0) == pytest.approx(31.5686 / raw, rel=1e-5)


@CONTROLS
def test_max_idle_throttle_bounds_the_idle_torque(control: IdleControl) -> None:
    """Idle control never asks for more than that share, and with too little of it the engine dies."""
    stand = idling(replace(DEFAULT, max_idle_throttle=0.1, idle_control=control))
    for _ in stand.steps(3.0):
        assert stand.engine.sensor_stalled or stand.engine.sensor_load <= 0.1
    assert stand.engine.sensor_stalled


def test_active_idle_carries_an_accessory() -> None:
    """A friction torque that comes on suddenly does not move the speed by more than 1 rpm; passive idle drops."""
    speeds = {}
    for control in IdleControl:
        stand = idling(replace(DEFAULT, idle_control=control))
        for _ in range(500):
            stand.engine.add_friction_torque(15.0)
            stand.run(0.001)
        speeds[control] = stand.engine.sensor_rpm
    assert speeds[IdleControl.ACTIVE] == pytest.approx(1000.0, abs=1.0)
    assert speeds[IdleControl.PASSIVE] < 900.0


def test_active_idle_moves_a_load_off() -> None:
    """A clutch that closes slowly takes a load along at idle speed, without a stall."""
    stand = idling(DEFAULT, load := Load(0.7, torque=-5.0), ClutchSettings())
    for t in stand.steps(3.0):
        stand.engine.clutch_input = min(1.0, t / 2.0)
        assert stand.engine.sensor_rpm > 900.0
    assert load.rpm == pytest.approx(1000.0, abs=1.0)


# -- pedal ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("throttle", [0.02, 0.1, 0.5, 1.0])
def test_pedal_map_at_idle(throttle: float) -> None:
    """At idle the pedal starts at what holds idle: share = hold + (1 - hold)·throttle, hold = Tf/raw."""
    hold = 31.5686 / (135.0 + 31.5686)
    assert _load_at(1000.0, DEFAULT, throttle) == pytest.approx(hold + (1.0 - hold) * throttle, rel=1e-5)


def test_pedal_map_fades_out() -> None:
    """hold falls with (1 - u)^(ln bias/ln ½), which is (1 - u)² for 0.25; at u >= 1 the pedal is linear."""
    limit = Engine(DEFAULT).specifications().limit_rpm
    half = 1000.0 + 0.5 * 0.5 * (limit - 1000.0)
    hold = 31.5686 / (135.0 + 31.5686) * 0.25
    assert _load_at(half, DEFAULT, 0.3) == pytest.approx(hold + (1.0 - hold) * 0.3, rel=1e-5)
    assert _load_at(1000.0 + 0.5 * (limit - 1000.0) + 1.0, DEFAULT, 0.3) == 0.3


@pytest.mark.parametrize("settings", [replace(DEFAULT, active_idle_range=0.0)])
def test_without_a_range_the_pedal_is_linear(settings: EngineSettings) -> None:
    """active_idle_range 0 switches the map off."""
    assert _load_at(1200.0, settings, 0.3) == 0.3


@pytest.mark.parametrize("rpm", [1000.0, 1500.0, 3000.0, 5000.0])
def test_the_pedal_has_no_dead_zone(rpm: float) -> None:
    """More pedal is more torque over the whole travel."""
    shares = [_load_at(rpm, DEFAULT, k / 50.0) for k in range(51)]
    assert all(after > before for before, after in pairwise(shares))
    assert shares[-1] == 1.0


def test_the_first_touch_fades_in() -> None:
    """Within the first 2 % of the travel the holding torque comes in proportion: no jump from overrun to drive."""
    quarter, half = _load_at(1500.0, DEFAULT, 0.005), _load_at(1500.0, DEFAULT, 0.01)
    assert half == pytest.approx(2.0 * quarter, rel=0.01)


# -- limiter ----------------------------------------------------------------------------------------------------------


def _limited(mode: RpmLimiterMode, **settings: float) -> EngineSettings:
    return replace(DEFAULT, rpm_limiter=True, rpm_limiter_mode=mode, rpm_limiter_max=5000.0, **settings)  # type: ignore[arg-type]


def test_injection_cut() -> None:
    """At the limit the fuel stops for the cut-off time, 75 steps, then comes back: the speed saws below the limit."""
    stand = _turning(_limited(RpmLimiterMode.INJECTION_CUT), 4500.0)
    engine = stand.engine
    engine.throttle_input = 1.0
    speeds, cuts, length = [], [], 0
    for _ in stand.steps(3.0):
        speeds.append(engine.sensor_rpm)
        assert engine.sensor_rpm_limiter == (engine.sensor_fuel_rate == 0.0)
        if engine.sensor_rpm_limiter:
            length += 1
        elif length:
            cuts.append(length)
            length = 0
    assert max(speeds) < 5005.0
    assert min(speeds[1000:]) > 4750.0
    assert len(cuts) > 5
    assert set(cuts) == {75}


def test_injection_cut_without_a_cut_off_time() -> None:
    """With a cut-off time of zero the fuel stops only while the speed is at the limit or over it."""
    stand = _turning(_limited(RpmLimiterMode.INJECTION_CUT, rpm_limiter_cutoff_time=0.0), 4900.0)
    stand.engine.throttle_input = 1.0
    stand.run(0.5)
    for _ in stand.steps(0.5):
        assert stand.engine.sensor_rpm == pytest.approx(5000.0, abs=5.0)


@pytest.mark.parametrize("delta_time", [0.001, 0.005, 0.02, 0.1])
def test_the_cut_does_not_depend_on_the_step(delta_time: float) -> None:
    """The timer runs inside a step: steps of 1 to 100 ms give the same speed."""
    stand = _turning(_limited(RpmLimiterMode.INJECTION_CUT), 4500.0)
    stand.engine.throttle_input = 1.0
    stand.run(2.0, delta_time)
    reference = _turning(_limited(RpmLimiterMode.INJECTION_CUT), 4500.0)
    reference.engine.throttle_input = 1.0
    reference.run(2.0)
    assert stand.engine.sensor_rpm == pytest.approx(reference.engine.sensor_rpm, rel=1e-9)


@ENGINES
def test_injection_limit(settings: EngineSettings) -> None:
    """Just enough fuel to stay at the limit: the speed comes up to it, never beyond, and stays."""
    limit = 0.8 * settings.max_rpm
    mode = RpmLimiterMode.INJECTION_LIMIT
    limited = replace(settings, rpm_limiter=True, rpm_limiter_mode=mode, rpm_limiter_max=limit)
    stand = _turning(limited, 0.7 * limit)
    stand.engine.throttle_input = 1.0
    for _ in stand.steps(4.0):
        assert stand.engine.sensor_rpm <= limit + 1e-6
    assert stand.engine.sensor_rpm == pytest.approx(limit, abs=0.1)
    assert stand.engine.sensor_rpm_limiter
    assert 0.0 < stand.engine.sensor_load < 1.0


@pytest.mark.parametrize("mode", RpmLimiterMode)
def test_the_limiter_sleeps_below_the_limit(mode: RpmLimiterMode) -> None:
    """Far below the limit nothing is held back."""
    stand = held_at(3000.0, _limited(mode))
    stand.engine.throttle_input = 1.0
    stand.run(0.1)
    assert not stand.engine.sensor_rpm_limiter
    assert stand.engine.sensor_load == 1.0


@pytest.mark.parametrize("mode", RpmLimiterMode)
def test_the_limiter_is_off_by_default(mode: RpmLimiterMode) -> None:
    """Without rpm_limiter the engine revs to max_rpm, where its torque ends."""
    stand = _turning(replace(DEFAULT, rpm_limiter_mode=mode, rpm_limiter_max=5000.0), 4500.0)
    stand.engine.throttle_input = 1.0
    stand.run(8.0)
    assert stand.engine.sensor_rpm == pytest.approx(6500.0, abs=10.0)
    assert not stand.engine.sensor_rpm_limiter


def test_the_limiter_rests_when_the_engine_stalls() -> None:
    """An engine that is switched off at the limit is not limited any more."""
    stand = _turning(_limited(RpmLimiterMode.INJECTION_CUT), 5100.0)
    stand.run(0.01)
    assert stand.engine.sensor_rpm_limiter
    stand.engine.ignition_input = -1
    stand.run(0.01)
    assert not stand.engine.sensor_rpm_limiter


# -- automatic speed and traction control -----------------------------------------------------------------------------


@pytest.mark.parametrize("start", [1000.0, 4500.0])
def test_auto_rpms_holds_a_speed(start: float) -> None:
    """The engine goes to target_rpms and stays, whatever pedal, limiter and traction control say."""
    limited = replace(_limited(RpmLimiterMode.INJECTION_LIMIT), rpm_limiter_max=2000.0)
    stand = _turning(limited, start)
    engine = stand.engine
    engine.auto_rpms, engine.target_rpms = True, 3000.0
    engine.tcs_rpms = 1500.0
    stand.run(4.0)
    for throttle in (0.0, 1.0):
        engine.throttle_input = throttle
        stand.run(0.5)
        assert engine.sensor_rpm == pytest.approx(3000.0, abs=0.1)
        assert not engine.sensor_rpm_limiter
        assert not engine.sensor_tcs_engaged


def test_auto_rpms_needs_a_target_and_the_key() -> None:
    """A negative target is none; with the key off there is no fuel for it."""
    stand = idling(DEFAULT)
    stand.engine.auto_rpms = True
    stand.run(0.5)
    assert stand.engine.sensor_rpm == pytest.approx(1000.0, abs=0.1)
    stand.engine.target_rpms = 3000.0
    stand.engine.ignition_input = -1
    stand.run(0.5)
    assert stand.engine.sensor_rpm < 1000.0


def _with_tcs(**inputs: float) -> Engine:
    """An engine at full throttle that traction control asks for 2500 rpm, after 4 s."""
    stand = _turning(DEFAULT, 1500.0)
    engine = stand.engine
    engine.throttle_input = 1.0
    engine.tcs_rpms = 2500.0
    for name, value in inputs.items():
        setattr(engine, name, value)
    stand.run(4.0)
    return engine


def test_traction_control_holds_the_hinted_speed() -> None:
    """With ratio 1 the engine stays at tcs_rpms, and the sensor says so."""
    engine = _with_tcs()
    assert engine.sensor_rpm == pytest.approx(2500.0, abs=0.1)
    assert engine.sensor_tcs_engaged


@pytest.mark.parametrize("hint", [-1.0, float("nan")])
def test_without_a_hint_there_is_no_traction_control(hint: float) -> None:
    """A negative hint is none."""
    engine = _with_tcs(tcs_rpms=hint)
    assert engine.sensor_rpm > 5000.0
    assert not engine.sensor_tcs_engaged


def test_tcs_ratio_is_how_much_is_followed() -> None:
    """share = throttle + ratio·(tcs - throttle): nothing at 0, half the way at 0.5."""
    assert not _with_tcs(tcs_ratio=0.0).sensor_tcs_engaged
    stand = held_at(3000.0, DEFAULT)
    stand.engine.throttle_input = 0.8
    stand.engine.tcs_rpms = 2500.0
    stand.engine.tcs_ratio = 0.5
    stand.run(0.01)
    linear = held_at(3000.0, DEFAULT)
    linear.engine.throttle_input = 0.8
    linear.run(0.01)
    assert stand.engine.sensor_load == pytest.approx(0.5 * linear.engine.sensor_load, rel=1e-9)


def test_tcs_throttle_factor_bounds_the_request() -> None:
    """What traction control asks for is held at the factor, even where the hinted speed would need more."""
    stand = held_at(2000.0, DEFAULT)
    stand.engine.throttle_input = 1.0
    stand.engine.tcs_rpms = 6000.0
    stand.run(0.01)
    assert stand.engine.sensor_load == 1.0
    assert not stand.engine.sensor_tcs_engaged
    stand.engine.tcs_throttle_factor = 0.4
    stand.run(0.01)
    assert stand.engine.sensor_load == pytest.approx(0.4, rel=1e-12)
    assert stand.engine.sensor_tcs_engaged


def test_traction_control_never_stalls_the_engine() -> None:
    """A hint below idle ends at idle."""
    assert _with_tcs(tcs_rpms=0.0).sensor_rpm == pytest.approx(1000.0, abs=0.1)
