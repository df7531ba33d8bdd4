"""The chassis on slipping tyres against closed formulas, and at rest."""

from itertools import pairwise
from math import atan, cos, hypot, pi, sqrt, tan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vehiclesim import Body, BodySettings, Brakes, Chassis, ChassisSettings, Steering, WheelSettings

from ..four_wheels import (
    AIR_DENSITY,
    AIRY,
    EQUIVALENT_MASS,
    GRAVITY,
    RESISTING,
    WEIGHT,
    Trolley,
    assert_restored_goes_on,
    distance,
    path_speed,
)

# -- straight ahead -------------------------------------------------------------------------------------------------


def test_torque_accelerates_mass_and_wheels() -> None:
    """v = sum T·t/R / (m + sum I/R²), but for the slip of the driven wheels."""
    trolley = Trolley(0, 1)
    trolley.drive(100.0)
    trolley.run(5.0, 0.005)
    assert trolley.speed == pytest.approx(200.0 / 0.3 * 5.0 / EQUIVALENT_MASS, rel=5e-3)


def test_terminal_velocity() -> None:
    """Where drive force = rolling resistance + drag: v = √((sum T/R - c0·m·g) / (½·rho·cd·A))."""
    trolley = Trolley(2, 3, wheel=RESISTING, body=AIRY, speed=58.0, max_substep=0.01)
    trolley.drive(200.0)
    trolley.run(200.0, 0.01)
    force = 400.0 / 0.3 - 0.01 * WEIGHT
    assert trolley.speed == pytest.approx(sqrt(force / (0.5 * AIR_DENSITY * 0.6)), rel=1e-6)


def test_coast_down() -> None:
    """v = √(a/b)·tan(atan(v0·√(b/a)) - √(ab)·t), a and b being rolling resistance and drag per mass."""
    trolley = Trolley(wheel=RESISTING, body=AIRY, speed=40.0, max_substep=0.005)
    speeds = trolley.run(100.0, 0.005)
    a = 0.01 * WEIGHT / EQUIVALENT_MASS
    b = 0.5 * AIR_DENSITY * 0.6 / EQUIVALENT_MASS
    for second in (10, 50, 100):
        expected = sqrt(a / b) * tan(atan(40.0 * sqrt(b / a)) - sqrt(a * b) * second)
        assert speeds[200 * second] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(("road_friction", "speed"), [(1.0, 30.0), (0.5, 15.0)])
def test_braking_distance(road_friction: float, speed: float) -> None:
    """v²/(2·mu·g) with locked wheels, which slide at 0.75 of the road's friction."""
    trolley = Trolley(speed=speed, max_substep=0.002)
    for wheel in trolley.wheels:
        wheel.road_friction = road_friction
    trolley.brakes.brake_input = 1.0
    speeds = trolley.run(1.0, 0.002)
    assert trolley.spins == [0.0] * 4
    forces = [wheel.force_x / wheel.sensor_load for wheel in trolley.wheels]
    assert forces == pytest.approx([-0.75 * road_friction] * 4, rel=1e-6)
    speeds += trolley.run(5.0, 0.002)[1:]
    assert distance(speeds, 0.002) == pytest.approx(speed**2 / (2.0 * 0.75 * road_friction * GRAVITY), rel=0.01)


def test_each_wheel_has_its_own_road() -> None:
    """With the left wheels on ice the braked car turns to the right, where the brakes' 280 Nm meet a road."""
    trolley = Trolley(speed=20.0)
    trolley.wheels[0].road_friction = trolley.wheels[2].road_friction = 0.1
    trolley.brakes.brake_input = 0.2
    trolley.run(0.5)
    assert trolley.chassis.sensor_yaw_rate < -0.1
    left, right = trolley.wheels[:2]
    assert 0.0 < -left.force_x <= 0.1 * 0.85 * left.sensor_load
    assert right.force_x == pytest.approx(-280.0 / 0.3, rel=0.05)


def test_the_slope_pulls() -> None:
    """g·sin on the free-rolling car, and the work goes into height."""
    trolley = Trolley()
    trolley.body.slope = -0.1
    trolley.run(2.0)
    pull = WEIGHT * 0.1 / sqrt(1.01)
    assert trolley.speed == pytest.approx(pull / EQUIVALENT_MASS * 2.0, rel=1e-2)
    assert trolley.chassis.sensor_slope_power == pytest.approx(-pull * trolley.speed, rel=1e-2)


# -- loads ----------------------------------------------------------------------------------------------------------


def test_loads_follow_the_forces_and_sum_up_to_the_weight() -> None:
    """Braked, in a turn, uphill: in every step m·g·cos(slope); front and outer wheels carry more."""
    trolley = Trolley(speed=20.0)
    assert trolley.loads == pytest.approx([0.3 * WEIGHT, 0.3 * WEIGHT, 0.2 * WEIGHT, 0.2 * WEIGHT], rel=1e-12)
    trolley.body.slope = 0.1
    trolley.brakes.brake_input = 0.1
    trolley.steering.steer_input = -0.1
    for _ in range(500):
        trolley.solver.step(0.001)
        assert sum(trolley.loads) == pytest.approx(WEIGHT / sqrt(1.01), rel=1e-12)
    front_left, front_right, rear_left, rear_right = trolley.loads
    assert front_right > front_left > 0.0
    assert rear_right > rear_left > 0.0
    assert front_left + front_right > 0.6 * WEIGHT


def test_load_transfer_of_a_locked_stop() -> None:
    """h/wheelbase·mu·F_z = 0.5/2.6·0.75·F_z goes to the front axle."""
    trolley = Trolley(speed=30.0)
    trolley.brakes.brake_input = 1.0
    trolley.run(1.0)
    front = trolley.loads[0] + trolley.loads[1]
    assert front == pytest.approx((0.6 + 0.5 / 2.6 * 0.75) * WEIGHT, rel=1e-6)


# -- turns ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steer", [-0.3, 0.3, -1.0])
def test_at_walking_speed_the_car_follows_ackermann(steer: float) -> None:
    """The centre of gravity runs on the circle √((L·cot(delta))² + b²), to the side of the steering wheel."""
    trolley = Trolley(speed=1.5)
    trolley.steering.steer_input = steer
    trolley.run(3.0)
    delta = 35.0 * -steer * pi / 180.0
    radius = hypot(2.6 / tan(delta), 2.6 * 0.6)
    yaw_rate = trolley.chassis.sensor_yaw_rate
    assert path_speed(trolley) / yaw_rate == pytest.approx(radius if steer < 0.0 else -radius, rel=5e-3)
    assert trolley.chassis.sensor_lateral_acceleration * yaw_rate > 0.0


def test_a_full_circle_ends_where_it_began() -> None:
    """Position and heading after 2·pi of yaw; the way between is a circle of that radius."""
    trolley = Trolley(speed=2.0, max_substep=0.005)
    trolley.steering.steer_input = -1.0
    trolley.run(3.0, 0.005)
    start = trolley.chassis.pose.get_state_vars()
    farthest = 0.0
    while trolley.chassis.pose.yaw < start["yaw"] + 2.0 * pi:
        trolley.solver.step(0.005)
        pose = trolley.chassis.pose
        farthest = max(farthest, hypot(pose.x - start["x"], pose.y - start["y"]))
    assert hypot(trolley.chassis.pose.x - start["x"], trolley.chassis.pose.y - start["y"]) < 0.1
    assert farthest == pytest.approx(2.0 * hypot(2.6 / tan(35.0 * pi / 180.0), 2.6 * 0.6), rel=0.01)


def test_the_lateral_force_holds_the_car_on_its_circle() -> None:
    """sum F_y = m·v·r in a steady turn at 15 m/s; front and rear tyres share it as they share the weight."""
    trolley = Trolley(0, 1, 2, 3, speed=15.0)
    trolley.steering.steer_input = -0.06
    trolley.run(3.0)
    chassis = trolley.chassis
    across = 1000.0 * path_speed(trolley) * chassis.sensor_yaw_rate
    assert chassis.sensor_lateral_acceleration == pytest.approx(across / 1000.0, rel=1e-2)
    front = sum(wheel.force_y for wheel in trolley.wheels[:2]) * cos(0.06 * 35.0 * pi / 180.0)
    rear = sum(wheel.force_y for wheel in trolley.wheels[2:])
    assert front + rear == pytest.approx(across, rel=1e-2)
    assert front / rear == pytest.approx(0.6 / 0.4, rel=0.01)


def test_no_turn_takes_more_than_the_tyres_have() -> None:
    """At 30 m/s and full lock the lateral acceleration stays below the peak of the table; the car ploughs on."""
    trolley = Trolley(speed=30.0)
    trolley.steering.steer_input = -1.0
    for _ in range(2000):
        trolley.solver.step(0.001)
        assert abs(trolley.chassis.sensor_lateral_acceleration) <= 0.85 * GRAVITY * (1.0 + 1e-9)
    assert trolley.chassis.sensor_yaw_rate > 0.0


def test_left_and_right_are_mirror_images() -> None:
    """Speeds and loads of a turn under braking, bit by bit."""
    left, right = Trolley(speed=20.0), Trolley(speed=20.0)
    left.steering.steer_input, right.steering.steer_input = -0.2, 0.2
    left.brakes.brake_input = right.brakes.brake_input = 0.1
    assert left.run(2.0) == right.run(2.0)
    assert left.chassis.sensor_yaw_rate == -right.chassis.sensor_yaw_rate
    assert left.loads == [right.loads[place] for place in (1, 0, 3, 2)]


def test_a_straight_car_stays_straight() -> None:
    """No lateral speed and no yaw, exactly, however long it brakes and drives."""
    trolley = Trolley(0, 1, speed=30.0)
    trolley.brakes.brake_input = 0.5
    trolley.run(3.0)
    trolley.brakes.brake_input = 0.0
    trolley.drive(500.0)
    trolley.run(3.0)
    assert (trolley.chassis.pose.y, trolley.chassis.pose.yaw) == (0.0, 0.0)


# -- energy, time, state --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steer", [0.0, 0.1])
def test_the_energy_ledger_balances(steer: float) -> None:
    """Work of the motors = losses of brakes, rolling, tyres and air + height + kinetic energy, step by step.

    No loss is negative on the whole way; tyres may give back what their deflection held, never more than they took.
    """
    trolley = Trolley(0, 1, wheel=WheelSettings(), body=AIRY, speed=0.0)
    trolley.steering.steer_input = steer
    trolley.body.slope = 0.05
    losses = {"brake": 0.0, "rolling": 0.0, "tyre": 0.0, "drag": 0.0}
    work = height = 0.0
    chassis = trolley.chassis
    for number in range(8000):
        second = number * 0.001
        trolley.drive(600.0 if second < 3.0 else 0.0)
        trolley.brakes.brake_input = 0.0 if second < 3.5 else 0.3
        before = trolley.spins
        trolley.solver.step(0.001)
        for place, motor in enumerate(trolley.motors):
            work += motor.torque * 0.5 * (before[place] + trolley.spins[place]) * 0.001
        losses["brake"] += sum(wheel.sensor_brake_power for wheel in trolley.wheels) * 0.001
        losses["rolling"] += sum(wheel.sensor_rolling_power for wheel in trolley.wheels) * 0.001
        losses["tyre"] += chassis.sensor_tyre_power * 0.001
        losses["drag"] += chassis.sensor_drag_power * 0.001
        height += chassis.sensor_slope_power * 0.001
        assert min(losses.values()) >= 0.0
    assert trolley.speed == 0.0
    assert height == pytest.approx(trolley.body.slope_force() * chassis.pose.x, rel=1e-3 if steer == 0.0 else 0.1)
    assert work == pytest.approx(sum(losses.values()) + height + chassis.sensor_kinetic_energy, rel=1e-9)
    assert min(losses.values()) > 0.0


def test_the_substep_hardly_matters() -> None:
    """Speed, way and heading after 6 s of driving, turning and braking: 1 ms against 0.25 ms within half a percent."""
    results = []
    for substep in (0.001, 0.00025):
        trolley = Trolley(0, 1, wheel=WheelSettings(), body=AIRY, speed=5.0, max_substep=substep)
        trolley.drive(300.0)
        trolley.run(2.0, 0.01)
        trolley.steering.steer_input = -0.1
        trolley.run(2.0, 0.01)
        trolley.drive(0.0)
        trolley.brakes.brake_input = 0.2
        trolley.run(1.0, 0.01)
        pose = trolley.chassis.pose
        results.append((trolley.speed, pose.x, pose.y, pose.yaw))
    assert results[0] == pytest.approx(results[1], rel=5e-3)


def test_the_step_hardly_matters() -> None:
    """One step of 100 ms is a hundred substeps of 1 ms: the same speeds to the last bit, the same place to 0.1 %."""
    fine, coarse = Trolley(speed=20.0), Trolley(speed=20.0)
    for trolley in (fine, coarse):
        trolley.steering.steer_input = -0.1
        trolley.brakes.brake_input = 0.05
    fine.run(2.0, 0.001)
    coarse.run(2.0, 0.1)
    assert coarse.speed == pytest.approx(fine.speed, rel=1e-12)
    assert coarse.chassis.pose.x == pytest.approx(fine.chassis.pose.x, rel=1e-3)
    assert coarse.chassis.pose.y == pytest.approx(fine.chassis.pose.y, rel=1e-2)


def test_a_restored_car_goes_on_exactly() -> None:
    """Another one with the saved states has the same speeds and sensors, bit by bit."""
    assert_restored_goes_on(Trolley(0, 1, speed=20.0), Trolley(0, 1))


@settings(max_examples=25)
@given(
    mass=st.floats(100.0, 40_000.0),
    front_weight=st.floats(0.1, 0.9),
    height=st.floats(0.0, 1.3),
    speed=st.floats(-50.0, 50.0),
    controls=st.lists(
        st.tuples(
            st.floats(-1.0, 1.0), st.floats(0.0, 1.0), st.floats(-2000.0, 2000.0), st.sampled_from([0.05, 0.5, 1.0])
        ),
        min_size=1,
        max_size=4,
    ),
    substep=st.sampled_from([0.001, 0.005]),
)
def test_no_driving_breaks_it(
    mass: float,
    front_weight: float,
    height: float,
    speed: float,
    controls: list[tuple[float, float, float, float]],
    substep: float,
) -> None:
    """Any vehicle under any steering, braking, torque and grip stays finite, and faster only by its motors."""
    chassis = ChassisSettings(front_weight=front_weight, centre_of_gravity_height=height)
    trolley = Trolley(0, 1, body=BodySettings(mass=mass), chassis=chassis, speed=speed, max_substep=substep)
    energy = trolley.chassis.sensor_kinetic_energy
    for steer, brake, torque, grip in controls:
        trolley.steering.steer_input = steer
        trolley.brakes.brake_input = brake
        trolley.drive(torque)
        for wheel in trolley.wheels:
            wheel.road_friction = grip
        for _ in range(round(0.5 / substep)):
            before = trolley.spins
            trolley.solver.step(substep)
            after = trolley.spins
            energy += sum(abs(torque * 0.5 * (before[k] + after[k])) * substep for k in (0, 1))
            assert trolley.chassis.sensor_kinetic_energy <= energy * 1.001 + 1.0


def test_a_chassis_has_four_wheels() -> None:
    with pytest.raises(ValueError, match="four wheels, not 0"):
        Chassis(ChassisSettings(), Body(), [], Steering(), Brakes())


def test_speeds_fall_steadily_under_braking() -> None:
    """Down to the stop each speed is below the one before: nothing chatters."""
    trolley = Trolley(speed=20.0)
    trolley.brakes.brake_input = 0.4
    speeds = trolley.run(3.0)
    assert all(two < one for one, two in pairwise(speeds))
