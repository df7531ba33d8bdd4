"""TCS: the slip of driven wheels, the speed that is gained by it, and when the engine is left alone."""

import pytest

from vehiclesim.parameters.aids import AidsSettings, TcsMode, TcsSettings

from ..four_wheels import DRIVEN
from .aided import NO_AIDS, PEAK_SLIP, AidedCar, set_road

pytestmark = pytest.mark.long

LOW = 0.2 / 0.85
"""Share of the tables' friction that makes a peak of 0.2."""


def with_tcs(mode: TcsMode = TcsMode.STREET, **more: float) -> AidsSettings:
    return AidsSettings(tcs=TcsSettings(enabled=True, mode=mode, **more))


def creeping(settings: AidsSettings, layout: str = "front", friction: float = LOW, gear: int = 1) -> AidedCar:
    """In gear with the clutch engaged, near the idle speed of the engine, 2.3 m/s in first gear."""
    car = AidedCar(settings, layout)
    set_road(car, friction)
    car.roll(gear, 2.5 if gear > 0 else -2.5)
    return car


def slip_beyond_peak(car: AidedCar, layout: str) -> float:
    """The most that a driven wheel slips [m/s] beyond its tyre's peak."""
    wheels = [car.wheels[number] for number in DRIVEN[layout]]
    return max(w.sensor_slip_speed - PEAK_SLIP * max(w.speed_x, w.tyre.damping_speed) for w in wheels)


@pytest.mark.parametrize("layout", list(DRIVEN))
@pytest.mark.parametrize(
    ("mode", "more", "allowed"),
    [(TcsMode.STREET, {}, 0.3), (TcsMode.SPORT, {}, 1.5), (TcsMode.CUSTOM, {"custom_slip": 0.6}, 0.6)],
)
def test_full_throttle_on_ice_slips_as_allowed(
    layout: str, mode: TcsMode, more: dict[str, float], allowed: float
) -> None:
    """On mu = 0.2 the driven wheels slip what the mode allows beyond the tyre's peak: no more, and little less."""
    car = creeping(with_tcs(mode, **more), layout)
    engaged = 0
    for step in range(3000):
        car.advance(1.0)
        engaged += car.engine.sensor_tcs_engaged
        assert slip_beyond_peak(car, layout) < allowed
        if step > 1000:
            assert slip_beyond_peak(car, layout) > 0.4 * allowed
    assert engaged > 2500


@pytest.mark.parametrize("layout", list(DRIVEN))
def test_the_car_gains_more_speed(layout: str) -> None:
    """Tyres that are held near their peak of 0.85 pull more than spinning ones at 0.75."""
    speeds = []
    for settings in (with_tcs(), NO_AIDS):
        car = creeping(settings, layout)
        start = car.speed
        for _ in range(5000):
            car.advance(1.0)
        speeds.append(car.speed - start)
    assert speeds[0] > 1.03 * speeds[1]


@pytest.mark.parametrize("delta_time", [0.01, 0.1])
def test_long_steps_hold_the_slip_too(delta_time: float) -> None:
    """The engine is asked for a speed, not for a torque: what happens within a step is its own affair."""
    car = creeping(with_tcs())
    for _ in range(round(3.0 / delta_time)):
        car.advance(1.0, delta_time=delta_time)
        assert slip_beyond_peak(car, "front") < 0.3
    assert car.speed > 5.0


def test_backward_too() -> None:
    """In reverse gear slip is counted in the direction in which the wheels turn."""
    peaks = []
    for settings in (with_tcs(), NO_AIDS):
        car = creeping(settings, gear=-1)
        slip = 0.0
        for _ in range(2000):
            car.advance(1.0)
            slip = max(slip, -car.wheels[0].sensor_slip_speed - PEAK_SLIP * max(-car.speed, 2.5))
        assert car.speed < -2.0
        peaks.append(slip)
    assert peaks[0] < 0.3
    assert peaks[1] > 5.0


def test_grip_is_left_alone() -> None:
    """On a dry road and with the clutch open the engine is not asked for anything; not a bit differs."""
    car, free = creeping(with_tcs(), friction=1.0), creeping(NO_AIDS, friction=1.0)
    for clutch in (1.0, 0.0):
        for _ in range(1000):
            for each in (car, free):
                each.advance(0.5, clutch)
            assert car.engine.tcs_rpms == -1.0
    assert car.engine.get_state_vars() == free.engine.get_state_vars()
    assert car.chassis.get_state_vars() == free.chassis.get_state_vars()


def test_the_engine_follows_as_far_as_the_ratio_says() -> None:
    """With half of the reduction the wheels slip more than with all of it, and less than with none."""
    slips = []
    for settings in (with_tcs(), with_tcs(ratio=0.5), NO_AIDS):
        car = creeping(settings)
        for _ in range(1500):
            car.advance(1.0)
        slips.append(slip_beyond_peak(car, "front"))
    assert slips[0] < slips[1] - 0.05
    assert slips[1] < slips[2] - 0.05


def test_the_throttle_factor_bounds_the_torque_of_slipping_wheels() -> None:
    """While a wheel slips near to what is allowed the engine gets the factor; else it is not bounded."""
    car = creeping(with_tcs(throttle_factor=0.4))
    assert car.engine.tcs_throttle_factor == 1.0
    for _ in range(1000):
        car.advance(1.0)
    assert car.engine.tcs_throttle_factor == 0.4
    assert car.engine.sensor_load <= 0.4
