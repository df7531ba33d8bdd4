"""Getting from one gear to the next, and holding in P."""

from dataclasses import replace
from itertools import pairwise

import pytest

from vehiclesim import GearboxSettings, GearboxType, GearMode
from vehiclesim.transmission.gearbox import BLOCKING_SPEED

from ..gear_stand import AROUND, BOX, INPUT_INERTIA, LOSSY, SHIFTING, STEP, Drivetrain
from ..states import change

AUTOMATIC = replace(LOSSY, type=GearboxType.AUTOMATIC)
SEQUENTIAL = replace(LOSSY, type=GearboxType.SEQUENTIAL)


@pytest.fixture
def drivetrain() -> Drivetrain:
    return Drivetrain()


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


@pytest.mark.parametrize("step", [0.0002, 0.001, 0.005])
def test_behind_a_converter_a_gear_is_engaged_by_a_clutch_that_slips(step: float) -> None:
    """Pedal down: a slip of 100 rad/s goes along (1-x)²·(1+2x) to zero in the shift time, with no jump of torque.

    What becomes of the energy: ½·I1·I2/(I1+I2)·Δw² of heat, I2 that of the flywheel at the input shaft.
    """
    drivetrain = Drivetrain(replace(BOX, type=GearboxType.AUTOMATIC), max_substep=step)
    box = drivetrain.box
    change(box, _mesh=box.get_state_vars()["_mesh"] | {"momentum": 100.0 * INPUT_INERTIA})
    box.automatic_gear = GearMode.DRIVE
    box.states.throttle = 0.1
    heat, torques = 0.0, [0.0]
    for number in range(1, round(0.2 / step) + 1):
        drivetrain.solver.step(step)
        heat += box.sensor_slip_power * step
        torques.append(drivetrain.output.out_td)
        left = drivetrain.input.L / drivetrain.input.I - 4.0 * drivetrain.output.L / drivetrain.output.I
        x = number * step / 0.2
        assert left == pytest.approx(100.0 * (1.0 - x) ** 2 * (1.0 + 2.0 * x), abs=1e-6)
    seen = 10.0 / 16.0
    assert heat == pytest.approx(0.5 * INPUT_INERTIA * seen / (INPUT_INERTIA + seen) * 100.0**2, rel=1e-9)
    drivetrain.solver.step(step)
    assert box.sensor_gear == 1
    torques.append(drivetrain.output.out_td)
    highest = 4.0 * 1.5 * 100.0 / 0.2 / (1.0 / INPUT_INERTIA + 1.0 / seen)
    assert max(torques) == pytest.approx(highest, rel=step / 0.02)
    assert max(abs(b - a) for a, b in pairwise(torques)) < 4.0 * highest * step / 0.2 * 1.01


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


# -- an automatic -------------------------------------------------------------------------------------------------


def test_a_blended_shift_takes_the_transition_time() -> None:
    """The old gear is shown, with `shifting`, until the ratio has arrived; only then it is the new one."""
    drivetrain = Drivetrain(AUTOMATIC)
    drivetrain.engage(1)
    drivetrain.put(input_speed=200.0, output_speed=50.0)
    drivetrain.box.gear_shift = 1
    for _ in range(500):
        drivetrain.run()
        assert (drivetrain.box.sensor_gear, drivetrain.box.sensor_shifting) == (1, True)
    drivetrain.run()
    assert (drivetrain.box.sensor_gear, drivetrain.box.sensor_shifting) == (2, False)


def test_a_blended_shift_may_turn_back_on_the_way() -> None:
    """The ratio goes back from where it is, in a whole transition time."""
    drivetrain = Drivetrain(replace(BOX, type=GearboxType.AUTOMATIC))
    drivetrain.engage(1)
    drivetrain.put(input_speed=200.0, output_speed=50.0)
    ratios = []
    for shift in (1, -1):
        drivetrain.box.gear_shift = shift
        drivetrain.run(250)
        ratios.append(drivetrain.motor.speed / drivetrain.flywheel.speed)
    assert ratios == pytest.approx([3.0, 3.5], rel=1e-3)
    drivetrain.run(251)
    assert (drivetrain.box.sensor_gear, drivetrain.box.sensor_shifting) == (1, False)


@pytest.mark.parametrize("blended", [True, False])
def test_from_one_direction_to_the_other_it_goes_through_neutral(*, blended: bool) -> None:
    """So does any shift of a box that does not blend."""
    drivetrain = Drivetrain(AUTOMATIC, replace(SHIFTING, blended=blended))
    drivetrain.engage(1)
    drivetrain.box.manual_gear = -1 if blended else 2
    for _ in range(200):
        drivetrain.run()
        assert (drivetrain.box.sensor_gear, drivetrain.box.sensor_shifting) == (0, True)


@pytest.mark.parametrize(("lever", "mode"), [(-3, GearMode.MANUAL), (4, GearMode.DRIVE), (12, GearMode.DRIVE_5)])
def test_the_mode_lever_is_held_to_modes_that_exist(lever: int, mode: int) -> None:
    """M P R N D D1 .. D5 are 0 .. 9; the position itself is corrected."""
    drivetrain = Drivetrain(AUTOMATIC)
    drivetrain.box.automatic_gear = lever
    drivetrain.run()
    assert drivetrain.box.automatic_gear == drivetrain.box.sensor_mode == mode


def test_a_manual_box_has_no_modes() -> None:
    """The mode lever moves nothing, and the mode is M."""
    drivetrain = Drivetrain()
    drivetrain.box.automatic_gear = GearMode.DRIVE
    drivetrain.run(500)
    assert (drivetrain.box.sensor_gear, drivetrain.box.sensor_mode) == (0, GearMode.MANUAL)


@pytest.mark.parametrize("pull", [-500.0, 500.0])
def test_in_park_the_output_stays_where_it_is(pull: float) -> None:
    """Under any torque and for a minute, less than a nanometre; the gear is 0, and the input shaft spins free."""
    drivetrain = Drivetrain(AUTOMATIC)
    drivetrain.box.automatic_gear = GearMode.PARK
    drivetrain.run()
    drivetrain.flywheel.reaction = pull
    drivetrain.motor.torque = 0.1
    angle = 0.0
    for _ in range(600):
        drivetrain.run(1, 0.1)
        angle += drivetrain.flywheel.speed * 0.1
    assert abs(angle) < 1e-9
    assert (drivetrain.box.sensor_gear, drivetrain.box.sensor_mode) == (0, GearMode.PARK)
    assert drivetrain.motor.speed == pytest.approx(0.1 * 60.0 / LOSSY.inertia, rel=0.01)


@pytest.mark.parametrize("speed", [4.9, -4.9])
def test_the_pawl_of_park_stops_a_vehicle_that_hardly_rolls(speed: float) -> None:
    """At 0.49 m/s within one substep, whatever drives it; the momentum goes into the housing."""
    drivetrain = Drivetrain(AUTOMATIC)
    drivetrain.put(input_speed=0.0, output_speed=speed)
    drivetrain.flywheel.reaction = 300.0
    drivetrain.box.automatic_gear = GearMode.PARK
    drivetrain.run()
    assert drivetrain.flywheel.speed == pytest.approx(0.0, abs=1e-12)


# -- the automatic clutch -----------------------------------------------------------------------------------------


def with_clutch() -> Drivetrain:
    drivetrain = Drivetrain(SEQUENTIAL, around=AROUND._replace(converter=False))
    drivetrain.box.states.engine_rpm = 3000.0
    return drivetrain


def test_the_clutch_opens_for_a_shift_and_closes_after_it() -> None:
    """Engaged in gear; 0 from the step after the gear is left until the next one is in, then closing in 0.3 s."""
    drivetrain = with_clutch()
    box = drivetrain.box
    requests = []
    box.gear_shift = 1
    for _ in range(600):
        box.work_clutch(STEP)
        requests.append(box.sensor_clutch_request)
        drivetrain.run()
    assert requests[:201] == [0.0] * 201
    assert requests[201:500] == pytest.approx([k / 300.0 for k in range(1, 300)], rel=1e-6)
    assert requests[501:] == [1.0] * 99


def test_the_engine_is_asked_for_the_speed_of_the_new_gear() -> None:
    """N·w_out while the shift lasts and the clutch closes, never less than idle; then it does as it likes."""
    drivetrain = with_clutch()
    drivetrain.flywheel.speed = 100.0
    drivetrain.solver.update_shafts()
    box = drivetrain.box
    assert box.sensor_target_rpm == -1.0
    box.manual_gear = 3
    drivetrain.run(100)
    assert box.sensor_target_rpm == pytest.approx(1.0 * 100.0 * 9.549296585513721, abs=50.0) == 1000.0
    box.manual_gear = 1
    drivetrain.run(300)
    assert box.sensor_gear == 1
    assert box.sensor_target_rpm == pytest.approx(4.0 * drivetrain.flywheel.speed * 9.549296585513721, rel=1e-9)
    drivetrain.run(300)
    assert box.sensor_target_rpm == -1.0


@pytest.mark.parametrize(
    "drivetrain",
    [Drivetrain(), Drivetrain(SEQUENTIAL), Drivetrain(AUTOMATIC)],
    ids=["manual", "sequential with converter", "automatic with converter"],
)
def test_no_clutch_is_worked_that_the_driver_has_or_that_is_not_there(drivetrain: Drivetrain) -> None:
    """The request stays at 1, and the engine is left alone."""
    box = drivetrain.box
    box.gear_shift = 1
    for _ in range(300):
        box.work_clutch(STEP)
        assert (box.sensor_clutch_request, box.sensor_target_rpm) == (1.0, -1.0)
        drivetrain.run()


@pytest.mark.parametrize("settings", [SEQUENTIAL, AUTOMATIC])
def test_a_box_that_does_something_by_itself_must_know_its_vehicle(settings: GearboxSettings) -> None:
    """ValueError at construction otherwise."""
    with pytest.raises(ValueError, match="must know the powertrain"):
        Drivetrain(settings, around=None)


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


@pytest.mark.parametrize("steps", [50, 300, 1500, 2000])
def test_a_restored_automatic_goes_on_exactly(steps: int) -> None:
    """Also while ratios blend, before and after a decision of its own."""
    one, other = Drivetrain(AUTOMATIC), Drivetrain(AUTOMATIC)
    for drivetrain in (one, other):
        drivetrain.motor.torque = 100.0
        drivetrain.box.automatic_gear = GearMode.DRIVE
        drivetrain.box.states.throttle = 0.9
    one.flywheel.speed = 70.0
    one.solver.update_shafts()
    one.run(steps)
    other.box.set_state_vars(one.box.get_state_vars())
    other.flywheel.speed = one.flywheel.speed
    other.solver.update_shafts()
    one.run(2000)
    other.run(2000)
    assert other.box.get_state_vars() == one.box.get_state_vars()
    assert other.flywheel.speed == one.flywheel.speed
    assert one.box.sensor_gear == 2
