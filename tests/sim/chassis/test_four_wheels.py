"""Engine, gearbox and differentials on four slipping wheels: launches, shifts, stops, slopes, ice."""

import pytest

from ..four_wheels import DRIVEN, Car

pytestmark = pytest.mark.long

LAYOUTS = list(DRIVEN)


def launched(layout: str = "front", max_substep: float = 0.001, throttle: float = 0.3) -> Car:
    """In first gear, clutch closed within a second and a half."""
    car = Car(layout, max_substep)
    delta_time = max(max_substep, 0.001)
    car.start_engine(delta_time)
    car.brakes.brake_input = 0.0
    car.engine.throttle_input = throttle
    steps = round(1.5 / delta_time)
    for step in range(steps):
        car.engine.clutch_input = (step + 1) / steps
        car.solver.step(delta_time)
    return car


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("substep", [0.001, 0.005])
def test_a_launch_does_not_chatter(layout: str, substep: float) -> None:
    """The clutch slips in one direction until it locks, and takes energy; no wheel turns back."""
    car = Car(layout, substep)
    car.start_engine(substep)
    car.brakes.brake_input = 0.0
    car.engine.throttle_input = 0.3
    tolerance = 1e-9 if substep < 0.005 else 1.0
    for step in range(round(2.0 / substep)):
        car.engine.clutch_input = step * substep / 1.5
        car.solver.step(substep)
        assert car.clutch_slip > -tolerance
        assert car.clutch_slip * car.engine.sensor_output_torque > -200.0 * tolerance
        assert min(car.spins) >= 0.0
    assert car.engine.sensor_working
    assert car.engine.sensor_clutch_lock == 1.0
    assert car.speed > 2.0


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_locked_clutch_stays_locked(layout: str) -> None:
    """At full throttle and on overrun the clutch aims at what the wheels will do, and does not slip."""
    car = launched(layout)
    for throttle in (1.0, 0.0, 0.5):
        car.engine.throttle_input = throttle
        for _ in range(500):
            car.solver.step(0.001)
            assert abs(car.clutch_slip) < 2e-3
            assert car.engine.sensor_clutch_lock == 1.0


@pytest.mark.parametrize("layout", LAYOUTS)
def test_shifting_up_and_down(layout: str) -> None:
    """In each gear engine and driven wheels agree with its ratio, and the car goes on accelerating."""
    car = launched(layout)
    engine = car.engine
    for gear, ratio in ((2, 2.35), (3, 1.53), (2, 2.35)):
        engine.clutch_input = engine.throttle_input = 0.0
        car.gearbox.manual_gear = gear
        car.run(0.3)
        engine.throttle_input = 0.6
        for step in range(500):
            engine.clutch_input = step / 500
            car.solver.step(0.001)
        before = car.speed
        car.run(1.0)
        assert car.gearbox.sensor_gear == gear
        wheels = [car.wheels[place].sensor_rpm for place in DRIVEN[layout]]
        assert engine.sensor_rpm == pytest.approx(ratio * 3.7 * sum(wheels) / len(wheels), rel=1e-6)
        assert car.speed > before


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("clutch", [0.0, 1.0])
def test_full_braking_ends_at_rest(layout: str, clutch: float) -> None:
    """With the clutch open or closed: no wheel turns back, the engine neither; then speeds are exactly zero."""
    car = launched(layout, throttle=0.6)
    car.run(2.0)
    car.engine.throttle_input = 0.0
    car.engine.clutch_input = clutch
    car.brakes.brake_input = 1.0
    for _ in range(4000):
        car.solver.step(0.001)
        assert min(car.spins) >= 0.0
        assert car.engine.sensor_rpm >= 0.0
    assert car.speed == 0.0
    assert car.spins == [0.0] * 4
    assert car.engine.sensor_working is (clutch == 0.0)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_brake_holds_against_the_engine(layout: str) -> None:
    """Full brake, full throttle, clutch slipping at 180 Nm, 2480 Nm at the wheels: 2800 Nm of front brakes hold.

    Rear wheels, on 1200 Nm, spin; the car rocks on its tyres and stays where it is.
    """
    car = Car(layout)
    car.start_engine()
    car.engine.throttle_input = 1.0
    for step in range(1000):
        car.engine.clutch_input = 0.6 * step / 1000
        car.solver.step(0.001)
        held = car.spins if layout == "front" else car.spins[:2]
        assert held == [0.0] * len(held)
    assert abs(car.chassis.pose.x) < 0.05


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("grade", [0.2, -0.2])
def test_standing_on_a_slope(layout: str, grade: float) -> None:
    """In gear, clutch open, engine idling, brake on: once it has settled not a bit moves, at any rate."""
    car = Car(layout)
    car.body.slope = grade
    car.start_engine()
    for delta_time in (0.001, 0.01, 0.1):
        assert set(car.run(50 * delta_time, delta_time)) == {0.0}
    assert car.spins == [0.0] * 4


def test_a_car_left_in_gear_is_held_by_its_engine() -> None:
    """Key off, first gear, clutch engaged, no brake: the engine's friction holds a 5 % slope and not a 10 % slope."""
    car = Car()
    car.start_engine()
    car.engine.ignition_input = -1
    car.engine.clutch_input = 1.0
    car.run(1.0)
    car.body.slope = -0.05
    car.brakes.brake_input = 0.0
    car.run(3.0)
    assert abs(car.speed) < 1e-9
    car.body.slope = -0.1
    assert car.run(1.0)[-1] > 0.1


def test_rolling_with_the_clutch_open_ends_at_rest() -> None:
    """Nothing but rolling resistance stops the car, from 0.3 m/s in some eight seconds, and leaves no jitter."""
    car = launched("rear")
    car.engine.clutch_input = car.engine.throttle_input = 0.0
    car.brakes.brake_input = 0.2
    while car.speed > 0.3:
        car.solver.step(0.001)
    car.brakes.brake_input = 0.0
    car.run(10.0, 0.01)
    assert set(car.run(1.0, 0.01)) == {0.0}
    assert car.spins == [0.0] * 4
    assert (car.chassis.pose.y, car.chassis.pose.yaw) == (0.0, 0.0)


def test_idling_in_gear_is_steady() -> None:
    """On the idle control alone the car creeps at the speed of 1000 1/min in first gear, without jitter."""
    car = launched(throttle=0.2)
    car.engine.throttle_input = 0.0
    car.run(8.0, 0.005)
    speeds = car.run(1.0)
    assert car.speed == pytest.approx(1000.0 * 3.141592653589793 / 30.0 / (3.84 * 3.7) * 0.31, rel=0.01)
    assert max(speeds) - min(speeds) < 1e-3


def test_one_wheel_on_ice() -> None:
    """Both driven wheels of an open differential get the icy wheel's torque; that one spins, the car hardly moves."""
    car = Car("rear")
    car.start_engine()
    car.brakes.brake_input = 0.0
    car.wheels[2].road_friction = 0.05
    car.engine.throttle_input = 0.2
    for step in range(2000):
        car.engine.clutch_input = min(1.0, step / 1000)
        car.solver.step(0.001)
    icy, firm = car.wheels[2], car.wheels[3]
    assert icy.sensor_slip_speed > 2.0
    assert abs(firm.sensor_slip) < 0.05
    assert icy.force_x == pytest.approx(0.75 * 0.05 * icy.sensor_load, rel=1e-3)
    assert 0.0 < car.speed < 1.0


def test_locked_by_the_engine() -> None:
    """On ice, a sudden first gear at speed pulls the driven wheels down to the engine's speed, and they slide."""
    car = launched("rear")
    car.engine.clutch_input = car.engine.throttle_input = 0.0
    car.launch(12.0)
    for wheel in car.wheels:
        wheel.road_friction = 0.1
    car.engine.clutch_input = 1.0
    car.run(0.5)
    assert car.wheels[2].sensor_slip < -0.1
    assert car.wheels[2].force_x < 0.0
    assert min(car.spins) >= 0.0
    assert abs(car.clutch_slip) < 1e-3


def test_the_substep_hardly_matters() -> None:
    """A launch, a shift and a stop: speeds and way of 1 ms and of 0.25 ms differ by less than half a percent."""
    results = []
    for substep in (0.001, 0.00025):
        car = launched("rear", substep)
        first = car.speed
        car.engine.clutch_input = 0.0
        car.gearbox.manual_gear = 2
        car.run(0.3)
        car.engine.clutch_input = 1.0
        car.run(1.0)
        second = car.speed
        car.brakes.brake_input = 0.5
        car.engine.clutch_input = 0.0
        car.run(1.0)
        results.append((first, second, car.chassis.pose.x))
    assert results[0] == pytest.approx(results[1], rel=5e-3)
