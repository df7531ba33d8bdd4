"""What the parts of a vehicle take from its bus, step by step; what they make of it is in test_requests.py."""

import pytest

from vehiclesim import NAN, BodyData, FaultData, InputData, RequestData, RoadData, SettingsData, Vehicle

STEP = 0.001


@pytest.fixture
def vehicle() -> Vehicle:
    """One that has taken everything over once."""
    one = Vehicle()
    one.step(STEP)
    return one


def test_a_position_beyond_the_travel_of_a_pedal_counts_as_its_end(vehicle: Vehicle) -> None:
    for position, share in ((-1, 0.0), (0, 0.0), (2500, 0.25), (10_000, 1.0), (10_001, 1.0)):
        vehicle.data.input[InputData.BRAKE] = position
        vehicle.step(STEP)
        assert vehicle.brakes.brake_input == share


def test_each_channel_is_taken_over_whenever_it_changes(vehicle: Vehicle) -> None:
    """There and back: the new value in the step after it, and the old one again."""
    for value, share in ((2000, 0.2), (0, 0.0)):
        vehicle.data.fault[FaultData.MISFIRE] = value
        vehicle.step(STEP)
        assert (vehicle.engine.misfire, vehicle.auxiliaries.misfire) == (share, share)
    for value, friction in ((3000, 0.3), (10_000, 1.0)):
        vehicle.data.road[RoadData.FRICTION] = value
        vehicle.step(STEP)
        assert [wheel.road_friction for wheel in vehicle.wheels] == [friction] * 4
    for value, friction in ((5000, 0.5), (10_000, 1.0)):
        vehicle.data.road[RoadData.FRICTION_REAR_LEFT] = value
        vehicle.step(STEP)
        assert [wheel.road_friction for wheel in vehicle.wheels] == [1.0, 1.0, friction, 1.0]
    for value in (2, 0):
        vehicle.data.settings[SettingsData.ABS_OVERRIDE] = value
        vehicle.step(STEP)
        assert vehicle.aids.abs_override == value
    for value, torque in ((40_000, 40.0), (NAN, float("inf"))):
        vehicle.data.request[RequestData.ENGINE_TORQUE_LIMIT] = value
        vehicle.step(STEP)
        assert vehicle.engine.torque_limit == torque


def test_friction_under_a_wheel_is_that_of_the_road_times_its_own_factor(vehicle: Vehicle) -> None:
    """Ice on the left: the wheels of each side get theirs, front left, front right, rear left, rear right."""
    vehicle.data.road[RoadData.FRICTION] = 8000
    vehicle.data.road[RoadData.FRICTION_FRONT_LEFT] = 1000
    vehicle.data.road[RoadData.FRICTION_REAR_LEFT] = 2500
    vehicle.step(STEP)
    assert [wheel.road_friction for wheel in vehicle.wheels] == pytest.approx([0.08, 0.8, 0.2, 0.8], rel=1e-12)


def test_what_others_asked_of_the_engine_does_not_outlast_a_step(vehicle: Vehicle) -> None:
    """Gearbox and traction control ask anew each time; a control unit asks as long as its request is on the bus."""
    vehicle.engine.tcs_rpms = vehicle.engine.target_rpms = 3000.0
    vehicle.step(STEP)
    assert (vehicle.engine.tcs_rpms, vehicle.engine.target_rpms) == (-1.0, -1.0)
    vehicle.data.request[RequestData.TCS_RPM] = 4_000_000
    for _ in range(2):
        vehicle.step(STEP)
        assert vehicle.engine.tcs_rpms == 4000.0


def test_a_stuck_throttle_leaves_the_pedal_without_effect_until_it_is_free(vehicle: Vehicle) -> None:
    vehicle.data.input[InputData.THROTTLE] = 1000
    for stuck, share in ((NAN, 0.1), (6000, 0.6), (NAN, 0.1)):
        vehicle.data.fault[FaultData.STUCK_THROTTLE] = stuck
        vehicle.step(STEP)
        assert vehicle.engine.throttle_input == share


def test_shift_steps_are_acknowledged_by_a_zero_on_the_bus(vehicle: Vehicle) -> None:
    vehicle.data.input[InputData.GEAR_SHIFT] = 1
    vehicle.step(STEP)
    assert vehicle.data.input[InputData.GEAR_SHIFT] == 0
    assert vehicle.gearbox.gear_shift == 0


def test_the_levers_of_the_body_are_taken_over_in_every_step(vehicle: Vehicle) -> None:
    """Without ignition the turn signals stay dark, the hazard lights do not."""
    body, signals = vehicle.data.body, vehicle.auxiliaries.turn_signals
    for key, lever, hazard, told in ((0, 1, 0, [1, 0]), (0, 2, 0, [0, 1]), (-1, 2, 0, [0, 0]), (-1, 0, 1, [1, 1])):
        vehicle.data.input[InputData.KEY] = key
        body[BodyData.TURN_SIGNAL], body[BodyData.HAZARD_LIGHTS] = lever, hazard
        vehicle.step(STEP)
        assert [signals.sensor_left, signals.sensor_right] == told
        assert body[BodyData.LEFT_TURN : BodyData.RIGHT_TURN + 1] == told
        assert body[BodyData.LEFT_TURN_LAMP : BodyData.RIGHT_TURN_LAMP + 1] == told
