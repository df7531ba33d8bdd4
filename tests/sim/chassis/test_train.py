"""A vehicle with a trailer: conservation, loads, sway, off-tracking, reversing, rest, restoring."""

from dataclasses import replace
from math import cos, hypot, log, pi, sin, sqrt

import pytest

from vehiclesim.parameters import (
    BodySettings,
    ChassisSettings,
    TrailerSettings,
    TyreSettings,
    VehicleSettings,
    WheelSettings,
)

from ..linear_train import GRAVITY, LinearTrain
from ..trains import CARAVAN, FRICTIONLESS, Train

AIRLESS = replace(CARAVAN, drag_area=0.0, wheels=FRICTIONLESS)
SEMITRAILER = replace(
    AIRLESS,
    mass=3000.0,
    yaw_inertia=9000.0,
    hitch_ahead=0.3,
    hitch_to_centre=2.5,
    hitch_to_axle=4.5,
    hitch_height=0.6,
    brake_torque=3000.0,
)
TRAILERS = pytest.mark.parametrize("trailer", [AIRLESS, SEMITRAILER], ids=["caravan", "semitrailer"])
RESISTING = WheelSettings(radius=0.3, inertia=1.0, rolling_resistance=0.01, rolling_resistance_speed=0.0)


def on_ice(train: Train) -> None:
    """Without any grip, until the next step."""
    for wheel in train.wheels:
        wheel.road_friction = 0.0


@TRAILERS
def test_without_grip_energy_and_momenta_stay(trailer: TrailerSettings) -> None:
    """Two bodies that swing about their hitch for four seconds: to 1e-12, while the angle turns by more than 60°."""
    train = Train(trailer)
    on_ice(train)
    train.swing(20000.0, 3000.0, 2000.0, -1500.0, 0.3)
    chassis = train.chassis
    energy, turn = chassis.sensor_kinetic_energy, train.angular_momentum()
    momentum = hypot(chassis._momentum_x, chassis._momentum_y)
    swept = 0.0
    for _ in range(4000):
        on_ice(train)
        train.solver.step(0.001)
        swept = max(swept, abs(train.trailer.articulation - 0.3))
        if train.trailer.sensor_at_stop:
            break
        assert chassis.sensor_kinetic_energy == pytest.approx(energy, rel=1e-12)
        assert train.angular_momentum() == pytest.approx(turn, rel=1e-11)
        assert hypot(chassis._momentum_x, chassis._momentum_y) == pytest.approx(momentum, rel=1e-12)
    assert swept > pi / 3.0


def test_the_bodies_hit_each_other_and_lose_what_is_told() -> None:
    """At the end of the angle they turn on together: momenta stay, and the loss is that of the stop, to 1e-12."""
    train = Train(replace(AIRLESS, most_articulation=30.0))
    on_ice(train)
    train.swing(20000.0, 3000.0, 2000.0, -1500.0, 0.3)
    energy, turn, lost = train.chassis.sensor_kinetic_energy, train.angular_momentum(), 0.0
    for _ in range(4000):
        on_ice(train)
        train.solver.step(0.001)
        assert train.trailer.sensor_stop_power >= 0.0
        lost += 0.001 * train.trailer.sensor_stop_power
        assert abs(train.trailer.articulation) < pi / 6.0 + 0.002
    assert train.angular_momentum() == pytest.approx(turn, rel=1e-11)
    assert lost > 0.01 * energy
    assert train.chassis.sensor_kinetic_energy + lost == pytest.approx(energy, rel=1e-12)


@TRAILERS
def test_a_standing_train_rests_on_its_axles_as_levers_do(trailer: TrailerSettings) -> None:
    """Hitch load m·g·(l - c)/l; the axles of the vehicle share it by its place."""
    train = Train(trailer)
    train.run(0.01)
    front, rear, axle = linear(train).loads
    loads = [wheel.load for wheel in train.all_wheels]
    assert loads[0] + loads[1] == pytest.approx(front, rel=1e-9)
    assert loads[2] + loads[3] == pytest.approx(rear, rel=1e-9)
    assert loads[4] + loads[5] == pytest.approx(axle, rel=1e-9)
    assert train.trailer.sensor_hitch_load == pytest.approx(trailer.mass * GRAVITY - axle, rel=1e-9)


@pytest.mark.parametrize("loss", [0.0, 1.0])
def test_braking_moves_load_forward_through_the_hitch(loss: float) -> None:
    """Moments of each body about the points on which it stands, from its own forces and deceleration alone."""
    train = Train(SEMITRAILER)
    train.trailer.brake_loss = loss
    train.launch(20.0)
    train.brakes.brake_input = 0.3
    train.run(1.0)
    chassis, trailer = train.chassis, train.trailer
    slowing = -chassis.sensor_acceleration
    assert slowing > 0.8
    own = sum(wheel.force_x for wheel in trailer.wheels)
    push = SEMITRAILER.mass * slowing + own  # forward on the vehicle
    assert chassis.sensor_hitch_x == pytest.approx(push, rel=1e-3)
    height, at = SEMITRAILER.centre_of_gravity_height, SEMITRAILER.hitch_height
    length = SEMITRAILER.hitch_to_axle
    about_axle = SEMITRAILER.mass * GRAVITY * (length - SEMITRAILER.hitch_to_centre)
    hitch = (about_axle + SEMITRAILER.mass * slowing * height - push * at) / length
    assert trailer.sensor_hitch_load == pytest.approx(hitch, rel=1e-3)
    settings = ChassisSettings()
    about_rear = 1500.0 * GRAVITY * settings.front_weight * settings.wheelbase + hitch * SEMITRAILER.hitch_ahead
    about_rear += 1500.0 * slowing * settings.centre_of_gravity_height + push * at
    front = train.wheels[0].load + train.wheels[1].load
    assert front == pytest.approx(about_rear / settings.wheelbase, rel=1e-3)
    whole = sum(wheel.load for wheel in train.all_wheels)
    assert whole == pytest.approx((1500.0 + SEMITRAILER.mass) * GRAVITY, rel=1e-12)


def linear(train: Train) -> LinearTrain:
    settings, trailer = ChassisSettings(), train.trailer
    rear = settings.wheelbase * settings.front_weight
    front = settings.wheelbase - rear
    return LinearTrain(
        train.body.mass,
        settings.yaw_dynamic_index * train.body.mass * front * rear,
        front,
        rear,
        trailer.hitch_ahead - rear,
        trailer.mass,
        trailer.yaw_inertia,
        trailer.to_centre,
        trailer.to_axle,
    )


def sway_of(trailer: TrailerSettings, speed: float) -> tuple[float, float]:
    """Growth [1/s] and frequency [rad/s] of the angle after a knock, from its peaks; the bodies do not lean."""
    level = ChassisSettings(centre_of_gravity_height=0.0)
    train = Train(replace(trailer, centre_of_gravity_height=0.0), chassis=level)
    train.launch(speed)
    state = train.chassis.get_state_vars()
    state["trailer"]["momentum"] = trailer.yaw_inertia * 0.01
    train.chassis.set_state_vars(state)
    train.solver.update_shafts()
    angles = []
    for _ in range(6000):
        train.solver.step(0.001)
        angles.append(train.trailer.articulation)
    peaks = [
        (k, angles[k])
        for k in range(1200, len(angles) - 1)
        if abs(angles[k]) > max(abs(angles[k - 1]), abs(angles[k + 1])) and abs(angles[k]) > 1e-9
    ]
    (first, one), (last, two) = peaks[0], peaks[-1]
    seconds = (last - first) * 0.001
    return log(abs(two) / abs(one)) / seconds, pi * (len(peaks) - 1) / seconds


def test_a_caravan_sways_as_the_linear_equations_say() -> None:
    """Damping and frequency at 20 to 40 m/s are those of their eigenvalues."""
    for speed in (20.0, 30.0, 40.0):
        expected = linear(Train(AIRLESS)).sway(speed)
        growth, frequency = sway_of(AIRLESS, speed)
        assert growth == pytest.approx(expected.real, abs=0.03), speed
        assert frequency == pytest.approx(abs(expected.imag), rel=0.02), speed


def test_the_critical_speed_is_that_of_the_linear_equations() -> None:
    """A tail-heavy caravan: damped 3 % below, growing 3 % above."""
    tail_heavy = replace(AIRLESS, mass=1500.0, hitch_to_centre=4.05, yaw_inertia=4500.0)
    critical = linear(Train(tail_heavy)).critical_speed()
    assert 15.0 < critical < 40.0
    assert sway_of(tail_heavy, 0.97 * critical)[0] < 0.0
    assert sway_of(tail_heavy, 1.03 * critical)[0] > 0.0


def axle_place(train: Train) -> tuple[float, float]:
    """Middle of the trailer's axle over ground [m], from position, heading and angle."""
    pose, trailer = train.chassis.pose, train.trailer
    heading = pose.yaw + trailer.articulation
    return (
        pose.x + train.hitch * cos(pose.yaw) - trailer.to_axle * cos(heading),
        pose.y + train.hitch * sin(pose.yaw) - trailer.to_axle * sin(heading),
    )


@TRAILERS
@pytest.mark.parametrize("steer", [-0.6, 0.6])
def test_at_walking_pace_the_axle_runs_on_the_circle_of_geometry(trailer: TrailerSettings, steer: float) -> None:
    """R_t² = R² + x² - l² with the radius R of the rear axle and the hitch x before it, to 1 %."""
    train = Train(trailer)
    train.launch(1.5)
    train.steering.steer_input = steer
    train.drive(3.0)
    train.run(20.0)
    chassis = train.chassis
    radius, yaw, rear = chassis.sensor_speed / chassis.sensor_yaw_rate, chassis.pose.yaw, chassis._to_rear
    centre_x = chassis.pose.x - rear * cos(yaw) - radius * sin(yaw)
    centre_y = chassis.pose.y - rear * sin(yaw) + radius * cos(yaw)
    x, y = axle_place(train)
    expected = sqrt(radius**2 + trailer.hitch_ahead**2 - trailer.hitch_to_axle**2)
    assert abs(radius) - expected > 0.8
    assert hypot(x - centre_x, y - centre_y) == pytest.approx(expected, rel=0.01)
    assert train.trailer.articulation * steer > 0.0  # it follows inside


def test_backwards_it_jack_knifes() -> None:
    """A small angle grows as d(gamma)/dt = u/l·sin(gamma), until the bodies touch; forwards it dies away."""
    train = Train(AIRLESS)
    train.launch(-1.0, 0.02)
    train.run(4.0)
    assert train.trailer.articulation == pytest.approx(0.02 * 2.718281828 ** (4.0 / 4.0), rel=0.1)
    train.drive(-20.0)
    train.run(12.0)
    assert train.trailer.sensor_at_stop
    assert abs(train.trailer.articulation) < pi / 2.0 + 0.005
    train = Train(AIRLESS)
    train.launch(1.0, 0.02)
    train.run(8.0)
    assert 0.0 < train.trailer.articulation < 0.01


@TRAILERS
@pytest.mark.parametrize("grade", [0.15, -0.15])
@pytest.mark.parametrize("articulation", [0.0, 0.5, -1.2])
def test_a_braked_train_stands_exactly(trailer: TrailerSettings, grade: float, articulation: float) -> None:
    """On a slope, straight or at an angle: within three seconds nothing moves, to the last bit."""
    train = Train(trailer)
    train.body.slope = grade
    train.brakes.brake_input = 1.0
    train.launch(0.0, articulation)
    train.run(3.0)
    angle = train.trailer.articulation
    assert angle == pytest.approx(articulation, abs=0.01)
    assert set(train.run(1.0)) == {0.0}
    assert [wheel.spin for wheel in train.all_wheels] == [0.0] * 6
    assert train.trailer.articulation == angle


def test_a_train_that_jack_knifed_comes_to_rest() -> None:
    """On locked wheels of the vehicle, with the trailer unbraked, on a slope."""
    train = Train(AIRLESS, wheel=RESISTING)
    train.trailer.brake_loss = 1.0
    train.launch(15.0)
    train.steering.steer_input = 0.4
    train.run(0.7)
    train.brakes.brake_input = train.brakes.handbrake_input = 1.0
    train.run(10.0)
    assert abs(train.trailer.articulation) > 0.2
    assert set(train.run(1.0)) == {0.0}


def test_left_is_the_mirror_of_right() -> None:
    """To 1e-10: speeds equal, lateral speed, yaw rates and angle of the other sign."""
    trains = [Train(AIRLESS), Train(AIRLESS)]
    for train, sign in zip(trains, (1.0, -1.0), strict=True):
        train.launch(15.0)
        train.steering.steer_input = sign * 0.15
        train.run(1.0)
        train.brakes.brake_input = 0.3
        train.run(1.0)
    (one, other) = (train.chassis for train in trains)
    assert abs(one.trailer.articulation) > 0.05
    assert one.sensor_speed == pytest.approx(other.sensor_speed, rel=1e-10)
    assert one.sensor_lateral_speed == pytest.approx(-other.sensor_lateral_speed, rel=1e-10)
    assert one.sensor_yaw_rate == pytest.approx(-other.sensor_yaw_rate, rel=1e-10)
    assert one.trailer.yaw_rate == pytest.approx(-other.trailer.yaw_rate, rel=1e-10)
    assert one.trailer.articulation == pytest.approx(-other.trailer.articulation, rel=1e-10)


def test_a_restored_train_goes_on_bit_by_bit() -> None:
    """In a bend, braking: the same speeds, loads and angle from then on."""
    one, other = Train(), Train()
    for train in (one, other):
        train.steering.steer_input = -0.1
        train.brakes.brake_input = 0.1
    one.launch(20.0)
    one.run(0.5)
    other.chassis.set_state_vars(one.chassis.get_state_vars())
    for wheel, saved in zip(other.wheels, one.wheels, strict=True):
        wheel.set_state_vars(saved.get_state_vars())
    other.solver.update_shafts()
    assert [wheel.load for wheel in other.all_wheels] == [wheel.load for wheel in one.all_wheels]
    assert other.run(0.5) == one.run(0.5)
    assert other.chassis.get_state_vars() == one.chassis.get_state_vars()


def test_the_brakes_of_the_trailer_follow_with_their_lag() -> None:
    """1 - e^-1 of the torque after the lag; with the lines unplugged none, and nothing of the handbrake."""
    train = Train(replace(CARAVAN, brake_lag=0.4))
    train.brakes.brake_input = 0.5
    train.run(0.4)
    assert train.trailer.wheels[0].brake_torque == pytest.approx(0.5 * 1500.0 * 0.632, rel=0.01)
    train.trailer.brake_loss = 1.0
    train.run(0.001)
    assert train.trailer.wheels[0].brake_torque == 0.0


def test_prescribed_motion_takes_the_trailer_along() -> None:
    """On its own wheels, without slip: the axle has no speed across, at any angle."""
    train = Train(AIRLESS)
    train.trailer.turn(0.4)
    train.chassis.roll(8.0, 0.2, 0.0)
    for wheel in train.trailer.wheels:
        assert wheel.speed_y == pytest.approx(0.0, abs=1e-12)
        assert wheel.spin == wheel.speed_x / wheel.radius


def test_the_drag_of_the_trailer_is_its_own() -> None:
    """½·ρ·A·v² of both areas slows the train, thinner air less."""
    train = Train(replace(CARAVAN, drag_area=2.0, wheels=FRICTIONLESS), body=BodySettings(mass=1500.0, drag_area=0.5))
    train.body.set_air_density(0.8)
    train.launch(30.0)
    train.run(0.01)
    rims = sum(wheel.inertia / wheel.radius**2 for wheel in train.all_wheels)
    force = 0.5 * 1.225 * 0.8 * 2.5 * 900.0
    assert train.chassis.sensor_acceleration == pytest.approx(-force / (2700.0 + rims), rel=2e-2)
    assert train.chassis.sensor_drag_power == pytest.approx(force * 30.0, rel=2e-3)


def test_tyres_that_never_slip_pull_no_trailer() -> None:
    with pytest.raises(ValueError, match="trailer: tyre_dynamics"):
        VehicleSettings(trailer=CARAVAN, tyre=TyreSettings(tyre_dynamics=False))
