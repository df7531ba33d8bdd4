"""Cars that shift by themselves, on the road: what drivers of other models complain about does not happen here."""

import random
from itertools import pairwise

import pytest

from vehiclesim import (
    GearboxType,
    GearMode,
    InputData,
    Retarder,
    SettingsData,
    ShiftingSettings,
    ShiftStrategy,
    Vehicle,
    VehicleData,
)
from vehiclesim.parameters import ClutchType

from ..automatic_cars import COARSE, CONVERTER, DISC, HYDRODYNAMIC, car, drive, gears, ready, truck
from ..road import FULL, read, run

pytestmark = pytest.mark.long

# -- complaints ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", ShiftStrategy)
@pytest.mark.parametrize(
    ("grade", "throttle", "blended"),
    [(0.0, 0.2, True), (0.1, 0.5, True), (0.2, 0.9, True), (0.2, 0.9, False), (0.25, 0.9, True), (0.3, 1.0, False)],
)
def test_it_does_not_hunt(strategy: ShiftStrategy, grade: float, throttle: float, *, blended: bool) -> None:
    """At a constant pedal from rest, on any slope, no gear is left for a shorter one."""
    vehicle = ready(car(shifting=ShiftingSettings(strategy=strategy, blended=blended)), grade=grade)
    shifts = gears(drive(vehicle, 25.0, throttle=throttle))
    assert all(one < two for one, two in pairwise(shifts))
    assert read(vehicle, VehicleData.SPEED) > 5.0


@pytest.mark.parametrize("strategy", ShiftStrategy)
@pytest.mark.parametrize(("grade", "shifts"), [(0.0, 8), (0.06, 5), (0.12, 3)])
def test_a_truck_climbs_without_hunting(strategy: ShiftStrategy, grade: float, shifts: int) -> None:
    """Every shift through neutral costs it speed; it still gets as far up through its gears as the slope lets it."""
    vehicle = ready(truck(ShiftingSettings(strategy=strategy)), grade=grade)
    sequence = gears(drive(vehicle, 30.0, throttle=0.9))
    assert sequence == list(range(1, len(sequence) + 1))
    assert len(sequence) > shifts
    assert read(vehicle, VehicleData.ENGINE_RPM) > 1200.0


@pytest.mark.parametrize("strategy", ShiftStrategy)
def test_a_restless_foot_does_not_make_it_hunt(strategy: ShiftStrategy) -> None:
    """Cruising with a pedal that moves by a few percent twice a second: at most one shift in 20 s."""
    vehicle = ready(car(shifting=ShiftingSettings(strategy=strategy)))
    drive(vehicle, 20.0, throttle=0.6)
    drive(vehicle, 5.0, throttle=0.35)
    foot = random.Random(7)
    shifts = 0
    for _ in range(40):
        shifts += len(drive(vehicle, 0.5, throttle=0.35 + foot.uniform(-0.04, 0.04))) - 1
    assert shifts <= 1


LOWEST = (1150.0, *[1000.0 + (4850.0 - 1000.0) / 8.0] * 3)
"""[1/min]: n_min_drive of UN GTR No. 15 in gears 2 to 5, for idle at 1000 and the highest power at 4850."""


def light_speed(gear: int) -> float:
    """The speed at which the default box leaves a gear under a light foot: the next one begins with its lowest."""
    gears = (3.84, 2.35, 1.53, 1.10, 0.84)
    return LOWEST[gear - 1] * gears[gear - 1] / gears[gear]


@pytest.mark.parametrize("clutch", [DISC, CONVERTER, HYDRODYNAMIC])
def test_it_does_not_stick_past_its_shift_speed(clutch: ClutchType) -> None:
    """Close to kick-down every gear ends on the line from its light speed at 0.3 to 4500 at 0.95, slipping or not."""
    shifts = drive(ready(car(clutch)), 20.0, throttle=0.9)
    assert gears(shifts) == [1, 2, 3, 4, 5]
    for gear, rpm in shifts[1:]:
        light = light_speed(gear - 1)
        end = light + (4500.0 - light) * (0.9 - 0.3) / (0.95 - 0.3)
        assert end - 20.0 < rpm < end + 30.0


@pytest.mark.parametrize("throttle", [0.2, 0.25, 0.3])
@pytest.mark.parametrize("clutch", [DISC, HYDRODYNAMIC])
def test_the_default_box_leaves_its_gears_under_a_light_foot(clutch: ClutchType, throttle: float) -> None:
    """On the flat, as soon as the next gear begins beyond the lowest speed at which it is driven."""
    shifts = drive(ready(car(clutch)), 20.0, throttle=throttle)
    assert gears(shifts)[:2] == [1, 2]
    assert all(light_speed(gear - 1) - 20.0 < rpm < light_speed(gear - 1) + 300.0 for gear, rpm in shifts[1:])


@pytest.mark.parametrize("clutch", [DISC, CONVERTER, HYDRODYNAMIC])
@pytest.mark.parametrize("throttle", [0.9, 1.0])
def test_the_limiter_does_not_block_the_upshift(clutch: ClutchType, throttle: float) -> None:
    """With a limiter at 4300 rpm, below the shift speed of 4500, the box uses all gears and the limiter never acts."""
    vehicle = ready(car(clutch, shifting=ShiftingSettings(down_rpm=2000.0), limiter=4300.0))
    controls = vehicle.data.input
    controls[InputData.BRAKE] = 0
    controls[InputData.THROTTLE] = round(throttle * FULL)
    for _ in range(2500):
        vehicle.step(COARSE)
        assert read(vehicle, VehicleData.ENGINE_LIMITER) == 0
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == 5


@pytest.mark.parametrize("clutch", [DISC, CONVERTER, HYDRODYNAMIC])
@pytest.mark.parametrize("strategy", ShiftStrategy)
def test_on_a_hill_it_pulls_away_in_first(clutch: ClutchType, strategy: ShiftStrategy) -> None:
    """Also out of rolling back, at 3 m/s on a slope of 20 %."""
    vehicle = ready(car(clutch, shifting=ShiftingSettings(strategy=strategy)), GearMode.NEUTRAL, grade=0.2)
    vehicle.data.input[InputData.AUTOMATIC_GEAR] = GearMode.DRIVE
    drive(vehicle, 0.5, brake=1.0)
    vehicle.gearbox.automatic_gear = GearMode.DRIVE
    while vehicle.chassis.sensor_speed > -3.0:
        vehicle.data.input[InputData.AUTOMATIC_GEAR] = GearMode.NEUTRAL
        drive(vehicle, COARSE)
        vehicle.data.input[InputData.AUTOMATIC_GEAR] = GearMode.DRIVE
    assert gears(drive(vehicle, 4.0, brake=0.3))[-1] == 1
    assert set(gears(drive(vehicle, 4.0, throttle=0.9))) == {1}
    assert vehicle.chassis.sensor_speed > 2.0


@pytest.mark.parametrize("clutch", [DISC, CONVERTER])
@pytest.mark.parametrize("strategy", ShiftStrategy)
def test_it_does_not_cycle_through_the_gears_while_it_stands(clutch: ClutchType, strategy: ShiftStrategy) -> None:
    """Brake and throttle fully down: first gear, whatever the engine does."""
    vehicle = ready(car(clutch, shifting=ShiftingSettings(strategy=strategy)))
    assert gears(drive(vehicle, 10.0, throttle=1.0, brake=1.0)) == [1]
    assert vehicle.chassis.sensor_speed < 0.01


@pytest.mark.parametrize("clutch", [DISC, CONVERTER, HYDRODYNAMIC])
@pytest.mark.parametrize("kind", [GearboxType.AUTOMATIC, GearboxType.SEQUENTIAL])
@pytest.mark.parametrize("strategy", ShiftStrategy)
def test_a_touch_of_the_brake_does_not_stall_it(clutch: ClutchType, kind: GearboxType, strategy: ShiftStrategy) -> None:
    """Creeping, from town speed, gently and to the floor: the engine goes on (`drive` looks at every step)."""
    vehicle = ready(car(clutch, kind, ShiftingSettings(strategy=strategy)))
    vehicle.data.input[InputData.MANUAL_GEAR] = 1
    drive(vehicle, 1.0, brake=1.0)
    for speed_up, brake in ((2.0, 1.0), (1.0, 0.1), (3.0, 0.3), (3.0, 1.0)):
        drive(vehicle, speed_up, throttle=0.7)
        assert vehicle.chassis.sensor_speed > 1.0
        drive(vehicle, 6.0, brake=brake)
        assert read(vehicle, VehicleData.ENGINE_RPM) > 950.0
    drive(vehicle, 3.0, brake=1.0)
    assert vehicle.chassis.sensor_speed == 0.0


# -- starting, stopping, parking ----------------------------------------------------------------------------------


@pytest.mark.parametrize("throttle", [0.1, 0.3, 1.0])
@pytest.mark.parametrize("kind", [GearboxType.AUTOMATIC, GearboxType.SEQUENTIAL])
def test_the_automatic_clutch_starts_the_car(kind: GearboxType, throttle: float) -> None:
    """It slips in one direction, then locks for good, but for 1.5 rpm in the steps around one that breaks away."""
    vehicle = ready(car(DISC, kind))
    vehicle.data.input[InputData.MANUAL_GEAR] = 1
    run(vehicle, 1.0, COARSE)
    vehicle.data.input[InputData.BRAKE] = 0
    vehicle.data.input[InputData.THROTTLE] = round(throttle * FULL)
    time, locked = 0.0, 0.0
    while locked < 0.5:
        vehicle.step(COARSE)
        slip = vehicle.engine.sensor_rpm - 3.84 * vehicle.gearbox.sensor_output_rpm
        assert slip > -1.5
        assert vehicle.engine.sensor_output_torque >= -1e-9
        time += COARSE
        locked = locked + COARSE if read(vehicle, VehicleData.CLUTCH_LOCK) == 1 else 0.0
        assert time < 12.0
    assert vehicle.chassis.sensor_speed > 2.0


def test_an_idling_engine_with_an_automatic_clutch_does_not_creep() -> None:
    """The clutch is open at idle; a converter creeps."""
    standing, creeping = ready(car(DISC)), ready(car(CONVERTER))
    for vehicle in (standing, creeping):
        drive(vehicle, 3.0)
    assert standing.chassis.sensor_speed == 0.0
    assert creeping.chassis.sensor_speed > 1.0


def test_an_automatic_clutch_creeps_where_it_is_made_to() -> None:
    """At the speed of idle in first gear, 9 km/h, or less; on a hill too steep for 30 Nm the engine lives on."""
    parameters = car(DISC, shifting=ShiftingSettings(creep_torque=30.0))
    flat, steep = ready(parameters), ready(parameters, grade=0.15)
    for vehicle in (flat, steep):
        drive(vehicle, 6.0)
    assert 1.0 < flat.chassis.sensor_speed < 2.5
    assert steep.chassis.sensor_speed < 0.0
    drive(flat, 3.0, brake=0.3)
    assert flat.chassis.sensor_speed == 0.0


@pytest.mark.parametrize("grade", [0.2, -0.2])
@pytest.mark.parametrize("clutch", [DISC, HYDRODYNAMIC])
def test_p_holds_the_car(grade: float, clutch: ClutchType) -> None:
    """On a 20 % slope, engine running, no brake: it settles on its tyres, and then not a bit moves for a minute."""
    vehicle = ready(car(clutch), GearMode.PARK, grade)
    vehicle.data.input[InputData.BRAKE] = 0
    vehicle.data.input[InputData.THROTTLE] = 3000
    run(vehicle, 3.0, COARSE)
    for _ in range(600):
        vehicle.step(0.1)
        assert vehicle.chassis.sensor_speed == 0.0
    assert abs(vehicle.chassis.pose.x) < 0.03
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == 0
    assert read(vehicle, VehicleData.GEARBOX_MODE) == GearMode.PARK


def test_p_and_r_are_refused_on_the_move() -> None:
    """The lever may stand there: the mode on the bus is N, and the engine is safe."""
    vehicle = ready(car())
    drive(vehicle, 5.0, throttle=0.8)
    for mode in (GearMode.PARK, GearMode.REVERSE):
        vehicle.data.input[InputData.AUTOMATIC_GEAR] = mode
        drive(vehicle, 0.5)
        assert read(vehicle, VehicleData.GEARBOX_MODE) == GearMode.NEUTRAL
        assert read(vehicle, VehicleData.GEARBOX_GEAR) == 0
    drive(vehicle, 6.0, brake=0.5)
    drive(vehicle, 1.0)
    assert read(vehicle, VehicleData.GEARBOX_MODE) == GearMode.REVERSE
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == -1


# -- shifting -----------------------------------------------------------------------------------------------------


def test_an_automatic_never_interrupts_the_drive() -> None:
    """Full throttle through the gears: the blended box accelerates in every step, one through neutral does not."""
    for blended in (True, False):
        vehicle = ready(car(shifting=ShiftingSettings(blended=blended)))
        drive(vehicle, 1.0, throttle=0.9)
        speeds = [vehicle.chassis.sensor_speed]
        for _ in range(1000):
            drive(vehicle, COARSE, throttle=0.9)
            speeds.append(vehicle.chassis.sensor_speed)
        lost = sum(two <= one + 1e-4 for one, two in pairwise(speeds))
        assert (lost == 0) is blended


def test_a_sequential_box_is_shifted_with_the_foot_on_the_pedal() -> None:
    """Clutch and engine speed are looked after: no howl, and 0.8 s after the step the clutch is locked."""
    vehicle = ready(car(kind=GearboxType.SEQUENTIAL))
    vehicle.data.input[InputData.GEAR_SHIFT] = 1
    drive(vehicle, 4.0, throttle=1.0)
    for gear in (2, 3):
        highest = vehicle.engine.sensor_rpm
        vehicle.data.input[InputData.GEAR_SHIFT] = 1
        for _ in range(60):
            drive(vehicle, COARSE, throttle=1.0)
            assert vehicle.engine.sensor_rpm <= 1.01 * highest
        assert read(vehicle, VehicleData.GEARBOX_GEAR) == gear
        drive(vehicle, 0.2, throttle=1.0)
        assert read(vehicle, VehicleData.CLUTCH_LOCK) == 1
        drive(vehicle, 2.0, throttle=1.0)


def test_the_drivers_clutch_still_counts() -> None:
    """ClutchSignal is the pedal times what the gearbox asks for."""
    vehicle = ready(car(kind=GearboxType.SEQUENTIAL))
    vehicle.data.input[InputData.GEAR_SHIFT] = 1
    drive(vehicle, 4.0, throttle=0.8)
    vehicle.data.input[InputData.CLUTCH] = 2500
    vehicle.step(COARSE)
    assert vehicle.data.vehicle[VehicleData.CLUTCH_SIGNAL] == 7500


def test_overrides_come_from_the_settings_channel() -> None:
    """MaxGear 2, then AutoShift by hand: the box stays in second; GearShift is acknowledged."""
    vehicle = ready(car())
    vehicle.data.settings[SettingsData.MAX_GEAR_OVERRIDE] = 2
    drive(vehicle, 10.0, throttle=0.8)
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == 2
    vehicle.data.settings[SettingsData.MAX_GEAR_OVERRIDE] = 0
    vehicle.data.settings[SettingsData.AUTO_SHIFT_OVERRIDE] = 2
    drive(vehicle, 5.0, throttle=0.8)
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == 2
    vehicle.data.input[InputData.GEAR_SHIFT] = 1
    drive(vehicle, 1.0, throttle=0.5)
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == 3
    assert vehicle.data.input[InputData.GEAR_SHIFT] == 0
    vehicle.data.settings[SettingsData.AUTO_SHIFT_OVERRIDE] = 0
    vehicle.data.settings[SettingsData.MIN_GEAR_OVERRIDE] = 4
    drive(vehicle, 1.0, throttle=0.5)
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == 4


def test_a_manual_gearbox_can_be_forced_to_shift_by_itself() -> None:
    """AutoShiftOverride 1 works lever and clutch in the direction of the driver's gear; 0 gives both back.

    It stops in gear without stalling, as `drive` watches, and pulls away again.
    """
    vehicle = ready(car(kind=GearboxType.MANUAL))
    controls, override = vehicle.data.input, vehicle.data.settings
    override[SettingsData.AUTO_SHIFT_OVERRIDE] = 1
    assert gears(drive(vehicle, 1.0, brake=1.0)) == [0]
    controls[InputData.MANUAL_GEAR] = 1
    drive(vehicle, 1.0, brake=1.0)
    assert gears(drive(vehicle, 20.0, throttle=0.6)) == [1, 2, 3, 4]
    assert gears(drive(vehicle, 12.0, brake=0.3)) == [4, 3, 2, 1]
    assert vehicle.chassis.sensor_speed == 0.0
    assert gears(drive(vehicle, 8.0, throttle=0.5))[:2] == [1, 2]
    override[SettingsData.AUTO_SHIFT_OVERRIDE] = 0
    assert len(gears(drive(vehicle, 8.0, throttle=0.6))) == 1
    assert vehicle.data.vehicle[VehicleData.CLUTCH_SIGNAL] == FULL


def retarder(vehicle: Vehicle) -> Retarder:
    block = vehicle.named_blocks()["retarder"]
    assert isinstance(block, Retarder)
    return block


def test_the_retarder_holds_the_car_back() -> None:
    """Downhill in neutral, each level more than the one before; the torque is on the bus."""
    cars = [ready(car(), GearMode.NEUTRAL, -0.1) for _ in range(5)]
    for level, vehicle in enumerate(cars):
        vehicle.data.input[InputData.RETARDER] = level
        drive(vehicle, 15.0)
    speeds = [vehicle.chassis.sensor_speed for vehicle in cars]
    assert speeds == sorted(speeds, reverse=True)
    assert speeds[4] < 0.6 * speeds[0]
    torques = [read(vehicle, VehicleData.RETARDER_TORQUE) for vehicle in cars]
    assert torques == pytest.approx([retarder(vehicle).sensor_torque for vehicle in cars], abs=1e-3)
    assert torques[0] == 0.0
    assert torques[4] > 50.0
