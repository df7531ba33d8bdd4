"""Shifting, and what a gear does to speed, torque, momentum and energy."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vehiclesim import Block, Gearbox, GearboxSettings, Solver
from vehiclesim.gearbox import BLOCKING_SPEED

from .blocks import Flywheel, Motor

BOX = GearboxSettings(ratios=(4.0, 2.0, 1.0), reverse_ratios=(-4.0, -2.0), shift_time=0.2, efficiency=1.0, inertia=0.02)
LOSSY = GearboxSettings(ratios=(4.0, 2.0, 1.0), reverse_ratios=(-4.0,), shift_time=0.2, efficiency=0.8, inertia=0.02)
ABRUPT = GearboxSettings(ratios=(4.0, 2.0, 1.0), reverse_ratios=(-4.0,), shift_time=0.0, efficiency=0.8, inertia=0.02)
INPUT_INERTIA = 0.02
STEP = 0.001


class Drivetrain:
    """Motor, gearbox and flywheel."""

    def __init__(self, settings: GearboxSettings = BOX, **options: Any) -> None:
        self.motor, self.box, self.flywheel = Motor(), Gearbox(settings), Flywheel()
        self.input = Block.connect(self.box, self.motor)
        self.output = Block.connect(self.flywheel, self.box)
        self.solver = Solver([self.motor, self.box, self.flywheel], **options)

    @property
    def momentum(self) -> float:
        """N·L_in + L_out in first gear [N m s]."""
        return 4.0 * self.box.get_state_vars().momentum + float(self.flywheel.inertia * self.flywheel.speed)

    def run(self, steps: int = 1) -> None:
        for _ in range(steps):
            self.solver.step(STEP)

    def engage(self, gear: int) -> None:
        self.box.manual_gear = gear
        while self.box.sensor_gear != gear:
            self.run()

    def put(self, *, input_speed: float, output_speed: float) -> None:
        self.box.set_state_vars(self.box.get_state_vars()._replace(momentum=INPUT_INERTIA * input_speed))
        self.flywheel.speed = output_speed
        self.solver.update_shafts()


@pytest.fixture
def drivetrain() -> Drivetrain:
    return Drivetrain()


@pytest.fixture
def lossy() -> Drivetrain:
    return Drivetrain(LOSSY)


# -- shifting -----------------------------------------------------------------------------------------------------


def test_the_box_starts_in_neutral_and_only_shifts_by_hand(drivetrain: Drivetrain) -> None:
    """Gear 0, not shifting, mode M (0)."""
    drivetrain.run(1000)
    box = drivetrain.box
    assert (box.sensor_gear, box.sensor_shifting, box.sensor_mode) == (0, False, 0)


@pytest.mark.parametrize("gear", [-2, -1, 1, 3])
def test_a_change_takes_the_shift_time_in_neutral(drivetrain: Drivetrain, gear: int) -> None:
    """200 steps with gear 0 and `shifting`, then the gear."""
    box = drivetrain.box
    box.manual_gear = gear
    for _ in range(200):
        drivetrain.run()
        assert (box.sensor_gear, box.sensor_shifting) == (0, True)
    drivetrain.run()
    assert (box.sensor_gear, box.sensor_shifting) == (gear, False)


def test_neutral_needs_no_time(drivetrain: Drivetrain) -> None:
    """The lever out of a gear: gear 0 in the same step, and no shift is under way."""
    drivetrain.engage(1)
    drivetrain.box.manual_gear = 0
    drivetrain.run()
    assert (drivetrain.box.sensor_gear, drivetrain.box.sensor_shifting) == (0, False)


def test_shift_steps_go_up_and_down(drivetrain: Drivetrain) -> None:
    """Each is taken over once, even while a shift is under way; the box goes from reverse through neutral to first."""
    box = drivetrain.box
    drivetrain.engage(-1)
    gears = []
    for shift in (1, 1, 1, -1, 2):
        box.gear_shift = shift
        drivetrain.run()
        assert box.gear_shift == 0
        drivetrain.run(250)
        gears.append(box.sensor_gear)
    assert gears == [0, 1, 2, 1, 3]


def test_shift_steps_in_a_row_add_up(drivetrain: Drivetrain) -> None:
    """Two steps, the second while the first is under way, end two gears higher, a shift time after the second."""
    drivetrain.engage(1)
    for _ in range(2):
        drivetrain.box.gear_shift = 1
        drivetrain.run(100)
    assert drivetrain.box.sensor_gear == 0
    drivetrain.run(101)
    assert drivetrain.box.sensor_gear == 3


def test_a_lever_that_rests_does_not_undo_a_shift_step(drivetrain: Drivetrain) -> None:
    """The gear is what the last movement asked for, of lever or paddle."""
    drivetrain.engage(1)
    drivetrain.box.gear_shift = 1
    drivetrain.run(300)
    assert drivetrain.box.sensor_gear == 2
    drivetrain.engage(3)


@pytest.mark.parametrize(("lever", "gear"), [(9, 3), (-9, -2), (2**40, 3)])
def test_the_lever_is_held_to_gears_that_exist(drivetrain: Drivetrain, lever: int, gear: int) -> None:
    """Its position itself is corrected, so that it reads as the gear that is meant."""
    drivetrain.box.manual_gear = lever
    drivetrain.run(250)
    assert drivetrain.box.sensor_gear == drivetrain.box.manual_gear == gear


def test_shift_steps_end_at_the_last_gear(drivetrain: Drivetrain) -> None:
    """Steps beyond it are not kept for later."""
    drivetrain.box.gear_shift = 9
    drivetrain.run(250)
    assert drivetrain.box.sensor_gear == 3
    drivetrain.box.gear_shift = -1
    drivetrain.run(250)
    assert drivetrain.box.sensor_gear == 2


def test_the_shift_time_is_kept_to_the_nearest_step(drivetrain: Drivetrain) -> None:
    """At 10 Hz a shift of 0.2 s takes two steps."""
    drivetrain.box.manual_gear = 1
    gears = []
    for _ in range(3):
        drivetrain.solver.step(0.1)
        gears.append(drivetrain.box.sensor_gear)
    assert gears == [0, 0, 1]


def test_a_gear_against_the_motion_waits(drivetrain: Drivetrain) -> None:
    """Reverse stays out while it would turn the input shaft backward fast; the shift time begins when it would not."""
    box = drivetrain.box
    drivetrain.flywheel.speed = BLOCKING_SPEED / 4.0 + 10.0
    drivetrain.flywheel.reaction = -100.0
    drivetrain.solver.update_shafts()
    box.manual_gear = -1
    drivetrain.run(999)
    assert (box.sensor_gear, box.sensor_shifting) == (0, True)
    assert drivetrain.flywheel.speed == pytest.approx(BLOCKING_SPEED / 4.0 + 0.01, rel=1e-9)
    drivetrain.run(200)
    assert (box.sensor_gear, box.sensor_shifting) == (0, True)
    drivetrain.run(3)
    assert (box.sensor_gear, box.sensor_shifting) == (-1, False)


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


@pytest.mark.parametrize("rk4", [False, True])
@pytest.mark.parametrize("input_speed", [0.0, 300.0])
def test_engaging_without_time_is_a_plastic_impact(input_speed: float, *, rk4: bool) -> None:
    """Both sides leave with (N·L_in + L_out)/(I_out + N²·I_in), whatever the efficiency of the gear."""
    abrupt = Drivetrain(ABRUPT, rk4=rk4)
    abrupt.put(input_speed=input_speed, output_speed=20.0)
    momentum = abrupt.momentum
    abrupt.box.manual_gear = 1
    abrupt.run(30 if rk4 else 1)
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


# -- saving -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [50, 200, 201, 300])
def test_a_restored_box_goes_on_exactly(steps: int) -> None:
    """Also in the middle of a shift: another box with the saved state does the same, bit by bit."""
    one, other = Drivetrain(LOSSY), Drivetrain(LOSSY)
    for drivetrain in (one, other):
        drivetrain.motor.torque = 5.0
        drivetrain.box.manual_gear = 2
    one.run(steps)
    other.box.set_state_vars(one.box.get_state_vars())
    other.flywheel.speed = one.flywheel.speed
    other.solver.update_shafts()
    assert other.box.sensor_shifting == one.box.sensor_shifting
    one.run(300)
    other.run(300)
    assert other.box.get_state_vars() == one.box.get_state_vars()
    assert other.flywheel.speed == one.flywheel.speed
