"""What a gear does to speed, torque, momentum and energy: engaged, on the way, and while its ratio changes."""

from dataclasses import replace
from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vehiclesim import GearboxType

from ..gear_stand import ABRUPT, BOX, INPUT_INERTIA, LOSSY, SHIFTING, STEP, Drivetrain


@pytest.fixture
def drivetrain() -> Drivetrain:
    return Drivetrain()


@pytest.fixture
def lossy() -> Drivetrain:
    return Drivetrain(LOSSY)


# -- in neutral ---------------------------------------------------------------------------------------------------


def test_in_neutral_the_input_shaft_spins_free(drivetrain: Drivetrain) -> None:
    """w = T·t/I_in, and the output feels nothing."""
    drivetrain.motor.torque = 3.0
    drivetrain.run(100)
    assert drivetrain.motor.speed == pytest.approx(3.0 * 0.1 / INPUT_INERTIA, rel=1e-9)
    assert drivetrain.flywheel.speed == 0.0
    assert (drivetrain.input.I, drivetrain.input.Tr) == (INPUT_INERTIA, 0.0)


# -- in gear ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gear", "ratio"), [(1, 4.0), (2, 2.0), (3, 1.0), (-1, -4.0), (-2, -2.0)])
def test_input_and_output_turn_with_the_ratio(drivetrain: Drivetrain, gear: int, ratio: float) -> None:
    """w_in = N·w_out; the flywheel's momentum is seen divided by N, its inertia by N², its torque by N."""
    drivetrain.engage(gear)
    drivetrain.motor.torque = 20.0
    drivetrain.flywheel.reaction = 6.0
    drivetrain.run(500)
    speed = drivetrain.flywheel.speed
    assert drivetrain.motor.speed == pytest.approx(ratio * speed, rel=1e-12)
    assert drivetrain.box.sensor_output_rpm == pytest.approx(speed * 9.549296585513721, rel=1e-12)
    seen = (drivetrain.input.L, drivetrain.input.I, drivetrain.input.Tr)
    inertia = 10.0 / ratio**2 + INPUT_INERTIA
    assert seen == pytest.approx((inertia * ratio * speed, inertia, 6.0 / ratio), rel=1e-12)


@pytest.mark.parametrize("gear", [1, -1])
@pytest.mark.parametrize("motion", [1.0, -1.0])
@pytest.mark.parametrize("torque", [20.0, -20.0])
def test_a_gear_carries_its_own_inertia_and_its_loss(
    lossy: Drivetrain, gear: int, motion: float, torque: float
) -> None:
    """dw_out/dt = (f·N·T + Tr)/(I_out + f·N²·I_in): f = η when the motor drives, 1/η when it is driven."""
    lossy.engage(gear)
    ratio = 4.0 * gear
    lossy.put(input_speed=ratio * motion * 50.0, output_speed=motion * 50.0)
    lossy.flywheel.reaction = 6.0
    lossy.motor.torque = torque
    lossy.run(20)
    f = 0.8 if torque * gear * motion > 0.0 else 1.0 / 0.8
    acceleration = (f * ratio * torque + 6.0) / (10.0 + f * 16.0 * INPUT_INERTIA)
    assert lossy.flywheel.speed == pytest.approx(motion * 50.0 + acceleration * 0.02, rel=1e-9)


@pytest.mark.parametrize("torque", [20.0, -20.0])
def test_the_motor_is_told_how_the_shaft_will_answer(lossy: Drivetrain, torque: float) -> None:
    """L + (T + Tr)·dt = I·w at the end of the substep: a clutch that solves for the end of it is right."""
    lossy.engage(1)
    lossy.put(input_speed=200.0, output_speed=50.0)
    lossy.flywheel.reaction = -30.0
    lossy.motor.torque = torque
    lossy.run(2)
    expected = (lossy.input.L + (torque + lossy.input.Tr) * STEP) / lossy.input.I
    lossy.run()
    assert lossy.motor.speed == pytest.approx(expected, rel=1e-12)


def test_the_loss_of_the_mesh_holds_a_load_that_the_motor_almost_balances(lossy: Drivetrain) -> None:
    """At rest, nothing moves while η·N·T < load < N·T/η: 64 and 100 Nm with 20 Nm at the input."""
    lossy.engage(1)
    lossy.motor.torque = 20.0
    for load, moves in ((63.9, 1), (64.1, 0), (80.0, 0), (99.9, 0), (100.1, -1)):
        lossy.put(input_speed=0.0, output_speed=0.0)
        lossy.flywheel.reaction = -load
        lossy.run(100)
        assert (lossy.flywheel.speed > 1e-9) - (lossy.flywheel.speed < -1e-9) == moves


@given(
    input_torque=st.floats(-300.0, 300.0),
    reaction=st.floats(-1000.0, 1000.0),
    speed=st.floats(-100.0, 100.0),
    gear=st.sampled_from([-1, 1, 3]),
)
def test_a_gear_only_takes_energy(input_torque: float, reaction: float, speed: float, gear: int) -> None:
    """While it turns in one direction, work of both torques minus the gain in kinetic energy is never negative."""
    lossy = Drivetrain(LOSSY)
    ratio = {-1: -4.0, 1: 4.0, 3: 1.0}[gear]
    lossy.engage(gear)
    lossy.put(input_speed=ratio * speed, output_speed=speed)
    lossy.motor.torque = input_torque
    lossy.flywheel.reaction = reaction
    lossy.run()
    after = lossy.flywheel.speed
    assume(speed * after > 0.0 or speed == 0.0)
    work = (input_torque * ratio + reaction) * 0.5 * (speed + after) * STEP
    gain = 0.5 * (10.0 + ratio**2 * INPUT_INERTIA) * (after * after - speed * speed)
    assert work - gain >= -1e-9


# -- synchronising ------------------------------------------------------------------------------------------------


def test_the_synchroniser_brings_the_shaft_to_speed_during_the_shift(drivetrain: Drivetrain) -> None:
    """With nothing on the input, shaft and gear meet at the end, at a constant torque, and momentum is kept."""
    drivetrain.put(input_speed=300.0, output_speed=20.0)
    momentum = drivetrain.momentum
    drivetrain.box.manual_gear = 1
    speeds = []
    for _ in range(200):
        speeds.append(drivetrain.motor.speed)
        drivetrain.run()
        assert drivetrain.momentum == pytest.approx(momentum, rel=1e-12)
    common = momentum / (10.0 + 16.0 * INPUT_INERTIA)
    assert drivetrain.motor.speed == pytest.approx(4.0 * common, rel=1e-9)
    assert drivetrain.flywheel.speed == pytest.approx(common, rel=1e-9)
    steps = [one - two for one, two in pairwise(speeds)]
    assert steps == pytest.approx([(300.0 - 4.0 * common) / 200.0] * 199, rel=1e-6)
    drivetrain.run(2)
    assert drivetrain.momentum == pytest.approx(momentum, rel=1e-12)


@pytest.mark.parametrize("input_speed", [0.0, 300.0])
def test_engaging_without_time_is_a_plastic_impact(input_speed: float) -> None:
    """Both sides leave with (N·L_in + L_out)/(I_out + N²·I_in), whatever the efficiency of the gear."""
    abrupt = Drivetrain(ABRUPT)
    abrupt.put(input_speed=input_speed, output_speed=20.0)
    momentum = abrupt.momentum
    abrupt.box.manual_gear = 1
    abrupt.run()
    common = momentum / (10.0 + 16.0 * INPUT_INERTIA)
    assert abrupt.flywheel.speed == pytest.approx(common, rel=1e-8)
    assert abrupt.motor.speed == pytest.approx(4.0 * common, rel=1e-8)


def test_the_impact_loses_the_energy_of_the_speed_difference() -> None:
    """½·I1·I2/(I1 + I2)·Δw², with the output's inertia divided by N²."""
    abrupt = Drivetrain(ABRUPT)
    abrupt.put(input_speed=300.0, output_speed=20.0)
    before = 0.5 * INPUT_INERTIA * 300.0**2 + 0.5 * 10.0 * 20.0**2
    abrupt.box.manual_gear = 1
    abrupt.run()
    after = 0.5 * (10.0 + 16.0 * INPUT_INERTIA) * abrupt.flywheel.speed**2
    reduced = INPUT_INERTIA * (10.0 / 16.0) / (INPUT_INERTIA + 10.0 / 16.0)
    assert before - after == pytest.approx(0.5 * reduced * (300.0 - 80.0) ** 2, rel=1e-9)


# -- blending -----------------------------------------------------------------------------------------------------


def blending(*, efficiency: float = 1.0, delta_time: float = STEP, torque: float = 0.0) -> Drivetrain:
    """From first gear, 400 rad/s at the input, to second in 0.5 s."""
    settings = replace(BOX, type=GearboxType.AUTOMATIC, efficiency=efficiency)
    drivetrain = Drivetrain(settings)
    drivetrain.engage(1)
    drivetrain.put(input_speed=400.0, output_speed=100.0)
    drivetrain.motor.torque = torque
    drivetrain.box.gear_shift = 1
    drivetrain.run(round(0.5 / delta_time), delta_time)
    return drivetrain


@pytest.mark.parametrize("delta_time", [0.1, 0.01, 0.001])
def test_a_blended_shift_keeps_the_energy(delta_time: float) -> None:
    """(I_out + N²·I_in)·w² stays the same while N goes from 4 to 2, at any rate; the input follows at N·w."""
    drivetrain = blending(delta_time=delta_time)
    expected = 100.0 * sqrt((10.0 + 16.0 * INPUT_INERTIA) / (10.0 + 4.0 * INPUT_INERTIA))
    assert drivetrain.flywheel.speed == pytest.approx(expected, rel=1e-5)
    assert drivetrain.motor.speed == pytest.approx(2.0 * expected, rel=1e-4)


def test_a_blended_shift_never_interrupts_the_torque() -> None:
    """Power goes on: w_out·dw_out/dt·I_out follows T_in·w_in, and the speed rises in every step."""
    settings = replace(BOX, type=GearboxType.AUTOMATIC)
    drivetrain = Drivetrain(settings)
    drivetrain.engage(1)
    drivetrain.put(input_speed=200.0, output_speed=50.0)
    drivetrain.motor.torque = 30.0
    drivetrain.box.gear_shift = 1
    before, work = drivetrain.energy, 0.0
    for _ in range(500):
        speed, start = drivetrain.flywheel.speed, drivetrain.motor.speed
        drivetrain.run()
        work += 30.0 * 0.5 * (start + drivetrain.motor.speed) * STEP
        assert drivetrain.flywheel.speed > speed
    assert drivetrain.energy - before == pytest.approx(work, rel=1e-3)


@given(torque=st.floats(-100.0, 100.0), efficiency=st.floats(0.5, 1.0))
def test_a_blended_shift_only_takes_energy(torque: float, efficiency: float) -> None:
    """What the shafts gain is never more than the work of the motor."""
    settings = replace(BOX, type=GearboxType.AUTOMATIC, efficiency=efficiency)
    drivetrain = Drivetrain(settings, replace(SHIFTING, transition_time=0.05))
    drivetrain.engage(1)
    drivetrain.put(input_speed=400.0, output_speed=100.0)
    drivetrain.motor.torque = torque
    drivetrain.box.gear_shift = 1
    for _ in range(60):
        before = drivetrain.energy
        start = drivetrain.input_momentum / INPUT_INERTIA
        drivetrain.run()
        end = drivetrain.input_momentum / INPUT_INERTIA
        assert drivetrain.energy - before <= torque * 0.5 * (start + end) * STEP + 1e-6 * before


def test_the_ratio_moves_evenly() -> None:
    """Half-way through the shift the input turns with the mean of both ratios."""
    settings = replace(BOX, type=GearboxType.AUTOMATIC)
    drivetrain = Drivetrain(settings)
    drivetrain.engage(1)
    drivetrain.put(input_speed=400.0, output_speed=100.0)
    drivetrain.box.gear_shift = 1
    drivetrain.run(250)
    assert drivetrain.motor.speed / drivetrain.flywheel.speed == pytest.approx(3.0, rel=1e-4)
