"""ASR: a car with one driven wheel on ice, and which wheel is braked by how much."""

import pytest

from vehiclesim import RPM_TO_W
from vehiclesim.parameters.aids import AidsSettings, AsrSettings

from ..four_wheels import DRIVEN
from .aided import NO_AIDS, AidedCar, AidedTrolley

WITH_ASR = AidsSettings(asr=AsrSettings(enabled=True))


def climbed(settings: AidsSettings, layout: str, icy: int) -> AidedCar:
    """After five seconds of moderate throttle on a slope of 5 %, one driven wheel on ice of mu = 0.04."""
    car = AidedCar(settings, layout)
    car.wheels[icy].road_friction = 0.05
    car.start_engine()
    car.body.slope = 0.05
    for step in range(5000):
        car.advance(0.4, clutch=min(1.0, step / 2000.0), brake=0.0 if step > 600 else 1.0)
    return car


@pytest.mark.parametrize("layout", ["front", "rear"])
@pytest.mark.parametrize("side", [0, 1])
def test_a_car_with_one_wheel_on_ice_moves_off(layout: str, side: int) -> None:
    """The open differential leaves the firm wheel the icy one's torque: too little, unless the icy one is braked."""
    icy = DRIVEN[layout][side]
    car, without = climbed(WITH_ASR, layout, icy), climbed(NO_AIDS, layout, icy)
    assert car.chassis.pose.x > 1.5
    assert car.speed > 0.8
    assert without.chassis.pose.x < 0.0
    assert car.aids.sensor_asr_engaged
    assert [number for number in range(4) if car.brakes.added[number] > 0.0] == [icy]


def brakes_at(left: float, right: float, speed: float = 3.0, throttle: float = 0.5, front: bool = True) -> list[float]:
    """Brake torques of an axle whose wheels turn with `left` and `right` [1/min], at a speed [m/s]."""
    driven = DRIVEN["front" if front else "rear"]
    trolley = AidedTrolley(WITH_ASR, *driven, speed=speed)
    for number, rpm in zip(driven, (left, right), strict=True):
        trolley.wheels[number].spin = rpm * RPM_TO_W
    trolley.aids.throttle_input = throttle
    for _ in range(20):  # two seconds: the valves have settled
        trolley.aids.step(0.1)
    assert trolley.aids.sensor_asr_engaged is (max(trolley.brakes.added) > 0.0)
    return trolley.brakes.added


@pytest.mark.parametrize(
    ("difference", "torque"), [(99.0, 0.0), (100.0, 0.0), (250.0, 500.0), (400.0, 1000.0), (2e3, 1e3)]
)
@pytest.mark.parametrize("front", [True, False])
def test_the_torque_grows_with_the_difference(difference: float, torque: float, front: bool) -> None:
    """Nothing at 100 rpm, 1000 Nm from 400 rpm on, on the faster wheel only, whichever side that is."""
    first = 0 if front else 2
    for faster in (0, 1):
        speeds = (96.0 + difference, 96.0) if faster == 0 else (96.0, 96.0 + difference)
        expected = [0.0] * 4
        expected[first + faster] = torque
        assert brakes_at(*speeds, front=front) == pytest.approx(expected, abs=1e-6)


def test_backward_too() -> None:
    """The faster wheel is the one that turns more, whatever the direction."""
    assert brakes_at(-496.0, -96.0, speed=-3.0) == pytest.approx([1000.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize(("speed", "throttle"), [(5.6, 0.5), (-5.6, 0.5), (3.0, 0.0)])
def test_it_is_for_moving_off(speed: float, throttle: float) -> None:
    """From 5.556 m/s on, and with the pedal released, wheels may differ as they like."""
    assert brakes_at(1000.0, 0.0, speed, throttle) == [0.0] * 4


def test_a_rolling_wheel_is_not_braked_because_the_other_one_stands() -> None:
    """5.5 m/s are 175 rpm: no reason to brake the wheel that keeps up with the road."""
    assert brakes_at(5.5 / 0.3 / RPM_TO_W, 0.0, speed=5.5) == [0.0] * 4


def test_a_tight_bend_is_left_alone() -> None:
    """At full lock the outer driven wheel is faster by less than 100 rpm, up to 20 km/h."""
    trolley = AidedTrolley(WITH_ASR, *DRIVEN["rear"], speed=5.5)
    trolley.drive(50.0)
    for _ in range(2000):
        trolley.aids.throttle_input = 0.5
        trolley.advance(steer=-1.0)
        assert not trolley.aids.sensor_asr_engaged


def test_wheels_of_an_axle_that_is_not_driven_are_left_alone() -> None:
    trolley = AidedTrolley(WITH_ASR, *DRIVEN["front"], speed=3.0)
    trolley.wheels[2].spin = 100.0
    trolley.aids.throttle_input = 1.0
    trolley.aids.step(0.001)
    assert trolley.brakes.added == [0.0] * 4
