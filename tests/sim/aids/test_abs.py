"""ABS: stopping distances, slip, pressure, and a car that can be steered while it brakes."""

import pytest

from vehiclesim.parameters.aids import AbsMode, AbsSettings, AidsSettings

from ..four_wheels import GRAVITY
from .aided import NO_AIDS, AidedTrolley, braking_slip, set_road

MODES = list(AbsMode)


def with_abs(mode: AbsMode = AbsMode.CONTINUOUS, **more: float) -> AidsSettings:
    return AidsSettings(abs=AbsSettings(enabled=True, mode=mode, **more))


def stopping_distance(settings: AidsSettings, speed: float, friction: float = 1.0, delta_time: float = 0.001) -> float:
    """Of a full braking to rest [m]."""
    trolley = AidedTrolley(settings, speed=speed)
    set_road(trolley, friction)
    while trolley.speed > 0.0:
        trolley.advance(brake=1.0, delta_time=delta_time)
    return trolley.chassis.pose.x


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("delta_time", [0.001, 0.01])
def test_the_stop_is_shorter_than_with_locked_wheels(mode: AbsMode, delta_time: float) -> None:
    """On mu = 0.85 at the peak and 0.75 sliding, the way lies between v²/(2·g) over the one and over the other."""
    way = stopping_distance(with_abs(mode), 20.0, delta_time=delta_time)
    assert way < 0.97 * stopping_distance(NO_AIDS, 20.0, delta_time=delta_time)
    assert 20.0**2 / (2.0 * 0.85 * GRAVITY) < way < 20.0**2 / (2.0 * 0.75 * GRAVITY)


@pytest.mark.parametrize("mode", MODES)
def test_slip_stays_in_its_band(mode: AbsMode) -> None:
    """From 0.2 s on no wheel slips more than 1.5 m/s beyond its tyre's peak by more than a step's change; all turn."""
    trolley = AidedTrolley(with_abs(mode), speed=25.0)
    seen = 0.0
    while trolley.speed > 3.0:
        trolley.advance(brake=1.0)
        slips = [braking_slip(trolley, number) for number in range(4)]
        seen = max(seen, *slips)
        assert seen < 1.9
        assert min(trolley.spins) > 0.0
    assert seen > 0.3


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("minimum", [0.25, 0.6])
def test_no_brake_is_released_below_the_lowest_pressure(mode: AbsMode, minimum: float) -> None:
    """On ice, where every wheel asks for it, the pressure is 25 % and not less, or what the settings say."""
    trolley = AidedTrolley(with_abs(mode, minimum_pressure=minimum), speed=20.0)
    set_road(trolley, 0.1)
    lowest = 1.0
    for _ in range(500):
        trolley.advance(brake=1.0)
        lowest = min(lowest, *trolley.brakes.pressure)
    assert lowest == pytest.approx(minimum, abs=1e-12)


def test_a_brake_that_can_be_released_does_not_lock_on_ice() -> None:
    """With a lowest pressure of 0 the wheels turn on mu = 0.085; with 25 % of 1400 Nm the front ones stand."""
    turning = []
    for minimum in (0.0, 0.25):
        trolley = AidedTrolley(with_abs(minimum_pressure=minimum), speed=20.0)
        set_road(trolley, 0.1)
        for _ in range(1000):
            trolley.advance(brake=1.0)
        turning.append(min(trolley.spins) > 0.0)
    assert turning == [True, False]


@pytest.mark.parametrize(
    ("mode", "levels"),
    [(AbsMode.SIMPLE, {0.25, 1.0}), (AbsMode.MULTI_POSITION, {0.25, 0.5, 0.75, 1.0})],
)
def test_a_valve_has_positions(mode: AbsMode, levels: set[float]) -> None:
    """Two in the simple mode, four in the multi-position mode, and all of them are used on ice."""
    trolley = AidedTrolley(with_abs(mode), speed=20.0)
    set_road(trolley, 0.3)
    seen: set[float] = set()
    for _ in range(1500):
        trolley.advance(brake=1.0)
        seen |= {round(pressure, 9) for pressure in trolley.brakes.pressure}
    assert seen == levels


def test_a_simple_valve_releases_from_one_slip_on_and_applies_at_another() -> None:
    """Released at 1.5 m/s beyond the peak, applied again at 0.3 m/s: in between it stays as it is."""
    trolley = AidedTrolley(with_abs(AbsMode.SIMPLE), speed=20.0)
    aids, wheel = trolley.aids, trolley.wheels[0]
    aids.brake_input = 1.0
    pressures = []
    for beyond in (0.2, 1.4, 1.6, 1.4, 0.4, 0.2, 1.4):
        wheel.spin = (20.0 - 2.0 - beyond) / wheel.radius
        aids.step(0.001)
        pressures.append(trolley.brakes.pressure[0])
    assert pressures == [1.0, 1.0, 0.25, 0.25, 0.25, 1.0, 1.0]


@pytest.mark.parametrize(("beyond", "pressure"), [(0.2, 1.0), (0.29, 1.0), (0.9, 0.625), (1.5, 0.25), (3.0, 0.25)])
@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_a_continuous_valve_is_proportional(beyond: float, pressure: float, direction: float) -> None:
    """Full pressure at 0.3 m/s beyond the peak, 25 % at 1.5 m/s, half-way half-way; forward and backward alike."""
    trolley = AidedTrolley(with_abs(), speed=20.0 * direction)
    wheel = trolley.wheels[2]
    wheel.spin = direction * (20.0 - 2.0 - beyond) / wheel.radius
    trolley.aids.brake_input = 0.5
    trolley.aids.step(0.001)
    assert trolley.brakes.pressure == pytest.approx([1.0, 1.0, pressure, 1.0])
    assert trolley.aids.sensor_abs_engaged is (pressure < 1.0)


@pytest.mark.parametrize(("speed", "brake", "engaged"), [(1.49, 1.0, False), (1.51, 1.0, True), (20.0, 0.0, False)])
def test_it_is_for_braking_at_speed(speed: float, brake: float, engaged: bool) -> None:
    """Below 1.5 m/s and with the pedal released a locked wheel is left alone."""
    trolley = AidedTrolley(with_abs(maximum_slip=1.0), speed=speed)
    trolley.wheels[1].spin = 0.0
    trolley.aids.brake_input = brake
    trolley.aids.step(0.001)
    assert trolley.aids.sensor_abs_engaged is engaged
    assert (min(trolley.brakes.pressure) < 1.0) is engaged


@pytest.mark.parametrize("mode", MODES)
def test_the_car_can_be_steered_while_it_brakes(mode: AbsMode) -> None:
    """Within a full braking to the left the car leaves its lane of 3.5 m; on locked wheels it goes straight on."""
    ways = []
    for settings in (with_abs(mode), NO_AIDS):
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
