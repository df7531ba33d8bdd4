"""Any vehicle under any driver: layouts, couplings, gearboxes and tyres at random, and nonsense on the whole bus."""

import random
from dataclasses import replace
from math import isfinite

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vehiclesim import (
    NAN,
    AbsSettings,
    AxleDifferentialSettings,
    BodyData,
    BodySettings,
    BrakeSettings,
    ChassisSettings,
    ClutchSettings,
    ClutchType,
    DataBus,
    DifferentialSettings,
    DifferentialType,
    DrivelineLayout,
    DrivelineSettings,
    EngineSettings,
    FaultData,
    GearboxSettings,
    GearboxType,
    InputData,
    RatioChange,
    RequestData,
    RetarderSettings,
    RoadData,
    SettingsData,
    ShiftingSettings,
    ShiftStrategy,
    SplitterSettings,
    TrailerSettings,
    TyreSettings,
    Vehicle,
    VehicleSettings,
    WheelSettings,
)

from .road import FULL, run
from .states import numbers

pytestmark = pytest.mark.long

COUPLINGS = st.sampled_from(DifferentialType)
AXLES = st.builds(
    AxleDifferentialSettings,
    type=COUPLINGS,
    ratio=st.floats(2.0, 5.0),
    preload=st.floats(0.0, 200.0),
    stiffness=st.floats(0.0, 1.0),
    power_angle=st.floats(20.0, 90.0),
    coast_angle=st.floats(20.0, 90.0),
    bias_ratio=st.floats(1.0, 8.0),
)
EFFICIENCY = st.floats(0.8, 1.0)
AUTOMATIC = st.just(GearboxType.AUTOMATIC)
GEARBOXES = st.one_of(
    st.builds(GearboxSettings, type=st.sampled_from(GearboxType), efficiency=EFFICIENCY),
    st.builds(GearboxSettings, type=AUTOMATIC, ratio_change=st.just(RatioChange.DUAL_CLUTCH), efficiency=EFFICIENCY),
    st.builds(
        GearboxSettings,
        type=AUTOMATIC,
        ratio_change=st.just(RatioChange.CONTINUOUS),
        ratios=st.just((3.8, 0.6)),
        efficiency=EFFICIENCY,
    ),
)
SINGLE = st.builds(
    VehicleSettings,
    engine=st.builds(EngineSettings, can_stall=st.booleans(), rpm_limiter=st.booleans(), inertia=st.floats(0.1, 1.0)),
    clutch=st.builds(ClutchSettings, type=st.sampled_from(ClutchType), lock_up=st.booleans()),
    gearbox=GEARBOXES,
    shifting=st.builds(
        ShiftingSettings,
        strategy=st.sampled_from(ShiftStrategy),
        blended=st.booleans(),
        neutral_at_standstill=st.booleans(),
    ),
    retarder=st.builds(RetarderSettings, levels=st.sampled_from([0, 4])),
    driveline=st.builds(
        DrivelineSettings,
        layout=st.sampled_from(DrivelineLayout),
        front=AXLES,
        rear=AXLES,
        sides=AXLES,
        centre=st.builds(DifferentialSettings, type=COUPLINGS),
        splitter=st.builds(SplitterSettings, stiffness=st.floats(0.0, 1.0)),
    ),
    wheels=st.builds(WheelSettings, radius=st.floats(0.25, 0.4), inertia=st.floats(0.3, 2.0)),
    tyre=st.builds(
        TyreSettings,
        tyre_dynamics=st.booleans(),
        relaxation_length=st.floats(0.1, 1.0),
        lateral_relaxation_length=st.none() | st.floats(0.1, 1.0),
        lateral_load_sensitivity=st.floats(-0.3, 0.0),
        stiffest_load=st.none() | st.floats(0.5, 5.0),
    ),
    brakes=st.builds(BrakeSettings, max_torque=st.floats(500.0, 5000.0), front_bias=st.floats(0.0, 1.0)),
    chassis=st.builds(
        ChassisSettings,
        front_weight=st.floats(0.35, 0.65),
        wheelbase=st.floats(2.2, 3.2),
        front_cornering_compliance=st.floats(0.0, 3.0),
    ),
    body=st.builds(BodySettings, mass=st.floats(700.0, 3000.0)),
)
TRAILERS = st.builds(
    TrailerSettings,
    mass=st.floats(200.0, 5000.0),
    yaw_inertia=st.floats(200.0, 20000.0),
    centre_of_gravity_height=st.floats(0.0, 1.5),
    hitch_ahead=st.floats(-1.5, 0.6),
    hitch_height=st.floats(0.2, 1.2),
    hitch_to_centre=st.floats(1.0, 5.0),
    hitch_to_axle=st.floats(1.5, 6.0),
    brake_torque=st.floats(0.0, 6000.0),
    brake_lag=st.floats(0.0, 0.5),
    abs=st.builds(AbsSettings, enabled=st.booleans()),
    most_articulation=st.floats(30.0, 90.0),
)


def towing(vehicle: VehicleSettings, trailer: TrailerSettings | None) -> VehicleSettings:
    """The vehicle with a trailer, unless its tyres never slip."""
    return replace(vehicle, trailer=trailer) if trailer and vehicle.tyre.tyre_dynamics else vehicle


VEHICLES = st.builds(towing, SINGLE, st.none() | TRAILERS)

PEDAL = (0, 0, 2000, FULL, NAN, 2 * FULL)
CHOICES: dict[str, dict[int, tuple[int, ...]]] = {
    "input": {
        InputData.STEER: (-FULL, -1000, 0, 0, 500, 3 * FULL),
        InputData.THROTTLE: PEDAL,
        InputData.BRAKE: PEDAL,
        InputData.HANDBRAKE: PEDAL,
        InputData.CLUTCH: PEDAL,
        InputData.MANUAL_GEAR: (-9, -1, 0, 1, 2, 3, 9),
        InputData.AUTOMATIC_GEAR: (-1, 0, 1, 2, 3, 4, 4, 4, 6, 99),
        InputData.GEAR_SHIFT: (-2, 0, 0, 1),
        InputData.RETARDER: (-1, 0, 2, 9),
        InputData.KEY: (-5, 0, 0, 1, 1),
    },
    "settings": dict.fromkeys(range(SettingsData.MAX_GEAR_OVERRIDE + 1), (0, 0, 1, 2)),
    "request": {
        RequestData.ENGINE_TORQUE: (NAN, NAN, -500_000, 80_000),
        RequestData.ENGINE_TORQUE_LIMIT: (NAN, NAN, 0, 50_000),
        RequestData.ENGINE_RPM: (NAN, NAN, NAN, 0, 3_000_000, 99_000_000),
        RequestData.ENGINE_RPM_LIMIT: (NAN, NAN, -1, 3_000_000),
        RequestData.ALLOWED_FUEL_RATIO: (NAN, NAN, NAN, 0, 5000, 99_999),
        RequestData.TCS_RPM: (NAN, NAN, 1_500_000),
        RequestData.RETARDER_RATIO: (NAN, 5000, -5),
        RequestData.BRAKE_RATIO: (NAN, NAN, 3000, 99_999),
    },
    "road": {
        RoadData.SLOPE: (0, 0, -3000, 3000),
        RoadData.FRICTION: (10000, 10000, 0, 500, 20000),
        RoadData.FRICTION_REAR_RIGHT: (10000, 1000, 20000),
        RoadData.HEAD_WIND: (0, -30_000, 30_000),
    },
    "fault": {
        FaultData.MISFIRE: (0, 0, 3000, 99_999),
        FaultData.LEAN_MIXTURE: (0, 0, 1000, -7),
        FaultData.STUCK_THROTTLE: (NAN, NAN, 0, FULL),
    },
    "body": dict.fromkeys(range(BodyData.LEFT_TURN), (0, 0, 1, 2, -1, 9)),
}
"""What may be written, by channel and id; out of range too."""


def disturb(bus: DataBus, source: random.Random) -> None:
    """Writes something at six places of the bus."""
    for _ in range(6):
        channel = source.choice(list(CHOICES))
        index = source.choice(list(CHOICES[channel]))
        getattr(bus, channel)[index] = source.choice(CHOICES[channel][index])


@settings(max_examples=25)
@given(parameters=VEHICLES, seed=st.integers(0, 2**32))
def test_whatever_happens_the_numbers_stay_sane(parameters: VehicleSettings, seed: int) -> None:
    """State finite, no engine turning backward, speed never negative, every published value within 32 bits."""
    try:
        vehicle = Vehicle(parameters)
    except ValueError:  # shift speeds that do not fit these ratios
        return
    source = random.Random(seed)
    for _ in range(20):
        disturb(vehicle.data, source)
        for _ in range(10):
            run(vehicle, 0.02, 0.01)
            assert vehicle.engine.sensor_rpm >= 0.0
        state = vehicle.get_state_vars()
        assert all(isfinite(number) for part in ("wheels", "chassis", "gearbox") for number in numbers(state[part]))
        assert vehicle.data.vehicle[0] >= 0
        assert all(-(2**31) <= value < 2**31 for value in vehicle.data.vehicle + vehicle.data.chassis)


@settings(max_examples=15)
@given(parameters=VEHICLES, seed=st.integers(0, 2**32))
def test_a_restored_vehicle_goes_on_exactly(parameters: VehicleSettings, seed: int) -> None:
    """Saved amid nonsense, and given the same bus: state and published values stay equal, bit by bit."""
    try:
        one, other = Vehicle(parameters), Vehicle(parameters)
    except ValueError:
        return
    source = random.Random(seed)
    for _ in range(8):
        disturb(one.data, source)
        run(one, 0.1, 0.01)
    for mine, yours in zip(other.data.channels, one.data.channels, strict=True):
        mine[:] = yours
    other.set_state_vars(one.get_state_vars())
    for seed_of_both in range(4):
        for vehicle in (one, other):
            run(vehicle, 0.1, 0.01)
            disturb(vehicle.data, random.Random(seed_of_both))
        assert repr(other.get_state_vars()) == repr(one.get_state_vars())
        assert other.data.channels == one.data.channels


@pytest.mark.parametrize("layout", DrivelineLayout)
def test_every_layout_drives(layout: DrivelineLayout) -> None:
    """In D a converter moves the car; the bus says so."""
    vehicle = Vehicle(
        VehicleSettings(
            clutch=ClutchSettings(type=ClutchType.TORQUE_CONVERTER),
            gearbox=GearboxSettings(type=GearboxType.AUTOMATIC),
            driveline=DrivelineSettings(layout=layout),
        )
    )
    vehicle.data.input[InputData.AUTOMATIC_GEAR] = 4
    vehicle.data.input[InputData.THROTTLE] = 3000
    run(vehicle, 5.0, 0.01)
    assert vehicle.data.vehicle[0] > 2000
    assert vehicle.data.chassis[:4] == pytest.approx([vehicle.data.vehicle[0]] * 4, rel=0.1)
