"""What the parts of a vehicle take from its bus, step by step; what they make of it is in test_requests.py."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vehiclesim import (
    AUXILIARY,
    BODY,
    CHASSIS,
    ENTRIES,
    FAULT,
    INPUT,
    NAN,
    REQUEST,
    ROAD,
    SETTINGS,
    VEHICLE,
    AbsSettings,
    AidsSettings,
    AsrSettings,
    BodyData,
    EscSettings,
    FaultData,
    InputData,
    RequestData,
    RoadData,
    SavedState,
    SettingsData,
    Vehicle,
    VehicleSettings,
)

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


READ = [
    (channel, index)
    for channel in (INPUT, SETTINGS, REQUEST, ROAD, FAULT, BODY)
    for index, entry in enumerate(ENTRIES[channel])
    if entry.limits is not None
]
ABSURD = st.sampled_from([NAN, NAN - 1, 2**31 - 1, 2 - 2**31, 10**15, -(10**15), 10**400])


ON = AidsSettings(abs=AbsSettings(enabled=True), esc=EscSettings(enabled=True), asr=AsrSettings(enabled=True))


@cache
def driven() -> tuple[list[int], SavedState]:
    """The inputs and the state of a vehicle that drives in second gear with its aids on."""
    vehicle = Vehicle(VehicleSettings(aids=ON))
    vehicle.data.input[InputData.THROTTLE] = 4000
    for gear in (1, 2):
        vehicle.data.input[InputData.MANUAL_GEAR] = gear
        for _ in range(100):
            vehicle.step(0.01)
    return vehicle.data.input, vehicle.get_state_vars()


def driven_vehicle() -> Vehicle:
    """One in that state."""
    vehicle = Vehicle(VehicleSettings(aids=ON))
    inputs, state = driven()
    vehicle.data.input[:] = inputs
    vehicle.set_state_vars(state)
    return vehicle


@settings(max_examples=40)
@given(written=st.dictionaries(st.sampled_from(READ), ABSURD, min_size=1))
def test_what_is_no_value_counts_as_never_written(written: dict[tuple[int, int], int]) -> None:
    """NAN and absurd integers, on every input of every channel: the vehicle drives bit by bit as with inputs at rest.

    So nothing of them spreads, and nothing remains.
    """
    vehicles = driven_vehicle(), driven_vehicle()
    for vehicle, absurd in zip(vehicles, (True, False), strict=True):
        for (channel, index), value in written.items():
            vehicle.data[channel][index] = value if absurd else ENTRIES[channel][index].rest
        for _ in range(10):
            vehicle.step(0.01)
    one, other = vehicles
    assert repr(one.get_state_vars()) == repr(other.get_state_vars())
    for channel in (VEHICLE, CHASSIS, AUXILIARY):
        assert one.data[channel] == other.data[channel]
    computed = slice(BodyData.LEFT_TURN, BodyData.SELECTOR_SHOWN + 1)
    assert one.data.body[computed] == other.data.body[computed]


@pytest.mark.parametrize(
    ("channel", "index", "written", "like"),
    [
        (ROAD, RoadData.SLOPE, 15_000, 10_000),  # a slope of 150 % as one of 100 %
        (ROAD, RoadData.HEAD_WIND, -900_000, -100_000),
        (INPUT, InputData.STEER, -30_000, -10_000),
        (REQUEST, RequestData.ENGINE_RPM, -1, 0),
        (FAULT, FaultData.MISFIRE, 99_999, 10_000),
        (INPUT, InputData.AUTOMATIC_GEAR, 10, 0),  # a lever has no such position
        (BODY, BodyData.TURN_SIGNAL, 3, 0),
        (SETTINGS, SettingsData.ABS_OVERRIDE, 3, 0),
    ],
)
def test_a_quantity_stays_at_its_limit_and_a_lever_has_no_other_positions(
    channel: int, index: int, written: int, like: int
) -> None:
    vehicles = driven_vehicle(), driven_vehicle()
    for vehicle, value in zip(vehicles, (written, like), strict=True):
        vehicle.data[channel][index] = value
        for _ in range(10):
            vehicle.step(0.01)
    assert repr(vehicles[0].get_state_vars()) == repr(vehicles[1].get_state_vars())
