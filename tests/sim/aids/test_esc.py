"""ESC: cars that would spin, and which wheel is braked when."""

from dataclasses import replace
from math import atan2, degrees, pi, sin

import pytest

from vehiclesim import ChassisSettings, InputData, RoadData, Steering, Vehicle, VehicleData
from vehiclesim.parameters.aids import AbsSettings, AidsSettings, EscSettings

from ..four_wheels import GRAVITY
from ..road import run
from ..states import roll_at
from .aided import NO_AIDS, SHIPPED, AidedTrolley, like, place, set_road, shipped, sideslip

pytestmark = pytest.mark.long

FL, FR, RL, RR = range(4)
WITH_ESC = AidsSettings(esc=EscSettings(enabled=True))
SAFE = AidsSettings(abs=AbsSettings(enabled=True), esc=EscSettings(enabled=True))
TAIL_HEAVY = ChassisSettings(front_weight=0.45)


@pytest.mark.parametrize(
    ("steer", "friction"), [(0.05, 0.3), (-0.1, 0.3), (0.1, 0.3), (-0.3, 0.3), (-0.1, 0.85), (0.1, 0.85)]
)
def test_a_step_steer_at_100_km_h_does_not_spin_the_car(steer: float, friction: float) -> None:
    """A tail-heavy car: its sideslip passes 28 degrees without ESC, and stays below 13 with it.

    It turns as it is steered all the while, by no less than 15 degrees in five seconds.
    """
    slips = []
    for settings in (WITH_ESC, NO_AIDS):
        trolley = AidedTrolley(settings, speed=27.8, chassis=TAIL_HEAVY)
        set_road(trolley, friction)
        worst = 0.0
        for _ in range(5000):
            trolley.advance(steer=steer)
            worst = max(worst, abs(sideslip(trolley)))
        slips.append(worst)
        assert trolley.chassis.pose.yaw * -steer > 0.0
        assert abs(trolley.chassis.pose.yaw) > 0.26
    assert slips[0] < 13.0
    assert slips[1] > 28.0


@pytest.mark.parametrize("friction", [0.3, 0.85])
def test_a_slalom_does_not_spin_the_car(friction: float) -> None:
    """One second to the left and one to the right: with ESC the car runs straight again, as it was steered."""
    angles = []
    for settings in (WITH_ESC, NO_AIDS):
        trolley = AidedTrolley(settings, speed=27.8, chassis=ChassisSettings(front_weight=0.5))
        set_road(trolley, friction)
        for step in range(6000):
            trolley.advance(steer=-0.1 if step < 1000 else 0.1 if step < 2000 else 0.0)
        angles.append(abs(sideslip(trolley)))
    assert angles[0] < 3.0
    assert angles[1] > 45.0


def sine_with_dwell(car: AidedTrolley, amplitude: float) -> tuple[float, float]:
    """Return the greatest sideslip [deg] and yaw rate [deg/s] of the manoeuvre of FMVSS 126.

    It is a sine of 0.7 Hz that stays for 0.5 s at its second peak, `amplitude` as a share of the wheel's travel.
    """
    period = 1.0 / 0.7
    slip = yaw = 0.0
    for step in range(4000):
        time = 0.001 * step
        if time > 0.75 * period:
            time = max(0.75 * period, time - 0.5)
        car.advance(steer=-amplitude * sin(2.0 * pi * time / period) if time < period else 0.0)
        slip = max(slip, abs(sideslip(car)))
        yaw = max(yaw, abs(degrees(car.chassis.sensor_yaw_rate)))
    return slip, yaw


@pytest.mark.parametrize("name", SHIPPED[:-1])
def test_a_shipped_car_holds_the_sine_with_dwell(name: str) -> None:
    """At 80 km/h on friction 0.4, half way to the lock: below 20 degrees of sideslip.

    On friction 1 its yaw rate does not become higher by ESC.
    """
    settings = shipped(name)
    slippery = like(settings, 22.2, settings.aids)
    set_road(slippery, 0.4)
    assert sine_with_dwell(slippery, 0.5)[0] < 20.0
    yaw, without = (sine_with_dwell(like(settings, 22.2, aids), 0.5)[1] for aids in (settings.aids, NO_AIDS))
    assert yaw <= 1.001 * without


@pytest.mark.parametrize("name", SHIPPED[:-1])
def test_a_quick_lane_change_on_a_dry_road_is_left_alone(name: str) -> None:
    """A sine of 0.5 Hz at 120 km/h, and of 0.25 Hz at 80: some 3 m/s²."""
    settings = shipped(name)
    for speed, frequency in ((33.3, 0.5), (22.2, 0.25)):
        car = like(settings, speed, settings.aids)
        angle = degrees(3.0 * settings.chassis.wheelbase / speed**2) + 2.0 * 3.0 / GRAVITY  # 2 degrees a g more
        highest = 0.0
        for step in range(round(1000 / frequency)):
            car.advance(steer=-angle / settings.steering.max_angle * sin(0.002 * pi * frequency * step))
            assert not car.aids.sensor_esc_engaged
            highest = max(highest, abs(car.chassis.sensor_lateral_acceleration))
        assert highest > 1.5


@pytest.mark.parametrize(("friction", "weight"), [(0.4, 0.5), (1.0, 0.45)])
def test_a_car_that_would_spin_holds_the_sine_with_dwell(friction: float, weight: float) -> None:
    """One that steers neutrally, by tyres whose force is proportional to the load: 60 degrees and more without ESC."""
    slips, yaws = [], []
    for aids in (SAFE, NO_AIDS):
        trolley = AidedTrolley(aids, speed=22.2, chassis=ChassisSettings(front_weight=weight))
        set_road(trolley, friction)
        slip, yaw = sine_with_dwell(trolley, 0.4)
        slips.append(slip)
        yaws.append(yaw)
    assert slips[0] < 20.0
    assert slips[1] > 60.0
    assert yaws[0] < yaws[1]


@pytest.mark.parametrize(("friction", "speed", "steer"), [(0.6, 11.0, -0.15), (0.4, 11.0, -0.1)])
def test_a_power_slide_is_caught_by_brakes_and_throttle(friction: float, speed: float, steer: float) -> None:
    """The MX-5, driven at the rear, in second gear in a bend: at full throttle it spins, with ESC alone it does not.

    The engine gets less than the pedal says, and the bus shows that.
    """
    settings = shipped("mx5-nd")
    slips = []
    for esc in (EscSettings(enabled=True), EscSettings()):
        car = Vehicle(replace(settings, aids=AidsSettings(esc=esc)))
        inputs, shown = car.data.input, car.data.vehicle
        inputs[InputData.CLUTCH], inputs[InputData.KEY] = 10_000, 1
        run(car, 1.0)
        inputs[InputData.KEY], inputs[InputData.MANUAL_GEAR] = 0, 2
        roll_at(car, speed)
        run(car, 0.5)
        inputs[InputData.CLUTCH], inputs[InputData.THROTTLE] = 0, 2000
        run(car, 0.5)
        car.data.road[RoadData.FRICTION] = round(friction * 10_000)
        inputs[InputData.STEER] = round(steer * 10_000)
        run(car, 1.0)
        inputs[InputData.THROTTLE] = 10_000
        worst, least = 0.0, 10_000
        for _ in range(3000):
            car.step(0.001)
            chassis = car.chassis
            worst = max(worst, abs(degrees(atan2(chassis.sensor_lateral_speed, chassis.sensor_speed))))
            least = min(least, shown[VehicleData.THROTTLE_SIGNAL])
            assert shown[VehicleData.THROTTLE_SIGNAL] == 10_000 or shown[VehicleData.ESC_ENGAGED] == 1
        slips.append(worst)
        assert (least < 9000) is esc.enabled
    assert slips[0] < 20.0
    assert slips[1] > 60.0


def braked(settings: AidsSettings, steer: float, speed: float, lateral: float, yaw_rate: float) -> list[float]:
    """What each wheel is braked with [N m], in a motion that is given."""
    trolley = AidedTrolley(settings)
    trolley.steering.steer_input = trolley.aids.steer_input = steer
    place(trolley, speed, lateral, yaw_rate)
    for _ in range(60):  # six seconds: valves and wanted yaw rate have settled
        trolley.aids.step(0.1)
    assert trolley.aids.sensor_esc_engaged is (max(trolley.brakes.added) > 0.0)
    return trolley.brakes.added


@pytest.mark.parametrize(
    ("steer", "lateral", "yaw_rate", "wheel"),
    [
        (0.0, 0.0, 1.2, FR),  # turns left on its own
        (0.0, 0.0, -1.2, FL),
        (-0.2, 0.0, 1.8, FR),  # turns left more than it is steered
        (0.2, 0.0, -1.8, FL),
        (-0.5, 0.0, 0.0, RL),  # does not follow to the left
        (0.5, 0.0, 0.0, RR),
        (0.0, -1.6, 0.0, FR),  # the tail slides to the right
        (0.0, 1.6, 0.0, FL),
    ],
)
def test_one_wheel_is_braked_and_it_is_the_right_one(steer: float, lateral: float, yaw_rate: float, wheel: int) -> None:
    """Too much turn: the outer front wheel. Too little: the inner rear wheel. A skid: the front wheel on its inside."""
    speed = 8.0 if lateral == 0.0 else 11.0
    added = braked(WITH_ESC, steer, speed, lateral, yaw_rate)
    assert added[wheel] > 0.0
    assert sum(added) == added[wheel]


@pytest.mark.parametrize(
    ("speed", "lateral", "yaw_rate", "torque"),
    [
        (8.0, 0.0, 0.06, 0.0),
        (8.0, 0.0, 0.21, 500.0),
        (8.0, 0.0, 0.36, 1000.0),
        (4.9, 0.0, 0.36, 0.0),
        (20.0, -2.08, 0.0, 0.0),  # tan 5.94°
        (20.0, -2.8, 0.0, 490.5),  # (0.140 - tan 6°)/(tan 10° - tan 6°)
        (20.0, -3.6, 0.0, 1000.0),
        (4.9, -1.3, 0.0, 0.0),
    ],
)
def test_bounds_of_yaw_rate_and_slip_angle(speed: float, lateral: float, yaw_rate: float, torque: float) -> None:
    """Too much turn from 0.07 to 0.35 rad/s, and a skid from 6 to 10 degrees, both over 5 m/s."""
    assert max(braked(WITH_ESC, 0.0, speed, lateral, yaw_rate)) == pytest.approx(torque, rel=0.02)


def test_no_more_turn_is_wanted_than_the_road_allows() -> None:
    """At full lock and 8 m/s the wheels point along 2.2 rad/s, and mu·g/v allows 1.04: the error is that, not 2.2."""
    torque = max(braked(WITH_ESC, -1.0, 8.0, 0.0, 0.0))
    assert torque == pytest.approx(1000.0 * (0.85 * GRAVITY / 8.0 - 0.74), rel=1e-6)


def test_the_braked_wheel_does_not_lock() -> None:
    """On ice 1000 Nm are far more than the tyre holds, and yet the wheel turns."""
    trolley = AidedTrolley(WITH_ESC, speed=27.8, chassis=TAIL_HEAVY)
    set_road(trolley, 0.15)
    engaged = 0
    for _ in range(3000):
        trolley.advance(steer=-0.1)
        engaged += trolley.aids.sensor_esc_engaged
        assert min(trolley.spins) > 0.0
    assert engaged > 300


def test_a_turn_within_the_tyres_is_left_alone() -> None:
    """A bend at 0.4 g is driven bit by bit as without."""
    with_aid, without = AidedTrolley(WITH_ESC, speed=20.0), AidedTrolley(NO_AIDS, speed=20.0)
    steering = Steering()
    steering.steer_input = -0.02
    steering.update()
    assert 20.0**2 * steering.curvature == pytest.approx(0.2 * GRAVITY, rel=0.1)
    for _ in range(3000):
        for trolley in (with_aid, without):
            trolley.advance(steer=-0.02)
        assert not with_aid.aids.sensor_esc_engaged
    assert with_aid.chassis.get_state_vars() == without.chassis.get_state_vars()
