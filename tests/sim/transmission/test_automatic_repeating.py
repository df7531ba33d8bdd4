"""Cars that shift by themselves do the same at every rate, with every substep, and again from a saved state."""

import random
from collections.abc import Callable
from dataclasses import replace
from math import isfinite

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vehiclesim import (
    ROAD,
    GearboxType,
    InputData,
    RoadData,
    SettingsData,
    ShiftingSettings,
    ShiftStrategy,
    Vehicle,
    VehicleData,
)
from vehiclesim.parameters import ClutchSettings, ClutchType

from ..automatic_cars import COARSE, DISC, HYDRODYNAMIC, car, drive, gears, ready
from ..published_engines import V8
from ..road import FULL, read, run
from ..states import numbers

pytestmark = pytest.mark.long


@pytest.mark.parametrize("clutch", [DISC, HYDRODYNAMIC])
def test_the_substep_does_not_change_the_drive(clutch: ClutchType) -> None:
    """Substeps of 5, 1 and 0.25 ms: less than 0.5 % apart in both speeds after two shifts."""
    cars = [ready(car(clutch)) for _ in range(3)]
    cars[1].solver.max_substep = 0.001
    cars[2].solver.max_substep = 0.00025
    for vehicle in cars:
        assert gears(drive(vehicle, 7.0, throttle=0.9)) == [1, 2, 3]
    for index in (VehicleData.SPEED, VehicleData.ENGINE_RPM):
        values = [read(vehicle, index) for vehicle in cars]
        assert values == pytest.approx([values[2]] * 3, rel=5e-3)


def test_ten_steps_a_second_drive_the_automatic() -> None:
    """The same gears, and 3 % of the speed."""
    slow, fast = ready(car()), ready(car())
    for vehicle, delta_time in ((slow, 0.1), (fast, 0.001)):
        vehicle.data.input[InputData.BRAKE] = 0
        vehicle.data.input[InputData.THROTTLE] = 9000
        run(vehicle, 8.0, delta_time)
    assert read(slow, VehicleData.GEARBOX_GEAR) == read(fast, VehicleData.GEARBOX_GEAR) == 3
    assert read(slow, VehicleData.SPEED) == pytest.approx(read(fast, VehicleData.SPEED), rel=0.03)


@pytest.mark.parametrize("delta_time", [0.001, 0.01, 0.1])
@pytest.mark.parametrize("throttle", [0.2, 0.5, 1.0])
def test_the_automatic_clutch_does_not_stall_a_light_engine(delta_time: float, throttle: float) -> None:
    """0.1 kg m² against 800 Nm of clutch, which stop it within 10 ms: it pulls away at every rate all the same."""
    engine = replace(V8, rpm_limiter=True, rpm_limiter_max=8000.0)
    parameters = replace(
        car(kind=GearboxType.SEQUENTIAL), engine=engine, clutch=ClutchSettings(max_torque_transfer=800.0)
    )
    vehicle = ready(parameters)
    controls = vehicle.data.input
    controls[InputData.MANUAL_GEAR] = 1
    run(vehicle, 1.0, COARSE)
    controls[InputData.BRAKE] = 0
    controls[InputData.THROTTLE] = round(throttle * FULL)
    for _ in range(round(2.0 / delta_time)):
        vehicle.step(delta_time)
        assert read(vehicle, VehicleData.ENGINE_WORKING) == 1
    assert vehicle.chassis.sensor_speed > 2.0


def random_driver(seed: int) -> Callable[[Vehicle], None]:
    """A driver without sense, with every lever there is: each quarter of a second some of them go somewhere else."""
    source = random.Random(seed)

    def move(vehicle: Vehicle) -> None:
        controls, overrides = vehicle.data.input, vehicle.data.settings
        controls[source.choice([InputData.THROTTLE, InputData.CLUTCH, InputData.BRAKE])] = source.choice(
            [0, 0, 0, 3000, FULL]
        )
        controls[InputData.KEY] = source.choice([-1, 0, 0, 0, 1, 1])
        controls[InputData.GEAR_SHIFT] = source.choice([-1, 0, 0, 0, 1])
        controls[InputData.MANUAL_GEAR] = source.choice([-2, -1, 1, 1, 1, 2])
        controls[InputData.RETARDER] = source.choice([0, 0, 1, 9])
        if source.random() < 0.2:
            controls[InputData.AUTOMATIC_GEAR] = source.choice([0, 1, 2, 3, 4, 4, 4, 4, 5, 7, 9])
        overrides[SettingsData.AUTO_SHIFT_OVERRIDE] = source.choice([0, 0, 0, 1, 2])
        overrides[SettingsData.MIN_GEAR_OVERRIDE] = source.choice([0, 0, 0, 2])
        overrides[SettingsData.MAX_GEAR_OVERRIDE] = source.choice([0, 0, 0, 3])
        for _ in range(25):
            vehicle.step(COARSE)

    return move


@pytest.mark.parametrize("kind", GearboxType)
@pytest.mark.parametrize("clutch", [DISC, HYDRODYNAMIC])
def test_a_restored_car_goes_on_exactly(kind: GearboxType, clutch: ClutchType) -> None:
    """Saved every quarter of a second of a wild drive: bus and state stay equal, bit by bit."""
    parameters = car(clutch, kind)
    one = Vehicle(parameters)
    before, after, again = random_driver(1), random_driver(2), random_driver(2)
    for _ in range(25):
        before(one)
        other = Vehicle(parameters)
        other.data.input[:] = one.data.input
        other.data.settings[:] = one.data.settings
        other.set_state_vars(one.get_state_vars())
        assert other.data.vehicle == one.data.vehicle
        after(one)
        again(other)
        assert other.data.vehicle == one.data.vehicle
        assert repr(other.get_state_vars()) == repr(one.get_state_vars())  # not-a-number equals nothing


@settings(max_examples=20)
@given(
    seed=st.integers(0, 2**32),
    kind=st.sampled_from(GearboxType),
    clutch=st.sampled_from(ClutchType),
    strategy=st.sampled_from(ShiftStrategy),
    blended=st.booleans(),
    grade=st.floats(-0.3, 0.3),
)
def test_whatever_the_driver_does_the_numbers_stay_sane(
    seed: int, kind: GearboxType, clutch: ClutchType, strategy: ShiftStrategy, blended: bool, grade: float
) -> None:
    """Ten seconds of nonsense: everything finite, no engine turning backward, gears and modes that exist."""
    vehicle = Vehicle(car(clutch, kind, ShiftingSettings(strategy=strategy, blended=blended)))
    vehicle.data.write(ROAD, RoadData.SLOPE, grade)
    move = random_driver(seed)
    for _ in range(40):
        move(vehicle)
        assert vehicle.engine.sensor_rpm >= 0.0
        assert isfinite(vehicle.chassis.sensor_speed)
        assert all(isfinite(value) for value in numbers(vehicle.gearbox.get_state_vars()))
        assert -2 <= read(vehicle, VehicleData.GEARBOX_GEAR) <= 5
        assert 0 <= read(vehicle, VehicleData.GEARBOX_MODE) <= 9
        assert 0.0 <= vehicle.gearbox.sensor_clutch_request <= 1.0
