"""ABS: stopping distances, locked wheels, the rate of its cycles, valves, and a car that can be steered in a stop."""

from itertools import pairwise
from math import degrees, exp, hypot

import pytest

from vehiclesim import ROAD, ChassisData, GearMode, InputData, RoadData, Vehicle, VehicleData, VehicleSettings
from vehiclesim.parameters.aids import AbsSettings, AidsSettings

from ..four_wheels import AIR_DENSITY, GRAVITY
from ..road import run
from ..states import roll_at
from ..whole_cars import rolling
from .aided import NO_AIDS, PEAK_SLIP, SHIPPED, AidedTrolley, braking_slip, like, set_road, shipped

pytestmark = pytest.mark.long

FL, FR, RL, RR = range(4)


def with_abs(*, select_low: bool = True) -> AidsSettings:
    return AidsSettings(abs=AbsSettings(enabled=True, select_low=select_low))


def best_way(settings: VehicleSettings, speed: float, friction: float) -> float:
    """The way [m] to a stop with every tyre at the peak of its table, and the drag of the air."""
    drag = 0.5 * AIR_DENSITY * settings.body.drag_area / settings.body.mass
    peak = -min(settings.tyre.longitudinal_friction) * friction * GRAVITY
    way = 0.0
    while speed > 0.0:
        way += 0.001 * speed
        speed -= 0.001 * (peak + drag * speed * speed)
    return way


@pytest.mark.parametrize("friction", [0.1, 0.3])
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_car_locks_no_wheel_on_ice_and_snow_and_stops_as_its_tyres_can(name: str, friction: float) -> None:
    """With the pedal fully down: no wheel stands for more than 0.2 s above 10 km/h, and the way is the best one + 10 %.

    It is not shorter than the best one by more than rolling resistance saves.
    """
    settings = shipped(name)
    trolley = like(settings, 12.0, settings.aids)
    set_road(trolley, friction)
    standing = [0.0] * 4
    while trolley.speed > 0.0:
        trolley.advance(brake=1.0)
        for place, wheel in enumerate(trolley.wheels):
            standing[place] = standing[place] + 0.001 if abs(wheel.spin * wheel.radius) < 0.1 else 0.0
        assert trolley.speed < 10.0 / 3.6 or max(standing) < 0.2
    assert 0.9 < trolley.chassis.pose.x / best_way(settings, 12.0, friction) < 1.1


@pytest.mark.parametrize("friction", [0.4, 1.0])
def test_axles_that_a_coupling_joins_both_brake(friction: float) -> None:
    """Full braking of the car with a viscous coupling, in neutral: the best way + 10 %.

    The rear axle turned the front one down by way of the coupling, whose brakes stayed empty: twice the best way.
    """
    settings = shipped("awd-estate")
    vehicle = rolling(settings, 15.0)
    vehicle.data.write(ROAD, RoadData.FRICTION, friction)
    vehicle.data.input[InputData.BRAKE] = 10_000
    while vehicle.chassis.sensor_speed > 0.0:
        vehicle.step(0.001)
    assert 0.9 < vehicle.chassis.pose.x / best_way(settings, 15.0, friction) < 1.1


@pytest.mark.parametrize(("friction", "speed"), [(0.1, 9.0), (0.3, 12.0), (1.0, 30.0)])
def test_its_rate_does_not_depend_on_the_tick(friction: float, speed: float) -> None:
    """4 to 15 cycles a second, counted at the wheel-speed sensors, and one way, at ticks of 0.5, 1 and 5 ms.

    A cycle is a fall and a rise of the wheel speed, beside the car's, by more than 0.05 m/s.
    """
    ways = []
    for delta_time in (0.0005, 0.001, 0.005):
        trolley = AidedTrolley(with_abs(), speed=speed)
        set_road(trolley, friction)
        slips = []
        while trolley.speed > 3.0:
            trolley.advance(brake=1.0, delta_time=delta_time)
            slips.append(braking_slip(trolley, FL))
        ways.append(trolley.chassis.pose.x)
        assert 4.0 < swings(slips, 0.05) / (len(slips) * delta_time) < 15.0
    assert ways == pytest.approx([ways[1]] * 3, rel=0.01)


@pytest.mark.parametrize(
    ("name", "friction", "speed"), [("compact", 1.0, 20.0), ("awd-estate", 1.0, 20.0), ("truck", 0.3, 12.0)]
)
def test_a_full_stop_hardly_depends_on_the_substep(name: str, friction: float, speed: float) -> None:
    """The way at 1 ms and at 0.1 ms within half a percent."""
    ways = []
    for substep in (0.001, 0.0001):
        settings = shipped(name)
        trolley = like(settings, speed, settings.aids)
        trolley.solver.max_substep = substep
        set_road(trolley, friction)
        while trolley.speed > 0.0:
            trolley.advance(brake=1.0)
        ways.append(trolley.chassis.pose.x)
    assert ways[0] == pytest.approx(ways[1], rel=5e-3)


def swings(values: list[float], least: float) -> int:
    """How often values fall and rise again, by more than `least` each."""
    count, falling, turn = 0, False, values[0]
    for value in values:
        if falling:
            turn = min(turn, value)
            if value > turn + least:
                count, falling, turn = count + 1, False, value
        else:
            turn = max(turn, value)
            if value < turn - least:
                falling, turn = True, value
    return count


def test_a_stop_on_a_dry_road_is_shorter_than_with_locked_wheels() -> None:
    """On mu = 0.85 at the peak and 0.75 sliding, the way is within 10 % of v²/(2·g·mu) over the first."""
    ways = []
    for settings in (with_abs(), NO_AIDS):
        trolley = AidedTrolley(settings, speed=20.0)
        while trolley.speed > 0.0:
            trolley.advance(brake=1.0)
        ways.append(trolley.chassis.pose.x)
    best = 20.0**2 / (2.0 * 0.85 * GRAVITY)
    assert best < ways[0] < 1.1 * best
    assert ways[0] < 0.97 * ways[1]


def test_the_valves_empty_a_brake_with_their_lag() -> None:
    """A wheel that stands on a road without grip: T = T_0·e^(-t/lag), to less than a thousandth."""
    trolley = AidedTrolley(with_abs(), speed=20.0)
    set_road(trolley, 0.0)
    trolley.wheels[FL].spin = 0.0
    torques = []
    for _ in range(100):
        trolley.advance(brake=0.5)
        torques.append(trolley.brakes.torques()[FL])
    for number in (5, 10, 20):
        assert torques[number - 1] / 700.0 == pytest.approx(exp(-number / 10.0), abs=0.03)
    assert torques[-1] < 0.7


def test_a_brake_is_held_while_its_wheel_comes_back_and_then_filled() -> None:
    """Emptied, held, filled: and filled no further than the pedal."""
    trolley = AidedTrolley(with_abs(), speed=20.0)
    set_road(trolley, 0.3)
    torques = []
    for _ in range(600):
        trolley.advance(brake=1.0)
        torques.append(trolley.brakes.torques()[FL])
    changes = [after - before for before, after in pairwise(torques)]
    assert min(changes[30:]) < -1.0
    assert any(change == 0.0 for change in changes[30:])
    assert 0.0 < max(changes[30:]) < 25.0
    assert max(torques) <= 1400.0


def test_a_brake_that_is_held_is_filled_again_when_its_wheel_is_back() -> None:
    """A torque that was held rises only where s_e < s_max/2, s_max being minimum_slip + 0.4·s_peak·v; several times."""
    trolley = AidedTrolley(with_abs(), speed=20.0)
    set_road(trolley, 0.3)
    wheel, torques, returns = trolley.wheels[FL], [0.0, 0.0], []
    while trolley.speed > 5.0:
        least = AbsSettings().minimum_slip + 0.4 * PEAK_SLIP * wheel.speed_x
        returned = braking_slip(trolley, FL) / least
        trolley.advance(brake=1.0)
        torques.append(trolley.brakes.torques()[FL])
        if torques[-3] == torques[-2] < torques[-1]:
            returns.append(returned)
    assert len(returns) > 4
    assert max(returns) < 0.55  # a substep goes by between the slip and the torque


def test_after_ice_the_brake_comes_back() -> None:
    """From mu = 0.085 to 0.85: within 0.6 s the car decelerates with nine tenths of what the dry road gives."""
    trolley = AidedTrolley(with_abs(), speed=30.0)
    set_road(trolley, 0.1)
    for _ in range(2000):
        trolley.advance(brake=1.0)
    set_road(trolley, 1.0)
    for _ in range(600):
        trolley.advance(brake=1.0)
    before = trolley.speed
    for _ in range(500):
        trolley.advance(brake=1.0)
    assert (before - trolley.speed) / 0.5 > 0.9 * 0.85 * GRAVITY


def split_stop(*, select_low: bool) -> AidedTrolley:
    """Two seconds of full braking with ice under the right wheels."""
    trolley = AidedTrolley(with_abs(select_low=select_low), speed=25.0)
    for place in (FR, RR):
        trolley.wheels[place].road_friction = 0.1
    for _ in range(2000):
        trolley.advance(brake=1.0)
        torques = trolley.brakes.torques()
        assert not select_low or torques[RL] == torques[RR]
    return trolley


def test_select_low_keeps_the_rear_axle_on_its_way() -> None:
    """On ice at one side both rear brakes get what the icy wheel holds: the car brakes less and turns less."""
    low, own = split_stop(select_low=True), split_stop(select_low=False)
    assert 0.0 < low.chassis.pose.yaw < own.chassis.pose.yaw
    speeds = [hypot(car.chassis.sensor_speed, car.chassis.sensor_lateral_speed) for car in (own, low)]
    assert speeds[0] < speeds[1]


@pytest.mark.parametrize("name", SHIPPED[:-1])
def test_a_driver_keeps_a_shipped_car_on_a_split_road(name: str) -> None:
    """UN R13-H, annex 6, 5.3.7: a full braking from 50 km/h with ice under one side, which the driver steers against.

    120 degrees in the first two seconds and 240 in all are enough, and the car stays within its lane.
    """
    settings = shipped(name)
    car = like(settings, 50.0 / 3.6, settings.aids)
    for place in (FR, RR):
        car.wheels[place].road_friction = 0.1
    time = angle = 0.0
    while car.speed > 1.5:
        heading = degrees(car.chassis.pose.yaw + 0.5 * car.chassis.sensor_yaw_rate)
        angle += max(-0.8, min(0.8, 10.0 * heading - angle))  # the driver turns by 800 degrees a second at most
        car.advance(steer=2.0 * angle / settings.steering.wheel_range, brake=1.0)
        time += 0.001
        assert abs(angle) < (120.0 if time < 2.0 else 240.0)
        assert abs(car.chassis.pose.y) < 0.8


@pytest.mark.parametrize(("name", "gear", "speed"), [("mx5-nd", 4, 15.0), ("leaf-ze1", 1, 12.0)])
def test_a_whole_car_brakes_in_gear_and_its_bus_shows_the_cycles(name: str, gear: int, speed: float) -> None:
    """On friction 0.2 no wheel stands above 10 km/h with the driveline closed.

    Its wheel speeds swing 4 to 15 times a second, and AbsEngaged is lit while they do.
    """
    car = Vehicle(shipped(name))
    inputs, chassis = car.data.input, car.data.chassis
    inputs[InputData.CLUTCH], inputs[InputData.KEY], inputs[InputData.BRAKE] = 10_000, 1, 5000
    run(car, 1.5)
    inputs[InputData.KEY] = inputs[InputData.BRAKE] = 0
    roll_at(car, speed)
    inputs[InputData.MANUAL_GEAR], inputs[InputData.AUTOMATIC_GEAR] = gear, GearMode.DRIVE
    run(car, 0.5)
    inputs[InputData.CLUTCH] = 0
    run(car, 0.5)
    car.data.road[RoadData.FRICTION] = 2000
    inputs[InputData.BRAKE] = 10_000
    slips, lit = [], 0
    while car.chassis.sensor_speed > 10.0 / 3.6:
        car.step(0.001)
        wheels = chassis[ChassisData.WHEEL_SPEED_FRONT_LEFT : ChassisData.WHEEL_SPEED_REAR_RIGHT + 1]
        assert min(wheels) > 0
        slips.append(car.chassis.sensor_speed - 0.001 * wheels[FL])
        lit += car.data.vehicle[VehicleData.ABS_ENGAGED]
    assert 4.0 < swings(slips, 0.05) / (0.001 * len(slips)) < 15.0
    assert lit > 0.9 * len(slips)


@pytest.mark.parametrize(("speed", "brake", "engaged"), [(1.4, 1.0, False), (2.5, 1.0, True), (20.0, 0.0, False)])
def test_it_is_for_braking_at_speed(speed: float, brake: float, engaged: bool) -> None:
    """Below 1.5 m/s and with the pedal released a locked wheel is left alone; forward and backward alike."""
    for direction in (1.0, -1.0):
        trolley = AidedTrolley(with_abs(), speed=direction * speed)
        trolley.wheels[FR].spin = 0.0
        for _ in range(3):
            trolley.advance(brake=brake)
        assert trolley.aids.sensor_abs_engaged is engaged
        assert (trolley.brakes.torques()[FR] < 1400.0 * brake) is engaged


def test_the_car_can_be_steered_while_it_brakes() -> None:
    """Within a full braking to the left the car leaves its lane of 3.5 m; on locked wheels it goes straight on."""
    ways = []
    for settings in (with_abs(), NO_AIDS):
        trolley = AidedTrolley(settings, speed=25.0)
        while trolley.speed > 3.0:
            trolley.advance(steer=-0.1, brake=1.0)
        ways.append(trolley.chassis.pose.y)
    assert ways[0] > 3.5
    assert abs(ways[1]) < 0.5


def test_gentle_braking_is_left_alone() -> None:
    """Not a bit differs while no wheel slips beyond its peak."""
    with_aid, without = AidedTrolley(with_abs(), speed=25.0), AidedTrolley(NO_AIDS, speed=25.0)
    for _ in range(2000):
        for trolley in (with_aid, without):
            trolley.advance(brake=0.3)
        assert not with_aid.aids.sensor_abs_engaged
    assert with_aid.chassis.get_state_vars() == without.chassis.get_state_vars()
