"""The demo driver at the wheel of real vehicles: 100 control steps a second, the model in its own substeps of 1 ms."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.bench.inputs.arbiter import Arbiter
from hilbridge.bench.inputs.demo_driver import TRACE, DemoDriver, Phase
from hilbridge.bench.inputs.serial_line import SerialLineSource
from hilbridge.files.settings import InputSignal, SerialInput
from vehiclesim import (
    ROAD,
    AxleDifferentialSettings,
    BodySettings,
    BrakeSettings,
    ChassisSettings,
    ClutchSettings,
    DrivelineLayout,
    DrivelineSettings,
    EngineSettings,
    GearboxSettings,
    RoadData,
    Vehicle,
    VehicleSettings,
    WheelSettings,
)
from vehiclesim.channels import BodyData, InputData, VehicleData

from ....sim import published_engines

HERTZ = 100

CAR = VehicleSettings(engine=EngineSettings(can_stall=True, rpm_limiter=True, rpm_limiter_max=5000.0))

TRUCK = VehicleSettings(
    engine=replace(published_engines.TRUCK, stalled_friction_torque=100.0),
    clutch=ClutchSettings(max_torque_transfer=3500),
    gearbox=GearboxSettings(ratios=(11.7, 9.0, 7.0, 5.5, 4.3, 3.4, 2.7, 2.1, 1.6, 1.25, 1.0, 0.78), inertia=0.1),
    driveline=DrivelineSettings(layout=DrivelineLayout.REAR, rear=AxleDifferentialSettings(ratio=3.08)),
    wheels=WheelSettings(radius=0.5, inertia=37.5),
    brakes=BrakeSettings(max_torque=30_000, front_bias=0.5, handbrake_torque=30_000),
    chassis=ChassisSettings(wheelbase=6.0, front_track=2.0, rear_track=2.0, front_weight=0.4),
    body=BodySettings(mass=18_000, drag_area=5),
)  # fmt: skip


class Moment(NamedTuple):
    """What is seen after a step."""

    t: float  # [s]
    phase: Phase
    controls: list[int]
    vehicle: list[int]
    body: list[int]
    speed: float  # [m/s], not rounded

    @property
    def rpm(self) -> float:
        return self.vehicle[VehicleData.ENGINE_RPM] / 1000


def drive(
    vehicle: Vehicle, seconds: float, start: float = 0.0, asked: tuple[float, float] | None = None
) -> Iterator[Moment]:
    """Puts a new driver into a vehicle, whatever it is doing. `asked` [s]: a tester asks all the time between them."""
    driver = DemoDriver(vehicle.data, vehicle.settings)
    if asked is not None:
        driver.keep_ignition(10 * SECOND, lambda since: asked[0] * SECOND <= now and since < asked[1] * SECOND)
    for tick in range(round(seconds * HERTZ)):
        t = now = round(start * SECOND) + tick * (SECOND // HERTZ)
        if tick == 0:
            driver.begin(t)
        driver.drive(t)
        for control, value in zip(driver.controls, driver.values, strict=True):
            vehicle.data.set(control.channel, control.index, value)
        vehicle.step(1 / HERTZ)
        data = vehicle.data
        yield Moment(
            t / SECOND,
            driver.phase,
            list(data.input),
            list(data.vehicle),
            list(data.body),
            vehicle.chassis.sensor_speed,
        )


def phases(log: list[Moment]) -> list[str]:
    """The phases in their order, each once."""
    return [log[0].phase.value, *(b.phase.value for a, b in itertools.pairwise(log) if a.phase != b.phase)]


def jerks(log: list[Moment]) -> list[float]:
    """[m/s³]: changes of the mean acceleration from one tenth of a second to the next."""
    tenth = HERTZ // 10
    means = [(b.speed - a.speed) * 10 for a, b in zip(log, log[tenth:], strict=False)]
    return [(b - a) * 10 for a, b in zip(means, means[tenth:], strict=False)]


@pytest.fixture(scope="module")
def loops() -> list[Moment]:
    """Two loops and the beginning of a third with a passenger car that can stall."""
    return list(drive(Vehicle(CAR), 175.0))


def running(log: list[Moment]) -> list[Moment]:
    return [moment for moment in log if moment.phase not in (Phase.REST, Phase.IGNITION, Phase.CRANK)]


def test_a_loop_starts_drives_through_the_gears_stops_and_rests(loops: list[Moment]) -> None:
    """And lasts about 80 seconds, the second like the first."""
    assert phases(loops)[:14] == ["ignition", "crank", "idle", "drive", "stop", "stand", "rest"] * 2
    assert {moment.vehicle[VehicleData.GEARBOX_GEAR] for moment in loops} == {0, 1, 2, 3, 4, 5}
    starts = [b.t for a, b in itertools.pairwise(loops) if (a.phase, b.phase) == (Phase.REST, Phase.IGNITION)]
    assert starts[0] == pytest.approx(80.0, abs=2.0)
    assert abs(starts[1] - 2 * starts[0]) < 0.1


def test_the_key_stays_on_for_ten_seconds_after_the_last_request() -> None:
    """The driver stands, after 71 s, and drives again in place of the rest."""
    log = list(drive(Vehicle(CAR), 78.0, asked=(0.0, 67.0)))
    assert phases(log)[-3:] == ["stop", "stand", "idle"]
    assert all(moment.controls[InputData.KEY] >= 0 for moment in log)


def test_a_tester_that_asks_during_the_rest_gets_the_key_on() -> None:
    driver = DemoDriver(Vehicle(CAR).data, CAR)
    asked = [False]
    driver.keep_ignition(SECOND, lambda since: asked[0])
    driver.drive(SECOND)
    assert driver.values[-4] == -1  # the key
    asked[0] = True
    driver.drive(SECOND + SECOND // HERTZ)
    assert driver.values[-4] == 0


def test_an_engine_that_does_not_start_is_tried_again_with_the_key_on() -> None:
    car = Vehicle(replace(CAR, engine=replace(CAR.engine, starter_motor_bias=0.0)))
    log = list(drive(car, 20.0, asked=(0.0, 20.0)))
    assert phases(log)[:4] == ["ignition", "crank", "ignition", "crank"]
    assert all(moment.controls[InputData.KEY] >= 0 for moment in log)


def test_the_car_follows_the_trace(loops: list[Moment]) -> None:
    """Within 3 km/h; the pauses of its gear changes are not in the trace."""
    begin = next(moment.t for moment in loops if moment.phase is Phase.DRIVE)
    first = [moment for moment in loops if moment.phase is Phase.DRIVE and moment.t < 79.0]
    assert max(abs(moment.speed - TRACE.speed(moment.t - begin)) for moment in first) < 3.0 / 3.6


def test_it_indicates_left_to_pull_out_and_right_before_it_stops(loops: list[Moment]) -> None:
    """The car moves off while the left side indicates, stops while the right does, and does neither in between."""
    sides = [
        "LR"[moment.body[BodyData.RIGHT_TURN]]
        for moment in loops
        if moment.body[BodyData.LEFT_TURN] or moment.body[BodyData.RIGHT_TURN]
    ]
    assert [side for side, _ in itertools.groupby(sides)][:4] == ["L", "R", "L", "R"]
    for before, now in itertools.pairwise(loops):
        if now.phase is Phase.DRIVE and before.phase is not Phase.DRIVE:
            assert now.body[BodyData.LEFT_TURN]
        if now.phase is Phase.STAND and before.phase is not Phase.STAND:
            assert before.body[BodyData.RIGHT_TURN]
        if now.speed > 50 / 3.6:
            assert now.body[BodyData.LEFT_TURN : BodyData.RIGHT_TURN + 1] == [0, 0]


def test_lights_are_on_with_the_key_and_the_parking_brake_is_as_the_handbrake(loops: list[Moment]) -> None:
    for moment in loops:
        assert moment.body[BodyData.DIPPED_BEAM] == (moment.controls[InputData.KEY] >= 0)
        assert moment.body[BodyData.PARKING_BRAKE] == (moment.controls[InputData.HANDBRAKE] > 0)
        assert moment.body[BodyData.BELT_DRIVER]


def test_the_engine_never_stalls_and_never_reaches_the_limiter(loops: list[Moment]) -> None:
    assert not any(moment.vehicle[VehicleData.ENGINE_LIMITER] for moment in loops)
    assert not any(moment.vehicle[VehicleData.ENGINE_STALLED] for moment in running(loops))


def test_under_way_the_engine_stays_between_idle_and_a_civil_speed(loops: list[Moment]) -> None:
    under_way = [moment.rpm for moment in running(loops) if moment.phase is Phase.DRIVE]
    assert min(under_way) > 990
    assert max(under_way) < 3500


def test_the_car_gets_to_79_kilometres_per_hour_and_stops_completely(loops: list[Moment]) -> None:
    assert max(moment.speed for moment in loops) == pytest.approx(22.0, abs=0.5)
    assert all(abs(moment.speed) < 0.1 for moment in loops if moment.phase is Phase.STAND)
    assert all(moment.speed == 0.0 for moment in loops if moment.phase is Phase.REST)


def test_passengers_keep_their_coffee(loops: list[Moment]) -> None:
    """Acceleration within 3 m/s², jerk within 15 m/s³."""
    tenth = HERTZ // 10
    assert all(abs(b.speed - a.speed) * 10 < 3.0 for a, b in zip(loops, loops[tenth:], strict=False))
    assert max(map(abs, jerks(loops))) < 15.0


def test_gears_are_changed_one_by_one_and_with_the_clutch_down_or_from_neutral(loops: list[Moment]) -> None:
    for a, b in itertools.pairwise(loops):
        before, after = a.controls[InputData.MANUAL_GEAR], b.controls[InputData.MANUAL_GEAR]
        if before != after:
            assert b.controls[InputData.CLUTCH] == 10000 or before == 0
            assert after in (before + 1, 1, 0)


def test_a_parked_car_has_its_handbrake_on(loops: list[Moment]) -> None:
    assert all(
        moment.controls[InputData.HANDBRAKE] == 10000 for moment in loops if moment.phase in (Phase.REST, Phase.IDLE)
    )
    assert not any(moment.controls[InputData.HANDBRAKE] for moment in loops if moment.speed > 0.1)


def test_throttle_and_brake_are_pressed_together_only_before_it_starts_off(loops: list[Moment]) -> None:
    """But for a foot on its way from one to the other."""
    for moment in loops:
        together = min(moment.controls[InputData.THROTTLE], moment.controls[InputData.BRAKE])
        assert together < 1000 or abs(moment.speed) < 0.1


def test_the_same_vehicle_is_driven_the_same_way() -> None:
    assert list(drive(Vehicle(CAR), 20.0)) == list(drive(Vehicle(CAR), 20.0))


def test_a_truck_with_a_manual_gearbox_is_driven_without_a_stall() -> None:
    """Up to the sixth gear in 40 seconds, below the limiter."""
    log = list(drive(Vehicle(TRUCK), 40.0))
    assert not any(moment.vehicle[VehicleData.ENGINE_LIMITER] for moment in log)
    assert not any(moment.vehicle[VehicleData.ENGINE_STALLED] for moment in running(log))
    assert log[-1].vehicle[VehicleData.GEARBOX_GEAR] >= 6
    assert max(map(abs, jerks(log))) < 20.0


def moving(gear: int, key: int) -> Vehicle:
    """A car that somebody has driven for 30 s and leaves on the road in `gear` with `key`, feet off."""
    vehicle = Vehicle(CAR)
    for _ in drive(vehicle, 30.0):
        pass
    vehicle.data.input[:] = [0] * 10
    vehicle.data.input[InputData.MANUAL_GEAR] = gear
    vehicle.data.input[InputData.KEY] = key
    vehicle.step(1 / HERTZ)
    return vehicle


@pytest.mark.parametrize("gear", [0, 2, 3])
def test_a_moving_car_is_brought_to_a_stop_before_the_loop_begins(gear: int) -> None:
    vehicle = moving(gear, key=0)
    assert vehicle.chassis.sensor_speed > 5
    log = list(drive(vehicle, 25.0, start=100.0))
    assert phases(log)[:3] == ["stop", "stand", "rest"]
    assert not any(moment.vehicle[VehicleData.ENGINE_STALLED] for moment in running(log))
    assert min(b.speed - a.speed for a, b in zip(log, log[10:], strict=False)) * 10 > -3.0


def test_a_moving_car_with_a_dead_engine_is_stopped_too() -> None:
    log = list(drive(moving(2, key=-1), 30.0))
    assert phases(log)[:5] == ["stop", "stand", "rest", "ignition", "crank"]


def test_a_running_engine_is_used_as_it_is() -> None:
    vehicle = Vehicle(CAR)
    for tick in range(3 * HERTZ):
        vehicle.data.input[InputData.KEY] = 1 if tick < HERTZ else 0
        vehicle.step(1 / HERTZ)
    assert phases(list(drive(vehicle, 7.0)))[:2] == ["idle", "drive"]


def test_an_engine_that_dies_under_way_is_started_again() -> None:
    vehicle = Vehicle(CAR)
    log = []
    for moment in drive(vehicle, 45.0):
        log.append(moment)
        if moment.phase is Phase.DRIVE and 15.0 < moment.t < 20.0:
            vehicle.engine.add_friction_torque(5000.0)
    seen = phases(log)
    died = seen.index("drive")
    assert seen[died : died + 6] == ["drive", "stop", "stand", "rest", "ignition", "crank"]


@pytest.mark.parametrize("grade", [0.08, -0.08])
def test_a_slope_of_eight_percent_is_driven(grade: float) -> None:
    vehicle = Vehicle(CAR)
    vehicle.data.write(ROAD, RoadData.SLOPE, grade)
    log = list(drive(vehicle, 76.0))
    assert phases(log) == ["ignition", "crank", "idle", "drive", "stop", "stand", "rest"]
    assert max(moment.speed for moment in log) > 15.0


def test_a_hill_that_is_too_steep_is_given_up() -> None:
    """The vehicle rolls back with the clutch slipping; it is stopped, and the engine does not stall."""
    vehicle = Vehicle(CAR)
    vehicle.data.write(ROAD, RoadData.SLOPE, 0.3)
    log = list(drive(vehicle, 20.0))
    assert phases(log) == ["ignition", "crank", "idle", "drive", "stop", "stand", "rest"]
    assert not any(moment.vehicle[VehicleData.ENGINE_STALLED] for moment in running(log))
    assert min(moment.speed for moment in log) > -3.0
    assert log[-1].speed == 0.0


class Silence:
    """An event log that is not written."""

    def info(self, t: int, event: str, **fields: object) -> None: ...

    def warning(self, t: int, event: str, **fields: object) -> None: ...


def test_through_the_arbiter_it_yields_to_a_line_and_stops_the_car_when_it_comes_back() -> None:
    """25 s under way a board revs the engine once; ten seconds later the driver is back in the rolling car."""
    vehicle = Vehicle(CAR)
    driver = DemoDriver(vehicle.data, CAR)
    settings = SerialInput(source="serial", port="pty", signals={"Throttle": InputSignal(), "Key": InputSignal()})
    board = SerialLineSource(settings)
    arbiter = Arbiter(vehicle.data, [board], Silence(), driver)
    arbiter.rest()
    seen = []
    for tick in range(50 * HERTZ):
        t = tick * (SECOND // HERTZ)
        if tick == 25 * HERTZ:
            board.feed(b"\nthrottle=0.3 key=0\n", t)
        arbiter.sample(t)
        vehicle.step(1 / HERTZ)
        seen.append((list(vehicle.data.input), vehicle.chassis.sensor_speed))
    assert seen[25 * HERTZ - 1][1] > 5
    assert [controls[InputData.MANUAL_GEAR] for controls, _ in seen[25 * HERTZ : 35 * HERTZ]] == [0] * 10 * HERTZ
    assert seen[25 * HERTZ][0][InputData.THROTTLE] == 3000
    assert seen[34 * HERTZ][0][InputData.BRAKE] == 0
    assert seen[36 * HERTZ][0][InputData.BRAKE] > 0
    assert seen[-1][1] == 0.0
    assert driver.phase in (Phase.STAND, Phase.REST)


def test_a_slow_tick_has_all_control_steps_that_are_due() -> None:
    """Handbrake off and feet on the way in a third of a second, whether the rate is 10 Hz or 1,000 Hz."""
    driven = []
    for rate in (10, 1000):
        driver = DemoDriver(Vehicle(CAR).data, CAR)
        driver.begin(0)
        for tick in range(3 * rate + 1):
            driver.drive(tick * SECOND // rate)
        driven.append((driver.phase, driver.values))
    assert driven[0] == driven[1]


def test_a_time_jump_is_made_up_for_by_a_tenth_of_a_second_at_most() -> None:
    """The cost of a tick is bounded. While it rests, each control step asks whether a tester has asked."""
    driver = DemoDriver(Vehicle(CAR).data, CAR)
    asked: list[int] = []

    def nobody_asked(t: int) -> bool:
        asked.append(t)
        return False

    driver.keep_ignition(SECOND, nobody_asked)
    driver.begin(0)
    t = 0
    while driver.phase is not Phase.REST:  # an engine that does not turn cannot be started
        t += SECOND // 100
        driver.drive(t)
    asked.clear()
    driver.drive(t + 3 * SECOND)
    assert len(asked) == 11


@pytest.mark.parametrize(
    "missing", [{"brakes": BrakeSettings(max_torque=0.0)}, {"clutch": ClutchSettings(max_torque_transfer=0.0)}]
)
def test_a_vehicle_that_cannot_be_driven_is_refused(
    missing: dict[str, Any],
) -> None:
    with pytest.raises(ConfigurationError):
        DemoDriver(Vehicle(CAR).data, replace(CAR, **missing))
