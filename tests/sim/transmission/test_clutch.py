"""Rules of the dry clutch: momentum, loss, capacity, lock-up; and of all clutches: choice, saving and restoring."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import ClutchSettings, ClutchType, EngineSettings
from vehiclesim.transmission.clutch import FrictionDisc
from vehiclesim.transmission.converter import (
    HydrodynamicConverter,
    LockRatio,
    TorqueConverter,
    TorqueConverterLimited,
    make_clutch,
)

from ..dynamometer import HEAVY, Load, Stand, frictionless, held_at, idling, spin
from ..published_engines import DEFAULT

CAPACITY = 300.0


def _coasting(engine_rpm: float, load: Load, inertia: float = 0.5, substep: float = 0.001) -> Stand:
    """A switched-off engine without friction that turns, with its clutch closed on a load."""
    engine = Engine(replace(frictionless(), inertia=inertia), ClutchSettings(max_torque_transfer=CAPACITY))
    spin(engine, engine_rpm, inertia, running=False)
    engine.ignition_input = -1
    engine.clutch_input = 1.0
    return Stand(engine, load, substep=substep)


@pytest.mark.parametrize(("engine_rpm", "load_rpm"), [(3000.0, 0.0), (3000.0, 2500.0), (1000.0, 4000.0)])
@pytest.mark.parametrize("inertia", [0.1, 2.0])
def test_lock_up_keeps_the_momentum(engine_rpm: float, load_rpm: float, inertia: float) -> None:
    """Both sides end at (I1·w1 + I2·w2) / (I1 + I2)."""
    stand = _coasting(engine_rpm, load := Load(inertia, load_rpm))
    stand.run(1.0)
    together = (0.5 * engine_rpm + inertia * load_rpm) / (0.5 + inertia)
    assert stand.engine.sensor_rpm == pytest.approx(together, rel=1e-6)
    assert load.rpm == pytest.approx(together, rel=1e-6)


def test_lock_up_loss() -> None:
    """The work that the slipping disc turns into heat, T·slip over time, is ½·I1·I2/(I1+I2)·slip²."""
    i1, i2 = 0.5, 1.5
    stand = _coasting(3000.0, load := Load(i2))
    slip = first = 3000.0 * RPM_TO_W
    loss = 0.0
    for _ in stand.steps(1.0):
        before, slip = slip, (stand.engine.sensor_rpm - load.rpm) * RPM_TO_W
        loss += stand.engine.sensor_output_torque * 0.5 * (before + slip) * 0.001
    assert loss == pytest.approx(0.5 * i1 * i2 / (i1 + i2) * first**2, rel=1e-6)


@pytest.mark.parametrize("engagement", [1.0, 0.4])
def test_a_slipping_disc_carries_its_capacity(engagement: float) -> None:
    """Until lock-up, after slip·I1·I2/(I1+I2)/T, the torque is max_torque_transfer·engagement."""
    i1, i2 = 0.5, 1.5
    stand = _coasting(3000.0, Load(i2))
    stand.engine.clutch_input = engagement
    expected = 3000.0 * RPM_TO_W * i1 * i2 / (i1 + i2) / (CAPACITY * engagement)
    slipping = [t for t in stand.steps(2.0) if stand.engine.sensor_output_torque == CAPACITY * engagement]
    assert slipping[-1] == pytest.approx(expected, abs=0.0011)


@pytest.mark.parametrize("substep", [0.00025, 0.0005, 0.005])
def test_the_torque_does_not_depend_on_the_substep(substep: float) -> None:
    """A slipping and a locked clutch give the same speeds with any substep, 5 ms included."""

    def speeds(substep: float, seconds: float) -> tuple[float, float]:
        stand = _coasting(3000.0, load := Load(1.5, torque=-20.0), substep=substep)
        stand.run(seconds, 0.005)
        return stand.engine.sensor_rpm, load.rpm

    for seconds in (0.2, 1.0):
        assert speeds(substep, seconds) == pytest.approx(speeds(0.001, seconds), rel=1e-6)


def test_an_open_clutch_carries_nothing() -> None:
    """With the pedal down both sides go their own way."""
    stand = _coasting(3000.0, load := Load(1.5))
    stand.engine.clutch_input = 0.0
    stand.run(0.5)
    assert stand.engine.sensor_rpm == pytest.approx(3000.0, rel=1e-12)
    assert load.rpm == 0.0
    assert stand.engine.sensor_clutch_lock == 0.0


def test_a_locked_clutch_shares_the_torque_by_inertia() -> None:
    """Locked, both sides accelerate with (T_e + Tr)/(I_e + I), so the disc carries I·T/(I_e + I) - Tr·I_e/(I_e + I)."""
    stand = _coasting(3000.0, Load(1.5, 3000.0, torque=-40.0))
    stand.run(0.1)
    assert stand.engine.sensor_output_torque == pytest.approx(40.0 * 0.5 / 2.0, rel=1e-6)
    assert stand.engine.sensor_clutch_lock == 1.0


def test_damping_scales_the_reaction_torque() -> None:
    """The clutch sees damping·Tr: a lower value makes it carry less of the load."""
    stand = _coasting(3000.0, Load(1.5, 3000.0, torque=-40.0))
    stand.engine.damping = 0.9
    stand.run(0.001)
    assert stand.engine.sensor_output_torque == pytest.approx(0.9 * 40.0 * 0.5 / 2.0, rel=1e-6)


def test_lock_of_a_slipping_disc_is_the_ratio_of_speeds() -> None:
    """Slower over faster side; 1 once it is locked."""
    stand = _coasting(4000.0, Load(1.5, 1000.0))
    stand.run(0.001)
    assert stand.engine.sensor_clutch_lock == pytest.approx(0.25, rel=1e-9)
    stand.run(1.0)
    assert stand.engine.sensor_clutch_lock == 1.0


def test_sides_that_turn_against_each_other_are_not_locked_at_all() -> None:
    """A driveline that turns backward has nothing in common with the engine."""
    stand = _coasting(3000.0, Load(1.5, -3000.0))
    stand.run(0.001)
    assert stand.engine.sensor_clutch_lock == 0.0


def test_lock_is_unknown_without_a_driveline() -> None:
    """An engine alone knows no lock."""
    stand = Stand(Engine())
    stand.run(0.01)
    assert math.isnan(stand.engine.sensor_clutch_lock)


def test_a_driveline_that_pushes_backward_does_not_turn_the_engine_back() -> None:
    """The engine is pulled down to rest and stays there; the disc slips at its capacity."""
    engine = Engine(DEFAULT, ClutchSettings(max_torque_transfer=CAPACITY))
    spin(engine, 1000.0, 0.5)
    engine.clutch_input = 1.0
    stand = Stand(engine, load := Load(HEAVY, -500.0))
    for _ in stand.steps(2.0):
        assert engine.sensor_rpm >= 0.0
    assert engine.sensor_rpm == 0.0
    assert engine.sensor_output_torque == CAPACITY
    assert load.rpm == pytest.approx(-500.0)


def test_launch_without_slip_reversal() -> None:
    """Over a launch of 3 s the slip falls to zero once and never changes its sign."""
    load = Load(1.0, torque=-10.0)
    stand = idling(EngineSettings(can_stall=True), load, ClutchSettings(max_torque_transfer=CAPACITY))
    stand.engine.throttle_input = 0.5
    reversals = 0
    sign = 1
    for t in stand.steps(3.0):
        stand.engine.clutch_input = min(1.0, t / 1.5)
        slip = stand.engine.sensor_rpm - load.rpm
        if abs(slip) > 1e-6 and (slip > 0) != (sign > 0):
            reversals += 1
            sign = -sign
    assert reversals == 0
    assert stand.engine.sensor_clutch_lock == 1.0
    assert load.rpm > 1200.0


def test_the_engaged_clutch_holds_a_speed() -> None:
    """Against a heavy flywheel the engine's torque goes through the clutch undiminished."""
    stand = held_at(3854.0, EngineSettings())
    stand.engine.throttle_input = 1.0
    stand.run(0.1)
    assert stand.engine.sensor_output_torque == pytest.approx(191.27, abs=0.005)
    assert stand.engine.sensor_rpm == pytest.approx(3854.0, rel=1e-6)


speeds = st.floats(-500.0, 500.0)
accelerations = st.floats(-1000.0, 1000.0)
inverses = st.floats(0.0, 100.0)


@given(speeds, accelerations, inverses, speeds, accelerations, st.floats(1e-3, 100.0), st.floats(0.0, 1.0))
def test_the_disc_ends_the_substep_without_slip_or_at_its_capacity(
    speed: float, own: float, inverse: float, other: float, theirs: float, other_inverse: float, engagement: float
) -> None:
    """Either the torque is at ±capacity in the direction of the slip, or both sides end at the same speed."""
    clutch = FrictionDisc(ClutchSettings(max_torque_transfer=CAPACITY))
    clutch.engagement = engagement
    clutch.speed, clutch.acceleration, clutch.inverse_inertia = other, theirs, other_inverse
    h = clutch.substep
    torque = clutch.torque(speed, own, inverse)
    slip = (speed + h * (own - torque * inverse)) - (other + h * (theirs + torque * other_inverse))
    if abs(torque) < CAPACITY * engagement:
        assert slip == pytest.approx(0.0, abs=1e-9)
    else:
        assert slip * torque >= -1e-9


def test_two_sides_that_cannot_move_carry_nothing() -> None:
    """With both inertias infinite no torque closes the slip."""
    clutch = FrictionDisc(ClutchSettings())
    clutch.engagement = 1.0
    clutch.speed = 100.0
    assert clutch.torque(0.0, 0.0, 0.0) == 0.0


KINDS = {
    ClutchType.FRICTION_DISC: FrictionDisc,
    ClutchType.LOCK_RATIO: LockRatio,
    ClutchType.TORQUE_CONVERTER: TorqueConverter,
    ClutchType.TORQUE_CONVERTER_LIMITED: TorqueConverterLimited,
    ClutchType.HYDRODYNAMIC: HydrodynamicConverter,
}


@pytest.mark.parametrize("kind", ClutchType)
def test_the_settings_choose_the_clutch(kind: ClutchType) -> None:
    """Each kind by its name; a friction disc is what the settings describe without one."""
    assert type(make_clutch(ClutchSettings(type=kind))) is KINDS[kind]
    assert type(make_clutch(ClutchSettings())) is FrictionDisc


@pytest.mark.parametrize("kind", ClutchType)
def test_a_restored_engine_goes_on_exactly(kind: ClutchType) -> None:
    """Whatever the clutch, locked or not: the saved state is the whole state."""
    settings = ClutchSettings(type=kind, lock_up=True)

    def stand(load: Load) -> Stand:
        engine = Engine(DEFAULT, settings)
        engine.clutch_input = 1.0
        engine.throttle_input = 0.7
        return Stand(engine, load)

    first = stand(load := Load(2.0, 1800.0, -20.0))
    spin(first.engine, 1980.0, DEFAULT.inertia)
    for _ in range(20):
        first.run(0.05)
        state, speed = first.engine.get_state_vars(), load.speed
        second = stand(other := Load(2.0, 0.0, -20.0))
        second.engine.set_state_vars(state)
        other.speed = speed
        second.solver.update_shafts()
        first.run(0.05)
        second.run(0.05)
        assert second.engine.get_state_vars() == first.engine.get_state_vars()
        assert other.speed == load.speed
